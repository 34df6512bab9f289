//! A test suite for a person: its errors, what it covers, what its native runs did, and what is missing.

use crate::collect::{Collected, Kept};
use crate::measure::Measurement;
use crate::native_runs::RUN_LIMITS;
use crate::suite::Suite;
use fathom_base::StopReason;
use fathom_native::RunOutcome;
use fathom_search::Reach;
use fathom_suite::path::PathCheck;
use fathom_suite::{Promise, coverage};
use std::fmt::Write;

impl Suite<'_> {
    /// What a person wants to know of the suite.
    pub fn text(&self, measurement: &Measurement, stopped: Option<StopReason>, outcome: &fathom_engine::Outcome) -> String {
        let found = self.collector.found.borrow();
        let mut text = String::new();
        for warning in &self.prepared.warnings {
            let _ = writeln!(text, "warning: {}", warning.trim_end());
        }
        for (promise, tests) in errors(&found.tests) {
            let Promise::Fails { property, message, place } = promise else { continue };
            let names: Vec<String> = tests.iter().map(|kept| kept.name()).collect();
            let _ = writeln!(text, "error in {}: {property}: {message}\n    at {place}", names.join(", "));
            if let Some(told) = tests.iter().find_map(|kept| measurement.natives.get(&kept.number)) {
                let _ = writeln!(text, "    natively: {told}");
            }
        }
        for (name, what) in &measurement.only_native {
            let _ = writeln!(text, "error in {name}, which only its native run came to\n    natively: {what}");
        }
        text += &coverage_text(&found.tests, measurement);
        text += &native_text(measurement);
        text += &paths_text(&found.tests, measurement);
        let _ = writeln!(text, "{}", end_text(&found, stopped));
        if found.errors_left_out > 0 {
            let _ = writeln!(text, "{} more errors were found than --max-tests allows tests.", found.errors_left_out);
        }
        if found.lost > 0 {
            let _ = writeln!(text, "{} paths gave no test: the interpreter could not run them again.", found.lost);
        }
        if !outcome.ledger.is_empty() {
            let _ = writeln!(text, "This suite assumes:");
            outcome.ledger.sentences().iter().for_each(|entry| {
                let _ = writeln!(text, "  - {entry}");
            });
        }
        if self.config.statistics {
            text += "Statistics:\n";
            outcome.statistics.counters.iter().for_each(|(name, value)| {
                let _ = writeln!(text, "  {name}: {value}");
            });
        }
        let _ = writeln!(text, "Tests in {}; `cmake -B build` there builds them all.", self.collector.out.path().display());
        text
    }
}

fn coverage_text(tests: &[Kept], measurement: &Measurement) -> String {
    let mut text = String::new();
    match &measurement.measured {
        Ok(measured) => {
            text += &coverage::table(measured, &measurement.unreachable);
            if !measurement.unreachable.is_empty() && tests.iter().any(Kept::is_error) {
                text += "What a run does behind an error is left out of this.\n";
            }
        }
        Err(why) => {
            let _ = writeln!(text, "Coverage was not measured: {why}.");
        }
    }
    if measurement.not_run > 0 {
        let _ = writeln!(text, "There was no time to run {} of the tests; coverage is of the others.", measurement.not_run);
    }
    text
}

/// The native runs that did something unexpected, as text.
fn native_text(measurement: &Measurement) -> String {
    let mut text = String::new();
    let for_ever = measurement.natives.values().filter(|told| matches!(told, RunOutcome::Limit("time"))).count();
    if for_ever > 0 {
        let _ = writeln!(text, "The native runs of {for_ever} tests did not end and were stopped after {} s.", RUN_LIMITS.time.as_secs());
    }
    for (name, what) in &measurement.broken {
        let _ = writeln!(text, "{name} does something else natively: {what}");
    }
    text
}

/// How far the exploration came.
fn end_text(found: &Collected, stopped: Option<StopReason>) -> String {
    match stopped {
        _ if found.reach == Reach::EveryPath => "Every path was followed to its end.".to_string(),
        _ if found.is_complete() => "Every path was followed to its end, or to where nothing new can be covered.".to_string(),
        Some(StopReason::Timeout) => "Not every path was followed: the time was over.".to_string(),
        Some(StopReason::OutOfMemory) => "Not every path was followed: the memory was used up.".to_string(),
        Some(StopReason::Interrupted) => "Not every path was followed: interrupted.".to_string(),
        None => match &found.incomplete {
            Some(why) => format!("Not every path was followed to its end: {why}."),
            None => "Not every path was followed to its end.".to_string(),
        },
    }
}

/// A line about the tests whose native run took the expected path.
fn paths_text(tests: &[Kept], measurement: &Measurement) -> String {
    let mut text = String::new();
    let checks = || measurement.paths.values();
    let compared = checks().filter(|check| !matches!(check, PathCheck::NotCompared(_))).count();
    if compared > 0 {
        let same = checks().filter(|check| matches!(check, PathCheck::Same | PathCheck::Included)).count();
        let _ = writeln!(text, "{same} of {compared} tests took natively the path that they promise.");
    }
    for kept in tests {
        if let Some(PathCheck::Differs(how)) = measurement.paths.get(&kept.number) {
            let _ = writeln!(text, "{} takes another path natively: {how}", kept.name());
        }
    }
    if let Some(PathCheck::NotCompared(why)) = checks().find(|check| matches!(check, PathCheck::NotCompared(_))) {
        let _ = writeln!(text, "The paths of {} tests were not compared: {why}.", measurement.paths.len() - compared);
    }
    text
}

/// The tests of each error, the first of them at the front.
fn errors(tests: &[Kept]) -> Vec<(&Promise, Vec<&Kept>)> {
    let mut errors: Vec<(&Promise, Vec<&Kept>)> = Vec::new();
    for kept in tests.iter().filter(|kept| kept.is_error()) {
        match errors.iter_mut().find(|(promise, _)| **promise == kept.test.promise) {
            Some((_, tests)) => tests.push(kept),
            None => errors.push((&kept.test.promise, vec![kept])),
        }
    }
    errors
}

/// Its size and coverage in a line.
pub(crate) fn line(tests: &[Kept], measurement: &Measurement) -> String {
    let mut line = format!("{} tests, {} errors", tests.len(), errors(tests).len() + measurement.only_native.len());
    if let Ok(measured) = &measurement.measured {
        line += &format!(", lines {:.1}%, branches {:.1}%", measured.lines.percent(), measured.branches.percent());
    }
    line
}
