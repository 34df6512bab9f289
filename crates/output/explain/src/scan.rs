//! C source as tokens, far enough to find loops, calls and the beginnings of statements. It knows no types and expands
//! no macros, so it may miss things; no caller relies on a complete result.

use std::collections::BTreeSet;

/// A word or a sign of the source.
#[derive(Copy, Clone, Debug)]
pub struct Token<'a> {
    /// As it stands in the source.
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub start: usize,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes, as clang counts.
    pub column: u32,
}

impl Token<'_> {
    /// Where the text behind it begins, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The tokens of a file, with the partner of each bracket.
pub struct Source<'a> {
    /// In the order of the source.
    pub tokens: Vec<Token<'a>>,
    partner: Vec<Option<usize>>,
    /// Each token's innermost open bracket.
    inside: Vec<Option<usize>>,
    /// Every loop statement, in the order of their keywords.
    pub loops: Vec<Loop>,
}

/// A loop statement, by the indices of its tokens.
#[derive(Copy, Clone, Debug)]
pub struct Loop {
    /// `for`, `while` or `do`.
    pub keyword: usize,
    /// The brackets around its condition; of `do` those at its end.
    pub header: (usize, usize),
    /// Behind its last token.
    pub end: usize,
}

/// Statements nested deeper than this are not looked into.
const DEEPEST: u32 = 200;

