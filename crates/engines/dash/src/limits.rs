//! How long tests are, how much is guessed, and how long a query may take.

use std::time::Duration;

/// The numbers that decide what tests and refinements cost. None of them decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Blocks that a test runs beyond the frontier that it was made for. Long enough to see what a loop does; a longer test
    /// would be put into the abstraction block by block although most of it repeats.
    pub test_steps: usize,
    /// The largest number that all inputs of a first test are, where procedures are recursive: small arguments show what
    /// a recursion computes.
    pub first_tests: u64,
    /// Calls inside each other that a test follows, and blocks that all its calls run through: recursion on a large argument is
    /// left to a test with a smaller one.
    pub run_depth: u32,
    /// Blocks that all calls of one test run through together.
    pub inner_steps: usize,
    /// The longest call that is gone through step by step where its path is needed; of longer ones the arguments are taken to be
    /// those of the test.
    pub path_steps: u64,
    /// A query about a frontier may take this long; one that only makes a predicate better, not so long.
    pub query_time: Duration,
    /// Time for a query that only makes a predicate better.
    pub luxury_time: Duration,
    /// Subgoals inside each other: each is about a call inside the one before.
    pub subgoal_depth: u32,
    /// Calls of one procedure that are remembered, of those that return and of those that fail: guesses look at all of them.
    pub calls: usize,
    /// Arguments that a guess about a result combines; the combinations grow as the power of this.
    pub arguments: usize,
    /// Calls inside one that are tabled with it: beyond that, a summary has to be found or there is none.
    pub tabled: usize,
    /// Arguments up to the first numbers are small; how many calls with such arguments are tried at one frontier.
    pub small_arguments: [(u64, usize); 3],
    /// Calls with small arguments at all frontiers.
    pub small_calls: u64,
    /// Blocks that a call near a test's runs through, and calls of one procedure that get such neighbours.
    pub sample_steps: usize,
    /// Calls of one procedure that get such neighbours.
    pub sampled: usize,
    /// Calls of one test that are looked at.
    pub noted: usize,
    /// Variables and constants that are compared to find a simpler predicate, and the rounds of refutation for it: the number of
    /// comparisons grows with the square.
    pub atom_variables: usize,
    /// Constants that variables are compared with to find a simpler predicate.
    pub atom_constants: usize,
    /// Rounds of refutation to find a simpler predicate.
    pub atom_rounds: usize,
    /// Larger parts of a predicate count as hard, whatever they are made of.
    pub plain_nodes: usize,
    /// Larger preconditions are not handed back behind the frontier.
    pub handed_back: usize,
    /// Predicates with more variables than this do not spread, and preconditions of this size are left to the solver.
    pub spread_variables: usize,
    /// Preconditions of this size are left to the solver.
    pub spread_nodes: usize,
    /// Regions of a block from which on a program that asks for no inputs is followed state by state: refinement has had its chance.
    pub patience: usize,
    /// Attempts to leave a part of a contradiction out; each is a query.
    pub core_attempts: usize,
    /// Positions of tests that a region remembers; more would only cost.
    pub members: usize,
    /// States that may follow a test side by side, where forks inside a block leave it open which of them does.
    pub guided_states: usize,
    /// Blocks of a passing test that are followed in the program, and the time for all of them: a sample that is enough to see
    /// that the flat program is the same.
    pub guided_blocks: usize,
    /// Time for all passing tests that are followed in the program.
    pub guided_time: Duration,
    /// Blocks of a failing test; a longer one is lost.
    pub longest_failure: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            test_steps: 1_000,
            first_tests: 9,
            run_depth: 400,
            inner_steps: 30_000,
            path_steps: 3_000,
            query_time: Duration::from_secs(10),
            luxury_time: Duration::from_millis(1000),
            subgoal_depth: 48,
            calls: 200,
            arguments: 4,
            tabled: 300,
            small_arguments: [(6, 8), (60, 2), (300, 2)],
            small_calls: 72,
            sample_steps: 200,
            sampled: 24,
            noted: 400,
            atom_variables: 6,
            atom_constants: 6,
            atom_rounds: 24,
            plain_nodes: 24,
            handed_back: 400,
            spread_variables: 12,
            spread_nodes: 300,
            patience: 7,
            core_attempts: 12,
            members: 256,
            guided_states: 16,
            guided_blocks: 150,
            guided_time: Duration::from_millis(800),
            longest_failure: 3_000_000,
        }
    }
}
