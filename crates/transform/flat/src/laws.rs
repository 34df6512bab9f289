//! Laws: conditions over a *rigid* variable, which no segment reads or assigns. If such a condition always holds at a
//! cut point, it holds for every value of the variable, so any term may be substituted for it: this is how a condition
//! describes every element of an array. Useful terms are those for which the law's index becomes one that the segment
//! uses.

use crate::segments::Segment;
use fathom_term::{Op, Substitution, Term, TermStore, VarId};

/// More instances of one law are not made for a segment.
const MOST: usize = 12;

/// What laws among these facts say of the array elements that a segment uses.
pub fn instances(store: &TermStore, rigid: &[VarId], facts: &[Term], segment: &Segment) -> Vec<Term> {
    let mut found = Vec::new();
    for &var in rigid {
        let index = store.var_term(var);
        let mentions = |term: Term| store.subterms([term]).any(|part| part == index);
        let laws: Vec<Term> = facts.iter().copied().filter(|&fact| mentions(fact)).collect();
        if laws.is_empty() {
            continue;
        }
        let mut patterns: Vec<Term> = indices(store, laws.iter().copied()).into_iter().filter(|&pattern| mentions(pattern)).collect();
        patterns.dedup();
        let mut values: Vec<Term> = Vec::new();
        for used in indices(store, segment.guard.iter().copied().chain(segment.assigns.iter().map(|(_, value)| *value))) {
            for &pattern in &patterns {
                let mut value = None;
                if matches(store, pattern, used, index, &mut value)
                    && let Some(value) = value
                    && !values.contains(&value)
                    && values.len() < MOST
                {
                    values.push(value);
                }
            }
        }
        for value in values {
            let mut instance = Substitution::new([(var, value)]);
            found.extend(laws.iter().map(|&law| instance.apply(store, law)));
        }
    }
    found
}

/// The indices at which arrays are read and written in these terms, each once.
pub fn indices(store: &TermStore, terms: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for term in store.subterms(terms) {
        if matches!(store.op(term), Op::Select | Op::Store) {
            let index = store.arg(term, 1);
            if !found.contains(&index) {
                found.push(index);
            }
        }
    }
    found
}

/// Whether a term is the pattern with some value in place of the variable.
fn matches(store: &TermStore, pattern: Term, term: Term, var: Term, value: &mut Option<Term>) -> bool {
    if pattern == var {
        return store.sort(term) == store.sort(var) && *value.get_or_insert(term) == term;
    }
    let (left, right) = (store.args(pattern), store.args(term));
    if left.is_empty() || left.len() != right.len() || store.op(pattern) != store.op(term) {
        return pattern == term;
    }
    left.iter().zip(&right).all(|(&pattern, &term)| matches(store, pattern, term, var, value))
}
