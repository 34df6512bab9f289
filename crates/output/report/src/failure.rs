//! The report of a run that ended before there was an answer: a mistake on the command line, a file that does not compile, a
//! limit, a crash. It has the same form as every other report, so that readers of reports need no second form.

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
    /// The user interrupted the run.
    Interrupted,
    /// Another process ended the one that did the work.
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
    /// Of a program that has no function to start from: those that it has, and `--entry` takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<String>>,
}

impl ErrorReport {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), entries: None }
    }
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
            members: Vec::new(),
            statistics: Vec::new(),
            coverage: Vec::new(),
            summary: String::new(),
            targets: Vec::new(),
            error: Some(error),
            witness: None,
            part: None,
            share: None,
        }
    }
}
