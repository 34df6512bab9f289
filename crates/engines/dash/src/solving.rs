//! Queries to the solver, and their counters. One solver is made per query about a frontier: the path constraint is
//! asserted, the precondition of the exit is assumed part by part, so that an `unsat` names the parts that it needs.

use crate::limits::Limits;
use fathom_base::Budget;
use fathom_smt::{Answer, Backend, Solver, SolverError, Why};
use fathom_term::{Model, Term, TermStore, VarId};
use std::time::{Duration, Instant};

/// How many queries there were, and how long they took.
#[derive(Default)]
pub struct Asked {
    pub calls: u64,
    pub time: Duration,
}

/// Asks a solver, within the limits of time.
pub struct Queries<'a> {
    pub backend: Box<dyn Backend>,
    pub budget: &'a Budget,
    pub asked: Asked,
    pub limits: &'a Limits,
}

/// Assertions that several queries share.
pub struct Context {
    solver: Box<dyn Solver>,
}

/// A solver's answer.
pub enum Reply {
    Sat(Model),
    /// Numbers of assumptions that are enough for the contradiction.
    Unsat(Vec<usize>),
    Unknown(Why),
}

impl Queries<'_> {
    /// A solver in which these assertions hold.
    pub fn context(&self, assertions: &[Term]) -> Result<Context, SolverError> {
        let mut solver = self.backend.new_solver()?;
        for &term in assertions {
            solver.assert(term)?;
        }
        Ok(Context { solver })
    }

    /// Are the assertions and these assumptions satisfiable? A model has the variables asked for.
    pub fn ask(&mut self, store: &TermStore, context: &mut Context, assumptions: &[Term], wanted: &[VarId]) -> Reply {
        self.ask_within(self.limits.query_time, store, context, assumptions, wanted)
    }

    /// Asks a question whose answer is worth only a little time.
    pub fn ask_briefly(&mut self, store: &TermStore, context: &mut Context, assumptions: &[Term], wanted: &[VarId]) -> Reply {
        self.ask_within(self.limits.luxury_time, store, context, assumptions, wanted)
    }

    /// Whether they contradict each other, if that is easy to see: the numbers of those that do.
    pub fn contradiction(&mut self, store: &TermStore, context: &mut Context, assumptions: &[Term]) -> Option<Vec<usize>> {
        match self.ask_within(self.limits.luxury_time, store, context, assumptions, &[]) {
            Reply::Unsat(core) => Some(core),
            _ => None,
        }
    }

    fn ask_within(&mut self, time: Duration, store: &TermStore, context: &mut Context, assumptions: &[Term], wanted: &[VarId]) -> Reply {
        if let Some(at) = assumptions.iter().position(|&term| store.const_bool(term) == Some(false)) {
            return Reply::Unsat(vec![at]);
        }
        let real: Vec<Term> = assumptions.iter().copied().filter(|&term| store.const_bool(term).is_none()).collect();
        let start = Instant::now();
        let answer = context.solver.check(&real, &self.budget.at_most(time));
        self.asked.calls += 1;
        self.asked.time += start.elapsed();
        match answer {
            Answer::Sat if wanted.is_empty() => Reply::Sat(Model::default()),
            Answer::Sat => match context.solver.model(wanted) {
                Ok(model) => Reply::Sat(model),
                Err(error) => Reply::Unknown(error.into()),
            },
            Answer::Unsat => {
                let failed = context.solver.failed_assumptions().unwrap_or_else(|_| real.clone());
                let named = assumptions.iter().enumerate().filter(|(_, term)| failed.contains(term));
                Reply::Unsat(named.map(|(at, _)| at).collect())
            }
            Answer::Unknown(why) => Reply::Unknown(why),
        }
    }
}
