//! The main loop: take a state, run it, put what comes out back.

use crate::config::{ExploreConfig, Searcher};
use crate::ends::Ends;
use crate::frontier::Frontier;
use crate::interpolate::{Follow, Interpolation, UNTRACKED};
use crate::listener::{Appetite, PathListener, Reach, TELL_EVERY};
use crate::merging::{self, Group};
use crate::targets;
use fathom_base::Loc;
use fathom_engine::{
    Cx, Engine, Outcome, Progress, Proof, Reason, Reasons, Statistics, Task, Trace, Verdict, Violation, Visited, add_solver_counters,
    confirmed, cut_reason, has_cycle,
};
use fathom_ir::{Program, Property};
use fathom_semantics::{Advance, Layouts, Machine, Mode, PathEnd, State, open_sides};
use fathom_smt::{Oracle, OracleConfig};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Statements that a state runs before the engine looks around.
const SLICE: u64 = 20_000;
/// Time between looks at the limits; looking costs a system call.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Pruned states that are kept for tests.
const MOST_PASSED_OVER: usize = 4096;

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
pub(crate) struct Tally {
    started: u64,
    ended: u64,
    cut: u64,
    /// States that became part of another, and joins that were refused.
    pub merged: u64,
    pub apart: u64,
    reasons: Reasons,
    /// At most one for each property.
    violated: Vec<Trace>,
    /// Properties and places that were told.
    failed: BTreeSet<Place>,
    /// Ways to the targets that were reached.
    reached: Vec<Trace>,
    ends: Ends,
    most_states: usize,
    /// States at loop heads.
    visited: Visited,
    interpolation: Option<Box<Interpolation>>,
    /// Pruned states that were followed after all, to see whether something fails there.
    audited: Option<u64>,
    /// Pruned states that somebody wants tests of, when there is nothing else to do.
    passed_over: Vec<State>,
    followed_after_all: u64,
    /// Everything that can be covered was covered before those.
    covered_all: bool,
}

/// What a state may use before another one gets its turn, where that is the strategy.
struct Turn {
    statements: u64,
    queries: u64,
    forks: u64,
}

impl Turn {
    /// Queries of one turn: they take most of the time.
    const QUERIES: u64 = 64;
    /// Forks of one turn of a search for tests: enough to get through a chain of comparisons of one character.
    const FORKS: u64 = 16;

    fn begin(machine: &mut Machine, state: &State) -> Turn {
        Turn { statements: state.steps, queries: queries(machine), forks: state.depth }
    }

    fn is_over(&self, machine: &mut Machine, state: &State) -> bool {
        state.steps > self.statements + SLICE || queries(machine) > self.queries + Self::QUERIES
    }
}

impl Turn {
    fn has_forks_left(&self, state: &State) -> bool {
        state.depth < self.forks + Self::FORKS && state.steps < self.statements + SLICE
    }
}

