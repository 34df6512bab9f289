//! What an engine is asked and what it answers. `Holds` cannot be built without a proof object and `Violated` not
//! without a trace; `certify` checks both again before anyone is told.

mod capabilities;
mod confirming;
mod counters;
mod outcome;
mod reasons;
mod task;
mod visited;

pub use fathom_machine::{Ledger, Trace, Violation};
pub use capabilities::{Capabilities, Language};
pub use confirming::{REPLAY_STEPS, confirmed};
pub use counters::add_solver_counters;
pub use outcome::{NotMay, Outcome, PathNote, Proof, Reason, Statistics, TargetFate, TargetNote, TreeEnd, TreeNote, Verdict, has_cycle};
pub use reasons::{Reasons, cut_reason};
pub use task::{Cx, Engine, ProgressSink, Progress, Task};
pub use visited::Visited;
