//! Queries with functions that are computed at constants (`sin`, `pow`; `fathom_term`'s `computed`). To a solver they
//! are uninterpreted: its refutations are right, but its models may give them values that they do not have. So each
//! model is evaluated with the functions computed. If it is wrong, the next query gets additional facts: the values of
//! the functions at the points of that model. This need not terminate, because every model may have wrong values within
//! the functions' bounds; then the last model is returned unchanged. That is sound for proofs, which may also cover
//! infeasible paths, and a violation on such a path fails when it is replayed. The certifier's solver gets such facts,
//! too, before its model counts as a contradiction to a refutation.

use crate::constraints::Constraints;
use crate::pool::{Pool, Question, Reply};
use crate::query::Query;
use crate::solver::{Answer, Solver};
use crate::verdict::Verdict;
use fathom_base::Budget;
use fathom_term::{Evaluator, Model, Op, Symbol, Term, TermStore, vars_of};
use std::rc::Rc;

/// The most facts that are added to one query.
const ROUNDS: usize = 6;
/// The same where a refutation is checked again, which took as many facts as it had values.
const ROUNDS_AGAIN: usize = 256;

/// Whether a query contains such a function.
pub(crate) fn concerns(store: &TermStore, query: &Query) -> bool {
    query.symbols(store).iter().any(|symbol| matches!(symbol, Symbol::Function(function) if store.is_computed(*function)))
}

/// The answer to a query of which a solver found this model.
pub(crate) fn settle(store: &TermStore, query: &Query, mut model: Model, pool: &mut Pool, budget: &Budget) -> Verdict {
    let applications = applications(store, query.conjuncts.iter().copied().chain([query.condition]));
    let mut facts: Vec<Term> = Vec::new();
    let vars: Vec<_> = vars_of(query.symbols(store)).collect();
    for _ in 0..ROUNDS {
        let mut plain = model.clone();
        plain.functions.retain(|(function, _), _| !store.is_computed(*function));
        let computed = query.complete(store, Rc::new(Evaluator::new(plain)));
        if query.allows(store, &computed) {
            return Verdict::Sat(computed);
        }
        facts.extend(applications.iter().filter_map(|&application| fact(store, &computed, application)));
        let mut asked = Constraints::new(query.constraints.sets().clone());
        query.conjuncts.iter().chain(&facts).for_each(|&part| asked.push(store, part));
        if asked.is_contradictory() {
            return Verdict::Unsat;
        }
        let conjuncts = asked.to_vec();
        let question = Question { store, allowed: &asked, conjuncts: &conjuncts, condition: query.condition, vars: &vars, budget };
        match pool.check(&question) {
            Reply::Unsat => return Verdict::Unsat,
            Reply::Unknown(_) => break,
            Reply::Sat(next) => model = next,
        }
    }
    Verdict::Sat(query.complete(store, Rc::new(Evaluator::new(model))))
}

/// A fact that holds in every model: the function's value at the arguments that it has in this model.
fn fact(store: &TermStore, model: &Evaluator, application: Term) -> Option<Term> {
    let mut same = store.bool(true);
    for arg in store.args(application) {
        let value = store.constant(&model.eval(store, arg)?, store.sort(arg));
        same = store.and(same, store.eq(arg, value));
    }
    let result = store.constant(&model.eval(store, application)?, store.sort(application));
    Some(store.implies(same, store.eq(application, result)))
}

/// Whether a conjunction of which a solver has just found a model is refuted all the same, because these functions never have
/// the values that models give them. None if that could not be decided. The solver has more assertions afterwards.
pub(crate) fn is_refuted(store: &TermStore, terms: &[Term], solver: &mut dyn Solver, budget: &Budget) -> Option<bool> {
    let applications = applications(store, terms.iter().copied());
    if applications.is_empty() {
        return Some(false);
    }
    let vars: Vec<_> = store.subterms(terms.iter().copied()).filter_map(|part| store.as_var(part)).collect();
    for _ in 0..ROUNDS_AGAIN {
        let mut plain = solver.model(&vars).ok()?;
        plain.functions.retain(|(function, _), _| !store.is_computed(*function));
        let computed = Evaluator::new(plain);
        if terms.iter().all(|&term| computed.holds(store, term) == Some(true)) {
            return Some(false);
        }
        for fact in applications.iter().filter_map(|&application| fact(store, &computed, application)) {
            solver.assert(fact).ok()?;
        }
        match solver.check(&[], budget) {
            Answer::Unsat => return Some(true),
            Answer::Sat => {}
            Answer::Unknown(_) => return None,
        }
    }
    None
}

fn applications(store: &TermStore, terms: impl Iterator<Item = Term>) -> Vec<Term> {
    let is_computed = |term: &Term| matches!(store.op(*term), Op::Apply(function) if store.is_computed(function));
    store.subterms(terms).filter(is_computed).collect()
}
