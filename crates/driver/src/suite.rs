//! Test suites: explore the program, keep a test for every path and every error, and measure what the suite covers by
//! compiling the program and running it. A part of the time is set aside for that.

use crate::collect::{Collector, Kept, is_test_file};
use crate::config::{AUTO, TestConfig, VerifyConfig};
use crate::engines;
use crate::error::Error;
use crate::measure::{self, Measurement};
use crate::native_runs::NativeRuns;
use crate::prepare::{Prepared, prepare};
use crate::session::Session;
use crate::stack::on_large_stack;
use crate::suite_text;
use fathom_suite::testcomp::{self, Goal, Metadata};
use fathom_suite::{coverage, driver, project};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// The properties that a test suite checks by default: everything that a sanitizer would show.
const ERRORS: [&str; 5] = ["unreach-call", "assertion", "valid-deref", "valid-free", "no-overflow"];

/// A suite that was written.
#[derive(Clone, Debug)]
pub struct TestSuite {
    /// What a person wants to know of it.
    pub text: String,
    /// The same as plain data (schema 1).
    pub summary: serde_json::Value,
    /// Its size and coverage in a line.
    pub line: String,
    /// How many tests there are.
    pub tests: usize,
    /// Whether a test shows an error.
    pub shows_errors: bool,
    /// Whether the run was interrupted.
    pub interrupted: bool,
}

/// Writes a test suite that covers a program, with a test for every error found.
pub fn test(config: &TestConfig, session: &Session) -> Result<TestSuite, Error> {
    on_large_stack(|| Suite::generate(config, &with_defaults(config), session))
}

fn with_defaults(config: &TestConfig) -> VerifyConfig {
    let mut common = config.common.clone();
    if common.properties.is_empty() && common.checks.is_empty() {
        let names: &[&str] = if config.goal == Goal::ErrorCall { &ERRORS[..1] } else { &ERRORS };
        common.properties = names.iter().map(|name| name.to_string()).collect();
        if config.goal != Goal::ErrorCall {
            common.checks = vec![fathom_ir::Property::DivByZero];
        }
    }
    common
}

/// A suite that is being made.
pub(crate) struct Suite<'a> {
    pub config: &'a TestConfig,
    pub prepared: Prepared<'a>,
    pub collector: Rc<Collector>,
}

