//! Joining states while they are explored (`--merge`): the way from path-by-path execution towards bounded model checking.
//!
//! A state that forks becomes a *group*: the states of one loop-free region, walked in topological order and joined
//! where they meet, as `unroll` does it for the whole program. A state that enters, repeats or leaves a loop leaves the
//! group. When the region is empty, states that left it at the same position are joined and go to the frontier, where
//! the searcher chooses among them as usual. With `all`, a state that enters the frontier is also joined with one that
//! waits at the same position.
//!
//! States are compared with earlier ones at loop heads; a state that was compared is one that others rely on to be
//! followed. So it is not joined with one that was not: the result could equal the state that it was made of, and end.

use crate::config::Searcher;
use crate::explorer::Explorer;
use crate::search::Search;
use fathom_engine::Task;
use fathom_ir::Property;
use fathom_machine::{Machine, State, Unwinding};
use fathom_unroll::{Merging, Position, join};
use std::collections::BTreeMap;

pub(crate) struct Group {
    /// With how many others a state is tried to be joined.
    attempts: usize,
    region: u64,
    waiting: BTreeMap<Position, Vec<State>>,
    /// At the first position, and not to be joined.
    twins: Vec<State>,
    /// Came out of the region.
    left: BTreeMap<Position, Vec<State>>,
    pub merged: u64,
    pub apart: u64,
}

/// What the machine needs to tell regions and iterations apart.
pub(crate) fn without_bounds() -> Unwinding {
    Unwinding { bound: u64::MAX, calls: u64::MAX, ..Unwinding::default() }
}

fn may_join(one: &State, two: &State) -> bool {
    one.comparison.at_loop_head == two.comparison.at_loop_head
}

impl Group {
    /// Without states; so many joins are tried at one position.
    pub fn new(attempts: usize) -> Self {
        let (waiting, left) = (BTreeMap::new(), BTreeMap::new());
        Group { attempts, region: 0, waiting, twins: Vec::new(), left, merged: 0, apart: 0 }
    }

    /// Whether no state is in it.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.twins.is_empty() && self.left.is_empty()
    }

    /// A state without company passes joins without a stop.
    pub fn prepare(&self, machine: &mut Machine) {
        machine.pause_at_joins(!self.is_empty());
    }

    /// Takes in the states of a fork, or one that came to a join.
    pub fn take(&mut self, machine: &Machine, states: Vec<State>) {
        if self.is_empty() {
            self.region = states.iter().map(|state| state.joins.region).min().unwrap_or(0);
        }
        for state in states {
            let position = Position::of(machine, &state);
            let side = if state.joins.region == self.region { &mut self.waiting } else { &mut self.left };
            side.entry(position).or_default().push(state);
        }
    }

    /// The next state inside the region.
    pub fn next(&mut self, machine: &mut Machine) -> Option<State> {
        if self.twins.is_empty() {
            let (_, group) = self.waiting.pop_first()?;
            self.twins = self.joined(machine, group);
        }
        self.twins.pop()
    }

    /// Ends the group: its states, the first in the order of the program last. Nothing is left behind.
    pub fn dissolve(&mut self, machine: &mut Machine) -> Vec<State> {
        let mut positions = std::mem::take(&mut self.left);
        for (position, states) in std::mem::take(&mut self.waiting) {
            positions.entry(position).or_default().extend(states);
        }
        let mut all = std::mem::take(&mut self.twins);
        for (_, states) in positions.into_iter().rev() {
            all.extend(self.joined(machine, states));
        }
        all
    }

    /// The states after those were joined that can be.
    pub fn joined(&mut self, machine: &mut Machine, states: Vec<State>) -> Vec<State> {
        let joined = join(machine, states, self.attempts, may_join);
        self.merged += joined.merged;
        self.apart += joined.apart;
        joined.states
    }
}

/// Where states wait in the frontier, for `--merge all`.
#[derive(Default)]
pub(crate) struct StatesAt(BTreeMap<Position, Vec<u64>>);

impl StatesAt {
    /// Notes that a state waits at a position.
    pub fn note(&mut self, position: Position, id: u64) {
        self.0.entry(position).or_default().push(id);
    }

    /// The newest few that were noted at the position; some may be gone.
    pub fn take(&mut self, position: &Position, most: usize) -> Vec<u64> {
        let Some(ids) = self.0.get_mut(position) else { return Vec::new() };
        let newest = ids.split_off(ids.len().saturating_sub(most));
        if ids.is_empty() {
            self.0.remove(position);
        }
        newest
    }
}

impl Explorer {
    /// Runs without end, threads and tests are about single paths: there, states are not joined.
    pub(crate) fn merges(&self, task: &Task) -> bool {
        let about_paths = self.listener.is_some() || task.properties.contains(&Property::Termination) || task.program.uses_threads();
        self.config.merging != Merging::None && !about_paths
    }
}

impl Search<'_> {
    /// The next state inside the region; without one the group ends.
    pub(crate) fn next_of_group(&mut self) -> Option<State> {
        let group = self.group.as_mut()?;
        let next = group.next(&mut self.machine);
        (self.tally.merged, self.tally.apart) = (group.merged, group.apart);
        if next.is_none() {
            self.end_group(None);
        }
        next
    }

    /// Puts the states of the group, and one that was running, into the frontier.
    pub(crate) fn end_group(&mut self, running: Option<State>) {
        let Some(mut group) = self.group.take() else { return };
        let mut states = group.dissolve(&mut self.machine);
        states.extend(running);
        if self.explorer.config.searcher == Searcher::LoopEscape {
            states.sort_by_key(|state| std::cmp::Reverse(self.machine.loop_depth(state)));
        }
        for state in states {
            let position = (self.explorer.config.merging == Merging::All).then(|| Position::of(&self.machine, &state));
            let mut here = position.as_ref().map_or_else(Vec::new, |position| self.frontier.take_at(position));
            here.push(state);
            for state in group.joined(&mut self.machine, here) {
                self.add(state);
                if let Some(position) = &position {
                    self.frontier.note_newest_at(position.clone());
                }
            }
        }
        (self.tally.merged, self.tally.apart) = (group.merged, group.apart);
        self.group = Some(group);
    }
}
