//! How far the search goes with one state, and how it divides its time between the orders in which states wait.

use std::time::Duration;

/// The numbers that decide where a search spends its time. None of them decides a verdict: what they put off is followed later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements that a state runs before the search looks around. With fewer, looking shows in the profile; with many more, a
    /// loop without branches keeps all other states waiting.
    pub slice: u64,
    /// Solver queries of one turn, where states take turns: queries take most of the time, so a path with hard ones is
    /// interrupted although it ran few statements.
    pub queries_of_turn: u64,
    /// Forks of one turn of a search for tests: enough to get through a chain of comparisons of one character.
    pub forks_of_turn: u64,
    /// Time between looks at the budget: looking costs a system call, and a hundredth of a second late is not noticed.
    pub look_every: Duration,
    /// Time between looks for waiting paths that reached something new. They are told so that a run which is ended from outside
    /// has tests of them; to tell them more often would run tests that a longer path makes superfluous.
    pub tell_every: Duration,
    /// Time between looks for others who ask for parts of a shared search: a look costs a system call.
    pub ask_every: Duration,
    /// As soon as so many states wait, the first look is due: who has asked by then is not told to wait for a search that may be over.
    pub ask_first: usize,
    /// Time between notes of how far a shared search is, for a process that goes on after this one was killed: that much is lost.
    pub keep_every: Duration,
    /// One part in so many of the time goes into these notes, which are as large as the frontier.
    pub keep_share: u32,
    /// Pruned states that are kept for tests. They are only followed when nothing else is left, and each keeps its memory alive.
    pub passed_over: usize,
    /// Records of paths that are kept for people: more would not be read.
    pub records: usize,
    /// States with which a joining one is compared, as in [`fathom_unroll::Limits`].
    pub join_attempts: usize,
    /// The strategy for tests: picks between two walks along random or closing paths. Walks take several forks each, so that
    /// they and the picks near new code get about half of the time each.
    pub walk_period: u64,
    /// Lengths of subpaths that are told apart: within a token of an input, and across a few.
    pub subpaths: [usize; 2],
    /// The strategy for interpolation: how much work closes subtrees for each unit of the others. Less, and few interpolants
    /// are ready when they could prune; more, and a violation elsewhere waits.
    pub closing_share: u64,
    /// What a fork counts for in that share, in statements: about what its query and the copy of the state cost.
    pub fork_cost: u64,
    /// Picks between two computations of distances to new code, while coverage grows: they walk the whole program.
    pub distance_age: u64,
    /// So many picks of states at one location count as one step more to new code: what looks near may be behind a condition that
    /// never holds.
    pub patience: u32,
    /// Looks for sets of states that no run leaves, at each loop head: a set that is not found the first time may hold further on.
    pub recurrence_looks: u32,
    /// One part in so many of the time goes into them, after this start: most programs end, and then they are in vain.
    pub recurrence_share: u32,
    /// Time for them before they are measured against the rest.
    pub recurrence_start: Duration,
    /// Time for one query about such a set: there are many guesses, and what is not decided soon is seldom decided later.
    pub recurrence_query: Duration,
    /// Searches that rely on locks, each on less than the one before: a program that breaks its rules in more places has few left.
    pub trusting_attempts: u64,
    /// Statements that such a search may run in vain for another one to rely on locks again: most rules are broken soon, and a search
    /// that took long is not repeated more than once.
    pub trusting_statements: u64,
    /// Locations without states that are remembered, with how often they were picked.
    pub empty_locations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            slice: 20_000,
            queries_of_turn: 64,
            forks_of_turn: 16,
            look_every: Duration::from_millis(10),
            tell_every: Duration::from_secs(3),
            ask_every: Duration::from_millis(100),
            ask_first: 8,
            keep_every: Duration::from_secs(5),
            keep_share: 50,
            passed_over: 4096,
            records: 100_000,
            join_attempts: fathom_unroll::Limits::default().attempts,
            walk_period: 32,
            subpaths: [6, 24],
            closing_share: 2,
            fork_cost: 64,
            distance_age: 256,
            patience: 4,
            recurrence_looks: 6,
            recurrence_share: 4,
            recurrence_start: Duration::from_millis(500),
            recurrence_query: Duration::from_millis(500),
            trusting_attempts: 8,
            trusting_statements: 200_000,
            empty_locations: 4096,
        }
    }
}
