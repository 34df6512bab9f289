//! The suite on the compiled program: every test is run for coverage, every test of an error under sanitizers as well,
//! and each must do what it promises. One that does not is said; it stays in the suite, because what it shows is true
//! of the program as Fathom sees it. The program is compiled while the exploration runs.

use crate::collect::{Collector, Kept};
use crate::verify::Prepared;
use fathom_base::Budget;
use fathom_certify::native::{Bench, BenchKind, RunLimits, Told};
use fathom_ir::Property;
use fathom_semantics::OpenSide;
use fathom_suite::coverage::{self, Measured, Unreachable};
use fathom_suite::{Promise, TestCase};
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
    /// Tests that there was no time for.
    pub not_run: usize,
}

/// What the tools that count need at the end.
const COUNTING: Duration = Duration::from_millis(1500);

impl Measurement {
    pub fn skipped(why: &str) -> Self {
        Self { measured: Err(why.into()), unreachable: Vec::new(), natives: BTreeMap::new(), broken: Vec::new(), not_run: 0 }
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
            Ok(bench) => errors.iter().for_each(|kept| run(&bench, kept, budget, &mut all)),
            Err(why) => all.broken.push(("the program".into(), format!("it can't be run under sanitizers: {why}"))),
        }
    }
    all.measured = benches.coverage.and_then(|bench| {
        for (at, kept) in found.tests.iter().enumerate() {
            if budget.exhausted().is_some() {
                all.not_run = found.tests.len() - at;
                break;
            }
            if kept.is_error() {
                // Without sanitizers an error need not show; it counts for coverage only.
                let _ = bench.run(&kept.test.given(), budget);
            } else {
                run(&bench, kept, budget, &mut all);
            }
        }
        coverage::measure(&bench)
    });
    if let (Ok(measured), true) = (&all.measured, found.complete) {
        let open = found.open.iter().filter_map(|side| unreachable(side, prepared)).collect();
        all.unreachable = measured.confirmed(open);
    }
    all
}

fn run(bench: &Bench, kept: &Kept, budget: &Budget, all: &mut Measurement) {
    match bench.run(&kept.test.given(), budget) {
        Ok(run) => {
            if !keeps_promise(&kept.test, &run.told) {
                let excuse = match kept.test.depends_on.as_slice() {
                    [] => String::new(),
                    what => format!(" (it depends on {})", what.join(", ")),
                };
                all.broken.push((kept.name(), format!("{}{excuse}", run.told)));
            }
            all.natives.insert(kept.number, run.told);
        }
        Err(_) if budget.exhausted().is_some() => {}
        Err(why) => all.broken.push((kept.name(), why)),
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

fn unreachable(side: &OpenSide, prepared: &Prepared<'_>) -> Option<Unreachable> {
    let file = prepared.program.files.path(side.branch.file).filter(|_| side.branch.is_known())?;
    let target = (side.target.is_known() && side.target.line != side.branch.line).then_some(side.target.line);
    let (line, column) = (side.branch.line, side.branch.column);
    Some(Unreachable { file: Path::new(file).to_path_buf(), line, column, function: side.procedure.clone(), target })
}
