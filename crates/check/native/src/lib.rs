//! Replays a violation natively: clang compiles the user's sources with the sanitizer that fits the property and links
//! them to a driver that returns the recorded inputs. The report says what the run showed. A run can contradict the
//! interpreter only if it had all inputs and its detector sees every failure of its kind; not if the sanitizer sees
//! only most failures (those for memory), or if the run depends on uninitialised memory or missing functions.

mod build;
mod driver;
mod inputs;
mod judge;
mod sandbox;
mod scanned;
mod test_run;
mod uninitialised;
pub mod world;

pub use driver::{Given, MARK, WRAPPED_MAIN, prologue as driver_prologue, table as driver_table, world as driver_world};
pub use inputs::{c_type_of, is_of_unseen_code};
pub use test_run::{Bench, BenchKind, RunLimits, RunOutcome, SANITIZERS, TestRun, ZERO_HEAP_OF_SANITIZER};

use fathom_base::{Budget, NativeParts, Units};
use fathom_ir::{Assumption, Initializer, Ledger, Program, Property, Variable, sources};
use fathom_machine::{InputRecord, ReplayLog, Trace, first_value};
use fathom_term::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;
use world::World;

/// The C library's function that opens files; a native run may not change any.
const OPEN: &str = "fathom_open";

/// What a native replay needs to know of the user's command.
#[derive(Clone, Debug)]
pub struct NativeSetup {
    /// The compiler.
    pub clang: PathBuf,
    /// The sources, in C or C++.
    pub files: Vec<PathBuf>,
    /// As given to the front end, without the data model.
    pub clang_args: Vec<String>,
    /// Files with flags of their own.
    pub units: Units,
    /// 32 or 64: the data model.
    pub pointer_bits: u32,
    /// The function that the run starts at.
    pub entry: String,
    /// What the front end knows.
    pub parts: NativeParts,
    /// The program's arguments, as far as the user fixed them.
    pub arguments: Vec<String>,
    /// How long the compiler may take.
    pub build_time: Duration,
    /// How long the program may run.
    pub run_time: Duration,
    /// How much memory the program may take.
    pub memory_bytes: u64,
}

impl NativeSetup {
    /// A set-up with the default limits on time and memory.
    pub fn new(clang: PathBuf, files: Vec<PathBuf>, clang_args: Vec<String>, pointer_bits: u32, entry: String) -> Self {
        let (build_time, run_time) = (Duration::from_secs(15), Duration::from_secs(5));
        let (units, arguments) = (Units::new(), Vec::new());
        let (parts, memory_bytes) = (NativeParts::default(), 2 << 30);
        Self { clang, files, clang_args, units, pointer_bits, entry, parts, arguments, build_time, run_time, memory_bytes }
    }

    /// The part of the driver that is the same for all inputs.
    pub fn driver_body(&self) -> String {
        let entry = self.parts.entry_driver.as_ref().and_then(|driver| driver.as_ref().ok());
        let allocators = if self.parts.malloc_may_fail { driver::FAILING_ALLOCATORS } else { "" };
        let stand_ins: String = self.parts.stand_ins.values().map(String::as_str).collect();
        [driver::body(self.pointer_bits).as_str(), allocators, &stand_ins, entry.map_or("", String::as_str)].concat()
    }

    /// Why the program can't be started natively.
    fn cannot_start(&self) -> Option<String> {
        match &self.parts.entry_driver {
            Some(Err(why)) => Some(why.clone()),
            None if self.entry != "main" => Some(format!("the run starts in {} instead of main", self.entry)),
            Some(Ok(_)) | None => None,
        }
    }

    /// Linker flags: the program's own `main` must not clash with the driver's, nor several static functions with the entry's
    /// name.
    pub fn link_flags(&self) -> Vec<&'static str> {
        let mut flags = Vec::new();
        if self.parts.entry_driver.is_some() {
            flags.push("-Wl,--allow-multiple-definition");
        }
        if self.parts.malloc_may_fail {
            flags.extend(["-Wl,--wrap=malloc", "-Wl,--wrap=calloc", "-Wl,--wrap=realloc", "-Wl,--wrap=aligned_alloc"]);
            flags.extend(["-Wl,--wrap=posix_memalign", "-Wl,--wrap=strdup", "-Wl,--wrap=strndup", "-Wl,--wrap=memalign"]);
            flags.extend(["-Wl,--wrap=valloc", "-Wl,--wrap=reallocarray", "-Wl,--wrap=asprintf", "-Wl,--wrap=vasprintf"]);
            flags.extend(["-Wl,--wrap=getline", "-Wl,--wrap=getdelim", "-Wl,--wrap=fdopen", "-Wl,--wrap=setenv", "-Wl,--wrap=putenv"]);
            flags.extend(["-Wl,--wrap=_ZnwmRKSt9nothrow_t", "-Wl,--wrap=_ZnamRKSt9nothrow_t"]);
        }
        flags
    }

    /// Flags that the user's files need beside their own.
    pub fn compile_flags(&self) -> &'static [&'static str] {
        if self.parts.entry_is_static { &["-femit-all-decls"] } else { &[] }
    }
}