impl<'a> Source<'a> {
    /// Reads a file.
    pub fn new(text: &'a str) -> Self {
        let tokens = tokens(text);
        let (mut partner, mut inside) = (vec![None; tokens.len()], vec![None; tokens.len()]);
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let closes = |opening: &str| matches!((opening, token.text), ("(", ")") | ("[", "]") | ("{", "}"));
            if let Some(&last) = open.last()
                && closes(tokens[last].text)
            {
                open.pop();
                (partner[last], partner[index]) = (Some(index), Some(last));
            }
            inside[index] = open.last().copied();
            if matches!(token.text, "(" | "[" | "{") {
                open.push(index);
            }
        }
        let mut source = Self { tokens, partner, inside, loops: Vec::new() };
        source.loops = source.find_loops();
        source
    }

    /// The token's text; empty behind the last one.
    pub fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text)
    }

    /// The closing bracket of an opening one, or the other way round.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).copied().flatten()
    }

    fn find_loops(&self) -> Vec<Loop> {
        let (mut loops, mut tails) = (Vec::new(), BTreeSet::new());
        for keyword in 0..self.tokens.len() {
            let found = match self.text(keyword) {
                "do" => self.statement_end(keyword + 1, 0).filter(|&tail| self.text(tail) == "while").and_then(|tail| {
                    tails.insert(tail);
                    let close = self.partner(tail + 1)?;
                    Some(Loop { keyword, header: (tail + 1, close), end: close + 1 })
                }),
                "while" | "for" if !tails.contains(&keyword) && self.text(keyword + 1) == "(" => {
                    self.partner(keyword + 1).and_then(|close| {
                        let end = self.statement_end(close + 1, 0)?;
                        Some(Loop { keyword, header: (keyword + 1, close), end })
                    })
                }
                _ => None,
            };
            loops.extend(found);
        }
        loops
    }

    /// Behind the statement that begins with this token.
    fn statement_end(&self, at: usize, depth: u32) -> Option<usize> {
        if depth > DEEPEST {
            return None;
        }
        match self.text(at) {
            "" => None,
            "{" => Some(self.partner(at)? + 1),
            "if" => {
                let end = self.statement_end(self.partner(at + 1)? + 1, depth + 1)?;
                if self.text(end) == "else" { self.statement_end(end + 1, depth + 1) } else { Some(end) }
            }
            "while" | "for" | "switch" => self.statement_end(self.partner(at + 1)? + 1, depth + 1),
            "do" => {
                let tail = self.statement_end(at + 1, depth + 1)?;
                Some(self.partner(tail + 1)? + 2)
            }
            _ if self.text(at + 1) == ":" => self.statement_end(at + 2, depth + 1),
            _ => {
                let mut next = at;
                while !matches!(self.text(next), ";" | "" | "}") {
                    next = if matches!(self.text(next), "(" | "[" | "{") { self.partner(next)? + 1 } else { next + 1 };
                }
                (self.text(next) == ";").then_some(next + 1)
            }
        }
    }

    /// The token at this place, or the first of the line.
    pub fn token_at(&self, line: u32, column: Option<u32>) -> Option<usize> {
        let first = self.tokens.partition_point(|token| token.line < line);
        let of_line = (first..self.tokens.len()).take_while(|&index| self.tokens[index].line == line);
        let exact = of_line.clone().find(|&index| Some(self.tokens[index].column) == column);
        exact.or_else(|| of_line.clone().next())
    }

    /// The loop whose keyword stands here, or the first of the line.
    pub fn loop_at(&self, line: u32, column: Option<u32>) -> Option<Loop> {
        let of_line = self.loops.iter().filter(|l| self.tokens[l.keyword].line == line);
        let exact = of_line.clone().find(|l| Some(self.tokens[l.keyword].column) == column);
        exact.or_else(|| of_line.clone().next()).copied()
    }

    /// The innermost loop around this place; with `in_header` the one whose keyword or condition it is part of.
    pub fn loop_around(&self, line: u32, column: u32, in_header: bool) -> Option<Loop> {
        let place = |index: usize| self.tokens.get(index).map_or((u32::MAX, 0), |token| (token.line, token.column));
        let at = (line, column);
        let holds = |l: &&Loop| {
            let header = self.text(l.keyword) != "do" && place(l.keyword) <= at && at <= place(l.header.1);
            if in_header { header } else { !header && place(l.keyword) <= at && at < place(l.end.saturating_sub(1)) }
        };
        self.loops.iter().filter(holds).max_by_key(|l| place(l.keyword)).copied()
    }

    /// Whether a name that is declared in this line can still be used at this token.
    pub fn is_visible(&self, name: &str, declared: u32, at: usize) -> bool {
        let Some(first) = self.token_at(declared, None).filter(|&first| first <= at) else {
            return false;
        };
        // Declared in the head of a loop: until that ends.
        let of_loop = self.loops.iter().find(|l| (l.header.0..l.header.1).any(|i| self.tokens[i].line == declared && self.text(i) == name));
        if let Some(of_loop) = of_loop.filter(|l| self.text(l.keyword) == "for") {
            return of_loop.keyword <= at && at < of_loop.end;
        }
        let mut depth = 0i64;
        for index in first..at {
            match self.text(index) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        (first..self.tokens.len()).take_while(|&i| self.tokens[i].line == declared).any(|i| self.text(i) == name && i <= at)
    }

    /// Where the statement around this token begins, and whether it is the body of another one without braces.
    pub fn statement_start(&self, from: usize) -> Option<(usize, bool)> {
        // The first statement of a line that goes on with `else` is the one behind it.
        let mut at = if self.text(from) == "else" { from + 1 } else { from };
        loop {
            if at >= self.tokens.len() {
                return None;
            }
            // Leaves parentheses and brackets, and stops at the block.
            while let Some(open) = self.inside[at].filter(|&open| self.text(open) != "{") {
                at = open;
            }
            let before = at.checked_sub(1)?;
            let header = |close: usize| {
                let keyword = self.partner(close).and_then(|open| open.checked_sub(1)).map(|index| self.text(index));
                matches!(keyword, Some("if" | "while" | "for" | "switch"))
            };
            match self.text(before) {
                _ if self.inside[at].is_none() => return None,
                _ if self.goes_on(at) => at = before,
                ";" | "{" | ":" => return Some((at, false)),
                "}" if !matches!(self.text(at), "," | ";" | ")") => return Some((at, false)),
                "else" | "do" => return Some((at, true)),
                ")" if header(before) => return Some((at, true)),
                _ => at = before,
            }
        }
    }

    /// Whether a loop that began before ends here.
    fn goes_on(&self, at: usize) -> bool {
        self.text(at) == "while" && self.loops.iter().any(|l| self.text(l.keyword) == "do" && l.header.0 == at + 1)
    }

    /// The call of a function that ends at this bracket or, without a column, the first of the line (of this function, if it
    /// is known): the indices of its name and its brackets.
    pub fn call_at(&self, line: u32, column: Option<u32>, name: Option<&str>) -> Option<(usize, usize, usize)> {
        const NO_CALLS: [&str; 8] = ["if", "while", "for", "switch", "sizeof", "return", "case", "else"];
        let call = |callee: usize| {
            let is_word = self.text(callee).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let fits = is_word && !NO_CALLS.contains(&self.text(callee)) && name.is_none_or(|name| name == self.text(callee));
            (fits && self.text(callee + 1) == "(").then(|| Some((callee, callee + 1, self.partner(callee + 1)?))).flatten()
        };
        let first = self.tokens.partition_point(|token| token.line < line);
        let of_line = (first..self.tokens.len()).take_while(|&index| self.tokens[index].line == line);
        let exact = of_line.clone().find(|&index| Some(self.tokens[index].column) == column);
        let at_bracket = exact.filter(|&index| self.text(index) == ")").and_then(|close| call(self.partner(close)?.checked_sub(1)?));
        let at_name = || exact.and_then(call);
        at_bracket.or_else(at_name).or_else(|| of_line.clone().find_map(call))
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line, mut line_start, mut is_first) = (Vec::new(), 0, 1u32, 0, true);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => at += 1,
            b'#' if is_first => at = end_of_directive(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at += text[at + 2..].find("*/").map_or(text.len() - at, |length| length + 4),
            quote @ (b'"' | b'\'') => at = end_of_literal(bytes, at, quote),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            }
            _ => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
        let piece = &text[start..at];
        let is_blank =
            piece.trim().is_empty() || piece.starts_with("//") || piece.starts_with("/*") || (is_first && piece.starts_with('#'));
        if !is_blank {
            tokens.push(Token { text: piece, start, line, column: (start - line_start) as u32 + 1 });
        }
        is_first = (is_first && is_blank) || piece.ends_with('\n');
        for (offset, _) in piece.match_indices('\n') {
            (line, line_start) = (line + 1, start + offset + 1);
        }
    }
    tokens
}

