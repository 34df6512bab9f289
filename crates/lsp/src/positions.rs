//! From lines and columns of a report to positions of an editor. Clang counts columns in bytes and the Boogie front end
//! in characters, both from 1; editors count UTF-16 units from 0. The text of the line determines how they correspond.
//! A report gives a point; the editor underlines the word or operator that begins there.

use gen_lsp_types::{Position, Range};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The lines of files that were read.
#[derive(Default)]
pub struct Lines {
    files: BTreeMap<PathBuf, Vec<Vec<u8>>>,
}

impl Lines {
    fn of(&mut self, path: &Path) -> &[Vec<u8>] {
        self.files.entry(path.to_path_buf()).or_insert_with(|| split(&std::fs::read(path).unwrap_or_default()))
    }

    /// What begins at this line and column; the whole line if the column is 0, the first line if the line is 0.
    pub fn range(&mut self, path: &Path, line: u32, column: u32) -> Range {
        let counts_characters = path.extension().is_some_and(|extension| extension == "bpl");
        let lines = self.of(path);
        let number = line.saturating_sub(1).min(lines.len().saturating_sub(1) as u32);
        let text = lines.get(number as usize).map(Vec::as_slice).unwrap_or_default();
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let before = (column.saturating_sub(1) as usize).min(text.len());
        let (start, rest) = match column {
            0 => whole(text),
            _ if counts_characters => after_characters(text, before),
            _ => after_bytes(text, before),
        };
        let end = start + if column == 0 { units(rest.trim_end()) } else { units(first_token(&rest)) };
        Range { start: Position { line: number, character: start }, end: Position { line: number, character: end } }
    }
}

fn split(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// The number of UTF-16 units.
fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

fn whole(line: &[u8]) -> (u32, String) {
    let text = String::from_utf8_lossy(line);
    let rest = text.trim_start();
    (units(&text[..text.len() - rest.len()]), rest.to_string())
}

fn after_bytes(line: &[u8], count: usize) -> (u32, String) {
    let (before, rest) = line.split_at(count);
    (units(&String::from_utf8_lossy(before)), String::from_utf8_lossy(rest).into_owned())
}

fn after_characters(line: &[u8], count: usize) -> (u32, String) {
    let text = String::from_utf8_lossy(line);
    let before: String = text.chars().take(count).collect();
    (units(&before), text.chars().skip(count).collect())
}

/// The name, number or operator that a text begins with; at least one character.
fn first_token(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_operator = |c: char| "+-*/%<>=!&|^:".contains(c);
    let length = |belongs: &dyn Fn(char) -> bool| text.find(|c| !belongs(c)).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    let length = match text.chars().next() {
        Some(c) if is_name(c) => length(&is_name),
        Some(c) if is_operator(c) => length(&is_operator),
        _ => first,
    };
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(name: &str, text: &[u8], line: u32, column: u32) -> (u32, u32, u32) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        let range = Lines::default().range(&path, line, column);
        assert_eq!(range.start.line, range.end.line);
        (range.start.line, range.start.character, range.end.character)
    }

    #[test]
    fn bytes_become_utf_16_units() {
        // é has two bytes and one unit, 𝔸 four bytes and two units.
        let line = "int é = /* 𝔸 */ next(x) / y;\r\n".as_bytes();
        let column = |word: &[u8]| line.windows(word.len()).position(|at| at == word).unwrap() as u32 + 1;
        assert_eq!(range("a.c", line, 1, column(b"next")), (0, 17, 21));
        assert_eq!(range("a.c", line, 1, column(b"/ y")), (0, 25, 26));
        assert_eq!(range("a.bpl", line, 1, 17), (0, 17, 21));
    }

    #[test]
    fn places_that_are_not_known() {
        let text = b"\n  return 0;\n";
        assert_eq!(range("a.c", text, 2, 0), (1, 2, 11));
        assert_eq!(range("a.c", text, 0, 0), (0, 0, 0));
        assert_eq!(range("a.c", text, 99, 7), (2, 0, 0), "the file is shorter now");
        assert_eq!(range("a.c", text, 2, 99), (1, 11, 11));
        assert_eq!(range("a.c", b"", 3, 3), (0, 0, 0));
        assert_eq!(range("a.c", b"\xff\xfe = x;", 1, 6), (0, 5, 6), "bytes that are no text");
    }
}
