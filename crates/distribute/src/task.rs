//! A task: one question about one program, with the limits for it. Its id is a hash of everything that the answer
//! depends on, the contents of files included, so two tasks with the same id are the same task, and manual changes are
//! detected.

use crate::files::sha256;
use fathom_paths::{PathHash, Prefix};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A file of a task: its name in the directory where the task runs, and the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// A relative path.
    pub name: String,
    /// Of its content, in hexadecimal digits.
    pub sha256: String,
}

impl FileRef {
    /// Whether it states a property, and is no part of the program.
    fn is_property(&self) -> bool {
        Path::new(&self.name).extension().is_some_and(|extension| extension == "prp")
    }
}

/// What is asked, of what, and with which limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Everything that is read.
    pub files: Vec<FileRef>,
    /// The words for `fathom verify` that say which program is meant and how it is understood.
    pub program: Vec<String>,
    /// What each `--property` says; without any, the default.
    pub properties: Vec<String>,
    /// The engine.
    pub engine: String,
    /// Milliseconds that a run may take.
    pub timeout_ms: u64,
    /// Bytes that a run may take.
    pub memory: u64,
    /// The only bound of loops that is tried, or the only k of an induction; without one, more and more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u64>,
    /// Which share of the checks is meant, from 1, and how many there are; without one, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<(u64, u64)>,
    /// The decisions that lead to the part of the program's paths that is meant; without any, all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub part: Prefix,
}

impl Question {
    /// What tells programs apart: tasks about one program can be put together.
    pub fn program_key(&self) -> String {
        let files: Vec<&FileRef> = self.files.iter().filter(|file| !file.is_property()).collect();
        key(&(files, &self.program))
    }

    /// The words for `fathom verify` after the command.
    pub fn arguments(&self) -> Vec<String> {
        let named = |flag: &str, value: String| [flag.to_string(), value];
        let mut words: Vec<String> = ["--json", "--no-config"].map(String::from).into();
        words.extend(named("--engine", self.engine.clone()));
        words.extend(named("--timeout", format!("{}ms", self.timeout_ms)));
        words.extend(named("--memory", self.memory.to_string()));
        words.extend(self.properties.iter().flat_map(|property| named("--property", property.clone())));
        words.extend(self.bound.iter().flat_map(|bound| self.words_for(*bound)));
        words.extend(self.share.iter().flat_map(|(number, of)| named("--share-of-checks", format!("{number}/{of}"))));
        words.extend(self.program.iter().cloned());
        words
    }

    fn words_for(&self, bound: u64) -> Vec<String> {
        let flags: &[&str] = if self.engine == KIND { &["--first-k", "--max-k"] } else { &["--unwind"] };
        flags.iter().flat_map(|flag| [flag.to_string(), bound.to_string()]).collect()
    }

    /// Whether an engine's work can be divided by bounds.
    pub fn has_bounds(engine: &str) -> bool {
        [KIND, "bmc"].contains(&engine)
    }

    /// What is asked, for people.
    pub fn asked(&self) -> String {
        match self.properties.as_slice() {
            [] => "the default".into(),
            properties => properties.join(","),
        }
    }
}

fn key(value: &impl Serialize) -> String {
    let text = serde_json::to_vec(value).unwrap_or_default();
    sha256(&text)[..24].to_string()
}

/// The engine whose bound is the k of an induction.
const KIND: &str = "kind";

/// In names of tasks that are parts of others, in front of what tells them apart.
const PART: &str = " part ";

/// A line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// A hash of the question.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The program, for people: what `name` begins with.
    pub subject: String,
    /// What is asked.
    pub question: Question,
}

impl Task {
    /// A task with its id.
    pub fn new(subject: impl Into<String>, name: impl Into<String>, question: Question) -> Self {
        Self { id: key(&question), name: name.into(), subject: subject.into(), question }
    }

    /// Whether the id is that of the question.
    pub fn is_genuine(&self) -> bool {
        self.id == key(&self.question)
    }

    /// The task for a part of this one's paths, or of those of the task that this is a part of.
    pub fn part(&self, prefix: &Prefix) -> Self {
        let hash = prefix.iter().fold(PathHash::start(), |hash, &decision| hash.then(decision)).to_string();
        let whole = self.name.split(PART).next().unwrap_or_default();
        Self::new(&self.subject, format!("{whole}{PART}{}", &hash[..8]), Question { part: prefix.clone(), ..self.question.clone() })
    }

    /// Whether its work can be split while it runs.
    pub fn can_be_split(&self) -> bool {
        self.question.engine == "explore" && self.question.share.is_none()
    }

    /// Whether a worker needs clang for it.
    pub fn needs_clang(&self) -> bool {
        !self.question.files.iter().any(|file| file.name.to_ascii_lowercase().ends_with(".bpl"))
    }

    /// The name of its result.
    pub fn result_name(&self) -> String {
        format!("{}.jsonl", self.id)
    }
}
