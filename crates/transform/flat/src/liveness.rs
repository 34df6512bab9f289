//! Live variables. In a procedure: local variables that may be read before they are written, which start arbitrary at
//! every call. In a flat program: at each block or cut point, the variables whose values influence the further path.
//! The operands of a parallel assignment are live only if its target is (`fathom_flow` counts every read).

use crate::program::Flat;
use fathom_base::{FxMap, FxSet};
use fathom_flow::{BodyAccesses, live_at_entry};
use fathom_ir::Procedure;
use fathom_term::{Term, TermStore, VarId, VarSets};
use std::collections::BTreeSet;

/// In the order of their declaration; parameters are written by the call.
pub(crate) fn read_before_written(store: &TermStore, sets: &VarSets, procedure: &Procedure) -> Vec<VarId> {
    let Some(body) = &procedure.body else { return Vec::new() };
    let variables = |term: Term, access: &mut dyn FnMut(VarId)| sets.vars(store, term).into_iter().for_each(access);
    let live = live_at_entry(&BodyAccesses { body, results: &procedure.results, variables }, body.entry.0);
    let live: FxSet<VarId> = live.into_iter().collect();
    let ids = procedure.locals.iter().map(|local| local.id);
    ids.filter(|id| live.contains(id) && !procedure.params.contains(id) && procedure.variadic != Some(*id)).collect()
}

/// A guarded parallel assignment: an edge of a block, or a segment.
pub struct Transition<'a> {
    /// Where it begins.
    pub from: usize,
    /// Where it leads; None where the run or the procedure ends.
    pub to: Option<usize>,
    /// The parts of its condition.
    pub guard: &'a [Term],
    /// New values; the rest keeps its value.
    pub assigns: &'a [(VarId, Term)],
}

impl Flat {
    /// For each place where transitions begin the variables, other than inputs, whose values decide which of them runs take from
    /// there on; `everywhere` are variables that count as such at all places.
    pub fn live(&self, transitions: &[Transition<'_>], everywhere: &BTreeSet<VarId>) -> FxMap<usize, BTreeSet<VarId>> {
        let variables = |term: Term| self.vars(term).into_iter().filter(|&var| self.inputs.ahead(var).is_none());
        let mut live: FxMap<usize, BTreeSet<VarId>> = FxMap::default();
        let mut entering: FxMap<usize, Vec<usize>> = FxMap::default();
        for (number, transition) in transitions.iter().enumerate() {
            let known = live.entry(transition.from).or_insert_with(|| everywhere.clone());
            known.extend(transition.guard.iter().flat_map(|&part| variables(part)));
            transition.to.into_iter().for_each(|to| entering.entry(to).or_default().push(number));
        }
        // From the end, where liveness comes from.
        let mut open: Vec<usize> = (0..transitions.len()).collect();
        let mut is_open = vec![true; transitions.len()];
        while let Some(number) = open.pop() {
            is_open[number] = false;
            let Transition { from, to, assigns, .. } = &transitions[number];
            let mut needed = BTreeSet::new();
            for &var in to.iter().flat_map(|to| live.get(to).unwrap_or(everywhere)) {
                match assigns.iter().find(|(assigned, _)| *assigned == var) {
                    Some(&(_, value)) => needed.extend(variables(value)),
                    None => _ = needed.insert(var),
                }
            }
            let known = live.entry(*from).or_default();
            let count = known.len();
            known.extend(needed);
            if known.len() > count {
                let before = entering.get(from).into_iter().flatten().copied();
                open.extend(before.filter(|&earlier| !std::mem::replace(&mut is_open[earlier], true)));
            }
        }
        live
    }
}
