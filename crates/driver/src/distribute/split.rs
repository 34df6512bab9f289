//! Asks running tasks to hand on parts of their work.

use super::running::place;
use super::{directory_of, tool};
use crate::error::Error;
use crate::share;
use fathom_distribute::{Parts, Plan, Task, write_whole};
use std::path::PathBuf;

/// Who is to hand on how much.
#[derive(Clone, Debug)]
pub struct SplitConfig {
    /// The directory of the plan, or its `plan.jsonl`.
    pub plan: PathBuf,
    /// A number from 1, or the beginning of an id; without one, every task that runs.
    pub task: Option<String>,
    /// How many parts.
    pub parts: usize,
}

/// Asks, and tells who was asked.
pub fn split(config: &SplitConfig) -> Result<Vec<String>, Error> {
    let path = Plan::path(&config.plan);
    let plan = Plan::read(&path, &tool())?;
    let directory = directory_of(&config.plan);
    let parts = Parts::of(&directory);
    let named = |name: &str| -> Result<Task, Error> {
        match parts.task(&plan, name)? {
            Some(part) => Ok(part),
            None => Ok(plan.task(&path, name)?.clone()),
        }
    };
    let tasks = match &config.task {
        Some(name) => vec![named(name)?],
        None => {
            let running = std::fs::read_dir(directory.join("running")).into_iter().flatten().flatten();
            let mut names: Vec<String> = running.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names.iter().map(|name| named(name)).collect::<Result<_, _>>()?
        }
    };
    let mut asked = Vec::new();
    for task in tasks {
        let place = place(&directory, &task);
        if place.is_dir() {
            write_whole(&share::wanted_file(&place), config.parts.to_string().as_bytes())?;
            asked.push(task.name);
        } else if !task.can_be_split() {
            return Err(Error::Usage(format!("{}: only tasks of the engine explore can be split while they run", task.name)));
        }
    }
    Ok(asked)
}
