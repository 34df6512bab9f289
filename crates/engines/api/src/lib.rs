//! The contract of engines: tasks and outcomes. `Holds` cannot be built without a proof object and `Violated` not
//! without a trace; `certify` checks both again before they are reported.

mod capabilities;
mod certificate;
mod confirming;
mod counters;
mod interference;
mod known;
mod outcome;
mod progress;
mod ranking;
mod reasons;
mod task;
mod visited;

pub use capabilities::{Capabilities, Language, is_usual};
pub use certificate::{Assurance, Certificate};
pub use confirming::{REPLAY_STEPS, confirmed};
pub use counters::add_solver_counters;
pub use fathom_ir::Ledger;
pub use fathom_machine::{Trace, Violation};
pub use interference::Interference;
pub use known::{Known, KnownSummary};
pub use outcome::{
    Books, Explored, NotMay, Outcome, Part, PathNote, Proof, Reason, Statistics, TargetFate, TargetNote, TreeEnd, TreeNote, Verdict,
    has_cycle,
};
pub use progress::{Depth, Progress, ProgressSink};
pub use ranking::{Measure, Phase, Ranking, Step};
pub use reasons::{Reasons, cut_reason};
pub use task::{Cx, Engine, Task};
pub use visited::Visited;
