//! `fathom test`: explore the program, keep a test for every path and every error, and measure what the suite covers by
//! compiling the program and running it. A part of the time is set aside for that.

use crate::args::{CoverageGoal, TestArgs, VerifyArgs};
use crate::collect::{Collector, Kept, is_test_file};
use crate::ending::{Ending, print_last};
use crate::engines::{self, AUTO};
use crate::measure::{self, Measurement};
use crate::native_runs::{NativeRuns, RUN_LIMITS};
use crate::progress::ProgressLine;
use crate::supervise::Leash;
use crate::verify::{self, Failure, Prepared};
use fathom_base::StopReason;
use fathom_certify::native::Told;
use fathom_engine_explore::Reach;
use fathom_suite::testcomp::{self, Goal, Metadata};
use fathom_suite::path::PathCheck;
use fathom_suite::{Promise, coverage, driver, project};
use serde_json::json;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

pub const LABEL: &str = "SUITE";

/// What a test suite looks for unless told otherwise: everything that a sanitizer would show.
const ERRORS: [&str; 5] = ["unreach-call", "assertion", "valid-deref", "valid-free", "no-overflow"];

/// Runs and ends the process.
pub fn write(arguments: &TestArgs, start: Instant, leash: &Leash) {
    let common = with_defaults(arguments);
    match Suite::generate(arguments, &common, start, leash) {
        Ok((text, line, ending)) => {
            leash.about_to_answer();
            print_last(LABEL, &text, &line);
            leash.end(ending)
        }
        Err(failure) => verify::fail(LABEL, &failure, leash),
    }
}

fn with_defaults(arguments: &TestArgs) -> VerifyArgs {
    let mut common = arguments.common.clone();
    if common.properties.is_empty() && common.checks.is_empty() {
        let names: &[&str] = if arguments.coverage == CoverageGoal::ErrorCall { &ERRORS[..1] } else { &ERRORS };
        common.properties = names.iter().map(|name| name.to_string()).collect();
        if arguments.coverage != CoverageGoal::ErrorCall {
            common.checks = vec![fathom_ir::Property::DivByZero];
        }
    }
    common
}

struct Suite<'a> {
    arguments: &'a TestArgs,
    prepared: Prepared<'a>,
    collector: Rc<Collector>,
    goal: Goal,
}

impl<'a> Suite<'a> {
    fn generate(arguments: &'a TestArgs, common: &'a VerifyArgs, start: Instant, leash: &Leash) -> Result<(String, String, Ending), Failure> {
        if !["explore", AUTO].contains(&common.engine.as_str()) {
            return Err(Failure::usage(format!("tests come from the engine explore, not from {}", common.engine)));
        }
        if common.out.is_none() {
            return Err(Failure::usage("--out DIR is missing: where should the tests go?".into()));
        }
        let mut prepared = verify::prepare_with(common, true, start, leash)?;
        if !prepared.compiled {
            return Err(Failure::bad_file("tests are for programs that can be compiled and run; a Boogie program can't".into()));
        }
        let out = Rc::new(prepared.out.take().ok_or_else(|| Failure::usage("--out DIR is missing".into()))?);
        let goal = match arguments.coverage {
            CoverageGoal::Branch => Goal::Branches,
            CoverageGoal::Line => Goal::Lines,
            CoverageGoal::ErrorCall => Goal::ErrorCall,
        };
        let left = prepared.budget.remaining().unwrap_or(common.timeout);
        let collector = Collector {
            program: prepared.program.clone(),
            properties: prepared.properties.clone(),
            out,
            goal,
            most_tests: usize::try_from(arguments.max_tests).unwrap_or(usize::MAX),
            only_new: arguments.min,
            arguments: common.input.environment.args.clone().unwrap_or_default(),
            budget: prepared.budget.at_most(left.saturating_sub(measure::COUNTING)),
            counters: std::mem::take(&mut prepared.counters),
            native: RefCell::default(),
            found: RefCell::default(),
        };
        let suite = Suite { arguments, prepared, collector: Rc::new(collector), goal };
        suite.write_frame().map_err(Failure::usage)?;
        suite.run(leash)
    }

