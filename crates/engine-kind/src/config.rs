//! Settings of the engine.

use fathom_ir::Invariants;

#[derive(Clone, Debug)]
pub struct KindConfig {
    /// The largest k of the inductive step, and the largest bound of the base case.
    pub max_k: Option<u64>,
    /// Counterexamples of the inductive step become targets of the base case (bkind).
    pub targets: bool,
    /// Whether candidate invariants are guessed, besides those that are given.
    pub guess_invariants: bool,
    /// Candidates from elsewhere; each is proved before it is used.
    pub invariants: Invariants,
}

impl Default for KindConfig {
    fn default() -> Self {
        KindConfig { max_k: None, targets: true, guess_invariants: true, invariants: Invariants::default() }
    }
}
