//! What always holds at the cut points of a flat program: its segments as transitions, random runs, facts guessed from what the program
//! compares and computes, and those of them that are inductive together (Flanagan and Leino's Houdini). Several engines rest
//! on such facts.

mod atoms;
mod facts;
mod houdini;
mod laws;
mod limits;
mod queries;
mod samples;
mod system;
mod words;

pub use atoms::{atoms, places};
pub use facts::{Guesses, with_neighbours};
pub use houdini::{inductive, left_behind, left_behind_by};
pub use limits::Limits;
pub use queries::{Queries, Reply};
pub use samples::{Samples, samples};
pub use system::System;
pub use words::words;
