//! The partial order `<:` of old programs: what the order clauses of constants say about it, as axioms. (Leino, This is
//! Boogie 2, section 2.1.) `const c: T extends p, q` makes p and q the only direct parents of c; `complete` makes the
//! constants that name c as a parent its only direct children; two children with a `unique` edge to one parent have no
//! common descendants. Programs without `<:` need none of this.

use super::Checker;
use crate::ast::{self, BinaryOp};
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;

/// A constant with an order clause.
struct Ordered {
    constant: VarId,
    /// Whether the clause lists its parents, and its children.
    has_parents: bool,
    complete: bool,
    parents: Vec<(bool, VarId)>,
}

impl Checker<'_> {
    pub(super) fn add_orders(&mut self) {
        let is_below = |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Binary(BinaryOp::Below, ..));
        if !self.ast.exprs.iter().any(is_below) {
            return;
        }
        let ordered = self.ordered();
        for one in &ordered {
            if one.has_parents {
                self.add_parents(one);
            }
            let children: Vec<VarId> = ordered
                .iter()
                .filter(|other| other.parents.iter().any(|edge| edge.1 == one.constant))
                .map(|other| other.constant)
                .collect();
            if one.complete {
                self.for_all(one.constant, |checker, any, span| {
                    let known = checker.below(any, Operand(one.constant), span);
                    let below = children.iter().map(|&child| (any, Operand(child))).collect();
                    checker.implies_equal_or(known, any, one.constant, below, span)
                });
            }
        }
        for (at, one) in ordered.iter().enumerate() {
            for other in &ordered[..at] {
                let shared = |edge: &&(bool, VarId)| edge.0 && other.parents.contains(edge);
                if one.parents.iter().any(|edge| shared(&edge)) {
                    self.for_all(one.constant, |checker, any, span| {
                        let left = checker.below(any, Operand(one.constant), span);
                        let right = checker.below(any, Operand(other.constant), span);
                        let both = checker.node(ExprKind::Binary(BinaryOp::And, left, right), Types::BOOL, span);
                        checker.node(ExprKind::Unary(ast::UnaryOp::Not, both), Types::BOOL, span)
                    });
                }
            }
        }
    }

    fn ordered(&self) -> Vec<Ordered> {
        let mut all = Vec::new();
        for decl in &self.ast.decls {
            let ast::DeclKind::Const(constants) = &decl.kind else { continue };
            let Some(clause) = &constants.order else { continue };
            let parents = clause.parents.iter().flatten();
            let parents: Vec<(bool, VarId)> =
                parents.filter_map(|(unique, name)| Some((*unique, self.globals.get(&name.name).copied()?))).collect();
            let found = constants.names.iter().filter_map(|name| self.globals.get(&name.name).copied());
            all.extend(found.map(|constant| Ordered {
                constant,
                has_parents: clause.parents.is_some(),
                complete: clause.complete,
                parents: parents.clone(),
            }));
        }
        all
    }

    /// Below its parents, and below nothing that is not one of them, above one of them or the constant itself.
    fn add_parents(&mut self, one: &Ordered) {
        let span = self.out.var(one.constant).span;
        for &(_, parent) in &one.parents {
            let body = self.below(Operand(one.constant), Operand(parent), span);
            self.out.axioms.push(Axiom { body, attributes: Vec::new(), span });
        }
        self.for_all(one.constant, |checker, any, span| {
            let known = checker.below(Operand(one.constant), any, span);
            let above = one.parents.iter().map(|&(_, parent)| (Operand(parent), any)).collect();
            checker.implies_equal_or(known, any, one.constant, above, span)
        });
    }

    /// `known ==> any == constant || a1 <: b1 || ...`
    fn implies_equal_or(&mut self, known: ExprId, any: Operand, constant: VarId, others: Vec<(Operand, Operand)>, span: Span) -> ExprId {
        let (left, right) = (self.operand(any, span), self.operand(Operand(constant), span));
        let mut either = self.node(ExprKind::Binary(BinaryOp::Eq, left, right), Types::BOOL, span);
        for (a, b) in others {
            let other = self.below(a, b, span);
            either = self.node(ExprKind::Binary(BinaryOp::Or, either, other), Types::BOOL, span);
        }
        self.node(ExprKind::Binary(BinaryOp::Implies, known, either), Types::BOOL, span)
    }

    /// An axiom about any value of a constant's type. Its applications of `<:` make good triggers.
    fn for_all(&mut self, like: VarId, body: impl FnOnce(&mut Self, Operand, Span) -> ExprId) {
        let (ty, span) = (self.out.var(like).ty, self.out.var(like).span);
        let any = self.new_var(&ast::Ident { name: "any".into(), span }, ty, VarKind::Bound);
        let body = body(self, Operand(any), span);
        let triggers = Vec::new();
        let kind = ExprKind::Quantifier { forall: true, type_params: Vec::new(), vars: vec![any], triggers, attributes: Vec::new(), body };
        let body = self.node(kind, Types::BOOL, span);
        self.out.axioms.push(Axiom { body, attributes: Vec::new(), span });
    }

    fn operand(&mut self, var: Operand, span: Span) -> ExprId {
        let ty = self.out.var(var.0).ty;
        self.node(ExprKind::Var(var.0), ty, span)
    }

    fn below(&mut self, a: Operand, b: Operand, span: Span) -> ExprId {
        let (a, b) = (self.operand(a, span), self.operand(b, span));
        self.node(ExprKind::Binary(BinaryOp::Below, a, b), Types::BOOL, span)
    }
}

/// A variable as an operand: each use is an expression of its own.
#[derive(Copy, Clone)]
struct Operand(VarId);
