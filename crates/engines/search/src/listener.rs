//! Reports more of an exploration than its verdict: every path that ends, and every location that fails. With a
//! listener the engine continues after a violation, until all paths have ended, a limit is reached, or the listener
//! stops it. Endless paths (of programs that serve requests for ever) are reported if they were the first to reach
//! something and have been waiting since, so that their coverage is not lost when the run is ended from outside.

use fathom_engine::{Reason, Trace};
use fathom_machine::{OpenSide, PathRecord};

/// What a listener still wants to hear of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Appetite {
    /// Every path.
    All,
    /// Paths that reach something new, and violations.
    New,
    /// Nothing: the engine may stop.
    Nothing,
}

/// How far an exploration came.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Something was not followed.
    #[default]
    Part,
    /// Paths that were not followed take no side of a branch that others did not take (see `interpolate`).
    EverySide,
    /// Every path was followed to its end or to its violation.
    EveryPath,
}

/// Hears of paths while they are explored.
pub trait PathListener {
    /// A path ended, was cut, or (`left_after`) waits.
    fn path(&self, path: PathRecord);
    /// A violation, the first at its location. The listener runs it again and says why not, if that does not show it.
    fn violation(&self, trace: &Trace) -> Result<(), String>;
    /// Which paths the listener still wants to hear of.
    fn appetite(&self) -> Appetite;
    /// The exploration is over. Unless only a `Part` was reached, sides of branches that stayed `open` are not taken by any
    /// run; otherwise, `why` not.
    fn finished(&self, reach: Reach, open: Vec<OpenSide>, why: Option<Reason>);
}
