//! Lines of the user's files, read once each. If a file is missing, huge or not text, the report lacks the lines' text
//! but is still made.

use fathom_base::{FileId, Loc, SourceFiles};
use std::collections::BTreeMap;
use std::path::Path;

const LARGEST: u64 = 64 << 20;
const LONGEST_LINE: usize = 160;

/// Reads lines of source files.
pub struct SourceText<'a> {
    files: &'a SourceFiles,
    lines: BTreeMap<FileId, Vec<String>>,
}

impl<'a> SourceText<'a> {
    /// A reader for these files.
    pub fn new(files: &'a SourceFiles) -> Self {
        Self { files, lines: BTreeMap::new() }
    }

    /// The line at `loc` as it stands there, so that columns count.
    pub fn whole_line(&mut self, loc: Loc) -> Option<&str> {
        let path = self.files.path(loc.file).filter(|_| loc.is_known())?;
        let lines = self.lines.entry(loc.file).or_insert_with(|| read_lines(path));
        lines.get(loc.line as usize - 1).map(String::as_str)
    }

    /// The line at `loc` without the blanks around it.
    pub fn line(&mut self, loc: Loc) -> Option<String> {
        let line = self.whole_line(loc)?.trim();
        if line.is_empty() {
            return None;
        }
        if line.chars().count() <= LONGEST_LINE {
            return Some(line.to_string());
        }
        Some(line.chars().take(LONGEST_LINE).chain(" ...".chars()).collect())
    }
}

fn read_lines(path: &Path) -> Vec<String> {
    let small = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
    let text = if small { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
}
