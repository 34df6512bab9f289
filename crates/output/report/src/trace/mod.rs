//! Traces for people: what changed on each line, in the names and types of the program, and why the end is a violation.

mod cause;
mod environment;
mod names;
mod parts;
mod relevant;
mod shown;
mod walk;

use crate::model::{PlaceReport, StepReport};
use crate::source::SourceText;
use fathom_base::{Loc, SourceFiles};
use fathom_machine::{ReplayLog, Violation};
use names::Names;
use std::collections::BTreeMap;
use walk::Walk;

/// A run as it is told.
pub struct Told {
    pub steps: Vec<StepReport>,
    /// Why it is a violation.
    pub cause: Vec<String>,
    /// The place of the violation in the user's program.
    pub place: PlaceReport,
    /// The calls that were active, innermost first.
    pub stack: Vec<String>,
    /// Where inputs were asked for, by their numbers from 0.
    pub input_places: BTreeMap<usize, PlaceReport>,
    /// Steps that make no difference.
    pub irrelevant: Vec<usize>,
    /// Steps are missing before this one.
    pub skipped_before: Option<usize>,
}

/// Tells the run that ended in this violation.
pub fn tell(violation: &Violation, log: &ReplayLog, files: &SourceFiles, text: &mut SourceText<'_>) -> Told {
    let names = Names::new(&log.scene, &log.steps, files);
    let mut walk = Walk::new(&names, text, &log.influences);
    walk.run(&log.steps);
    walk.environment.look_at(&violation.stack);
    let mut at = violation.loc;
    if let Some(call) = walk.library_call() {
        walk.tell_written(call);
        at = call;
    }
    let cause = cause::cause(violation, at, log, &walk.environment);
    let line = format!("{} {}", names.line(at).unwrap_or_default(), cause.join(" "));
    let irrelevant = relevant::irrelevant(&walk.steps, &walk.origins, &log.influences, &line, walk.skipped_before.unwrap_or(0));
    let stack = stack_of(violation, &walk);
    let (steps, skipped_before, input_places) = (walk.steps, walk.skipped_before, walk.input_places);
    Told { stack, input_places, steps, cause, place: place_of(at, files, text), irrelevant, skipped_before }
}

/// The calls that were active, innermost first. Those of the library are known where all calls were seen.
fn stack_of(violation: &Violation, walk: &Walk<'_, '_, '_>) -> Vec<String> {
    match walk.library_call() {
        Some(_) => {
            let hidden = walk.environment.library_depth().saturating_sub(1);
            violation.stack.iter().rev().skip(hidden).cloned().collect()
        }
        None => violation.stack.iter().rev().cloned().collect(),
    }
}

/// A place with its line.
pub fn place_of(loc: Loc, files: &SourceFiles, text: &mut SourceText<'_>) -> PlaceReport {
    match files.path(loc.file) {
        Some(path) if loc.is_known() => {
            PlaceReport { file: Some(path.display().to_string()), line: loc.line, column: loc.column, text: text.line(loc) }
        }
        _ => PlaceReport::default(),
    }
}