fn queries(machine: &mut Machine) -> u64 {
    machine.oracle().map_or(0, |oracle| oracle.statistics().queries())
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        if self.config.interpolate.is_some() { "interpolate" } else { "explore" }
    }

    /// Without interpolants it explores as well as ever, which somebody else does.
    fn suits(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        self.config.interpolate.is_none() || self.may_interpolate(program, properties)
    }

    fn follows_threads_and_cycles(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let store = task.program.terms.clone();
        let effort = self.config.effort;
        let settings = OracleConfig {
            independence: effort.independence,
            shortcuts: effort.shortcuts,
            remember_symbols: effort.remember_symbols,
            query_time: self.config.query_time,
            ..OracleConfig::default()
        };
        let oracle = Oracle::new(store, (cx.backend)(), settings);
        let mode = Mode::Symbolic(Box::new(oracle));
        let mut machine = Machine::new(task.program.clone(), task.properties.clone(), mode, cx.budget.clone());
        machine.max_loop = self.config.max_loop;
        machine.collects_targets = self.config.targets;
        machine.folds_lists = self.config.folds_lists;
        machine.assumes_valid_accesses = self.config.assumes_valid_accesses;
        machine.look_ahead = effort.look_ahead;
        machine.cheap_copies = effort.cheap_copies;
        machine.only_known_paths = self.listener.is_some();
        // Under bounds an equal state may still go further than the first, so states are not compared then.
        machine.pause_at_loop_heads = !self.is_bounded();
        machine.pause_at_joins = machine.pause_at_loop_heads && self.config.compare_at_joins;
        machine.pause_at_all_loop_heads = task.properties.contains(&Property::Termination);
        if self.merges(task) {
            machine.unwinding = Some(merging::without_bounds());
        }
        let mut tally = Tally::default();
        if let (Some(config), true) = (&self.config.interpolate, self.may_interpolate(&task.program, &task.properties)) {
            tally.interpolation = Some(Box::new(Interpolation::new(config, self.is_bounded(), &mut machine)));
            (machine.pause_at_loop_heads, machine.pause_where_paths_meet) = (true, true);
        }
        if machine.folds_lists || tally.interpolation.is_some() {
            // Both tell objects apart by number.
            machine.layouts = Layouts::Example;
        }
        // An interpolant would have to say why a value is settled.
        machine.settles = tally.interpolation.is_none();
        tally.ends.records = self.config.record_paths.then(Vec::new);
        if machine.pause_at_all_loop_heads && task.program.uses_threads() {
            let (what, location) = ("termination of threads".to_string(), "the whole program".to_string());
            // Deadlocks are found all the same.
            tally.reasons.note(Reason::Unsupported { what, location });
        }
        self.explore(&mut machine, task, cx, &mut tally);
        tally.passed_over.iter().for_each(|state| self.tell_left(&machine, state));
        if self.config.check_assumptions && tally.ended > 0 && tally.ends.never_started == tally.ended {
            let why = "the axioms and preconditions contradict each other: there is no execution".to_string();
            tally.reasons.note(Reason::NotAsked(why));
        }
        self.audit(&mut machine, &mut tally);
        // A solver that gave up because the run's time was over is not what stood in the way.
        if let (false, Some(reason)) = (tally.reasons.is_empty(), cx.budget.exhausted()) {
            tally.reasons.note(Reason::Stopped(reason));
        }
        if let Some(listener) = &self.listener {
            let why = (!tally.reasons.is_empty()).then(|| tally.reasons.main().to_string());
            listener.finished(tally.reach(), open_sides(&machine), why);
        }
        let targets = if self.config.targets { targets::judge(task, &tally.reached, tally.is_complete()) } else { Vec::new() };
        let mut outcome = outcome(task, machine, tally);
        outcome.statistics.targets = targets;
        outcome
    }
}

