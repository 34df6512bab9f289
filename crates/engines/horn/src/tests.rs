//! Both translations against the constructors' own folding, on every value of small widths.

use crate::back::Back;
use crate::integers::Integers;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, Value};
use num_bigint::BigInt;

const WIDTH: u32 = 4;

/// Every pair of numbers of the width, in two's complement.
fn pairs() -> impl Iterator<Item = (i64, i64)> {
    let half = 1 << (WIDTH - 1);
    (-half..half).flat_map(move |x| (-half..half).map(move |y| (x, y)))
}

fn bits(store: &TermStore, value: i64) -> Term {
    store.bv(value as u64 & ((1 << WIDTH) - 1), WIDTH)
}

/// A constant as a number, of a bit-vector the signed one.
fn number(store: &TermStore, term: Term) -> BigInt {
    match (store.sort(term), store.const_value(term)) {
        (Sort::Bv(width), Some(Value::Bits(bits))) => BigInt::from((bits as i64) << (64 - width) >> (64 - width)),
        (_, Some(Value::Bits(bits))) => BigInt::from(bits),
        (_, Some(Value::Int(value))) => (*value).clone(),
        other => panic!("no constant: {other:?}"),
    }
}

fn operations(store: &TermStore, x: Term, y: Term) -> Vec<Term> {
    let constant = |value: i64| bits(store, value);
    let mut all = Vec::new();
    for by in [-3, 1, 3, 7] {
        let divisions = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem];
        all.extend(divisions.map(|op| store.build(op, &[x, constant(by)])));
        all.extend([Op::BvMul, Op::BvSmulOverflow, Op::BvUmulOverflow].map(|op| store.build(op, &[x, constant(by)])));
    }
    for by in [1, 2, 3] {
        all.extend([Op::BvShl, Op::BvLshr, Op::BvAshr].map(|op| store.build(op, &[x, constant(by)])));
    }
    all.extend([Op::BvNeg, Op::BvNot, Op::BvToInt].map(|op| store.build(op, &[x])));
    all.extend([Op::BvAdd, Op::BvUlt, Op::BvSlt, Op::BvConcat, Op::Eq].map(|op| store.build(op, &[x, y])));
    all.extend([(1, 0), (3, 2), (2, 1), (3, 0)].map(|(high, low)| store.extract(x, high, low)));
    all.extend([Op::BvZeroExtend(7), Op::BvSignExtend(7)].map(|op| store.build(op, &[x])));
    all.extend([1, 3, 7].map(|mask| store.build(Op::BvAnd, &[x, constant(mask)])));
    all.push(store.ite(store.bv_slt(x, y), store.bv_sub(y, x), store.bv_add(x, constant(5))));
    all
}

#[test]
fn integers_have_the_values_of_bit_vectors() {
    let store = TermStore::new();
    let (x, y) = (store.var("x", Sort::Bv(WIDTH)), store.var("y", Sort::Bv(WIDTH)));
    let (own_x, own_y) = (store.as_var(x).unwrap(), store.as_var(y).unwrap());
    for term in operations(&store, x, y) {
        let mut integers = Integers::new(&store, true);
        integers.begin();
        let images = [own_x, own_y].map(|var| store.as_var(integers.variable(var).unwrap()).unwrap());
        let image = integers.term(term);
        assert_eq!(integers.end().variables, images, "{:?} has another variable", store.op(term));
        for (a, b) in pairs() {
            let exact = Substitution::new([(own_x, bits(&store, a)), (own_y, bits(&store, b))]).apply(&store, term);
            let seen = Substitution::new([(images[0], store.int(a)), (images[1], store.int(b))]).apply(&store, image);
            assert_eq!(number(&store, seen), number(&store, exact), "{:?} of {a} and {b}", store.op(term));
        }
    }
}

#[test]
fn conditions_come_back() {
    let store = TermStore::new();
    let (x, y) = (store.var("x", Sort::Bv(WIDTH)), store.var("y", Sort::Bv(WIDTH)));
    let (i, j) = (store.var("i", Sort::Int), store.var("j", Sort::Int));
    let [own_x, own_y, own_i, own_j] = [x, y, i, j].map(|term| store.as_var(term).unwrap());
    let int = |value: i64| store.int(value);
    let of = |op, a, b| store.build(op, &[a, b]);
    let doubled = of(Op::IntMul, int(2), i);
    let magnitude = store.ite(of(Op::IntLt, i, int(0)), store.build(Op::IntNeg, &[i]), i);
    let conditions = [
        of(Op::IntLe, of(Op::IntAdd, doubled, store.build(Op::IntNeg, &[j])), int(3)),
        store.eq(of(Op::IntMod, i, int(3)), int(1)),
        of(Op::IntLe, of(Op::IntDiv, i, int(3)), j),
        store.not(of(Op::IntLt, magnitude, j)),
        store.or(of(Op::IntLt, of(Op::IntMul, int(-100), i), j), store.eq(i, j)),
    ];
    for condition in conditions {
        let parts = Back::new(&store, [(own_i, own_x), (own_j, own_y)], 128).conjuncts(condition);
        let image = store.and_all(parts);
        assert_ne!(store.const_bool(image), Some(true), "the condition was lost");
        for (a, b) in pairs() {
            let exact = Substitution::new([(own_i, int(a)), (own_j, int(b))]).apply(&store, condition);
            let seen = Substitution::new([(own_x, bits(&store, a)), (own_y, bits(&store, b))]).apply(&store, image);
            assert_eq!(store.const_bool(seen), store.const_bool(exact), "of {a} and {b}");
        }
    }
}
