//! Messages of compilers: `file:line:column: error: text`, and notes that belong to the error above them. Clang writes them, and
//! so does the Boogie front end.

use std::path::PathBuf;

/// A place that a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// As the compiler names it.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
    /// From 1; 0 if it is not known.
    pub column: u32,
    /// What it says.
    pub text: String,
}

/// An error with the notes below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// What is wrong, and where.
    pub error: Remark,
    /// What belongs to it elsewhere.
    pub notes: Vec<Remark>,
}

/// The errors in a compiler's output. Warnings are ignored; users see them when they compile.
pub fn errors(printed: &str) -> Vec<CompileError> {
    let mut errors: Vec<CompileError> = Vec::new();
    let mut is_below_error = false;
    for line in printed.lines() {
        let Some((kind, remark)) = remark(line) else { continue };
        match kind {
            "note" if is_below_error => errors.last_mut().into_iter().for_each(|error| error.notes.push(remark.clone())),
            "error" | "fatal error" => errors.push(CompileError { error: remark, notes: Vec::new() }),
            _ => {}
        }
        is_below_error = kind != "warning" && (kind != "note" || is_below_error);
    }
    errors
}

/// The longer ones first: one is the end of another.
const KINDS: [&str; 4] = ["fatal error", "error", "warning", "note"];

fn remark(line: &str) -> Option<(&'static str, Remark)> {
    // Lines of the source that are shown below a message are indented.
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let (kind, at) = KINDS.iter().filter_map(|kind| Some((*kind, line.find(&format!(": {kind}: "))?))).min_by_key(|(_, at)| *at)?;
    let text = line[at + kind.len() + 4..].trim().to_string();
    let (before, last) = line[..at].rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line, column) = match before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => (file, line, last),
        None => (before, last, 0),
    };
    (!file.is_empty()).then(|| (kind, Remark { file: file.into(), line, column, text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_with_their_notes() {
        let printed = "\
/p/bad.c does not compile:
In file included from /p/bad.c:1:
/p/my: odd.h:3:11: error: expected expression
    3 |   int x = \"a:1:2: error: b\";
/p/bad.c:9:1: warning: unused
/p/bad.c:8:1: note: of the warning
/p/bad.c:1:10: fatal error: 'no.h' file not found
/p/bad.c:7:5: note: declared here
2 errors generated.";
        let remark = |file: &str, line, column, text: &str| Remark { file: file.into(), line, column, text: text.into() };
        let found = errors(printed);
        assert_eq!(found.len(), 2, "{found:#?}");
        assert_eq!(found[0], CompileError { error: remark("/p/my: odd.h", 3, 11, "expected expression"), notes: Vec::new() });
        assert_eq!(found[1].error, remark("/p/bad.c", 1, 10, "'no.h' file not found"));
        assert_eq!(found[1].notes, [remark("/p/bad.c", 7, 5, "declared here")]);
    }

    #[test]
    fn other_text_is_no_error() {
        assert_eq!(errors("error: no such thing\nx: error: y\n:1:2: error: z\nthere is no function `main`"), []);
    }
}
