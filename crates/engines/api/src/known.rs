//! What other runs proved of a program. An engine that uses any of it proves it again.

use fathom_ir::Invariants;

/// Candidates from other runs.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Conditions at the heads of loops.
    pub loops: Invariants,
    /// Summaries of recursive procedures.
    pub summaries: Vec<KnownSummary>,
}

/// What no call of a procedure does: it starts where `before` holds and ends where `after` does, or fails, if there is no `after`. The
/// conditions are SMT-LIB over the names that the flat program (`fathom-flat`) has for the procedure's entry and exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSummary {
    /// The procedure's name.
    pub procedure: String,
    /// Over its entry.
    pub before: Vec<String>,
    /// Over its entry and exit.
    pub after: Option<Vec<String>>,
}
