//! A theorem that first-order solvers can't prove: a map that takes the integers of a range into that range, no two to
//! the same, reaches each of them. For a map `a` and bounds `lo`, `hi` the instance is
//!
//! ```text
//! (forall i :: lo <= i < hi ==> lo <= a[i] < hi) && (forall i, j :: lo <= i < j < hi ==> a[i] != a[j])
//!   ==> (forall y :: lo <= y < hi ==> exists x :: lo <= x < hi && a[x] == y)
//! ```
//!
//! It holds whatever the map and the bounds are (between integers there are finitely many), so a refutation
//! may use it anywhere. Instances are made for maps that are assumed to be injective; whether premises hold is left to
//! the solver, in whatever form the program states them.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore, VarId};
use fathom_base::FxSet;
use std::collections::BTreeSet;

/// The most instances in total.
const MOST_INSTANCES: usize = 4;
/// The most ranges that are tried per formula.
const MOST_RANGES: usize = 2;
/// The most maps at whose indices the conclusion is instantiated.
const MOST_TRIGGERS: usize = 12;

/// The theorem for one map and range; `beside` are maps at whose indices the conclusion is of interest.
fn instance(store: &TermStore, map: Term, low: Term, high: Term, beside: &[Term]) -> Term {
    let name = |text: &str| store.var(&format!("pigeonhole {text}"), Sort::Int);
    let [i, j, x, y] = ["i", "j", "x", "y"].map(name);
    let ids = |terms: &[Term]| -> Vec<VarId> { terms.iter().filter_map(|&term| store.as_var(term)).collect() };
    let less = |a: Term, b: Term| store.build(Op::IntLt, &[a, b]);
    let within = |term: Term| store.and(store.not(less(term, low)), less(term, high));
    let at = |index: Term| store.select(map, index);
    let into = store.forall(ids(&[i]), vec![vec![at(i)]], store.implies(within(i), within(at(i))));
    let ordered = store.and_all([within(i), less(i, j), within(j)]);
    let apart = store.forall(ids(&[i, j]), vec![vec![at(i), at(j)]], store.implies(ordered, store.ne(at(i), at(j))));
    let reached = store.exists(ids(&[x]), vec![], store.and(within(x), store.eq(at(x), y)));
    let triggers = beside.iter().map(|&other| vec![store.select(other, y)]).collect();
    let onto = store.forall(ids(&[y]), triggers, store.implies(within(y), reached));
    store.implies(store.and(into, apart), onto)
}

/// Instances for the maps that the assumptions call injective; the conclusion is instantiated at the indices where the formulas
/// read other maps.
pub fn instances(store: &TermStore, assumed: &[Term], formulas: &[Term]) -> Vec<Term> {
    let reads: Vec<Term> = store.subterms(formulas.iter().copied()).collect();
    let reads = reads.into_iter().filter(|&term| store.op(term) == Op::Select && store.sort(store.arg(term, 1)) == Sort::Int);
    let maps: BTreeSet<Term> = reads.map(|term| store.arg(term, 0)).filter(|&map| store.as_var(map).is_some()).collect();
    let mut claims: Vec<(Term, Term, Term)> = Vec::new();
    for term in store.subterms(assumed.iter().copied()) {
        if let Op::Forall(id) = store.op(term) {
            let new = injective(store, &store.quantifier(id).bound, store.arg(term, 0));
            claims.extend(new.into_iter().filter(|(map, ..)| maps.contains(map)).take(MOST_RANGES));
        }
    }
    let mut known = FxSet::default();
    claims.retain(|claim| known.insert(*claim));
    let instances = claims.into_iter().take(MOST_INSTANCES).map(|(map, low, high)| {
        let beside: Vec<Term> = maps.iter().copied().filter(|&other| other != map).take(MOST_TRIGGERS).collect();
        instance(store, map, low, high, &beside)
    });
    instances.filter(|&term| store.const_bool(term).is_none()).collect()
}

