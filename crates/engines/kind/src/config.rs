//! Settings of the engine.

use crate::limits::Limits;
use fathom_base::Budget;
use fathom_ir::{Invariants, Program};
use std::rc::Rc;

/// What k-induction does beside the algorithm.
#[derive(Clone, Debug)]
pub struct KindConfig {
    /// The first k of the inductive step.
    pub first_k: u64,
    /// The largest k of the inductive step, and the largest bound of the base case.
    pub max_k: Option<u64>,
    /// Counterexamples of the inductive step become targets of the base case (bkind).
    pub targets: bool,
    /// Whether candidate invariants are guessed, besides those that are given.
    pub guess_invariants: bool,
    /// Finds candidates; each is proved before it is used.
    pub analysis: Option<Analysis>,
    /// How far it goes.
    pub limits: Limits,
}

/// An analysis that finds candidates for invariants at loop heads, within a budget.
pub type Analysis = fn(&Rc<Program>, &Budget) -> Invariants;

impl Default for KindConfig {
    fn default() -> Self {
        KindConfig { first_k: 1, max_k: None, targets: true, guess_invariants: true, analysis: None, limits: Limits::default() }
    }
}
