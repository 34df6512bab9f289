//! A place in a text as people and editors read it, in the form of clang: `file:line:column: error: what`, then the line and a
//! mark below the place. Every message about a file that Fathom reads has this form; clang's own have it too.

use std::fmt::Write;
use std::ops::Range;

/// A message about some bytes of a text.
pub fn message(path: &str, text: &str, span: Range<usize>, kind: &str, what: &str) -> String {
    let start = floor(text, span.start);
    let end = floor(text, span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].split(['\n', '\r']).next().unwrap_or_default();
    let number = text[..start].matches('\n').count() + 1;
    let column = text[line_start..start].chars().count() + 1;
    let width = text[start..end].chars().take_while(|c| *c != '\n' && *c != '\r').count();
    format!("{path}:{number}:{column}: {kind}: {what}\n{}", marked(line, column, width))
}

/// A message about the place in this line and column, both from 1, up to the end of the word there.
pub fn message_at(path: &str, text: &str, line: usize, column: usize, kind: &str, what: &str) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[before..];
    let start = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    let word = rest[start..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len() - start);
    message(path, text, before + start..before + start + word, kind, what)
}

/// The line, and a mark of this width below this column (from 1); a long line is cut around the place.
pub fn marked(line: &str, column: usize, width: usize) -> String {
    const BEFORE: usize = 60;
    const AFTER: usize = 80;
    let text: Vec<char> = line.chars().collect();
    let at = column.saturating_sub(1).min(text.len());
    let from = if at > BEFORE + 20 { at - BEFORE } else { 0 };
    let to = text.len().min(at + AFTER);
    let shown: String = text[from..to].iter().map(|c| if c.is_control() && *c != '\t' { ' ' } else { *c }).collect();
    let pad: String = text[from..at].iter().map(|c| if *c == '\t' { '\t' } else { ' ' }).collect();
    let width = width.clamp(1, (to - at).max(1));
    let mut out = String::new();
    let _ = write!(out, "    {shown}\n    {pad}^{}\n", "~".repeat(width - 1));
    out
}

/// The nearest place at or before this one where a character begins.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_marked() {
        let text = "one = 1\ntwö = \"x\"\n";
        let at = text.find("\"x").unwrap();
        assert_eq!(message("a.toml", text, at..at + 3, "error", "bad"), "a.toml:2:7: error: bad\n    twö = \"x\"\n          ^~~\n");
        assert_eq!(message_at("a.toml", text, 1, 1, "error", "bad"), "a.toml:1:1: error: bad\n    one = 1\n    ^~~\n");
        // Places behind the end, and inside of a character.
        assert_eq!(message("a", "x", 9..12, "error", "bad"), "a:1:2: error: bad\n    x\n     ^\n");
        assert_eq!(message("a", "", 0..0, "error", "bad"), "a:1:1: error: bad\n    \n    ^\n");
        assert!(message("a", "ö", 1..1, "error", "bad").starts_with("a:1:1: "));
        assert!(message_at("a", "x\n", 7, 7, "error", "bad").starts_with("a:2:1: "));
    }
}
