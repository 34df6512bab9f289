//! Positions in the user's source, small enough to stand on every statement.

use std::path::{Path, PathBuf};

/// Index of a source file in `SourceFiles`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file, line and column; line 0 means that nothing is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// The file that the position is in; see [`Loc::UNKNOWN`] for none.
    pub file: FileId,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
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

/// Where the sources of the C library for analysed programs are said to lie.
pub const LIBRARY: &str = "fathom-runtime";

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

    /// Whether the place is in Fathom's own C library.
    pub fn is_of_library(&self, loc: Loc) -> bool {
        loc.is_known() && self.path(loc.file).is_some_and(|path| path.starts_with(LIBRARY))
    }

    /// `file:line:column` for people.
    pub fn show(&self, loc: Loc) -> String {
        match self.path(loc.file) {
            Some(path) if loc.is_known() => format!("{}:{}:{}", path.display(), loc.line, loc.column),
            _ => "unknown location".to_string(),
        }
    }
}
