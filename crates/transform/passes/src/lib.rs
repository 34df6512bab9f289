//! Transformations of programs.

mod checks;
mod coarsen;
mod copying;
mod cut_loops;
mod formatting;
mod frozen;
mod inline;
mod library;
mod outline;
mod share;
mod slice;
mod undefined;

pub use coarsen::{coarsen, preserves};
pub use copying::{Bound, Inlining, Renaming, bind, copy_body};
pub use cut_loops::{CutLoop, CutProgram, cut_loops, loops};
use fathom_ir::{Program, Property};
pub use inline::inline_calls;
pub use library::is_unmodelled;
pub use share::{Divided, Share, share_checks};
use std::collections::BTreeSet;

pub use undefined::Undefined;

/// The program as an engine should see it when these properties are asked.
pub fn prepare(program: Program, properties: &BTreeSet<Property>, undefined: Undefined) -> Program {
    prepare_rest(program, properties, &BTreeSet::new(), undefined)
}

/// Prepares a program for the properties that are left after others were found violated: a run ends where it violates one of these.
pub fn prepare_rest(mut program: Program, properties: &BTreeSet<Property>, violated: &BTreeSet<Property>, undefined: Undefined) -> Program {
    let _phase = tracing::info_span!("prepare").entered();
    library::refuse_unmodelled(&mut program);
    undefined::apply(&mut program, undefined);
    checks::select(&mut program, properties, violated);
    frozen::freeze(&mut program);
    program
}
