//! Checks a partition into regions: the program is made flat again, and every exit of every region is put to a solver.
//! Every initial state is in a region because the first block has one without conditions; an exit to an error location
//! must contradict its region; an exit to another block must lead from the region into one of the target's. By
//! induction over the steps of a run, no error location is ever reached. Only the regions themselves come from the
//! engine. A run ends where it violates another property, so such a location is not part of this claim.
//!
//! A summary of a recursive procedure is checked in the same way: its partition starts where the procedure does, and must
//! exclude the exits that the summary says are not taken. Where a block calls a procedure, all summaries of that one are
//! assumed, also in the partitions that prove summaries: a finite run contains only shorter calls, so this is an
//! induction over the length of runs, and a run that comes to an error location is finite up to there.

use crate::claims::wrong;
use crate::proof::Recheck;
use fathom_base::Budget;
use fathom_engine::{NotMay, Reason};
use fathom_flat::{ErrorKind, Flat, Form, Target, flatten};
use fathom_ir::{Program, Property};
use fathom_smt::{Answer, Backend};
use fathom_term::Term;
use std::collections::BTreeSet;

/// Regions of one block: a conjunction each.
type Regions = [Vec<Term>];

/// A partition, and the property that it is claimed to prove.
pub struct Claim<'a> {
    pub property: Property,
    pub regions: &'a [Vec<Vec<Term>>],
    pub summaries: &'a [NotMay],
    /// Of the form in which small diamonds are one block.
    pub joined: bool,
}

struct Checker<'a> {
    flat: Flat,
    program: &'a Program,
    property: Property,
    summaries: &'a [NotMay],
    second: Option<&'a dyn Backend>,
    budget: &'a Budget,
    questions: u64,
    confirmed: u64,
}

/// What to say of it, or why the proof does not stand.
pub fn check(
    claim: &Claim<'_>,
    program: &Program,
    properties: &BTreeSet<Property>,
    second: Option<&dyn Backend>,
    budget: &Budget,
) -> Result<Recheck, Reason> {
    let Claim { property, regions, summaries, joined } = *claim;
    let form = if joined { Form::Joined } else { Form::Basic };
    let flat = flatten(program, properties, form).map_err(|not| wrong(&format!("the program has no flat form: {not}")))?;
    learn_inputs(&flat, regions);
    summaries.iter().for_each(|summary| learn_inputs(&flat, &summary.regions));
    let mut checker = Checker { flat, program, property, summaries, second, budget, questions: 0, confirmed: 0 };
    checker.partition(regions, 0, None)?;
    for summary in summaries {
        let procedure = checker.flat.procedures.get(summary.procedure).ok_or_else(|| wrong("a summary of no procedure"))?;
        let about: BTreeSet<_> = procedure.entry.iter().chain(&procedure.exit).copied().collect();
        let entry: BTreeSet<_> = procedure.entry.iter().copied().collect();
        let speaks_of =
            |terms: &[Term], known: &BTreeSet<_>| terms.iter().all(|&term| checker.flat.vars(term).iter().all(|var| known.contains(var)));
        if !speaks_of(&summary.before, &entry) || !speaks_of(summary.after.as_deref().unwrap_or(&[]), &about) {
            return Err(wrong("a summary speaks of more than a call"));
        }
        let start = procedure.start;
        checker.partition(&summary.regions, start, Some(summary))?;
    }
    let Checker { questions, confirmed, .. } = checker;
    let Some(second) = second else {
        let note = format!("{questions} steps between regions were not checked by a second solver: there is none");
        return Ok(Recheck { all: false, note });
    };
    let name = second.name();
    let note = match questions - confirmed {
        0 => format!("{name} confirmed all {questions} steps between regions"),
        open => format!("{name} confirmed {confirmed} of {questions} steps between regions; {open} were not decided in the time left"),
    };
    Ok(Recheck { all: confirmed == questions, note })
}

