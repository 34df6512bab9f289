//! Prefers states that approach the other side of a branch. Neither coverage nor solvers notice that a counter grows
//! towards the limit with which a branch compares it: both are concrete numbers, and every state takes the same side.
//! So, as in search-based testing, the state whose numbers were closest to taking the other side, and the states that
//! fork from it, are picked for that branch, until a state comes even closer. Branches for which this had no success
//! for a long time yield to the others.

use fathom_base::FxMap;
use fathom_machine::{Machine, State};
use std::collections::BTreeMap;

/// States by the branches that they have come near to taking the other way.
#[derive(Default)]
pub struct ClosingIn {
    branches: BTreeMap<u32, Branch>,
}

#[derive(Default)]
struct Branch {
    /// States with the smallest gap.
    ids: Vec<u64>,
    smallest: Option<u64>,
    /// Picks since the gap last shrank, and how often it did: a counter that came a long way will go on.
    tried: u32,
    shrank: u32,
    /// Both sides were taken.
    is_done: bool,
}

impl ClosingIn {
    /// Adds a state that waits.
    pub fn add(&mut self, id: u64, state: &State) {
        for (&number, &gap) in &*state.search.near_misses {
            let branch = self.branches.entry(number).or_default();
            match branch.smallest {
                _ if branch.is_done => {}
                Some(smallest) if gap > smallest => {}
                Some(smallest) if gap == smallest => branch.ids.push(id),
                _ => {
                    (branch.smallest, branch.tried, branch.ids) = (Some(gap), 0, vec![id]);
                    branch.shrank += 1;
                }
            }
        }
    }

    /// Drops all states; what is known of branches stays.
    pub fn clear(&mut self) {
        self.branches.values_mut().for_each(|branch| branch.ids.clear());
    }

    /// A state for the branch with the freshest success among those that still have a side to take.
    pub fn next(&mut self, machine: &Machine, states: &FxMap<u64, State>, random: &mut fastrand::Rng) -> Option<u64> {
        for (number, branch) in self.branches.iter_mut().filter(|(_, branch)| !branch.is_done) {
            if !machine.is_half_taken(*number) {
                *branch = Branch { is_done: true, ..Branch::default() };
            }
        }
        while let Some(branch) = self.branches.values_mut().filter(|b| !b.ids.is_empty()).min_by_key(|b| b.tried / b.shrank.max(1)) {
            branch.tried += 1;
            while !branch.ids.is_empty() {
                let id = branch.ids.swap_remove(random.usize(..branch.ids.len()));
                if states.contains_key(&id) {
                    return Some(id);
                }
            }
        }
        None
    }

    /// Ids whose state was taken elsewhere.
    pub fn drop_stale(&mut self, states: &FxMap<u64, State>) {
        self.branches.values_mut().for_each(|branch| branch.ids.retain(|id| states.contains_key(id)));
    }
}
