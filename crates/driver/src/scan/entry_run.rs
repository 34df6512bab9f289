//! Explores one entry of a code base: every violation is reported with its native run; if every path was followed to
//! its end or to a violation, there are no others. This is done once for all alarms that the entry may reach.

use crate::config::{InputConfig, VerifyConfig};
use crate::engines;
use crate::prepare::{Prepared, prepare};
use crate::scan::paths;
use crate::scan::preconditions::{self, Asked};
use crate::scan::promises;
use crate::scan::suspicions::Suspicions;
use crate::session::Session;
use crate::stack::on_large_stack;
use fathom_base::{LIBRARY, Loc, SourceFiles, StopReason, processor_time};
use fathom_certify::{Certified, NativeMode};
use fathom_engine::{Outcome, Reason, Statistics, Trace, Verdict};
use fathom_ir::{Assumption, Program, Property, Statement, StatementKind};
use fathom_machine::{Fault, OpenSide, PathRecord, ReplayEnd, ReplayLog, TraceStep};
use fathom_native::NativeResult;
use fathom_scan::{Alarm, Class, Evidence, FlowStep, Place};
use fathom_search::{Appetite, PathListener, Reach};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Steps of the interpreter that one replay may take.
const REPLAY_STEPS: u64 = 100_000_000;
/// Beside exploring, there are native runs, whose builds take long where files are long, and conditions to be tried.
pub(crate) const CONFIRMATION: Duration = Duration::from_secs(60);
pub(crate) const LONGEST_CONFIRMATION: u32 = 8;
/// How many times longer than it computes an exploration may take.
const LONGEST_WAIT: u32 = 4;
/// More violations of one entry are not confirmed.
const MOST_VIOLATIONS: usize = 12;

/// An entry and what is asked about it.
#[derive(Clone, Debug)]
pub(crate) struct EntryJob {
    /// The function's symbol.
    pub entry: String,
    /// Its pointer arguments may be null.
    pub null: bool,
    /// What it gives may hold memory, so what is not freed at its end is no leak.
    pub keeps_memory: bool,
    /// Its parameters lead to structures, whose contents are arbitrary.
    pub takes_structures: bool,
    /// It may access variables that other functions have written before.
    pub has_state: bool,
    /// Other violations than these alarms are searched for as well.
    pub looks_for_own: bool,
    /// Alarms that this entry is asked about.
    pub alarms: Vec<Alarm>,
    /// For exploring.
    pub time: Duration,
    /// What is linked.
    pub input: InputConfig,
    /// The entry's own file, if there are others.
    pub alone: Option<InputConfig>,
    /// Bytes that it may use.
    pub memory: u64,
}

/// A violation that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FoundViolation {
    pub property: String,
    /// In the user's code, innermost first: where it happens, and the calls that led there.
    pub places: Vec<Place>,
    /// The function that it happens in.
    pub function: Option<String>,
    /// What a native run showed; without one, why not.
    pub native: Result<String, String>,
    pub evidence: Evidence,
    /// A condition on arguments under which it was not found any more, and whether that is proved.
    pub precondition: Option<(String, bool)>,
    /// It depends on what structures hold that the entry is given.
    pub needs_structures: bool,
    /// What was wrong with the pointer, if an alarm of some class would say that.
    pub bad_pointer: Option<BadPointer>,
}

impl FoundViolation {
    /// The calls that lead there, outermost first; none where there are none.
    pub fn flow(&self) -> Vec<FlowStep> {
        let step = |(depth, place): (usize, &Place)| FlowStep {
            place: place.clone(),
            end: (place.line, place.column),
            message: if depth > 0 { "called here".into() } else { self.evidence.message.clone() },
        };
        if self.places.len() > 1 { self.places.iter().enumerate().rev().map(step).collect() } else { Vec::new() }
    }
}

/// What can be wrong with a pointer beside its bounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BadPointer {
    /// It is null, or a little behind null.
    Null,
    /// The lifetime of what it points to has ended.
    Dangling,
}

impl BadPointer {
    fn of(log: &ReplayLog) -> Option<Self> {
        let scene = &log.scene;
        let has_ended = |fault: &Fault| scene.objects.get(&fault.place.object).is_some_and(|object| object.alive.1.is_some());
        match () {
            () if scene.is_null_access => Some(Self::Null),
            () if scene.fault.as_ref().is_some_and(has_ended) => Some(Self::Dangling),
            () => None,
        }
    }
}

