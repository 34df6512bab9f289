//! Which declarations an expression speaks of, to tell axioms that matter from those that don't. Functions with bodies
//! and built-in ones mean what their bodies mean. Types count where a quantifier ranges over them: an axiom may bound how
//! many values an uninterpreted type has.

use super::Lowerer;
use super::expr::children;
use crate::typed::{CtorId, ExprId, ExprKind, FunctionId, Type, TypeId, VarId, VarKind};
use crate::types::Types;
use fathom_base::FxSet;

/// What translated code has mentioned.
#[derive(Clone, Default)]
pub(super) struct Used {
    /// Constants and globals.
    pub vars: FxSet<VarId>,
    /// Uninterpreted functions.
    pub functions: FxSet<FunctionId>,
    /// Uninterpreted types.
    pub ctors: FxSet<CtorId>,
}

impl Used {
    /// Whether nothing is used.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty() && self.functions.is_empty() && self.ctors.is_empty()
    }

    /// Whether both use something.
    pub fn meets(&self, other: &Used) -> bool {
        !self.vars.is_disjoint(&other.vars) || !self.functions.is_disjoint(&other.functions) || !self.ctors.is_disjoint(&other.ctors)
    }
}

impl Lowerer<'_> {
    pub(super) fn symbols(&self, root: ExprId) -> Used {
        let typed = self.typed;
        let mut used = Used::default();
        let mut seen = FxSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = &typed.expr(id).kind;
            open.extend(children(kind));
            match kind {
                ExprKind::Var(var) if matches!(typed.var(*var).kind, VarKind::Constant { .. } | VarKind::Global) => {
                    used.vars.insert(*var);
                }
                ExprKind::Call { function, .. } => match (self.inlined_body(*function), &typed.function(*function).builtin) {
                    (Some(body), _) => open.push(body),
                    (None, Some(_)) => {}
                    (None, None) => {
                        used.functions.insert(*function);
                    }
                },
                ExprKind::Quantifier { vars, .. } | ExprKind::Lambda { vars, .. } => {
                    for &var in vars {
                        add_ctors(&typed.types, typed.var(var).ty, &mut used.ctors);
                    }
                }
                _ => {}
            }
        }
        used
    }
}

/// Adds the uninterpreted types that a type is made of.
pub(super) fn add_ctors(types: &Types, ty: TypeId, into: &mut FxSet<CtorId>) {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match types.get(ty) {
            Type::Ctor { ctor, args } => {
                into.insert(*ctor);
                open.extend(args);
            }
            Type::Map { args, result, .. } => open.extend(args.iter().chain([result])),
            _ => {}
        }
    }
}
