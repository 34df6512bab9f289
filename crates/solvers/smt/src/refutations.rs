//! The refutations that a proof rests on: the conjunctions that a solver called unsatisfiable, and those that ranges of floats
//! refuted. Every other layer's `unsat` follows from these (a cached answer, a core, a superset) or from evaluation. The
//! certifier asks another solver about all of them.

use crate::computed;
use crate::solver::{Answer, Backend, Solver, SolverError};
use fathom_base::Budget;
use fathom_term::{Term, TermStore};
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
    /// Refutations that the other solver found contradictory, too.
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
    pub fn recheck(&self, store: &TermStore, backend: &dyn Backend, budget: &Budget) -> Rechecked {
        let mut seen = Rechecked::default();
        let mut asserted = Asserted::default();
        for (at, refutation) in self.all.iter().enumerate() {
            if budget.exhausted().is_some() {
                break;
            }
            match asserted.decide(refutation, self.all.get(at + 1), backend, budget) {
                Ok(Answer::Unsat) => seen.confirmed += 1,
                Ok(Answer::Sat) => match asserted.is_refuted_by_values(store, refutation, budget) {
                    Some(true) => seen.confirmed += 1,
                    Some(false) => {
                        seen.contradicted += 1;
                        break;
                    }
                    None => {}
                },
                Ok(Answer::Unknown(_)) | Err(_) => {}
            }
        }
        seen.open = self.all.len() as u64 + self.left_out - seen.confirmed - seen.contradicted;
        seen
    }
}

/// A solver with the conjunction that it was asked about last. The next one often has the same beginning, as the path
/// condition of the next branch on a path has, so only what differs is asserted anew.
#[derive(Default)]
struct Asserted {
    solver: Option<Box<dyn Solver>>,
    terms: Vec<Term>,
    /// How many terms were there at each push.
    levels: Vec<usize>,
}

impl Asserted {
    fn decide(
        &mut self,
        refutation: &Refutation,
        next: Option<&Refutation>,
        backend: &dyn Backend,
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        let answer = self.ask(&refutation.0, next.map_or(&[], |next| &next.0), backend, budget);
        // A solver that failed or gave up may be in any state.
        if !matches!(answer, Ok(Answer::Sat | Answer::Unsat)) {
            *self = Asserted::default();
        }
        answer
    }

    /// After a model was found: whether it is none, because of functions that are computed.
    fn is_refuted_by_values(&mut self, store: &TermStore, refutation: &Refutation, budget: &Budget) -> Option<bool> {
        let mut solver = std::mem::take(self).solver?;
        computed::is_refuted(store, &refutation.0, &mut *solver, budget)
    }

    fn ask(&mut self, wanted: &[Term], next: &[Term], backend: &dyn Backend, budget: &Budget) -> Result<Answer, SolverError> {
        let shared = shared_beginning(&self.terms, wanted);
        let ends = self.levels.iter().skip(1).copied().chain([self.terms.len()]);
        let kept = ends.take_while(|end| *end <= shared).count().min(self.levels.len());
        if kept == 0 || self.solver.is_none() {
            *self = Asserted { solver: Some(backend.new_solver()?), ..Asserted::default() };
        } else if kept < self.levels.len() {
            self.terms.truncate(self.levels[kept]);
            self.pop(self.levels.len() - kept)?;
        }
        // What the next one has as well gets a level of its own, which can stay. Solvers are quicker without levels.
        let split = shared_beginning(wanted, next);
        let is_worth_it = !self.terms.is_empty() || split * 2 >= wanted.len();
        if is_worth_it && split > self.terms.len() {
            self.push(&wanted[self.terms.len()..split])?;
        }
        if self.levels.is_empty() {
            self.assert(wanted)?;
        } else {
            self.push(&wanted[self.terms.len()..])?;
        }
        self.solver.as_mut().map_or(Err(SolverError::Failed("no solver".into())), |solver| Ok(solver.check(&[], budget)))
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        self.levels.truncate(self.levels.len() - levels);
        self.solver.as_mut().map_or(Ok(()), |solver| solver.pop(levels as u32))
    }

    fn push(&mut self, terms: &[Term]) -> Result<(), SolverError> {
        self.levels.push(self.terms.len());
        self.solver.as_mut().map_or(Ok(()), |solver| solver.push())?;
        self.assert(terms)
    }

    fn assert(&mut self, terms: &[Term]) -> Result<(), SolverError> {
        let Some(solver) = &mut self.solver else { return Ok(()) };
        for &term in terms {
            solver.assert(term)?;
            self.terms.push(term);
        }
        Ok(())
    }
}

fn shared_beginning(one: &[Term], two: &[Term]) -> usize {
    one.iter().zip(two).take_while(|(one, two)| one == two).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute::Brute;
    use fathom_term::Sort;

    /// Conjunctions with common beginnings of every length, in an order that pushes and pops: each is judged by itself.
    #[test]
    fn shared_beginnings_change_no_answer() {
        let store = Rc::new(TermStore::new());
        let bits: Vec<Term> = (0..4).map(|at| store.var(&format!("b{at}"), Sort::Bool)).collect();
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..300 {
            let mut refutations = Refutations::default();
            let (mut terms, mut satisfiable): (Vec<Term>, bool) = (Vec::new(), false);
            for _ in 0..6 {
                terms.truncate(random.usize(0..=terms.len()));
                while terms.len() < 2 || random.u8(0..3) > 0 {
                    let bit = bits[random.usize(0..bits.len())];
                    terms.push(if random.bool() { bit } else { store.not(bit) });
                }
                let contradicts = |term: &Term| terms.contains(&store.not(*term));
                satisfiable |= !terms.iter().any(contradicts);
                refutations.note(terms.iter().copied());
            }
            let seen = refutations.recheck(&store, &Brute::new(store.clone(), 8), &Budget::unlimited());
            assert_eq!(seen.contradicted > 0, satisfiable, "round {round}: {seen:?}");
            assert!(satisfiable || seen.confirmed == 6, "round {round}: {seen:?}");
        }
    }
}
