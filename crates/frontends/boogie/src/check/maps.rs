//! Reading and updating maps. The type parameters of a polymorphic map are unknowns at each access.

use super::Checker;
use crate::ast;
use crate::source::Span;
use crate::typed::*;

/// A map type at one access.
pub(super) struct Opened {
    pub type_args: Vec<TypeId>,
    pub args: Vec<TypeId>,
    pub result: TypeId,
}

impl Checker<'_> {
    pub(super) fn select(&mut self, map: ast::ExprId, args: &[ast::ExprId], span: Span) -> ExprId {
        let map = self.expr(map);
        let args = self.exprs(args);
        self.select_typed(map, args, span)
    }

    pub(super) fn select_typed(&mut self, map: ExprId, args: Vec<ExprId>, span: Span) -> ExprId {
        match self.open_map(map, &args, "map select", span) {
            Some(opened) => self.node(ExprKind::Select { map, type_args: opened.type_args, args }, opened.result, span),
            None => {
                let ty = self.error_type(span);
                self.node(ExprKind::Unsupported("an erroneous expression".into()), ty, span)
            }
        }
    }

    pub(super) fn store(&mut self, map: ast::ExprId, args: &[ast::ExprId], value: ast::ExprId, span: Span) -> ExprId {
        let map = self.expr(map);
        let args = self.exprs(args);
        let value = self.expr(value);
        self.store_typed(map, args, value, span)
    }

    pub(super) fn store_typed(&mut self, map: ExprId, args: Vec<ExprId>, value: ExprId, span: Span) -> ExprId {
        let ty = self.out.type_of(map);
        let Some(opened) = self.open_map(map, &args, "map store", span) else {
            return self.node(ExprKind::Unsupported("an erroneous expression".into()), ty, span);
        };
        let found = self.out.type_of(value);
        if !self.unify(found, opened.result) {
            let message =
                format!("right-hand side in map store with wrong type: {} (expected: {})", self.show(found), self.show(opened.result));
            self.error(self.out.expr(value).span, message);
        }
        self.node(ExprKind::Store { map, type_args: opened.type_args, args, value }, ty, span)
    }

    /// The map type of `map`, applied to these arguments; None after an error.
    fn open_map(&mut self, map: ExprId, args: &[ExprId], what: &str, span: Span) -> Option<Opened> {
        let ty = self.out.type_of(map);
        let opened = match self.head_type(ty) {
            Type::Map { type_params, args: formals, result } => {
                let type_args: Vec<TypeId> = (0..type_params).map(|_| self.unknown(span)).collect();
                let formals: Vec<TypeId> = formals.into_iter().map(|formal| self.out.types.open(formal, &type_args)).collect();
                let result = self.out.types.open(result, &type_args);
                Opened { type_args, args: formals, result }
            }
            Type::Infer(_) => {
                // Whatever it is, it is used as a map here: an ordinary one.
                let formals: Vec<TypeId> = args.iter().map(|arg| self.out.type_of(*arg)).collect();
                let result = self.error_type(span);
                let map = self.out.types.map(formals.clone(), result);
                self.unify(ty, map);
                Opened { type_args: Vec::new(), args: formals, result }
            }
            _ => {
                let message = format!("{what} applied to a non-map of type {}", self.show(ty));
                self.error(self.out.expr(map).span, message);
                return None;
            }
        };
        if opened.args.len() != args.len() {
            self.error(span, format!("wrong number of arguments in {what}: {} instead of {}", args.len(), opened.args.len()));
            return None;
        }
        for (at, (formal, arg)) in opened.args.iter().zip(args).enumerate() {
            self.expect_argument(*arg, *formal, at, what);
        }
        Some(opened)
    }
}
