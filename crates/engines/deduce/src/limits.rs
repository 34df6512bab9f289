//! How many invariants are guessed, and how long one question about them may take.

use std::time::Duration;

/// The numbers that decide what guessing costs. Fewer guesses or less time lose proofs, never soundness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Candidates in all; of more, those of the first kinds. Every candidate is a part of every formula, and beyond some hundreds
    /// the solver drowns in them.
    pub candidates: usize,
    /// Candidates of one kind for one loop, so that one kind does not push out the others.
    pub of_a_kind: usize,
    /// How deep definitions of a loop are put into each other to see what a condition says about its start: loops rarely compute
    /// in longer chains, and each step may double a term.
    pub expansions: usize,
    /// Powers of two that strides are looked for in, the smallest first.
    pub powers: usize,
    /// Variables that are compared with each other; the number of comparisons grows with the square.
    pub compared: usize,
    /// The same as `expansions` for loops that go through maps, whose elements are computed in longer chains.
    pub sweep_expansions: usize,
    /// Things that may hold for every element that a loop went through.
    pub bodies: usize,
    /// Variables that may say that a search goes on.
    pub flags: usize,
    /// Blocks before a loop in which the beginning of a counter is looked for.
    pub steps_back: usize,
    /// Triggers of a quantified candidate: each one more makes the solver instantiate it more often.
    pub triggers: usize,
    /// Time for one question about one candidate, where quantifiers make answers uncertain: what holds is shown at once as a rule.
    pub candidate_time: Duration,
    /// After how many candidates that were proved one by one the program is tried with them.
    pub tries: usize,
    /// How often candidates that could not be proved are tried again with those that could: one may need another.
    pub passes: usize,
    /// Time for one question about one assertion of the program: these are what the proof is for.
    pub assertion_time: Duration,
    /// Time for a question about several candidates or assertions at once; without an answer they are asked about one by one.
    pub round_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            candidates: 300,
            of_a_kind: 60,
            expansions: 4,
            powers: 8,
            compared: 8,
            sweep_expansions: 6,
            bodies: 8,
            flags: 3,
            steps_back: 8,
            triggers: 4,
            candidate_time: Duration::from_millis(300),
            tries: 8,
            passes: 3,
            assertion_time: Duration::from_secs(10),
            round_time: Duration::from_secs(3),
        }
    }
}
