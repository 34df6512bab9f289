//! Guesses about procedures from the calls in tests. If the result was the same combination of the arguments in every
//! call so far, it probably always is. A summary that says so is often inductive, while the one that a frontier asks
//! for would have to be strengthened first: `id(x) = x` instead of `id(x) != 20`. Guesses are made for all calls, for
//! calls whose arguments have the same signs as in the test's call, and for calls that have one argument in common with
//! it (Ackermann's function is a different sum for each first argument). A guess is a subgoal like any other, and has
//! to be proved.
//!
//! Results that cannot be guessed can be tabled: a call that reads no inputs always returns the same.

use crate::objectives::Subgoal;
use crate::runs::{Run, RunEnd};
use crate::summaries::{ObservedCall, Summaries};
use fathom_base::FxSet;
use fathom_flat::Flat;
use fathom_term::{Op, Sort, Term, TermStore, Value, mask, sign_extend};
use std::rc::Rc;

/// Calls that a guess must agree with.
const FEWEST_CALLS: usize = 4;
/// What arguments are multiplied by in a combination.
const FACTORS: [i64; 5] = [0, 1, -1, 2, -2];

/// A guess that a result of calls is always this function of their arguments.
pub struct Guess {
    pub subgoal: Subgoal,
    pub exit: usize,
    pub value: Term,
}

/// A condition on what is passed.
struct Guard {
    conditions: Vec<Term>,
    /// Calls that satisfy it, by number.
    calls: Vec<usize>,
}

/// Subgoals about one procedure that the calls seen so far would answer with no. `passed` is what a test passes at a call,
/// `exits` are the numbers of the results that matter.
pub fn guesses(
    flat: &Flat,
    procedure: usize,
    seen: &[&ObservedCall],
    passed: &[Option<Value>],
    exits: &[usize],
    most: usize,
) -> Vec<Guess> {
    let store: &TermStore = &flat.terms;
    let about = &flat.procedures[procedure];
    let mut found: Vec<Guess> = Vec::new();
    for guard in guards(flat, procedure, seen, passed) {
        for &at in exits {
            let exit = about.exit[at];
            let Sort::Bv(width @ 2..=64) = store.var_sort(exit) else { continue };
            let same_width = (0..about.entry.len()).filter(|&entry| store.var_sort(about.entry[entry]) == Sort::Bv(width));
            let arguments: Vec<usize> = same_width.take(most).collect();
            let terms: Vec<Term> = arguments.iter().map(|&entry| store.var_term(about.entry[entry])).collect();
            let points: Vec<(Vec<u64>, u64)> = guard.calls.iter().filter_map(|&call| point(seen[call], &arguments, at)).collect();
            let whole = fit(&points, width).map(|found| found.term(store, &terms, width));
            // If no combination of the arguments fits: one of their lowest bits (odd or even).
            let parity = || {
                let points: Vec<(Vec<u64>, u64)> =
                    points.iter().map(|(passed, result)| (passed.iter().map(|bits| bits & 1).collect(), *result)).collect();
                let bits: Vec<Term> = terms.iter().map(|&term| store.resize_unsigned(store.extract(term, 0, 0), width)).collect();
                fit_bits(&points, width).map(|found| found.term(store, &bits, width))
            };
            let Some(value) = whole.or_else(parity) else { continue };
            let differs = store.ne(store.var_term(exit), value);
            if store.const_bool(differs).is_none() {
                let subgoal = Subgoal { procedure, before: guard.conditions.clone(), after: Some(vec![differs]) };
                found.push(Guess { subgoal, exit: at, value });
            }
        }
    }
    found
}

