//! Every operation on random sets: the result on random members lies in the abstract result. Also that joins, widening
//! and meets contain what they must.

use crate::transfer::apply;
use crate::value::{Abs, AllThresholds};
use fathom_term::sample::{Sampler, Theories};
use fathom_term::{Sort, TermStore, Value, fold};

/// A set with some of its members.
pub(super) fn random_set(sampler: &mut Sampler<'_>, sort: Sort) -> (Abs, Vec<Value>) {
    let count = 1 + sampler.random.below(3) as usize;
    let mut members: Vec<Value> = (0..count).map(|_| sampler.value(sort)).collect();
    let mut set = members.iter().map(|value| Abs::constant(value, sort)).reduce(|a, b| a.join(&b)).unwrap();
    if sampler.random.chance(10) {
        set = Abs::top(sort);
    }
    // Other members that the hull takes in.
    for _ in 0..4 {
        let other = sampler.value(sort);
        if set.contains(&other) {
            members.push(other);
        }
    }
    (set, members)
}

#[test]
fn results_on_members_are_in_the_abstract_result() {
    let store = TermStore::new();
    let theories = Theories { arrays: false, floats: true, numbers: true };
    let mut sampler = Sampler::new(&store, 7, theories, 70);
    let mut checked = 0;
    for _ in 0..60_000 {
        let sort = sampler.any_sort();
        let (op, sorts) = sampler.operation(sort);
        if sorts.iter().any(|sort| matches!(sort, Sort::Array(_))) {
            continue;
        }
        let sets: Vec<(Abs, Vec<Value>)> = sorts.iter().map(|&sort| random_set(&mut sampler, sort)).collect();
        let args: Vec<Abs> = sets.iter().map(|(set, _)| set.clone()).collect();
        let result = apply(op, sort, &sorts, &args.iter().collect::<Vec<_>>());
        for _ in 0..6 {
            let values: Vec<Value> =
                sets.iter().map(|(_, members)| members[sampler.random.below(members.len() as u64) as usize].clone()).collect();
            let Some(concrete) = fold::general(op, sort, &sorts, &values) else { continue };
            assert!(result.contains(&concrete), "{op:?} of {values:?} is {concrete:?}, not in {result:?}; sets {args:?}");
            checked += 1;
        }
    }
    assert!(checked > 200_000, "only {checked} checks");
}

#[test]
fn small_widths_are_exhaustive() {
    use fathom_term::Op::*;
    let binary = [
        BvAdd,
        BvMul,
        BvUdiv,
        BvUrem,
        BvSdiv,
        BvSrem,
        BvAnd,
        BvOr,
        BvXor,
        BvShl,
        BvLshr,
        BvAshr,
        BvUlt,
        BvSlt,
        BvSmulOverflow,
        BvUmulOverflow,
        Eq,
    ];
    let sort = Sort::Bv(3);
    let hull = |low: u64, high: u64| Abs::constant(&Value::Bits(low), sort).join(&Abs::constant(&Value::Bits(high), sort));
    for op in binary {
        let result_sort = if matches!(op, BvUlt | BvSlt | BvSmulOverflow | BvUmulOverflow | Eq) { Sort::Bool } else { sort };
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            for (c, d) in (0..8).flat_map(|c| (c..8).map(move |d| (c, d))) {
                let (left, right) = (hull(a, b), hull(c, d));
                let result = apply(op, result_sort, &[sort, sort], &[&left, &right]);
                for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                    let (x, y) = (Value::Bits(x), Value::Bits(y));
                    if left.contains(&x) && right.contains(&y) {
                        let concrete = fold::general(op, result_sort, &[sort, sort], &[x.clone(), y.clone()]).unwrap();
                        assert!(result.contains(&concrete), "{op:?} {x:?} {y:?} = {concrete:?} not in {result:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn joins_and_widening_take_in_both() {
    let store = TermStore::new();
    let theories = Theories { arrays: false, floats: true, numbers: true };
    let mut sampler = Sampler::new(&store, 11, theories, 70);
    let none = AllThresholds::default();
    for _ in 0..20_000 {
        let sort = sampler.any_sort();
        let ((a, members), (b, others)) = (random_set(&mut sampler, sort), random_set(&mut sampler, sort));
        let (joined, widened, met) = (a.join(&b), a.widen(&b, &none), a.meet(&b));
        assert!(a.is_within(&joined) && b.is_within(&joined), "{a:?} {b:?}");
        assert!(a.is_within(&widened) && b.is_within(&widened), "{a:?} {b:?} {widened:?}");
        for value in members.iter().chain(&others) {
            assert!(joined.contains(value) && widened.contains(value));
            if a.contains(value) && b.contains(value) {
                assert!(met.as_ref().is_some_and(|met| met.contains(value)), "{value:?} is in {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn widening_ends() {
    let store = TermStore::new();
    let theories = Theories { arrays: false, floats: true, numbers: true };
    let mut sampler = Sampler::new(&store, 13, theories, 70);
    let none = AllThresholds::default();
    for _ in 0..300 {
        let sort = sampler.any_sort();
        let (mut set, _) = random_set(&mut sampler, sort);
        let mut changes = 0;
        for _ in 0..2_000 {
            let (next, _) = random_set(&mut sampler, sort);
            if !next.is_within(&set) {
                set = set.widen(&next, &none);
                changes += 1;
            }
        }
        assert!(changes < 200, "{changes} changes of {sort:?}");
    }
}
