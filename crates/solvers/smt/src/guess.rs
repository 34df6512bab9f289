//! Guesses models before a solver is asked. Most queries along a path are about a new or hardly constrained value that
//! the program compares with a constant: is it null, is it one of these numbers? Then the state's model satisfies the
//! query if that value is changed to the constant or one of its neighbours. A guess is evaluated like any model, so it
//! needs no soundness argument; a wrong guess costs a few microseconds, a solver query hundreds.

use crate::query::Query;
use fathom_base::FxSet;
use fathom_term::{Evaluator, Model, Sort, Symbol, Term, TermStore, Value, VarId, mask, vars_of};
use smallvec::SmallVec;

/// Queries with more conjuncts are left to the solver: evaluating a guess is not cheap then.
const MOST_SYMBOLS: usize = 24;
const MOST_CONJUNCTS: usize = 48;
/// Over so few symbols there may be more conjuncts: a loop that counts up to an input adds one in every iteration.
const FEW_SYMBOLS: usize = 2;
const MOST_CONJUNCTS_OVER_FEW: usize = 100_000;
const MOST_VARIABLES: usize = 3;
/// Nodes of the condition in which constants are looked for, and constants that are tried.
const MOST_NODES: usize = 40;
const MOST_CONSTANTS: usize = 6;

/// A model of the relevant constraints and the condition that differs from the hint in one value, if one is found.
pub(crate) fn guess(store: &TermStore, query: &Query, hint: &Model) -> Option<Evaluator> {
    let symbols = query.symbols(store);
    let plain = symbols.iter().all(|symbol| matches!(symbol, Symbol::Var(_)));
    let most = if symbols.len() <= FEW_SYMBOLS { MOST_CONJUNCTS_OVER_FEW } else { MOST_CONJUNCTS };
    if !plain || symbols.len() > MOST_SYMBOLS || query.conjuncts.len() > most {
        return None;
    }
    let asked = query.constraints.sets().of(store, query.condition);
    if asked.len() > MOST_VARIABLES {
        return None;
    }
    let constants = constants(store, query.condition)?;
    let mut model = Model::default();
    for var in vars_of(symbols) {
        model.values.insert(var, hint.get(store, var));
    }
    // The newest variable is the least constrained one.
    for var in vars_of(&asked).collect::<SmallVec<[VarId; MOST_VARIABLES]>>().into_iter().rev() {
        let width = match store.var_sort(var) {
            Sort::Bool => 1,
            Sort::Bv(width) if width <= 64 => width,
            _ => continue,
        };
        let old = model.values.get(&var).cloned();
        for value in candidates(&constants, width) {
            model.values.insert(var, Value::Bits(value));
            let evaluator = Evaluator::new(model);
            if evaluator.holds(store, query.condition) == Some(true)
                && query.conjuncts.iter().rev().all(|&conjunct| evaluator.holds(store, conjunct) == Some(true))
            {
                return Some(evaluator);
            }
            model = evaluator.into_model();
        }
        if let Some(old) = old {
            model.values.insert(var, old);
        }
    }
    None
}

/// The small constants in a condition; none if the condition is large.
fn constants(store: &TermStore, condition: Term) -> Option<SmallVec<[u64; MOST_CONSTANTS]>> {
    let mut found: SmallVec<[u64; MOST_CONSTANTS]> = SmallVec::new();
    let mut seen: FxSet<Term> = FxSet::default();
    let mut open = vec![condition];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_NODES {
            return None;
        }
        match store.const_bits(term) {
            Some(bits) if found.len() < MOST_CONSTANTS && !found.contains(&bits) => found.push(bits),
            Some(_) => {}
            None => open.extend(store.args(term)),
        }
    }
    Some(found)
}

/// The values that are tried for a variable of this width.
fn candidates(constants: &[u64], width: u32) -> SmallVec<[u64; 3 * MOST_CONSTANTS + 4]> {
    let near = constants.iter().flat_map(|&constant| [constant, constant.wrapping_add(1), constant.wrapping_sub(1)]);
    let mut all = SmallVec::new();
    for value in near.chain([0, 1, u64::MAX, 1 << (width - 1)]) {
        let value = value & mask(width);
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}
