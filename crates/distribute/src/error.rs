//! Why a plan, a file of its bundle or a result is refused: what is wrong, where, and what to do.

use std::path::PathBuf;
use thiserror::Error;

/// A plan, a bundle or a result that can't be used.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A file can't be read.
    #[error("{path} can't be read: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// A file can't be written.
    #[error("{path} can't be written: {why}", path = path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// A line is not what it should be.
    #[error("{path}:{line}: not {what}: {why}; make the plan again with `fathom plan`", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What it should be.
        what: &'static str,
        /// Why it is not.
        why: String,
    },
    /// The plan has another format.
    #[error("{path}: a plan of format {theirs}; this Fathom reads format {ours}: use the Fathom that made it, or plan again", path = path.display())]
    OtherFormat {
        /// The plan.
        path: PathBuf,
        /// Its format.
        theirs: u64,
        /// The format that is understood.
        ours: u64,
    },
    /// The plan was made by another version of Fathom, whose answers may differ.
    #[error("{path}: made by Fathom {theirs}, and this is {ours}: install the same version everywhere, or plan again", path = path.display())]
    OtherTool {
        /// The plan.
        path: PathBuf,
        /// The version that made it.
        theirs: String,
        /// The version that runs.
        ours: String,
    },
    /// A task's line was changed after it was planned.
    #[error("{path}:{line}: the task {id} was changed after it was planned; make the plan again with `fathom plan`", path = path.display())]
    Edited {
        /// The plan.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the task is called.
        id: String,
    },
    /// Tasks are missing, or there are too many.
    #[error("{path}: the header and the tasks do not belong together ({found} of {expected} tasks); copy the plan again", path = path.display())]
    Incomplete {
        /// The plan.
        path: PathBuf,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// No task has this name or number.
    #[error("{path}: no task {name}: a task is named by its number (1 to {tasks}) or by the beginning of its id", path = path.display())]
    NoTask {
        /// The plan.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// How many tasks there are.
        tasks: usize,
    },
    /// A file of a task is not in the bundle.
    #[error("{path}: the content of {name} is missing; copy the whole directory of the plan, with `files`", path = path.display())]
    MissingFile {
        /// Where it should be.
        path: PathBuf,
        /// The name of the file in its program.
        name: String,
    },
    /// A file of a task is not what it was.
    #[error("{path}: the content of {name} has changed since it was planned (its hash differs); copy it again, or plan again", path = path.display())]
    ChangedFile {
        /// Where it is.
        path: PathBuf,
        /// The name of the file in its program.
        name: String,
    },
    /// A file would be put outside of the directory of its task.
    #[error("{name}: a task's file has a relative name without `..`; make the plan again with `fathom plan`")]
    BadName {
        /// The name.
        name: String,
    },
    /// A result answers a question of another plan.
    #[error("{path}: a result of the plan {theirs}, and this is the plan {ours}; take it away", path = path.display())]
    OtherPlan {
        /// The result.
        path: PathBuf,
        /// The plan that it belongs to.
        theirs: String,
        /// The plan that it was found with.
        ours: String,
    },
    /// A result is damaged.
    #[error("{path}: a damaged result or part: {why}; remove it and run its task again", path = path.display())]
    Damaged {
        /// The result.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}