    /// Everything that does not depend on the tests, so that what is there at any time is a suite.
    fn write_frame(&self) -> Result<(), String> {
        let (out, setup) = (&self.collector.out, self.prepared.native_setup());
        out.remove_own(|name| is_test_file(name) || ["coverage.lcov", "coverage.txt", "suite.json"].contains(&name));
        let leaks = self.prepared.properties.contains(&fathom_ir::Property::ValidMemtrack);
        let about = Metadata {
            producer: concat!("Fathom ", env!("CARGO_PKG_VERSION")),
            goal: self.goal,
            files: &setup.files,
            entry: &self.prepared.entry,
            pointer_bits: setup.pointer_bits,
            created: SystemTime::now(),
        };
        out.write("metadata.xml", testcomp::metadata(&about))?;
        out.write(&format!("{}/{}", project::TESTS, driver::SHARED), driver::shared(&setup))?;
        out.write("CMakeLists.txt", project::write(&setup, leaks))
    }

    fn run(&self, leash: &Leash) -> Result<(String, String, Ending), Failure> {
        let budget = &self.prepared.budget;
        let left = budget.remaining().unwrap_or(self.arguments.common.timeout);
        let exploring = budget.at_most(left.saturating_sub(reserve(left, self.arguments.common.no_native)));
        let progress = ProgressLine::new();
        if !self.arguments.common.no_native {
            let running = budget.at_most(left.saturating_sub(measure::COUNTING));
            *self.collector.native.borrow_mut() = Some(NativeRuns::start(&self.prepared, running));
        }
        let engine = engines::explore_for(self.collector.clone(), self.prepared.arguments, self.goal != Goal::ErrorCall);
        let outcome = self.prepared.run(&engine, &progress, &exploring);
        if self.arguments.min {
            self.collector.minimise();
        }
        progress.say("running the tests");
        let runs = self.collector.native.borrow_mut().take().map(|runs| runs.finish(|| leash.about_to_answer()));
        progress.say("measuring coverage");
        // The tests are written; on a busy machine counting may take a little longer than the limit, which costs nothing.
        leash.about_to_answer();
        let measurement = match runs {
            None => Measurement::skipped("switched off by --no-native"),
            Some(runs) => measure::measure(&self.collector, &self.prepared, runs),
        };
        progress.clear();
        let interrupted = leash.cancelled.load(std::sync::atomic::Ordering::Relaxed);
        let found = self.collector.found.borrow();
        if let Some(why) = &found.failure {
            return Err(Failure { ending: Ending::OtherUnknown, message: why.clone(), reason: format!("not all tests could be written: {why}") });
        }
        let stopped = exploring.exhausted().filter(|_| !found.is_complete());
        let text = match self.arguments.common.json {
            true => format!("{:#}\n", self.summary(&measurement)),
            false => self.text(&measurement, stopped, &outcome),
        };
        let line = line(&found.tests, &measurement);
        let ending = match () {
            () if interrupted => Ending::Interrupted,
            () if found.tests.is_empty() => Ending::OtherUnknown,
            () if found.tests.iter().any(Kept::is_error) || !measurement.only_native.is_empty() => Ending::Violated,
            () => Ending::Proved,
        };
        drop(found);
        self.save(&measurement).map_err(Failure::usage)?;
        Ok((text, line, ending))
    }

