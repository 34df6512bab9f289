//! Datatypes: constructors become functions, fields of one name have one type, and every datatype has a finite value.

use super::Checker;
use super::types::TypeName;
use crate::ast::{self, DeclKind};
use crate::typed::*;

impl Checker<'_> {
    pub(super) fn declare_datatype_constructors(&mut self) {
        let ast = self.ast;
        for decl in &ast.decls {
            if let DeclKind::Datatype { name, type_params, constructors } = &decl.kind
                && let Some(TypeName::Ctor(ctor)) = self.types.names.get(&name.name).copied()
                && self.out.ctor(ctor).constructors.is_empty()
            {
                self.declare_datatype(ctor, type_params, constructors);
            }
        }
        self.check_well_founded();
    }

    fn declare_datatype(&mut self, ctor: CtorId, type_params: &[ast::Ident], constructors: &[ast::Constructor]) {
        let vars = self.enter_type_params(type_params);
        let args = vars.iter().map(|var| self.out.types.intern(Type::Var(*var))).collect();
        let result = self.out.types.intern(Type::Ctor { ctor, args });
        let mut all: Vec<Constructor> = Vec::new();
        for constructor in constructors {
            let name = &constructor.name;
            if self.functions.contains_key(&name.name) {
                self.error(name.span, format!("more than one declaration of function name: {}", name.name));
                continue;
            }
            self.scopes.push(Default::default());
            let params: Vec<VarId> = constructor.fields.iter().map(|field| self.declare_var(field, VarKind::Bound)).collect();
            self.scopes.pop();
            let fields: Vec<Field> =
                params.iter().map(|var| Field { name: self.out.var(*var).name.clone(), ty: self.out.var(*var).ty }).collect();
            for (field, written) in fields.iter().zip(&constructor.fields) {
                let other = all.iter().flat_map(|c| &c.fields).find(|other| other.name == field.name);
                if other.is_some_and(|other| other.ty != field.ty) {
                    self.error(written.name.span, format!("field {} has another type in another constructor", field.name));
                }
            }
            let function = Function {
                name: name.name.clone(),
                kind: FunctionKind::Constructor { ctor, index: all.len() as u32 },
                type_params: vars.clone(),
                params,
                result,
                body: None,
                builtin: None,
                attributes: Vec::new(),
                span: name.span,
            };
            let function = self.enter_function(function, name.span);
            all.push(Constructor { name: name.name.clone(), function, fields });
        }
        self.leave_type_params(vars.len());
        let entry = &mut self.out.ctors[ctor.index()];
        entry.constructors = all;
        entry.type_params = vars;
    }

    /// A datatype whose every constructor needs a value of the datatype has no values.
    fn check_well_founded(&mut self) {
        let mut good: Vec<bool> = self.out.ctors.iter().map(|ctor| ctor.constructors.is_empty()).collect();
        loop {
            let mut changed = false;
            for at in 0..good.len() {
                let can_build = |c: &Constructor| c.fields.iter().all(|field| self.is_constructible(field.ty, &good));
                if !good[at] && self.out.ctors[at].constructors.iter().any(can_build) {
                    good[at] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (at, good) in good.into_iter().enumerate() {
            if !good {
                let (name, span) = (self.out.ctors[at].name.clone(), self.out.ctors[at].span);
                self.error(span, format!("the datatype {name} is not well-founded: it has no finite value"));
            }
        }
    }

    fn is_constructible(&self, ty: TypeId, good: &[bool]) -> bool {
        crate::deep(|| match self.out.types.get(ty) {
            Type::Ctor { ctor, .. } => good[ctor.index()],
            Type::Map { args, result, .. } => args.iter().chain([result]).all(|part| self.is_constructible(*part, good)),
            _ => true,
        })
    }
}
