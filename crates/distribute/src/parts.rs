//! Parts of tasks: a subtree that an exploration handed on becomes a task of its own, in a file next to the plan. Its
//! question consists of that of the whole and the decisions that lead to the part, and its id is a hash of these, so
//! the file cannot claim to be another part.

use crate::error::PlanError;
use crate::files::{read, write_whole};
use crate::plan::Plan;
use crate::task::{Question, Task};
use fathom_paths::Prefix;
use fathom_report::Report;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FORMAT: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Part,
}

#[derive(Serialize, Deserialize)]
struct File {
    fathom: Kind,
    format: u64,
    plan: String,
    task: Task,
}

/// The parts of the tasks of a plan.
#[derive(Clone, Debug)]
pub struct Parts {
    folder: PathBuf,
}

/// The task of the plan that this is a part of.
pub fn part_of<'a>(plan: &'a Plan, task: &Task) -> Option<&'a Task> {
    let whole = Task::new("", "", Question { part: Prefix::new(), ..task.question.clone() });
    plan.tasks.iter().find(|known| known.id == whole.id).filter(|known| known.can_be_split())
}

impl Parts {
    /// Of the plan in this directory.
    pub fn of(plan: &Path) -> Self {
        Self { folder: plan.join("parts") }
    }

    /// Notes that parts with these beginnings were handed on.
    pub fn add(&self, plan: &Plan, task: &Task, prefixes: &[Prefix]) -> Result<(), PlanError> {
        for task in prefixes.iter().map(|prefix| task.part(prefix)) {
            let path = self.folder.join(format!("{}.json", task.id));
            if !path.exists() {
                let file = File { fathom: Kind::Part, format: FORMAT, plan: plan.id.clone(), task };
                write_whole(&path, &serde_json::to_vec(&file).unwrap_or_default())?;
            }
        }
        Ok(())
    }

    /// The parts that this report hands on.
    pub fn handed_on(report: &Report) -> Vec<Prefix> {
        report.part.as_ref().and_then(|part| part.tree.part(&part.prefix).ok()).map(|seen| seen.handed_on).unwrap_or_default()
    }

    /// The part whose id begins so, if it is there and whole.
    pub fn task(&self, plan: &Plan, name: &str) -> Result<Option<Task>, PlanError> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Ok(None) };
        let is_meant = |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
        let mut paths = entries.flatten().map(|entry| entry.path()).filter(is_meant);
        match (paths.next().filter(|_| !name.is_empty()), paths.next()) {
            (Some(path), None) => self.read(plan, &path).map(Some),
            _ => Ok(None),
        }
    }

    fn read(&self, plan: &Plan, path: &Path) -> Result<Task, PlanError> {
        let damaged = |why: String| PlanError::Damaged { path: path.to_path_buf(), why };
        let file: File = serde_json::from_slice(&read(path)?).map_err(|error| damaged(error.to_string()))?;
        if file.plan != plan.id {
            return Err(PlanError::OtherPlan { path: path.to_path_buf(), theirs: file.plan, ours: plan.id.clone() });
        }
        if file.format != FORMAT || !file.task.is_genuine() || file.task.question.part.is_empty() || part_of(plan, &file.task).is_none() {
            return Err(damaged("it is no part of a task of its plan".into()));
        }
        Ok(file.task)
    }
}
