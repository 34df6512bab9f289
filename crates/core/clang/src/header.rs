//! `fathom.h`, with which programs write contracts: it is found without flags wherever Fathom calls clang.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

const NAME: &str = "fathom.h";
const TEXT: &str = include_str!("../include/fathom.h");

/// Flags with which clang finds the header, if this file names it. A header of that name that the program has wins.
pub fn header_flags(file: &Path) -> Vec<OsString> {
    static DIRECTORY: OnceLock<Option<TempDir>> = OnceLock::new();
    let names_it = std::fs::read(file).is_ok_and(|text| text.windows(NAME.len()).any(|part| part == NAME.as_bytes()));
    if !names_it {
        return Vec::new();
    }
    match DIRECTORY.get_or_init(write) {
        Some(directory) => vec!["-idirafter".into(), directory.path().into()],
        None => Vec::new(),
    }
}

fn write() -> Option<TempDir> {
    let directory = tempfile::tempdir().ok()?;
    std::fs::write(directory.path().join(NAME), TEXT).ok()?;
    Some(directory)
}
