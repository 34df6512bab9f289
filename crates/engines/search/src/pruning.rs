//! What may leave states out of a search because something that was learned on another path covers them. It hears how
//! each path goes on, and is asked of each state whether it needs to be followed.

use fathom_engine::{Proof, Statistics};
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
    Cover,
}

/// Whether a state is followed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Follow {
    Now,
    /// Only when nothing else closes a subtree sooner.
    Later,
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

/// How many paths a search followed, for the proof.
#[derive(Copy, Clone, Debug, Default)]
pub struct PathCounts {
    pub started: u64,
    pub ended: u64,
    /// Of the ended ones, those that were left out.
    pub covered: u64,
    pub cut: u64,
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
    /// Nothing is left to explore: the states that must be explored after all because what covered them does not hold;
    /// None if time is over.
    fn settle(&mut self, machine: &mut Machine) -> Option<Vec<State>>;
    /// Follows a sample of what was left out: how many states, or what was hidden. None if nobody asked for it.
    fn audit(&self, machine: &mut Machine) -> Option<Result<u64, String>>;
    /// Why nothing is violated, when all paths have ended; the search itself rests on what was `refuted`.
    fn proof(&self, machine: &mut Machine, paths: PathCounts, refuted: &Refutations) -> Proof;
    /// What it did, for people.
    fn describe(&self, paths: PathCounts, statistics: &mut Statistics);
}
