//! Text to tokens. Comments nest, names may contain `'~#$^_.?` and the backtick, `#if`, `#elsif`, `#else`, `#endif` and
//! `#line` at the start of a line are directives as in Boogie (no symbol is defined, so a plain `#if X` is false). Bytes
//! that mean nothing are one error each run of them, not a panic.

use crate::ast::{Decimal, FloatLit, FloatValue};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind, sign};
use fathom_base::FxMap;
use num_bigint::BigUint;
use num_traits::Num;
use std::rc::Rc;

pub fn tokens(file: u32, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { file, text, bytes: text.as_bytes(), at: 0, out: Vec::new(), errors: Vec::new(), names: FxMap::default(), conditions: Vec::new() };
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

    fn at_line_start(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        matches!(before, None | Some(b'\n'))
    }

    /// A directive, if the line is one; a name may begin with `#`, too.
    fn directive(&mut self) -> bool {
        let start = self.at;
        let end = self.line_end();
        let line = self.text[start + 1..end].trim();
        let word = line.split_whitespace().next().unwrap_or_default();
        if !["if", "elsif", "else", "endif", "line"].contains(&word) {
            return false;
        }
        self.at = end;
        match word {
            "if" => {
                let span = self.span(start);
                self.conditions.push((span, false));
                if !holds(&line[2..]) {
                    self.skip_branch();
                }
            }
            "elsif" | "else" if self.conditions.last().is_some_and(|(_, seen)| !seen) => {
                // The branch before was taken, since it was read up to here: all others are skipped.
                self.conditions.last_mut().expect("checked").1 = word == "else";
                self.skip_to_end();
            }
            "endif" if !self.conditions.is_empty() => {
                self.conditions.pop();
            }
            "elsif" | "else" | "endif" => self.error(start, format!("#{word} without a matching #if")),
            // `#line`: positions stay those of this file, since another file's lines can't be shown.
            _ => {}
        }
        true
    }

    /// Skips lines up to the branch of the innermost `#if` that is to be read.
    fn skip_branch(&mut self) {
        let mut depth = 0usize;
        while let Some((start, line)) = self.next_line() {
            let word = line.trim_start().strip_prefix('#').map(str::trim).unwrap_or_default();
            let first = word.split_whitespace().next().unwrap_or_default();
            match first {
                "if" => depth += 1,
                "endif" if depth == 0 => {
                    self.conditions.pop();
                    return;
                }
                "endif" => depth -= 1,
                "else" if depth == 0 => {
                    let seen = &mut self.conditions.last_mut().expect("inside an #if").1;
                    if std::mem::replace(seen, true) {
                        self.error(start, "a second #else");
                    }
                    return;
                }
                "elsif" if depth == 0 && holds(&word[5..]) => return,
                _ => {}
            }
        }
    }

    fn skip_to_end(&mut self) {
        let mut depth = 0usize;
        while let Some((_, line)) = self.next_line() {
            let word = line.trim_start().strip_prefix('#').map(str::trim).unwrap_or_default();
            match word.split_whitespace().next().unwrap_or_default() {
                "if" => depth += 1,
                "endif" if depth == 0 => {
                    self.conditions.pop();
                    return;
                }
                "endif" => depth -= 1,
                _ => {}
            }
        }
    }

    /// The next line: its start and text. Leaves the position at its end.
    fn next_line(&mut self) -> Option<(usize, &'a str)> {
        if self.at >= self.bytes.len() {
            return None;
        }
        self.at += 1;
        let start = self.at;
        self.at = self.line_end().max(start);
        Some((start, self.text.get(start..self.at)?.trim_end()))
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

    fn digits(&mut self) -> &'a str {
        let start = self.at;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn number(&mut self) {
        if self.bytes[self.at] == b'0' && self.float() {
            return;
        }
        let start = self.at;
        let whole = self.digits();
        if self.peek(0) == b'b' && self.peek(1) == b'v' && self.peek(2).is_ascii_digit() {
            self.at += 2;
            let width = self.digits();
            return match width.parse::<u32>() {
                Ok(width) if width <= crate::MAX_WIDTH => self.push(start, TokenKind::BitVec { value: natural(whole), width }),
                _ => self.error(start, "this bit-vector is too wide"),
            };
        }
        let mut fraction = "";
        let mut decimal = false;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            fraction = self.digits();
            decimal = true;
        }
        let sign = usize::from(self.peek(1) == b'-');
        let mut exponent = 0;
        if self.peek(0) == b'e' && self.peek(1 + sign).is_ascii_digit() {
            self.at += 1 + sign;
            let Ok(value) = self.digits().parse::<i32>() else { return self.error(start, "this number's exponent is too large") };
            exponent = if sign == 1 { -i64::from(value) } else { i64::from(value) };
            decimal = true;
        }
        if !decimal {
            return self.push(start, TokenKind::Int(natural(whole)));
        }
        let mantissa = natural(&format!("{whole}{fraction}"));
        self.push(start, TokenKind::Decimal(Decimal { mantissa, exponent: exponent - fraction.len() as i64 }));
    }

    /// A float literal, if one begins here: `[-]0xH.HeEf24e8`, `0NaN24e8`, `0nan24e8`, `0+oo24e8`, `0-oo24e8`.
    fn float(&mut self) -> bool {
        let start = self.at;
        let value = match &self.bytes[start..] {
            [b'0', b'N', b'a', b'N', b'0'..=b'9', ..] | [b'0', b'n', b'a', b'n', b'0'..=b'9', ..] => {
                self.at += 4;
                Some(FloatValue::NaN)
            }
            [b'0', sign @ (b'+' | b'-'), b'o', b'o', b'0'..=b'9', ..] => {
                self.at += 4;
                Some(FloatValue::Infinity { negative: *sign == b'-' })
            }
            [b'-', b'0', b'x', ..] | [b'0', b'x', ..] => self.hex_float(),
            _ => None,
        };
        let Some(value) = value else {
            self.at = start;
            return false;
        };
        let significand = self.digits();
        if self.peek(0) != b'e' || !self.peek(1).is_ascii_digit() {
            self.at = start;
            return false;
        }
        self.at += 1;
        let exponent = self.digits();
        match (significand.parse(), exponent.parse()) {
            (Ok(significand), Ok(exponent)) => self.push(start, TokenKind::Float(FloatLit { value, significand, exponent })),
            _ => self.error(start, "this float's format is too large"),
        }
        true
    }

    fn hex_float(&mut self) -> Option<FloatValue> {
        let negative = self.peek(0) == b'-';
        self.at += 2 + usize::from(negative);
        let whole = self.hex_digits(false);
        if self.peek(0) != b'.' || whole.is_empty() {
            return None;
        }
        self.at += 1;
        let fraction = self.hex_digits(true);
        if fraction.is_empty() || self.peek(0) != b'e' {
            return None;
        }
        let sign = self.peek(1) == b'-';
        self.at += 1 + usize::from(sign);
        let exponent = self.digits().parse::<i64>().ok().filter(|e| *e < 1 << 60)?;
        if self.peek(0) != b'f' {
            return None;
        }
        self.at += 1;
        let mantissa = BigUint::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
        let exponent = if sign { -exponent } else { exponent };
        Some(FloatValue::Hex { negative, mantissa, fraction_digits: fraction.len() as u32, exponent })
    }

    /// Hexadecimal digits. The exponent's `e` is one as well: in a fraction the last `e` that is followed by an exponent
    /// and a format begins the exponent.
    fn hex_digits(&mut self, fraction: bool) -> &'a str {
        let start = self.at;
        while self.peek(0).is_ascii_hexdigit() {
            self.at += 1;
        }
        if fraction {
            // `8e1f24e8` is one run of hexadecimal digits; so may be the exponent's sign's left side.
            let run = &self.text[start..self.at];
            let cut = exponent_start(run, self.peek(0) == b'-');
            self.at = start + cut.unwrap_or(run.len());
        }
        &self.text[start..self.at]
    }
}

/// Where in a run of hexadecimal digits the exponent `eEf24e8` begins. `minus` says that a minus sign follows the run.
fn exponent_start(run: &str, minus: bool) -> Option<usize> {
    if minus {
        return run.ends_with('e').then(|| run.len() - 1);
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let fits = |tail: &str| {
        let mut parts = tail.splitn(2, 'f');
        let (exponent, format) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let mut format = format.splitn(2, 'e');
        digits(exponent) && digits(format.next().unwrap_or_default()) && digits(format.next().unwrap_or_default().get(..1).unwrap_or_default())
    };
    run.char_indices().filter(|(_, c)| *c == 'e').map(|(at, _)| at).find(|at| fits(&run[at + 1..]))
}

fn natural(digits: &str) -> BigUint {
    // One machine word is the common case and needs no general conversion.
    match digits.parse::<u64>() {
        Ok(small) => BigUint::from(small),
        Err(_) => BigUint::from_str_radix(digits, 10).unwrap_or_default(),
    }
}

/// A directive's condition: a symbol, none of which is defined, perhaps negated.
fn holds(condition: &str) -> bool {
    condition.trim().chars().take_while(|c| *c == '!').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
