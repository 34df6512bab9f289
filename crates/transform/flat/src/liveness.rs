//! Which local variables of a procedure may be read before they are written: those start arbitrary at every call.

use fathom_base::FxSet;
use fathom_flow::{BodyAccesses, live_at_entry};
use fathom_ir::Procedure;
use fathom_term::{Term, TermStore, VarId, VarSets};

/// In the order of their declaration; parameters are written by the call.
pub(crate) fn read_before_written(store: &TermStore, sets: &VarSets, procedure: &Procedure) -> Vec<VarId> {
    let Some(body) = &procedure.body else { return Vec::new() };
    let variables = |term: Term, access: &mut dyn FnMut(VarId)| sets.vars(store, term).into_iter().for_each(access);
    let live = live_at_entry(&BodyAccesses { body, results: &procedure.results, variables }, body.entry.0);
    let live: FxSet<VarId> = live.into_iter().collect();
    let ids = procedure.locals.iter().map(|local| local.id);
    ids.filter(|id| live.contains(id) && !procedure.params.contains(id) && procedure.variadic != Some(*id)).collect()
}
