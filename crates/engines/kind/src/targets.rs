//! bkind (Algorithms 4.5 and 4.6): the state in which a counterexample of the inductive step begins becomes a target of
//! the base case. When a state of the base case at that loop head can equal the target, a copy of it, constrained to
//! the target, continues for as many iterations as the counterexample has. The target is only a hint where to search: a
//! violation that the copy finds is one of the program from its start, and is replayed like any other.

use crate::limits::Limits;
use fathom_machine::{AbstractFailure, Machine, Spot, State};
use fathom_smt::Validity;
use fathom_term::Term;
use fathom_unroll::Director;

struct Target {
    proc: u32,
    head: u32,
    /// Variables and cells, and the constants that they have, in the terms that all walks share.
    values: Vec<(Spot, Term)>,
}

/// States in which counterexamples of the inductive step start: the base case is let go towards them.
#[derive(Default)]
pub struct Targets {
    targets: Vec<Target>,
    /// Copies that were let go.
    pub hits: u64,
    /// Iterations that the newest counterexample has.
    pub k: u64,
}

impl Targets {
    /// The start of a counterexample, as far as it is made of numbers.
    pub fn add(&mut self, machine: &Machine, failure: &AbstractFailure, k: u64, limits: &Limits) {
        self.k = k;
        let store = &machine.store;
        let number = |&(spot, term): &(Spot, Term)| {
            // Only those that name the same thing in every walk.
            let is_named = !matches!(spot, Spot::Cell { object, .. } if machine.program_object(object).is_none());
            let value = failure.model.eval(store, term).filter(|_| is_named)?;
            let sort = store.sort(term);
            sort.is_small().then(|| (spot, store.constant(&value, sort)))
        };
        let start = &failure.start;
        if start.values.len() > limits.target_values {
            return;
        }
        let values: Vec<(Spot, Term)> = start.values.iter().filter_map(number).collect();
        if values.len() < start.values.len() || values.is_empty() {
            return;
        }
        if self.targets.iter().all(|known| known.values != values) {
            self.targets.push(Target { proc: start.proc, head: start.head, values });
        }
        if self.targets.len() > limits.targets {
            self.targets.remove(0);
        }
    }

    /// A copy of the state that is one of the targets, if it can be.
    pub fn hit(&mut self, machine: &mut Machine, state: &State) -> Option<State> {
        let frame = state.frame();
        let location = (frame.proc, frame.block);
        for target in self.targets.iter().filter(|target| (target.proc, target.head) == location) {
            let Some(condition) = condition(machine, state, target) else { continue };
            let opposite = machine.store.not(condition);
            if !matches!(machine.holds_in(state, opposite), Validity::Fails(_)) {
                continue;
            }
            let mut copy = state.clone();
            if let Ok(true) = machine.restrict(&mut copy, condition) {
                self.hits += 1;
                return Some(copy);
            }
        }
        None
    }
}

fn condition(machine: &mut Machine, state: &State, target: &Target) -> Option<Term> {
    let store = machine.store.clone();
    let mut equal = Vec::new();
    for &(spot, value) in &target.values {
        let here = machine.value_at(state, spot)?;
        if store.sort(here) != store.sort(value) {
            return None;
        }
        let same = store.eq(here, value);
        equal.push(machine.book.ground(same));
    }
    Some(store.and_all(equal))
}

impl Director for Targets {
    fn arrive(&mut self, _: &mut Machine, state: State, on: &mut Vec<State>) {
        on.push(state);
    }
}
