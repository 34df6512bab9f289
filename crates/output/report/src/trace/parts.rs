//! Finds the variables, members and elements that a source line mentions, without parsing the language: a name, its
//! suffixes (`.member`, `->member`, `[index]`) and the stars before it. That is enough to show the value of each part
//! of a condition, and to name a memory location as the line does.

/// One mention: `*name.member[index]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// Stars in front of it.
    pub stars: usize,
    pub steps: Vec<Step>,
    /// Where it stands in the text, in bytes.
    pub start: usize,
    pub end: usize,
}

/// What hangs on a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Member(String),
    Arrow(String),
    Index(String),
}

const KEYWORDS: &[&str] = &[
    "if", "else", "while", "for", "do", "return", "sizeof", "switch", "case", "default", "break", "continue", "goto", "int", "char",
    "long", "short", "unsigned", "signed", "float", "double", "void", "struct", "union", "enum", "const", "volatile", "static", "extern",
    "register", "_Bool", "bool", "size_t", "NULL", "true", "false", "inline", "typedef", "auto", "restrict", "assert",
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Everything that the text mentions, those inside of indices and arguments too, in order.
pub fn parts(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = after_literal(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = text[at..].find("*/").map_or(bytes.len(), |end| at + end + 2),
            b'0'..=b'9' => at = skip_words(bytes, at),
            b'-' if bytes.get(at + 1) == Some(&b'>') => at = skip_words(bytes, skip_blanks(bytes, at + 2)),
            b'.' => at = skip_words(bytes, skip_blanks(bytes, at + 1)),
            byte if is_word(byte) => at = mention(text, at, &mut found),
            _ => at += 1,
        }
    }
    found.sort_by_key(|part: &Part| part.start);
    found
}

/// Reads the mention that begins here; where to go on.
fn mention(text: &str, start: usize, found: &mut Vec<Part>) -> usize {
    let bytes = text.as_bytes();
    let mut at = skip_words(bytes, start);
    let name = &text[start..at];
    let after = skip_blanks(bytes, at);
    if matches!(name, "struct" | "union" | "enum" | "goto") {
        return skip_words(bytes, after);
    }
    if KEYWORDS.contains(&name) || bytes.get(after) == Some(&b'(') {
        return at;
    }
    let mut steps = Vec::new();
    loop {
        let next = skip_blanks(bytes, at);
        match (bytes.get(next), bytes.get(next + 1)) {
            (Some(b'.'), _) => {
                let word = skip_blanks(bytes, next + 1);
                at = skip_words(bytes, word);
                steps.push(Step::Member(text[word..at].to_string()));
            }
            (Some(b'-'), Some(b'>')) => {
                let word = skip_blanks(bytes, next + 2);
                at = skip_words(bytes, word);
                steps.push(Step::Arrow(text[word..at].to_string()));
            }
            (Some(b'['), _) => {
                let Some(close) = closing(bytes, next) else { break };
                let inside = &text[next + 1..close];
                let inner = parts(inside).into_iter();
                found.extend(inner.map(|part| Part { start: part.start + next + 1, end: part.end + next + 1, ..part }));
                steps.push(Step::Index(inside.trim().to_string()));
                at = close + 1;
            }
            _ => break,
        }
    }
    let (stars, start) = stars_before(bytes, start);
    found.push(Part { name: name.to_string(), stars, steps, start, end: at });
    at
}

/// Stars that follow a pointer, not those that multiply or declare.
fn stars_before(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut stars, mut at) = (0, start);
    while at > 0 && bytes[at - 1] == b'*' {
        (stars, at) = (stars + 1, at - 1);
    }
    let before = bytes[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
    let is_operand = |byte: &u8| is_word(*byte) || matches!(byte, b')' | b']');
    match before {
        Some(byte) if is_operand(byte) && !ends_with_return(&bytes[..at]) => (0, start),
        _ => (stars, at),
    }
}

fn ends_with_return(bytes: &[u8]) -> bool {
    bytes.trim_ascii_end().ends_with(b"return")
}

fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn after_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    at + 1
}

fn skip_words(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_word(bytes[at]) {
        at += 1;
    }
    at
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

/// The text between the parentheses behind this word.
pub fn argument_of<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let (start, end) = (from + found, from + found + word.len());
        let open = skip_blanks(bytes, end);
        if bytes.get(open) == Some(&b'(') && (start == 0 || !is_word(bytes[start - 1])) {
            return Some(between_parentheses(text, open));
        }
        from = end;
    }
    None
}

/// What stands between this parenthesis and the one that closes it, or the end of the text.
fn between_parentheses(text: &str, open: usize) -> &str {
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0, open);
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = after_literal(bytes, at) - 1,
            b'(' => depth += 1,
            b')' if depth == 1 => return text[open + 1..at].trim(),
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text[open + 1..].trim()
}

/// The word that stands at this column (from 1) of a line with its blanks.
pub fn word_at(line: &str, column: u32) -> Option<&str> {
    let start = (column as usize).checked_sub(1)?;
    let rest = line.get(start..)?;
    let word = &rest[..skip_words(rest.as_bytes(), 0)];
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        parts(text).into_iter().map(|part| text[part.start..part.end].to_string()).collect()
    }

    #[test]
    fn mentions_of_a_line() {
        assert_eq!(shown("assert(r->len < r->cap);"), ["r->len", "r->cap"]);
        assert_eq!(shown("buf[i + 1] = table[k].name[0]; // x"), ["buf[i + 1]", "i", "table[k].name[0]", "k"]);
        assert_eq!(shown("int *p = *q + a * b;"), ["p", "*q", "a", "b"]);
        assert_eq!(shown("return *p == 'x' && f(y) > 0x1f;"), ["*p", "y"]);
        assert_eq!(shown("x = \"a b\" [n];"), ["x", "n"]);
    }

    #[test]
    fn arguments_and_words() {
        assert_eq!(argument_of("  assert(f(a) < (b));", "assert"), Some("f(a) < (b)"));
        assert_eq!(argument_of("my_assert(x)", "assert"), None);
        assert_eq!(word_at("  p = malloc(4);", 7), Some("malloc"));
    }
}
