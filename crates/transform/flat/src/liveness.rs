//! Which local variables of a procedure may be read before they are written: those start arbitrary at every call.

use fathom_base::FxSet;
use fathom_ir::{Procedure, StatementKind, TerminatorKind};
use fathom_smt::VarSets;
use fathom_term::{TermStore, VarId};

/// In the order of their declaration; parameters are written by the call.
pub(crate) fn read_before_written(store: &TermStore, sets: &VarSets, procedure: &Procedure) -> Vec<VarId> {
    let Some(body) = &procedure.body else { return Vec::new() };
    let locals: FxSet<VarId> = procedure.locals.iter().map(|local| local.id).collect();
    let mut needed: Vec<FxSet<VarId>> = vec![FxSet::default(); body.blocks.len()];
    loop {
        let mut changed = false;
        for (at, block) in body.blocks.iter().enumerate().rev() {
            let successors = block.terminator.kind.successors();
            let mut live: FxSet<VarId> = successors.iter().flat_map(|next| needed[next.0 as usize].iter().copied()).collect();
            let read = |live: &mut FxSet<VarId>, term| {
                live.extend(sets.vars(store, term).into_iter().filter(|var| locals.contains(var)));
            };
            if let TerminatorKind::Return = block.terminator.kind {
                live.extend(&procedure.results);
            }
            block.terminator.kind.for_each_term(&mut |term| read(&mut live, term));
            for statement in block.statements.iter().rev() {
                for target in statement.kind.targets() {
                    live.remove(&target);
                }
                if !matches!(statement.kind, StatementKind::Watch(_)) {
                    statement.kind.for_each_term(&mut |term| read(&mut live, term));
                }
            }
            if live.len() > needed[at].len() {
                needed[at] = live;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let live = &needed[body.entry.0 as usize];
    let ids = procedure.locals.iter().map(|local| local.id);
    ids.filter(|id| live.contains(id) && !procedure.params.contains(id) && procedure.variadic != Some(*id)).collect()
}
