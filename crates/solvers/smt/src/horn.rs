//! The contract of solvers of constrained Horn clauses.

use crate::solver::Why;
use fathom_base::Budget;
use fathom_term::{FnId, Term, VarId};

/// Finds interpretations of predicates under which clauses hold.
pub trait HornSolver {
    /// Each clause is a closed formula: for all values of its variables, a conjunction of conditions and applications of predicates
    /// implies one application, or false.
    fn solve(&mut self, clauses: &[Term], predicates: &[FnId], budget: &Budget) -> HornAnswer;
}

/// The answer to a set of Horn clauses.
#[derive(Clone, Debug)]
pub enum HornAnswer {
    /// Interpretations of the predicates, in the order in which these were given.
    Solved(Vec<Interpretation>),
    /// There are none: false follows from the clauses.
    Refuted,
    /// Not decided.
    Unknown(Why),
}

/// The interpretation of a predicate.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// Variables that stand for its arguments.
    pub parameters: Vec<VarId>,
    /// A condition over them.
    pub body: Term,
}