/// What an exploration found out about one alarm.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct OfAlarm {
    /// The reported path can't be taken.
    pub path_infeasible: bool,
    /// Some path came to the line.
    pub is_reached: bool,
    /// What is checked on the line.
    pub checks: BTreeSet<String>,
}

/// What exploring an entry gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct EntryResult {
    /// Every path was followed.
    pub is_complete: bool,
    /// Why not.
    pub why: Option<String>,
    /// That is the reason; how much memory there is depends on how many run at a time.
    pub ran_out_of_memory: bool,
    /// What it rests on.
    pub assumptions: Vec<String>,
    /// Some of that are bounds.
    pub is_bounded: bool,
    pub seen: Vec<FoundViolation>,
    /// As the job's alarms.
    pub alarms: Vec<OfAlarm>,
    /// Properties that were checked.
    pub checked: BTreeSet<String>,
    /// Some runs ended where they violated something, so what comes behind that may not have been reached.
    pub is_cut_short: bool,
    /// Seconds for the reported paths.
    pub path_seconds: f64,
    /// Further checks that may fail, if not every path was followed.
    pub suspicions: Suspicions,
}

impl EntryResult {
    /// The result of a run that came to nothing.
    pub fn failed(why: impl Into<String>) -> Self {
        Self { why: Some(why.into()), ..Self::default() }
    }
}

/// What is checked: what a sanitizer shows, and leaks where the entry could not have kept the memory.
fn properties(job: &EntryJob) -> Vec<String> {
    let mut names = vec![
        "unreach-call,assertion,valid-deref,valid-free,uninitialised,no-overflow,div-by-zero,shift,bounds",
        "float-cast-overflow,vla-bound,invalid-value,nonnull,unreachable,builtin",
    ];
    if !job.keeps_memory {
        names.push("valid-memtrack");
    }
    names.into_iter().map(String::from).collect()
}

fn question(job: &EntryJob, input: &InputConfig) -> VerifyConfig {
    let input = InputConfig { entry: Some(job.entry.clone()), entry_null: job.null, malloc_may_fail: true, ..input.clone() };
    let mut config = VerifyConfig::new(input);
    config.properties = properties(job);
    config.timeout = job.time * LONGEST_CONFIRMATION + CONFIRMATION;
    config.memory = job.memory;
    config
}

/// Explores an entry.
pub(crate) fn explore(job: &EntryJob, session: &Session) -> EntryResult {
    let session = Session { start: Instant::now(), listener: Session::default().listener, ..session.clone() };
    let attempt = |input: &InputConfig| {
        on_large_stack(|| {
            let config = question(job, input);
            let mut prepared = prepare(&config, &session, false)?;
            let promised = promises::assuming_asserts(&prepared.program);
            let promises = promised.map_or_else(Vec::new, |(program, promises)| {
                prepared.program = Rc::new(program);
                promises
            });
            Ok(Run { job, prepared, promises }.result())
        })
    };
    // Files that do not go together may each be a program.
    let done = attempt(&job.input).or_else(|error| job.alone.as_ref().map_or(Err(error), attempt));
    done.unwrap_or_else(|error| EntryResult::failed(error.reason()))
}

/// Keeps the violations that the interpreter confirms.
struct Violations {
    program: Rc<Program>,
    properties: BTreeSet<Property>,
    found: RefCell<Vec<Trace>>,
    complete: Cell<bool>,
    why: RefCell<Option<Reason>>,
}

impl PathListener for Violations {
    fn path(&self, _path: PathRecord) {}

    fn violation(&self, trace: &Trace) -> Result<(), String> {
        let log = fathom_machine::replay(&self.program, &self.properties, trace, REPLAY_STEPS);
        match log.end {
            ReplayEnd::Violated(seen) if seen.property == trace.violation.property && seen.loc == trace.violation.loc => {
                self.found.borrow_mut().push(trace.clone());
                Ok(())
            }
            other => Err(format!("{}: the replay gave {other:?}", trace.violation.message)),
        }
    }

    fn appetite(&self) -> Appetite {
        Appetite::All
    }

