//! Checks pruning by brute force (`--audit`): a sample of the pruned states is explored after all, without
//! interpolation and for a limited time. A violation there means that a wrong interpolant hid it: the proof is
//! withdrawn, and the user is asked to report the bug.

use crate::limits::Limits;
use fathom_machine::{Advance, Machine, State};
use std::rc::Rc;

/// Every so many pruned states one is kept; the distance grows with their number.
pub struct Sample {
    limits: Rc<Limits>,
    states: Vec<Rc<State>>,
    seen: u64,
}

impl Sample {
    /// An empty sample.
    pub fn new(limits: Rc<Limits>) -> Self {
        Sample { limits, states: Vec::new(), seen: 0 }
    }

    /// Offers a pruned state to the sample.
    pub fn offer(&mut self, state: &State) {
        self.seen += 1;
        if self.states.len() < self.limits.audited {
            self.states.push(Rc::new(state.clone()));
        } else if self.seen.is_power_of_two() || self.seen.is_multiple_of(97) {
            let at = (self.seen / 97) as usize % self.limits.audited;
            self.states[at] = Rc::new(state.clone());
        }
    }

    /// How many states were looked at; an error says what went wrong at one of them.
    pub fn audit(&self, machine: &mut Machine) -> Result<u64, String> {
        machine.stop_logging();
        for state in &self.states {
            if machine.budget.exhausted().is_some() {
                break;
            }
            follow(machine, state, &self.limits)?;
        }
        Ok(self.states.len() as u64)
    }
}

fn follow(machine: &mut Machine, state: &State, limits: &Limits) -> Result<(), String> {
    let mut open = vec![state.clone()];
    let mut left = limits.audit_statements;
    let mut states = 0;
    while let Some(mut state) = open.pop() {
        let before = state.search.steps;
        let advance = machine.advance(&mut state, left.min(20_000));
        left = left.saturating_sub(state.search.steps - before + 1);
        machine.found.cuts.clear();
        if let Some(trace) = machine.found.violations.pop() {
            return Err(format!("a state that an interpolant covered violates {}: {}", trace.violation.property, trace.violation.message));
        }
        states += machine.forked.len();
        open.append(&mut machine.forked);
        if !matches!(advance, Advance::Ended(_)) {
            open.push(state);
        }
        if left == 0 || states > limits.audit_states || machine.budget.exhausted().is_some() {
            return Ok(());
        }
    }
    Ok(())
}
