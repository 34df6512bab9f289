//! Less traveled paths first: of all waiting states, one whose last few decisions were picked least often. Near new
//! code there may be many states that all came along the same path; this order prefers those that came along other
//! paths, wherever they are (Li, Su, Wang, Li: Steering symbolic execution to less traveled paths, OOPSLA 2013).

use fathom_base::FxMap;
use fathom_machine::State;
use std::collections::BTreeSet;

/// States in groups by their last few decisions, the group that was picked least first.
pub struct Subpaths {
    /// How many decisions count.
    length: usize,
    groups: FxMap<u64, Group>,
    /// Groups with states, by how often they were picked.
    order: BTreeSet<(u32, u64)>,
}

#[derive(Default)]
struct Group {
    ids: Vec<u64>,
    picked: u32,
}

impl Subpaths {
    /// Without states; so many decisions count.
    pub fn new(length: usize) -> Self {
        Subpaths { length, groups: FxMap::default(), order: BTreeSet::new() }
    }

    /// Adds a state that waits.
    pub fn add(&mut self, id: u64, state: &State) {
        let key = state.subpath(self.length);
        let group = self.groups.entry(key).or_default();
        group.ids.push(id);
        self.order.insert((group.picked, key));
    }

    /// Takes a state out of the group that was picked least.
    pub fn next(&mut self, states: &FxMap<u64, State>, random: &mut fastrand::Rng) -> Option<u64> {
        while let Some((picked, key)) = self.order.pop_first() {
            let Some(group) = self.groups.get_mut(&key) else { continue };
            let mut found = None;
            while found.is_none() && !group.ids.is_empty() {
                let id = group.ids.swap_remove(random.usize(..group.ids.len()));
                found = states.contains_key(&id).then_some(id);
            }
            group.picked = picked + u32::from(found.is_some());
            if !group.ids.is_empty() {
                self.order.insert((group.picked, key));
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Ids whose state was taken elsewhere.
    pub fn drop_stale(&mut self, states: &FxMap<u64, State>) {
        self.groups.values_mut().for_each(|group| group.ids.retain(|id| states.contains_key(id)));
    }

    /// Drops all states; how often groups were picked stays.
    pub fn clear(&mut self) {
        self.groups.values_mut().for_each(|group| group.ids.clear());
        self.order.clear();
    }
}
