//! Conditions on one variable, or on one sum of several, read as the exact set of values that satisfy them
//! (`ValueSet`).

use crate::ValueSet;
use fathom_term::{Op, Sort, Term, TermStore, VarId, mask};

/// How deep a condition may be to be read as a set.
const MAX_DEPTH: u32 = 200;

/// Sorts whose values are kept as sets.
pub fn set_width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bv(width) if width <= 64 => Some(width),
        _ => None,
    }
}

/// A condition on one variable as the set of values that satisfy it.
pub fn as_set(store: &TermStore, condition: Term) -> Option<(VarId, ValueSet)> {
    let (term, set) = condition_set(store, condition, MAX_DEPTH)?;
    Some((store.as_var(term)?, set))
}

/// A condition on one term, such as a sum of variables, as the set of values of that term that satisfy it. The term is
/// no constant more or less than another: conditions on `x + y + 1` are about `x + y`.
pub fn as_set_of_term(store: &TermStore, condition: Term) -> Option<(Term, ValueSet)> {
    condition_set(store, condition, MAX_DEPTH)
}

fn condition_set(store: &TermStore, condition: Term, fuel: u32) -> Option<(Term, ValueSet)> {
    let fuel = fuel.checked_sub(1)?;
    let op = store.op(condition);
    match op {
        Op::Var(_) => Some((condition, ValueSet::one(1, 1))),
        Op::Not => {
            let (of, set) = condition_set(store, store.arg(condition, 0), fuel)?;
            Some((of, set.not()))
        }
        Op::And | Op::Or => {
            let mut joined: Option<(Term, ValueSet)> = None;
            for arg in store.args(condition) {
                let (of, set) = condition_set(store, arg, fuel)?;
                joined = Some(match joined {
                    None => (of, set),
                    Some((known, _)) if known != of => return None,
                    Some((known, other)) => (known, if op == Op::And { other.and(&set) } else { other.or(&set) }),
                });
            }
            joined.filter(|(_, set)| set.is_small())
        }
        Op::Eq => {
            let (left, right) = (store.arg(condition, 0), store.arg(condition, 1));
            let (term, value) = match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(value)) => (left, value),
                (Some(value), None) => (right, value),
                _ => return None,
            };
            let width = set_width(store.sort(term))?;
            value_set(store, term, ValueSet::one(value, width), fuel)
        }
        Op::BvUlt | Op::BvSlt => {
            let (left, right) = (store.arg(condition, 0), store.arg(condition, 1));
            let width = set_width(store.sort(left))?;
            let up_to = if op == Op::BvUlt { ValueSet::unsigned_up_to } else { ValueSet::signed_up_to };
            match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(bound)) => value_set(store, left, up_to(bound, true, width), fuel),
                (Some(bound), None) => value_set(store, right, up_to(bound, false, width).not(), fuel),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The values for which a term is in a set: those of its variable, if it has one, or of the sum that it is made of.
