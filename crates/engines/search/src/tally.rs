//! The results of a search so far, and the outcome that follows from them.

use crate::ends::Ends;
use crate::frontier::Frontier;
use crate::listener::Reach;
use crate::pruning::{Follow, Pruning, Stretch};
use crate::shared::Shared;
use fathom_base::Loc;
use fathom_engine::{
    Books, Explored, Outcome, Part, Proof, Reason, Reasons, Statistics, Task, Trace, Verdict, Violation, Visited, add_solver_counters,
    has_cycle,
};
use fathom_ir::{Assumption, Program, Property};
use fathom_machine::{Advance, Machine, State};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What makes two failures the same one: property, location and the function that called the failing one, because
/// functions of the C library fail for their callers' sake.
pub(crate) type ViolationKey = (Property, Loc, Option<String>);

pub(crate) fn violation_key(violation: &Violation) -> ViolationKey {
    (violation.property, violation.loc, violation.stack.iter().rev().nth(1).cloned())
}

/// The books of a search: counts of paths, violations, and reasons why paths were given up.
#[derive(Default)]
pub(crate) struct Tally {
    pub started: u64,
    pub ended: u64,
    pub cut: u64,
    /// States that became part of another, and joins that were refused.
    pub merged: u64,
    pub apart: u64,
    pub reasons: Reasons,
    /// At most one for each property.
    pub violated: Vec<Trace>,
    /// Violations that were reported.
    pub failed: BTreeSet<ViolationKey>,
    /// Ways to the targets that were reached.
    pub reached: Vec<Trace>,
    pub ends: Ends,
    pub most_states: usize,
    /// States at loop heads.
    pub visited: Visited,
    pub pruning: Option<Box<dyn Pruning>>,
    /// States that it left out.
    pub pruned: u64,
    /// Pruned states that were followed after all, to see whether something fails there.
    pub audited: Option<u64>,
    /// Pruned states that tests are to be made of, when there is nothing else to do.
    pub passed_over: Vec<State>,
    pub followed_after_all: u64,
    /// Every block that can be executed was executed before those.
    pub covered_all: bool,
    /// Where others take parts of the work.
    pub shared: Option<Shared>,
}

impl Tally {
    /// Whether a state at its node needs to be followed, as far as the pruning tells.
    pub fn follows(&mut self, machine: &mut Machine, state: &mut State, frontier: &Frontier) -> Follow {
        let Some(pruning) = &mut self.pruning else { return Follow::Now };
        let follow = pruning.follows(machine, state, frontier.twins());
        if follow == Follow::Never {
            self.ended += 1;
            self.pruned += 1;
            self.ends.record(machine, state, "an interpolant covers it".into());
        }
        follow
    }

    /// A state ran, and became these siblings beside itself; on the way something was `cut`.
    pub fn tell_pruning(&mut self, machine: &mut Machine, state: &mut State, siblings: &mut [State], advance: &Advance, cut: bool) {
        let Some(pruning) = &mut self.pruning else { return };
        let stretch = match advance {
            Advance::Ended(end) if cut => Stretch::Cut(Some(end)),
            _ if cut => Stretch::Cut(None),
            Advance::Running => Stretch::GoesOn,
            Advance::Ended(end) => Stretch::Ended(end),
            _ => Stretch::Paused,
        };
        pruning.advanced(machine, state, siblings, stretch);
    }

