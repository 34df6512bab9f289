//! The refutations that a proof rests on: the conjunctions that a solver called unsatisfiable, and those that ranges of floats
//! refuted. Every other layer's `unsat` follows from these (a cached answer, a core, a superset) or from evaluation. The
//! certifier asks another solver about all of them.

use crate::solver::{Answer, Backend, SolverError};
use fathom_base::Budget;
use fathom_term::Term;
use std::fmt;
use std::rc::Rc;

/// The most terms that are kept in total; refutations beyond that are counted but not checked again.
const MOST_TERMS: usize = 4_000_000;

/// One conjunction without a model.
#[derive(Clone)]
pub struct Refutation(Rc<[Term]>);

/// Refuted conjunctions.
#[derive(Clone, Default)]
pub struct Refutations {
    all: Vec<Refutation>,
    terms: usize,
    /// Refutations that were not kept.
    pub left_out: u64,
}

impl fmt::Debug for Refutations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} refutations, {} left out", self.all.len(), self.left_out)
    }
}

/// How another solver judged them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rechecked {
    pub confirmed: u64,
    /// Not decided by the other solver.
    pub open: u64,
    /// It found a model: one of the solvers is wrong.
    pub contradicted: u64,
}

impl Refutations {
    /// Keeps the conjunction of these terms.
    pub fn add(&mut self, conjuncts: &[Term], condition: Term) {
        self.note(conjuncts.iter().copied().chain([condition]));
    }

    /// Keeps a conjunction that a solver refuted.
    pub fn note(&mut self, conjuncts: impl IntoIterator<Item = Term>) {
        let all: Rc<[Term]> = conjuncts.into_iter().collect();
        if self.terms + all.len() > MOST_TERMS {
            self.left_out += 1;
            return;
        }
        self.terms += all.len();
        self.all.push(Refutation(all));
    }

    /// How many were kept.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether none was kept.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds those of another run.
    pub fn append(&mut self, other: &Refutations) {
        self.terms += other.terms;
        self.left_out += other.left_out;
        self.all.extend(other.all.iter().cloned());
    }

    /// Asks a solver of this back end for each; stops at the first contradiction and when the budget is used up.
    pub fn recheck(&self, backend: &dyn Backend, budget: &Budget) -> Rechecked {
        let mut seen = Rechecked::default();
        for refutation in &self.all {
            if budget.exhausted().is_some() {
                break;
            }
            match refutation.decide(backend, budget) {
                Ok(Answer::Unsat) => seen.confirmed += 1,
                Ok(Answer::Sat) => {
                    seen.contradicted += 1;
                    break;
                }
                Ok(Answer::Unknown(_)) | Err(_) => {}
            }
        }
        seen.open = self.all.len() as u64 + self.left_out - seen.confirmed - seen.contradicted;
        seen
    }
}

impl Refutation {
    fn decide(&self, backend: &dyn Backend, budget: &Budget) -> Result<Answer, SolverError> {
        let mut solver = backend.new_solver()?;
        for &term in self.0.iter() {
            solver.assert(term)?;
        }
        Ok(solver.check(&[], budget))
    }
}
