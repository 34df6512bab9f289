//! Questions to the solver: whether a conjunction has a model.

use fathom_base::Budget;
use fathom_flat::Flat;
use fathom_smt::{Answer, Backend};
use fathom_term::{Evaluator, Op, Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Asks a solver, within a limit of time for each query.
pub struct Queries<'a> {
    /// Makes a solver for each question.
    pub backend: Box<dyn Backend>,
    /// Time for all of it.
    pub budget: &'a Budget,
    /// Time for a question.
    pub query_time: Duration,
    /// Questions so far.
    pub calls: u64,
    /// What they took.
    pub time: Duration,
}

/// A solver's answer.
pub enum Reply {
    /// It has this model.
    Sat(Evaluator),
    /// It has none.
    Unsat,
    /// Nothing in the time it had.
    Unknown,
}

impl Queries<'_> {
    /// Whether a conjunction has no model, within a tenth of the usual time.
    pub fn refutes_soon(&mut self, flat: &Flat, question: &[Term]) -> bool {
        let time = self.query_time;
        self.query_time = time / 10;
        let refuted = self.refutes(flat, question);
        self.query_time = time;
        refuted
    }

    /// Whether all of it holds somewhere; a model has the variables of the question.
    pub fn ask(&mut self, flat: &Flat, question: &[Term]) -> Reply {
        let store = &*flat.terms;
        let mut parts: Vec<Term> = Vec::new();
        question.iter().for_each(|&term| fathom_flat::add_conjuncts(store, term, &mut parts));
        if parts.iter().any(|&part| store.const_bool(part) == Some(false) || parts.contains(&store.not(part))) {
            return Reply::Unsat;
        }
        let theorems = quotients(store, &parts);
        parts.extend(theorems);
        let start = Instant::now();
        let reply = self.put(flat, &parts).unwrap_or(Reply::Unknown);
        self.calls += 1;
        self.time += start.elapsed();
        reply
    }

    fn put(&self, flat: &Flat, parts: &[Term]) -> Option<Reply> {
        let mut solver = self.backend.new_solver().ok()?;
        for &part in parts {
            solver.assert(part).ok()?;
        }
        match solver.check(&[], &self.budget.at_most(self.query_time)) {
            Answer::Unsat => Some(Reply::Unsat),
            Answer::Unknown(_) => Some(Reply::Unknown),
            Answer::Sat => {
                let vars: BTreeSet<VarId> = parts.iter().flat_map(|&part| flat.vars(part)).collect();
                let vars: Vec<VarId> = vars.into_iter().collect();
                Some(solver.model(&vars).map_or(Reply::Unknown, |model| Reply::Sat(Evaluator::new(model))))
            }
        }
    }

    /// Whether a conjunction has no model.
    pub fn refutes(&mut self, flat: &Flat, question: &[Term]) -> bool {
        matches!(self.ask(flat, question), Reply::Unsat)
    }
}

/// What holds of every quotient and remainder of numbers that are not negative, which some solvers find out bit by bit: they are not
/// negative, a quotient is at most the dividend, and a remainder is less than the divisor.
fn quotients(store: &TermStore, parts: &[Term]) -> Vec<Term> {
    let mut all = Vec::new();
    for term in store.subterms(parts.iter().copied()) {
        let (Sort::Bv(width), args) = (store.sort(term), store.args(term)) else { continue };
        if width > 64 {
            continue;
        }
        let zero = store.bv(0, width);
        let positive = |term: Term| store.bv_slt(zero, term);
        all.extend(match store.op(term) {
            Op::BvUrem => Some(store.or(store.eq(args[1], zero), store.bv_ult(term, args[1]))),
            Op::BvUdiv => Some(store.or(store.eq(args[1], zero), store.bv_ule(term, args[0]))),
            Op::BvSrem | Op::BvSdiv => {
                let natural = store.and(store.bv_sle(zero, args[0]), positive(args[1]));
                let small = match store.op(term) {
                    Op::BvSrem => store.bv_slt(term, args[1]),
                    _ => store.bv_sle(term, args[0]),
                };
                Some(store.implies(natural, store.and(store.bv_sle(zero, term), small)))
            }
            _ => None,
        });
    }
    all
}
