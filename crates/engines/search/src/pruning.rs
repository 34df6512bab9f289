//! The interface for pruning: it may remove states from a search because knowledge from another path subsumes them. It
//! is notified of the progress of each path, and decides for each state whether it needs to be followed.

use fathom_engine::{Books, Proof, Statistics};
use fathom_machine::{Machine, PathEnd, State};
use fathom_smt::Refutations;

/// A state that is followed without being told to the pruning, in place of its node in the tree.
pub const UNTRACKED: u32 = u32::MAX;

/// What a state does when an equal one is being followed elsewhere.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Twins {
    /// It waits until that one is done.
    Wait,
    /// It goes first.
    Go,
    /// It is left out, and what that rests on is looked at in the end.
    LeaveOut,
}

/// Whether a state is followed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Follow {
    /// It is followed at once.
    Now,
    /// Only when nothing else closes a subtree sooner.
    Later,
    /// It is left out: what it would show is known.
    Never,
}

/// How a state ran since it was told of last.
#[derive(Copy, Clone, Debug)]
pub enum Stretch<'a> {
    /// It has not come to the end of its stretch.
    GoesOn,
    /// It forked, came to the head of a loop, or to where paths join.
    Paused,
    /// Its path ended.
    Ended(&'a PathEnd),
    /// Something was left out on the way; the end of its path, if it ended.
    Cut(Option<&'a PathEnd>),
}

/// Learns from paths which states need not be followed.
pub trait Pruning {
    /// The search starts with this state.
    fn begin(&mut self, machine: &Machine, state: &mut State);
    /// A state ran, and became these siblings beside itself.
    fn advanced(&mut self, machine: &mut Machine, state: &mut State, siblings: &mut [State], stretch: Stretch<'_>);
    /// Whether a state that may have just come to its node is to be followed.
    fn follows(&mut self, machine: &mut Machine, state: &mut State, twins: Twins) -> Follow;
    /// The state is not followed for another reason.
    fn lose(&mut self, machine: &mut Machine, state: &State);
    /// Nothing is left to explore: the states that must be explored after all because what subsumed them does not hold;
    /// None if time is over.
    fn settle(&mut self, machine: &mut Machine) -> Option<Vec<State>>;
    /// Follows a sample of what was left out: how many states, or what was hidden. None if it was not asked for.
    fn audit(&self, machine: &mut Machine) -> Option<Result<u64, String>>;
    /// Why nothing is violated, when all paths have ended; the search itself rests on what was `refuted`.
    fn proof(&self, machine: &mut Machine, books: Books, refuted: &Refutations) -> Proof;
    /// Adds to the statistics what it did.
    fn describe(&self, books: Books, statistics: &mut Statistics);
}
