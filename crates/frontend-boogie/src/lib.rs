//! Boogie: text to a checked, typed program without polymorphism.
//!
//! `parse` reads files into an `ast::Program`, `print` writes that back, `check` resolves names and types into a
//! `typed::Program`, `monomorphise` removes type variables from it. Lowering starts from the last.

pub mod ast;
mod diagnostic;
pub mod lower;
mod source;
pub mod typed;
mod types;

pub use diagnostic::{Diagnostic, Severity, show_all};
pub use source::{Sources, Span};
pub use types::Types;

/// Runs a step of a recursion over nested input on a stack that grows on the heap, so that no nesting overflows it.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    const RESERVE: usize = 128 * 1024;
    const SEGMENT: usize = 4 * 1024 * 1024;
    stacker::maybe_grow(RESERVE, SEGMENT, step)
}
