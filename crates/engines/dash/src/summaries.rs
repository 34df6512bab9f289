//! What is known of procedures, for all sessions together. Not-may summaries are the questions that were answered with no,
//! with the partitions that prove them; must summaries are calls that tests made, and answer questions with yes.
//!
//! A question may be used while it is still being asked, by the sessions that it led to: the argument is an induction over
//! the length of runs, in which the calls inside a call are shorter. So the proofs of some questions rest on others;
//! when one of these turns out to be wrong, everything that rests on it is given up.

use crate::aims::Question;
use fathom_base::FxSet;
use fathom_flat::Flat;
use fathom_term::{Evaluator, Model, Sort, Term, Value};
use std::collections::BTreeSet;
use std::time::Duration;

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

pub struct Summary {
    pub question: Question,
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
pub struct Seen {
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

#[derive(Default)]
pub struct Knowledge {
    pub summaries: Vec<Summary>,
    pub formulas: Vec<Formula>,
    seen: Vec<Seen>,
    /// How often a table of calls helped the program's own session.
    pub tabled: u64,
    /// Calls with small arguments that were tried.
    pub small_calls: u64,
    /// Calls around which others were tried.
    pub sampled: FxSet<(usize, Vec<Value>)>,
    pub work: Work,
}

impl Knowledge {
    /// The status of a question that was asked before; none if more work than before may answer it.
    pub fn status(&self, question: &Question, work: u64) -> Option<Status> {
        let asked =
            self.summaries.iter().filter(|summary| summary.status != Status::Lost && summary.tried.is_none_or(|tried| tried >= work));
        asked.into_iter().find(|summary| summary.question == *question).map(|summary| summary.status)
    }

    /// Summaries of a procedure that may be used, with their numbers; those first that are known to hold.
    pub fn usable(&self, procedure: usize, fails: bool) -> Vec<(usize, Question)> {
        let about = |summary: &Summary| summary.question.procedure == procedure && summary.question.after.is_none() == fails;
        let with =
            |status: Status| self.summaries.iter().enumerate().filter(move |(_, summary)| summary.status == status && about(summary));
        with(Status::Holds).chain(with(Status::Open)).map(|(number, summary)| (number, summary.question.clone())).collect()
    }

    pub fn open(&mut self, question: Question) -> usize {
        self.summaries.push(Summary { question, status: Status::Open, regions: Vec::new(), uses: BTreeSet::new(), tried: None });
        self.summaries.len() - 1
    }

    pub fn close(&mut self, number: usize, regions: Vec<Vec<Vec<Term>>>, uses: BTreeSet<usize>) {
        let summary = &mut self.summaries[number];
        (summary.status, summary.regions, summary.uses) = (Status::Holds, regions, uses);
    }

    /// Gives a summary up, and what rests on it.
    pub fn drop_summary(&mut self, number: usize) {
        let mut dropped = BTreeSet::from([number]);
        loop {
            let rests = |summary: &Summary| !summary.uses.is_disjoint(&dropped);
            let more: Vec<usize> = (0..self.summaries.len()).filter(|at| !dropped.contains(at) && rests(&self.summaries[*at])).collect();
            if more.is_empty() {
                break;
            }
            dropped.extend(more);
        }
        dropped.into_iter().for_each(|at| self.summaries[at].status = if at == number { Status::Dropped } else { Status::Lost });
    }

    /// Everything that these rest on, and they themselves; None if one of them does not hold.
    pub fn closure(&self, uses: &BTreeSet<usize>) -> Option<Vec<usize>> {
        let mut all: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<usize> = uses.iter().copied().collect();
        while let Some(next) = open.pop() {
            if self.summaries[next].status != Status::Holds {
                return None;
            }
            if all.insert(next) {
                open.extend(&self.summaries[next].uses);
            }
        }
        Some(all.into_iter().collect())
    }

    /// Remembers a call, unless so many of its kind are known.
    pub fn saw(&mut self, seen: Seen, most: usize) {
        let is_known = |known: &Seen| known.procedure == seen.procedure && known.entry == seen.entry && known.exit == seen.exit;
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
            let Summary { question, status, .. } = &self.summaries[formula.number];
            *status == Status::Holds && question.procedure == procedure && question.is_about(flat, entry)
        };
        let about = &flat.procedures[procedure];
        let known: Vec<&Formula> = if self.formulas.is_empty() { return None } else { self.formulas.iter().filter(holds).collect() };
        let mut model = Model::default();
        model.values.extend(about.entry.iter().copied().zip(entry.iter().cloned()));
        let evaluator = Evaluator::new(model);
        (0..about.exit.len()).map(|exit| evaluator.eval(&flat.terms, known.iter().find(|formula| formula.exit == exit)?.value)).collect()
    }

    /// Calls of a procedure that returned.
    pub fn returned(&self, procedure: usize) -> Vec<&Seen> {
        self.seen.iter().filter(|seen| seen.procedure == procedure && seen.exit.is_some()).collect()
    }

    /// Whether a call that was seen answers the question with yes.
    pub fn refutes(&self, flat: &Flat, question: &Question) -> bool {
        self.witness(flat, question).is_some()
    }

    /// The first call that was seen to do what the question asks.
    pub fn witness(&self, flat: &Flat, question: &Question) -> Option<&Seen> {
        let mut calls = self.seen.iter().filter(|seen| seen.procedure == question.procedure);
        calls.find(|seen| question.is_refuted_by(flat, &seen.entry, seen.exit.as_deref()))
    }
}
