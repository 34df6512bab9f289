//! Everything that can be wrong with what the user gave us, said with what, where and what to do about it.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FrontendError {
    #[error("no input file given")]
    NoInput,
    #[error("{0}: no such file")]
    MissingFile(PathBuf),
    #[error("{0} is a directory; name the C files in it")]
    IsDirectory(PathBuf),
    #[error("{0} is empty")]
    EmptyFile(PathBuf),
    #[error("{path} can't be read: {reason}")]
    Unreadable { path: PathBuf, reason: std::io::Error },
    #[error("{0}: this kind of file is not supported; Fathom reads .c, .i, .bc and .ll")]
    UnsupportedKind(PathBuf),
    #[error("{path} does not compile:\n{diagnostics}")]
    CompileError { path: PathBuf, diagnostics: String },
    #[error("{what} are not supported, at {location}:\n{diagnostics}")]
    UnsupportedCpp { what: &'static str, location: String, diagnostics: String },
    #[error("clang 19 was not found; install it (Debian and Ubuntu: `apt install clang-19`) or put `clang-19` on the PATH")]
    ClangNotFound,
    #[error("clang could not be run: {0}")]
    ClangFailed(std::io::Error),
    #[error("{path}: clang's syntax tree can't be read (Debian and Ubuntu: `apt install libclang1-19`): {reason}")]
    SyntaxTree { path: PathBuf, reason: String },
    #[error("{path}: the bitcode is truncated or damaged: {reason}")]
    TruncatedBitcode { path: PathBuf, reason: String },
    #[error("{path}: the bitcode was written by another version of LLVM; compile it with clang 19: {reason}")]
    OtherLlvmVersion { path: PathBuf, reason: String },
    #[error("{path}: not valid LLVM assembly: {reason}")]
    BadAssembly { path: PathBuf, reason: String },
    #[error("{path}: not a well-formed LLVM module: {reason}")]
    BadModule { path: PathBuf, reason: String },
    #[error("{path} can't be linked with the files before it: {reason}")]
    LinkError { path: PathBuf, reason: String },
    #[error(
        "`{name}` is defined in {first} and again in {second}; they are not one program: name the files of one only \
        (with --compile-commands: choose them with --target or --target-files)"
    )]
    DefinedTwice { name: String, first: PathBuf, second: PathBuf },
    #[error("{path} was compiled for {found}-bit pointers, the files before it for {expected}-bit ones")]
    MixedModels { path: PathBuf, found: u32, expected: u32 },
    #[error("{path} was compiled for a big-endian target; Fathom supports little-endian ones")]
    BigEndian { path: PathBuf },
    #[error("there is no function `{entry}` to start from{suggestion}; defined are: {defined}",
        suggestion = suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default(),
        defined = show_names(defined))]
    NoEntry { entry: String, defined: Vec<String>, suggestion: Option<String> },
    #[error("LLVM failed to prepare the program: {0}")]
    PassFailed(String),
}

/// What clang says of parts of C++ that are switched off, and what they are.
const SWITCHED_OFF: [(&str, &str); 3] = [
    ("with exceptions disabled", "C++ exceptions"),
    ("use of typeid requires -frtti", "C++ run-time types (typeid)"),
    ("use of dynamic_cast requires -frtti", "C++ run-time types (dynamic_cast)"),
];

impl FrontendError {
    /// A file that clang refused: because of something that Fathom does not support, or because it is wrong.
    pub(crate) fn refused(path: PathBuf, diagnostics: String) -> Self {
        let mut errors = diagnostics.lines().filter_map(|line| line.split_once(": error: "));
        let unsupported = errors.find_map(|(location, message)| {
            let (_, what) = SWITCHED_OFF.iter().find(|(text, _)| message.contains(text))?;
            Some((*what, location.to_string()))
        });
        match unsupported {
            Some((what, location)) => FrontendError::UnsupportedCpp { what, location, diagnostics },
            None => FrontendError::CompileError { path, diagnostics },
        }
    }
}

fn show_names(names: &[String]) -> String {
    const SHOWN: usize = 20;
    if names.is_empty() {
        return "none".to_string();
    }
    let mut shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        shown.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    shown
}

/// The known name nearest to a misspelt one, if it is near.
pub fn nearest<'a>(wanted: &str, known: &'a [String]) -> Option<&'a String> {
    let limit = (wanted.chars().count() / 3).max(1);
    known.iter().map(|name| (distance(wanted, name), name)).filter(|(d, _)| *d <= limit).min().map(|(_, name)| name)
}

/// Edit distance, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name() {
        let known = ["main".to_string(), "helper".to_string()];
        assert_eq!(nearest("mian", &known), None);
        assert_eq!(nearest("Main", &known), Some(&known[0]));
        assert_eq!(nearest("helpr", &known), Some(&known[1]));
    }
}
