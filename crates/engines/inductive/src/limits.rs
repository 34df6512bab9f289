//! How much is guessed, and how long a query may take.

use std::time::Duration;

/// The numbers that decide how far guesses go. None of them decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Ways that may lead from cut points to a block before it becomes one itself: fewer cut points make stronger transitions,
    /// more of them make fewer.
    pub ways: u64,
    /// Segments of a program; more are not looked at one by one in the time there is.
    pub segments: usize,
    /// Time for a query. What is not decided soon is seldom decided later; another guess is worth more.
    pub query_time: Duration,
    /// Runs that are sampled, and segments of each.
    pub runs: usize,
    /// Segments of a sampled run.
    pub run_length: usize,
    /// Guards that all sampled runs evaluate together.
    pub evaluations: usize,
    /// Transitions of one segment, and states at one cut point, that are kept.
    pub kept: usize,
    /// Facts that are not decided behind one segment before the rest is given up there.
    pub hard_facts: usize,
    /// Facts that are guessed at one cut point, after sampled states refuted what they could.
    pub facts: usize,
    /// Variables that are compared with each other: comparisons grow with the square.
    pub compared: usize,
    /// Constants of the program that variables are compared with.
    pub constants: usize,
    /// Elements of arrays that are looked at like variables.
    pub places: usize,
    /// Nodes of a guessed fact.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            ways: 24,
            segments: 4_000,
            query_time: Duration::from_millis(1_500),
            runs: 60,
            run_length: 40,
            evaluations: 40_000,
            kept: 40,
            hard_facts: 8,
            facts: 240,
            compared: 12,
            constants: 12,
            places: 6,
            nodes: 24,
        }
    }
}
