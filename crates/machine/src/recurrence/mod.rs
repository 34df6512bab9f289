//! Non-terminating runs that never return to an earlier state, or only after too many iterations to follow. A
//! *recurrent set* is a set of states at a loop head such that from each of them some run returns to the head in a
//! state of the set (Gupta, Henzinger, Majumdar, Rybalchenko, Xu: *Proving non-termination*, POPL 2008). Here its
//! states agree with the state at some visit of the head, except for what a round changes, which satisfies some
//! conditions; each input that a round reads has a fixed value (an *open* set: some run stays in it, others may leave).
//!
//! The machine itself runs the rounds (`rounds`), so the claim does not depend on a second meaning of statements. The
//! conditions are guessed and corrected (`guesses`); the certifier runs the rounds again, and checks the claim with its
//! own solver.
//!
//! Why there is a non-terminating run: the trace leads to a state in the set, because the interpreter checks that the
//! conditions hold there. From each state in the set, with the given input values, the path condition of some round
//! holds, and that round leads to a state in the set. Rounds that were not followed (they leave the loop, fail, or take
//! too long) are not used in the argument.

mod guesses;
mod rounds;

use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::induction::havoc::Changes;
use crate::replay::interpreter::at_head;
use crate::replay::trace::{Cycle, Trace};
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_smt::{Constraints, Oracle, Verdict};
use fathom_term::{Term, Value};
use rounds::Rounds;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A set of states at a loop head that a run never leaves.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// After how many loop heads the run is in the set.
    pub visit: u64,
    /// In what the states of the set differ.
    pub changes: Changes,
    /// What they have in common besides, over variables of the program and those that stand for memory.
    pub says: Vec<Term>,
    /// The values of inputs in every round, by the order in which they are asked for, and their sort.
    pub inputs: BTreeMap<InputOrder, Value>,
}

/// Which input of a round: how many were asked for before, and its sort.
pub type InputOrder = (u32, String);

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recurs {
    /// No run that stays with the set's inputs ever leaves it.
    Confirmed,
    /// The solver gave up.
    Undecided,
    /// Not so; why.
    Refuted(String),
}

/// Whether a trace leads into the recurrent set that it claims, and whether that is one.
pub fn recurs(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, oracle: Oracle, budget: &Budget) -> Recurs {
    let Some(Cycle::Stays(claim)) = &trace.cycle else { return Recurs::Refuted("no set is claimed".to_string()) };
    let Some((mut machine, state)) = at_head(program, properties, trace, claim.visit, budget) else {
        return Recurs::Refuted("the run does not come to the loop".to_string());
    };
    machine.mode = Mode::Symbolic(Box::new(oracle));
    let mut changes = claim.changes.clone();
    let Some(rounds) = Rounds::of(&mut machine, &state, &mut changes, &claim.inputs) else {
        return Recurs::Refuted("no round was found".to_string());
    };
    if changes.spots != claim.changes.spots || changes.objects != claim.changes.objects {
        return Recurs::Refuted("a round changes more than the set allows".to_string());
    }
    if !machine.is_in_set(&state, claim) {
        return Recurs::Refuted("the run is not in the set".to_string());
    }
    if !claim.says.iter().all(|&fact| rounds.is_about_heads(&machine.store, fact)) {
        return Recurs::Refuted("the set is about something that no state has".to_string());
    }
    match rounds.leaves(&mut machine, &claim.says) {
        Verdict::Unsat => Recurs::Confirmed,
        Verdict::Unknown(_) => Recurs::Undecided,
        Verdict::Sat(_) => Recurs::Refuted("a round leaves the set".to_string()),
    }
}

impl Machine {
    /// Whether a concrete state is in a recurrent set, all of whose states are otherwise like it.
    pub(crate) fn is_in_set(&mut self, state: &State, set: &Recurrence) -> bool {
        if !self.is_covered(state, &set.changes) {
            return false;
        }
        let values: Option<Vec<_>> =
            set.changes.spots.keys().map(|&spot| Some((rounds::name(self, state, spot)?, self.value_at(state, spot)?))).collect();
        let Some(values) = values else { return false };
        let mut here = fathom_term::Substitution::new(values);
        set.says.iter().all(|&fact| {
            let said = here.apply(&self.store, fact);
            self.store.const_bool(said) == Some(true)
        })
    }
}

/// Asks whether a condition has a model, with nothing else known.
fn ask(machine: &mut Machine, condition: Term) -> Verdict {
    let budget = machine.budget.clone();
    match machine.oracle() {
        Some(oracle) => oracle.check(&Constraints::default(), condition, None, &budget),
        None => Verdict::Unsat,
    }
}