/// The result of a native replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeResult {
    /// The failure was seen.
    Confirmed(String),
    /// The run showed something else; `contradicts`: it had everything it needed to show the failure.
    NotSeen {
        /// What the run did instead, for people.
        what: String,
        /// It had everything that it needed to show the failure.
        contradicts: bool,
    },
    /// The program can't be built or run natively; why.
    NotPossible(String),
    /// It was not tried; why.
    Skipped(String),
}

impl fmt::Display for NativeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeResult::Confirmed(what) => write!(f, "confirmed natively: {what}"),
            NativeResult::NotSeen { what, .. } => write!(f, "native replay did not show the failure: {what}"),
            NativeResult::NotPossible(why) => write!(f, "native replay was not possible: {why}"),
            NativeResult::Skipped(why) => write!(f, "not replayed natively: {why}"),
        }
    }
}

/// How often a program is run until ThreadSanitizer sees a race: it goes by the order that threads happened to run in.
const RUNS_FOR_RACES: usize = 4;

/// Larger objects may exceed the memory limit of the sandbox.
const LARGE: u64 = 1 << 30;

/// The violation to be shown: what the engine found and what the interpreter saw of it.
pub struct Claim<'a> {
    /// The program that the trace is of.
    pub program: &'a Program,
    /// What is violated.
    pub property: Property,
    /// The run as the engine found it.
    pub trace: &'a Trace,
    /// The run as the interpreter saw it.
    pub log: &'a ReplayLog,
    /// What the violation rests on; a native run need not do all of that.
    pub ledger: &'a Ledger,
}

impl Claim<'_> {
    /// Reasons why a run that does not show the failure does not contradict the violation.
    fn excuses(&self, setup: &NativeSetup, world: &World) -> Vec<String> {
        let mut found: Vec<String> = world.differs.iter().cloned().collect();
        found.extend(setup.parts.hidden.get(&self.trace.violation.loc).map(|why| why.to_string()));
        if self.program.files.is_of_library(self.trace.violation.loc) {
            found.push("it fails inside a function of the C library, which has no sanitizer".into());
        }
        if self.program.find_procedure(OPEN).is_some_and(|open| self.program.procedure(open).body.is_some()) {
            found.push("it may write files".into());
        }
        let uninitialised = |name: &String| name.starts_with("mem");
        if self.trace.symbols.keys().any(uninitialised)
            || self.log.read_unwritten
            || self.log.inputs.iter().any(|i| i.kind.source.is_empty())
        {
            found.push("it depends on uninitialised memory".into());
        }
        let mut unknown = BTreeSet::new();
        for source in self.log.inputs.iter().map(|input| input.kind.source.as_str()) {
            let is_known = inputs::is_known(source) && !is_of_unseen_code(source) || world::is_known(source);
            let is_known = is_known || source.starts_with(sources::BOUNDS);
            if !source.is_empty() && !is_known && unknown.insert(source) {
                found.push(format!("it depends on what {source} gives"));
            }
        }
        if self.log.used_layout || self.trace.layout.iter().any(|placed| placed.chosen) {
            found.push("it depends on where objects lie in memory".into());
        }
        if self.program.uses_threads() {
            found.push("other threads may run in between".into());
        }
        if self.program.reads_volatile() {
            found.push("it reads volatile variables, which are taken to be arbitrary".into());
        }
        if self.chooses_nans() {
            found.push("it depends on which NaN arithmetic makes".into());
        }
        if self.log.largest_object > LARGE {
            found.push("it needs much memory".into());
        }
        if self.external_variables().next().is_some() {
            found.push("it has variables that are defined elsewhere".into());
        }
        if let Some(name) = self.bodiless_functions().find(|name| inputs::is_environment(name)) {
            found.push(format!("it depends on what {name} gives"));
        }
        found
    }

    /// A run that went through without stopping at such a function either did not call it or called the C library's; only a
    /// library function that asks the outside world may differ next time.
    fn bodiless_functions(&self) -> impl Iterator<Item = &str> {
        self.ledger.iter().filter_map(Assumption::bodiless_function)
    }

    /// Whether arithmetic makes other NaNs than this processor's in this run.
    fn chooses_nans(&self) -> bool {
        let mut globals = self.program.globals.iter().enumerate().filter(|(_, global)| global.name.starts_with(Variable::OPEN_NAN));
        globals.any(|(at, global)| {
            first_value(self.program, &self.trace.symbols, at).is_some_and(|value| *value != Value::zero(global.sort, &self.program.terms))
        })
    }

    fn external_variables(&self) -> impl Iterator<Item = &str> {
        let external = self.program.objects.iter().filter(|object| matches!(object.init, Initializer::External));
        external.map(|object| object.name.as_str())
    }
}

