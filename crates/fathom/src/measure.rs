//! The suite on the compiled program: every test is run for coverage, every test of an error under sanitizers as well,
//! and each must do what it promises. One that does not is said; it stays in the suite, because what it shows is true
//! of the program as Fathom sees it. The program is compiled while the exploration runs.

use crate::collect::{Collector, Kept};
use crate::verify::Prepared;
use fathom_base::{Budget, FileId};
use fathom_certify::native::{Bench, BenchKind, RunLimits, TestRun, Told};
use fathom_ir::Property;
use fathom_semantics::{Coverage, OpenSide, taken_sides};
use fathom_suite::coverage::{self, Measured, SeenSides, Unreachable};
use fathom_suite::path::{Foreseen, PathCheck};
use fathom_suite::{Promise, TestCase, path};
use std::collections::BTreeMap;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

const RUN_LIMITS: RunLimits = RunLimits { time: Duration::from_secs(2), memory_bytes: 1 << 30 };

pub struct Measurement {
    pub measured: Result<Measured, String>,
    pub unreachable: Vec<Unreachable>,
    /// What each test did, by its number.
    pub natives: BTreeMap<usize, Told>,
    /// Tests that did something else than they promise.
    pub broken: Vec<(String, String)>,
    /// Whether each test took the path that it promises, by its number.
    pub paths: BTreeMap<usize, PathCheck>,
    /// Tests that there was no time for.
    pub not_run: usize,
}

/// What the tools that count need at the end.
pub const COUNTING: Duration = Duration::from_millis(1500);

impl Measurement {
    pub fn skipped(why: &str) -> Self {
        let (natives, paths) = (BTreeMap::new(), BTreeMap::new());
        Self { measured: Err(why.into()), unreachable: Vec::new(), natives, paths, broken: Vec::new(), not_run: 0 }
    }
}

/// The program, compiled for coverage and with sanitizers.
pub struct Benches {
    coverage: Result<Bench, String>,
    sanitizers: Result<Bench, String>,
}

/// Begins to compile.
pub fn build(prepared: &Prepared<'_>) -> JoinHandle<Benches> {
    let (setup, budget) = (prepared.native_setup(), prepared.budget.clone());
    let leaks = prepared.properties.contains(&Property::ValidMemtrack);
    std::thread::spawn(move || {
        let build = |kind| Bench::build(&setup, kind, RUN_LIMITS, &budget);
        Benches { coverage: build(BenchKind::Coverage), sanitizers: build(BenchKind::Sanitizers { leaks }) }
    })
}

pub fn measure(collector: &Collector, prepared: &Prepared<'_>, benches: JoinHandle<Benches>, budget: &Budget) -> Measurement {
    let found = collector.found.borrow();
    let Ok(benches) = benches.join() else { return Measurement::skipped("the compiler's thread crashed") };
    if found.tests.is_empty() {
        return Measurement::skipped("there are no tests");
    }
    let running = budget.remaining().map_or(budget.clone(), |left| budget.at_most(left.saturating_sub(COUNTING)));
    let budget = &running;
    let mut all = Measurement::skipped("");
    // Errors first: they are what nobody wants to lose.
    let errors: Vec<&Kept> = found.tests.iter().filter(|kept| kept.is_error()).collect();
    if !errors.is_empty() {
        match benches.sanitizers {
            Ok(bench) => {
                for kept in errors {
                    run(&bench, kept, budget, &mut all);
                }
            }
            Err(why) => all.broken.push(("the program".into(), format!("it can't be run under sanitizers: {why}"))),
        }
    }
    all.measured = benches.coverage.and_then(|bench| {
        for (at, kept) in found.tests.iter().enumerate() {
            if budget.exhausted().is_some() {
                all.not_run = found.tests.len() - at;
                break;
            }
            let ran = match kept.is_error() {
                // Without sanitizers an error need not show; the way to it and what it covers do.
                true => bench.run(&kept.test.given(), budget).ok(),
                false => run(&bench, kept, budget, &mut all),
            };
            if let Some(ran) = ran {
                all.paths.insert(kept.number, check_path(kept, &ran));
            }
        }
        coverage::measure(&bench)
    });
    if let (Ok(measured), Some(covered)) = (&mut all.measured, found.covered_by_tests()) {
        measured.agree_with(&seen_sides(&covered, prepared));
    }
    if let (Ok(measured), true) = (&all.measured, found.complete) {
        let open = found.open.iter().filter_map(|side| unreachable(side, prepared)).collect();
        all.unreachable = measured.confirmed(open);
    }
    all
}

fn run(bench: &Bench, kept: &Kept, budget: &Budget, all: &mut Measurement) -> Option<TestRun> {
    match bench.run(&kept.test.given(), budget) {
        Ok(run) => {
            if !keeps_promise(&kept.test, &run.told) {
                all.broken.push((kept.name(), format!("{}{}", run.told, excuse(&kept.test))));
            }
            all.natives.insert(kept.number, run.told.clone());
            Some(run)
        }
        Err(_) if budget.exhausted().is_some() => None,
        Err(why) => {
            all.broken.push((kept.name(), why));
            None
        }
    }
}

/// Why a test may do something else natively without anybody being wrong.
fn excuse(test: &TestCase) -> String {
    match test.depends_on.as_slice() {
        [] => String::new(),
        what => format!(" (it depends on {})", what.join(", ")),
    }
}

fn check_path(kept: &Kept, run: &TestRun) -> PathCheck {
    let Some(profile) = &run.profile else { return PathCheck::NotCompared("the run left no profile behind".into()) };
    // Of a program that goes on, only one that asked for an input that the test does not have stops in the same place.
    let stops = kept.test.promise != Promise::GoesOn || matches!(run.told, Told::AsksForMore(_));
    let foreseen = Foreseen { ends_there: kept.foreseen.ends_there && stops, ..kept.foreseen.clone() };
    match path::check(&foreseen, profile) {
        PathCheck::Differs(how) => PathCheck::Differs(how + &excuse(&kept.test)),
        other => other,
    }
}

/// Whether the run did what the test says it does.
pub fn keeps_promise(test: &TestCase, told: &Told) -> bool {
    match (&test.promise, told) {
        (Promise::Ends, Told::Ended { .. } | Told::Aborted) => true,
        (Promise::GoesOn, Told::Ended { .. } | Told::Aborted | Told::AsksForMore(_) | Told::Limit("time")) => true,
        (Promise::Fails { .. }, Told::Error(_)) => true,
        (Promise::Ends | Promise::GoesOn | Promise::Fails { .. }, _) => false,
    }
}

/// What the interpreter saw taken, line by line.
fn seen_sides(coverage: &Coverage, prepared: &Prepared<'_>) -> Vec<SeenSides> {
    let mut lines: BTreeMap<(FileId, u32), SeenSides> = BTreeMap::new();
    for branch in taken_sides(&prepared.program, coverage) {
        let Some(file) = prepared.program.files.path(branch.branch.file).filter(|_| branch.branch.is_known()) else { continue };
        let (file, line) = (Path::new(file).to_path_buf(), branch.branch.line);
        let seen = lines.entry((branch.branch.file, line)).or_insert_with(|| SeenSides { file, line, function: branch.procedure.clone(), taken: 0, all: 0 });
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
