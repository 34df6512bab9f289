//! The main loop: take a state, run it, put what comes out back.

use crate::config::{ExploreConfig, Searcher};
use crate::frontier::Frontier;
use crate::listener::{Appetite, PathListener, TELL_EVERY};
use fathom_base::{FxSet, Loc, StopReason};
use fathom_engine::{Cx, Engine, Outcome, Progress, Proof, Reason, Statistics, Task, Trace, Verdict, Violation};
use fathom_ir::Property;
use fathom_semantics::{Advance, Cut, Machine, Mode, PathEnd, ReplayEnd, State, confirm, open_sides};
use fathom_smt::{Layer, Oracle, OracleConfig};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Statements that a state runs before the engine looks around.
const SLICE: u64 = 20_000;
/// A replay that takes more statements than this is given up.
const REPLAY_STEPS: u64 = 200_000_000;
/// Violations after more branches than this are left to the certifier's replay alone.
const LONG_TRACE: u64 = 1_000_000;
/// Time between looks at the limits; looking costs a system call.
const LOOK_EVERY: Duration = Duration::from_millis(10);

pub struct Explore {
    pub config: ExploreConfig,
    /// Hears of every path; without one the first violation ends the run.
    pub listener: Option<Rc<dyn PathListener>>,
}

/// What makes two failures the same one: property, location and the function that called the failing one, because
/// functions of the C library fail for their callers' sake.
type Place = (Property, Loc, Option<String>);

fn place_of(violation: &Violation) -> Place {
    (violation.property, violation.loc, violation.stack.iter().rev().nth(1).cloned())
}

/// What a run has seen so far.
#[derive(Default)]
struct Tally {
    started: u64,
    ended: u64,
    cut: u64,
    reasons: Vec<Reason>,
    /// At most one for each property.
    violated: Vec<Trace>,
    /// Properties and places that the listener has heard of.
    failed: BTreeSet<Place>,
    most_states: usize,
    /// Fingerprints of states at loop heads, and how often a state met one.
    visited: FxSet<u128>,
    repeated: u64,
}

/// Work on fingerprints (in nanoseconds) that is always allowed, and that a hit earns.
const FREE_WORK: u64 = 50_000_000;
const WORK_PER_HIT: u64 = 10_000_000;

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let store = task.program.terms.clone();
        let oracle = Oracle::new(store, (cx.backend)(), OracleConfig::default());
        let mode = Mode::Symbolic(Box::new(oracle));
        let mut machine = Machine::new(task.program.clone(), task.properties.clone(), mode, cx.budget.clone());
        machine.max_loop = self.config.max_loop;
        // Under bounds an equal state may still go further than the first, so states are not compared then.
        machine.pause_at_loop_heads = self.config.max_loop.is_none() && self.config.max_depth.is_none();
        let mut tally = Tally::default();
        self.explore(&mut machine, task, cx, &mut tally);
        // A solver that gave up because the run's time was over is not what stood in the way.
        if let (false, Some(reason)) = (tally.reasons.is_empty(), cx.budget.exhausted()) {
            tally.note(Reason::Stopped(reason));
        }
        if let Some(listener) = &self.listener {
            listener.finished(tally.is_complete(), open_sides(&machine));
        }
        outcome(task, machine, tally)
    }
}

impl Explore {
    fn explore(&self, machine: &mut Machine, task: &Task, cx: &Cx<'_>, tally: &mut Tally) {
        let mut frontier = Frontier::new(self.config.searcher, self.config.seed ^ cx.seed);
        tally.started = 1;
        match machine.initial_state() {
            Ok(state) => frontier.add(state),
            Err(end) => self.path_ended(machine, end, tally),
        }
        let (mut looked, mut told) = (Instant::now(), Instant::now());
        while let Some(state) = frontier.next(machine) {
            let mut current = Some(state);
            while let Some(mut state) = current.take() {
                if looked.elapsed() >= LOOK_EVERY {
                    looked = Instant::now();
                    let enough = self.listener.as_ref().is_some_and(|listener| listener.appetite() == Appetite::Nothing);
                    let stop = cx.budget.exhausted().map(Reason::Stopped);
                    let stop = stop.or_else(|| enough.then(|| Reason::BoundReached("number of tests".into())));
                    if let Some(reason) = stop {
                        tally.reasons.push(reason);
                        frontier.add(state);
                        self.tell_first_comers(machine, &mut frontier);
                        // Freeing a million states takes seconds that a run out of time doesn't have.
                        std::mem::forget(frontier);
                        return;
                    }
                    if told.elapsed() >= TELL_EVERY {
                        self.tell_first_comers(machine, &mut frontier);
                        told = Instant::now();
                    }
                    let queries = machine.oracle().map_or(0, |oracle| oracle.statistics().queries());
                    cx.progress.report(&Progress { paths: tally.ended, states: frontier.len() as u64 + 1, queries });
                }
                let advance = machine.advance(&mut state, SLICE);
                if self.found_violation(machine, task, tally) {
                    return;
                }
                for cut in std::mem::take(&mut machine.cuts) {
                    tally.cut += 1;
                    tally.note(reason_of(&cut, task));
                }
                let siblings = std::mem::take(&mut machine.forked);
                tally.started += siblings.len() as u64;
                match advance {
                    Advance::Ended(end) => {
                        self.tell_end(machine, &end, &state);
                        self.path_ended(machine, end, tally);
                        siblings.into_iter().for_each(|s| self.add(&mut frontier, s, tally));
                    }
                    Advance::LoopHead if self.is_repeated(machine, &state, tally) => {
                        tally.ended += 1;
                        tally.repeated += 1;
                        self.tell_left(machine, &state);
                    }
                    Advance::LoopHead => current = Some(state),
                    Advance::Running | Advance::Forked => {
                        current = self.go_on(machine, &mut frontier, state, siblings, tally);
                    }
                }
                tally.most_states = tally.most_states.max(frontier.len() + 1);
            }
        }
    }

