//! The report of a run that ended before there was an answer: a mistake on the command line, a file that does not compile, a
//! limit, a crash. It has the same form as every other report, so that whoever reads reports needs no second form.

use crate::model::{Report, RunInfo};
use serde::{Deserialize, Serialize};

/// What ended a run, for programs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The command line asks for something that does not exist or does not fit together.
    Usage,
    /// A file is missing, unreadable, not a program or does not compile.
    Input,
    /// The program uses something that is not supported.
    Unsupported,
    /// The time was over, and the run did not stop by itself.
    Timeout,
    /// The memory was used up.
    OutOfMemory,
    /// Somebody interrupted the run.
    Interrupted,
    /// Somebody else ended the process that did the work.
    Killed,
    /// A fault in Fathom.
    Internal,
    /// Another reason.
    Other,
}

/// Why there is no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ErrorReport {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// Everything that there is to say.
    pub message: String,
}

impl Report {
    /// The report of a run without an answer; `reason` is what stands in `unknown(...)`.
    pub fn without_answer(run: RunInfo, reason: &str, error: ErrorReport) -> Self {
        Self {
            schema: 1,
            run,
            verdict: format!("unknown({reason})"),
            properties: Vec::new(),
            assumptions: Vec::new(),
            warnings: Vec::new(),
            engines: Vec::new(),
            statistics: Vec::new(),
            summary: String::new(),
            targets: Vec::new(),
            error: Some(error),
            witness: None,
        }
    }
}