impl Checker<'_> {
    /// A partition of what is reached from this block: no error location and, for a summary, no exit that it excludes.
    fn partition(&mut self, regions: &[Vec<Vec<Term>>], start: usize, summary: Option<&NotMay>) -> Result<(), Reason> {
        if regions.len() != self.flat.blocks.len() {
            return Err(wrong("the partition is not one of this program"));
        }
        if !regions[start].iter().any(|region| region.is_empty()) {
            return Err(wrong("the start is not covered"));
        }
        for (block, own) in regions.iter().enumerate() {
            for region in own {
                for exit in 0..self.flat.blocks[block].edges.len() {
                    let Some(question) = self.left_over(block, exit, region, regions, summary) else { continue };
                    self.put(&question, block)?;
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, question: &[Term], block: usize) -> Result<(), Reason> {
        self.questions += 1;
        let Some(second) = self.second else { return Ok(()) };
        if self.budget.exhausted().is_some() {
            return Ok(());
        }
        match ask(second, question, self.budget) {
            Answer::Unsat => self.confirmed += 1,
            Answer::Sat => {
                let place = self.program.files.show(self.flat.blocks[block].loc);
                return Err(wrong(&format!("{} found a step out of the partition near {place}", second.name())));
            }
            Answer::Unknown(_) => {}
        }
        Ok(())
    }

    /// Whether a run that comes there violates a property, and not the one that is claimed to hold.
    fn is_of_another(&self, error: usize) -> bool {
        matches!(&self.flat.errors[error].kind, ErrorKind::Violation { property, .. } if *property != self.property)
    }

    /// What must have no model for the exit to stay inside; None if that is plain to see.
    fn left_over(
        &self,
        block: usize,
        exit: usize,
        region: &[Term],
        regions: &[Vec<Vec<Term>>],
        summary: Option<&NotMay>,
    ) -> Option<Vec<Term>> {
        let flat = &self.flat;
        let store = &flat.terms;
        let mut question = region.to_vec();
        match (flat.blocks[block].edges[exit].target, summary) {
            (Target::End, _) => return None,
            (Target::Error(error), None) if self.is_of_another(error) => return None,
            (Target::Error(_), None) => question.extend(flat.before(block, exit, &[])),
            (Target::Error(_), Some(NotMay { before, after: None, .. })) => question.extend(flat.before(block, exit, before)),
            (Target::Return, Some(NotMay { before, after: Some(after), .. })) => {
                let excluded: Vec<Term> = before.iter().chain(after).copied().collect();
                question.extend(flat.before(block, exit, &excluded));
            }
            (Target::Error(_) | Target::Return, _) => return None,
            (Target::Block(to), _) => {
                let targets: &Regions = &regions[to];
                let inside = store.or_all(targets.iter().map(|target| store.and_all(target.iter().copied())));
                question.extend(flat.before(block, exit, &[store.not(inside)]));
            }
        }
        question.extend(self.assumed(block, exit));
        let contradicts = |term: &Term| store.const_bool(*term) == Some(false) || question.contains(&store.not(*term));
        (!question.iter().any(contradicts)).then_some(question)
    }

    /// What summaries say of the call that a block makes, if it is left this way.
    fn assumed(&self, block: usize, exit: usize) -> Vec<Term> {
        let flat = &self.flat;
        let store = &flat.terms;
        let Some(call) = &flat.blocks[block].call else { return Vec::new() };
        let about =
            self.summaries.iter().filter(|summary| summary.procedure == call.procedure && summary.after.is_none() == (exit == call.fails));
        let excluded = about.map(|summary| {
            store.and_all(summary.before.iter().chain(summary.after.iter().flatten()).map(|&term| flat.at_call(call, term)))
        });
        excluded.map(|excluded| store.not(excluded)).collect()
    }
}

/// A block that reads inputs moves those ahead of it, however far ahead they are.
fn learn_inputs(flat: &Flat, regions: &[Vec<Vec<Term>>]) {
    let terms = regions.iter().flatten().flatten();
    terms.flat_map(|&term| flat.vars(term)).for_each(|var| flat.inputs.learn(&flat.terms, var));
}

/// What a solver says of the conjunction.
pub(crate) fn ask(backend: &dyn Backend, question: &[Term], budget: &Budget) -> Answer {
    let asked = backend.new_solver().and_then(|mut solver| {
        question.iter().try_for_each(|&term| solver.assert(term))?;
        Ok(solver.check(&[], budget))
    });
    asked.unwrap_or_else(|error| Answer::Unknown(error.into()))
}
