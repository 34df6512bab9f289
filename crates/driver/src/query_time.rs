//! A time limit for each query to a solver (`--query-timeout`), in addition to that of the engine. A query that exceeds
//! it is undecided; the engine decides what to do then.

use fathom_base::Budget;
use fathom_smt::{Answer, Backend, Solver, SolverError};
use fathom_term::{Model, Term, VarId};
use std::time::Duration;

/// A back end whose solvers get so much time for a question.
pub(crate) struct Hurried {
    inner: Box<dyn Backend>,
    time: Duration,
}

impl Hurried {
    /// Limits the questions to this back end.
    pub fn new(inner: Box<dyn Backend>, time: Duration) -> Self {
        Hurried { inner, time }
    }
}

impl Backend for Hurried {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(Box::new(HurriedSolver { inner: self.inner.new_solver()?, time: self.time }))
    }
}

struct HurriedSolver {
    inner: Box<dyn Solver>,
    time: Duration,
}

impl Solver for HurriedSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.inner.pop(levels)
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.inner.assert(term)
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        self.inner.check(assumptions, &budget.at_most(self.time))
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        self.inner.model(vars)
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        self.inner.failed_assumptions()
    }

    fn only_refute(&mut self) {
        self.inner.only_refute();
    }
}
