//! Constraints against the obvious implementation: groups by a naive fixed point, clones that must not change, and
//! sizes that would break recursion or quadratic memory.

mod common;

use common::{Random, condition, variables};
use fathom_smt::Constraints;
use fathom_term::{Sort, Symbol, Term, TermStore, VarSets};
use std::collections::BTreeSet;

/// The conjuncts that share symbols with `of`, transitively.
fn naive(store: &TermStore, sets: &VarSets, all: &[Term], of: Term) -> Vec<Term> {
    let mut reached: BTreeSet<Symbol> = sets.of(store, of).iter().copied().collect();
    loop {
        let before = reached.len();
        for &term in all {
            let set = sets.of(store, term);
            if set.iter().any(|symbol| reached.contains(symbol)) {
                reached.extend(set.iter());
            }
        }
        if reached.len() == before {
            return all.iter().copied().filter(|&t| sets.of(store, t).iter().any(|s| reached.contains(s))).collect();
        }
    }
}

#[test]
fn groups_are_what_a_fixed_point_finds_and_clones_stay() {
    for seed in 0..200 {
        let store = TermStore::new();
        let mut random = Random::new(seed);
        let vars = variables(&store, 12);
        let mut versions: Vec<(Constraints, Vec<Term>)> = vec![(Constraints::default(), Vec::new())];
        for _ in 0..30 {
            let (mut constraints, mut expected) = versions[random.below(versions.len() as u64) as usize].clone();
            let pair = [random.pick(&vars), random.pick(&vars)];
            let term = condition(&store, &mut random, &pair);
            constraints.push(&store, term);
            let mut waiting = vec![term];
            while let Some(term) = waiting.pop() {
                if store.op(term) == fathom_term::Op::And {
                    waiting.extend(store.args(term).into_iter().rev());
                } else if term != store.bool(true) && !expected.contains(&term) {
                    expected.push(term);
                }
            }
            versions.push((constraints, expected));
        }
        for (constraints, expected) in &versions {
            assert_eq!(constraints.to_vec(), *expected, "seed {seed}");
            assert_eq!(constraints.len(), expected.len());
            assert!(expected.iter().all(|&term| constraints.contains(term)));
            for &var in &vars {
                let symbols = constraints.sets().of(&store, var);
                let relevant = naive(&store, constraints.sets(), expected, var);
                assert_eq!(constraints.relevant(&symbols), relevant, "seed {seed}");
            }
        }
    }
}

#[test]
fn equalities_with_constants_are_known() {
    let store = TermStore::new();
    let x = store.var("x", Sort::Bv(8));
    let (p, q) = (store.var("p", Sort::Bool), store.var("q", Sort::Bool));
    let mut constraints = Constraints::default();
    constraints.push(&store, store.and(store.eq(x, store.bv(7, 8)), store.and(p, store.not(q))));
    let known = |term| constraints.known_value(store.as_var(term).unwrap());
    assert_eq!(known(x), Some(store.bv(7, 8)));
    assert_eq!(known(p), Some(store.bool(true)));
    assert_eq!(known(q), Some(store.bool(false)));
    assert!(!constraints.is_contradictory());
    let mut other = constraints.clone();
    other.push(&store, store.eq(x, store.bv(8, 8)));
    assert!(other.is_contradictory() && !constraints.is_contradictory());
}

#[test]
fn functions_and_sorts_connect() {
    let store = TermStore::new();
    let elements = store.opaque_sort("Ref");
    let f = store.function("f", &[Sort::Int], Sort::Int);
    let apply = |name: &str| store.build(fathom_term::Op::Apply(f), &[store.var(name, Sort::Int)]);
    let (a, b) = (store.eq(apply("i"), store.int(1)), store.eq(apply("j"), store.int(2)));
    let (r, s) = (store.var("r", elements), store.var("s", elements));
    let bound = store.var("bound", elements);
    let all_are_r = store.forall(vec![store.as_var(bound).unwrap()], vec![], store.eq(bound, r));
    let mut constraints = Constraints::default();
    for term in [a, b, store.ne(s, store.var("t", elements)), all_are_r] {
        constraints.push(&store, term);
    }
    let of = |term| constraints.relevant(&constraints.sets().of(&store, term));
    assert_eq!(of(store.var("i", Sort::Int)), [a, b]);
    assert_eq!(of(s).len(), 2, "a bound on the sort concerns all its elements");
    assert!(!constraints.sets().vars(&store, all_are_r).contains(&store.as_var(bound).unwrap()));
}

