//! Walks the unrolled program (ESBMC, chapter 3; the merging is that of `machine::joins`). States wait at their
//! positions; the first position is processed next: its states are joined, and the result runs until its position is
//! after that of a waiting state. So a location is only left when all states that can reach it have arrived, and the
//! formula grows with the unrolled program and not with its paths. States that cannot be joined stay separate.
//!
//! States at a bound are parked; `resume` continues them with a higher bound, so no work is repeated when the bound
//! rises.
//!
//! Sound because only `machine` advances states: whatever the order, every state is followed to its end, is merged into
//! another one, equals one that is followed, or is parked or cut, and the tally counts which.

use crate::join::{Merging, are_alike, join};
use crate::limits::Limits;
use crate::position::Position;
use crate::tally::Tally;
use fathom_engine::{Cx, Depth, Progress, Reason, Task, Trace, Visited, confirmed, cut_reason};
use fathom_machine::{AbstractFailure, Advance, Cut, Machine, PathEnd, State};
use std::collections::BTreeMap;
use std::time::Instant;

/// Decides what becomes of states at loop heads.
pub trait Director {
    /// A state has come to a loop head. What goes on from there is put into `on`; nothing if the state ends.
    fn arrive(&mut self, machine: &mut Machine, state: State, on: &mut Vec<State>);

    /// Whether the walk is of no use any more.
    fn gives_up(&self, _: &Tally) -> bool {
        false
    }
}

/// Why a walk ended.
pub enum Stop {
    /// Nothing is waiting, except at bounds.
    Done,
    /// A run that violates a property.
    Violated(Box<Trace>),
    /// A property fails in a state that is arbitrary.
    Failed(Box<AbstractFailure>),
    /// The director wants no more.
    Directed,
    /// A limit of the run.
    Budget,
}

/// Walks over the unrolled program in topological order, and joins states where paths meet.
pub struct Walker<'a> {
    /// Runs the states.
    pub machine: Machine,
    /// What has happened so far.
    pub tally: Tally,
    /// States that came to a bound.
    pub parked: Vec<State>,
    waiting: BTreeMap<Position, Vec<State>>,
    merging: Merging,
    limits: Limits,
    /// None: states are not compared with earlier ones.
    visited: Option<Visited>,
    task: &'a Task,
    looked: Instant,
}

impl<'a> Walker<'a> {
    /// The machine must unwind loops. States at loop heads are compared with earlier ones if the machine pauses there.
    pub fn new(machine: Machine, task: &'a Task, merging: Merging, limits: Limits) -> Self {
        let visited = machine.config().pauses.loop_heads.then(Visited::default);
        Walker {
            machine,
            tally: Tally::default(),
            parked: Vec::new(),
            waiting: BTreeMap::new(),
            merging,
            limits,
            visited,
            task,
            looked: Instant::now(),
        }
    }

    /// Puts the program's first state to the start.
    pub fn start(&mut self) {
        self.tally.started += 1;
        match self.machine.initial_state() {
            Ok(state) => self.add(state),
            Err(end) => self.ended(end),
        }
    }

    /// Lets the parked states go on.
    pub fn resume(&mut self) {
        for state in std::mem::take(&mut self.parked) {
            self.add(state);
        }
    }

    /// A state that waits from now on.
    pub fn add(&mut self, state: State) {
        let position = Position::of(&self.machine, &state);
        self.waiting.entry(position).or_default().push(state);
    }

    /// Runs until nothing waits. Freeing many states takes time that a run out of time doesn't have: see `forget`.
    pub fn run(&mut self, director: &mut dyn Director, cx: &Cx<'_>) -> Stop {
        loop {
            if let Some(stop) = self.run_waiting(director, cx) {
                return stop;
            }
            if !self.machine.has_obligations() {
                return Stop::Done;
            }
            if let Some(stop) = self.settle() {
                return stop;
            }
        }
    }