    fn finished(&self, reach: Reach, _open: Vec<OpenSide>, why: Option<Reason>) {
        self.complete.set(reach == Reach::EveryPath);
        *self.why.borrow_mut() = why;
    }
}

/// The result of an exploration.
pub(crate) struct Explored {
    pub outcome: Outcome,
    pub found: Vec<Trace>,
    pub is_complete: bool,
    pub why: Option<Reason>,
}

impl Prepared<'_> {
    /// Explores this program, going on after violations.
    pub(crate) fn explore_all(&self, program: &Rc<Program>, time: Duration) -> Explored {
        let properties = self.properties.clone();
        let listener = Rc::new(Violations {
            program: program.clone(),
            properties,
            found: RefCell::default(),
            complete: Cell::new(false),
            why: RefCell::default(),
        });
        let engine = engines::explore_all(listener.clone(), self.config);
        // Processes share the machine, so time is that of the processor; the clock is only the last resort.
        let budget = self.budget.computing_at_most(time).at_most(time * LONGEST_WAIT);
        let outcome = self.run_on(program, engine.as_ref(), &budget);
        let (found, is_complete, why) = (listener.found.take(), listener.complete.get(), listener.why.take());
        Explored { outcome, found, is_complete, why }
    }
}

struct Run<'a> {
    job: &'a EntryJob,
    prepared: Prepared<'a>,
    /// What the entry asserts of its arguments.
    promises: Vec<String>,
}