/// A function of whose result the run used a value that is only within bounds, so that the real function may not return it.
pub fn of_bounds(log: &ReplayLog) -> Option<&str> {
    log.inputs.iter().find_map(|input| input.kind.source.strip_prefix(sources::BOUNDS))
}

/// The inputs of a run that a driver or its surroundings can give back, in order.
pub fn given(records: &[InputRecord]) -> Vec<Given> {
    let is_known = |source: &str| inputs::is_known(source) || world::is_known(source);
    let known = records.iter().filter(|input| is_known(&input.kind.source));
    known.map(|input| Given { source: input.kind.source.clone(), bytes: input.bytes.clone() }).collect()
}

/// Whether an input is not asked for by an input function but is there when the program starts, or comes from code that is
/// not there: it has a name of its own.
pub fn has_own_name(source: &str) -> bool {
    inputs::is_argument(source) || is_of_unseen_code(source) || inputs::is_allocation(source) || world::is_known(source)
}

/// The driver that `replay` would link, for users who want to build it themselves.
pub fn driver_text(log: &ReplayLog, setup: &NativeSetup) -> String {
    driver::text(&given(&log.inputs), setup)
}

/// The command that builds the program with its driver, for people.
pub fn build_command(setup: &NativeSetup, property: Property) -> String {
    let sanitize = build::sanitizer_args(property).join(" ");
    let files: Vec<String> = setup.files.iter().map(|file| file.display().to_string()).collect();
    let args = setup.clang_args.join(" ");
    let parts = [setup.clang.display().to_string(), format!("-m{}", setup.pointer_bits), sanitize, args, files.join(" ")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let parts: Vec<String> = parts.into_iter().chain(setup.link_flags().iter().map(|flag| flag.to_string())).collect();
    let (compiler, rest) = parts.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    format!("{compiler} driver.c {} -o replay", rest.join(" "))
}

/// Compiles and runs; never longer than the set-up and the budget allow. Leaves no file behind.
pub fn replay(setup: &NativeSetup, claim: &Claim<'_>, budget: &Budget) -> NativeResult {
    let property = claim.property;
    let _phase = tracing::info_span!("native replay", %property).entered();
    // A race is seen in most orders of threads, whichever comes first; what the first thread does alone needs no order.
    if claim.program.uses_threads() && property != Property::NoDataRace && !claim.trace.schedule.is_empty() {
        return NativeResult::Skipped("it needs a certain order of threads, which can't be enforced there".into());
    }
    if let Some(why) = build::hopeless(setup, property) {
        return NativeResult::NotPossible(why);
    }
    let directory = match tempfile::Builder::new().prefix("fathom-replay-").tempdir() {
        Ok(directory) => directory,
        Err(error) => return NativeResult::NotPossible(format!("no temporary directory: {error}")),
    };
    let driver = driver_text(claim.log, setup);
    let external: Vec<&str> = claim.external_variables().collect();
    let flags = build::sanitizer_args(property);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let recipe = build::Recipe { setup, flags: &flags, driver: &driver, external: &external };
    let binary = match build::build(&recipe, directory.path(), budget) {
        Ok(binary) => binary,
        Err(why) => return NativeResult::NotPossible(why),
    };
    let world = World::new(&given(&claim.log.inputs), &setup.arguments);
    let place = directory.path().join("run");
    let unwritten = |error: std::io::Error| format!("its input could not be written: {error}");
    if let Err(error) = std::fs::create_dir(&place) {
        return NativeResult::NotPossible(unwritten(error));
    }
    let limits = sandbox::Limits {
        time: setup.run_time,
        memory_bytes: setup.memory_bytes,
        address_space: !build::uses_address_sanitizer(property) && !matches!(property, Property::NoDataRace | Property::Uninitialised),
        isolate: true,
        writable: Some(place.clone()),
        deep_stack: property != Property::StackOverflow,
    };
    let excuses = claim.excuses(setup, &world);
    let run = || {
        let mut command = judge::command(&binary, property == Property::ValidMemtrack);
        command.args(world.arguments.iter().map(|text| OsStr::from_bytes(text))).current_dir(&place);
        let stdin = world.make(&place, &directory.path().join("standard-input")).map_err(unwritten)?;
        sandbox::run_reading(command, stdin, &limits, budget)
    };
    let runs = if property == Property::NoDataRace { RUNS_FOR_RACES } else { 1 };
    let mut result = NativeResult::NotPossible("it was not run".into());
    for _ in 0..runs {
        result = match run() {
            Ok(ended) if property == Property::Uninitialised => match uninitialised::seen(&ended.stderr, &binary, claim) {
                Ok(what) => NativeResult::Confirmed(what),
                Err(what) => NativeResult::NotSeen { what, contradicts: false },
            },
            Ok(ended) => judge::judge(property, &ended, &excuses),
            Err(why) => NativeResult::NotPossible(why),
        };
        if !matches!(result, NativeResult::NotSeen { .. }) {
            break;
        }
    }
    result
}
