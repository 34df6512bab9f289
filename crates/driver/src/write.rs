//! Writes files completely or not at all: under a temporary name in the same directory, which is then renamed. The
//! temporary name is fixed, so that the supervisor can remove files of an aborted run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name under which a file comes into being, beside where a link leads.
fn part_of(path: &Path) -> Option<PathBuf> {
    let path = target_of(path);
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(".fathom-part");
    Some(path.with_file_name(name))
}

fn target_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Writes a file, whole; what is no plain file (a pipe, a device) is written to as it is. An error says which file and why.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{} can't be written: {error}", path.display());
    let part = part_of(path).filter(|_| path.metadata().map_or(true, |known| known.is_file()));
    let Some(part) = part else { return std::fs::write(path, content).map_err(problem) };
    let written = std::fs::write(&part, content).and_then(|()| std::fs::rename(&part, target_of(path)));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&part);
        problem(error)
    })
}

/// Removes what a run that was ended may have left of these files.
pub fn remove_parts<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) {
    for part in paths.into_iter().filter_map(|path| part_of(path)) {
        let _ = std::fs::remove_file(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        write_whole(&path, "first").unwrap();
        write_whole(&path, "second").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "second");
        // A directory of that name can't be replaced by a file: the reason is said, and nothing stays.
        let taken = directory.path().join("taken");
        std::fs::create_dir(&taken).unwrap();
        assert!(write_whole(&taken, "x").unwrap_err().contains("taken"));
        assert!(write_whole(&directory.path().join("no/such/file"), "x").unwrap_err().contains("No such file"));
        std::fs::write(part_of(&path).unwrap(), "half").unwrap();
        remove_parts([&path]);
        let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}
