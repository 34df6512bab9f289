//! Types as written to interned types: names to constructors, variables or built-in types, synonyms to what they stand
//! for.

use super::Checker;
use crate::ast;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use fathom_base::FxMap;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct TypeNames {
    pub names: FxMap<Rc<str>, TypeName>,
    /// Type variables in scope, innermost last.
    pub variables: Vec<(Rc<str>, TypeVarId)>,
    pub synonyms: Vec<Synonym>,
}

#[derive(Copy, Clone)]
pub(super) enum TypeName {
    Ctor(CtorId),
    Synonym(usize),
}

pub(super) struct Synonym {
    pub name: ast::Ident,
    pub params: Vec<ast::Ident>,
    pub body: ast::TypeId,
    pub state: SynonymState,
}

pub(super) enum SynonymState {
    Untouched,
    InProgress,
    Known { params: Vec<TypeVarId>, body: TypeId },
}

impl Checker<'_> {
    pub(super) fn new_type_var(&mut self, name: &str) -> TypeVarId {
        self.out.type_vars.push(name.into());
        TypeVarId(self.out.type_vars.len() as u32 - 1)
    }

    /// Opens a scope of type parameters; `leave_type_params` closes it.
    pub(super) fn enter_type_params(&mut self, params: &[ast::Ident]) -> Vec<TypeVarId> {
        params
            .iter()
            .map(|param| {
                if is_bit_vec_name(&param.name) {
                    self.error(param.span, format!("type name: {} is registered for bitvectors", param.name));
                } else if self.types.names.contains_key(&param.name) {
                    self.error(param.span, format!("name is already reserved for type constructor: {}", param.name));
                } else if self.types.variables.iter().any(|(name, _)| *name == param.name) {
                    self.error(param.span, format!("more than one declaration of type variable: {}", param.name));
                }
                let var = self.new_type_var(&param.name);
                self.types.variables.push((param.name.clone(), var));
                var
            })
            .collect()
    }

    pub(super) fn leave_type_params(&mut self, count: usize) {
        let left = self.types.variables.len() - count;
        self.types.variables.truncate(left);
    }

    /// Every type parameter must be determined by the types of the parameters.
    pub(super) fn check_occurrence(&mut self, vars: &[TypeVarId], names: &[ast::Ident], types: &[TypeId], what: &str) {
        for (var, name) in vars.iter().zip(names) {
            if !types.iter().any(|ty| self.out.types.variables(*ty).contains(var)) {
                self.error(name.span, format!("type variable must occur in {what}: {}", name.name));
            }
        }
    }

    pub(super) fn resolve_type(&mut self, id: ast::TypeId) -> TypeId {
        crate::deep(|| {
            let ast = self.ast;
            let node = ast.ty(id);
            match &node.kind {
                ast::TypeKind::Bool => Types::BOOL,
                ast::TypeKind::Int => Types::INT,
                ast::TypeKind::Real => Types::REAL,
                ast::TypeKind::Map { type_params, args, result } => {
                    let vars = self.enter_type_params(type_params);
                    let args: Vec<TypeId> = args.iter().map(|arg| self.resolve_type(*arg)).collect();
                    let result = self.resolve_type(*result);
                    self.leave_type_params(vars.len());
                    let mut parts = args.clone();
                    parts.push(result);
                    self.check_occurrence(&vars, type_params, &parts, "map arguments");
                    self.out.types.close_map(&vars, args, result)
                }
                ast::TypeKind::Named { name, args } => self.resolve_name(name, args, node.span),
            }
        })
    }

    fn resolve_name(&mut self, name: &Rc<str>, args: &[ast::TypeId], span: Span) -> TypeId {
        if let Some(ty) = self.built_in_type(name, span) {
            if !args.is_empty() {
                self.error(span, format!("the type {name} takes no arguments"));
            }
            return ty;
        }
        if let Some((_, var)) = self.types.variables.iter().rev().find(|(known, _)| known == name) {
            let var = *var;
            if !args.is_empty() {
                self.error(span, format!("type variables must not be applied to arguments: {name}"));
            }
            return self.out.types.intern(Type::Var(var));
        }
        let args: Vec<TypeId> = args.iter().map(|arg| self.resolve_type(*arg)).collect();
        match self.types.names.get(name).copied() {
            Some(TypeName::Ctor(ctor)) => {
                let arity = self.out.ctor(ctor).arity as usize;
                if args.len() != arity {
                    self.error(span, format!("type constructor {name} takes {arity} arguments, not {}", args.len()));
                    return Types::BOOL;
                }
                self.out.types.intern(Type::Ctor { ctor, args })
            }
            Some(TypeName::Synonym(synonym)) => self.expand(synonym, args, span),
            None => {
                self.error(span, format!("undeclared type: {name}"));
                Types::BOOL
            }
        }
    }

    fn built_in_type(&mut self, name: &str, span: Span) -> Option<TypeId> {
        match name {
            "rmode" => return Some(Types::ROUNDING_MODE),
            "string" => return Some(Types::STR),
            "regex" => return Some(self.out.types.intern(Type::Regex)),
            _ => {}
        }
        if is_bit_vec_name(name) {
            let width = name[2..].parse().ok().filter(|width| *width <= crate::MAX_WIDTH);
            if width.is_none() {
                self.error(span, "this bit-vector type is too wide");
            }
            return Some(self.out.types.bit_vec(width.unwrap_or(1)));
        }
        let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(significand) || !digits(exponent) {
            return None;
        }
        let format = (significand.parse().ok()?, exponent.parse().ok()?);
        Some(self.out.types.intern(Type::Float { significand: format.0, exponent: format.1 }))
    }

    fn expand(&mut self, synonym: usize, args: Vec<TypeId>, span: Span) -> TypeId {
        let expected = self.types.synonyms[synonym].params.len();
        if args.len() != expected {
            let name = &self.types.synonyms[synonym].name.name;
            let message = format!("type synonym {name} takes {expected} arguments, not {}", args.len());
            self.error(span, message);
            return Types::BOOL;
        }
        let Some((params, body)) = self.synonym(synonym) else { return Types::BOOL };
        self.out.types.substitute(body, &params, &args)
    }

    /// What a synonym stands for; None, with an error, if it stands for itself.
    pub(super) fn synonym(&mut self, synonym: usize) -> Option<(Vec<TypeVarId>, TypeId)> {
        match &self.types.synonyms[synonym].state {
            SynonymState::Known { params, body } => return Some((params.clone(), *body)),
            SynonymState::InProgress => {
                let name = self.types.synonyms[synonym].name.clone();
                self.error(name.span, format!("type synonym could not be resolved because of cycles: {}", name.name));
                return None;
            }
            SynonymState::Untouched => {}
        }
        self.types.synonyms[synonym].state = SynonymState::InProgress;
        let (params, body) = (self.types.synonyms[synonym].params.clone(), self.types.synonyms[synonym].body);
        let outer = std::mem::take(&mut self.types.variables);
        let vars = self.enter_type_params(&params);
        let body = self.resolve_type(body);
        self.types.variables = outer;
        self.types.synonyms[synonym].state = SynonymState::Known { params: vars.clone(), body };
        Some((vars, body))
    }
}

pub(super) fn is_bit_vec_name(name: &str) -> bool {
    name.len() > 2 && name.starts_with("bv") && name[2..].bytes().all(|b| b.is_ascii_digit())
}
