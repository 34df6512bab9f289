//! For those who want more of an exploration than its verdict: every path that ends, every place that fails. With a
//! listener the engine goes on after a violation, until all paths have ended, a limit is reached, or the listener has
//! heard enough. Paths without an end (programs that serve requests for ever) are told when they were the first to
//! reach something and have been waiting since, so that what they reached is not lost when the run is ended from outside.

use fathom_engine::Trace;
use fathom_semantics::{OpenSide, PathRecord};
use std::time::Duration;

/// Time between looks for waiting paths that reached something new.
pub const TELL_EVERY: Duration = Duration::from_secs(3);

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

pub trait PathListener {
    /// A path ended, was cut, or (`left_after`) waits.
    fn path(&self, path: PathRecord);
    /// A violation, the first at its place. The listener runs it again and says why not, if that does not show it.
    fn violation(&self, trace: &Trace) -> Result<(), String>;
    fn appetite(&self) -> Appetite;
    /// The exploration is over. `complete`: every path was followed to its end or to its violation, so that sides of
    /// branches that stayed `open` are not taken by any run. Otherwise, `why` not.
    fn finished(&self, complete: bool, open: Vec<OpenSide>, why: Option<String>);
}