    /// Whether an equal state was followed before. States that cost more to compare than it brings are left alone.
    fn is_repeated(&self, machine: &mut Machine, state: &State, tally: &mut Tally) -> bool {
        let queries = machine.oracle().map_or(0, |oracle| oracle.statistics().queries());
        let earned = (machine.statistics.statements * 50 + queries * 20_000) / 4 + tally.repeated * WORK_PER_HIT;
        if machine.fingerprint_work > FREE_WORK + earned {
            return false;
        }
        match machine.fingerprint(state) {
            Some(fingerprint) => !tally.visited.insert(fingerprint),
            None => false,
        }
    }

    /// Which state of a fork runs now; the others wait.
    fn go_on(
        &self,
        machine: &Machine,
        frontier: &mut Frontier,
        state: State,
        mut siblings: Vec<State>,
        tally: &mut Tally,
    ) -> Option<State> {
        let mut state = state;
        if self.config.searcher == Searcher::LoopEscape
            && let Some(best) = (0..siblings.len()).min_by_key(|&i| machine.loop_depth(&siblings[i]))
            && machine.loop_depth(&siblings[best]) < machine.loop_depth(&state)
        {
            std::mem::swap(&mut state, &mut siblings[best]);
        }
        let forked = !siblings.is_empty();
        siblings.into_iter().for_each(|s| self.add(frontier, s, tally));
        if self.too_deep(&state) {
            self.tell_left(machine, &state);
            tally.cut += 1;
            tally.ended += 1;
            tally.note(Reason::BoundReached(format!("depth {}", self.config.max_depth.unwrap_or(0))));
            return None;
        }
        // The mixed strategy lets another state run after a fork; plain depth-first order goes on.
        if frontier.keeps_running() && !(forked && self.config.searcher == Searcher::Mixed) {
            return Some(state);
        }
        frontier.add(state);
        None
    }

    fn too_deep(&self, state: &State) -> bool {
        self.config.max_depth.is_some_and(|most| state.depth > most)
    }

    fn add(&self, frontier: &mut Frontier, state: State, tally: &mut Tally) {
        let bound = if self.too_deep(&state) {
            self.config.max_depth.map(|most| format!("depth {most}"))
        } else {
            self.config.max_states.filter(|most| frontier.len() as u64 >= *most).map(|most| format!("{most} states"))
        };
        match bound {
            Some(bound) => {
                tally.cut += 1;
                tally.ended += 1;
                tally.note(Reason::BoundReached(bound));
            }
            None => frontier.add(state),
        }
    }

    fn path_ended(&self, machine: &Machine, end: PathEnd, tally: &mut Tally) {
        tally.ended += 1;
        if let PathEnd::Cut(cut) = end {
            tally.cut += 1;
            let reason = cut_reason(&cut, &machine.program.files);
            tally.note(reason);
        }
    }

    fn tell_end(&self, machine: &Machine, end: &PathEnd, state: &State) {
        let Some(listener) = &self.listener else { return };
        match end {
            PathEnd::Finished if state.covers_new || listener.appetite() == Appetite::All => {
                listener.path(machine.path_record(state, true));
            }
            // What comes after an unsupported statement is unknown, what came before is worth a test. A violation
            // was told, if it was the first at its place; this path may have come to it by a new way.
            PathEnd::Cut(_) | PathEnd::Violated if state.covers_new => listener.path(machine.path_record(state, false)),
            PathEnd::Finished | PathEnd::Cut(_) | PathEnd::Discarded | PathEnd::Violated => {}
        }
    }

    /// A path that is not followed any further although it could be.
    fn tell_left(&self, machine: &Machine, state: &State) {
        if let (true, Some(listener)) = (state.covers_new, &self.listener) {
            listener.path(machine.path_record(state, false));
        }
    }

    fn tell_first_comers(&self, machine: &Machine, frontier: &mut Frontier) {
        if let Some(listener) = &self.listener {
            frontier.take_first_comers(machine).into_iter().for_each(|path| listener.path(path));
        }
    }

