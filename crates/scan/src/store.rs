//! Results that are kept from scan to scan. Each is in a file of its own, named by a hash of everything that it depends
//! on, so outdated results need not be deleted: they are simply not found any more. Files are written completely or not
//! at all, so concurrent or aborted scans leave no wrong files. If the store cannot be used, the scan takes longer but
//! does not fail.

use fathom_base::sha256_of;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The SHA-256 of parts, each with its length, in hexadecimal digits.
pub fn digest(parts: &[&str]) -> String {
    sha256_of(parts.iter().flat_map(|part| [(part.len() as u64).to_le_bytes().to_vec(), part.as_bytes().to_vec()]))
}

/// A directory of results.
#[derive(Debug, Default)]
pub struct Store {
    directory: Option<PathBuf>,
    /// Locked while this scan runs.
    _lock: Option<File>,
}

const LOCK: &str = "lock";
const RESULTS: &str = "results";
/// What says to version control that none of this is the user's.
const IGNORE: &str = ".gitignore";

impl Store {
    /// A store that keeps nothing.
    pub fn nowhere() -> Store {
        Store::default()
    }

    /// The store in this directory, which is made if it is not there; with a warning if it can't be used, or if another scan
    /// uses it (both may: what one finds the other takes).
    pub fn open(directory: &Path) -> (Store, Option<String>) {
        let problem = |error: std::io::Error| {
            Some(format!("{} can't be used as a store ({error}); nothing is kept of this scan", directory.display()))
        };
        let results = directory.join(RESULTS);
        if let Err(error) = std::fs::create_dir_all(&results) {
            return (Store::nowhere(), problem(error));
        }
        let lock = match File::options().create(true).append(true).open(directory.join(LOCK)) {
            Ok(lock) => lock,
            Err(error) => return (Store::nowhere(), problem(error)),
        };
        let _ = std::fs::write(directory.join(IGNORE), "*\n");
        let note = match lock.try_lock() {
            Ok(()) => None,
            Err(TryLockError::WouldBlock) => {
                Some(format!("another scan uses {} as well; each takes what the other has found", directory.display()))
            }
            Err(TryLockError::Error(error)) => return (Store::nowhere(), problem(error)),
        };
        (Store { directory: Some(results), _lock: Some(lock) }, note)
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{key}.json")))
    }

    /// The result under a key; none if there is none, or if the file is damaged.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let text = std::fs::read(self.path(key)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Keeps a result. An error is for the user, once.
    pub fn put<T: Serialize>(&self, key: &str, result: &T) -> Result<(), String> {
        let Some(path) = self.path(key) else { return Ok(()) };
        let problem = |why: String| format!("{} can't be written: {why}", path.display());
        let text = serde_json::to_vec(result).map_err(|error| problem(error.to_string()))?;
        // Two scans at once have different parts.
        let part = path.with_extension(format!("part-{}", std::process::id()));
        std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &path)).map_err(|error| {
            let _ = std::fs::remove_file(&part);
            problem(error.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let (store, note) = Store::open(&directory.path().join("store"));
        assert_eq!(note, None);
        assert_eq!(store.get::<u32>("a"), None);
        store.put("a", &7u32).unwrap();
        assert_eq!(store.get::<u32>("a"), Some(7));
        let (second, note) = Store::open(&directory.path().join("store"));
        assert!(note.unwrap().contains("another scan"));
        assert_eq!(second.get::<u32>("a"), Some(7));
        std::fs::write(directory.path().join("store/results/a.json"), "damaged").unwrap();
        assert_eq!(store.get::<u32>("a"), None);
    }

    #[test]
    fn a_store_that_cannot_be_is_said() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("file"), "").unwrap();
        let (store, note) = Store::open(&directory.path().join("file/store"));
        assert!(note.unwrap().contains("can't be used"));
        store.put("a", &1u32).unwrap();
        assert_eq!(store.get::<u32>("a"), None);
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
