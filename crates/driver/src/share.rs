//! Splits an exploration among processes through a directory: a file is enough to ask for work, and a killed process
//! leaves its checkpoint. The directory has
//!
//! - `standing.json`: the checkpoint: what is to be explored and what has been done; written from time to time, and
//!   read at the start;
//! - `wanted`: the number of parts that an idle process asks for; they are handed on, and the file is removed;
//! - `handed-on`: a file for each part that was handed on, with the decisions that lead to it.

use fathom_distribute::{PlanError, sha256, write_whole};
use fathom_paths::{PathHash, Prefix};
use fathom_search::{Beginning, Sharing, Standing};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// At most this many parts are handed on at a time.
const MOST: usize = 1000;

/// A directory through which an exploration is shared.
pub(crate) struct SharedDirectory {
    path: PathBuf,
    /// One exploration is shared: another one in the same run is about what is left of the question.
    has_begun: Cell<bool>,
}

/// What is to be explored and what was done of it.
pub(crate) fn standing_file(directory: &Path) -> PathBuf {
    directory.join("standing.json")
}

/// The file by which parts are requested.
pub(crate) fn wanted_file(directory: &Path) -> PathBuf {
    directory.join("wanted")
}

/// Where the parts are that were handed on.
pub(crate) fn handed_on_folder(directory: &Path) -> PathBuf {
    directory.join("handed-on")
}

/// The parts that were handed on so far. What is not whole is not there yet.
pub(crate) fn handed_on(directory: &Path) -> Vec<Prefix> {
    let Ok(entries) = std::fs::read_dir(handed_on_folder(directory)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect()
}

/// The first line of `standing.json`; the second is the standing.
#[derive(Serialize, Deserialize)]
struct Header {
    /// Whose it is.
    task: String,
    /// Of the second line.
    sha256: String,
}

/// Notes how far a task is.
pub(crate) fn keep(directory: &Path, task: &str, standing: &Standing) -> Result<(), PlanError> {
    let body = serde_json::to_string(standing).unwrap_or_default();
    let header = Header { task: task.into(), sha256: sha256(body.as_bytes()) };
    let text = format!("{}\n{body}\n", serde_json::to_string(&header).unwrap_or_default());
    write_whole(&standing_file(directory), text.as_bytes())
}

/// How far a task was noted to be, if the note is whole: whose it is, and the standing.
pub(crate) fn noted(directory: &Path) -> Option<(String, Standing)> {
    let text = std::fs::read_to_string(standing_file(directory)).ok()?;
    let (first, rest) = text.split_once('\n')?;
    let header: Header = serde_json::from_str(first).ok()?;
    let body = rest.strip_suffix('\n').filter(|body| sha256(body.as_bytes()) == header.sha256)?;
    Some((header.task, serde_json::from_str(body).ok()?))
}

impl SharedDirectory {
    pub fn new(path: PathBuf) -> Self {
        Self { path, has_begun: Cell::new(false) }
    }
}

impl Sharing for SharedDirectory {
    fn begin(&self) -> Beginning {
        match (noted(&self.path), self.has_begun.replace(true)) {
            (Some((_, standing)), false) => Beginning::Shared(Box::new(standing)),
            (Some((_, standing)), true) if standing.prefix.is_empty() => Beginning::Alone,
            // Without a note it is unknown what was to be explored.
            (Some(_), true) | (None, _) => Beginning::Refused,
        }
    }

    fn wanted(&self) -> usize {
        let path = wanted_file(&self.path);
        let Ok(text) = std::fs::read_to_string(&path) else { return 0 };
        // It is answered once: who wants more asks again.
        if std::fs::remove_file(&path).is_err() {
            return 0;
        }
        text.trim().parse::<usize>().unwrap_or(1).min(MOST)
    }

    fn hand_on(&self, prefix: &Prefix) -> bool {
        let name = prefix.iter().fold(PathHash::start(), |hash, &decision| hash.then(decision));
        let path = handed_on_folder(&self.path).join(format!("{name}.json"));
        serde_json::to_vec(prefix).is_ok_and(|content| write_whole(&path, &content).is_ok())
    }

    fn keep(&self, standing: &Standing) {
        // If it can't be written, the next process goes on from an earlier state.
        if let Some((task, _)) = noted(&self.path) {
            let _ = keep(&self.path, &task, standing);
        }
    }
}
