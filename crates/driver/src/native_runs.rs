//! Runs tests natively during the exploration: a thread compiles the program, for coverage and with sanitizers, and
//! runs every test as soon as it is written. The remaining tests are run when the exploration has ended, tests of
//! errors first, as far as time allows.

use crate::collect::Kept;
use crate::prepare::Prepared;
use crate::same_names::told_apart;
use fathom_base::Budget;
use fathom_ir::Property;
use fathom_native::{Bench, BenchKind, NativeSetup, RunLimits, RunOutcome, TestRun};
use fathom_suite::path::{self, Foreseen, PathCheck};
use fathom_suite::{Promise, TestCase};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between looks at the clock and at the thread.
const LOOK_EVERY: Duration = Duration::from_millis(10);
pub(crate) const RUN_LIMITS: RunLimits = RunLimits { time: Duration::from_secs(2), memory_bytes: 1 << 30 };

/// From so many tests on the pace is known.
const FEW: usize = 5;

struct Job {
    number: usize,
    test: TestCase,
    foreseen: Foreseen,
}

/// A native run of a test.
pub(crate) struct Ran {
    /// For an error: under sanitizers, which show it.
    pub checked: Option<Result<RunOutcome, String>>,
    pub covering: Result<TestRun, String>,
    pub path: PathCheck,
}

/// What became of the tests.
pub(crate) struct AllRuns {
    /// The program as compiled for coverage.
    pub coverage: Result<Bench, String>,
    /// By the number of the test.
    pub ran: BTreeMap<usize, Ran>,
}

/// How far the thread is.
#[derive(Default)]
struct Pace {
    submitted: AtomicUsize,
    done: AtomicUsize,
    /// What the tests that are done took together, in milliseconds.
    took: AtomicU64,
}

pub(crate) struct NativeRuns {
    jobs: Sender<Job>,
    pace: Arc<Pace>,
    thread: JoinHandle<AllRuns>,
    budget: Budget,
}

impl NativeRuns {
    /// Begins to compile. Nothing is begun after the budget.
    pub fn start(prepared: &Prepared<'_>, budget: Budget) -> NativeRuns {
        let leaks = prepared.properties.contains(&Property::ValidMemtrack);
        let (mut setup, building) = (prepared.native_setup(), prepared.budget.clone());
        // Beside the exploration there is time, which a busy machine may need.
        setup.build_time = setup.build_time.max(building.remaining().unwrap_or_default() / 2);
        setup.units = told_apart(&setup.files, &setup.units);
        let (jobs, queue) = channel();
        let (running, pace) = (budget.clone(), Arc::new(Pace::default()));
        let noted = pace.clone();
        let thread = std::thread::spawn(move || Worker::new(&setup, leaks, &building, running, noted).work(&queue));
        NativeRuns { jobs, pace, thread, budget }
    }

    /// A test to be run.
    pub fn submit(&self, kept: &Kept) {
        let job = Job { number: kept.number, test: kept.test.clone(), foreseen: kept.foreseen.clone() };
        // A thread that is gone is noticed at the end.
        let _ = self.jobs.send(job);
        self.pace.submitted.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the tests that wait will take all the time that is left, at the pace so far.
    pub fn is_late(&self) -> bool {
        let done = self.pace.done.load(Ordering::Relaxed);
        let waiting = self.pace.submitted.load(Ordering::Relaxed).saturating_sub(done) as u64;
        let Some(left) = self.budget.remaining() else { return false };
        done >= FEW && waiting * self.pace.took.load(Ordering::Relaxed) / done as u64 > left.as_millis() as u64
    }

    /// No more tests will come: waits for those that are left. Calls `late` if that takes as long as it may, because what
    /// was begun then still has to end.
    pub fn finish(self, late: impl Fn()) -> Result<AllRuns, String> {
        drop(self.jobs);
        while !self.thread.is_finished() && self.budget.exhausted().is_none() {
            std::thread::sleep(LOOK_EVERY);
        }
        if !self.thread.is_finished() {
            late();
        }
        self.thread.join().map_err(|_| "the thread that runs the tests crashed".to_string())
    }
}

struct Worker {
    pace: Arc<Pace>,
    coverage: Result<Bench, String>,
    sanitizers: Result<Bench, String>,
    budget: Budget,
    ran: BTreeMap<usize, Ran>,
}

impl Worker {
    fn new(setup: &NativeSetup, leaks: bool, building: &Budget, budget: Budget, pace: Arc<Pace>) -> Worker {
        let build = |kind| Bench::build(setup, kind, RUN_LIMITS, building);
        let (coverage, sanitizers) = (build(BenchKind::Coverage), build(BenchKind::Sanitizers { leaks }));
        Worker { pace, coverage, sanitizers, budget, ran: BTreeMap::new() }
    }

    fn work(mut self, queue: &Receiver<Job>) -> AllRuns {
        let mut waiting: VecDeque<Job> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                let Ok(job) = queue.recv() else { break };
                waiting.push_back(job);
            }
            for job in queue.try_iter() {
                match job.test.promise {
                    Promise::Fails { .. } => waiting.push_front(job),
                    Promise::Ends | Promise::GoesOn => waiting.push_back(job),
                }
            }
            if self.budget.exhausted().is_some() {
                break;
            }
            if let Some(job) = waiting.pop_front() {
                let start = Instant::now();
                self.run(&job);
                self.pace.took.fetch_add(start.elapsed().as_millis() as u64, Ordering::Relaxed);
                self.pace.done.fetch_add(1, Ordering::Relaxed);
            }
        }
        AllRuns { coverage: self.coverage, ran: self.ran }
    }

    fn run(&mut self, job: &Job) {
        let run = |bench: &Result<Bench, String>| match bench {
            Ok(bench) => bench.run(&job.test.given(), &self.budget),
            Err(why) => Err(why.clone()),
        };
        let is_error = matches!(job.test.promise, Promise::Fails { .. });
        let checked = is_error.then(|| run(&self.sanitizers).map(|run| run.told));
        let covering = run(&self.coverage);
        if self.budget.exhausted().is_some() && covering.is_err() {
            return;
        }
        let path = match &covering {
            Ok(run) => check_path(job, run),
            Err(why) => PathCheck::NotCompared(why.clone()),
        };
        self.ran.insert(job.number, Ran { checked, covering, path });
    }
}

fn check_path(job: &Job, run: &TestRun) -> PathCheck {
    let Some(profile) = &run.profile else { return PathCheck::NotCompared("the run left no profile behind".into()) };
    // Of a program that goes on, only one that asked for an input that the test does not have stops in the same place.
    let stops = job.test.promise != Promise::GoesOn || matches!(run.told, RunOutcome::AsksForMore(_));
    let foreseen = Foreseen { ends_there: job.foreseen.ends_there && stops, ..job.foreseen.clone() };
    path::check(&foreseen, profile)
}
