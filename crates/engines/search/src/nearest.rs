//! States near new code first. States at the same location with the same callers have the same distance to new code, so
//! they wait as one group, and the nearest group is found quickly even among many states. Groups that were picked often
//! since coverage last grew come later: new code that looks near may be behind a condition that never holds. From a
//! group, the newest state and a random one are taken in turn: the newest is the deepest in a loop, the others came
//! along other paths.

use crate::limits::Limits;
use fathom_base::FxMap;
use fathom_machine::{Machine, State};
use std::collections::BTreeMap;

/// States in groups by where they are, with each group's distance to code that no path has reached.
pub struct Nearest {
    limits: Limits,
    groups: BTreeMap<u64, Group>,
    distances: Vec<u32>,
    to_return: Vec<u32>,
    picks: u64,
    computed_at: u64,
    covered_then: (usize, u64),
}

#[derive(Default)]
struct Group {
    ids: Vec<u64>,
    /// To new code; none if it is not known yet.
    distance: Option<u32>,
    tried: u32,
}

impl Nearest {
    /// Without states.
    pub fn new(limits: &Limits) -> Self {
        Nearest {
            limits: limits.clone(),
            groups: BTreeMap::new(),
            distances: Vec::new(),
            to_return: Vec::new(),
            picks: 0,
            computed_at: 0,
            covered_then: (0, 0),
        }
    }

    /// Adds a state that waits.
    pub fn add(&mut self, id: u64, state: &State) {
        self.groups.entry(state.context()).or_default().ids.push(id);
    }

    /// Drops all states.
    pub fn clear(&mut self) {
        self.groups.clear();
    }

    /// Takes an id out of the nearest group that has a waiting state.
    pub fn next(&mut self, machine: &Machine, states: &FxMap<u64, State>, random: &mut fastrand::Rng) -> Option<u64> {
        self.picks += 1;
        self.refresh(machine);
        loop {
            let mut best: Option<(u32, &mut Group)> = None;
            for group in self.groups.values_mut().filter(|group| !group.ids.is_empty()) {
                if group.distance.is_none() {
                    let state = group.ids.iter().rev().find_map(|id| states.get(id));
                    group.distance = state.map(|state| machine.distance_to_uncovered(state, &self.distances, &self.to_return));
                }
                let score = group.distance.unwrap_or(0).saturating_add(group.tried / self.limits.patience);
                if best.as_ref().is_none_or(|(known, _)| score < *known) {
                    best = Some((score, group));
                }
            }
            let (_, group) = best?;
            group.tried += 1;
            let newest = self.picks.is_multiple_of(2);
            while !group.ids.is_empty() {
                let at = if newest { group.ids.len() - 1 } else { random.usize(..group.ids.len()) };
                let id = group.ids.swap_remove(at);
                if states.contains_key(&id) {
                    return Some(id);
                }
            }
        }
    }

    /// Ids whose state was taken elsewhere.
    pub fn drop_stale(&mut self, states: &FxMap<u64, State>) {
        let waiting: usize = self.groups.values().map(|group| group.ids.len()).sum();
        if waiting > 4 * states.len() + 1024 {
            self.groups.values_mut().for_each(|group| group.ids.retain(|id| states.contains_key(id)));
        }
        if self.groups.len() > self.limits.empty_locations {
            self.groups.retain(|_, group| !group.ids.is_empty());
        }
    }

    fn refresh(&mut self, machine: &Machine) {
        let covered = machine.covered_parts();
        let fresh = covered == self.covered_then || self.picks < self.computed_at + self.limits.distance_age;
        if fresh && !self.distances.is_empty() {
            return;
        }
        self.covered_then = covered;
        self.computed_at = self.picks;
        self.distances = machine.distances_to_uncovered();
        if self.to_return.is_empty() {
            self.to_return = machine.distances_to_return();
        }
        for group in self.groups.values_mut() {
            group.distance = None;
            group.tried = 0;
        }
    }
}