/// A directive ends with its line, unless the line ends with a backslash.
fn end_of_directive(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && (bytes[at] != b'\n' || bytes[at - 1] == b'\\') {
        at += 1;
    }
    at
}

fn end_of_literal(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define X while (1)\n/* while */ int f(int n) {\n  for (int i = 0; i < n; i++)\n    if (n) g(\"while\", n);\n    \
        else do { n--; } while (n > 0);\n  while (n) {\n    n = h(n + 1);\n  }\n  return n;\n}\n";

    #[test]
    fn loops_are_found() {
        let source = Source::new(TEXT);
        let lines: Vec<(u32, &str)> = source.loops.iter().map(|l| (source.tokens[l.keyword].line, source.text(l.keyword))).collect();
        assert_eq!(lines, [(3, "for"), (5, "do"), (6, "while")]);
        assert_eq!(source.loop_at(6, None).map(|l| source.tokens[l.keyword].column), Some(3));
        assert_eq!(source.loop_around(3, 19, true).map(|l| source.tokens[l.keyword].line), Some(3));
        assert_eq!(source.loop_around(7, 5, false).map(|l| source.tokens[l.keyword].line), Some(6));
        assert!(source.loop_around(9, 3, false).is_none());
    }

    #[test]
    fn names_end_with_their_blocks() {
        let source = Source::new(TEXT);
        let at = |line| source.loop_at(line, None).unwrap().keyword;
        assert!(source.is_visible("n", 2, at(6)));
        assert!(source.is_visible("i", 3, at(3)) && !source.is_visible("i", 3, at(6)));
    }

    #[test]
    fn statements_and_calls() {
        let source = Source::new(TEXT);
        let start = |line, column| source.statement_start(source.token_at(line, column).unwrap()).map(|(at, body)| (source.text(at), body));
        assert_eq!(start(4, None), Some(("if", true)));
        assert_eq!(start(7, Some(13)), Some(("n", false)));
        assert_eq!((start(5, Some(10)), start(5, None)), (Some(("do", true)), Some(("do", true))));
        let call = |line, column| source.call_at(line, column, None).map(|(name, ..)| source.text(name));
        assert_eq!((call(7, None), call(4, None)), (Some("h"), Some("g")));
        assert_eq!(call(7, Some(16)), Some("h"));
    }
}
