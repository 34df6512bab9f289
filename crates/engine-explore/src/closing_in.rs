//! States that come nearer to the other side of a branch. Coverage and solvers do not see that a counter grows towards the
//! limit that a branch compares it with: both are numbers, and every state takes the same side. So the state whose numbers
//! were nearest, and those that fork from it, are taken in turns for every such branch, as in search-based testing; one that
//! comes nearer still takes the others' place.

use crate::random::Random;
use fathom_base::FxMap;
use fathom_semantics::{Machine, State};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct ClosingIn {
    /// By branch and gap.
    branches: BTreeMap<u32, BTreeMap<u64, Vec<u64>>>,
    /// The branch whose turn was last.
    last: u32,
}

impl ClosingIn {
    pub fn add(&mut self, id: u64, state: &State) {
        if let Some((branch, gap)) = state.nearest_miss {
            self.branches.entry(branch).or_default().entry(gap).or_default().push(id);
        }
    }

    pub fn clear(&mut self) {
        self.branches.clear();
    }

    /// A state of the next branch that still has a side to it.
    pub fn next(&mut self, machine: &Machine, states: &FxMap<u64, State>, random: &mut Random) -> Option<u64> {
        self.branches.retain(|branch, gaps| machine.is_half_taken(*branch) && !gaps.is_empty());
        for _ in 0..self.branches.len() {
            let branch = self.branches.range(self.last + 1..).next().or_else(|| self.branches.iter().next()).map(|(at, _)| *at)?;
            self.last = branch;
            let gaps = self.branches.get_mut(&branch)?;
            while let Some(mut nearest) = gaps.first_entry() {
                let ids = nearest.get_mut();
                while !ids.is_empty() {
                    let id = ids.swap_remove(random.below(ids.len()));
                    if states.contains_key(&id) {
                        return Some(id);
                    }
                }
                nearest.remove();
            }
        }
        None
    }

    /// Ids whose state was taken elsewhere.
    pub fn drop_stale(&mut self, states: &FxMap<u64, State>) {
        for gaps in self.branches.values_mut() {
            gaps.values_mut().for_each(|ids| ids.retain(|id| states.contains_key(id)));
            gaps.retain(|_, ids| !ids.is_empty());
        }
    }
}
