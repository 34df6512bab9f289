//! The contract between Fathom and an SMT solver. A `Backend` stands for one solver library or program and makes
//! solvers; a `Solver` is one assertion stack. Solvers are cheap enough to make one per path or subtree, which is
//! measurably better than one for the whole run. Nothing here panics: a solver that fails says `Unknown`.

use fathom_base::Budget;
use fathom_term::{Model, Term, VarId};
use thiserror::Error;

/// Why a solver gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Why {
    /// Its time or memory was used up.
    #[error("the solver ran out of its budget")]
    Budget,
    /// The theory is undecidable or the solver's procedure gives up; its own words.
    #[error("the solver is incomplete here: {0}")]
    Incomplete(String),
    /// It crashed, or answered what can't be read.
    #[error("the solver failed: {0}")]
    Failed(String),
    /// It lacks a theory or an operation; which one.
    #[error("the solver does not know {0}")]
    Unsupported(String),
    /// Two solvers gave opposite answers; which ones.
    #[error("two solvers contradict each other: {0}")]
    Contradiction(String),
}

/// A solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Contradictory.
    Unsat,
    /// Not decided.
    Unknown(Why),
}

/// A solver could not take a term or give a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolverError {
    /// It lacks a theory or an operation; which one.
    #[error("the solver does not know {0}")]
    Unsupported(String),
    /// It crashed, or answered what can't be read.
    #[error("the solver failed: {0}")]
    Failed(String),
}

impl From<SolverError> for Why {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Unsupported(what) => Why::Unsupported(what),
            SolverError::Failed(what) => Why::Failed(what),
        }
    }
}

/// One solver library or program. Holds an `Rc<TermStore>` and whatever translation it keeps between solvers.
pub trait Backend {
    /// Name and version, for people.
    fn name(&self) -> String;
    /// A solver without assertions.
    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError>;
}

impl<T: Backend + ?Sized> Backend for std::rc::Rc<T> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        (**self).new_solver()
    }
}

/// A solver with a stack of assertions.
pub trait Solver {
    /// Opens a level of assertions.
    fn push(&mut self) -> Result<(), SolverError>;
    /// Removes the last levels with their assertions.
    fn pop(&mut self, levels: u32) -> Result<(), SolverError>;
    /// Adds an assertion to the current level.
    fn assert(&mut self, term: Term) -> Result<(), SolverError>;
    /// Decides the assertions together with the assumptions (any Boolean terms). The budget bounds this one call.
    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer;
    /// After `Sat`: values of these variables (of any sort; an array as its default and exceptions).
    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError>;
    /// After `Unsat`: a subset of the assumptions of that check that already contradicts the assertions.
    /// A solver that cannot tell returns all of them.
    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError>;
    /// Declares that no models will be asked for: a solver that cannot refute may answer `Unknown` at once instead of searching
    /// for a model.
    fn only_refute(&mut self) {}
}
