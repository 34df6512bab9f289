//! Enters all declarations: types first, then constants, globals, functions and procedures with their signatures. Of two
//! declarations of a name the one marked {:extern} gives way; without such a mark it is an error.

use super::types::{Synonym, SynonymState, TypeName, is_bit_vec_name};
use super::{Checker, States, attributes};
use crate::ast::{self, DeclKind};
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;

impl Checker<'_> {
    pub(super) fn declare(&mut self) {
        let ast = self.ast;
        for decl in &ast.decls {
            self.declare_type(decl);
        }
        for synonym in 0..self.types.synonyms.len() {
            self.synonym(synonym);
        }
        self.declare_datatype_constructors();
        for decl in &ast.decls {
            if attributes::flag(ast, &decl.attributes, "ignore") {
                continue;
            }
            match &decl.kind {
                DeclKind::Const(constants) => self.declare_constants(decl, constants),
                DeclKind::Globals(vars) => self.declare_globals(vars),
                DeclKind::Function(function) => self.declare_function(decl, function),
                DeclKind::Procedure(procedure) => self.declare_procedure(decl, procedure),
                DeclKind::Unsupported { what, name } => {
                    let name = name.as_ref().map(|name| format!(" {}", name.name)).unwrap_or_default();
                    self.out.unsupported.push((format!("{what}{name}"), decl.span));
                }
                _ => {}
            }
        }
    }

    fn declare_type(&mut self, decl: &ast::Decl) {
        let (name, params) = match &decl.kind {
            DeclKind::TypeCtor { name, params, .. } | DeclKind::TypeSynonym { name, params, .. } => (name, params),
            DeclKind::Datatype { name, type_params, .. } => (name, type_params),
            _ => return,
        };
        if is_bit_vec_name(&name.name) {
            return self.error(name.span, format!("type name: {} is registered for bitvectors", name.name));
        }
        if self.types.names.contains_key(&name.name) {
            let is_extern = attributes::flag(self.ast, &decl.attributes, "extern");
            if is_extern {
                return;
            }
            if !self.externs.remove(&type_key(&name.name)) {
                return self.error(name.span, format!("more than one declaration of type name: {}", name.name));
            }
        }
        if attributes::flag(self.ast, &decl.attributes, "extern") {
            self.externs.insert(type_key(&name.name));
        }
        if let DeclKind::TypeSynonym { body, .. } = decl.kind {
            let synonym = Synonym { name: name.clone(), params: params.clone(), body, state: SynonymState::Untouched };
            self.types.synonyms.push(synonym);
            self.types.names.insert(name.name.clone(), TypeName::Synonym(self.types.synonyms.len() - 1));
            return;
        }
        let finite = matches!(decl.kind, DeclKind::TypeCtor { finite: true, .. });
        let ctor = TypeCtor {
            name: name.name.clone(),
            arity: params.len() as u32,
            finite,
            attributes: Vec::new(),
            span: name.span,
            constructors: Vec::new(),
            type_params: Vec::new(),
            instance_of: Vec::new(),
        };
        self.out.ctors.push(ctor);
        self.types.names.insert(name.name.clone(), TypeName::Ctor(CtorId(self.out.ctors.len() as u32 - 1)));
    }

    /// Whether a name may be entered; says so if not. `key` is the name with the kind of its declarations.
    fn may_declare(&mut self, known: bool, is_extern: bool, key: &str, name: &ast::Ident, what: &str) -> bool {
        if known {
            if is_extern {
                return false;
            }
            if !self.externs.remove(key) {
                self.error(name.span, format!("more than one declaration of {what} name: {}", name.name));
                return false;
            }
        }
        if is_extern {
            self.externs.insert(key.into());
        }
        true
    }

    fn declare_constants(&mut self, decl: &ast::Decl, constants: &ast::ConstDecl) {
        let ty = self.resolve_type(constants.ty);
        for name in &constants.names {
            let var = self.new_var(name, ty, VarKind::Constant { unique: constants.unique });
            self.enter_global(name, var, &decl.attributes);
        }
    }

    fn declare_globals(&mut self, vars: &[ast::VarDecl]) {
        for decl in vars {
            let ty = self.resolve_type(decl.ty);
            let var = self.new_var(&decl.name, ty, VarKind::Global);
            self.enter_global(&decl.name, var, &decl.attributes);
        }
    }

    fn enter_global(&mut self, name: &ast::Ident, var: VarId, attributes: &[ast::Attribute]) {
        let is_extern = attributes::flag(self.ast, attributes, "extern");
        let known = self.globals.contains_key(&name.name);
        if !self.may_declare(known, is_extern, &format!("var {}", name.name), name, "variable") {
            return;
        }
        if let Some(old) = self.globals.insert(name.name.clone(), var) {
            self.out.constants.retain(|v| *v != old);
            self.out.globals.retain(|v| *v != old);
        }
        match self.out.var(var).kind {
            VarKind::Global => self.out.globals.push(var),
            _ => self.out.constants.push(var),
        }
    }

    fn declare_function(&mut self, decl: &ast::Decl, function: &ast::FunctionDecl) {
        let name = &function.name;
        let is_extern = attributes::flag(self.ast, &decl.attributes, "extern");
        let known = self.functions.contains_key(&name.name);
        let entered = self.may_declare(known, is_extern, &format!("fn {}", name.name), name, "function");
        let type_params = self.enter_type_params(&function.type_params);
        let mut types = Vec::new();
        let mut params = Vec::new();
        for (at, param) in function.params.iter().enumerate() {
            let ty = self.resolve_type(param.ty);
            types.push(ty);
            let unnamed = ast::Ident { name: format!("_{at}").into(), span: self.ast.ty(param.ty).span };
            params.push(self.new_var(param.name.as_ref().unwrap_or(&unnamed), ty, VarKind::Bound));
        }
        let result = self.resolve_type(function.result.ty);
        types.push(result);
        self.leave_type_params(type_params.len());
        self.check_occurrence(&type_params, &function.type_params, &types, "function arguments");
        if !entered {
            return;
        }
        let new = Function {
            name: name.name.clone(),
            kind: FunctionKind::Plain,
            type_params,
            params,
            result,
            body: None,
            builtin: None,
            attributes: Vec::new(),
            span: name.span,
        };
        self.enter_function(new, name.span);
    }

    pub(super) fn enter_function(&mut self, function: Function, _span: Span) -> FunctionId {
        let name = function.name.clone();
        // One that was marked {:extern} is replaced where it is, so that its number stays good.
        if let Some(old) = self.functions.get(&name).copied() {
            self.out.functions[old.index()] = function;
            return old;
        }
        self.out.functions.push(function);
        let id = FunctionId(self.out.functions.len() as u32 - 1);
        self.functions.insert(name, id);
        id
    }

    fn declare_procedure(&mut self, decl: &ast::Decl, procedure: &ast::ProcedureDecl) {
        let name = &procedure.signature.name;
        let is_extern = attributes::flag(self.ast, &decl.attributes, "extern");
        let known = self.procedures.contains_key(&name.name);
        if !self.may_declare(known, is_extern, &format!("proc {}", name.name), name, "procedure") {
            return;
        }
        let (type_params, ins, outs) = self.signature(&procedure.signature, "procedure arguments");
        let new = Procedure {
            name: name.name.clone(),
            type_params,
            ins,
            outs,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            attributes: Vec::new(),
            span: name.span,
            implementations: Vec::new(),
        };
        let id = match self.procedures.get(&name.name).copied() {
            Some(old) => {
                self.out.procedures[old.index()] = new;
                old
            }
            None => {
                self.out.procedures.push(new);
                let id = ProcedureId(self.out.procedures.len() as u32 - 1);
                self.procedures.insert(name.name.clone(), id);
                id
            }
        };
        if procedure.pure_ {
            self.pure_procedures.insert(id);
        }
    }

    /// Type parameters and parameters of a procedure or implementation, as new variables.
    pub(super) fn signature(&mut self, signature: &ast::Signature, what: &str) -> (Vec<TypeVarId>, Vec<VarId>, Vec<VarId>) {
        let type_params = self.enter_type_params(&signature.type_params);
        self.scopes.push(Default::default());
        let ins: Vec<VarId> = signature.ins.iter().map(|decl| self.declare_var(decl, VarKind::In)).collect();
        let outs: Vec<VarId> = signature.outs.iter().map(|decl| self.declare_var(decl, VarKind::Out)).collect();
        self.scopes.pop();
        self.leave_type_params(type_params.len());
        let types: Vec<TypeId> = ins.iter().chain(&outs).map(|var| self.out.var(*var).ty).collect();
        self.check_occurrence(&type_params, &signature.type_params, &types, what);
        (type_params, ins, outs)
    }

    /// Checks everything that has a body, in the order of the text.
    pub(super) fn check_bodies(&mut self) {
        let ast = self.ast;
        for decl in &ast.decls {
            if attributes::flag(ast, &decl.attributes, "ignore") {
                continue;
            }
            self.states = States::None;
            match &decl.kind {
                DeclKind::Axiom { body, .. } => self.check_axiom(&decl.attributes, *body, decl.span),
                DeclKind::Const(constants) => self.check_constants(decl, constants),
                DeclKind::Globals(vars) => self.check_globals(vars),
                DeclKind::Function(function) => self.check_function(decl, function),
                DeclKind::Procedure(procedure) => self.check_procedure(decl, procedure),
                DeclKind::TypeCtor { name, .. } | DeclKind::Datatype { name, .. } => {
                    if let Some(TypeName::Ctor(ctor)) = self.types.names.get(&name.name).copied() {
                        self.out.ctors[ctor.index()].attributes = self.attributes(&decl.attributes);
                    }
                }
                _ => {}
            }
        }
        // Implementations need the modifies clauses of all procedures.
        for decl in &ast.decls {
            if attributes::flag(ast, &decl.attributes, "ignore") {
                continue;
            }
            match &decl.kind {
                DeclKind::Procedure(procedure) => {
                    if let Some(body) = &procedure.body {
                        self.check_implementation(decl, &procedure.signature, body);
                    }
                }
                DeclKind::Implementation(implementation) => {
                    self.check_implementation(decl, &implementation.signature, &implementation.body)
                }
                _ => {}
            }
        }
        self.check_recursion();
        self.infer_modifies();
    }

    pub(super) fn check_axiom(&mut self, attributes: &[ast::Attribute], body: ast::ExprId, span: Span) {
        self.states = States::None;
        let body = self.root(body, Some((Types::BOOL, "an axiom")));
        let attributes = self.attributes(attributes);
        self.out.axioms.push(Axiom { body, attributes, span });
    }

    fn check_constants(&mut self, decl: &ast::Decl, constants: &ast::ConstDecl) {
        let attributes = self.attributes(&decl.attributes);
        for name in &constants.names {
            if let Some(var) = self.globals.get(&name.name).copied() {
                self.out.vars[var.index()].attributes = attributes.clone();
            }
        }
        if let Some(order) = &constants.order {
            self.check_order(constants, order);
        }
        for axiom in &constants.uses {
            self.check_axiom(&axiom.attributes, axiom.body, axiom.span);
        }
    }

    /// The parents of an order clause are other constants of the same type. What the clause means
    /// for `<:` is in `order.rs`.
    fn check_order(&mut self, constants: &ast::ConstDecl, order: &ast::OrderClause) {
        let ty = self.resolve_type(constants.ty);
        let mut seen: Vec<VarId> = Vec::new();
        for (_, parent) in order.parents.iter().flatten() {
            let found = self.globals.get(&parent.name).copied().filter(|var| matches!(self.out.var(*var).kind, VarKind::Constant { .. }));
            let Some(var) = found else {
                self.error(parent.span, format!("undeclared constant: {}", parent.name));
                continue;
            };
            if constants.names.iter().any(|name| name.name == parent.name) {
                self.error(parent.span, "constant cannot be its own parent");
            } else if seen.contains(&var) {
                self.error(parent.span, format!("{} occurs more than once as a parent", parent.name));
            } else if self.out.var(var).ty != ty {
                self.error(parent.span, "parent of a constant has another type");
            }
            seen.push(var);
        }
    }

    fn check_globals(&mut self, vars: &[ast::VarDecl]) {
        for decl in vars {
            let Some(var) = self.globals.get(&decl.name.name).copied() else { continue };
            self.states = States::One;
            self.check_where(decl, var);
            self.out.vars[var.index()].attributes = self.attributes(&decl.attributes);
        }
    }
}

fn type_key(name: &str) -> std::rc::Rc<str> {
    format!("type {name}").into()
}
