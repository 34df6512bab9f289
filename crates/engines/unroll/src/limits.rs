//! How far the walk goes with one state before it looks at others, and how hard it tries to join states.

use std::time::Duration;

/// The numbers that decide what the walk over the unrolled program costs. None of them decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements that a state runs before the walk looks around. With fewer, looking shows in the profile; with many more,
    /// a loop without branches notices late that the time is over.
    pub slice: u64,
    /// Time between looks at the budget: looking costs a system call, and a hundredth of a second late is not noticed.
    pub look_every: Duration,
    /// With how many states at one place a state is tried to be joined. Those that came last have most in common; beyond a few
    /// a refused join costs more than the next one is likely to save.
    pub attempts: usize,
    /// States at one place up to which those stay apart that came through different middles of loops. A few facts in separate
    /// states are easier for a solver than a disjunction; with more, the number of states grows with every join.
    pub apart: usize,
    /// Branches on conditions over more symbols than this are not asked about until the paths meet again. Smaller conditions are
    /// answered quickly, mostly without a solver; to ask about larger ones costs more than to walk both sides.
    pub lazy_above: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { slice: 20_000, look_every: Duration::from_millis(10), attempts: 4, apart: 4, lazy_above: 32 }
    }
}
