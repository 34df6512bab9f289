//! Finds readable numbers for the inputs of a violation. A solver's model has arbitrary numbers, such as 1073741833 and
//! -2147483630 where one input must be twice the other. So the solver is asked again whether the same path reaches the
//! same violation with small numbers. (Afterwards `replay::minimise` simplifies single inputs without a solver.)

use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::replay::minimise::width_of;
use fathom_ir::Property;
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Term, Value, VarId, mask, sign_extend};
use std::rc::Rc;
use std::time::Duration;

/// How far from zero all inputs may be, the best first.
const BOUNDS: [u64; 3] = [10, 100, 10_000];
/// For one question; a violation is reported whether it is answered or not.
const TIME: Duration = Duration::from_millis(100);
/// With more inputs nobody reads them all.
const MOST_INPUTS: usize = 64;
/// Characters are no numbers.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=64;

impl Machine {
    /// Reports a violation that this model of the path shows; what is `wrong` then is a condition over the path's symbols.
    pub(crate) fn report_readable(&mut self, state: &State, wrong: Term, model: &Rc<Evaluator>, property: Property, message: &str) {
        let loc = self.location(state);
        let is_known = self.found.violations.iter().any(|known| known.violation.property == property && known.violation.loc == loc);
        // Of many paths that violate one condition, people read the first.
        let better = if is_known { None } else { self.with_small_inputs(state, wrong, model) };
        self.report(state, better.as_ref().unwrap_or(model), property, message);
    }

    fn with_small_inputs(&mut self, state: &State, wrong: Term, model: &Rc<Evaluator>) -> Option<Rc<Evaluator>> {
        let constraints = &state.path.constraints;
        if state.abstraction.is_some() || constraints.is_quantified() || constraints.sets().is_quantified(&self.store, wrong) {
            return None;
        }
        let store = self.store.clone();
        let distance = |var: VarId, value: &Value| {
            let (width, &Value::Bits(bits)) = (width_of(&store.var_name(var)).filter(|width| WIDTHS.contains(width))?, value) else {
                return None;
            };
            Some((var, width, sign_extend(bits, width).unsigned_abs()))
        };
        let inputs: Vec<(VarId, u32, u64)> = model.model().values.iter().filter_map(|(&var, value)| distance(var, value)).collect();
        let farthest = inputs.iter().map(|&(_, _, distance)| distance).max()?;
        if !(2..=MOST_INPUTS).contains(&inputs.len()) {
            return None;
        }
        let Mode::Symbolic(oracle) = &mut self.mode else { return None };
        for bound in BOUNDS.into_iter().filter(|&bound| bound < farthest) {
            let near = inputs.iter().map(|&(var, width, _)| {
                let input = store.var_term(var);
                store.and(
                    store.bv_sle(store.bv(bound.wrapping_neg() & mask(width), width), input),
                    store.bv_sle(input, store.bv(bound, width)),
                )
            });
            let condition = store.and_all(near.chain([wrong]));
            match oracle.check(constraints, condition, Some(model), &self.budget.computing_at_most(TIME)) {
                Verdict::Sat(model) => return Some(model),
                Verdict::Unsat => {}
                Verdict::Unknown(_) => return None,
            }
        }
        None
    }
}
