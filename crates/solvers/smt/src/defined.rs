//! Queries in which functions are defined by recursion. To a solver, `forall n :: 1 <= n ==> f(n) == n * f(n - 1)` is a
//! formula like any other: it can refute with it, but hardly ever finds a model. So it gets instances instead, for the
//! applications that occur, for those in the instances, and so on. Its model is then evaluated with the functions
//! computed by their definitions (`fathom_term::define` explains why the result is a model of everything).
//!
//! Sound: instances follow from the definitions, so what they refute is refuted. A model is returned only if every part of
//! the query without a quantifier evaluates to true; parts with quantifiers that define nothing stay with the solver,
//! and have no symbol in common with the definitions.

use crate::constraints::Constraints;
use crate::pool::{Pool, Question, Reply};
use crate::query::Query;
use crate::verdict::Verdict;
use fathom_base::{Budget, FxSet};
use fathom_term::define::{ClauseMemo, Definitions};
use fathom_term::{Evaluator, Term, TermStore, vars_of};
use std::rc::Rc;

/// The rounds of instantiation, at first and later.
const TIMES: [usize; 3] = [4, 16, 64];
/// The most instances in total.
const MOST_INSTANCES: usize = 1_000;

/// The answer to a query whose only quantified formulas are definitions.
pub(crate) fn check(store: &TermStore, query: &Query, memo: &mut ClauseMemo, pool: &mut Pool, budget: &Budget) -> Option<Verdict> {
    let sets = query.constraints.sets();
    let parts = parts(store, query);
    let (quantified, plain): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(|&part| sets.is_quantified(store, part));
    if quantified.is_empty() {
        return None;
    }
    let (definitions, others) = Definitions::among(store, &quantified, memo);
    if definitions.is_empty() {
        return None;
    }
    let definitions = Rc::new(definitions);
    let vars: Vec<_> = vars_of(query.symbols(store)).collect();
    let mut before = None;
    for times in TIMES {
        let (instances, complete) = definitions.instances(store, &plain, times, MOST_INSTANCES)?;
        if before.replace(instances.len()) == Some(instances.len()) {
            return None;
        }
        let mut asked = Constraints::new(sets.clone());
        plain.iter().chain(&others).chain(&instances).for_each(|&part| asked.push(store, part));
        let (conjuncts, condition) = (asked.to_vec(), store.bool(true));
        if asked.is_contradictory() {
            return Some(Verdict::Unsat);
        }
        let question = Question { store, allowed: &asked, conjuncts: &conjuncts, condition, vars: &vars, budget };
        match pool.check(&question) {
            Reply::Unsat => return Some(Verdict::Unsat),
            Reply::Unknown(_) => return None,
            Reply::Sat(model) => {
                let computed = Evaluator::with_definitions(model, definitions.clone());
                if plain.iter().all(|&part| computed.holds(store, part) == Some(true)) {
                    return Some(Verdict::Sat(Rc::new(Evaluator::new(computed.computed_model()))));
                }
            }
        }
        if complete {
            return None;
        }
    }
    None
}

/// The conjuncts of a query and of its condition, each once.
fn parts(store: &TermStore, query: &Query) -> Vec<Term> {
    let mut seen = FxSet::default();
    let all = query.conjuncts.iter().copied().chain([query.condition]).flat_map(|condition| store.conjuncts(condition));
    all.filter(|&part| store.const_bool(part) != Some(true) && seen.insert(part)).collect()
}
