//! What an engine is asked and what it answers. `Holds` cannot be built without a proof object and `Violated` not
//! without a trace; `certify` checks both again before anyone is told.

mod outcome;
mod task;

pub use fathom_semantics::{Ledger, Trace, Violation};
pub use outcome::{has_cycle, Outcome, Proof, Reason, Statistics, Verdict};
pub use task::{Cx, Engine, ProgressSink, Progress, Task};
