//! Boogie: text to a checked, typed program without polymorphism.
//!
//! `parse` reads files into a `ParsedProgram`, `print` writes that back, `check` resolves names and types into a
//! `TypedProgram`, `monomorphise` removes type variables from it. Lowering starts from the last.

mod ast;
mod check;
mod diagnostic;
mod lexer;
pub mod lower;
mod mono;
mod parser;
mod print;
mod source;
mod token;
mod typed;
mod types;
mod validate;

pub use ast::Program as ParsedProgram;
pub use check::check;
pub use diagnostic::{Diagnostic, Severity, headlines, show_all};
pub use mono::{Unsupported, monomorphise};
pub use print::{print, print_typed, same};
pub use source::{Sources, Span};
use std::path::{Path, PathBuf};
pub use typed::Program as TypedProgram;
use types::Types;
pub use validate::validate;

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A file can't be read.
    #[error("can't read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The text is no correct program.
    #[error("{}", show_all(&.0.diagnostics, &.0.sources))]
    Rejected(Box<Rejected>),
}

/// A program with errors, and its text to show them in.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The text that the messages are about.
    pub sources: Sources,
    /// At least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads files as one program.
pub fn parse(files: &[PathBuf]) -> Result<ParsedProgram, InputError> {
    let mut texts = Vec::new();
    for path in files {
        let bytes = std::fs::read(path).map_err(|error| InputError::Unreadable { path: path.clone(), error })?;
        // Comments of old programs are in any encoding; bytes that are no text are an error where they mean something.
        texts.push((path.as_path(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    parse_texts(texts).map_err(|rejected| InputError::Rejected(Box::new(rejected)))
}

/// Reads texts as one program; the paths are for messages.
pub fn parse_texts<'a>(texts: impl IntoIterator<Item = (&'a Path, String)>) -> Result<ParsedProgram, Rejected> {
    let mut program = ParsedProgram::default();
    let mut diagnostics = Vec::new();
    for (path, text) in texts {
        let too_long = text.len() >= u32::MAX as usize;
        let file = program.sources.add(path, if too_long { String::new() } else { text });
        if too_long {
            diagnostics.push(Diagnostic::error(Span { file, start: 0, end: 0 }, "the file is too long"));
            continue;
        }
        diagnostics.extend(parser::parse_file(&mut program, file));
    }
    if diagnostics.is_empty() { Ok(program) } else { Err(Rejected { sources: program.sources, diagnostics }) }
}

/// Runs a step of a recursion over nested input on a stack that grows on the heap, so that no nesting overflows it.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    const RESERVE: usize = 128 * 1024;
    const SEGMENT: usize = 4 * 1024 * 1024;
    stacker::maybe_grow(RESERVE, SEGMENT, step)
}

/// The widest bit-vector that is taken; wider ones are an error rather than a machine out of memory.
pub(crate) const MAX_WIDTH: u32 = 1 << 20;
