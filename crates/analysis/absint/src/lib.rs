//! Abstract interpretation of programs: sets of possible values for variables, program variables and memory cells where
//! control stands at the head of a loop, written down as conditions (`ir::Invariants`). They are candidates: an engine
//! that uses one proves it again by induction, and `certify` once more.
//!
//! The domain is a product: bit-vectors as intervals in both orders with known bits (`domains::num`), mathematical numbers
//! (`domains::unbounded`), IEEE floats with NaN apart (`domains::floats`), points-to sets with offsets (`value`), contents of objects (`memory`)
//! and linear forms of a few variables (`linear`). It follows the interval analysis of the ESBMC thesis (section 4.4) in
//! purpose, and differs where that one is unsound: what is written through a pointer reaches every object that the
//! pointer may lead to, and what is known of a variable through another ends when either changes.

mod analysis;
mod calls;
mod checks;
mod context;
mod ended;
mod escape;
mod eval;
mod forms;
mod invariants;
mod linear;
mod live;
mod memory;
mod moving;
mod refine;
mod refine_float;
mod show;
mod state;
mod statements;
mod templates;
mod transfer;
mod value;

pub use analysis::GivenUp;
pub use checks::{Check, checks};
pub use show::show;

use analysis::Analyser;
use context::Context;
use fathom_base::{Budget, FxSet};
use fathom_ir::{Invariants, ProcId, Program};
use state::State;
use statements::At;
use std::rc::Rc;

/// Invariants of every loop that the program can reach. Fails when the budget is used up, or at a second thread.
pub fn invariants(program: &Rc<Program>, budget: &Budget) -> Result<Invariants, GivenUp> {
    let _phase = tracing::info_span!("intervals").entered();
    let context = Context::new(program.clone());
    let mut analyser = Analyser::new(&context, budget);
    run_all(&mut analyser, program)?;
    let mut found = Invariants::default();
    for (&head, state) in &analyser.heads {
        invariants::add(&context, head, state, &mut found);
    }
    Ok(found)
}

/// Runs the program from its entry, and procedures that were called without being followed from any state.
fn run_all(analyser: &mut Analyser<'_>, program: &Rc<Program>) -> Result<(), GivenUp> {
    let context = analyser.context;
    analyser.recording = true;
    let mut entry = State::initial();
    context.start_locals(&mut entry, program.entry);
    if !program.axioms.iter().all(|&axiom| context.assume(&mut entry, axiom).is_ok()) {
        return Ok(());
    }
    run(analyser, program.entry, entry)?;
    let mut done: FxSet<ProcId> = FxSet::default();
    loop {
        let mut open: Vec<ProcId> = analyser.unfollowed.iter().copied().filter(|p| !done.contains(p)).collect();
        open.sort();
        let Some(&next) = open.first() else { return Ok(()) };
        done.insert(next);
        let mut entry = State::unknown();
        context.start_unknown(&mut entry, next);
        run(analyser, next, entry)?;
    }
}

fn run(analyser: &mut Analyser<'_>, procedure: ProcId, entry: State) -> Result<(), GivenUp> {
    analyser.calls.push((At { procedure, block: u32::MAX, index: u32::MAX }, procedure));
    let result = analyser.procedure(procedure, entry);
    analyser.calls.pop();
    result.map(drop)
}

#[cfg(test)]
mod tests;