/// The maps that the body of a quantifier may call injective, with the ranges that it mentions.
fn injective(store: &TermStore, bound: &[VarId], body: Term) -> Vec<(Term, Term, Term)> {
    let is_bound = |term: Term| store.as_var(term).is_some_and(|var| bound.contains(&var));
    let is_free = |term: Term| !crate::define::mentions_any(store, term, bound);
    let (mut maps, mut lows, mut highs) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut seen = FxSet::default();
    let mut open = vec![body];
    while let Some(term) = open.pop() {
        if !seen.insert(term) || matches!(store.op(term), Op::Forall(_) | Op::Exists(_)) {
            continue;
        }
        let args = store.args(term);
        match store.op(term) {
            Op::Eq if args.iter().all(|&side| store.op(side) == Op::Select) => {
                let parts = [args[0], args[1]].map(|side| (store.arg(side, 0), store.arg(side, 1)));
                let same_map = parts[0].0 == parts[1].0 && store.as_var(parts[0].0).is_some();
                if same_map && parts.iter().all(|(_, index)| is_bound(*index)) && store.sort(args[0]) == Sort::Int {
                    maps.insert(parts[0].0);
                }
            }
            // `index < limit` or its negation: a range begins or ends there.
            Op::IntLt if is_bound(args[0]) && is_free(args[1]) => {
                lows.insert(args[1]);
                highs.insert(args[1]);
            }
            // `limit < index + offset`: the same, one further.
            Op::IntLt if is_free(args[0]) => {
                let (base, offset) = store.split_integer(args[1]);
                if let (Some(true), Some(shift)) = (base.map(is_bound), 1i64.checked_sub(offset)) {
                    let limit = store.build(Op::IntAdd, &[args[0], store.int(shift)]);
                    lows.insert(limit);
                    highs.insert(limit);
                }
            }
            _ => {}
        }
        open.extend(args);
    }
    let ranges = lows.iter().flat_map(|&low| highs.iter().map(move |&high| (low, high)));
    // Of a constant and a variable bound, the constant is taken as the lower one.
    let is_constant = |term: &Term| store.const_int(*term).is_some();
    let proper = ranges.filter(|(low, high)| {
        let is_range = low != high && store.const_bool(store.build(Op::IntLt, &[*low, *high])) != Some(false);
        is_range && (is_constant(low) || !is_constant(high))
    });
    let proper: Vec<(Term, Term)> = proper.collect();
    maps.iter().flat_map(|&map| proper.iter().map(move |&(low, high)| (map, low, high))).collect()
}

/// Whether a term is an instance of the theorem: the map and the range are read off its conclusion, the instance for them is
/// built again, and the two are compared.
pub fn is_instance(store: &TermStore, term: Term) -> bool {
    let mut disjuncts = vec![term];
    while let Some(at) = disjuncts.iter().position(|&part| store.op(part) == Op::Or) {
        let parts = store.args(disjuncts.swap_remove(at));
        disjuncts.extend(parts);
    }
    disjuncts.into_iter().any(|onto| {
        let Op::Forall(id) = store.op(onto) else { return false };
        let quantifier = store.quantifier(id);
        let beside: Option<Vec<Term>> = quantifier
            .triggers
            .iter()
            .map(|trigger| match trigger[..] {
                [read] if store.op(read) == Op::Select => Some(store.arg(read, 0)),
                _ => None,
            })
            .collect();
        let Some(beside) = beside else { return false };
        let (mut maps, mut limits) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![store.arg(onto, 0)];
        while let Some(part) = open.pop() {
            match store.op(part) {
                Op::Select => maps.extend([store.arg(part, 0)]),
                Op::IntLt => limits.extend([store.arg(part, 1)]),
                _ => {}
            }
            open.extend(store.args(part));
        }
        let mut ranges = limits.iter().flat_map(|&low| limits.iter().map(move |&high| (low, high)));
        ranges.any(|(low, high)| maps.iter().any(|&map| instance(store, map, low, high, &beside) == term))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::Reader;

    fn read(store: &TermStore, text: &str) -> Term {
        Reader::new(store).with_store_symbols().simplifying().term(text).unwrap()
    }

    #[test]
    fn instances_for_injective_maps() {
        let store = TermStore::new();
        let map = store.array_sort(Sort::Int, Sort::Int);
        store.var("a", map);
        store.var("b", map);
        store.var("n", Sort::Int);
        let cases = [
            ("(forall ((i Int) (j Int)) (=> (and (<= 0 i) (< i j) (< j n)) (not (= (select a i) (select a j)))))", 1),
            ("(forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= 0 j) (< i n) (< j n) (= (select a i) (select a j))) (= i j)))", 1),
            ("(forall ((i Int)) (=> (and (<= 0 i) (< i n)) (not (= (select a i) (select b i)))))", 0),
            ("(forall ((i Int) (j Int)) (not (= (select a i) (select a j))))", 0),
        ];
        for (text, least) in cases {
            let formula = read(&store, text);
            let found = instances(&store, &[formula], &[formula]);
            assert_eq!(found.is_empty(), least == 0, "{text}");
            assert!(found.iter().all(|&term| is_instance(&store, term)), "{text}");
        }
        let a = store.var("a", map);
        let (low, high) = (store.int(0), store.var("n", Sort::Int));
        let right = instance(&store, a, low, high, &[]);
        assert!(is_instance(&store, right));
        assert!(!is_instance(&store, store.not(right)));
        assert!(!is_instance(&store, read(&store, cases[0].0)));
    }
}
