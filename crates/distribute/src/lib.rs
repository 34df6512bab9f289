//! Work for many machines, as data. A plan is a directory that can be copied anywhere: `plan.jsonl` has a header and a
//! line for each task, `files` every file that a task needs under the hash of its content, `results` a file for each
//! task that was done. Everything is checked when it is read: files that were made by another version, changed,
//! truncated or belong to another plan are rejected by name, so that every answer is about the question that was
//! planned. Nothing here runs a task.

mod bundle;
mod error;
mod facts;
mod files;
mod jobs;
mod joined;
mod merge;
mod parts;
mod plan;
mod result;
mod shares;
mod task;

pub use bundle::Bundle;
pub use error::PlanError;
pub use facts::{Fact, FactCell, FactStore, KnownFacts, LoopFacts, SummaryFact};
pub use files::{sha256, write_whole};
pub use jobs::{JobFormat, JobLimits};
pub use merge::{Answer, Merged, MergedProgram, Missing, merge};
pub use parts::{Parts, part_of};
pub use plan::{LeftOut, Plan, Tool};
pub use result::{TaskResult, read_results};
pub use task::{FileRef, Question, Task};