#[test]
fn deep_terms_and_long_chains_are_fine() {
    let store = TermStore::new();
    let sets = VarSets::default();
    let x = store.var("x", Sort::Bv(32));
    let mut deep = x;
    for i in 0..100_000u64 {
        deep = store.build(fathom_term::Op::BvXor, &[store.bv_add(deep, store.bv(i | 1, 32)), store.bv(i, 32)]);
    }
    assert_eq!(sets.vars(&store, deep), [store.as_var(x).unwrap()]);
    let mut constraints = Constraints::default();
    for i in 0..100_000 {
        constraints.push(&store, store.bv_ult(store.bv(i, 32), x));
    }
    assert_eq!(constraints.relevant(&sets.of(&store, x)).len(), constraints.len());
    drop(constraints);
}

#[test]
fn sets_of_wide_sums_are_right() {
    let store = TermStore::new();
    let sets = VarSets::default();
    let vars: Vec<Term> = (0..3000).map(|i| store.var(&format!("v{i}"), Sort::Bv(32))).collect();
    let mut sum = vars[0];
    for (count, &var) in vars.iter().enumerate().skip(1) {
        sum = store.build(fathom_term::Op::BvXor, &[sum, var]);
        if count % 100 == 0 {
            assert_eq!(sets.of(&store, store.bv_ult(sum, vars[0])).len(), count + 1);
        }
    }
    // A quantifier over such a term takes its variables away, and only below itself.
    let bound: Vec<_> = vars[..2000].iter().map(|&v| store.as_var(v).unwrap()).collect();
    let closed = store.exists(bound, vec![], store.bv_ult(sum, store.bv(7, 32)));
    assert_eq!(sets.of(&store, closed).len(), 1000);
    let mixed = store.and(closed, store.ne(vars[0], vars[2999]));
    assert_eq!(sets.of(&store, mixed).len(), 1001);
}

#[test]
fn two_conjunctions_are_taken_apart_where_they_diverged() {
    for seed in 0..100 {
        let store = TermStore::new();
        let mut random = Random::new(seed);
        let vars = variables(&store, 8);
        let mut push = |constraints: &mut Constraints, most: usize| {
            for _ in 0..random.below(most as u64) {
                let pair = [random.pick(&vars), random.pick(&vars)];
                let term = condition(&store, &mut random, &pair);
                constraints.push(&store, term);
            }
        };
        let mut root = Constraints::default();
        push(&mut root, 100);
        let (mut one, mut two) = (root.clone(), root.clone());
        push(&mut one, 40);
        push(&mut two, 40);
        let parts = one.diverge(&store, &two);
        let [all, left, right] = [parts.common.to_vec(), parts.left, parts.right];
        assert_eq!(all[..root.len()], root.to_vec());
        assert!(all.iter().all(|&term| one.contains(term) && two.contains(term)));
        assert!(left.iter().all(|&term| one.contains(term) && !two.contains(term)));
        assert!(right.iter().all(|&term| two.contains(term) && !one.contains(term)));
        assert_eq!((all.len() + left.len(), all.len() + right.len()), (one.len(), two.len()));
        // The tables are those of a conjunction that was built the long way.
        let mut built = Constraints::default();
        all.iter().for_each(|&term| built.push(&store, term));
        for &var in &vars {
            let symbols = parts.common.sets().of(&store, var);
            assert_eq!(parts.common.relevant(&symbols), built.relevant(&symbols));
        }
        assert_eq!(parts.common.is_contradictory(), built.is_contradictory());
    }
}
