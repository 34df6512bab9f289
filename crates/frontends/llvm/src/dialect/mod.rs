//! C as other verifiers extend it: quantifiers, `==>`, bit-vector types, clauses of contracts, statements that are
//! threads, and functions that no C type describes. clang parses none of that, so a program that has some is
//! preprocessed first and its tokens are rewritten into C that means the same; line markers stay, so that every message
//! names the user's file. Intrinsics that are ordinary functions are in the run-time library (`runtime/verifiers.c`)
//! and only need a declaration (`known`). Unknown ones stay unchanged: the translation reports them as unsupported,
//! with their names.

mod contracts;
mod known;
mod quantifiers;
mod rewrite;
mod threads;
mod tokens;
mod unchecked;

use crate::Options;
use crate::clang;
use crate::error::FrontendError;
use crate::llvm::Module;
use fathom_base::UnitFlags;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub use contracts::ENTRY;
pub use unchecked::Unchecked;

/// What names begin with that the dialects reserve.
pub const PREFIXES: [&str; 2] = ["__CPROVER_", "__ESBMC_"];

/// Intrinsics that are functions of C, of which nothing has to be rewritten.
const PLAIN: [&str; 10] = [
    "__CPROVER_assume",
    "__CPROVER_assert",
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_HIDE",
    "__ESBMC_assume",
    "__ESBMC_assert",
    "__ESBMC_atomic_begin",
    "__ESBMC_atomic_end",
    "__ESBMC_HIDE",
];

/// The program's files in plain C.
pub struct Rewritten {
    /// The texts, in the order of the original files.
    pub files: Vec<PathBuf>,
    /// How they are compiled.
    pub options: Options,
    original: Vec<PathBuf>,
    _directory: TempDir,
}

/// Whether one of these files says something that only a dialect has. Words in comments count as well: then a text is rewritten for
/// nothing.
pub fn is_spoken(files: &[PathBuf]) -> bool {
    files.iter().filter(|path| is_source(path)).any(|path| {
        let Ok(bytes) = std::fs::read(path) else { return false };
        is_spoken_in(&String::from_utf8_lossy(&bytes))
    })
}

fn is_spoken_in(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = |prefix: &'static str| {
        text.match_indices(prefix).map(|(at, _)| text[at..].split(|c| !is_part(c)).next().unwrap_or("")).any(|name| !PLAIN.contains(&name))
    };
    text.contains("==>") || text.contains("#pragma CPROVER") || PREFIXES.into_iter().any(names)
}

/// Whether a module calls what only a dialect has: headers may have brought it.
pub fn is_called(module: &Module) -> bool {
    let is_intrinsic = |name: &str| PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !PLAIN.contains(&name);
    module.functions().any(|function| function.is_declaration() && is_intrinsic(&function.name()))
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| matches!(e, "c" | "i"))
}

impl Rewritten {
    /// The files in plain C; None if nothing in them had to be changed, or their brackets don't match.
    pub fn of(files: &[PathBuf], options: &Options) -> Result<Option<Rewritten>, FrontendError> {
        let Ok(directory) = tempfile::tempdir() else { return Ok(None) };
        let mut rewritten = Rewritten { files: Vec::new(), options: options.clone(), original: files.to_vec(), _directory: directory };
        let (mut changes, mut needs_blocks) = (options.contracts, false);
        let mut units = Vec::new();
        for (number, path) in files.iter().enumerate() {
            if !is_source(path) {
                rewritten.files.push(path.clone());
                continue;
            }
            let mut text = clang::preprocess(path, options)?;
            if options.contracts {
                let Some(unit) = contracts::expand(&text, path, number)? else { return Ok(None) };
                text.clone_from(&unit.text);
                units.push(unit);
            }
            let Some(done) = rewrite::rewrite(&text) else { return Ok(None) };
            changes |= done.changes;
            needs_blocks |= done.needs_blocks;
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let target = rewritten._directory.path().join(format!("{number}-{stem}.i"));
            if std::fs::write(&target, done.text).is_err() {
                return Ok(None);
            }
            if let Some(unit) = options.units.get(path) {
                let unit = UnitFlags { args: without_preprocessor(&unit.args), directory: unit.directory.clone() };
                rewritten.options.units.insert(target.clone(), unit);
            }
            rewritten.files.push(target);
        }
        if options.contracts {
            let (entry, text) = contracts::driver(&units, &options.entry);
            let target = rewritten._directory.path().join("contracts.i");
            if std::fs::write(&target, text).is_err() {
                return Ok(None);
            }
            rewritten.options.entry = entry;
            rewritten.files.push(target);
        }
        rewritten.options.clang_args = without_preprocessor(&options.clang_args);
        // A quantifier in an assertion of the C library stands there twice, once in `sizeof`.
        rewritten.options.clang_args.push("-Wno-unevaluated-expression".into());
        if needs_blocks {
            rewritten.options.clang_args.push("-fblocks".into());
        }
        Ok(changes.then_some(rewritten))
    }

    /// The same error about the user's own file.
    pub fn named(&self, error: FrontendError) -> FrontendError {
        let own = |path: PathBuf| {
            let number = self.files.iter().position(|file| *file == path);
            number.and_then(|number| self.original.get(number)).cloned().unwrap_or(path)
        };
        match error {
            FrontendError::CompileError { path, diagnostics } => FrontendError::CompileError { path: own(path), diagnostics },
            FrontendError::DefinedTwice { name, first, second } => {
                FrontendError::DefinedTwice { name, first: own(first), second: own(second) }
            }
            FrontendError::LinkError { path, reason } => FrontendError::LinkError { path: own(path), reason },
            other => other,
        }
    }
}

/// What the preprocessor has done already must not be done again.
pub(crate) fn without_preprocessor(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-include" | "-D" | "-U" | "-imacros" => _ = args.next(),
            _ if arg.starts_with("-D") || arg.starts_with("-U") => {}
            _ => kept.push(arg.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dialect_is() {
        assert!(!is_spoken_in("int x; __CPROVER_assume(x > 0); __ESBMC_atomic_begin();"));
        assert!(is_spoken_in("__CPROVER_ASYNC_1: x = 1;"));
        assert!(is_spoken_in("assert(a ==> b);"));
    }

    #[test]
    fn flags_of_the_preprocessor() {
        let args = ["-DA=1", "-O2", "-include", "x.h", "-D", "B", "-Ifoo"].map(String::from);
        assert_eq!(without_preprocessor(&args), ["-O2", "-Ifoo"]);
    }
}
