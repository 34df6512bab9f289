//! Quantifiers, lambdas and triggers.

use super::Checker;
use crate::ast;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;

impl Checker<'_> {
    fn enter_binder(&mut self, binder: &ast::Binder, span: Span) -> (Vec<TypeVarId>, Vec<VarId>, Vec<Attribute>) {
        if self.in_trigger {
            self.error(span, "quantifiers are not allowed in triggers");
        }
        let type_params = self.enter_type_params(&binder.type_params);
        self.scopes.push(Default::default());
        let vars: Vec<VarId> = binder.vars.iter().map(|decl| self.declare_var(decl, VarKind::Bound)).collect();
        for (decl, var) in binder.vars.iter().zip(&vars) {
            self.out.vars[var.index()].attributes = self.attributes(&decl.attributes);
        }
        (type_params, vars, self.attributes(&binder.attributes))
    }

    fn leave_binder(&mut self, type_params: &[TypeVarId]) {
        self.scopes.pop();
        self.leave_type_params(type_params.len());
    }

    pub(super) fn quantifier(
        &mut self,
        forall: bool,
        binder: &ast::Binder,
        triggers: &[ast::Trigger],
        body: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let (type_params, vars, attributes) = self.enter_binder(binder, span);
        let unmentioned = self.unmentioned(&type_params, &vars);
        let triggers = triggers.iter().map(|trigger| self.trigger(trigger, &vars, &unmentioned)).collect();
        let body = self.expr(body);
        self.expect_type(body, Types::BOOL, "the body of a quantifier");
        self.leave_binder(&type_params);
        self.node(ExprKind::Quantifier { forall, type_params, vars, triggers, attributes, body }, Types::BOOL, span)
    }

    /// Type parameters that the types of the variables don't determine.
    fn unmentioned(&mut self, type_params: &[TypeVarId], vars: &[VarId]) -> Vec<TypeVarId> {
        let types: Vec<TypeId> = vars.iter().map(|var| self.out.var(*var).ty).collect();
        let mut left = type_params.to_vec();
        left.retain(|var| !types.iter().any(|ty| self.out.types.variables(*ty).contains(var)));
        left
    }

    fn trigger(&mut self, trigger: &ast::Trigger, vars: &[VarId], type_vars: &[TypeVarId]) -> Trigger {
        let errors = self.diagnostics.len();
        let start = self.out.exprs.len();
        let outer = std::mem::replace(&mut self.in_trigger, true);
        let terms = self.exprs(&trigger.terms);
        self.in_trigger = outer;
        for term in &terms {
            if let ExprKind::Var(var) = self.out.expr(*term).kind {
                let message = format!("a matching pattern must be more than just a variable by itself: {}", self.out.var(var).name);
                self.error(self.out.expr(*term).span, message);
            }
        }
        // Only expressions of this trigger were built since `start`.
        let used: fathom_base::FxSet<VarId> =
            self.out.exprs[start..].iter().filter_map(|expr| if let ExprKind::Var(var) = expr.kind { Some(var) } else { None }).collect();
        if trigger.positive && self.diagnostics.len() == errors {
            for var in vars.iter().filter(|var| !used.contains(var)) {
                let message = format!("trigger must mention all quantified variables, but does not mention: {}", self.out.var(*var).name);
                self.error(trigger.span, message);
            }
        }
        if trigger.positive && !type_vars.is_empty() {
            let types: Vec<TypeId> = self.out.exprs[start..].iter().map(|expr| expr.ty).collect();
            let types: Vec<TypeId> = types.into_iter().map(|ty| self.solved(ty)).collect();
            for var in type_vars {
                if !types.iter().any(|ty| self.out.types.variables(*ty).contains(var)) {
                    let message = format!(
                        "trigger does not mention {}, which does not occur in variables types either",
                        self.out.type_vars[var.index()]
                    );
                    self.error(trigger.span, message);
                }
            }
        }
        Trigger { positive: trigger.positive, terms }
    }

    pub(super) fn lambda(&mut self, binder: &ast::Binder, body: ast::ExprId, span: Span) -> ExprId {
        let (type_params, vars, _) = self.enter_binder(binder, span);
        let body = self.expr(body);
        self.leave_binder(&type_params);
        let args: Vec<TypeId> = vars.iter().map(|var| self.out.var(*var).ty).collect();
        for (var, name) in type_params.iter().zip(&binder.type_params) {
            if !args.iter().any(|ty| self.out.types.variables(*ty).contains(var)) {
                self.error(name.span, format!("the type variable {} does not occur in types of the lambda parameters", name.name));
            }
        }
        let result = self.solved(self.out.type_of(body));
        let ty = self.out.types.close_map(&type_params, args, result);
        self.node(ExprKind::Lambda { type_params, vars, body }, ty, span)
    }
}
