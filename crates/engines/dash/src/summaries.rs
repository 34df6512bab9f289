//! Knowledge about procedures, shared by all sessions. Not-may summaries are subgoals that were answered with "no",
//! with the partitions that prove them; must summaries are calls in tests, and answer subgoals with "yes".
//!
//! A subgoal may be assumed while it is still being proved, by the sessions that it started: the argument is an
//! induction over the length of runs, in which nested calls are shorter. So the proofs of some subgoals depend on
//! others; when one of these turns out to be wrong, everything that depends on it is discarded.

use crate::objectives::Subgoal;
use fathom_base::FxSet;
use fathom_flat::Flat;
use fathom_term::{Evaluator, Model, Sort, Term, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// How far the question behind a summary has been answered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Being asked.
    Open,
    /// Answered with no.
    Holds,
    /// Answered with yes, or not at all.
    Dropped,
    /// It rests on one that was dropped, and may be asked again.
    Lost,
}

/// That no call of a procedure which starts where one condition holds ends where another does, and why.
pub struct Summary {
    pub subgoal: Subgoal,
    pub status: Status,
    /// The partition, once it holds: regions per block.
    pub regions: Vec<Vec<Vec<Term>>>,
    /// What it rests on.
    pub uses: BTreeSet<usize>,
    /// How much work did not answer it.
    pub tried: Option<u64>,
}

/// A call that a test made: values at its entry, at its exit unless it failed, and what it asked for.
#[derive(Clone)]
pub struct ObservedCall {
    pub procedure: usize,
    pub entry: Vec<Value>,
    pub exit: Option<Vec<Value>>,
    pub inputs: Vec<(Sort, Value)>,
}

/// Work of the sessions that are over.
#[derive(Default)]
pub struct Work {
    pub tests: u64,
    pub solve_runs: u64,
    pub calls: u64,
    pub unsat_targets: u64,
    pub refinements: u64,
    pub time: Duration,
    pub asked: u64,
}

/// What a summary says a procedure returns as one of its results.
pub struct Formula {
    pub exit: usize,
    pub value: Term,
    /// The summary.
    pub number: usize,
}

/// Summaries of recursive procedures, and calls that tests have made.
#[derive(Default)]
pub struct Summaries {
    /// Those that other runs proved.
    pub told: Vec<Subgoal>,
    pub not_may: Vec<Summary>,
    pub formulas: Vec<Formula>,
    seen: Vec<ObservedCall>,
    /// How often a table of calls helped the program's own session.
    pub tabled: u64,
    /// Calls with small arguments that were tried.
    pub small_calls: u64,
    /// Calls around which others were tried.
    pub sampled: FxSet<(usize, Vec<Value>)>,
    pub work: Work,
}

impl Summaries {
    /// Nothing but what other runs proved.
    pub fn with(told: Vec<Subgoal>) -> Self {
        Self { told, ..Self::default() }
    }

    /// The status of a subgoal that was asked before; none if more work than before may answer it.
    pub fn status(&self, subgoal: &Subgoal, work: u64) -> Option<Status> {
        let asked = self.not_may.iter().filter(|summary| summary.status != Status::Lost && summary.tried.is_none_or(|tried| tried >= work));
        asked.into_iter().find(|summary| summary.subgoal == *subgoal).map(|summary| summary.status)
    }

    /// Summaries of a procedure that may be used, with their numbers; those first that are known to hold.
    pub fn usable(&self, procedure: usize, fails: bool) -> Vec<(usize, Subgoal)> {
        let about = |summary: &Summary| summary.subgoal.procedure == procedure && summary.subgoal.after.is_none() == fails;
        let with = |status: Status| self.not_may.iter().enumerate().filter(move |(_, summary)| summary.status == status && about(summary));
        with(Status::Holds).chain(with(Status::Open)).map(|(number, summary)| (number, summary.subgoal.clone())).collect()
    }

