//! Evaluates the native runs of a suite: every test was run for coverage, every test of an error under sanitizers as
//! well (`native_runs`), and each must do what it promises. If one does not, the report says so; it stays in the suite,
//! because it is right for the program as Fathom understands it.

use crate::collect::{Collector, Kept};
use crate::native_runs::{AllRuns, Ran};
use crate::prepare::Prepared;
use fathom_base::FileId;
use fathom_machine::{Coverage, OpenSide, taken_sides};
use fathom_native::RunOutcome;
use fathom_suite::coverage::{self, Measured, SeenSides, Unreachable};
use fathom_suite::path::PathCheck;
use fathom_suite::{Promise, TestCase};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) struct Measurement {
    pub measured: Result<Measured, String>,
    pub unreachable: Vec<Unreachable>,
    /// What each test did, by its number.
    pub natives: BTreeMap<usize, RunOutcome>,
    /// Tests that did something else than they promise.
    pub broken: Vec<(String, String)>,
    /// Errors of native runs that went further than the interpreter: the test, and what was seen.
    pub only_native: Vec<(String, String)>,
    /// Whether each test took the path that it promises, by its number.
    pub paths: BTreeMap<usize, PathCheck>,
    /// Tests that there was no time for.
    pub not_run: usize,
}

/// What the tools that count need at the end.
pub(crate) const COUNTING: Duration = Duration::from_millis(1500);

impl Measurement {
    /// A measurement that did not take place, and why.
    pub fn skipped(why: &str) -> Self {
        let (natives, paths) = (BTreeMap::new(), BTreeMap::new());
        Self { measured: Err(why.into()), unreachable: Vec::new(), natives, paths, broken: Vec::new(), only_native: Vec::new(), not_run: 0 }
    }
}

/// Combines the runs of the tests that were kept into one measurement.
pub(crate) fn measure(collector: &Collector, prepared: &Prepared<'_>, runs: Result<AllRuns, String>) -> Measurement {
    let found = collector.found.borrow();
    let AllRuns { coverage, mut ran } = match runs {
        _ if found.tests.is_empty() => return Measurement::skipped("there are no tests"),
        Ok(runs) => runs,
        Err(why) => return Measurement::skipped(&why),
    };
    let mut all = Measurement::skipped("");
    let mut profiles = Vec::new();
    for kept in &found.tests {
        match ran.remove(&kept.number) {
            Some(ran) => profiles.extend(all.note(kept, ran)),
            None => all.not_run += 1,
        }
    }
    all.measured = coverage.and_then(|bench| coverage::measure(&bench, &profiles));
    if let (Ok(measured), Some(covered)) = (&mut all.measured, found.covered_by_tests()) {
        measured.agree_with(&seen_sides(&covered, prepared));
    }
    if let (Ok(measured), true) = (&all.measured, found.is_complete()) {
        let open = found.open.iter().filter_map(|side| unreachable(side, prepared)).collect();
        all.unreachable = measured.confirmed(open);
    }
    all
}

impl Measurement {
    /// Notes the run of a test; returns its coverage file.
    fn note(&mut self, kept: &Kept, ran: Ran) -> Option<PathBuf> {
        let Ran { checked, covering, path } = ran;
        let profile = covering.as_ref().ok().and_then(|run| run.profile.clone());
        // Without sanitizers an error need not show.
        match checked.unwrap_or_else(|| covering.map(|run| run.told)) {
            Ok(told) => {
                if !keeps_promise(&kept.test, &told) {
                    self.broken.push((kept.name(), format!("{told}{}", excuse(&kept.test))));
                }
                if let (Promise::GoesOn, RunOutcome::Error(_)) = (&kept.test.promise, &told) {
                    self.only_native.push((kept.name(), told.to_string()));
                }
                self.natives.insert(kept.number, told);
            }
            Err(why) => self.broken.push((kept.name(), format!("it can't be run: {why}"))),
        }
        let path = match path {
            PathCheck::Differs(how) => PathCheck::Differs(how + &excuse(&kept.test)),
            other => other,
        };
        self.paths.insert(kept.number, path);
        profile
    }
}

/// Why a test may behave differently in a native run without a fault in Fathom.
fn excuse(test: &TestCase) -> String {
    match test.depends_on.as_slice() {
        [] => String::new(),
        what => format!(" (it depends on {})", what.join(", ")),
    }
}

/// Whether the run did what the test says it does.
pub(crate) fn keeps_promise(test: &TestCase, told: &RunOutcome) -> bool {
    match (&test.promise, told) {
        (Promise::Ends, RunOutcome::Ended { .. } | RunOutcome::Aborted) => true,
        // What comes later is for the native run to tell, even an error.
        (
            Promise::GoesOn,
            RunOutcome::Ended { .. } | RunOutcome::Aborted | RunOutcome::AsksForMore(_) | RunOutcome::Limit("time") | RunOutcome::Error(_),
        ) => true,
        (Promise::Fails { .. }, RunOutcome::Error(_)) => true,
        (Promise::Ends | Promise::GoesOn | Promise::Fails { .. }, _) => false,
    }
}

/// What the interpreter saw taken, line by line.
fn seen_sides(coverage: &Coverage, prepared: &Prepared<'_>) -> Vec<SeenSides> {
    let mut lines: BTreeMap<(FileId, u32), SeenSides> = BTreeMap::new();
    for branch in taken_sides(&prepared.program, coverage) {
        let Some(file) = prepared.program.files.path(branch.branch.file).filter(|_| branch.branch.is_known()) else { continue };
        let (file, line) = (Path::new(file).to_path_buf(), branch.branch.line);
        let seen = lines.entry((branch.branch.file, line)).or_insert_with(|| SeenSides {
            file,
            line,
            function: branch.procedure.clone(),
            taken: 0,
            all: 0,
        });
        seen.taken += branch.taken as usize;
        seen.all += 2;
    }
    lines.into_values().collect()
}

fn unreachable(side: &OpenSide, prepared: &Prepared<'_>) -> Option<Unreachable> {
    let file = prepared.program.files.path(side.branch.file).filter(|_| side.branch.is_known())?;
    let target = (side.target.is_known() && side.target.line != side.branch.line).then_some(side.target.line);
    let (line, column) = (side.branch.line, side.branch.column);
    Some(Unreachable { file: Path::new(file).to_path_buf(), line, column, function: side.procedure.clone(), target })
}
