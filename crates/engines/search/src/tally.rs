//! What a search has seen so far, and the outcome that follows from it.

use crate::ends::Ends;
use crate::frontier::Frontier;
use crate::listener::Reach;
use crate::pruning::{Follow, PathCounts, Pruning, Stretch};
use fathom_base::Loc;
use fathom_engine::{
    Explored, Outcome, Proof, Reason, Reasons, Statistics, Task, Trace, Verdict, Violation, Visited, add_solver_counters, has_cycle,
};
use fathom_ir::Property;
use fathom_machine::{Advance, Machine, State};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What makes two failures the same one: property, location and the function that called the failing one, because
/// functions of the C library fail for their callers' sake.
pub(crate) type Place = (Property, Loc, Option<String>);

pub(crate) fn place_of(violation: &Violation) -> Place {
    (violation.property, violation.loc, violation.stack.iter().rev().nth(1).cloned())
}

/// What a run has seen so far.
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
    /// Properties and places that were told.
    pub failed: BTreeSet<Place>,
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
    /// Pruned states that somebody wants tests of, when there is nothing else to do.
    pub passed_over: Vec<State>,
    pub followed_after_all: u64,
    /// Everything that can be covered was covered before those.
    pub covered_all: bool,
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

    /// Nothing waits any more. A state that was covered for a time only, if there is one.
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

    pub fn lose(&mut self, machine: &mut Machine, state: &State) {
        if let Some(pruning) = &mut self.pruning {
            pruning.lose(machine, state);
        }
    }

    pub fn reach(&self) -> Reach {
        match (self.is_complete(), self.covered_all) {
            (true, _) if self.pruned == self.followed_after_all => Reach::EveryPath,
            (true, _) | (_, true) => Reach::EverySide,
            (false, false) => Reach::Part,
        }
    }

    fn paths(&self) -> PathCounts {
        PathCounts { started: self.started, ended: self.ended, covered: self.pruned, cut: self.cut }
    }

    /// Whether every path was followed to its end or its violation.
    pub fn is_complete(&self) -> bool {
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
    Verdict::Holds(Rc::new(Proof::AllPathsEnd { started: tally.started, ended: tally.ended, cut: tally.cut, steps }))
}

/// Why nothing is violated: every path ended, or came to a state that could be left out.
fn safety(explored: Explored, tally: &Tally, machine: &mut Machine) -> Proof {
    let refuted = machine.oracle().map(|oracle| oracle.refutations().clone()).unwrap_or_default();
    if let Some(pruning) = &tally.pruning {
        return pruning.proof(machine, tally.paths(), &refuted);
    }
    Proof::AllPathsEnded {
        explored,
        started: tally.started,
        ended: tally.ended,
        merged: tally.merged,
        repeated: tally.visited.repeated,
        cut: tally.cut,
        refutations: refuted,
    }
}

pub(crate) fn outcome(task: &Task, explored: Explored, mut machine: Machine, mut tally: Tally) -> Outcome {
    let proved = tally.is_complete() && tally.violated.is_empty();
    let safety = proved.then(|| Rc::new(safety(explored, &tally, &mut machine)));
    let verdict = |property: Property| match tally.violated.iter().find(|t| t.violation.property == property) {
        Some(trace) => Verdict::Violated(Box::new(trace.clone())),
        None if !tally.violated.is_empty() => Verdict::Unknown(Reason::NotReached),
        None => match &safety {
            Some(_) if property == Property::Termination => termination(&tally),
            Some(proof) => Verdict::Holds(proof.clone()),
            None => Verdict::Unknown(tally.reasons.main()),
        },
    };
    let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
    let mut statistics = Statistics::default();
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
        pruning.describe(tally.paths(), &mut statistics);
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