    fn run_waiting(&mut self, director: &mut dyn Director, cx: &Cx<'_>) -> Option<Stop> {
        while let Some((_, group)) = self.waiting.pop_first() {
            let mut group = self.join(group);
            while let Some(state) = group.pop() {
                self.tally.most_states = self.tally.most_states.max(self.waiting.len() + group.len() + 1);
                if let Some(stop) = self.follow(state, director, !group.is_empty(), cx) {
                    group.into_iter().for_each(|state| self.add(state));
                    return Some(stop);
                }
            }
        }
        None
    }

    /// Asks about the checks that were put off.
    fn settle(&mut self) -> Option<Stop> {
        self.machine.settle_obligations();
        self.take_cuts();
        self.found_violation().map(|trace| Stop::Violated(Box::new(trace)))
    }

    /// Like `run`, for states that will be dropped before their end: nothing may be taken to be followed because of them.
    pub fn run_without_comparing(&mut self, director: &mut dyn Director, cx: &Cx<'_>) -> Stop {
        let visited = self.visited.take();
        let stop = self.run(director, cx);
        self.visited = visited;
        stop
    }

    /// Ends without freeing anything.
    pub fn forget(self) {
        std::mem::forget(self);
    }

    fn join(&mut self, group: Vec<State>) -> Vec<State> {
        let is_crowded = group.len() > self.limits.apart;
        let joined = match self.merging {
            Merging::None => return group,
            Merging::Regions => join(&mut self.machine, group, self.limits.attempts, |one, two| one.joins.region == two.joins.region),
            Merging::Alike => join(&mut self.machine, group, self.limits.attempts, |one, two| is_crowded || are_alike(one, two)),
            Merging::All => join(&mut self.machine, group, self.limits.attempts, |_, _| true),
        };
        self.tally.merged += joined.merged;
        self.tally.apart += joined.apart;
        joined.states
    }

    /// Runs a state until it ends or must wait.
    fn follow(&mut self, state: State, director: &mut dyn Director, has_twins: bool, cx: &Cx<'_>) -> Option<Stop> {
        let mut current = self.direct(state, director);
        while let Some(mut state) = current.take() {
            if self.is_over(cx) {
                self.add(state);
                return Some(Stop::Budget);
            }
            // Alone it passes loop heads without a stop, and would never be verified.
            if !has_twins && self.waiting.is_empty() && !self.exists(&mut state) {
                return None;
            }
            self.machine.pause_at_joins(has_twins || !self.waiting.is_empty());
            let advance = self.machine.advance(&mut state, self.limits.slice);
            if self.machine.should_settle() {
                self.machine.settle_obligations();
            }
            self.take_cuts();
            let siblings = std::mem::take(&mut self.machine.forked);
            self.tally.started += siblings.len() as u64;
            for sibling in siblings {
                if !self.machine.is_at_the_end(&sibling) {
                    self.add(sibling);
                } else if let Some(stop) = self.follow(sibling, director, true, cx) {
                    if !matches!(advance, Advance::Ended(_)) {
                        self.add(state);
                    }
                    return Some(stop);
                }
            }
            if let Some(failure) = self.machine.found.failures.pop() {
                return Some(Stop::Failed(Box::new(failure)));
            }
            if director.gives_up(&self.tally) {
                return Some(Stop::Directed);
            }
            if let Some(trace) = self.found_violation() {
                if !matches!(advance, Advance::Ended(_)) {
                    self.add(state);
                }
                return Some(Stop::Violated(Box::new(trace)));
            }
            match advance {
                // A state that was not verified may be infeasible.
                Advance::Ended(PathEnd::Cut(Cut::Undefined { .. } | Cut::Unsupported { .. }))
                    if !state.path.verified && !self.exists(&mut state) => {}
                // Where checks are taken for granted, so is that nothing undefined or unsupported is reached.
                Advance::Ended(PathEnd::Cut(Cut::Undefined { .. } | Cut::Unsupported { .. })) if self.machine.takes_for_granted(&state) => {
                    self.tally.ended += 1;
                }
                Advance::Ended(end) => self.ended(end),
                Advance::AtBound => {
                    if self.exists(&mut state) {
                        self.parked.push(state);
                    }
                }
                Advance::LoopHead if self.is_repeated(&mut state) => {
                    self.tally.ended += 1;
                    self.tally.repeated += 1;
                }
                Advance::LoopHead | Advance::Running => current = Some(state),
                Advance::Join | Advance::Forked => {
                    let is_first = !has_twins && self.waiting.is_empty();
                    let first = self.waiting.first_key_value();
                    if is_first || first.is_some_and(|(first, _)| Position::of(&self.machine, &state) < *first) {
                        current = self.direct(state, director);
                    } else {
                        self.add(state);
                    }
                }
            }
        }
        None
    }

