//! Code expressions `|{ locals blocks }|`: a truth value, which is that every execution of the blocks returns true. `return e`
//! is therefore kept as an assertion of `e` followed by a return.

use super::Checker;
use crate::ast;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use std::rc::Rc;

impl Checker<'_> {
    pub(super) fn code(&mut self, body: &ast::Body, span: Span) -> ExprId {
        // Its expressions are problems of type inference of their own, inside another one.
        let around = std::mem::take(&mut self.infer);
        let (was_code, was_trigger) = (self.in_code, std::mem::replace(&mut self.in_trigger, false));
        self.scopes.push(Default::default());
        let locals: Vec<VarId> = body.locals.iter().map(|local| self.declare_var(local, VarKind::Local)).collect();
        for (local, var) in body.locals.iter().zip(&locals) {
            self.check_where(local, *var);
        }
        self.in_code = true;
        let blocks = self.check_body(body);
        (self.in_code, self.in_trigger) = (was_code, was_trigger);
        self.scopes.pop();
        self.infer = around;
        self.node(ExprKind::Code(Rc::new(Code { locals, blocks })), Types::BOOL, span)
    }

    /// `return e` as an assertion.
    pub(super) fn returned(&mut self, value: ast::ExprId, span: Span) -> Option<Stmt> {
        if !self.in_code {
            self.error(span, "only a block of a code expression returns a value");
            return None;
        }
        let condition = self.condition(value, "what a code expression returns");
        Some(Stmt { kind: StmtKind::Assert(AssertKind::Assert, condition), attributes: Vec::new(), span })
    }
}