    /// Adds a question that is about to be asked; its number.
    pub fn open(&mut self, subgoal: Subgoal) -> usize {
        self.not_may.push(Summary { subgoal, status: Status::Open, regions: Vec::new(), uses: BTreeSet::new(), tried: None });
        self.not_may.len() - 1
    }

    /// The question is answered with no, by this partition.
    pub fn close(&mut self, number: usize, regions: Vec<Vec<Vec<Term>>>, uses: BTreeSet<usize>) {
        let summary = &mut self.not_may[number];
        (summary.status, summary.regions, summary.uses) = (Status::Holds, regions, uses);
    }

    /// Gives a summary up, and what rests on it.
    pub fn drop_summary(&mut self, number: usize) {
        let mut dropped = BTreeSet::from([number]);
        loop {
            let rests = |summary: &Summary| !summary.uses.is_disjoint(&dropped);
            let more: Vec<usize> = (0..self.not_may.len()).filter(|at| !dropped.contains(at) && rests(&self.not_may[*at])).collect();
            if more.is_empty() {
                break;
            }
            dropped.extend(more);
        }
        dropped.into_iter().for_each(|at| self.not_may[at].status = if at == number { Status::Dropped } else { Status::Lost });
    }

    /// Everything that these rest on, and they themselves; None if one of them does not hold.
    pub fn closure(&self, uses: &BTreeSet<usize>) -> Option<Vec<usize>> {
        let mut all: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<usize> = uses.iter().copied().collect();
        while let Some(next) = open.pop() {
            if self.not_may[next].status != Status::Holds {
                return None;
            }
            if all.insert(next) {
                open.extend(&self.not_may[next].uses);
            }
        }
        Some(all.into_iter().collect())
    }

    /// Remembers a call, unless so many of its kind are known.
    pub fn saw(&mut self, seen: ObservedCall, most: usize) {
        let is_known = |known: &ObservedCall| known.procedure == seen.procedure && known.entry == seen.entry && known.exit == seen.exit;
        if self.seen.iter().any(is_known) {
            return;
        }
        let alike = self.seen.iter().filter(|known| known.procedure == seen.procedure && known.exit.is_none() == seen.exit.is_none());
        if alike.count() < most {
            self.seen.push(seen);
        }
    }

    /// What a call returns according to summaries that hold, if it returns; None if they don't say all of it.
    pub fn computed(&self, flat: &Flat, procedure: usize, entry: &[Value]) -> Option<Vec<Value>> {
        let holds = |formula: &&Formula| {
            let Summary { subgoal, status, .. } = &self.not_may[formula.number];
            *status == Status::Holds && subgoal.procedure == procedure && subgoal.is_about(flat, entry)
        };
        let about = &flat.procedures[procedure];
        let known: Vec<&Formula> = if self.formulas.is_empty() { return None } else { self.formulas.iter().filter(holds).collect() };
        let mut model = Model::default();
        model.values.extend(about.entry.iter().copied().zip(entry.iter().cloned()));
        let evaluator = Evaluator::new(model);
        (0..about.exit.len()).map(|exit| evaluator.eval(&flat.terms, known.iter().find(|formula| formula.exit == exit)?.value)).collect()
    }

    /// Calls of a procedure that returned.
    pub fn returned(&self, procedure: usize) -> Vec<&ObservedCall> {
        self.seen.iter().filter(|seen| seen.procedure == procedure && seen.exit.is_some()).collect()
    }

    /// Whether a call that was seen answers the subgoal with yes.
    pub fn refutes(&self, flat: &Flat, subgoal: &Subgoal) -> bool {
        self.witness(flat, subgoal).is_some()
    }

    /// The first call that was seen to do what the subgoal asks.
    pub fn witness(&self, flat: &Flat, subgoal: &Subgoal) -> Option<&ObservedCall> {
        let mut calls = self.seen.iter().filter(|seen| seen.procedure == subgoal.procedure);
        calls.find(|seen| subgoal.is_refuted_by(flat, &seen.entry, seen.exit.as_deref()))
    }
}
