//! What an engine is asked and what it answers. `Holds` cannot be built without a proof object and `Violated` not
//! without a trace; `certify` checks both again before anyone is told.

mod capabilities;
mod certificate;
mod confirming;
mod counters;
mod outcome;
mod reasons;
mod task;
mod visited;

pub use capabilities::{Capabilities, Language};
pub use certificate::{Assurance, Certificate};
pub use confirming::{REPLAY_STEPS, confirmed};
pub use counters::add_solver_counters;
pub use fathom_ir::Ledger;
pub use fathom_machine::{Trace, Violation};
pub use outcome::{
    Explored, NotMay, Outcome, PathNote, Proof, Reason, Statistics, TargetFate, TargetNote, TreeEnd, TreeNote, Verdict, has_cycle,
};
pub use reasons::{Reasons, cut_reason};
pub use task::{Cx, Engine, Progress, ProgressSink, Task};
pub use visited::Visited;