fn guards(flat: &Flat, procedure: usize, seen: &[&ObservedCall], passed: &[Option<Value>]) -> Vec<Guard> {
    let store: &TermStore = &flat.terms;
    let entry = &flat.procedures[procedure].entry;
    let number = |value: &Value, width: u32| match value {
        Value::Bits(bits) => Some(sign_extend(*bits, width)),
        _ => None,
    };
    let mut signs: Vec<(usize, Term)> = Vec::new();
    let mut equal: Vec<(usize, Term)> = Vec::new();
    for (at, (&var, value)) in entry.iter().zip(passed).enumerate() {
        let Sort::Bv(width @ 2..=64) = store.var_sort(var) else { continue };
        let Some(here) = value.as_ref().and_then(|value| number(value, width)) else { continue };
        let term = store.var_term(var);
        let negative = store.build(Op::BvSlt, &[term, store.bv(0, width)]);
        signs.push((at, if here < 0 { negative } else { store.not(negative) }));
        equal.push((at, store.eq(term, store.bv(here as u64 & mask(width), width))));
    }
    let mut sets: Vec<Vec<(usize, Term)>> = vec![Vec::new(), signs.clone()];
    sets.extend(signs.iter().map(|&sign| vec![sign]));
    for &(at, same) in &equal {
        sets.push(vec![(at, same)]);
        sets.push([(at, same)].into_iter().chain(signs.iter().copied().filter(|(other, _)| *other != at)).collect());
    }
    let mut all: Vec<Guard> = Vec::new();
    for set in sets {
        let conditions: Vec<Term> = set.iter().map(|(_, term)| *term).collect();
        let guard = Subgoal { procedure, before: conditions.clone(), after: None };
        let calls: Vec<usize> = (0..seen.len()).filter(|&call| guard.is_about(flat, &seen[call].entry)).collect();
        if calls.len() >= FEWEST_CALLS && !all.iter().any(|known| known.conditions == conditions) {
            all.push(Guard { conditions, calls });
        }
    }
    all
}

/// The arguments and the result of a call, as numbers.
fn point(seen: &ObservedCall, arguments: &[usize], exit: usize) -> Option<(Vec<u64>, u64)> {
    let bits = |value: &Value| match value {
        Value::Bits(bits) => Some(*bits),
        _ => None,
    };
    let passed: Option<Vec<u64>> = arguments.iter().map(|&at| bits(seen.entry.get(at)?)).collect();
    Some((passed?, bits(seen.exit.as_ref()?.get(exit)?)?))
}

/// A constant, multiples of arguments and perhaps the product of two of them.
struct Combination {
    constant: u64,
    factors: Vec<i64>,
    product: Option<(usize, usize)>,
}

impl Combination {
    /// Without the constant.
    fn value(&self, passed: &[u64]) -> u64 {
        let sum =
            self.factors.iter().zip(passed).fold(0u64, |sum, (&factor, &value)| sum.wrapping_add((factor as u64).wrapping_mul(value)));
        self.product.map_or(sum, |(one, two)| sum.wrapping_add(passed[one].wrapping_mul(passed[two])))
    }

    fn term(&self, store: &TermStore, arguments: &[Term], width: u32) -> Term {
        let mut sum = store.bv(self.constant, width);
        for (&factor, &argument) in self.factors.iter().zip(arguments).filter(|(factor, _)| **factor != 0) {
            sum = store.bv_add(sum, store.bv_mul(store.bv(factor as u64 & mask(width), width), argument));
        }
        self.product.map_or(sum, |(one, two)| store.bv_add(sum, store.bv_mul(arguments[one], arguments[two])))
    }

    /// How much it says: unknown numbers that calls must have determined.
    fn cost(&self) -> i64 {
        self.factors.iter().map(|factor| factor.abs()).sum::<i64>() + if self.product.is_some() { 3 } else { 0 }
    }
}

/// The simplest combination of low bits: there are few different points, so all of them count.
fn fit_bits(points: &[(Vec<u64>, u64)], width: u32) -> Option<Combination> {
    let is_new = points.len() >= 2 * FEWEST_CALLS;
    is_new.then(|| simplest(&points.iter().collect::<Vec<_>>(), width)).flatten()
}

/// The simplest combination that all points agree with.
fn fit(points: &[(Vec<u64>, u64)], width: u32) -> Option<Combination> {
    let mut distinct: Vec<&(Vec<u64>, u64)> = points.iter().collect();
    distinct.sort();
    distinct.dedup();
    simplest(&distinct, width)
}

fn simplest(distinct: &[&(Vec<u64>, u64)], width: u32) -> Option<Combination> {
    let (passed, result) = distinct.first()?;
    let count = passed.len();
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |two| Some((one, two))));
    let products: Vec<Option<(usize, usize)>> = std::iter::once(None).chain(pairs).collect();
    let mut best: Option<Combination> = None;
    for number in 0..FACTORS.len().pow(count as u32) {
        let digit = |at: usize| FACTORS[number / FACTORS.len().pow(at as u32) % FACTORS.len()];
        let factors: Vec<i64> = (0..count).map(digit).collect();
        for &product in &products {
            let mut candidate = Combination { constant: 0, factors: factors.clone(), product };
            candidate.constant = result.wrapping_sub(candidate.value(passed)) & mask(width);
            let unknown = candidate.factors.iter().filter(|factor| **factor != 0).count() + 2 * usize::from(product.is_some());
            let agrees = |&&(ref passed, result): &&(Vec<u64>, u64)| {
                candidate.constant.wrapping_add(candidate.value(passed)) & mask(width) == result
            };
            let is_better = best.as_ref().is_none_or(|best| candidate.cost() < best.cost());
            if is_better && distinct.len() >= FEWEST_CALLS.max(unknown + 2) && distinct.iter().all(agrees) {
                best = Some(candidate);
            }
        }
    }
    best
}

