//! Candidates are disjunctions, and many of them are implied by others: if `a` certainly holds, there is no need to
//! check `a or b`, or to assume it.

use fathom_base::FxMap;
use fathom_term::{Op, Term, TermStore};

/// Which of the conditions no other one implies by having a part of its disjuncts. Of equal ones the first.
pub fn strongest(store: &TermStore, conditions: &[Term]) -> Vec<bool> {
    let clauses: Vec<Vec<Term>> = conditions.iter().map(|&condition| disjuncts(store, condition)).collect();
    // By one disjunct of each, the rarest: a clause that implies another has it there, too.
    let mut frequency: FxMap<Term, usize> = FxMap::default();
    clauses.iter().flatten().for_each(|&disjunct| *frequency.entry(disjunct).or_default() += 1);
    let mut by_rarest: FxMap<Term, Vec<usize>> = FxMap::default();
    for (number, clause) in clauses.iter().enumerate() {
        if let Some(&rarest) = clause.iter().min_by_key(|&disjunct| frequency[disjunct]) {
            by_rarest.entry(rarest).or_default().push(number);
        }
    }
    let implies = |one: usize, other: usize| {
        let (a, b) = (&clauses[one], &clauses[other]);
        one != other && (a.len() < b.len() || a.len() == b.len() && one < other) && a.iter().all(|part| b.binary_search(part).is_ok())
    };
    (0..clauses.len())
        .map(|number| {
            let stronger = clauses[number].iter().filter_map(|part| by_rarest.get(part)).flatten();
            !stronger.into_iter().any(|&other| implies(other, number))
        })
        .collect()
}

/// In order, each once.
fn disjuncts(store: &TermStore, condition: Term) -> Vec<Term> {
    let (mut found, mut open) = (Vec::new(), vec![condition]);
    while let Some(term) = open.pop() {
        match store.op(term) {
            Op::Or => open.extend(store.args(term)),
            _ => found.push(term),
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::Sort;

    #[test]
    fn what_says_less_is_left_out() {
        let store = TermStore::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, Sort::Bool));
        let conditions = [store.or(a, b), a, store.or(b, c), store.or_all([c, b, a]), store.or(c, b)];
        assert_eq!(strongest(&store, &conditions), [false, true, true, false, false]);
        assert_eq!(strongest(&store, &[store.or(a, b), store.or(b, c)]), [true, true]);
    }
}
