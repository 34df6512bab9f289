//! Which parameters of functions without a body point to const. LLVM's pointers have no types and clang describes only
//! functions that it compiles, so the prototypes are read from the (preprocessed) sources. Only what is plainly
//! `const T *` counts; whatever is not recognised, such as a typedef of a pointer, is taken for writable, which is the
//! cautious side. The sources are read only when the program calls a function without a body with a pointer.

use crate::clang;
use crate::{DataModel, Options};
use fathom_base::{FxMap, FxSet};
use std::path::PathBuf;

/// For each function, whether each parameter is a pointer to const.
pub type Constness = FxMap<String, Vec<bool>>;

pub fn read(files: &[PathBuf], options: &Options, wanted: &FxSet<String>) -> Constness {
    let mut found = Constness::default();
    if wanted.is_empty() {
        return found;
    }
    for file in files {
        let text = match file.extension().and_then(|e| e.to_str()) {
            Some("i" | "ii") => std::fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            Some("bc" | "ll") => None,
            _ => clang::preprocess(file, options).ok(),
        };
        if let Some(text) = text {
            scan(&text, wanted, &mut found);
        }
    }
    found
}

/// Looks for the wanted names outside of braces, with a parameter list behind them.
fn scan(text: &str, wanted: &FxSet<String>, found: &mut Constness) {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    let mut name: Option<&str> = None;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' | b'\'' => at = behind_literal(bytes, at),
            b'#' if text[..at].ends_with('\n') || at == 0 => at = text[at..].find('\n').map_or(bytes.len(), |end| at + end),
            c if c == b'_' || c.is_ascii_alphabetic() => {
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
                name = Some(&text[start..at]);
                continue;
            }
            b'(' if depth == 0 => {
                let end = matching(bytes, at);
                if let Some(known) = name.filter(|name| wanted.contains(*name))
                    && !found.contains_key(known)
                {
                    let parameters = split(&text[at + 1..end.saturating_sub(1).max(at + 1)]);
                    found.insert(known.to_string(), parameters.iter().map(|p| is_pointer_to_const(p)).collect());
                }
                at = end;
            }
            b'{' => {
                depth += 1;
                at += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => at += 1,
        }
        name = None;
    }
}

fn behind_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Behind the parenthesis that closes the one at `start`.
fn matching(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            b'"' | b'\'' => {
                at = behind_literal(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Parameters of a list, at commas outside of parentheses.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// One star or pair of brackets, with `const` before it.
fn is_pointer_to_const(parameter: &str) -> bool {
    let levels = parameter.matches(['*', '[']).count();
    let Some(first) = parameter.find(['*', '[']) else { return false };
    let words = parameter[..first].split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    levels == 1 && !parameter.contains('(') && words.into_iter().any(|word| word == "const" || word == "__const")
}

impl Options {
    /// The flag for clang that chooses the sizes of types.
    pub fn model_flag(&self) -> &'static str {
        match self.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prototypes() {
        let text = "typedef int t;\nextern int f(const char *s, char *to, int n);\nstruct s { int (*f)(char *); };\n\
                    void g(struct s const * const x, const char **names, const int a[3], t (*cb)(const t *));\n\
                    int main(void) { f(\"(\", h(0), 1); }\nvoid h();\n# 3 \"f(\"\n";
        let mut found = Constness::default();
        scan(text, &["f", "g", "h"].map(String::from).into_iter().collect(), &mut found);
        assert_eq!(found["f"], [true, false, false]);
        assert_eq!(found["g"], [true, false, true, false]);
        assert_eq!(found["h"], [false]);
    }
}
