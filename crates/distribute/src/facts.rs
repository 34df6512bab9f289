//! Facts that runs leave for each other: conditions at loop heads that one run proved, as text. The folder of a program
//! has its hash as name, a file in it the hash of its own content. So files never collide, two runs may write at the
//! same time, and damaged or changed files are detected by their names. A stored fact is only a claim: a run that uses
//! it proves it again.

use crate::error::PlanError;
use crate::files::{PART, read, sha256, write_whole};
use crate::plan::Tool;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FORMAT: u64 = 1;
/// Says that the directory is a store of facts.
const MARK: &str = "fathom-facts";
/// Entries of one program that are read, in the order of their names: each costs proofs.
const MOST_ENTRIES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Facts,
}

/// Bytes of memory that a fact mentions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactCell {
    /// Where they are.
    pub pointer: String,
    /// How many.
    pub bytes: u64,
    /// Of an array that begins there, which one is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// In SMT-LIB, over the variables of the program.
    pub says: String,
    /// Memory that it mentions, by numbers in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<FactCell>,
}

/// What no call of a recursive procedure does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryFact {
    /// The procedure.
    pub procedure: String,
    /// Conditions about where calls start, in SMT-LIB.
    pub before: Vec<String>,
    /// Conditions about where they return; without these, calls do not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Vec<String>>,
}

/// What holds at the head of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopFacts {
    /// The procedure that the loop is in.
    pub procedure: String,
    /// The number of the block that its iterations begin with.
    pub block: u32,
    /// What that block is called.
    pub label: String,
    /// The conditions.
    pub facts: Vec<Fact>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    fathom: Kind,
    format: u64,
    tool: String,
    program: String,
    loops: Vec<LoopFacts>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    summaries: Vec<SummaryFact>,
}

/// What others left about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFacts {
    /// Loop by loop.
    pub loops: Vec<LoopFacts>,
    /// Of recursive procedures.
    pub summaries: Vec<SummaryFact>,
    /// Files that are no entries of this program and version: damaged, changed, or foreign.
    pub rejected: Vec<PathBuf>,
}

/// The facts about one program.
#[derive(Clone, Debug)]
pub struct FactStore {
    folder: PathBuf,
    program: String,
    tool: Tool,
}

impl FactStore {
    /// The store in this directory, which is created if it does not exist. A directory with other files is never
    /// written to.
    pub fn open(directory: &Path, program: &str, tool: Tool) -> Result<Self, PlanError> {
        let mark = directory.join(MARK);
        if !mark.exists() {
            // Somebody else may be making the mark.
            let is_foreign = |name: String| !name.starts_with(PART) && name != MARK;
            let mut entries = directory.read_dir().into_iter().flatten().flatten();
            if entries.any(|entry| is_foreign(entry.file_name().to_string_lossy().into_owned())) && !mark.exists() {
                let why = "it has files that are no facts; name a new directory".into();
                return Err(PlanError::Unwritable { path: directory.into(), why });
            }
            write_whole(&mark, b"Fathom keeps facts about programs here.\n")?;
        }
        Ok(Self { folder: directory.join(program), program: program.into(), tool })
    }

    /// Leaves facts for others.
    pub fn publish(&self, loops: Vec<LoopFacts>, summaries: Vec<SummaryFact>) -> Result<(), PlanError> {
        let entry =
            Entry { fathom: Kind::Facts, format: FORMAT, tool: self.tool.0.clone(), program: self.program.clone(), loops, summaries };
        let content = serde_json::to_vec(&entry).unwrap_or_default();
        let path = self.folder.join(name_of(&content));
        if read(&path).is_ok_and(|known| known == content) { Ok(()) } else { write_whole(&path, &content) }
    }

    /// What was left so far.
    pub fn known(&self) -> KnownFacts {
        let mut known = KnownFacts::default();
        let Ok(entries) = self.folder.read_dir() else { return known };
        // A file that is being written has another name.
        let is_whole = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_whole).collect();
        paths.sort();
        for path in paths.into_iter().take(MOST_ENTRIES) {
            match self.entry(&path) {
                Some(entry) => {
                    known.loops.extend(entry.loops);
                    known.summaries.extend(entry.summaries);
                }
                None => known.rejected.push(path),
            }
        }
        known
    }

    fn entry(&self, path: &Path) -> Option<Entry> {
        let content = read(path).ok()?;
        let is_whole = path.file_name().is_some_and(|name| name.to_string_lossy() == name_of(&content));
        let entry: Entry = serde_json::from_slice(&content).ok().filter(|_| is_whole)?;
        (entry.format == FORMAT && entry.tool == self.tool.0 && entry.program == self.program).then_some(entry)
    }
}

fn name_of(content: &[u8]) -> String {
    format!("{}.json", sha256(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(directory: &Path, program: &str) -> FactStore {
        FactStore::open(directory, program, Tool("1.2.3".into())).unwrap()
    }

    fn loops(says: &str) -> Vec<LoopFacts> {
        let cell = FactCell { pointer: "p".into(), bytes: 4, index: Some("i".into()) };
        let facts = vec![Fact { says: says.into(), cells: vec![cell] }];
        vec![LoopFacts { procedure: "main".into(), block: 1, label: "loop".into(), facts }]
    }

    #[test]
    fn what_was_left_is_found_once_and_by_its_own_program() {
        let directory = tempfile::tempdir().unwrap();
        let own = store(directory.path(), "a");
        assert_eq!(own.known(), KnownFacts::default());
        for says in ["x", "y", "x"] {
            own.publish(loops(says), Vec::new()).unwrap();
        }
        let known = own.known();
        assert_eq!((known.loops.len(), known.rejected.len()), (2, 0));
        assert!(known.loops.contains(&loops("x")[0]) && known.loops.contains(&loops("y")[0]));
        assert_eq!(store(directory.path(), "b").known(), KnownFacts::default());
    }

    #[test]
    fn what_is_torn_changed_or_foreign_is_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let own = store(directory.path(), "a");
        own.publish(loops("x"), Vec::new()).unwrap();
        let path = own.folder.read_dir().unwrap().next().unwrap().unwrap().path();
        let whole = std::fs::read(&path).unwrap();
        let rejected = |content: &[u8], to: &Path| {
            std::fs::write(to, content).unwrap();
            let known = own.known();
            assert_eq!((known.loops.len(), known.rejected), (usize::from(to != path), vec![to.to_path_buf()]));
        };
        rejected(&whole[..whole.len() / 2], &path);
        rejected(&String::from_utf8_lossy(&whole).replace("\"x\"", "\"z\"").into_bytes(), &path);
        std::fs::write(&path, &whole).unwrap();
        // With the right name, but of another version or program.
        for (theirs, ours) in [("1.2.3", "1.2.4"), ("\"program\":\"a\"", "\"program\":\"b\""), ("\"format\":1", "\"format\":2")] {
            let other = String::from_utf8_lossy(&whole).replace(theirs, ours).into_bytes();
            let name = own.folder.join(name_of(&other));
            rejected(&other, &name);
            std::fs::remove_file(&name).unwrap();
        }
    }

    #[test]
    fn a_directory_of_somebody_else_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("mine"), "").unwrap();
        let refused = FactStore::open(directory.path(), "a", Tool("1".into())).unwrap_err().to_string();
        assert!(refused.contains("no facts"), "{refused}");
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }
}
