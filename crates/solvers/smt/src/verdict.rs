//! Answers to queries. An answer that something is satisfiable carries the model that shows it.

use crate::solver::Why;
use fathom_term::Evaluator;
use std::fmt;
use std::rc::Rc;

/// The answer to a satisfiability query.
#[derive(Clone)]
pub enum Verdict {
    /// Satisfiable, with a model of all constraints and the condition.
    Sat(Rc<Evaluator>),
    /// Contradictory.
    Unsat,
    /// Not decided.
    Unknown(Why),
}

/// The answer to the question whether a condition follows from the constraints.
#[derive(Clone)]
pub enum Validity {
    /// It follows.
    Holds,
    /// It does not follow; with a model of the constraints in which it is false.
    Fails(Rc<Evaluator>),
    /// Not decided.
    Unknown(Why),
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Sat(model) => f.debug_tuple("Sat").field(model.model()).finish(),
            Verdict::Unsat => f.write_str("Unsat"),
            Verdict::Unknown(why) => f.debug_tuple("Unknown").field(why).finish(),
        }
    }
}

impl fmt::Debug for Validity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Validity::Holds => f.write_str("Holds"),
            Validity::Fails(model) => f.debug_tuple("Fails").field(model.model()).finish(),
            Validity::Unknown(why) => f.debug_tuple("Unknown").field(why).finish(),
        }
    }
}
