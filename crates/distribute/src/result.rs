//! The result of a task: a header that says which task of which plan it answers, and the report of the run. The header
//! has the hash of the report, so a file that was truncated or damaged is detected.

use crate::error::PlanError;
use crate::files::{read, sha256, write_whole};
use crate::plan::Plan;
use crate::task::Task;
use fathom_paths::Prefix;
use fathom_report::Report;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FORMAT: u64 = 1;
const FOLDER: &str = "results";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Result,
}

#[derive(Serialize, Deserialize)]
struct Header {
    fathom: Kind,
    format: u64,
    plan: String,
    task: String,
    /// Of a part: where it begins.
    #[serde(default, skip_serializing_if = "Prefix::is_empty")]
    part: Prefix,
    /// Of the report's line.
    sha256: String,
}

/// What came out of a task.
#[derive(Clone, Debug)]
pub struct TaskResult {
    /// The task.
    pub task: String,
    /// The report of the run.
    pub report: Report,
}

impl TaskResult {
    /// The folder of results that belongs to a plan in this directory.
    pub fn folder(plan: &Path) -> PathBuf {
        plan.join(FOLDER)
    }

    /// Writes the result of a task into a folder.
    pub fn write(folder: &Path, plan: &Plan, task: &Task, report: &Report) -> Result<PathBuf, PlanError> {
        let path = folder.join(task.result_name());
        let problem = |error: serde_json::Error| PlanError::Unwritable { path: path.clone(), why: error.to_string() };
        let body = serde_json::to_string(report).map_err(problem)?;
        let (task, part, sha256) = (task.id.clone(), task.question.part.clone(), sha256(body.as_bytes()));
        let header = Header { fathom: Kind::Result, format: FORMAT, plan: plan.id.clone(), task, part, sha256 };
        let text = format!("{}\n{body}\n", serde_json::to_string(&header).map_err(problem)?);
        write_whole(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Reads one result.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, PlanError> {
        let damaged = |why: String| PlanError::Damaged { path: path.to_path_buf(), why };
        let text = String::from_utf8(read(path)?).map_err(|error| damaged(error.to_string()))?;
        let (first, rest) = text.split_once('\n').ok_or_else(|| damaged("it is cut short".into()))?;
        let header: Header = serde_json::from_str(first).map_err(|error| damaged(error.to_string()))?;
        if header.format != FORMAT {
            return Err(damaged(format!("it has format {}, and this Fathom reads format {FORMAT}", header.format)));
        }
        if header.plan != plan.id {
            return Err(PlanError::OtherPlan { path: path.to_path_buf(), theirs: header.plan, ours: plan.id.clone() });
        }
        let body = rest.strip_suffix('\n').ok_or_else(|| damaged("it is cut short".into()))?;
        if sha256(body.as_bytes()) != header.sha256 {
            return Err(damaged("the hash of its report differs".into()));
        }
        let is_known = |task: &Task| match header.part.is_empty() {
            true => task.id == header.task,
            false => task.can_be_split() && task.part(&header.part).id == header.task,
        };
        if !plan.tasks.iter().any(is_known) {
            return Err(damaged(format!("its plan has no task {}", header.task)));
        }
        let report = serde_json::from_str(body).map_err(|error| damaged(error.to_string()))?;
        Ok(Self { task: header.task, report })
    }

    /// The result of a task, if it is there and whole.
    pub fn of(folder: &Path, plan: &Plan, task: &Task) -> Option<Self> {
        Self::read(&folder.join(task.result_name()), plan).ok().filter(|result| result.task == task.id)
    }
}

/// Every result in some folders and files. A folder that is not there has none: nothing was done yet.
pub fn read_results(places: &[PathBuf], plan: &Plan) -> Result<Vec<TaskResult>, PlanError> {
    let mut paths = Vec::new();
    for place in places {
        match std::fs::read_dir(place) {
            Ok(entries) => paths.extend(entries.flatten().map(|entry| entry.path()).filter(|path| is_result(path))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => paths.push(place.clone()),
            Err(error) => return Err(PlanError::Unreadable { path: place.clone(), why: error.to_string() }),
        }
    }
    paths.sort();
    paths.iter().map(|path| TaskResult::read(path, plan)).collect()
}

/// What is being written has a name that begins with a dot.
fn is_result(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.ends_with(".jsonl") && !name.starts_with('.')
}
