//! Queries with functions that are computed at constants (`sin`, `pow`; `fathom_term`'s `computed`). To a solver they are
//! uninterpreted: what it refutes is refuted, but its model may give them values that they don't have. So each model is
//! evaluated with the functions computed. One that fails adds facts to the next query: the values of the functions at the
//! points of that model. This need not end, if every model gives the functions impossible values within their bounds; then
//! the last model is returned as the solver gave it. That is sound for proofs, which may follow paths that don't exist,
//! and a violation on such a path fails when it is replayed.

use crate::constraints::Constraints;
use crate::pool::{Pool, Question, Reply};
use crate::query::Query;
use crate::verdict::Verdict;
use fathom_base::Budget;
use fathom_term::{Evaluator, Model, Op, Symbol, Term, TermStore, vars_of};
use std::rc::Rc;

/// The most facts that are added to one query.
const ROUNDS: usize = 6;

/// Whether a query contains such a function.
pub(crate) fn concerns(store: &TermStore, query: &Query) -> bool {
    query.symbols(store).iter().any(|symbol| matches!(symbol, Symbol::Function(function) if store.is_computed(*function)))
}

/// The answer to a query of which a solver found this model.
pub(crate) fn settle(store: &TermStore, query: &Query, mut model: Model, pool: &mut Pool, budget: &Budget) -> Verdict {
    let applications = applications(store, query);
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

fn applications(store: &TermStore, query: &Query) -> Vec<Term> {
    let is_computed = |term: &Term| matches!(store.op(*term), Op::Apply(function) if store.is_computed(function));
    store.subterms(query.conjuncts.iter().copied().chain([query.condition])).filter(is_computed).collect()
}
