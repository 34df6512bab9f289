//! The source files that a page shows: decoded without loss, and, if they are too long to be shown completely, reduced
//! to the surroundings of the lines that the report mentions.

use serde::Serialize;
use std::collections::BTreeSet;

/// Larger files are not read.
const LARGEST: u64 = 32 << 20;
/// Files of more lines are shown in parts.
const MOST_LINES: usize = 12_000;
/// Lines around a mentioned one that are shown then.
const AROUND: usize = 60;
/// Longer lines are cut.
const LONGEST_LINE: usize = 2_000;

/// Consecutive lines.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of the first one, from 1.
    pub first: usize,
    pub lines: Vec<String>,
}

/// A file of the program.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct SourceFile {
    /// As the report calls it.
    pub name: String,
    /// `C` or `Boogie`, for colours.
    pub language: &'static str,
    /// Whether it is not UTF-8 and each byte is shown as the character with that number. Columns count bytes.
    pub is_latin: bool,
    /// Empty if it can't be read.
    pub parts: Vec<Part>,
}

/// The bytes of a file, if it is one and not huge.
pub fn read(path: &str) -> Option<Vec<u8>> {
    std::fs::metadata(path).ok().filter(|known| known.is_file() && known.len() <= LARGEST)?;
    std::fs::read(path).ok()
}

impl SourceFile {
    /// A file with the lines that are mentioned.
    pub fn new(name: &str, bytes: Option<&[u8]>, mentioned: &BTreeSet<u32>) -> Self {
        let language = if name.ends_with(".bpl") { "Boogie" } else { "C" };
        // Bitcode is no text; a zero byte in a C file would be an error.
        let bytes = bytes.filter(|bytes| !bytes.contains(&0)).map(|bytes| bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let Some(bytes) = bytes else { return Self { name: name.into(), language, is_latin: false, parts: Vec::new() } };
        let (text, is_latin) = match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_string(), false),
            Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), true),
        };
        let lines: Vec<String> = text.lines().map(short).collect();
        Self { name: name.into(), language, is_latin, parts: parts(lines, mentioned) }
    }
}

fn short(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_string(),
    }
}

fn parts(lines: Vec<String>, mentioned: &BTreeSet<u32>) -> Vec<Part> {
    if lines.len() <= MOST_LINES {
        return vec![Part { first: 1, lines }];
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut next = 1;
    for &line in mentioned {
        let (first, last) = ((line as usize).saturating_sub(AROUND).max(next), (line as usize + AROUND).min(lines.len()));
        if first > last {
            continue;
        }
        let more = lines[first - 1..last].iter().cloned();
        match parts.last_mut().filter(|part| part.first + part.lines.len() == first) {
            Some(part) => part.lines.extend(more),
            None => parts.push(Part { first, lines: more.collect() }),
        }
        next = last + 1;
    }
    if parts.is_empty() { vec![Part { first: 1, lines: lines.into_iter().take(MOST_LINES).collect() }] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let of = |bytes: &[u8]| SourceFile::new("a.c", Some(bytes), &BTreeSet::new());
        let (utf8, latin) = (of("\u{feff}int gr\u{f6}\u{df}e;\r\n\n".as_bytes()), of(b"int gr\xf6\xdfe;\n"));
        assert_eq!(utf8.parts[0].lines, ["int gr\u{f6}\u{df}e;", ""]);
        assert_eq!((latin.parts[0].lines[0].as_str(), latin.is_latin, utf8.is_latin), ("int gr\u{f6}\u{df}e;", true, false));
        assert!(of(b"BC\xc0\xde\0\0").parts.is_empty() && SourceFile::new("a.bpl", None, &BTreeSet::new()).parts.is_empty());
    }

    #[test]
    fn long_files_are_shown_in_parts() {
        let text: String = (1..=20_000).map(|line| format!("line {line}\n")).collect();
        let file = SourceFile::new("a.c", Some(text.as_bytes()), &BTreeSet::from([5, 40, 10_000, 20_000]));
        let ends: Vec<(usize, usize)> = file.parts.iter().map(|part| (part.first, part.first + part.lines.len() - 1)).collect();
        assert_eq!(ends, [(1, 100), (9_940, 10_060), (19_940, 20_000)]);
        assert_eq!(file.parts[1].lines[60], "line 10000");
    }
}
