//! The files of a plan, each under the hash of its content: equal files are stored once, and changed ones are detected.

use crate::error::PlanError;
use crate::files::{sha256, write_whole};
use crate::task::{FileRef, Task};
use std::path::{Component, Path, PathBuf};

/// The files of a plan.
#[derive(Clone, Debug)]
pub struct Bundle {
    directory: PathBuf,
}

impl Bundle {
    /// Of the plan in this directory.
    pub fn of(plan: &Path) -> Self {
        Self { directory: plan.join("files") }
    }

    /// Adds a file.
    pub fn add(&self, name: impl Into<String>, content: &[u8]) -> Result<FileRef, PlanError> {
        let hash = sha256(content);
        let path = self.directory.join(&hash);
        if std::fs::read(&path).ok().is_none_or(|known| known != content) {
            write_whole(&path, content)?;
        }
        Ok(FileRef { name: name.into(), sha256: hash })
    }

    /// Puts every file of a task into a directory, each checked against its hash.
    pub fn unpack(&self, task: &Task, into: &Path) -> Result<(), PlanError> {
        for FileRef { name, sha256: hash } in &task.question.files {
            let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            if !is_hash || !is_inside || name.is_empty() {
                return Err(PlanError::BadName { name: name.clone() });
            }
            let path = self.directory.join(hash);
            let content = match std::fs::read(&path) {
                Ok(content) => content,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    return Err(PlanError::MissingFile { path, name: name.clone() });
                }
                Err(error) => return Err(PlanError::Unreadable { path, why: error.to_string() }),
            };
            if sha256(&content) != *hash {
                return Err(PlanError::ChangedFile { path, name: name.clone() });
            }
            write_whole(&into.join(name), &content)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Question;

    fn task(files: Vec<FileRef>) -> Task {
        let question = Question {
            files,
            program: Vec::new(),
            properties: Vec::new(),
            engine: "auto".into(),
            timeout_ms: 1,
            memory: 1,
            bound: None,
            share: None,
            part: Vec::new(),
        };
        Task::new("a", "a", question)
    }

    #[test]
    fn files_come_back_or_are_refused() {
        let (plan, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let bundle = Bundle::of(plan.path());
        let file = bundle.add("src/a.c", b"int main;").unwrap();
        let stored = plan.path().join("files").join(&file.sha256);
        bundle.unpack(&task(vec![file.clone()]), place.path()).unwrap();
        assert_eq!(std::fs::read(place.path().join("src/a.c")).unwrap(), b"int main;");
        std::fs::write(&stored, "int mine;").unwrap();
        let unpack = |file: &FileRef| bundle.unpack(&task(vec![file.clone()]), place.path()).unwrap_err().to_string();
        assert!(unpack(&file).contains("src/a.c has changed"));
        // Adding the file again replaces the damaged copy.
        bundle.add("src/a.c", b"int main;").unwrap();
        bundle.unpack(&task(vec![file.clone()]), place.path()).unwrap();
        std::fs::remove_file(stored).unwrap();
        assert!(unpack(&file).contains("src/a.c is missing"));
        for name in ["../a.c", "/tmp/a.c", ""] {
            assert!(unpack(&FileRef { name: name.into(), ..file.clone() }).contains("relative name"), "{name}");
        }
        assert!(unpack(&FileRef { sha256: "../../x".into(), ..file }).contains("relative name"));
    }
}