impl Explore {
    fn explore(&self, machine: &mut Machine, task: &Task, cx: &Cx<'_>, tally: &mut Tally) {
        let mut frontier = Frontier::new(self.config.searcher, self.config.seed ^ cx.seed);
        tally.started = 1;
        machine.unhurried_axioms = self.config.check_assumptions;
        match machine.initial_state() {
            Ok(mut state) => {
                if let Some(inputs) = &self.config.start_with {
                    state.follow(inputs.clone());
                }
                if let Some(interpolation) = &mut tally.interpolation {
                    interpolation.begin(machine, &mut state);
                }
                frontier.add(state);
            }
            Err(end) => {
                tally.ends.never_started += u64::from(matches!(end, PathEnd::Discarded));
                self.path_ended(machine, end, tally);
            }
        }
        let (mut looked, mut told) = (Instant::now(), Instant::now());
        let mut group = self.merges(task).then(Group::default);
        while let Some(mut state) = self.next(machine, &mut frontier, tally) {
            match tally.follows(machine, &mut state, &frontier) {
                Follow::Now => {}
                Follow::Later => {
                    frontier.put_off(state);
                    continue;
                }
                Follow::Never => {
                    self.prune(machine, &mut frontier, state, tally);
                    continue;
                }
            }
            let turn = Turn::begin(machine, &state);
            let mut current = Some(state);
            while let Some(mut state) = current.take() {
                // A path that neither forks nor ends must not keep the others waiting for ever.
                if self.takes_turns() && frontier.len() > 0 && !state.follows_seed() && turn.is_over(machine, &state) {
                    match &mut group {
                        Some(group) => self.end_group(machine, &mut frontier, group, Some(state), tally),
                        None => frontier.add(state),
                    }
                    break;
                }
                if looked.elapsed() >= LOOK_EVERY {
                    looked = Instant::now();
                    let enough = self.listener.as_ref().is_some_and(|listener| listener.appetite() == Appetite::Nothing);
                    let stop = cx.budget.exhausted().map(Reason::Stopped);
                    let stop = stop.or_else(|| enough.then(|| Reason::BoundReached("number of tests".into())));
                    if let Some(reason) = stop {
                        tally.reasons.note(reason);
                        frontier.add(state);
                        self.tell_first_comers(machine, &mut frontier);
                        // Freeing a million states takes seconds that a run out of time doesn't have.
                        std::mem::forget((frontier, group));
                        return;
                    }
                    if told.elapsed() >= TELL_EVERY {
                        self.tell_left(machine, &state);
                        state.covers_new = false;
                        self.tell_first_comers(machine, &mut frontier);
                        told = Instant::now();
                    }
                    let queries = queries(machine);
                    cx.progress.report(&Progress { paths: tally.ended, states: frontier.len() as u64 + 1, queries });
                }
                if let Some(group) = &group {
                    group.prepare(machine);
                }
                let steps = state.steps;
                let advance = machine.advance(&mut state, SLICE);
                if self.found_violation(machine, task, tally) {
                    tally.ends.note(machine, &state, &PathEnd::Violated);
                    return;
                }
                let cut = !machine.cuts.is_empty();
                for cut in std::mem::take(&mut machine.cuts) {
                    tally.cut += 1;
                    tally.reasons.note(cut_reason(&cut, &task.program.files));
                }
                let mut siblings = std::mem::take(&mut machine.forked);
                if tally.interpolation.is_some() {
                    tally.grow_tree(machine, &mut state, &mut siblings, &advance, cut);
                }
                tally.started += siblings.len() as u64;
                frontier.worked(state.steps - steps, siblings.len() as u64);
                match advance {
                    Advance::Ended(end) => {
                        tally.ends.note(machine, &state, &end);
                        self.tell_end(machine, &end, &state);
                        self.path_ended(machine, end, tally);
                        match &mut group {
                            Some(group) => group.take(machine, siblings),
                            None => siblings.into_iter().for_each(|s| self.add(machine, &mut frontier, s, tally)),
                        }
                    }
                    Advance::LoopHead if self.goes_round(machine, &mut state, task, tally) => return,
                    Advance::LoopHead if tally.interpolation.is_some() => match tally.follows(machine, &mut state, &frontier) {
                        Follow::Now => current = Some(state),
                        Follow::Later => frontier.put_off(state),
                        Follow::Never => self.prune(machine, &mut frontier, state, tally),
                    },
                    Advance::LoopHead if self.comes_back(machine, &mut state, tally) => {
                        tally.ended += 1;
                        tally.ends.record(machine, &state, "an equal state was followed before".into());
                        self.tell_left(machine, &state);
                    }
                    Advance::LoopHead | Advance::AtBound => current = Some(state),
                    Advance::Running | Advance::Forked | Advance::Join => match &mut group {
                        Some(group) if !siblings.is_empty() || !group.is_empty() => {
                            group.take(machine, std::iter::once(state).chain(siblings).collect());
                        }
                        _ => current = self.go_on(machine, &mut frontier, state, siblings, &turn, tally),
                    },
                }
                if let (None, Some(group)) = (&current, &mut group) {
                    current = group.next(machine);
                    (tally.merged, tally.apart) = (group.merged, group.apart);
                    if current.is_none() {
                        self.end_group(machine, &mut frontier, group, None, tally);
                    }
                }
                tally.most_states = tally.most_states.max(frontier.len() + 1);
            }
        }
    }

    /// Whether the path was found, and confirmed, to come back to where it was.
    fn goes_round(&self, machine: &mut Machine, state: &mut State, task: &Task, tally: &mut Tally) -> bool {
        if !machine.pause_at_all_loop_heads || state.thread_cost().is_some() {
            return false;
        }
        machine.look_for_cycle(state);
        self.found_violation(machine, task, tally)
    }

    /// Whether an equal state was followed before; folded first, where that is the way.
    fn comes_back(&self, machine: &mut Machine, state: &mut State, tally: &mut Tally) -> bool {
        if self.config.folds_lists {
            machine.fold(state);
        }
        tally.visited.is_repeated(machine, state)
    }

    /// Interpolants speak of safety, of whole paths, and of states with one thread; leaks are a matter of all memory.
    fn may_interpolate(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        let unfit = [Property::Termination, Property::ValidMemtrack, Property::ValidMemcleanup];
        !program.uses_threads() && !unfit.iter().any(|property| properties.contains(property))
    }