/// Subgoals that say of a call, and of the calls inside it, that they do nothing else than what they did; the inner ones first,
/// each with what was passed. What summaries compute needs no table.
pub fn table(flat: &Flat, summaries: &Summaries, procedure: usize, run: &Rc<Run>, most: usize) -> Vec<(Subgoal, Vec<(Sort, Value)>)> {
    let mut done: FxSet<*const Run> = FxSet::default();
    let mut subgoals = Vec::new();
    let mut open: Vec<(usize, &Rc<Run>, bool)> = vec![(procedure, run, false)];
    while let Some((procedure, run, ready)) = open.pop() {
        if subgoals.len() >= most {
            break;
        }
        if ready {
            let passed = &run.inputs[..flat.procedures[procedure].entry.len().min(run.inputs.len())];
            subgoals.extend(entry_of_table(flat, procedure, run).map(|subgoal| (subgoal, passed.to_vec())));
        } else if !run.steps.is_empty() && done.insert(Rc::as_ptr(run)) {
            let entry: Vec<Value> =
                run.inputs.iter().take(flat.procedures[procedure].entry.len()).map(|(_, value)| value.clone()).collect();
            if summaries.computed(flat, procedure, &entry).is_some() {
                continue;
            }
            open.push((procedure, run, true));
            let inside =
                run.steps.iter().filter_map(|step| Some((flat.blocks[step.block].call.as_ref()?.procedure, step.inside.as_ref()?, false)));
            open.extend(inside);
        }
    }
    subgoals
}

fn entry_of_table(flat: &Flat, procedure: usize, run: &Run) -> Option<Subgoal> {
    let store: &TermStore = &flat.terms;
    let about = &flat.procedures[procedure];
    let RunEnd::Returned(values) = &run.end else { return None };
    let is = |var: fathom_term::VarId, value: &Value| {
        let sort = store.var_sort(var);
        matches!(sort, Sort::Bool | Sort::Bv(_) | Sort::Int).then(|| store.eq(store.var_term(var), store.constant(value, sort)))
    };
    let before: Vec<Term> = about.entry.iter().zip(&run.inputs).filter_map(|(&var, (_, value))| is(var, value)).collect();
    let after: Vec<Term> = about.exit.iter().zip(values).filter_map(|(&var, value)| is(var, value)).collect();
    let known = run.is_determined() && !after.is_empty();
    known.then(|| Subgoal { procedure, before, after: Some(vec![store.not(store.and_all(after))]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constant, factors and product.
    type Fit = (u64, Vec<i64>, Option<(usize, usize)>);

    fn fitted(points: &[(&[u64], u64)]) -> Option<Fit> {
        let points: Vec<(Vec<u64>, u64)> = points.iter().map(|(passed, result)| (passed.to_vec(), *result)).collect();
        fit(&points, 32).map(|found| (found.constant, found.factors, found.product))
    }

    #[test]
    fn the_simplest_combination_that_agrees_is_guessed() {
        assert_eq!(fitted(&[(&[0], 3), (&[1], 5), (&[4], 11), (&[7], 17)]), Some((3, vec![2], None)));
        assert_eq!(fitted(&[(&[1, 5], 6), (&[2, 2], 4), (&[9, 1], 10), (&[3, 4], 7), (&[0, 0], 0)]), Some((0, vec![1, 1], None)));
        assert_eq!(fitted(&[(&[1, 5], 5), (&[2, 2], 4), (&[9, 1], 9), (&[3, 4], 12), (&[0, 3], 0)]), Some((0, vec![0, 0], Some((0, 1)))));
        assert_eq!(fitted(&[(&[0], 1), (&[1], 2), (&[2], 4), (&[3], 8)]), None, "no combination agrees");
        assert_eq!(fitted(&[(&[0], 1), (&[1], 2), (&[1], 2), (&[1], 2)]), None, "too few calls");
    }
}