    /// Replays what the machine reports. Without a listener the first confirmed violation ends the run.
    fn found_violation(&self, machine: &mut Machine, task: &Task, tally: &mut Tally) -> bool {
        for trace in std::mem::take(&mut machine.violations) {
            let place = place_of(&trace.violation);
            if self.listener.is_some() && tally.failed.contains(&place) {
                continue;
            }
            // The certifier replays it in any case; a long one is not run twice.
            let is_long = trace.branches > LONG_TRACE;
            let end = (!is_long).then(|| confirm(&task.program, &task.properties, &trace, REPLAY_STEPS));
            match end {
                Some(ReplayEnd::Violated(seen)) if seen.property != trace.violation.property => {
                    tally.cut += 1;
                    tally.note(Reason::NotConfirmed(format!("{}: the replay violated {}", trace.violation.message, seen.property)));
                }
                None | Some(ReplayEnd::Violated(_)) => {
                    let Some(listener) = &self.listener else {
                        tally.violated.push(trace);
                        return true;
                    };
                    listener.violation(&trace);
                    tally.failed.insert(place);
                    if !tally.violated.iter().any(|known| known.violation.property == trace.violation.property) {
                        tally.violated.push(trace);
                    }
                }
                Some(other) => {
                    tally.cut += 1;
                    tally.note(Reason::NotConfirmed(format!("{}: the replay gave {other:?}", trace.violation.message)));
                }
            }
        }
        false
    }
}

impl Tally {
    /// Whether every path was followed to its end or its violation.
    fn is_complete(&self) -> bool {
        self.reasons.is_empty() && self.cut == 0 && self.started == self.ended
    }

    fn note(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) && self.reasons.len() < 100 {
            self.reasons.push(reason);
        }
    }
}

fn reason_of(cut: &Cut, task: &Task) -> Reason {
    cut_reason(cut, &task.program.files)
}

fn cut_reason(cut: &Cut, files: &fathom_base::SourceFiles) -> Reason {
    match cut {
        Cut::Unsupported { what, loc } => Reason::Unsupported { what: what.clone(), location: files.show(*loc) },
        Cut::Undefined { what, loc } => {
            Reason::Undefined { what: what.clone(), location: files.show(*loc) }
        }
        Cut::Solver(why) => Reason::Solver(why.clone()),
        Cut::Bound(bound) => Reason::BoundReached(bound.clone()),
    }
}

/// The most telling of several reasons: what stopped the run, then what cut paths.
fn main_reason(reasons: &[Reason]) -> Reason {
    let stopped = reasons.iter().find(|r| matches!(r, Reason::Stopped(_)));
    let first = stopped.or_else(|| reasons.first());
    first.cloned().unwrap_or(Reason::Stopped(StopReason::Interrupted))
}

fn outcome(task: &Task, mut machine: Machine, tally: Tally) -> Outcome {
    let proved = tally.is_complete() && tally.violated.is_empty();
    let verdict = |property: Property| match tally.violated.iter().find(|t| t.violation.property == property) {
        Some(trace) => Verdict::Violated(Box::new(trace.clone())),
        None if !tally.violated.is_empty() => Verdict::Unknown(Reason::NotReached),
        None if proved => {
            Verdict::Holds(Proof::AllPathsEnded { started: tally.started, ended: tally.ended, repeated: tally.repeated, cut: tally.cut })
        }
        None => Verdict::Unknown(main_reason(&tally.reasons)),
    };
    let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
    let mut statistics = Statistics::default();
    let covered = machine.covered.iter().filter(|c| **c).count() as u64;
    let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
    count("paths ended", tally.ended);
    count("paths cut", tally.cut);
    count("paths that met an equal state", tally.repeated);
    count("forks", machine.statistics.forks);
    count("most states alive", tally.most_states as u64);
    count("statements", machine.statistics.statements);
    count("branches", machine.statistics.branches);
    count("blocks covered", covered);
    count("terms", machine.store.len() as u64);
    let ledger = machine.ledger.clone();
    if let Some(oracle) = machine.oracle() {
        add_solver_counters(oracle, &mut statistics);
    }
    if tally.reasons.iter().any(|reason| matches!(reason, Reason::Stopped(_))) {
        std::mem::forget(machine);
    }
    Outcome { verdicts, ledger, statistics }
}

fn add_solver_counters(oracle: &Oracle, statistics: &mut Statistics) {
    let seen = oracle.statistics();
    let mut count = |name: String, value: u64| statistics.counters.push((name, value));
    count("queries".to_string(), seen.queries());
    for layer in Layer::ALL {
        count(format!("queries answered by {layer:?}").to_lowercase(), seen.answered(layer));
    }
    count("nanoseconds a query without solver (median)".to_string(), seen.layer_times.median().as_nanos() as u64);
    count("microseconds a solver call (median)".to_string(), seen.solver_times.median().as_micros() as u64);
    count("solvers made".to_string(), seen.solvers_made);
    count("solver failures".to_string(), seen.solver_failures);
    count("wrong models".to_string(), seen.models_rejected);
    count("solver contradictions".to_string(), seen.contradictions);
    statistics.solver_time = seen.solver_time();
}
