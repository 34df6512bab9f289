//! Test generation needs many paths that are known to be feasible, quickly (`Machine::only_known_paths`). If no solver
//! answers a query in time, the other side is skipped and counted as cut. The inputs in the condition are fixed to the
//! values of the state's model, as in concolic testing, so that everything the path computes from them later is decided
//! without a solver.

use crate::exec::machine::{Cut, Machine, PathEnd, Step};
use crate::exec::state::State;
use fathom_smt::Why;
use fathom_term::Term;
use fathom_term::smtlib::Symbols;
use std::rc::Rc;

impl Machine {
    /// A question without an answer ends the path.
    pub(crate) fn give_up_if_hurried(&self, why: &Why) -> Step<()> {
        self.give_up_at_the_end(why)?;
        if self.config.only_known_paths { Err(PathEnd::Cut(Cut::Solver(why.to_string()))) } else { Ok(()) }
    }

    /// Whether only inputs that were given values are in a condition.
    pub(crate) fn is_fixed(&self, state: &State, condition: Term) -> bool {
        !state.path.fixed.is_empty() && Symbols::of(&self.store, &[condition]).vars.iter().all(|var| state.path.fixed.contains(var))
    }

    /// No solver could tell whether the other side of a condition is feasible: it is left out.
    pub(crate) fn leave_other_side(&mut self, state: &mut State, condition: Term, why: &Why) {
        self.found.cuts.push(Cut::Solver(why.to_string()));
        self.fix_inputs(state, condition);
    }

    /// Gives the inputs in a hard condition the values that the state's model has for them, so that what follows is easy.
    fn fix_inputs(&mut self, state: &mut State, condition: Term) {
        for var in Symbols::of(&self.store, &[condition]).vars {
            let sort = self.store.var_sort(var);
            if sort.bits().is_some() {
                let value = self.store.constant(&state.path.model.model().get(&self.store, var), sort);
                let fixed = self.store.eq(self.store.var_term(var), value);
                state.path.constraints.push(&self.store, fixed);
                Rc::make_mut(&mut state.path.fixed).insert(var);
            }
        }
    }
}
