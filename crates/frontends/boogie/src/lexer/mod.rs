//! Text to tokens. Comments nest, names may contain `'~#$^_.?` and the backtick, `#if`, `#elsif`, `#else`, `#endif` and
//! `#line` at the start of a line are directives as in Boogie (the only symbol that is defined is `FILE_n` in the n-th
//! file, from 0, so a plain `#if X` is false). Bytes
//! that mean nothing are one error each run of them, not a panic.

mod directives;
mod numbers;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind, sign};
use fathom_base::FxMap;
use std::rc::Rc;

/// The tokens of a file, and what in it is none.
pub fn tokens(file: u32, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        out: Vec::new(),
        errors: Vec::new(),
        names: FxMap::default(),
        conditions: Vec::new(),
    };
    lexer.run();
    (lexer.out, lexer.errors)
}

struct Lexer<'a> {
    file: u32,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: Vec<Token>,
    errors: Vec<Diagnostic>,
    names: FxMap<&'a str, Rc<str>>,
    /// Open `#if`s: where, and whether `#else` was seen.
    conditions: Vec<(Span, bool)>,
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"'~#$^_.?`".contains(&byte)
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

impl<'a> Lexer<'a> {
    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let span = self.span(start);
        self.out.push(Token { kind, span });
    }

    fn error(&mut self, start: usize, message: impl Into<String>) {
        let span = self.span(start);
        self.errors.push(Diagnostic::error(span, message));
    }

    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        while self.at < self.bytes.len() {
            let start = self.at;
            let byte = self.bytes[start];
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.at = self.line_end(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'#' if self.at_line_start() && self.directive() => {}
                b'"' => self.string(),
                b'\\' if is_name_start(self.peek(1)) => self.name(true),
                b'-' if self.peek(1) == b'0' && self.peek(2) == b'x' => {
                    if !self.float() {
                        self.punctuation();
                    }
                }
                _ if byte.is_ascii_digit() => self.number(),
                _ if is_name_start(byte) => self.name(false),
                _ if byte < 128 => self.punctuation(),
                _ => self.sign(),
            }
        }
        if let Some((span, _)) = self.conditions.pop() {
            self.errors.push(Diagnostic::error(span, "this #if has no #endif"));
        }
        let start = self.at;
        self.push(start, TokenKind::End);
    }

    fn line_end(&self) -> usize {
        self.bytes[self.at..].iter().position(|b| *b == b'\n').map_or(self.bytes.len(), |n| self.at + n)
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while self.at < self.bytes.len() {
            match (self.bytes[self.at], self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let end = self.at;
        self.at = start + 2;
        self.error(start, "this comment is not terminated");
        self.at = end;
    }

    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\\' if self.peek(1) == b'"' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    let text = &self.text[start + 1..self.at - 1];
                    self.push(start, TokenKind::Str(text.into()));
                    return;
                }
                b'\n' | b'\r' => break,
                _ => self.at += 1,
            }
        }
        // `"...\"` at the end of a line is a string that ends with a backslash.
        if self.bytes[start + 1..self.at].ends_with(b"\"") {
            let text = &self.text[start + 1..self.at - 1];
            self.push(start, TokenKind::Str(text.into()));
            return;
        }
        self.error(start, "this string is not terminated");
    }

    fn name(&mut self, escaped: bool) {
        let start = self.at;
        self.at += 1;
        while is_name_part(self.peek(0)) && self.at < self.bytes.len() {
            self.at += 1;
        }
        let text = &self.text[start + usize::from(escaped)..self.at];
        let keyword = if escaped { None } else { Keyword::of(text) };
        let kind = match keyword {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Ident { name: self.names.entry(text).or_insert_with(|| text.into()).clone(), escaped },
        };
        self.push(start, kind);
    }

    fn punctuation(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start..];
        match Punct::ALL.iter().find(|punct| rest.starts_with(punct.text().as_bytes())) {
            Some(punct) => {
                self.at += punct.text().len();
                self.push(start, TokenKind::Punct(*punct));
            }
            None => {
                self.at += 1;
                let byte = self.bytes[start];
                let shown = if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("the byte {byte:#04x}") };
                self.error(start, format!("{shown} has no meaning here"));
            }
        }
    }

    /// One of the mathematical signs, or an error for a run of foreign letters.
    fn sign(&mut self) {
        let start = self.at;
        let first = self.text[start..].chars().next().expect("inside the text");
        self.at += first.len_utf8();
        if let Some(kind) = sign(first) {
            return self.push(start, kind);
        }
        if first.is_whitespace() {
            return;
        }
        while let Some(next) = self.text[self.at..].chars().next().filter(|c| !c.is_ascii() && sign(*c).is_none()) {
            self.at += next.len_utf8();
        }
        let text = self.text[start..self.at].to_string();
        self.error(start, format!("`{text}` has no meaning in Boogie"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Decimal, FloatLit, FloatValue};

    fn kinds(text: &str) -> Vec<TokenKind> {
        let (tokens, errors) = tokens(0, text);
        assert!(errors.is_empty(), "{text}: {errors:?}");
        tokens.into_iter().map(|token| token.kind).filter(|kind| *kind != TokenKind::End).collect()
    }

    fn float(text: &str) -> FloatLit {
        match &kinds(text)[..] {
            [TokenKind::Float(literal)] => literal.clone(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn float_literals_have_hexadecimal_digits_and_an_exponent_of_sixteen() {
        let literal = float("0x1.8e1f24e8");
        assert_eq!((literal.significand, literal.exponent), (24, 8));
        let expected = FloatValue::Hex { negative: false, mantissa: 0x18u32.into(), fraction_digits: 1, exponent: 1 };
        assert_eq!(literal.value, expected);
        let expected = FloatValue::Hex { negative: true, mantissa: 0x1_eeu32.into(), fraction_digits: 2, exponent: -3 };
        assert_eq!(float("-0x1.eee-3f53e11").value, expected);
        assert_eq!(float("0NaN24e8").value, FloatValue::NaN);
        assert_eq!(float("0-oo53e11").value, FloatValue::Infinity { negative: true });
    }

    #[test]
    fn a_minus_before_other_numbers_is_an_operator() {
        assert_eq!(kinds("a-0").len(), 3);
        assert_eq!(kinds("1-0+x").len(), 5);
    }

    #[test]
    fn numbers() {
        assert_eq!(kinds("1.25e-2"), [TokenKind::Decimal(Decimal { mantissa: 125u32.into(), exponent: -4 })]);
        assert_eq!(kinds("5bv32"), [TokenKind::BitVec { value: 5u32.into(), width: 32 }]);
        assert_eq!(kinds("x[8:0]").len(), 6);
    }

    #[test]
    fn comments_nest_and_directives_choose() {
        assert_eq!(kinds("a /* b /* c */ d */ e // f\n g").len(), 3);
        assert_eq!(kinds("#if X\na b\n#else\nc\n#endif\nd").len(), 2);
        assert_eq!(kinds("#if !X\r\na b\r\n#elsif Y\r\nc\r\n#else\r\nd\r\n#endif\r\ne").len(), 3);
    }

    #[test]
    fn what_does_not_end_is_an_error_where_it_begins() {
        for text in ["x /* /* */", "\"abc\n\"", "#if A\n", "#endif\n", "é§", "@"] {
            let (_, errors) = tokens(0, text);
            assert!(!errors.is_empty(), "{text}");
        }
    }

    #[test]
    fn signs_of_mathematics_are_operators() {
        assert_eq!(kinds("∀ x • ¬ a ∧ b ⇒ c ≤ d"), kinds("forall x :: ! a && b ==> c <= d"));
    }
}
