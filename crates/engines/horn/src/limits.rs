//! How long each part of the work may take.

use std::time::Duration;

/// The numbers that decide how far the engine goes. None of them decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Percent of the time left for the clauses without wrapping around: they are solved soon or never.
    pub without_wrapping: u32,
    /// A question whether one conjunct is inductive. Most take milliseconds; one that takes longer is about a conjunct that is
    /// better dropped.
    pub query_time: Duration,
    /// Widths of the bit-vectors that hold the integers of an invariant: wider ones come from coefficients that no person would write.
    pub widest: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { without_wrapping: 50, query_time: Duration::from_secs(1), widest: 128 }
    }
}
