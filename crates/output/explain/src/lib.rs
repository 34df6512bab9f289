//! Explains proofs in the language of the program: loop invariants, interpolants and contracts over source variables.
//! Correctness witnesses and `--explain` contain the same conditions.
//!
//! `loops` finds the source location of a loop and the source names of the values at its head, `to_c` and `to_boogie`
//! print conditions, `entry` removes conditions that hold in some runs only, `scan` is a small C scanner, and
//! `contracts` collects the annotations of a Boogie program. `proof` combines them for one proof. Conditions that
//! cannot be expressed are counted, with the reason.

mod contracts;
mod entry;
mod loops;
mod proof;
pub mod scan;
mod to_boogie;
mod to_c;
mod untold;

pub use entry::holds_on_entry;
pub use loops::{Language, Said, Site, Texts, say};
pub use proof::{Explained, explain};
pub use untold::Untold;
