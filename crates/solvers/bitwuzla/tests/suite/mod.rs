//! Tests that every in-process solver must pass; each adapter includes this file and hands in its back end.
//!
//! `operations` compares the solver with `fold`, the one definition of every operation: on random constants the
//! solver must refute any other result, once with the constants in place (its rewriter computes) and once behind
//! variables that are only constrained to equal them (its decision procedure computes); and the model of the question
//! "when is this the result?" must make the question true. `terms` does the like with random terms; `stack` tests
//! the rest of the contract; `floats` compares native floats with their translation.

pub mod fault;
pub mod floats;
pub mod operations;
pub mod stack;
pub mod terms;

use fathom_smt::Backend;
use fathom_term::{Op, Sort, TermStore};
use std::rc::Rc;

/// One solver to test.
pub struct Subject {
    pub store: Rc<TermStore>,
    pub backend: Box<dyn Backend>,
    /// Whether the solver knows an operation on arguments of these sorts.
    pub knows: fn(Op, &[Sort]) -> bool,
    /// Largest bit-vector width for multiplication and division of variables.
    pub arithmetic_width: u32,
}
