//! The directory for temporary files. The supervising process of a run creates and removes it. If that process itself
//! is killed, the next run removes it: the owner of a directory holds a lock on a file in it as long as it lives, so a
//! directory without a lock has no owner.

use rustix::process::getuid;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const PREFIX: &str = "fathom-";
/// The file that is locked.
const OWNER: &str = ".fathom-owner";

/// A directory for everything temporary, until it is dropped.
pub(crate) struct Scratch {
    path: PathBuf,
    /// The lock.
    _owner: File,
}

impl Scratch {
    /// Makes one, told to children and libraries through TMPDIR. To be called while the process has one thread.
    pub fn make() -> Option<Self> {
        remove_abandoned(&std::env::temp_dir());
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir().ok()?.keep();
        let Some(owner) = claim(&path) else {
            let _ = std::fs::remove_dir_all(&path);
            return None;
        };
        // SAFETY: the process has one thread so far.
        unsafe { std::env::set_var("TMPDIR", &path) };
        Some(Self { path, _owner: owner })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The file gets its name only when it is locked, so it always has an owner.
fn claim(directory: &Path) -> Option<File> {
    let unnamed = directory.join(format!("{OWNER}-new"));
    let file = File::create_new(&unnamed).ok()?;
    file.try_lock().ok()?;
    std::fs::rename(unnamed, directory.join(OWNER)).ok()?;
    Some(file)
}

/// Removes what this user's runs left behind that were killed.
fn remove_abandoned(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // The entry itself, not where a link leads.
        let is_ours = || entry.metadata().is_ok_and(|known| known.is_dir() && known.uid() == getuid().as_raw());
        if is_named && is_ours() && is_abandoned(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(directory: &Path) -> bool {
    let owner = directory.join(OWNER);
    let is_file = owner.symlink_metadata().is_ok_and(|known| known.is_file());
    is_file && File::open(owner).is_ok_and(|owner| owner.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let [held, abandoned, foreign] = ["fathom-held", "fathom-gone", "fathom-other"].map(|name| place.path().join(name));
        for directory in [&held, &abandoned, &foreign] {
            std::fs::create_dir(directory).unwrap();
        }
        let owner = claim(&held).unwrap();
        // Released by name: a child that another test starts at this moment has a copy of the file until it executes its program.
        claim(&abandoned).unwrap().unlock().unwrap();
        std::fs::write(abandoned.join("big.bc"), "x").unwrap();
        remove_abandoned(place.path());
        assert!(held.exists() && !abandoned.exists() && foreign.exists());
        owner.unlock().unwrap();
        remove_abandoned(place.path());
        assert!(!held.exists() && foreign.exists());
    }
}
