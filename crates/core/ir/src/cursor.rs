//! One line of the text form, read from left to right: words, quoted texts, terms and sorts, with the column of
//! whatever is wrong.

use crate::print::quoted;
use fathom_term::smtlib::{ReadError, read_sort, read_symbol, read_term};
use fathom_term::{Sort, Term, TermStore, VarId};
use thiserror::Error;

/// Why a text is no program; line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    /// What was expected there, or what is wrong.
    pub message: String,
}

pub(crate) type Parsed<T> = Result<T, ParseError>;

pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    /// `text` is the line without its comment.
    pub fn new(text: &'a str, line: usize) -> Self {
        Self { text, at: 0, line }
    }

    /// An error at the current column.
    pub fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.at, message)
    }

    /// An error at the given column.
    pub fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Parsed<T> {
        let column = self.text[..at.min(self.text.len())].chars().count() + 1;
        Err(ParseError { line: self.line, column, message: message.into() })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks.
    pub fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Whether only blanks are left.
    pub fn is_done(&mut self) -> bool {
        self.skip_spaces();
        self.rest().is_empty()
    }

    /// An error if anything is left.
    pub fn expect_end(&mut self) -> Parsed<()> {
        if self.is_done() { Ok(()) } else { self.error("the end of the line is expected") }
    }

    /// Takes a punctuation mark if it comes next.
    pub fn take(&mut self, mark: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(mark);
        if found {
            self.at += mark.len();
        }
        found
    }

    /// Takes this word if it comes next, whole.
    pub fn take_word(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word_char));
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes a punctuation mark, or fails.
    pub fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.take(mark) { Ok(()) } else { self.error(format!("`{mark}` is expected")) }
    }

    /// Takes a word, or fails.
    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.error(format!("`{word}` is expected")) }
    }

    /// A plain word, possibly empty.
    pub fn plain_word(&mut self) -> &'a str {
        self.skip_spaces();
        let rest = self.rest();
        let end = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A plain word or a quoted text.
    pub fn name(&mut self) -> Parsed<String> {
        self.skip_spaces();
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        match self.plain_word() {
            "" => self.error("a name is expected"),
            word => Ok(word.to_string()),
        }
    }

    /// A text in double quotes.
    pub fn quoted(&mut self) -> Parsed<String> {
        self.expect("\"")?;
        let start = self.at;
        let end = closing(self.rest(), '"', true);
        let Some(end) = end else { return self.error_at(start, "the text is never closed") };
        let inner = &self.rest()[..end];
        self.at += end + 1;
        match unquoted(inner) {
            Some(text) => Ok(text),
            None => self.error_at(start, "the text has an unknown escape"),
        }
    }

    /// The rest of the line, serialised data.
    pub fn data<T: serde::de::DeserializeOwned>(&mut self) -> Parsed<T> {
        self.skip_spaces();
        let start = self.at;
        self.at = self.text.len();
        serde_json::from_str(&self.text[start..]).or_else(|error| self.error_at(start, error.to_string()))
    }

    /// The number that stands next.
    pub fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        self.skip_spaces();
        let start = self.at;
        match self.plain_word().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error_at(start, "a number is expected"),
        }
    }

    /// A block's name, such as `b3`.
    pub fn block(&mut self) -> Parsed<crate::BlockId> {
        self.skip_spaces();
        let start = self.at;
        match self.plain_word().strip_prefix('b').and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok(crate::BlockId(number)),
            None => self.error_at(start, "a block is expected"),
        }
    }

    /// `signed` or `unsigned`.
    pub fn signedness(&mut self) -> Parsed<bool> {
        if self.take_word("signed") {
            return Ok(true);
        }
        self.expect_word("unsigned").map(|()| false)
    }

    /// The text of an S-expression or an atom, and where it starts.
    fn expression(&mut self) -> Parsed<(usize, &'a str)> {
        self.skip_spaces();
        let start = self.at;
        let rest = self.rest();
        let mut depth = 0usize;
        let mut end = 0;
        while let Some(c) = rest[end..].chars().next() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => break,
                ')' => depth -= 1,
                '|' | '"' => match closing(&rest[end + 1..], c, false) {
                    Some(inner) => end += inner + 1,
                    None => return self.error_at(start + end, format!("`{c}` is never closed")),
                },
                ',' | '[' | ']' if depth == 0 => break,
                c if depth == 0 && c.is_whitespace() => break,
                _ => {}
            }
            end += c.len_utf8();
            if depth == 0 && c == ')' {
                break;
            }
        }
        if depth > 0 {
            return self.error_at(start, "`(` is never closed");
        }
        if end == 0 {
            return self.error("a term is expected");
        }
        self.at += end;
        Ok((start, &rest[..end]))
    }

    fn located<T>(&self, start: usize, result: Result<T, ReadError>) -> Parsed<T> {
        result.map_err(|error| {
            let before = self.text[..start].chars().count();
            let column = before + error.position.column as usize;
            ParseError { line: self.line, column, message: error.message }
        })
    }

    /// A term in SMT-LIB's notation.
    pub fn term(&mut self, store: &TermStore) -> Parsed<Term> {
        let (start, text) = self.expression()?;
        self.located(start, read_term(store, text))
    }

    /// A sort in SMT-LIB's notation.
    pub fn sort(&mut self, store: &TermStore) -> Parsed<Sort> {
        let (start, text) = self.expression()?;
        self.located(start, read_sort(store, text))
    }

    /// A symbol as SMT-LIB spells it.
    pub fn symbol(&mut self) -> Parsed<String> {
        let (start, text) = self.expression()?;
        self.located(start, read_symbol(text))
    }

    /// A variable of the store, by name.
    pub fn var(&mut self, store: &TermStore) -> Parsed<VarId> {
        self.skip_spaces();
        let start = self.at;
        let name = self.symbol()?;
        match store.find_var(&name) {
            Some(var) => Ok(var),
            None => self.error_at(start, format!("unknown variable {}", quoted(&name))),
        }
    }

    /// What `item` reads, separated by commas, up to something that is no comma.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A list in parentheses, possibly empty.
    pub fn enclosed<T>(&mut self, open: &str, close: &str, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(open)?;
        if self.take(close) {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(close)?;
        Ok(items)
    }

    /// Where the cursor is, to come back to.
    pub fn mark(&mut self) -> usize {
        self.skip_spaces();
        self.at
    }

    /// Moves the cursor back to a mark.
    pub fn back_to(&mut self, mark: usize) {
        self.at = mark;
    }
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.$-".contains(c)
}

/// Where the closing mark stands; a backslash may hide one.
fn closing(text: &str, mark: char, escapes: bool) -> Option<usize> {
    let mut hidden = false;
    for (at, c) in text.char_indices() {
        if c == mark && !hidden {
            return Some(at);
        }
        hidden = escapes && c == '\\' && !hidden;
    }
    None
}

/// Undoes the escapes of a quoted text.
pub(crate) fn unquoted(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            'u' => {
                let digits: String = chars.by_ref().take_while(|&c| c != '}').collect();
                let code = u32::from_str_radix(digits.strip_prefix('{')?, 16).ok()?;
                out.push(char::from_u32(code)?);
            }
            c @ ('"' | '\\') => out.push(c),
            _ => return None,
        }
    }
    Some(out)
}

/// Splits a line into its text and the comment behind `;`.
pub(crate) fn split_comment(line: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let inner = at + c.len_utf8();
        match c {
            ';' => return (line[..at].trim_end(), line[inner..].trim()),
            '"' | '|' => at = closing(&line[inner..], c, c == '"').map_or(line.len(), |end| inner + end + 1),
            _ => at = inner,
        }
    }
    (line.trim_end(), "")
}