pub fn value_set(store: &TermStore, term: Term, set: ValueSet, fuel: u32) -> Option<(Term, ValueSet)> {
    let fuel = fuel.checked_sub(1)?;
    match store.op(term) {
        Op::Var(_) => Some((term, set)),
        _ if store.sort(term) == Sort::Bool => {
            let (of, holds) = condition_set(store, term, fuel)?;
            Some(match (set.contains(0), set.contains(1)) {
                (true, true) => (of, ValueSet::all(holds.width())),
                (true, false) => (of, holds.not()),
                (false, true) => (of, holds),
                (false, false) => (of, ValueSet::none(holds.width())),
            })
        }
        Op::BvAdd => {
            let (left, right) = (store.arg(term, 0), store.arg(term, 1));
            let (rest, by) = match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(by)) => (left, by),
                (Some(by), None) => (right, by),
                _ => return Some((term, set)),
            };
            let moved = set.moved(by.wrapping_neg());
            value_set(store, rest, moved, fuel)
        }
        Op::BvNot => value_set(store, store.arg(term, 0), set.mirrored(), fuel),
        Op::BvNeg => value_set(store, store.arg(term, 0), set.mirrored().moved(1), fuel),
        Op::BvZeroExtend(_) => {
            let inner = store.arg(term, 0);
            let width = set_width(store.sort(inner))?;
            let low = set.and(&ValueSet::range(0, mask(width), set.width()));
            value_set(store, inner, low.with_width(width), fuel)
        }
        Op::BvSignExtend(_) => {
            let inner = store.arg(term, 0);
            let width = set_width(store.sort(inner))?;
            // Moved so that both halves of the image lie in one piece.
            let half = 1u64 << (width - 1);
            let image = set.moved(half).and(&ValueSet::range(0, mask(width), set.width()));
            value_set(store, inner, image.with_width(width).moved(half.wrapping_neg()), fuel)
        }
        Op::Ite => {
            let [then, otherwise] = [1, 2].map(|arm| store.const_bits(store.arg(term, arm)));
            let (then, otherwise) = (set.contains(then?), set.contains(otherwise?));
            let (of, holds) = condition_set(store, store.arg(term, 0), fuel)?;
            Some(match (then, otherwise) {
                (true, true) => (of, ValueSet::all(holds.width())),
                (true, false) => (of, holds),
                (false, true) => (of, holds.not()),
                (false, false) => (of, ValueSet::none(holds.width())),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::{Evaluator, Model, Value};

    /// Every condition of a family over 4 bits against evaluation.
    #[test]
    fn sets_are_exact() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(4));
        let var = store.as_var(x).unwrap();
        let wide = [store.build(Op::BvZeroExtend(6), &[x]), store.build(Op::BvSignExtend(6), &[x])];
        let mut terms = vec![x, store.build(Op::BvNeg, &[x]), store.build(Op::BvNot, &[x])];
        terms.extend((0..16).map(|k| store.bv_add(x, store.bv(k, 4))));
        terms.extend(wide);
        let mut conditions = Vec::new();
        for &term in &terms {
            let width = store.sort(term).width();
            for k in 0..(1u64 << width) {
                let k = store.bv(k, width);
                for condition in [
                    store.eq(term, k),
                    store.build(Op::BvUlt, &[term, k]),
                    store.build(Op::BvSlt, &[k, term]),
                    store.build(Op::BvSlt, &[term, k]),
                ] {
                    conditions.extend([condition, store.not(condition)]);
                }
            }
        }
        let pairs: Vec<Term> =
            conditions.windows(2).map(|w| store.and(w[0], w[1])).chain(conditions.windows(2).map(|w| store.or(w[0], w[1]))).collect();
        let mut read = 0;
        for condition in conditions.into_iter().chain(pairs) {
            let Some((of, set)) = as_set(&store, condition) else { continue };
            read += 1;
            assert_eq!(of, var);
            assert_eq!(as_set_of_term(&store, condition), Some((x, set.clone())));
            let again = set.holds(&store, x);
            for value in 0..16 {
                let mut model = Model::default();
                model.values.insert(var, Value::Bits(value));
                let evaluator = Evaluator::new(model);
                let expected = evaluator.holds(&store, condition).unwrap();
                assert_eq!(set.contains(value), expected, "{set} {value}");
                assert_eq!(set.not().contains(value), !expected);
                assert_eq!(set.moved(5).contains((value + 5) & 15), expected);
                assert_eq!(evaluator.holds(&store, again), Some(expected));
            }
        }
        assert!(read > 1000, "{read}");
    }

    #[test]
    fn conditions_on_a_sum_are_about_the_same_sum() {
        let store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(8)));
        let sum = store.bv_add(x, y);
        let below = |term: Term, bound: u64| store.build(Op::BvUlt, &[term, store.bv(bound, 8)]);
        let moved = store.bv_add(sum, store.bv(3, 8));
        assert_eq!(as_set_of_term(&store, below(sum, 5)), Some((sum, ValueSet::range(0, 4, 8))));
        assert_eq!(as_set_of_term(&store, below(moved, 5)), Some((sum, ValueSet::range(0, 4, 8).moved(253))));
        assert_eq!(as_set(&store, below(sum, 5)), None);
    }
}