    /// Withdraws a proof that the audit contradicts.
    fn audit(&self, machine: &mut Machine, tally: &mut Tally) {
        if !tally.is_complete() || !tally.violated.is_empty() {
            return;
        }
        let audit = tally.interpolation.as_ref().and_then(|interpolation| interpolation.audit(machine));
        match audit {
            Some(Ok(states)) => tally.audited = Some(states),
            Some(Err(why)) => tally.reasons.note(Reason::NotConfirmed(format!("audit: {why}; please report this"))),
            None => {}
        }
    }

    fn takes_turns(&self) -> bool {
        matches!(self.config.searcher, Searcher::Mixed | Searcher::Closing)
    }

    fn is_bounded(&self) -> bool {
        self.config.max_loop.is_some() || self.config.max_depth.is_some()
    }

    /// Which state of a fork runs now; the others wait.
    fn go_on(
        &self,
        machine: &mut Machine,
        frontier: &mut Frontier,
        state: State,
        mut siblings: Vec<State>,
        turn: &Turn,
        tally: &mut Tally,
    ) -> Option<State> {
        let mut state = state;
        if self.config.searcher == Searcher::LoopEscape
            && let Some(best) = (0..siblings.len()).min_by_key(|&i| machine.loop_depth(&siblings[i]))
            && machine.loop_depth(&siblings[best]) < machine.loop_depth(&state)
        {
            std::mem::swap(&mut state, &mut siblings[best]);
        }
        let follow = tally.follows(machine, &mut state, frontier);
        let forked = !siblings.is_empty();
        siblings.into_iter().for_each(|s| self.add(machine, frontier, s, tally));
        match follow {
            Follow::Now => {}
            Follow::Later => {
                frontier.put_off(state);
                return None;
            }
            Follow::Never => {
                self.prune(machine, frontier, state, tally);
                return None;
            }
        }
        if self.too_deep(&state) {
            tally.lose(machine, &state);
            self.tell_left(machine, &state);
            tally.cut += 1;
            tally.ended += 1;
            tally.reasons.note(Reason::BoundReached(format!("depth {}", self.config.max_depth.unwrap_or(0))));
            return None;
        }
        // The mixed strategy lets another state run after a fork; plain depth-first order goes on.
        let goes_on = match self.config.searcher {
            _ if state.follows_seed() => true,
            Searcher::Mixed => !forked,
            Searcher::Closing => !forked || frontier.is_closing(),
            Searcher::CoverageRandom => frontier.goes_on_after_forks() && turn.has_forks_left(&state),
            _ => frontier.keeps_running(),
        };
        if goes_on {
            return Some(state);
        }
        frontier.add(state);
        None
    }

    fn too_deep(&self, state: &State) -> bool {
        self.config.max_depth.is_some_and(|most| state.depth > most)
    }

    pub(crate) fn add(&self, machine: &mut Machine, frontier: &mut Frontier, state: State, tally: &mut Tally) {
        let bound = if self.too_deep(&state) {
            self.config.max_depth.map(|most| format!("depth {most}"))
        } else {
            self.config.max_states.filter(|most| frontier.len() as u64 >= *most).map(|most| format!("{most} states"))
        };
        match bound {
            Some(bound) => {
                tally.lose(machine, &state);
                tally.cut += 1;
                tally.ended += 1;
                tally.reasons.note(Reason::BoundReached(bound));
            }
            None => frontier.add(state),
        }
    }

