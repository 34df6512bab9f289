//! Work for many machines: `plan` writes tasks and everything that they need into a directory, `run` runs one of them
//! in its own process, `merge` combines all results. A task's program includes its headers, so a worker needs only
//! Fathom, clang and this directory. `fathom_distribute` defines the data.

mod alarms;
mod plan;
mod run;
mod running;
mod split;
mod subjects;
mod svcomp;

pub use plan::{Per, PlanConfig, Planned, plan};
pub use run::{Ran, RunConfig, run_task};
pub use split::{SplitConfig, split};

use crate::error::Error;
use fathom_distribute::{Merged, Plan, PlanError, TaskResult, Tool, read_results};
use std::path::{Path, PathBuf};

/// Plans and results belong to the version that made them.
fn tool() -> Tool {
    Tool(env!("CARGO_PKG_VERSION").into())
}

/// The directory of a plan that is named by the directory or by its file.
fn directory_of(named: &Path) -> PathBuf {
    match named.is_dir() {
        true => named.to_path_buf(),
        false => named.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf(),
    }
}

/// What all results say together; those in the plan's own folder if none are named.
pub fn merge(named: &Path, results: &[PathBuf]) -> Result<Merged, Error> {
    let plan = Plan::read(&Plan::path(named), &tool())?;
    let own = [TaskResult::folder(&directory_of(named))];
    let results = read_results(if results.is_empty() { &own } else { results }, &plan)?;
    Ok(fathom_distribute::merge(&plan, &results))
}

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        let message = error.to_string();
        match error {
            PlanError::Unwritable { .. } => Error::Failed { reason: "a file can't be written".into(), message },
            _ => Error::bad_file(message),
        }
    }
}
