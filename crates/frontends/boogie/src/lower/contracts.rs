//! The program with calls replaced by contracts, as Boogie itself verifies programs: a call asserts the callee's
//! preconditions, makes arbitrary what it may change and assumes its postconditions; the callee's body is checked on its
//! own, from any state in which its preconditions hold. What holds of the result holds of the program, by induction over
//! the length of executions: whatever a call does, its body was checked from such a state. A failure in the result
//! means nothing, as contracts may be too weak.
//!
//! Calls of procedures that say nothing of what they do, or are marked {:inline}, still run bodies, unless they are
//! recursive.
//!
//! Where clauses are promises about arbitrary values, which assignments may break. So they are not assumed of what a body
//! made; and where a global with one is changed at all, or a `free call` enters a body without its preconditions, there is
//! no such program.

use super::{LowerOptions, Lowerer};
use crate::typed::{self, Attributes, ProcedureId, StmtKind};
use fathom_base::FxSet;
use fathom_ir as ir;
use fathom_term::TermStore;
use std::rc::Rc;

/// None if no call would be replaced, or some can't be.
pub fn lower_by_contracts(
    typed: &typed::Program,
    entries: &[ProcedureId],
    store: Rc<TermStore>,
    options: LowerOptions,
) -> Option<ir::Program> {
    let called = reachable(typed, entries);
    let abstracted: FxSet<ProcedureId> =
        called.iter().copied().filter(|&procedure| has_contract(typed, procedure) || is_recursive(typed, procedure)).collect();
    if abstracted.is_empty() || breaks_promises(typed, entries, &called) {
        return None;
    }
    let mut all: Vec<ProcedureId> = entries.iter().copied().chain(abstracted.iter().copied()).collect();
    all.sort();
    all.dedup();
    let mut lowerer = Lowerer::new(typed, store, options);
    lowerer.abstracted = abstracted;
    Some(lowerer.lowered(&all))
}

/// The procedures with bodies that bodies of these lead to by calls.
pub(super) fn reachable(typed: &typed::Program, from: &[ProcedureId]) -> Vec<ProcedureId> {
    let mut seen = FxSet::default();
    let mut found = Vec::new();
    let mut open = from.to_vec();
    while let Some(procedure) = open.pop() {
        for call in calls(typed, procedure) {
            if !typed.procedure(call.procedure).implementations.is_empty() && seen.insert(call.procedure) {
                found.push(call.procedure);
                open.push(call.procedure);
            }
        }
    }
    found
}

pub(super) fn calls(typed: &typed::Program, procedure: ProcedureId) -> impl Iterator<Item = &typed::Call> {
    let bodies = typed.procedure(procedure).implementations.iter().map(|&index| &typed.implementations[index]);
    bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.stmts).filter_map(|statement| match &statement.kind {
        StmtKind::Call(call) => Some(call),
        _ => None,
    })
}

fn is_recursive(typed: &typed::Program, procedure: ProcedureId) -> bool {
    reachable(typed, &[procedure]).contains(&procedure)
}

fn has_contract(typed: &typed::Program, procedure: ProcedureId) -> bool {
    let declared = typed.procedure(procedure);
    let bodies = declared.implementations.iter().map(|&index| &typed.implementations[index].attributes);
    let inline = std::iter::once(&declared.attributes).chain(bodies).any(|set| set.find("inline").is_some());
    !inline && (!declared.ensures.is_empty() || !declared.requires.is_empty())
}

/// Whether a body may be entered in a state that its check does not cover.
fn breaks_promises(typed: &typed::Program, entries: &[ProcedureId], called: &[ProcedureId]) -> bool {
    entries.iter().chain(called).any(|&procedure| {
        let declared = typed.procedure(procedure);
        let unguarded = |call: &typed::Call| {
            let callee = typed.procedure(call.procedure);
            call.free && !callee.implementations.is_empty() && callee.requires.iter().any(|condition| !condition.free)
        };
        declared.modifies.iter().any(|&global| typed.var(global).where_clause.is_some()) || calls(typed, procedure).any(unguarded)
    })
}
