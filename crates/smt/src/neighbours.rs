//! Models next to the state's own: a condition that compares one variable with constants is tried at those constants and
//! their neighbours, with everything else as it is. A loop that counts up to an input asks after each iteration
//! whether the input is just as large as the counter; finding that by trying keeps the cost of an iteration from growing
//! with the number of iterations. A model that passes satisfies the whole query, so there is nothing to get wrong.

use crate::query::Query;
use crate::symbols::Symbol;
use fathom_base::FxSet;
use fathom_term::{Evaluator, Model, Sort, Term, TermStore, Value, VarId};
use std::rc::Rc;

/// Queries over more symbols are not tried: their other values would have to change, too.
const MAX_SYMBOLS: usize = 8;
/// Parts of the condition that are looked at for constants.
const MAX_PARTS: usize = 16;
const MAX_CONSTANTS: usize = 3;

/// A model of the query in which one variable differs from the hint.
pub(crate) fn search(store: &TermStore, query: &Query<'_>) -> Option<Rc<Evaluator>> {
    let hint = query.hint()?;
    let [Symbol::Var(var)] = *query.constraints.sets().of(store, query.condition) else { return None };
    let Sort::Bv(width @ 1..=64) = store.sort(store.var_term(var)) else { return None };
    let symbols = query.symbols(store);
    if symbols.len() > MAX_SYMBOLS {
        return None;
    }
    let mut model = Model::default();
    for symbol in symbols {
        let Symbol::Var(other) = symbol else { return None };
        model.values.insert(*other, hint.model().get(store, *other));
    }
    let mask = u64::MAX >> (64 - width);
    for constant in constants(store, query.condition, width) {
        for value in [constant, constant.wrapping_add(1) & mask, constant.wrapping_sub(1) & mask] {
            if let Some(found) = tried(store, query, &model, var, value) {
                return Some(found);
            }
        }
    }
    None
}

fn tried(store: &TermStore, query: &Query<'_>, model: &Model, var: VarId, value: u64) -> Option<Rc<Evaluator>> {
    let mut model = model.clone();
    model.values.insert(var, Value::Bits(value));
    let evaluator = Evaluator::new(model);
    // The newest conjuncts are the most likely to fail.
    let mut terms = [query.condition].into_iter().chain(query.conjuncts.iter().rev().copied());
    terms.all(|term| evaluator.holds(store, term) == Some(true)).then(|| Rc::new(evaluator))
}

/// Constants of a width in a small condition.
fn constants(store: &TermStore, condition: Term, width: u32) -> Vec<u64> {
    let (mut open, mut seen, mut found) = (vec![condition], FxSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MAX_PARTS {
            return Vec::new();
        }
        match store.const_bits(term) {
            Some(bits) if store.sort(term) == Sort::Bv(width) => found.push(bits),
            Some(_) => {}
            None => open.extend(store.args(term)),
        }
    }
    found.truncate(MAX_CONSTANTS);
    found
}