    /// Nothing waits any more. A state that was subsumed for a time only, if there is one.
    pub fn next_after_all(&mut self, machine: &mut Machine, frontier: &mut Frontier) -> Option<State> {
        let pruning = self.pruning.as_mut()?;
        match (pruning.settle(machine), machine.budget.exhausted()) {
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

    /// The first path begins, or those that another process left.
    pub fn begin(&mut self) {
        self.started = 1;
        if let Some(shared) = &self.shared {
            let before = shared.before();
            (self.ended, self.visited.repeated) = (before.ended, before.repeated);
            self.started += before.ended + shared.tree.handed_on;
        }
    }

    /// A state ran and became these beside itself. Others follow some of them: those are taken out. Whether it is itself to be followed
    /// any further here.
    pub fn note_step(&mut self, state: &mut State, siblings: &mut Vec<State>) -> bool {
        let Some(shared) = &mut self.shared else {
            self.started += siblings.len() as u64;
            return true;
        };
        let from = state.search.node;
        match shared.tree.step(from, std::iter::once(&mut *state).chain(siblings.iter_mut())) {
            Ok(own) => {
                let mut kept = own.iter().skip(1).copied();
                siblings.retain(|_| kept.next().unwrap_or(false));
                let count = own.iter().filter(|own| **own).count() as u64;
                self.started = self.started + count - 1;
                own.first().copied().unwrap_or(false)
            }
            Err(why) => {
                self.started += siblings.len() as u64;
                self.give_up(why);
                true
            }
        }
    }

    /// The path of a state at this node has come to its end.
    pub fn close(&mut self, node: u32) {
        if let Some(Err(why)) = self.shared.as_mut().map(|shared| shared.tree.close(node)) {
            self.give_up(why);
        }
    }

    /// The paths can't be told apart any more. Where all of them are here nobody needs to; where others have some, nothing is proved.
    fn give_up(&mut self, why: String) {
        if self.shared.as_ref().is_some_and(Shared::is_alone) {
            self.shared = None;
            return;
        }
        self.cut += 1;
        let reason = Reason::Undecided(why);
        self.reasons.note(reason.clone());
        self.shared.iter_mut().for_each(|shared| shared.broken = Some(reason.clone()));
    }

    /// Nothing is known of what lies below this state.
    pub fn lose(&mut self, machine: &mut Machine, state: &State) {
        if let Some(pruning) = &mut self.pruning {
            pruning.lose(machine, state);
        }
    }

    /// How much of the program the search has been through.
    pub fn reach(&self) -> Reach {
        match (self.is_complete(), self.covered_all) {
            (true, _) if self.pruned == self.followed_after_all => Reach::EveryPath,
            (true, _) | (_, true) => Reach::EverySide,
            (false, false) => Reach::Part,
        }
    }

    fn books(&self) -> Books {
        let repeated = if self.pruning.is_some() { self.pruned } else { self.visited.repeated };
        Books { started: self.started, ended: self.ended, merged: self.merged, repeated, cut: self.cut }
    }

    /// Whether every path was followed to its end or its violation.
    pub fn is_complete(&self) -> bool {
        let handed_on = self.shared.as_ref().map_or(0, |shared| shared.tree.handed_on);
        self.reasons.is_empty() && self.cut == 0 && self.started == self.ended + self.merged + handed_on
    }

    /// Whether others have parts of the program's paths.
    fn is_part(&self) -> bool {
        self.shared.as_ref().is_some_and(Shared::is_part)
    }
}

/// All paths ended, but some in a state that equals one that was followed.
fn termination(tally: &Tally) -> Verdict {
    let steps: Vec<(u32, u32)> = tally.visited.steps.iter().copied().collect();
    if has_cycle(&steps) {
        let why = "a loop may go on for ever: its states come back up to the values of inputs";
        return Verdict::Unknown(Reason::Undecided(why.into()));
    }
    Verdict::Holds(Rc::new(Proof::AllPathsEnd { books: tally.books(), steps }))
}

/// What is said of a program that was not asked about termination if every path came back to a state that had been followed:
/// then no run has a last state.
fn never_ends(task: &Task, tally: &Tally) -> Option<String> {
    let is_asked = task.properties.contains(&Property::Termination);
    let only_repeats = tally.ended > 0 && tally.ended == tally.visited.repeated && tally.pruning.is_none();
    let known = tally.visited.first_repeated.filter(|loc| loc.is_known());
    let place = known.map(|loc| format!(", one of them the loop at {}", task.program.files.show(loc))).unwrap_or_default();
    (only_repeats && !is_asked && !task.program.uses_threads()).then(|| {
        format!("no run of this program comes to an end: each goes round a loop for ever{place} (--property termination shows how)")
    })
}

/// Why nothing is violated: every path ended, or came to a state that could be left out.
fn safety(explored: Explored, tally: &Tally, machine: &mut Machine) -> Proof {
    let mut refuted = machine.oracle().map(|oracle| oracle.refutations().clone()).unwrap_or_default();
    refuted.left_out += tally.shared.as_ref().map_or(0, |shared| shared.before().refuted);
    if let Some(pruning) = &tally.pruning {
        return pruning.proof(machine, tally.books(), &refuted);
    }
    Proof::AllPathsEnded { explored, books: tally.books(), refutations: refuted }
}

/// What this search did of one that several share, if it did all that it was to do.
fn part(task: &Task, machine: &mut Machine, tally: &Tally) -> Option<Part> {
    let shared = tally.shared.as_ref()?;
    let orders_nothing = unproved_race_freedom(&task.program).is_some();
    (tally.is_complete() && tally.violated.is_empty()).then(|| {
        let mut part = shared.part(task, machine, tally);
        part.properties.retain(|&property| !(orders_nothing && property == Property::NoDataRace));
        part
    })
}

/// Why a search that found no data race proves nothing.
fn unproved_race_freedom(program: &Program) -> Option<&'static str> {
    match () {
        () if program.memory_model.has_store_buffers() => Some("a proof of the absence of data races beside store buffers"),
        () if program.assumptions.contains(&Assumption::AtomicsOrder) => Some("atomic operations that are relaxed, which order nothing"),
        () => None,
    }
}

pub(crate) fn outcome(task: &Task, explored: Explored, mut machine: Machine, mut tally: Tally) -> Outcome {
    let about_program = matches!(explored, Explored::Program);
    let part = part(task, &mut machine, &tally);
    let complete = (tally.is_complete() && !tally.is_part()).then(|| Rc::new(safety(explored, &tally, &mut machine)));
    let (safety, exhaustive) = if tally.violated.is_empty() { (complete, None) } else { (None, complete) };
    let proved = safety.is_some();
    let verdict = |property: Property| match tally.violated.iter().find(|t| t.violation.property == property) {
        Some(trace) => Verdict::Violated(Box::new(trace.clone())),
        None if !tally.violated.is_empty() => Verdict::Unknown(Reason::NotReached),
        None => match &safety {
            Some(_) if property == Property::Termination => termination(&tally),
            Some(proof) => match unproved_race_freedom(&task.program).filter(|_| property == Property::NoDataRace) {
                Some(what) => Verdict::Unknown(Reason::Unsupported { what: what.to_string(), location: "the whole program".to_string() }),
                None => Verdict::Holds(proof.clone()),
            },
            None if tally.is_complete() => Verdict::Unknown(Reason::PartOnly),
            None => Verdict::Unknown(tally.reasons.main()),
        },
    };
    let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
    let mut statistics = Statistics { exhaustive, part, ..Statistics::default() };
    let covered = machine.coverage.covered.iter().filter(|c| **c).count() as u64;
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
    if let Some(pruning) = &tally.pruning {
        pruning.describe(tally.books(), &mut statistics);
        statistics.counters.extend(tally.audited.map(|states| ("covered states audited".to_string(), states)));
    }
    statistics.summary = tally.ends.summary(tally.visited.repeated);
    statistics.notes.extend(never_ends(task, &tally).filter(|_| proved && about_program));
    if let Some(records) = tally.ends.records.take() {
        statistics.paths = records;
        statistics.coverage = machine.coverage();
    }
    let mut ledger = machine.ledger.clone();
    if let Some(shared) = &tally.shared {
        ledger.merge(&shared.before().ledger);
    }
    if let Some(oracle) = machine.oracle() {
        add_solver_counters(oracle, &mut statistics);
    }
    // Freeing millions of nodes takes seconds that a run out of time doesn't have.
    if tally.reasons.stopped() {
        std::mem::forget((machine, tally));
    }
    Outcome { verdicts, ledger, statistics }
}
