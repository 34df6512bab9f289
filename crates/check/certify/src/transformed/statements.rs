//! Decides whether a statement of the transformed program may replace one of the original: it must be the same, or have
//! more possible outcomes and change nothing else.

use super::effects::Effects;
use fathom_ir::{AllocKind, Callee, StatementKind};
use fathom_term::{Term, TermStore, VarId};

/// Sizes from which on a heap allocation may give null, as the machine has it when the address space is nearly full; the
/// machine's own limits are about twice as large.
const MAY_FAIL_ABOVE_64: u64 = 1 << 34;
const MAY_FAIL_ABOVE_32: u64 = 1 << 19;

impl Effects<'_> {
    /// Whether every outcome of the original's statement is one of the other, as far as it is tracked.
    pub fn allows(&self, original: &StatementKind, other: &StatementKind) -> bool {
        use StatementKind as S;
        match (original, other) {
            (S::Assign(all), S::Assign(kept)) => {
                kept.iter().all(|pair| all.contains(pair)) && all.iter().all(|pair| kept.contains(pair) || !self.tracked.variable(pair.0))
            }
            (S::EndScope { variable }, S::Assign(pairs)) => match pairs[..] {
                [(target, value)] => {
                    let store = &self.program.terms;
                    target == *variable && value == null(store, target) && !self.tracked.object(target)
                }
                _ => false,
            },
            (S::Havoc { .. }, S::Havoc { .. }) if original == other => true,
            (_, S::Havoc { vars, .. }) => self.becomes_arbitrary(original, vars),
            // What the other program reads must be what it wrote.
            (S::Load { pointer, .. } | S::Store { pointer, .. }, _) => {
                original == other && self.exact.base(&self.program.terms, *pointer).is_some()
            }
            (S::Call { targets, callee: Callee::Indirect(pointer), args }, S::Call { callee: Callee::Direct(callee), .. }) => {
                let called = S::Call { targets: targets.clone(), callee: Callee::Direct(*callee), args: args.clone() };
                self.callables.at(*pointer) == Some(*callee) && called == *other
            }
            (S::Call { callee: Callee::Direct(_), .. }, _) => original == other,
            (S::Assume(_) | S::Assert { .. } | S::Alloc { .. } | S::EndScope { .. } | S::Watch(_) | S::Unsupported(_), _) => {
                original == other
            }
            // There is one thread only.
            (S::Thread(_), _) => original == other,
            _ => false,
        }
    }

    /// Whether all that a statement does is to change these variables, and ones that are not tracked.
    fn becomes_arbitrary(&self, original: &StatementKind, vars: &[VarId]) -> bool {
        let free = vars.iter().copied().collect();
        original.targets().iter().any(|target| vars.contains(target)) && self.is_silent(original, &free)
    }

    /// What holds after an allocation whose target the other program havocs.
    pub fn known_behind(&self, original: &StatementKind) -> Option<Term> {
        let StatementKind::Alloc { target, size, kind, .. } = original else { return None };
        let store = &self.program.terms;
        let width = store.var_sort(*target).width();
        let above = if width >= 64 { MAY_FAIL_ABOVE_64 } else { MAY_FAIL_ABOVE_32 };
        let may_fail = match kind {
            AllocKind::Stack => store.bool(false),
            AllocKind::Heap => store.bv_ult(store.bv(above, width), *size),
        };
        let mut mentions = false;
        super::exact::visit_variables(store, *size, &mut Default::default(), &mut |variable| mentions |= variable == *target);
        (!mentions).then(|| store.or(may_fail, store.ne(store.var_term(*target), null(store, *target))))
    }
}

fn null(store: &TermStore, pointer: VarId) -> Term {
    store.bv(0, store.var_sort(pointer).width())
}
