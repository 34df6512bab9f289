//! Lines that begin with `#`: `#if SYMBOL`, `#elsif`, `#else`, `#endif`, `#line`.

use super::Lexer;

impl<'a> Lexer<'a> {
    pub(super) fn at_line_start(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        matches!(before, None | Some(b'\n'))
    }

    /// A directive, if the line is one; a name may begin with `#`, too.
    pub(super) fn directive(&mut self) -> bool {
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
                if !self.holds(&line[2..]) {
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

    /// A directive's condition: a symbol, perhaps negated.
    fn holds(&self, condition: &str) -> bool {
        let symbol = condition.trim().trim_start_matches(['!', ' ']);
        let negations = condition.chars().filter(|c| *c == '!').count();
        (symbol == format!("FILE_{}", self.file)) == (negations % 2 == 0)
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
                "elsif" if depth == 0 && self.holds(&word[5..]) => return,
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
}
