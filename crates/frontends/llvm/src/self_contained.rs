//! Prepares a source file for another machine: it is preprocessed, so that it contains its headers, and keeps only the
//! flags that still matter, without those for the preprocessor and for directories that do not exist on the other
//! machine.

use crate::error::FrontendError;
use crate::{Options, clang};
use fathom_clang::{REDUCED_CPP, is_cpp};
use std::path::Path;

/// A source file that includes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfContained {
    /// What the compiler sees.
    pub text: Vec<u8>,
    /// What its name has to end in.
    pub extension: &'static str,
    /// The flags for clang.
    pub flags: Vec<String>,
}

/// Words that the preprocessor has obeyed, or that say where it looks; each with a value, in the same word or in the next.
const DONE: [&str; 9] = ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-I", "-D", "-U"];

/// Preprocesses a C or C++ file with its own flags.
pub fn self_contained(path: &Path, options: &Options) -> Result<SelfContained, FrontendError> {
    let mut compiled = options.clone();
    let is_cpp = is_cpp(path);
    if is_cpp {
        compiled.clang_args.extend(REDUCED_CPP.map(String::from));
    }
    let text = clang::preprocessed_bytes(path, &compiled)?;
    let unit = options.units.get(path);
    let own = unit.iter().flat_map(|unit| &unit.args).chain(&options.clang_args);
    Ok(SelfContained { text, extension: if is_cpp { "ii" } else { "i" }, flags: remaining(own) })
}

fn remaining<'a>(flags: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.into_iter();
    while let Some(flag) = flags.next() {
        match DONE.iter().find(|done| flag.starts_with(**done)) {
            Some(done) if flag == done => _ = flags.next(),
            Some(_) => {}
            None => kept.push(flag.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_stands_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.c");
        std::fs::write(directory.path().join("limit.h"), "#define LIMIT 7\n").unwrap();
        std::fs::write(&file, b"#include \"limit.h\"\nconst char *name = \"\xe4\"; int size = LIMIT + MORE;\n").unwrap();
        let options = Options { clang_args: ["-DMORE=2", "-std=c99", "-I", "x"].map(String::from).into(), ..Options::default() };
        let alone = self_contained(&file, &options).unwrap();
        assert!(alone.text.windows(4).any(|bytes| bytes == b"\"\xe4\";"), "literals keep their bytes");
        assert!(String::from_utf8_lossy(&alone.text).contains("size = 7 + 2"));
        assert_eq!((alone.extension, alone.flags), ("i", vec!["-std=c99".to_string()]));
    }

    #[test]
    fn preprocessed_text_stays_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.i");
        std::fs::write(&file, "inline int f(void) { return 1; }\n").unwrap();
        assert_eq!(self_contained(&file, &Options::default()).unwrap().text, b"inline int f(void) { return 1; }\n");
    }

    #[test]
    fn flags_that_are_done_are_left_out() {
        let flags = ["-Iinc", "-include", "a.h", "-fwrapv", "-D", "X=1", "-UY", "-isystem", "d", "-Wall", "-m32"].map(String::from);
        assert_eq!(remaining(&flags), ["-fwrapv", "-Wall", "-m32"]);
    }
}
