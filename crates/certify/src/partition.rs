//! The second look at a partition into regions: the program is made flat again, and every exit of every region is put to
//! a solver. A state at the start lies in a region because the first block has one without conditions; an exit to a
//! place must contradict its region; an exit to a block must lead from the region into one of the target's. Together
//! that says by induction over the steps of a run that no place is ever reached. Nothing of this comes from the engine
//! but the regions themselves.

use fathom_base::Budget;
use fathom_engine::Reason;
use fathom_flat::{Flat, Target, flatten};
use fathom_ir::{Program, Property};
use fathom_smt::{Answer, Backend};
use fathom_term::Term;
use std::collections::BTreeSet;

/// Regions of one block: a conjunction each.
type Regions = [Vec<Term>];

/// What to say of it, or why the proof does not stand.
pub fn check(
    regions: &[Vec<Vec<Term>>],
    program: &Program,
    properties: &BTreeSet<Property>,
    second: Option<&dyn Backend>,
    budget: &Budget,
) -> Result<String, Reason> {
    let flat = flatten(program, properties).map_err(|not| wrong(&format!("the program has no flat form: {not}")))?;
    if regions.len() != flat.blocks.len() {
        return Err(wrong("the partition is not one of this program"));
    }
    if !regions[0].iter().any(|region| region.is_empty()) {
        return Err(wrong("the start is not covered"));
    }
    let (mut questions, mut confirmed) = (0u64, 0u64);
    for (block, own) in regions.iter().enumerate() {
        for region in own {
            for exit in 0..flat.blocks[block].edges.len() {
                let Some(question) = left_over(&flat, block, exit, region, regions) else { continue };
                questions += 1;
                let Some(second) = second else { continue };
                if budget.exhausted().is_some() {
                    continue;
                }
                match ask(second, &question, budget) {
                    Answer::Unsat => confirmed += 1,
                    Answer::Sat => {
                        let place = program.files.show(flat.blocks[block].loc);
                        return Err(wrong(&format!("{} found a step out of the partition near {place}", second.name())));
                    }
                    Answer::Unknown(_) => {}
                }
            }
        }
    }
    let Some(second) = second else {
        return Ok(format!("{questions} steps between regions were not checked by a second solver: there is none"));
    };
    let name = second.name();
    Ok(match questions - confirmed {
        0 => format!("{name} confirmed all {questions} steps between regions"),
        open => format!("{name} confirmed {confirmed} of {questions} steps between regions; {open} were not decided in the time left"),
    })
}

/// What must have no model for the exit to stay inside; None if that is plain to see.
fn left_over(flat: &Flat, block: usize, exit: usize, region: &[Term], regions: &[Vec<Vec<Term>>]) -> Option<Vec<Term>> {
    let store = &flat.terms;
    let mut question = region.to_vec();
    match flat.blocks[block].edges[exit].target {
        Target::End => return None,
        Target::Place(_) => question.extend(flat.before(block, exit, &[])),
        Target::Block(to) => {
            let targets: &Regions = &regions[to];
            let inside = store.or_all(targets.iter().map(|target| store.and_all(target.iter().copied())));
            question.extend(flat.before(block, exit, &[store.not(inside)]));
        }
    }
    let contradicts = |term: &Term| store.const_bool(*term) == Some(false) || question.contains(&store.not(*term));
    (!question.iter().any(contradicts)).then_some(question)
}

fn ask(backend: &dyn Backend, question: &[Term], budget: &Budget) -> Answer {
    let asked = backend.new_solver().and_then(|mut solver| {
        question.iter().try_for_each(|&term| solver.assert(term))?;
        Ok(solver.check(&[], budget))
    });
    asked.unwrap_or_else(|error| Answer::Unknown(error.into()))
}

fn wrong(what: &str) -> Reason {
    Reason::NotConfirmed(format!("{what}; please report this"))
}