impl Run<'_> {
    fn result(&self) -> EntryResult {
        let begun = processor_time();
        // The function alone is what paths are asked of, so one entry is enough.
        let is_own = |alarm: &Alarm| !self.job.null && alarm.function.as_deref() == Some(self.job.entry.as_str());
        let infeasible: Vec<bool> =
            self.job.alarms.iter().map(|alarm| is_own(alarm) && paths::is_infeasible(&self.prepared, alarm)).collect();
        let path_seconds = (processor_time() - begun).as_secs_f64();
        let mut explored = self.prepared.explore_all(&self.prepared.program, self.job.time);
        let statistics = std::mem::take(&mut explored.outcome.statistics);
        let mut alarms = self.of_alarms(&statistics, &explored.found);
        alarms.iter_mut().zip(infeasible).for_each(|(alarm, infeasible)| alarm.path_infeasible = infeasible);
        let refused = if explored.is_complete { self.recheck(&explored, &statistics) } else { None };
        let mut assumptions: BTreeSet<Assumption> = explored.outcome.ledger.iter().cloned().collect();
        assumptions.extend(self.prepared.program.assumptions.iter().cloned());
        let is_bounded = self.job.has_state || !self.promises.is_empty() || assumptions.iter().any(is_bound);
        let mut told: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
        if self.job.has_state {
            told.push(format!("variables with static storage have their initial values when {} is called", self.job.entry));
        }
        told.extend(self.promises.iter().map(|said| format!("callers of {} keep what it asserts at its start: {said}", self.job.entry)));
        let seen = self.seen(&explored);
        if !explored.found.is_empty() {
            told.push("a run ends where it violates something".into());
        }
        let is_open = !explored.is_complete && self.job.looks_for_own;
        let suspicions = if is_open { self.prepared.suspicions() } else { Suspicions::default() };
        EntryResult {
            is_complete: explored.is_complete && refused.is_none(),
            ran_out_of_memory: explored.why == Some(Reason::Stopped(StopReason::OutOfMemory)),
            why: refused.or(explored.why).map(|why| why.to_string()),
            assumptions: told,
            is_bounded,
            seen,
            alarms,
            checked: properties(self.job).iter().flat_map(|names| names.split(',')).map(String::from).collect(),
            is_cut_short: !explored.found.is_empty(),
            path_seconds,
            suspicions,
        }
    }

    /// Puts the proof that nothing else fails to the certifier: why it does not stand, if it doesn't.
    fn recheck(&self, explored: &Explored, statistics: &Statistics) -> Option<Reason> {
        let holds = explored.outcome.verdicts.values().find_map(|verdict| match verdict {
            Verdict::Holds(proof) => Some(proof.clone()),
            _ => None,
        });
        let property = *self.prepared.properties.first()?;
        let Some(proof) = holds.or_else(|| statistics.exhaustive.clone()) else {
            return Some(Reason::Undecided("there is no proof object".into()));
        };
        let outcome = Outcome { verdicts: BTreeMap::from([(property, Verdict::Holds(proof))]), ..Outcome::default() };
        let certified = self.certify(outcome, &NativeMode::Skip("there is no violation".into()));
        match certified.outcome.verdicts.get(&property) {
            Some(Verdict::Unknown(reason)) => Some(reason.clone()),
            _ => None,
        }
    }

    fn certify(&self, outcome: Outcome, native: &NativeMode<'_>) -> Certified {
        let prepared = &self.prepared;
        let second = prepared.solvers.another().map(Rc::from);
        fathom_certify::check(outcome, &prepared.program, &prepared.properties, native, second.as_ref(), &prepared.budget)
    }

    fn of_alarms(&self, statistics: &Statistics, found: &[Trace]) -> Vec<OfAlarm> {
        let ends: BTreeSet<Loc> = found.iter().map(|trace| trace.violation.loc).collect();
        let program = &self.prepared.program;
        let files = Files::of(&program.files);
        let of = |alarm: &Alarm| {
            let is_here = |loc: Loc| loc.line == alarm.place.line && files.path(loc) == Some(alarm.place.file.as_str());
            let blocks = || program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks);
            // What is covered are blocks, in whose middle runs may end, or in what is called there.
            let may_end = |statement: &Statement| {
                ends.contains(&statement.loc) || !ends.is_empty() && matches!(statement.kind, StatementKind::Call { .. })
            };
            let is_cut = blocks().any(|block| {
                let line = block.statements.iter().position(|statement| is_here(statement.loc));
                line.is_some_and(|line| block.statements[..line].iter().any(may_end))
            });
            let is_reached = !is_cut && statistics.coverage.iter().any(|(loc, covered)| *covered && is_here(*loc));
            let statements = blocks().flat_map(|block| &block.statements);
            let checks = statements.filter(|statement| is_here(statement.loc)).flat_map(|statement| checks_of(&statement.kind));
            OfAlarm { path_infeasible: false, is_reached, checks: checks.map(|property| property.name().to_string()).collect() }
        };
        self.job.alarms.iter().map(of).collect()
    }

    fn seen(&self, explored: &Explored) -> Vec<FoundViolation> {
        // Those that an alarm is about come first.
        let lines: BTreeSet<u32> = self.job.alarms.iter().map(|alarm| alarm.place.line).collect();
        let mut traces: Vec<&Trace> = explored.found.iter().collect();
        traces.sort_by_key(|trace| !lines.contains(&trace.violation.loc.line));
        let native = self.prepared.native_setup();
        traces.into_iter().take(MOST_VIOLATIONS).filter_map(|trace| self.confirm(trace, &native, explored.is_complete)).collect()
    }

    fn confirm(&self, trace: &Trace, setup: &fathom_native::NativeSetup, is_complete: bool) -> Option<FoundViolation> {
        let property = trace.violation.property;
        let verdicts = BTreeMap::from([(property, Verdict::Violated(Box::new(trace.clone())))]);
        let certified = self.certify(Outcome { verdicts, ..Outcome::default() }, &NativeMode::Run(setup));
        let Some(Verdict::Violated(_)) = certified.outcome.verdicts.get(&property) else { return None };
        let log = certified.replays.get(&property)?;
        let report = self.prepared.answer("explore", &certified).report;
        let told = report.properties.iter().find_map(|told| told.violation.as_ref())?;
        let native = match certified.natives.get(&property) {
            Some(NativeResult::Confirmed(what)) => Ok(what.clone()),
            Some(other) => Err(other.to_string()),
            None => Err("it was not run natively".into()),
        };
        let inputs = log.inputs.iter().zip(&told.inputs).filter(|(_, told)| !told.source.is_empty());
        let (zeros, inputs): (Vec<_>, Vec<_>) = inputs.partition(|(input, _)| input.bytes.iter().all(|byte| *byte == 0));
        let evidence = Evidence {
            entry: self.job.entry.clone(),
            property: property.name().into(),
            message: told.message.clone(),
            native: native.clone().unwrap_or_default(),
            inputs: inputs.iter().map(|(_, told)| format!("{} = {}", told.source, told.value)).collect(),
            zeros: zeros.len(),
            driver: fathom_native::driver_text(log, setup),
            build: fathom_native::build_command(setup, property),
            file: None,
        };
        let asked = Asked { prepared: &self.prepared, violation: &trace.violation, time: self.job.time };
        let (is_main, needs_structures) = (self.job.entry == "main", self.job.takes_structures);
        // What structures hold is nothing that a condition on numbers says much of; it is tried where that is cheap.
        let is_worth_it = native.is_ok() && !is_main && (!needs_structures || is_complete);
        let precondition = if is_worth_it { preconditions::find(&asked) } else { None };
        let places = places(log, trace.violation.loc, &Files::of(&self.prepared.program.files));
        let function = told.stack.iter().find(|name| !name.starts_with("fathom_")).cloned();
        Some(FoundViolation {
            property: property.name().into(),
            places,
            function,
            native,
            evidence,
            precondition,
            needs_structures,
            bad_pointer: BadPointer::of(log),
        })
    }
}