    fn path_ended(&self, machine: &Machine, end: PathEnd, tally: &mut Tally) {
        tally.ended += 1;
        if let PathEnd::Cut(cut) = end {
            tally.cut += 1;
            let reason = cut_reason(&cut, &machine.program.files);
            tally.reasons.note(reason);
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

    /// A path that needs not be followed: what it reached on the way here may be new all the same.
    fn prune(&self, machine: &Machine, frontier: &mut Frontier, state: State, tally: &mut Tally) {
        frontier.pruned();
        if self.wants_every_path() && tally.passed_over.len() < MOST_PASSED_OVER {
            tally.passed_over.push(state);
        } else {
            self.tell_left(machine, &state);
        }
    }

    fn wants_every_path(&self) -> bool {
        self.listener.as_ref().is_some_and(|listener| listener.appetite() == Appetite::All)
    }

    /// The state that runs next: one that waits, one that turned out not to be covered, or one whose end was only left out
    /// because it covers nothing new.
    fn next(&self, machine: &mut Machine, frontier: &mut Frontier, tally: &mut Tally) -> Option<State> {
        if tally.covered_all && !self.wants_every_path() {
            tally.reasons.note(Reason::BoundReached("number of tests".into()));
            return None;
        }
        let next = frontier.next(machine).or_else(|| tally.next_after_all(machine, frontier));
        if next.is_some() || !self.wants_every_path() {
            return next;
        }
        tally.covered_all |= tally.is_complete();
        let mut state = tally.passed_over.pop()?;
        tally.started += 1;
        tally.followed_after_all += 1;
        state.node = UNTRACKED;
        Some(state)
    }

    fn tell_first_comers(&self, machine: &Machine, frontier: &mut Frontier) {
        if let Some(listener) = &self.listener {
            frontier.take_first_comers(machine).into_iter().for_each(|path| listener.path(path));
        }
    }

    fn goes_on_after_violations(&self) -> bool {
        self.listener.is_some() || self.config.targets
    }

    /// Replays what the machine reports. Unless somebody wants all, the first confirmed violation ends the run.
    fn found_violation(&self, machine: &mut Machine, task: &Task, tally: &mut Tally) -> bool {
        for trace in std::mem::take(&mut machine.violations) {
            if self.config.folds_lists {
                let what = format!("{} could fail in lists that the loops may never build", trace.violation.property);
                tally.reasons.note(Reason::Undecided(what));
                return true;
            }
            let place = place_of(&trace.violation);
            if self.goes_on_after_violations() && tally.failed.contains(&place) {
                continue;
            }
            // A listener replays it itself, and once is enough.
            let confirmation = match &self.listener {
                Some(listener) => listener.violation(&trace).map_err(Reason::NotConfirmed),
                None => confirmed(task, &trace),
            };
            match confirmation {
                Ok(()) => {
                    if !self.goes_on_after_violations() {
                        tally.violated.push(trace);
                        return true;
                    }
                    tally.failed.insert(place);
                    if self.config.targets {
                        tally.reached.push(trace.clone());
                    }
                    if !tally.violated.iter().any(|known| known.violation.property == trace.violation.property) {
                        tally.violated.push(trace);
                    }
                }
                Err(reason) => {
                    tally.cut += 1;
                    tally.reasons.note(reason);
                }
            }
        }
        false
    }
}

impl Tally {
    /// Whether a state at its node needs to be followed, as far as interpolants tell.
    fn follows(&mut self, machine: &mut Machine, state: &mut State, frontier: &Frontier) -> Follow {
        let Some(interpolation) = &mut self.interpolation else { return Follow::Now };
        let follow = interpolation.follows(machine, state, frontier.twins());
        if follow == Follow::Never {
            self.ended += 1;
            self.ends.record(machine, state, "an interpolant covers it".into());
        }
        follow
    }

    fn grow_tree(&mut self, machine: &mut Machine, state: &mut State, siblings: &mut [State], advance: &Advance, cut: bool) {
        let Some(interpolation) = &mut self.interpolation else { return };
        match advance {
            Advance::Running if !cut => interpolation.went_on(machine, state),
            Advance::Ended(end) => interpolation.stretch_ended(machine, state, siblings, Some(end), !cut),
            _ => interpolation.stretch_ended(machine, state, siblings, None, !cut),
        }
    }

    /// Nothing waits any more. A state that was covered for a time only, if there is one.
    fn next_after_all(&mut self, machine: &mut Machine, frontier: &mut Frontier) -> Option<State> {
        let interpolation = self.interpolation.as_mut()?;
        match (interpolation.settle_loops(machine), machine.budget.exhausted()) {
            (Some(states), _) => {
                self.started += states.len() as u64;
                states.into_iter().for_each(|state| frontier.add(state));
            }
            (None, stopped) => {
                let why = || Reason::Undecided("the labels of loops were not settled".into());
                self.reasons.note(stopped.map_or_else(why, Reason::Stopped));
            }
        }
        frontier.next(machine)
    }

    fn lose(&mut self, machine: &mut Machine, state: &State) {
        if let Some(interpolation) = &mut self.interpolation {
            interpolation.lose(machine, state);
        }
    }

    fn reach(&self) -> Reach {
        let pruned = self.interpolation.as_ref().map_or(0, |interpolation| interpolation.pruned);
        match (self.is_complete(), self.covered_all) {
            (true, _) if pruned == self.followed_after_all => Reach::EveryPath,
            (true, _) | (_, true) => Reach::EverySide,
            (false, false) => Reach::Part,
        }
    }

    /// Whether every path was followed to its end or its violation.
    fn is_complete(&self) -> bool {
        self.reasons.is_empty() && self.cut == 0 && self.started == self.ended + self.merged
    }
}

/// All paths ended, but some in a state that equals one that was followed.
fn termination(tally: &Tally) -> Verdict {
    let steps: Vec<(u32, u32)> = tally.visited.steps.iter().copied().collect();
    if has_cycle(&steps) {
        let why = "a loop may go on for ever: its states come back up to the values of inputs";
        return Verdict::Unknown(Reason::Undecided(why.into()));
    }
    Verdict::Holds(Proof::AllPathsEnd { started: tally.started, ended: tally.ended, cut: tally.cut, steps })
}

fn interpolated(tally: &Tally, machine: &mut Machine) -> Verdict {
    let Some(interpolation) = &tally.interpolation else { return Verdict::Unknown(tally.reasons.main()) };
    Verdict::Holds(Proof::Interpolated {
        started: tally.started,
        ended: tally.ended,
        covered: interpolation.pruned,
        cut: tally.cut,
        labels: interpolation.labels(machine),
        room: interpolation.room(machine),
        refutations: interpolation.refutations.clone(),
        graph: interpolation.graph(machine).map(Rc::new),
    })
}

fn outcome(task: &Task, mut machine: Machine, mut tally: Tally) -> Outcome {
    let proved = tally.is_complete() && tally.violated.is_empty();
    let refutations = machine.oracle().map(|oracle| oracle.refutations().clone()).unwrap_or_default();
    let mut verdict = |property: Property| match tally.violated.iter().find(|t| t.violation.property == property) {
        Some(trace) => Verdict::Violated(Box::new(trace.clone())),
        None if !tally.violated.is_empty() => Verdict::Unknown(Reason::NotReached),
        None if proved && property == Property::Termination => termination(&tally),
        None if proved && tally.interpolation.is_some() => interpolated(&tally, &mut machine),
        None if proved => {
            Verdict::Holds(Proof::AllPathsEnded {
                started: tally.started,
                ended: tally.ended,
                merged: tally.merged,
                repeated: tally.visited.repeated,
                cut: tally.cut,
                refutations: refutations.clone(),
            })
        }
        None => Verdict::Unknown(tally.reasons.main()),
    };
    let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
    let mut statistics = Statistics::default();
    let covered = machine.covered.iter().filter(|c| **c).count() as u64;
    let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
    count("paths ended", tally.ended);
    count("paths cut", tally.cut);
    count("paths that met an equal state", tally.visited.repeated);
    count("states merged", tally.merged);
    count("joins refused", tally.apart);
    count("forks", machine.statistics.forks);
    count("most states alive", tally.most_states as u64);
    count("statements", machine.statistics.statements);
    count("branches", machine.statistics.branches);
    count("blocks covered", covered);
    count("terms", machine.store.len() as u64);
    count("speculations", machine.statistics.speculations);
    if let Some(interpolation) = &tally.interpolation {
        statistics.counters.extend(interpolation.counters());
        statistics.tree = interpolation.drawing();
        statistics.notes.extend(interpolation.series());
        statistics.counters.extend(tally.audited.map(|states| ("covered states audited".to_string(), states)));
    }
    statistics.summary = tally.ends.summary(tally.visited.repeated);
    if let Some(records) = tally.ends.records.take() {
        statistics.paths = records;
        statistics.coverage = machine.coverage();
    }
    let ledger = machine.ledger.clone();
    if let Some(oracle) = machine.oracle() {
        add_solver_counters(oracle, &mut statistics);
    }
    // Freeing millions of nodes takes seconds that a run out of time doesn't have.
    if tally.reasons.stopped() {
        std::mem::forget((machine, tally));
    }
    Outcome { verdicts, ledger, statistics }
}
