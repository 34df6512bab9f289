//! The text of the program and places in it. A span counts bytes, so it is exact whatever the encoding and line endings;
//! lines and columns (columns count characters, as editors do) are computed when they are printed.

use fathom_base::{FileId, Loc};
use std::path::{Path, PathBuf};

/// The bytes `start..end` of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The number of the file in `Sources`.
    pub file: u32,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// From the beginning of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file { Span { end: other.end.max(self.end), ..self } } else { self }
    }
}

#[derive(Clone, Debug)]
struct SourceText {
    path: PathBuf,
    text: String,
    line_starts: Vec<u32>,
    /// For each line whether its columns are its bytes; then a place in a very long line costs nothing.
    ascii: Vec<bool>,
}

/// The files that spans point into, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceText>,
}

impl Sources {
    /// Adds a file and gives its number. Text after four gigabytes has no positions; the caller refuses such files.
    pub fn add(&mut self, path: &Path, text: String) -> u32 {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        let ascii = text.split('\n').map(str::is_ascii).collect();
        self.files.push(SourceText { path: path.to_path_buf(), text, line_starts, ascii });
        self.files.len() as u32 - 1
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The path of a file, as the user gave it.
    pub fn path(&self, file: u32) -> &Path {
        &self.files[file as usize].path
    }

    /// The whole text of a file.
    pub fn text(&self, file: u32) -> &str {
        &self.files[file as usize].text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Line and column of the beginning of a span, both from 1.
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        let file = &self.files[span.file as usize];
        let line = file.line_starts.partition_point(|start| *start <= span.start) - 1;
        if file.ascii[line] {
            return (line as u32 + 1, span.start - file.line_starts[line] + 1);
        }
        let before = file.text.get(file.line_starts[line] as usize..span.start as usize).unwrap_or_default();
        (line as u32 + 1, before.chars().count() as u32 + 1)
    }

    /// The location of a span for the intermediate representation; `files` maps this crate's file numbers to its own.
    pub fn loc(&self, span: Span, files: &[FileId]) -> Loc {
        let (line, column) = self.line_column(span);
        Loc { file: files[span.file as usize], line, column }
    }

    /// The line in which a span begins, without its end.
    pub fn line_text(&self, span: Span) -> &str {
        let file = &self.files[span.file as usize];
        let line = file.line_starts.partition_point(|start| *start <= span.start) - 1;
        let end = file.line_starts.get(line + 1).map_or(file.text.len(), |next| *next as usize);
        file.text[file.line_starts[line] as usize..end].trim_end_matches(['\n', '\r'])
    }
}
