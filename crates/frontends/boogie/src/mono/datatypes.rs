//! Datatypes, which no later stage knows. One with a single constructor is a record: its value is the list of its fields'
//! components, exactly. Any other becomes an uninterpreted type with functions: its constructors, `tag`, which says which
//! constructor made a value, and a selector for each field; and axioms: the tag and the fields of what a constructor
//! makes, that every value is made by the constructor of its tag, and, for a datatype that contains itself, a rank that
//! is greater than the ranks of the parts, so that every value is finite. Those axioms hold in finite trees and in
//! nothing else.

use super::{Env, Mono, Unsupported, note};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use std::ops::Range;

type Values = Vec<ExprId>;

/// The functions of a datatype that is not a record.
#[derive(Clone)]
pub(super) struct Encoded {
    tag: FunctionId,
    rank: Option<FunctionId>,
    constructors: Vec<EncodedConstructor>,
}

#[derive(Clone)]
struct EncodedConstructor {
    function: FunctionId,
    /// One for each component of each field, in the order of the constructor's parameters.
    selectors: Vec<FunctionId>,
}

impl Mono<'_> {
    /// Whether values of a datatype are the lists of their fields.
    pub(super) fn is_record(&self, ctor: CtorId) -> bool {
        let constructors = self.src.ctors.get(ctor.index()).map_or(&[][..], |ctor| &ctor.constructors[..]);
        matches!(constructors, [only] if !only.fields.is_empty())
    }

    /// The components of a record: those of its fields.
    pub(super) fn record(&mut self, ty: TypeId, ctor: CtorId, args: &[TypeId], span: Span) -> Result<Vec<super::Component>, Unsupported> {
        self.check_depth(args, span)?;
        if self.in_progress.contains(&ty) {
            return Err(Unsupported { what: "datatype that contains itself".to_string(), span });
        }
        if !args.is_empty() {
            note(&mut self.found.ctors, ctor, args);
        }
        self.in_progress.push(ty);
        let mut all = Vec::new();
        for (name, field) in self.field_types(ctor, 0, args) {
            for part in self.components(field, span)?.iter() {
                all.push(super::Component { suffix: format!("->{name}{}", part.suffix).into(), ty: part.ty });
            }
        }
        self.in_progress.pop();
        Ok(all)
    }

    /// The fields of a constructor with their types.
    fn field_types(&mut self, ctor: CtorId, constructor: usize, args: &[TypeId]) -> Vec<(std::rc::Rc<str>, TypeId)> {
        let source = &self.src.ctors[ctor.index()];
        let fields = source.constructors[constructor].fields.iter();
        fields.map(|field| (field.name.clone(), self.types.substitute(field.ty, &source.type_params, args))).collect()
    }

    /// Where the components of a field lie among those of a constructor's parameters.
    fn field_range(
        &mut self,
        ctor: CtorId,
        constructor: usize,
        args: &[TypeId],
        name: &str,
        span: Span,
    ) -> Result<Option<Range<usize>>, Unsupported> {
        let mut start = 0;
        for (field, ty) in self.field_types(ctor, constructor, args) {
            let count = self.components(ty, span)?.len();
            if &*field == name {
                return Ok(Some(start..start + count));
            }
            start += count;
        }
        Ok(None)
    }

    // Declarations

    /// The functions and axioms of the instance `new` of a datatype.
    pub(super) fn encode(&mut self, new: CtorId, ctor: CtorId, args: &[TypeId], span: Span) -> Result<(), Unsupported> {
        self.encoding += 1;
        let ty = self.out.types.intern(Type::Ctor { ctor: new, args: Vec::new() });
        let name = self.out.ctor(new).name.clone();
        let tag = self.new_function(format!("tag of {name}"), &[ty], Types::INT, span);
        let rank = self.contains_itself(ctor).then(|| self.new_function(format!("rank of {name}"), &[ty], Types::INT, span));
        let mut constructors = Vec::new();
        for (index, constructor) in self.src.ctors[ctor.index()].constructors.iter().enumerate() {
            let constructor_name = self.instance_name(&constructor.name, args).to_string();
            let mut params = Vec::new();
            let mut selectors = Vec::new();
            for (field, field_ty) in self.field_types(ctor, index, args) {
                for part in self.components(field_ty, span)?.iter() {
                    params.push(part.ty);
                    let name = format!("{constructor_name}->{field}{}", part.suffix);
                    selectors.push(self.new_function(name, &[ty], part.ty, span));
                }
            }
            let function = self.new_function(constructor_name, &params, ty, span);
            constructors.push(EncodedConstructor { function, selectors });
        }
        self.datatypes.insert(new, Encoded { tag, rank, constructors });
        self.encoding -= 1;
        self.without_axioms.push((new, ty, span));
        // Axioms mention the ranks of parts, which are all declared when the outermost datatype is.
        if self.encoding == 0 {
            for (new, ty, span) in std::mem::take(&mut self.without_axioms) {
                self.datatype_axioms(new, ty, span);
            }
        }
        Ok(())
    }

    pub(super) fn new_function(&mut self, name: String, params: &[TypeId], result: TypeId, span: Span) -> FunctionId {
        let params = params.iter().enumerate().map(|(at, ty)| self.new_bound(&format!("_{at}"), *ty, span)).collect();
        self.out.functions.push(Function {
            name: name.into(),
            kind: FunctionKind::Plain,
            type_params: Vec::new(),
            params,
            result,
            body: None,
            builtin: None,
            attributes: Vec::new(),
            span,
        });
        FunctionId(self.out.functions.len() as u32 - 1)
    }

    fn new_bound(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let kind = VarKind::Bound;
        self.out.vars.push(Var { name: name.into(), ty, kind, where_clause: None, attributes: Vec::new(), span });
        VarId(self.out.vars.len() as u32 - 1)
    }

    /// Whether a value of a datatype can be part of another one.
    fn contains_itself(&self, ctor: CtorId) -> bool {
        let mut seen = fathom_base::FxSet::default();
        let mut open = vec![ctor];
        while let Some(next) = open.pop() {
            let fields = self.src.ctors.get(next.index()).into_iter().flat_map(|c| &c.constructors).flat_map(|c| &c.fields);
            let mut types: Vec<TypeId> = fields.map(|field| field.ty).collect();
            while let Some(ty) = types.pop() {
                match self.types.get(ty) {
                    Type::Ctor { ctor: part, args } => {
                        if *part == ctor {
                            return true;
                        }
                        types.extend(args);
                        if seen.insert(*part) {
                            open.push(*part);
                        }
                    }
                    Type::Map { args, result, .. } => types.extend(args.iter().chain([result])),
                    _ => {}
                }
            }
        }
        false
    }

    fn datatype_axioms(&mut self, ctor: CtorId, ty: TypeId, span: Span) {
        let encoded = self.datatypes[&ctor].clone();
        for index in 0..encoded.constructors.len() {
            self.constructor_axiom(&encoded, index, span);
        }
        // Every value is made by the constructor of its tag.
        let var = self.new_bound("d", ty, span);
        let value = self.var_node(var, span);
        let trigger = self.apply(encoded.tag, vec![value], span);
        let count = self.int(encoded.constructors.len(), span);
        let zero = self.int(0, span);
        let low = self.op(BinaryOp::Le, zero, trigger, span);
        let high = self.op(BinaryOp::Lt, trigger, count, span);
        let mut body = self.op(BinaryOp::And, low, high, span);
        for (index, constructor) in encoded.constructors.iter().enumerate() {
            let test = self.has_tag(&encoded, value, index, span);
            let fields = constructor.selectors.iter().map(|selector| self.apply(*selector, vec![value], span)).collect();
            let built = self.apply(constructor.function, fields, span);
            let same = self.op(BinaryOp::Eq, value, built, span);
            let made = self.op(BinaryOp::Implies, test, same, span);
            body = self.op(BinaryOp::And, body, made, span);
        }
        if let Some(rank) = encoded.rank {
            let zero = self.int(0, span);
            let rank = self.apply(rank, vec![value], span);
            let natural = self.op(BinaryOp::Le, zero, rank, span);
            body = self.op(BinaryOp::And, body, natural, span);
        }
        self.axiom(vec![var], trigger, body, span);
    }

    /// Tag, fields and rank of what a constructor makes.
    fn constructor_axiom(&mut self, encoded: &Encoded, index: usize, span: Span) {
        let EncodedConstructor { function, selectors } = &encoded.constructors[index];
        let types: Vec<TypeId> = selectors.iter().map(|selector| self.out.function(*selector).result).collect();
        let vars: Vec<VarId> = types.iter().enumerate().map(|(at, ty)| self.new_bound(&format!("x{at}"), *ty, span)).collect();
        let args: Values = vars.iter().map(|var| self.var_node(*var, span)).collect();
        let built = self.apply(*function, args.clone(), span);
        let mut body = self.has_tag(encoded, built, index, span);
        for (selector, arg) in selectors.iter().zip(&args) {
            let part = self.apply(*selector, vec![built], span);
            let same = self.op(BinaryOp::Eq, part, *arg, span);
            body = self.op(BinaryOp::And, body, same, span);
        }
        for (arg, part_ty) in args.iter().zip(&types) {
            let other = match self.out.types.get(*part_ty) {
                Type::Ctor { ctor, .. } => self.datatypes.get(ctor).and_then(|other| other.rank),
                _ => None,
            };
            if let (Some(rank), Some(other)) = (encoded.rank, other) {
                let inner = self.apply(other, vec![*arg], span);
                let outer = self.apply(rank, vec![built], span);
                let less = self.op(BinaryOp::Lt, inner, outer, span);
                body = self.op(BinaryOp::And, body, less, span);
            }
        }
        if vars.is_empty() {
            self.out.axioms.push(Axiom { body, attributes: Vec::new(), span });
        } else {
            self.axiom(vars, built, body, span);
        }
    }

    fn axiom(&mut self, vars: Vec<VarId>, trigger: ExprId, body: ExprId, span: Span) {
        let triggers = vec![Trigger { positive: true, terms: vec![trigger] }];
        let kind = ExprKind::Quantifier { forall: true, type_params: Vec::new(), vars, triggers, attributes: Vec::new(), body };
        let body = self.node(kind, Types::BOOL, span);
        self.out.axioms.push(Axiom { body, attributes: Vec::new(), span });
    }

    // Expressions

    fn int(&mut self, value: usize, span: Span) -> ExprId {
        self.node(ExprKind::Int(value.into()), Types::INT, span)
    }

    fn var_node(&mut self, var: VarId, span: Span) -> ExprId {
        self.node(ExprKind::Var(var), self.out.var(var).ty, span)
    }

    pub(super) fn apply(&mut self, function: FunctionId, args: Values, span: Span) -> ExprId {
        self.node(ExprKind::Call { function, type_args: Vec::new(), args }, self.out.function(function).result, span)
    }

    /// An operator on operands of one type; all that are used here but `+` give a truth value.
    fn op(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        self.node(ExprKind::Binary(op, a, b), Types::BOOL, span)
    }

    fn has_tag(&mut self, encoded: &Encoded, value: ExprId, index: usize, span: Span) -> ExprId {
        let tag = self.apply(encoded.tag, vec![value], span);
        let index = self.int(index, span);
        self.op(BinaryOp::Eq, tag, index, span)
    }

    fn type_args(&mut self, value: ExprId, env: &Env) -> Vec<TypeId> {
        let ty = self.ground(self.src.type_of(value), env);
        match self.types.get(ty) {
            Type::Ctor { args, .. } => args.clone(),
            _ => Vec::new(),
        }
    }

    fn encoded(&mut self, ctor: CtorId, args: &[TypeId], span: Span) -> Result<Encoded, Unsupported> {
        let new = self.ctor(ctor, args, span)?;
        let known = self.datatypes.get(&new).cloned();
        known.ok_or_else(|| Unsupported { what: "datatype inside its own declaration".to_string(), span })
    }

    pub(super) fn construct(
        &mut self,
        ctor: CtorId,
        index: u32,
        type_args: &[TypeId],
        args: Values,
        span: Span,
    ) -> Result<Values, Unsupported> {
        if self.is_record(ctor) {
            return Ok(args);
        }
        let function = self.encoded(ctor, type_args, span)?.constructors[index as usize].function;
        Ok(vec![self.apply(function, args, span)])
    }

    pub(super) fn is_made_by(&mut self, value: ExprId, ctor: CtorId, index: u32, env: &Env, span: Span) -> Result<ExprId, Unsupported> {
        if self.is_record(ctor) {
            return Ok(self.node(ExprKind::Bool(true), Types::BOOL, span));
        }
        let args = self.type_args(value, env);
        let encoded = self.encoded(ctor, &args, span)?;
        let value = self.single(value, env)?;
        Ok(self.has_tag(&encoded, value, index as usize, span))
    }

    /// A field of whichever constructor made the value; of the last that has it if none of them did.
    pub(super) fn field(&mut self, value: ExprId, ctor: CtorId, field: &str, env: &Env, span: Span) -> Result<Values, Unsupported> {
        let args = self.type_args(value, env);
        let values = self.translate_expr(value, env)?;
        if self.is_record(ctor) {
            let range = self.field_range(ctor, 0, &args, field, span)?.expect("the checker found the field");
            return Ok(values[range].to_vec());
        }
        let encoded = self.encoded(ctor, &args, span)?;
        let value = values[0];
        let mut found: Option<Values> = None;
        for index in (0..encoded.constructors.len()).rev() {
            let Some(range) = self.field_range(ctor, index, &args, field, span)? else { continue };
            let selectors = encoded.constructors[index].selectors[range].to_vec();
            let parts: Values = selectors.into_iter().map(|selector| self.apply(selector, vec![value], span)).collect();
            found = Some(self.if_made_by(&encoded, value, index, parts, found, span));
        }
        Ok(found.expect("the checker found the field"))
    }

    /// `parts` if the constructor made the value, otherwise what was `found` before; without that just `parts`.
    fn if_made_by(&mut self, encoded: &Encoded, value: ExprId, index: usize, parts: Values, found: Option<Values>, span: Span) -> Values {
        let Some(found) = found else { return parts };
        let test = self.has_tag(encoded, value, index, span);
        let pairs = parts.into_iter().zip(found);
        pairs.map(|(a, b)| self.node(ExprKind::Ite(test, a, b), self.out.type_of(a), span)).collect()
    }

    pub(super) fn field_update(
        &mut self,
        value: ExprId,
        ctor: CtorId,
        field: &str,
        to: ExprId,
        env: &Env,
        span: Span,
    ) -> Result<Values, Unsupported> {
        let args = self.type_args(value, env);
        let mut values = self.translate_expr(value, env)?;
        let to = self.translate_expr(to, env)?;
        if self.is_record(ctor) {
            let range = self.field_range(ctor, 0, &args, field, span)?.expect("the checker found the field");
            values.splice(range, to);
            return Ok(values);
        }
        let encoded = self.encoded(ctor, &args, span)?;
        let value = values[0];
        let mut found: Option<Values> = None;
        for index in (0..encoded.constructors.len()).rev() {
            let Some(range) = self.field_range(ctor, index, &args, field, span)? else { continue };
            let EncodedConstructor { function, selectors } = encoded.constructors[index].clone();
            let mut parts: Values = selectors.into_iter().map(|selector| self.apply(selector, vec![value], span)).collect();
            parts.splice(range, to.iter().copied());
            let built = self.apply(function, parts, span);
            found = Some(self.if_made_by(&encoded, value, index, vec![built], found, span));
        }
        Ok(found.expect("the checker found the field"))
    }
}
