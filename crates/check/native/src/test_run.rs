//! A program that is compiled once and run on many tests: with sanitizers, to see what a test does, or for coverage, to
//! see where it goes. Unlike for the replay of a violation, no outcome is expected; the run is simply reported.

use crate::driver::{self, Given};
use crate::judge::{self, Observation};
use crate::sandbox::{self, Ended, Limits};
use crate::world::World;
use crate::{NativeSetup, build};
use fathom_base::Budget;
use std::cell::Cell;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a program is compiled for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BenchKind {
    /// `leaks`: memory that is still allocated at the end counts as an error.
    Sanitizers {
        /// Whether memory that is still allocated at the end is an error.
        leaks: bool,
    },
    /// Built to count what runs execute.
    Coverage,
}

/// What a program does not initialise no test can set: it is zero in every run.
const ZERO_LOCALS: &str = "-ftrivial-auto-var-init=zero";
/// The same for malloc: glibc fills with the complement of the number, except what lies in the caches of threads.
const ZERO_HEAP: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0");
/// Options of AddressSanitizer that fill new heap memory with zeros.
pub const ZERO_HEAP_OF_SANITIZER: &str = "max_malloc_fill_size=1073741824:malloc_fill_byte=0";

/// Detectors that fit what Fathom checks; the other groups of `undefined` check what no property is about.
pub const SANITIZERS: &[&str] = &[
    "-fsanitize=address,bounds,null,signed-integer-overflow,shift,integer-divide-by-zero",
    "-fsanitize-address-use-after-scope",
    "-finstrument-functions",
    ZERO_LOCALS,
];
/// Counts of regions are sums and differences of others, which hold only if the compiler knows that `exit` and `abort` do
/// not return: they must be builtins here. Functions that it would compute itself must not: a condition that it decides has
/// fewer regions.
const COVERAGE: &[&str] = &[
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-finstrument-functions",
    ZERO_LOCALS,
    "-fbuiltin",
    "-fno-builtin-strlen",
    "-fno-builtin-memcmp",
    "-fno-builtin-bcmp",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
    "-fno-builtin-strchr",
    "-fno-builtin-memchr",
    "-fno-builtin-wcslen",
    "-fno-builtin-wcscmp",
    "-fno-builtin-wcsncmp",
    "-fno-builtin-wmemcmp",
    "-fno-builtin-wcschr",
    "-fno-builtin-wmemchr",
];

/// Limits of one run.
#[derive(Copy, Clone, Debug)]
pub struct RunLimits {
    /// How long the program may run.
    pub time: Duration,
    /// How much memory it may take.
    pub memory_bytes: u64,
}

/// How a run of a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// An error function, a failed assertion, a sanitizer's report, a crash.
    Error(String),
    /// main returned or exit was called.
    Ended {
        /// The exit code.
        code: i32,
    },
    /// `abort` was called.
    Aborted,
    /// All inputs were used and this function was asked for another.
    AsksForMore(String),
    /// The next input belongs to another function than this one.
    OtherFunction(String),
    /// The program ended without asking for all inputs.
    UnusedInputs,
    /// The inputs violate an assumption; the text is the function that makes it.
    BrokenAssumption(String),
    /// A function that is defined nowhere was called.
    MissingFunction(String),
    /// Too much `time` or `memory`.
    Limit(&'static str),
}

impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunOutcome::Error(what) => write!(f, "error: {what}"),
            RunOutcome::Ended { code } => write!(f, "the program ended with exit code {code}"),
            RunOutcome::Aborted => f.write_str("the program called abort"),
            RunOutcome::AsksForMore(function) => write!(f, "all inputs were used, then {function} was asked for another"),
            RunOutcome::OtherFunction(function) => {
                write!(f, "the program asked {function} where the test has an input of another function")
            }
            RunOutcome::UnusedInputs => f.write_str("the program ended without asking for all inputs"),
            RunOutcome::BrokenAssumption(function) => write!(f, "the inputs break an assumption ({function})"),
            RunOutcome::MissingFunction(function) => write!(f, "the program calls {function}, which is defined nowhere"),
            RunOutcome::Limit(what) => write!(f, "the program used too much {what} and was stopped"),
        }
    }
}

/// A run of a test: how it ended, and what it printed and covered.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// How the run ended.
    pub told: RunOutcome,
    /// What the program and the sanitizers wrote on standard error, without the driver's lines.
    pub stderr: String,
    /// The file with what it counted, if the program was compiled for coverage.
    pub profile: Option<PathBuf>,
}

/// The compiled program.
pub struct Bench {
    directory: tempfile::TempDir,
    binary: PathBuf,
    kind: BenchKind,
    limits: RunLimits,
    /// Arguments that the user fixed.
    arguments: Vec<String>,
    runs: Cell<usize>,
}

impl Bench {
    /// Compiles the program with a driver that reads each test's inputs.
    pub fn build(setup: &NativeSetup, kind: BenchKind, limits: RunLimits, budget: &Budget) -> Result<Bench, String> {
        let driver = driver::text_reading(setup, limits.time.as_secs().max(1));
        Self::build_with(setup, &driver, kind, limits, budget)
    }

