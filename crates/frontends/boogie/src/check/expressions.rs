//! Expressions: names, literals, calls, and what needs no file of its own.

use super::{Checker, States};
use crate::ast::{self, ExprKind as Ast};
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use std::rc::Rc;

impl Checker<'_> {
    pub(super) fn node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.out.exprs.push(Expr { kind, ty, span });
        ExprId(self.out.exprs.len() as u32 - 1)
    }

    /// Stands for an expression that was wrong.
    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>) -> ExprId {
        self.error(span, message);
        let ty = self.error_type(span);
        self.node(ExprKind::Unsupported("an erroneous expression".into()), ty, span)
    }

    pub(super) fn exprs(&mut self, all: &[ast::ExprId]) -> Vec<ExprId> {
        all.iter().map(|expr| self.expr(*expr)).collect()
    }

    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        crate::deep(|| self.expr_step(id))
    }

    fn expr_step(&mut self, id: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let ast::Expr { kind, span } = ast.expr(id);
        let span = *span;
        match kind {
            Ast::Bool(value) => self.node(ExprKind::Bool(*value), Types::BOOL, span),
            Ast::Int(value) => self.node(ExprKind::Int(value.clone()), Types::INT, span),
            Ast::Real(value) => self.node(ExprKind::Real(value.clone()), Types::REAL, span),
            Ast::Rounding(mode) => self.node(ExprKind::Rounding(*mode), Types::ROUNDING_MODE, span),
            Ast::Str(text) => self.node(ExprKind::Str(text.clone()), Types::STR, span),
            Ast::BitVec { value, width } => {
                if value.bits() > u64::from(*width) {
                    self.error(span, format!("the number doesn't fit {width} bits"));
                }
                let ty = self.out.types.bit_vec(*width);
                self.node(ExprKind::BitVec { value: value.clone(), width: *width }, ty, span)
            }
            Ast::Float(literal) => {
                if !super::floats::is_exact(literal) {
                    self.error(span, "this number is not one of the values of its floating-point format");
                }
                let ty = self.out.types.intern(Type::Float { significand: literal.significand, exponent: literal.exponent });
                self.node(ExprKind::Float(literal.clone()), ty, span)
            }
            Ast::Name(name) => self.name(name, span),
            Ast::Call { function, args } => self.function_call(function, args, span),
            Ast::Unary(op, value) => self.unary(*op, *value, span),
            Ast::Binary(op, a, b) => self.binary(*op, *a, *b, span),
            Ast::Ite(condition, then, otherwise) => self.if_then_else(*condition, *then, *otherwise, span),
            Ast::Old(value) => self.old(*value, span),
            Ast::ToInt(value) => {
                let value = self.expr(*value);
                self.expect_type(value, Types::REAL, "the argument of int(…)");
                self.node(ExprKind::ToInt(value), Types::INT, span)
            }
            Ast::ToReal(value) => {
                let value = self.expr(*value);
                self.expect_type(value, Types::INT, "the argument of real(…)");
                self.node(ExprKind::ToReal(value), Types::REAL, span)
            }
            Ast::Typed { value, ty } => self.coercion(*value, *ty, span),
            Ast::Select { map, args } => self.select(*map, args, span),
            Ast::Store { map, args, value } => self.store(*map, args, *value, span),
            Ast::Extract { value, high, low } => self.extract(*value, high, low, span),
            Ast::Is { value, constructor } => self.is_constructor(*value, constructor, span),
            Ast::Field { value, field } => {
                let value = self.expr(*value);
                self.field(value, field, span)
            }
            Ast::FieldUpdate { value, field, to } => {
                let value = self.expr(*value);
                let to = self.expr(*to);
                self.field_update(value, field, to, span)
            }
            Ast::Quantifier { forall, binder, triggers, body } => self.quantifier(*forall, binder, triggers, *body, span),
            Ast::Lambda { binder, body } => self.lambda(binder, *body, span),
            Ast::Let { vars, values, body, .. } => self.let_expr(vars, values, *body, span),
            Ast::Code(body) => self.code(body, span),
        }
    }

    fn name(&mut self, name: &Rc<str>, span: Span) -> ExprId {
        let Some(var) = self.lookup(name) else { return self.wrong(span, format!("undeclared identifier: {name}")) };
        if self.states == States::None && self.out.var(var).kind == VarKind::Global {
            self.error(span, format!("cannot refer to a global variable in this context: {name}"));
        }
        let ty = self.out.var(var).ty;
        self.node(ExprKind::Var(var), ty, span)
    }

    fn function_call(&mut self, name: &ast::Ident, args: &[ast::ExprId], span: Span) -> ExprId {
        let args = self.exprs(args);
        let Some(function) = self.functions.get(&name.name).copied() else {
            return self.wrong(name.span, format!("use of undeclared function: {}", name.name));
        };
        let (type_params, params) = (self.out.function(function).type_params.clone(), self.out.function(function).params.clone());
        if params.len() != args.len() {
            return self
                .wrong(span, format!("wrong number of arguments to function: {} ({} instead of {})", name.name, args.len(), params.len()));
        }
        let type_args: Vec<TypeId> = type_params.iter().map(|_| self.unknown(span)).collect();
        for (at, (param, arg)) in params.iter().zip(&args).enumerate() {
            let formal = self.out.var(*param).ty;
            let formal = self.out.types.substitute(formal, &type_params, &type_args);
            self.expect_argument(*arg, formal, at, &format!("application of {}", name.name));
        }
        let result = self.out.function(function).result;
        let ty = self.out.types.substitute(result, &type_params, &type_args);
        self.node(ExprKind::Call { function, type_args, args }, ty, span)
    }

    pub(super) fn expect_argument(&mut self, arg: ExprId, formal: TypeId, at: usize, what: &str) {
        let actual = self.out.type_of(arg);
        if !self.unify(actual, formal) {
            let message = format!("invalid type for argument {at} in {what}: {} (expected: {})", self.show(actual), self.show(formal));
            self.error(self.out.expr(arg).span, message);
        }
    }

    fn if_then_else(&mut self, condition: ast::ExprId, then: ast::ExprId, otherwise: ast::ExprId, span: Span) -> ExprId {
        let condition = self.expr(condition);
        let then = self.expr(then);
        let otherwise = self.expr(otherwise);
        self.expect_type(condition, Types::BOOL, "the condition of if-then-else");
        let (a, b) = (self.out.type_of(then), self.out.type_of(otherwise));
        if !self.unify(a, b) {
            let message = format!("branches of if-then-else have incompatible types {} and {}", self.show(a), self.show(b));
            self.error(span, message);
        }
        self.node(ExprKind::Ite(condition, then, otherwise), a, span)
    }

    fn old(&mut self, value: ast::ExprId, span: Span) -> ExprId {
        if self.states != States::Two {
            self.error(span, "old expressions allowed only in two-state contexts");
        }
        let value = self.expr(value);
        let ty = self.out.type_of(value);
        self.node(ExprKind::Old(value), ty, span)
    }

    /// `e : type` says what the type is; nothing is converted.
    fn coercion(&mut self, value: ast::ExprId, ty: ast::TypeId, span: Span) -> ExprId {
        let value = self.expr(value);
        let ty = self.resolve_type(ty);
        let found = self.out.type_of(value);
        if !self.unify(found, ty) {
            let message = format!("{} cannot be coerced to {}", self.show(found), self.show(ty));
            self.error(span, message);
        }
        value
    }

    fn let_expr(&mut self, vars: &[ast::LetVar], values: &[ast::ExprId], body: ast::ExprId, span: Span) -> ExprId {
        let values = self.exprs(values);
        if vars.len() != values.len() {
            self.error(span, "number of left-hand sides does not match number of right-hand sides");
        }
        self.scopes.push(Default::default());
        let mut bound = Vec::new();
        for (at, var) in vars.iter().enumerate() {
            let ty = match values.get(at) {
                Some(value) => self.out.type_of(*value),
                None => self.error_type(span),
            };
            let id = self.new_var(&var.name, ty, VarKind::Let);
            self.bind(&var.name, id);
            bound.push(id);
        }
        let body = self.expr(body);
        self.scopes.pop();
        let ty = self.out.type_of(body);
        self.node(ExprKind::Let { vars: bound, values, body }, ty, span)
    }

    // Datatypes

    /// The datatype of a value, with its type arguments.
    fn datatype_of(&mut self, value: ExprId, what: &str) -> Option<(CtorId, Vec<TypeId>)> {
        let ty = self.out.type_of(value);
        match self.head_type(ty) {
            Type::Ctor { ctor, args } if !self.out.ctor(ctor).constructors.is_empty() => Some((ctor, args)),
            _ => {
                let message = format!("{what} must be applied to a datatype, {} is not a datatype", self.show(ty));
                self.error(self.out.expr(value).span, message);
                None
            }
        }
    }

    fn is_constructor(&mut self, value: ast::ExprId, constructor: &ast::Ident, span: Span) -> ExprId {
        let value = self.expr(value);
        let found = self.datatype_of(value, "is-constructor").and_then(|(ctor, _)| {
            let index = self.out.ctor(ctor).constructors.iter().position(|c| c.name == constructor.name);
            if index.is_none() {
                let message = format!("datatype {} does not have a constructor with name {}", self.out.ctor(ctor).name, constructor.name);
                self.error(constructor.span, message);
            }
            index.map(|index| (ctor, index as u32))
        });
        let (ctor, index) = found.unwrap_or((CtorId(0), 0));
        self.node(ExprKind::Is { value, ctor, index }, Types::BOOL, span)
    }

    /// The datatype and the type of one of its fields.
    fn field_type(&mut self, value: ExprId, field: &ast::Ident) -> Option<(CtorId, TypeId)> {
        let (ctor, args) = self.datatype_of(value, "field-access")?;
        let entry = self.out.ctor(ctor);
        let found = entry.constructors.iter().flat_map(|c| &c.fields).find(|f| f.name == field.name).map(|f| f.ty);
        let Some(ty) = found else {
            let message = format!("datatype {} does not have a field with name {}", entry.name, field.name);
            self.error(field.span, message);
            return None;
        };
        let params = entry.type_params.clone();
        Some((ctor, self.out.types.substitute(ty, &params, &args)))
    }

    pub(super) fn field(&mut self, value: ExprId, field: &ast::Ident, span: Span) -> ExprId {
        let (ctor, ty) = match self.field_type(value, field) {
            Some(found) => found,
            None => (CtorId(0), self.error_type(span)),
        };
        self.node(ExprKind::Field { value, ctor, field: field.name.clone() }, ty, span)
    }

    pub(super) fn field_update(&mut self, value: ExprId, field: &ast::Ident, to: ExprId, span: Span) -> ExprId {
        let ty = self.out.type_of(value);
        let ctor = match self.field_type(value, field) {
            Some((ctor, expected)) => {
                self.expect_type(to, expected, "the right-hand side of a field update");
                ctor
            }
            None => CtorId(0),
        };
        self.node(ExprKind::FieldUpdate { value, ctor, field: field.name.clone(), to }, ty, span)
    }
}