    /// Asks the director about a state that has just come to a loop head; the first state that goes on is returned.
    fn direct(&mut self, mut state: State, director: &mut dyn Director) -> Option<State> {
        match state.frame_mut().loops.last_mut() {
            Some(last) if last.arrived => last.arrived = false,
            _ => return Some(state),
        }
        if !self.exists(&mut state) {
            return None;
        }
        let mut on = Vec::new();
        director.arrive(&mut self.machine, state, &mut on);
        self.take_cuts();
        let mut on = on.into_iter();
        let first = on.next();
        match first {
            None => self.tally.ended += 1,
            Some(_) => {
                for state in on {
                    self.tally.started += 1;
                    self.add(state);
                }
            }
        }
        first
    }

    /// Verifies a state; one that doesn't exist, or of which that is not known, ends here.
    fn exists(&mut self, state: &mut State) -> bool {
        match self.machine.verify(state) {
            Ok(()) => true,
            Err(end) => {
                self.ended(end);
                false
            }
        }
    }

    fn is_repeated(&mut self, state: &mut State) -> bool {
        self.visited.as_mut().is_some_and(|visited| visited.is_repeated(&mut self.machine, state))
    }

    fn is_over(&mut self, cx: &Cx<'_>) -> bool {
        if self.looked.elapsed() < self.limits.look_every {
            return false;
        }
        self.looked = Instant::now();
        let queries = self.machine.oracle().map_or(0, |oracle| oracle.statistics().queries());
        let states = self.waiting.len() as u64 + 1;
        // An inductive step unwinds loops as far as it cares to, and calls k deep.
        let depth = self.machine.unwinding().map(|unwinding| match unwinding.bound {
            u64::MAX => Depth::Induction(unwinding.calls),
            bound => Depth::Bound(bound),
        });
        cx.progress.report(&Progress { depth, paths: self.tally.ended, states, queries, coverage: None });
        cx.budget.exhausted().is_some()
    }

    fn take_cuts(&mut self) {
        for cut in std::mem::take(&mut self.machine.found.cuts) {
            self.tally.cut += 1;
            self.tally.reasons.note(cut_reason(&cut, &self.task.program.files));
        }
    }

    fn ended(&mut self, end: PathEnd) {
        self.tally.ended += 1;
        if let PathEnd::Cut(cut) = end {
            self.tally.cut += 1;
            self.tally.reasons.note(cut_reason(&cut, &self.task.program.files));
        }
    }

    /// The first reported violation that a replay confirms; the others can't be told, and spoil a proof.
    fn found_violation(&mut self) -> Option<Trace> {
        let mut found = None;
        for trace in std::mem::take(&mut self.machine.found.violations) {
            if found.is_some() {
                continue;
            }
            match confirmed(self.task, &trace) {
                Ok(()) => found = Some(trace),
                Err(reason) => self.not_confirmed(reason),
            }
        }
        found
    }

    fn not_confirmed(&mut self, reason: Reason) {
        self.tally.cut += 1;
        self.tally.reasons.note(reason);
    }
}