    /// Compiles the program with this driver.
    pub fn build_with(setup: &NativeSetup, driver: &str, kind: BenchKind, limits: RunLimits, budget: &Budget) -> Result<Bench, String> {
        let is_compiled = |file: &PathBuf| file.extension().is_some_and(|e| e == "bc" || e == "ll");
        if kind == BenchKind::Coverage && setup.files.iter().any(is_compiled) {
            return Err("coverage needs the C source".into());
        }
        if let Some(why) = setup.cannot_start() {
            return Err(why);
        }
        let directory = tempfile::Builder::new().prefix("fathom-bench-").tempdir();
        let directory = directory.map_err(|error| format!("no temporary directory: {error}"))?;
        let mut flags = match kind {
            BenchKind::Sanitizers { .. } => SANITIZERS.to_vec(),
            BenchKind::Coverage => COVERAGE.to_vec(),
        };
        if driver.contains(driver::WRAPPED_MAIN) {
            flags.push("-Wl,--wrap=main");
        }
        let recipe = build::Recipe { setup, flags: &flags, driver, external: &[] };
        let binary = build::build(&recipe, directory.path(), budget)?;
        std::fs::create_dir(directory.path().join(PROFILES)).map_err(|error| error.to_string())?;
        Ok(Bench { directory, binary, kind, limits, arguments: setup.arguments.clone(), runs: Cell::new(0) })
    }

    /// The path of the compiled program.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Where runs leave what they covered; nowhere else can they write.
    pub fn profiles(&self) -> PathBuf {
        self.directory.path().join(PROFILES)
    }

    /// A directory for one run, where the program finds its files and nothing else, and may make others.
    fn place(&self) -> Result<tempfile::TempDir, String> {
        let place = tempfile::Builder::new().prefix("run-").tempdir_in(self.profiles());
        place.map_err(|error| format!("no directory to run in: {error}"))
    }

    /// Runs one test; only a failure to run anything at all is an error.
    pub fn run(&self, given: &[Given], budget: &Budget) -> Result<TestRun, String> {
        let inputs = self.directory.path().join("inputs");
        std::fs::write(&inputs, driver::table_file(given)).map_err(|error| format!("inputs can't be written: {error}"))?;
        let covers = self.kind == BenchKind::Coverage;
        let mut command = judge::command(&self.binary, self.kind == BenchKind::Sanitizers { leaks: true });
        command.env("FATHOM_INPUTS", &inputs).env(ZERO_HEAP.0, ZERO_HEAP.1);
        judge::add_address_option(&mut command, ZERO_HEAP_OF_SANITIZER);
        self.runs.set(self.runs.get() + 1);
        let place = self.place()?;
        command.current_dir(place.path());
        let profile = covers.then(|| self.profiles().join(format!("{}.profraw", self.runs.get())));
        if let Some(profile) = &profile {
            command.env("LLVM_PROFILE_FILE", profile);
        }
        let limits = Limits {
            // The driver ends a run for coverage itself, a little earlier, to save what was covered.
            time: self.limits.time + if covers { Duration::from_secs(2) } else { Duration::ZERO },
            memory_bytes: self.limits.memory_bytes,
            address_space: covers,
            isolate: true,
            writable: Some(self.profiles()),
            deep_stack: true,
        };
        let world = World::new(given, &self.arguments);
        command.args(world.arguments.iter().map(|text| OsStr::from_bytes(text)));
        let stdin = world
            .make(place.path(), &self.directory.path().join("standard-input"))
            .map_err(|error| format!("its input could not be written: {error}"))?;
        let ended = sandbox::run_reading(command, stdin, &limits, budget)?;
        Ok(TestRun { told: told(&ended), stderr: own_words(&ended.stderr), profile: profile.filter(|file| file.exists()) })
    }
}

const PROFILES: &str = "profiles";

fn told(ended: &Ended) -> RunOutcome {
    let seen = judge::observations(&ended.stderr);
    if let Some(error) = seen.iter().find_map(error_text) {
        return RunOutcome::Error(error);
    }
    if let Some(limit) = ended.limit {
        return RunOutcome::Limit(limit);
    }
    match seen.last() {
        Some(Observation::Driver("exhausted", function)) => RunOutcome::AsksForMore(function.to_string()),
        Some(Observation::Driver("diverged", function)) => RunOutcome::OtherFunction(function.to_string()),
        Some(Observation::Driver("assumption", function)) => RunOutcome::BrokenAssumption(function.to_string()),
        Some(Observation::Driver("missing", function)) => RunOutcome::MissingFunction(function.to_string()),
        Some(Observation::Driver("timeout", _)) => RunOutcome::Limit("time"),
        Some(Observation::Driver("crashed", _)) => RunOutcome::Error("the program crashed".into()),
        Some(Observation::Driver("aborted", _)) => RunOutcome::Aborted,
        Some(Observation::Driver("unused", _)) => RunOutcome::UnusedInputs,
        _ => match (ended.code, ended.signal) {
            (Some(code), _) => RunOutcome::Ended { code },
            (None, Some(libc::SIGABRT)) => RunOutcome::Aborted,
            (None, signal) => RunOutcome::Error(format!("the program was ended by signal {}", signal.unwrap_or(0))),
        },
    }
}

fn error_text(seen: &Observation<'_>) -> Option<String> {
    match seen {
        Observation::Driver("reach_error", _) | Observation::Driver("assert", "reach_error" | "__VERIFIER_error") => {
            Some("the error function was called".into())
        }
        Observation::Driver("assert", function) => Some(format!("an assertion failed in {function}")),
        Observation::Address(what) if !judge::is_exhaustion(what) => Some(judge::address_text(what)),
        Observation::Leak => Some("LeakSanitizer: detected memory leaks".into()),
        Observation::Race(what) => Some(format!("ThreadSanitizer: {what}")),
        Observation::Undefined(line) => Some(judge::undefined_text(line)),
        Observation::Signal(what) => Some(judge::signal_text(what)),
        Observation::Address(_) | Observation::Driver(..) => None,
    }
}

fn own_words(stderr: &str) -> String {
    let lines = stderr.lines().filter(|line| !line.starts_with(driver::MARK));
    lines.collect::<Vec<_>>().join("\n").trim().to_string()
}
