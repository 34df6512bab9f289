//! What proofs rest on, in the language of the program: invariants of loops, interpolants and contracts over the variables of the
//! source. Correctness witnesses and `--explain` tell the same conditions.
//!
//! `loops` finds where a loop stands in the source and what the values at its head are called there, `to_c` and `to_boogie` write
//! conditions, `entry` sorts out what holds in some runs only, `scan` knows as much of C as that takes, `contracts` takes what a
//! Boogie program says of itself. `proof` puts it together for one proof. What can't be said is counted, with the reason.

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