/// What a statement may violate.
fn checks_of(kind: &StatementKind) -> Vec<Property> {
    match kind {
        StatementKind::Assert { property, .. } => vec![*property],
        StatementKind::Load { .. } | StatementKind::Store { .. } | StatementKind::Copy { .. } | StatementKind::Set { .. } => {
            vec![Property::ValidDeref]
        }
        // The C library's functions check what they are given.
        StatementKind::Call { .. } => vec![Property::ValidDeref, Property::ValidFree],
        StatementKind::Free { .. } => vec![Property::ValidFree],
        _ => Vec::new(),
    }
}

/// Whether an assumption bounds what an entry is given, so that a proof is one within bounds.
fn is_bound(assumption: &Assumption) -> bool {
    matches!(
        assumption,
        Assumption::FreshArguments { .. }
            | Assumption::ArgumentStreams
            | Assumption::ArgumentsWithin { .. }
            | Assumption::StandardInputSize { .. }
            | Assumption::FileSize { .. }
            | Assumption::UnknownSize { .. }
            | Assumption::Unwinding { .. }
            | Assumption::FunctionGivesZero { .. }
    )
}

/// The absolute names of files.
pub(crate) struct Files(Vec<Option<String>>);

impl Files {
    /// The names of a program's files, made absolute.
    pub fn of(files: &SourceFiles) -> Self {
        let ids = (0..).map_while(|id| files.path(fathom_base::FileId(id)));
        let whole = |path: &std::path::Path| {
            (!path.starts_with(LIBRARY)).then(|| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).display().to_string())
        };
        Self(ids.map(whole).collect())
    }

    /// None for what is not the user's.
    pub fn path(&self, loc: Loc) -> Option<&str> {
        if loc.is_known() { self.0.get(loc.file.0 as usize)?.as_deref() } else { None }
    }

    fn place(&self, loc: Loc) -> Option<Place> {
        Some(Place { file: self.path(loc)?.to_string(), line: loc.line, column: loc.column })
    }
}

/// Where it happens and the calls that lead there, innermost first, as far as they are in the user's code; of memory that is lost,
/// where it was allocated.
fn places(log: &ReplayLog, end: Loc, files: &Files) -> Vec<Place> {
    if !end.is_known()
        && let Some(lost) = log.scene.fault.as_ref().and_then(|fault| log.scene.objects.get(&fault.place.object))
    {
        return lost.made.iter().filter_map(|loc| files.place(*loc)).collect();
    }
    let mut calls: Vec<Loc> = Vec::new();
    for step in &log.steps {
        match step {
            TraceStep::Enter { called_from, .. } => calls.push(*called_from),
            TraceStep::Leave { .. } => drop(calls.pop()),
            _ => {}
        }
    }
    std::iter::once(end).chain(calls.into_iter().rev()).filter_map(|loc| files.place(loc)).collect()
}

/// Whether a violation is of the kind that an alarm is about.
pub(crate) fn is_of_class(seen: &FoundViolation, class: Class) -> bool {
    let fits = class.properties().iter().any(|property| property.name() == seen.property);
    fits && match class {
        Class::Null => seen.bad_pointer == Some(BadPointer::Null) || seen.property != "valid-deref",
        Class::UseAfterFree => seen.bad_pointer == Some(BadPointer::Dangling) || seen.property != "valid-deref",
        Class::Bounds => seen.bad_pointer.is_none(),
        _ => true,
    }
}