    /// What a person wants to know of the suite.
    fn text(&self, measurement: &Measurement, stopped: Option<StopReason>, outcome: &fathom_engine::Outcome) -> String {
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
        match &measurement.measured {
            Ok(measured) => {
                text += &coverage::table(measured, &measurement.unreachable);
                if !measurement.unreachable.is_empty() && found.tests.iter().any(Kept::is_error) {
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
        let for_ever = measurement.natives.values().filter(|told| matches!(told, Told::Limit("time"))).count();
        if for_ever > 0 {
            let _ = writeln!(text, "The native runs of {for_ever} tests did not end and were stopped after {} s.", RUN_LIMITS.time.as_secs());
        }
        for (name, what) in &measurement.broken {
            let _ = writeln!(text, "{name} does something else natively: {what}");
        }
        text += &paths_text(&found.tests, measurement);
        let end = match stopped {
            _ if found.reach == Reach::EveryPath => "Every path was followed to its end.".to_string(),
            _ if found.is_complete() => "Every path was followed to its end, or to where nothing new can be covered.".to_string(),
            Some(StopReason::Timeout) => "Not every path was followed: the time was over.".to_string(),
            Some(StopReason::OutOfMemory) => "Not every path was followed: the memory was used up.".to_string(),
            Some(StopReason::Interrupted) => "Not every path was followed: interrupted.".to_string(),
            None => match &found.incomplete {
                Some(why) => format!("Not every path was followed to its end: {why}."),
                None => "Not every path was followed to its end.".to_string(),
            },
        };
        let _ = writeln!(text, "{end}");
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
        if self.arguments.common.stats {
            text += "Statistics:\n";
            outcome.statistics.counters.iter().for_each(|(name, value)| {
                let _ = writeln!(text, "  {name}: {value}");
            });
        }
        let _ = writeln!(text, "Tests in {}; `cmake -B build` there builds them all.", self.collector.out.path().display());
        text
    }

    /// The suite as plain data (schema 1): fields may be added, never renamed.
    fn summary(&self, measurement: &Measurement) -> serde_json::Value {
        let found = self.collector.found.borrow();
        let tests: Vec<serde_json::Value> = found.tests.iter().map(|kept| {
            json!({
                "name": kept.name(), "files": kept.files(), "promise": kept.test.promise, "inputs": kept.test.inputs.len(),
                "depends_on": kept.test.depends_on, "native": measurement.natives.get(&kept.number).map(ToString::to_string),
                "path": measurement.paths.get(&kept.number).map(ToString::to_string),
            })
        }).collect();
        let mut summary = json!({ "schema": 1, "complete": found.is_complete(), "tests": tests });
        if let Ok(measured) = &measurement.measured {
            let ratio = |ratio: coverage::Ratio| json!({ "covered": ratio.covered, "total": ratio.total });
            let unreachable = |side: &coverage::Unreachable| json!({ "file": side.file, "line": side.line, "column": side.column, "function": side.function });
            summary["coverage"] = json!({ "lines": ratio(measured.lines), "branches": ratio(measured.branches) });
            summary["unreachable"] = measurement.unreachable.iter().map(unreachable).collect();
        }
        summary
    }

    fn save(&self, measurement: &Measurement) -> Result<(), String> {
        let out = &self.collector.out;
        if let Ok(measured) = &measurement.measured {
            out.write("coverage.lcov", &measured.lcov)?;
            out.write("coverage.txt", coverage::table(measured, &measurement.unreachable))?;
        }
        out.write("suite.json", format!("{:#}\n", self.summary(measurement)))
    }
}

/// Time for running the tests.
fn reserve(left: Duration, no_native: bool) -> Duration {
    match no_native {
        true => left / 20,
        false => (left / 8).clamp(Duration::from_secs(3), Duration::from_secs(15)).min(left / 2),
    }
}

/// Which tests took natively the path that they promise.
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

fn line(tests: &[Kept], measurement: &Measurement) -> String {
    let mut line = format!("{} tests, {} errors", tests.len(), errors(tests).len() + measurement.only_native.len());
    if let Ok(measured) = &measurement.measured {
        line += &format!(", lines {:.1}%, branches {:.1}%", measured.lines.percent(), measured.branches.percent());
    }
    line
}