impl Suite<'_> {
    fn generate(config: &TestConfig, common: &VerifyConfig, session: &Session) -> Result<TestSuite, Error> {
        if !["explore", AUTO].contains(&common.engine.as_str()) {
            return Err(Error::Usage(format!("tests come from the engine explore, not from {}", common.engine)));
        }
        if common.out.is_none() {
            return Err(Error::Usage("--out DIR is missing: where should the tests go?".into()));
        }
        let mut prepared = prepare(common, session, true)?;
        if !prepared.compiled {
            return Err(Error::bad_file("tests are for programs that can be compiled and run; a Boogie program can't".into()));
        }
        let out = Rc::new(prepared.out.take().ok_or_else(|| Error::Usage("--out DIR is missing".into()))?);
        let left = prepared.budget.remaining().unwrap_or(common.timeout);
        let collector = Collector {
            program: prepared.program.clone(),
            properties: prepared.properties.clone(),
            out,
            goal: config.goal,
            most_tests: usize::try_from(config.max_tests).unwrap_or(usize::MAX),
            only_new: config.min,
            arguments: common.input.fixed_arguments(),
            budget: prepared.budget.at_most(left.saturating_sub(measure::COUNTING)),
            counters: std::mem::take(&mut prepared.counters),
            native: RefCell::default(),
            found: RefCell::default(),
        };
        let suite = Suite { config, prepared, collector: Rc::new(collector) };
        suite.write_frame().map_err(Error::Usage)?;
        suite.run()
    }

    /// Everything that does not depend on the tests, so that what is there at any time is a suite.
    fn write_frame(&self) -> Result<(), String> {
        let (out, setup) = (&self.collector.out, self.prepared.native_setup());
        out.remove_own(|name| is_test_file(name) || ["coverage.lcov", "coverage.html", "coverage.txt", "suite.json"].contains(&name));
        let leaks = self.prepared.properties.contains(&fathom_ir::Property::ValidMemtrack);
        let about = Metadata {
            producer: concat!("Fathom ", env!("CARGO_PKG_VERSION")),
            goal: self.config.goal,
            files: &setup.files,
            entry: &self.prepared.entry,
            pointer_bits: setup.pointer_bits,
            created: SystemTime::now(),
        };
        out.write("metadata.xml", testcomp::metadata(&about))?;
        out.write(&format!("{}/{}", project::TESTS, driver::SHARED), driver::shared(&setup))?;
        out.write("CMakeLists.txt", project::write(&setup, leaks))
    }

    fn run(&self) -> Result<TestSuite, Error> {
        let listener = &self.prepared.session.listener;
        let budget = &self.prepared.budget;
        let left = budget.remaining().unwrap_or(self.config.common.timeout);
        let exploring = budget.at_most(left.saturating_sub(reserve(left, !self.config.common.native)));
        if self.config.common.native {
            let running = budget.at_most(left.saturating_sub(measure::COUNTING));
            *self.collector.native.borrow_mut() = Some(NativeRuns::start(&self.prepared, running));
        }
        let engine = engines::explore_for(self.collector.clone(), self.prepared.config, self.config.goal != Goal::ErrorCall);
        let outcome = self.prepared.run(&*engine, self.prepared.session, &exploring);
        if self.config.min {
            self.collector.minimise();
        }
        listener.phase("running the tests");
        let runs = self.collector.native.borrow_mut().take().map(|runs| runs.finish(|| listener.answering()));
        listener.phase("measuring coverage");
        // The tests are written; on a busy machine counting may take a little longer than the limit, which costs nothing.
        listener.answering();
        let measurement = match runs {
            None => Measurement::skipped("switched off by --no-native"),
            Some(runs) => measure::measure(&self.collector, &self.prepared, runs),
        };
        listener.quiet();
        let interrupted = self.prepared.session.is_cancelled();
        let found = self.collector.found.borrow();
        if let Some(why) = &found.failure {
            return Err(Error::Failed { message: why.clone(), reason: format!("not all tests could be written: {why}") });
        }
        let stopped = exploring.exhausted().filter(|_| !found.is_complete());
        let suite = TestSuite {
            text: self.text(&measurement, stopped, &outcome),
            summary: self.summary(&measurement),
            line: suite_text::line(&found.tests, &measurement),
            tests: found.tests.len(),
            shows_errors: found.tests.iter().any(Kept::is_error) || !measurement.only_native.is_empty(),
            interrupted,
        };
        drop(found);
        self.save(&measurement, &suite.summary).map_err(Error::Usage)?;
        Ok(suite)
    }

    /// The suite as plain data (schema 1): fields may be added, never renamed.
    fn summary(&self, measurement: &Measurement) -> serde_json::Value {
        let found = self.collector.found.borrow();
        let tests: Vec<serde_json::Value> = found
            .tests
            .iter()
            .map(|kept| {
                json!({
                    "name": kept.name(), "files": kept.files(), "promise": kept.test.promise, "inputs": kept.test.inputs.len(),
                    "depends_on": kept.test.depends_on, "native": measurement.natives.get(&kept.number).map(ToString::to_string),
                    "path": measurement.paths.get(&kept.number).map(ToString::to_string),
                })
            })
            .collect();
        let mut summary = json!({ "schema": 1, "complete": found.is_complete(), "tests": tests });
        if let Ok(measured) = &measurement.measured {
            let ratio = |ratio: coverage::Ratio| json!({ "covered": ratio.covered, "total": ratio.total });
            let unreachable = |side: &coverage::Unreachable| json!({ "file": side.file, "line": side.line, "column": side.column, "function": side.function });
            summary["coverage"] = json!({ "lines": ratio(measured.lines), "branches": ratio(measured.branches) });
            summary["unreachable"] = measurement.unreachable.iter().map(unreachable).collect();
        }
        summary
    }

    fn save(&self, measurement: &Measurement, summary: &serde_json::Value) -> Result<(), String> {
        let out = &self.collector.out;
        if let Ok(measured) = &measurement.measured {
            out.write("coverage.lcov", &measured.lcov)?;
            out.write("coverage.html", fathom_report::coverage_page(&measured.lcov, |file| std::fs::read_to_string(file).ok()))?;
            out.write("coverage.txt", coverage::table(measured, &measurement.unreachable))?;
        }
        out.write("suite.json", format!("{summary:#}\n"))
    }
}

/// Time for running the tests.
fn reserve(left: Duration, no_native: bool) -> Duration {
    match no_native {
        true => left / 20,
        false => (left / 8).clamp(Duration::from_secs(3), Duration::from_secs(15)).min(left / 2),
    }
}
