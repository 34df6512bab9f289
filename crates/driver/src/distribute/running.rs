//! A running task that can be split: the directory through which it is shared (`crate::share`), and the parts that it
//! hands on, which become tasks in addition to the plan. The directory outlives a killed process; when the task is run
//! again, it continues from there.

use crate::share;
use fathom_distribute::{Parts, Plan, Task};
use fathom_search::Standing;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between looks for parts that were handed on.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(super) struct Running<'a> {
    path: PathBuf,
    plan: &'a Plan,
    task: &'a Task,
    parts: Parts,
    looked: Cell<Instant>,
    known: Cell<usize>,
}

/// Where a task of the plan in this directory is shared while it runs.
pub(super) fn place(directory: &Path, task: &Task) -> PathBuf {
    directory.join("running").join(&task.id)
}

impl<'a> Running<'a> {
    /// Makes everything ready for the task; none if it can't be divided, or if there is no place for that.
    pub fn begin(directory: &Path, plan: &'a Plan, task: &'a Task) -> Result<Option<Self>, String> {
        if !task.can_be_split() {
            return Ok(None);
        }
        let path = std::path::absolute(place(directory, task)).map_err(|error| error.to_string())?;
        // What is damaged, or belongs to another task, says nothing of this one.
        let owner = format!("{} {}", plan.id, task.id);
        let is_own = |(known, standing): &(String, Standing)| *known == owner && standing.prefix == task.question.part;
        if !share::noted(&path).as_ref().is_some_and(is_own)
            && let Err(error) = share::keep(&path, &owner, &Standing::at(task.question.part.clone()))
        {
            return if task.question.part.is_empty() { Ok(None) } else { Err(error.to_string()) };
        }
        let (looked, known) = (Cell::new(Instant::now()), Cell::new(0));
        Ok(Some(Self { path, plan, task, parts: Parts::of(directory), looked, known }))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes tasks of the parts that were handed on since the last time.
    pub fn look(&self) {
        if self.looked.get().elapsed() < LOOK_EVERY {
            return;
        }
        self.looked.set(Instant::now());
        let prefixes = share::handed_on(&self.path);
        // What can't be written now is written the next time, or when the result is.
        if prefixes.len() != self.known.get() && self.parts.add(self.plan, self.task, &prefixes).is_ok() {
            self.known.set(prefixes.len());
        }
    }

    /// The task has its result.
    pub fn end(self) {
        let _ = std::fs::remove_dir_all(&self.path);
        let _ = self.path.parent().map(std::fs::remove_dir);
    }
}
