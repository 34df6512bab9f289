//! Programs to programs: what every engine wants done before it starts.

mod checks;
mod coarsen;
mod cut_loops;
mod library;
mod outline;

pub use coarsen::{coarsen, preserves};
pub use cut_loops::cut_loops;
use fathom_ir::{Program, Property};
use std::collections::BTreeSet;

/// The program as an engine should see it when these properties are asked.
pub fn prepare(mut program: Program, properties: &BTreeSet<Property>) -> Program {
    library::refuse_unmodelled(&mut program);
    checks::select(&mut program, properties);
    program
}
