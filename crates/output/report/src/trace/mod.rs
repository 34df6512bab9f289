//! Readable traces: what changed on each line, in the program's names and types, and why the end is a violation.

mod cause;
mod ending;
mod environment;
mod lost;
mod names;
mod parts;
mod passed;
mod relevant;
mod shown;
mod walk;

pub(crate) use shown::text_of;

use crate::model::{AccessReport, ObjectReport, PlaceReport, StepReport};
use crate::source::SourceText;
use fathom_base::{Loc, SourceFiles};
use fathom_machine::{Deed, RaceAccess, ReplayLog, Violation};
use names::Names;
use std::collections::BTreeMap;
use walk::Walk;

/// A run as it is reported.
pub struct Told {
    pub steps: Vec<StepReport>,
    /// Why it is a violation.
    pub cause: Vec<String>,
    /// The place of the violation in the user's program.
    pub place: PlaceReport,
    /// The objects that steps write to.
    pub objects: Vec<ObjectReport>,
    /// Of a data race.
    pub accesses: Vec<AccessReport>,
    /// The calls that were active, innermost first.
    pub stack: Vec<String>,
    /// Where inputs were asked for, by their numbers from 0.
    pub input_places: BTreeMap<usize, PlaceReport>,
    /// Steps that make no difference.
    pub irrelevant: Vec<usize>,
    /// Steps are missing before this one.
    pub skipped_before: Option<usize>,
    /// The functions that are active there, outermost first.
    pub skipped_stack: Vec<String>,
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
    let cause = cause::cause(violation, at, log, &walk.environment, &walk.locked);
    let line = format!("{} {}", names.line(at).unwrap_or_default(), cause.join(" "));
    let irrelevant = relevant::irrelevant(&walk.steps, &walk.origins, &log.influences, &line, walk.skipped_before.unwrap_or(0));
    let stack = stack_of(violation, &walk);
    let objects = walk.objects();
    let Walk { environment, mut steps, skipped_before, skipped_stack, input_places, .. } = walk;
    steps.extend(ending::ending(violation, log, &environment, text));
    let raced = log.scene.race.iter().flat_map(|race| &race.accesses);
    let accesses = raced.map(|access| access_report(&names, access, files, text)).collect();
    let place = place_of(at, files, text);
    Told { objects, stack, accesses, input_places, steps, cause, place, irrelevant, skipped_before, skipped_stack }
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

fn access_report(names: &Names<'_>, access: &RaceAccess, files: &SourceFiles, text: &mut SourceText<'_>) -> AccessReport {
    let kind = match access.deed {
        Deed::Read => "read",
        Deed::Write => "write",
        Deed::Free => "free",
    };
    let place = place_of(names.user_place(&access.places).unwrap_or(Loc::UNKNOWN), files, text);
    AccessReport { thread: access.thread, kind: kind.into(), atomic: access.atomic, place, text: cause::accesses(names, access) }
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
