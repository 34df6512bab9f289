//! Unsatisfiable cores on demand, for interpolation: which of the soft terms are needed to contradict the hard ones?
//! A solver of its own takes the soft terms as assumptions and says which failed; asking again with only those often
//! shrinks the set further, and is repeated until it doesn't. Sound because every set returned was refuted itself.

use crate::oracle::Oracle;
use crate::solver::{Answer, Why};
use fathom_base::{Budget, FxSet};
use fathom_term::Term;
use std::time::Instant;

/// Rounds of shrinking.
const ROUNDS: usize = 4;

impl Oracle {
    /// A subset of `soft` that contradicts `hard`, in the order given; None if there is none or no solver decides it.
    pub fn unsat_core(&mut self, hard: &[Term], soft: &[Term], budget: &Budget) -> Option<Vec<Term>> {
        let start = Instant::now();
        let budget = budget.at_most(self.query_time());
        let mut core = None;
        for backend in 0..self.backends() {
            // Only a back end that gave no answer makes it worth asking the next.
            if let Ok(answer) = self.core_of(backend, hard, soft, &budget) {
                core = answer;
                break;
            }
        }
        self.statistics_mut().core_times.add(start.elapsed());
        core
    }

    fn core_of(&mut self, backend: usize, hard: &[Term], soft: &[Term], budget: &Budget) -> Result<Option<Vec<Term>>, Why> {
        let mut solver = self.new_solver(backend)?;
        for &term in hard {
            solver.assert(term)?;
        }
        let mut core = soft.to_vec();
        let mut refuted = None;
        for _ in 0..ROUNDS {
            match solver.check(&core, budget) {
                Answer::Unsat => {}
                Answer::Unknown(why) if refuted.is_none() => return Err(why),
                _ => break,
            }
            refuted = Some(core.clone());
            let failed: FxSet<Term> = solver.failed_assumptions()?.into_iter().collect();
            let before = core.len();
            core.retain(|term| failed.contains(term));
            if core.len() == before {
                break;
            }
        }
        Ok(refuted)
    }
}
