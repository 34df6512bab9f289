//! Positions in the user's source, small enough to stand on every statement.

use std::path::{Path, PathBuf};

/// Index of a source file in `SourceFiles`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file, line and column; line 0 means that nothing is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Loc {
    /// No position.
    pub const UNKNOWN: Loc = Loc { file: FileId(u32::MAX), line: 0, column: 0 };

    /// Whether this is a position in a file.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

/// The files that locations point into.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    paths: Vec<PathBuf>,
}

impl SourceFiles {
    /// The id of a file; adds it if it is new.
    pub fn add(&mut self, path: &Path) -> FileId {
        if let Some(known) = self.paths.iter().position(|p| p == path) {
            return FileId(known as u32);
        }
        self.paths.push(path.to_path_buf());
        FileId(self.paths.len() as u32 - 1)
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize).map(PathBuf::as_path)
    }

    /// `file:line:column` for people.
    pub fn show(&self, loc: Loc) -> String {
        match self.path(loc.file) {
            Some(path) if loc.is_known() => format!("{}:{}:{}", path.display(), loc.line, loc.column),
            _ => "unknown location".to_string(),
        }
    }
}
