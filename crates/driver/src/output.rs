//! The directories of `--out` and `--dump-queries`. Fathom never overwrites a user's file there: an existing directory
//! must be empty or have the mark of an earlier run. The mark lists the files that Fathom wrote, with their hashes, so
//! files that were added later, or edited since, are kept.

use crate::write::write_whole;
use fathom_base::sha256;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says that the directory is Fathom's.
const MARK: &str = ".fathom-out";

/// Files come into being under this name, whole: a run may be ended at any time.
const PART: &str = ".fathom-part";

const MARK_TEXT: &str = "Fathom writes here and may write over its files (SHA-256 and name), which are:\n";

/// The hashes of what Fathom wrote under each name, in this run or before.
type Own = BTreeMap<String, BTreeSet<String>>;

#[derive(Debug)]
pub(crate) struct OutDir {
    path: PathBuf,
    own: RefCell<Own>,
}

/// Removes what a run that was ended may have left of a file in this directory, if the directory is Fathom's.
pub fn remove_unfinished(directory: &Path) {
    if directory.join(MARK).exists() {
        let _ = std::fs::remove_file(directory.join(PART));
    }
}

fn parse_mark(text: &str) -> Own {
    let mut own = Own::new();
    for (hash, name) in text.lines().skip(1).filter_map(|line| line.split_once(' ')) {
        own.entry(name.to_string()).or_default().insert(hash.to_string());
    }
    own
}

impl OutDir {
    /// Makes the directory for this flag, or checks that it is ours; before the run, so that a mistake costs no time.
    pub fn prepare(flag: &str, path: &Path) -> Result<Self, String> {
        let problem = |what: String| format!("{flag} {}: {what}", path.display());
        if path.exists() {
            if !path.is_dir() {
                return Err(problem("this is a file; name a directory".into()));
            }
            let mut entries = std::fs::read_dir(path).map_err(|error| problem(format!("can't be read: {error}")))?;
            if !path.join(MARK).exists() && entries.next().is_some() {
                return Err(problem("the directory has files that Fathom did not write; name an empty or a new one".into()));
            }
        }
        let is_new = !path.exists();
        std::fs::create_dir_all(path).map_err(|error| problem(format!("can't be made: {error}")))?;
        let known = parse_mark(&std::fs::read_to_string(path.join(MARK)).unwrap_or_default());
        let directory = Self { path: path.to_path_buf(), own: RefCell::default() };
        let own: Own = known
            .into_iter()
            .filter_map(|(name, hashes)| {
                let hash = directory.hash_of(&name)?;
                hashes.contains(&hash).then(|| (name, BTreeSet::from([hash])))
            })
            .collect();
        let lines = own.iter().flat_map(|(name, hashes)| hashes.iter().map(move |hash| format!("{hash} {name}\n")));
        let text: String = std::iter::once(MARK_TEXT.to_string()).chain(lines).collect();
        // A mark that is cut short would make strangers of our files.
        write_whole(&path.join(MARK), text).map_err(|error| {
            if is_new {
                let _ = std::fs::remove_dir(path);
            }
            problem(error)
        })?;
        directory.own.replace(own);
        Ok(directory)
    }

    /// The hash of what is there under this name; none if nothing is.
    fn hash_of(&self, name: &str) -> Option<String> {
        let path = self.path.join(name);
        // Where a link leads is not ours.
        let is_link = path.symlink_metadata().ok()?.is_symlink();
        Some(std::fs::read(&path).ok().filter(|_| !is_link).map_or_else(String::new, |content| sha256(&content)))
    }

    /// Whether nothing is there under this name, or what Fathom wrote.
    pub fn is_free(&self, name: &str) -> bool {
        self.hash_of(name).is_none_or(|hash| self.own.borrow().get(name).is_some_and(|hashes| hashes.contains(&hash)))
    }

    /// Writes a file, which must be new or Fathom's own.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), String> {
        let path = self.path.join(name);
        let problem = |error: std::io::Error| format!("{} can't be written: {error}", path.display());
        if !self.is_free(name) {
            return Err(format!("{} is not Fathom's, or was changed since; it is not written over", path.display()));
        }
        let hash = sha256(content.as_ref());
        if self.own.borrow_mut().entry(name.to_string()).or_default().insert(hash.clone()) {
            let mut mark = OpenOptions::new().append(true).open(self.path.join(MARK)).map_err(problem)?;
            mark.write_all(format!("{hash} {name}\n").as_bytes()).map_err(problem)?;
        }
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(problem)?;
        let part = self.path.join(PART);
        std::fs::write(&part, content).and_then(|()| std::fs::rename(&part, &path)).map_err(|error| {
            remove_unfinished(&self.path);
            problem(error)
        })
    }

    /// Removes a file of Fathom's own; that it is gone already is fine.
    pub fn remove(&self, name: &str) {
        if self.own.borrow().contains_key(name) && self.is_free(name) {
            let _ = std::fs::remove_file(self.path.join(name));
        }
    }

    /// Removes what an earlier run left here under such names.
    pub fn remove_own(&self, matches: impl Fn(&str) -> bool) {
        let own: Vec<String> = self.own.borrow().keys().filter(|name| matches(name)).cloned().collect();
        own.iter().for_each(|name| self.remove(name));
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_directories() {
        let base = tempfile::tempdir().unwrap();
        let fresh = base.path().join("fresh");
        assert!(OutDir::prepare("--out", &fresh).is_ok());
        assert!(OutDir::prepare("--out", &fresh).is_ok(), "a second run may use it");
        let directory = OutDir::prepare("--out", &fresh).unwrap();
        directory.write("a/b.txt", "ours").unwrap();
        std::fs::write(fresh.join("c.txt"), "mine").unwrap();
        let again = OutDir::prepare("--out", &fresh).unwrap();
        again.write("a/b.txt", "ours again").unwrap();
        assert!(again.write("c.txt", "ours").unwrap_err().contains("not Fathom's"));
        // A name that was Fathom's is not when the file was edited or made anew by someone else since.
        again.write("edited.txt", "ours").unwrap();
        again.write("anew.txt", "ours").unwrap();
        again.remove("anew.txt");
        ["edited.txt", "anew.txt"].iter().for_each(|name| std::fs::write(fresh.join(name), "mine").unwrap());
        std::os::unix::fs::symlink(base.path().join("elsewhere"), fresh.join("link.txt")).unwrap();
        let again = OutDir::prepare("--out", &fresh).unwrap();
        for name in ["edited.txt", "anew.txt", "link.txt"] {
            assert!(again.write(name, "ours").unwrap_err().contains("changed since"), "{name}");
        }
        again.remove_own(|_| true);
        assert!(!fresh.join("a/b.txt").exists());
        ["c.txt", "edited.txt", "anew.txt"].iter().for_each(|name| assert_eq!(std::fs::read_to_string(fresh.join(name)).unwrap(), "mine"));
        let foreign = base.path().join("foreign");
        std::fs::create_dir(&foreign).unwrap();
        std::fs::write(foreign.join("report.txt"), "mine").unwrap();
        assert!(OutDir::prepare("--out", &foreign).unwrap_err().contains("did not write"));
        assert_eq!(std::fs::read_to_string(foreign.join("report.txt")).unwrap(), "mine");
        assert!(OutDir::prepare("--out", &foreign.join("report.txt")).unwrap_err().contains("this is a file"));
    }
}
