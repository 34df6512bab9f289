//! Every rewrite rule against the evaluator: random terms, built with and without simplification, must have the same
//! value under every model that is tried; where the variables have few bits, under every model there is. The solver
//! adapters repeat this with solvers.

use fathom_base::FxMap;
use fathom_term::sample::{Pair, Sampler, Theories};
use fathom_term::smtlib::{Symbols, print_term, print_value};
use fathom_term::{Evaluator, FloatFormat, Model, Op, Sort, TermStore, Value};
use std::mem::discriminant;

const ALL: Theories = Theories { arrays: true, floats: true, numbers: true };

/// Models to try: all of them if there are at most 2^9, else random ones.
fn models(sampler: &mut Sampler, pair: Pair) -> Vec<Model> {
    let store = sampler.store;
    let vars = Symbols::of(store, &[pair.raw]).vars;
    let bits: Option<Vec<u32>> = vars
        .iter()
        .map(|&var| match store.var_sort(var) {
            sort @ (Sort::Bool | Sort::Bv(_)) => sort.bits(),
            _ => None,
        })
        .collect();
    if let Some(bits) = bits
        && bits.iter().sum::<u32>() <= 9
    {
        return (0..1u64 << bits.iter().sum::<u32>())
            .map(|mut code| {
                let mut model = Model::default();
                for (&var, &width) in vars.iter().zip(&bits) {
                    model.values.insert(var, Value::Bits(code & fathom_term::mask(width)));
                    code >>= width;
                }
                model
            })
            .collect();
    }
    (0..40)
        .map(|_| {
            let mut model = Model::default();
            for &var in &vars {
                model.values.insert(var, sampler.value(store.var_sort(var)));
            }
            model
        })
        .collect()
}

fn assert_same(sampler: &mut Sampler, pair: Pair) {
    let store = sampler.store;
    assert_eq!(store.sort(pair.simplified), store.sort(pair.raw));
    if pair.simplified == pair.raw {
        return;
    }
    for model in models(sampler, pair) {
        let evaluator = Evaluator::new(model);
        let (simplified, raw) = (evaluator.eval(store, pair.simplified), evaluator.eval(store, pair.raw));
        // A term without a value (the real number of an infinity) may be simplified to anything.
        let (Some(simplified), Some(raw)) = (simplified, raw) else { continue };
        if simplified != raw {
            let sort = store.sort(pair.raw);
            let mut text = String::new();
            for (&var, value) in evaluator.model().values.iter() {
                text += &format!("{} = {}\n", store.var_name(var), print_value(store, value, store.var_sort(var)));
            }
            panic!(
                "{}\nwas simplified to\n{}\nunder\n{text}values {} and {}",
                print_term(store, pair.raw),
                print_term(store, pair.simplified),
                print_value(store, &raw, sort),
                print_value(store, &simplified, sort),
            );
        }
    }
}

fn check(theories: Theories, max_width: u32, seed: u64, rounds: u32) {
    let store = TermStore::new();
    let mut sampler = Sampler::new(&store, seed, theories, max_width);
    for _ in 0..rounds {
        sampler.forget();
        let sort = sampler.any_sort();
        let depth = 1 + sampler.random.below(4) as u32;
        let pair = sampler.term(sort, depth);
        assert_same(&mut sampler, pair);
    }
}

/// More rounds from outside: `RULE_ROUNDS=1000000 cargo test -p fathom-term --test rules`.
fn rounds(usual: u32) -> u32 {
    std::env::var("RULE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn tiny_bit_vectors_exhaustively() {
    check(Theories::default(), 3, 11, rounds(40_000));
}

#[test]
fn bit_vectors_of_any_width() {
    check(Theories::default(), 130, 12, rounds(30_000));
}

#[test]
fn arrays() {
    check(Theories { arrays: true, ..Theories::default() }, 8, 13, rounds(20_000));
}

#[test]
fn floats() {
    check(Theories { floats: true, ..Theories::default() }, 16, 14, rounds(10_000));
}

/// Formats whose constants don't fit a word.
#[test]
fn wide_floats() {
    let store = TermStore::new();
    let mut sampler = Sampler::new(&store, 18, ALL, 130);
    sampler.formats = vec![FloatFormat::X87, FloatFormat::QUAD, FloatFormat::DOUBLE, FloatFormat::HALF];
    for _ in 0..rounds(3_000) {
        sampler.forget();
        let sort = Sort::Float(sampler.random.pick(&[FloatFormat::X87, FloatFormat::QUAD]));
        let pair = sampler.term(sort, 3);
        assert_same(&mut sampler, pair);
    }
}

#[test]
fn numbers() {
    check(Theories { numbers: true, ..Theories::default() }, 8, 15, rounds(20_000));
}

#[test]
fn everything_together() {
    check(ALL, 64, 16, rounds(10_000));
}

/// Each operation over operands that were made for it must be simplified often enough for the test to mean something.
#[test]
fn every_operation_with_rules_fires() {
    let store = TermStore::new();
    let mut sampler = Sampler::new(&store, 17, ALL, 16);
    let mut counts: FxMap<_, (String, u32, u32)> = FxMap::default();
    for round in 0..100_000 {
        sampler.forget();
        sampler.max_width = if round % 2 == 0 { 16 } else { 4 };
        let sort = if round % 10 == 0 { Sort::Int } else { sampler.any_sort() };
        let (op, sorts) = sampler.operation(sort);
        let args: Vec<Pair> = sorts
            .iter()
            .map(|&sort| {
                let depth = sampler.random.below(3) as u32;
                sampler.term(sort, depth)
            })
            .collect();
        let simplified: Vec<_> = args.iter().map(|arg| arg.simplified).collect();
        // The operands are simplified in both, so a difference is the doing of this operation's rules.
        let pair =
            Pair { simplified: store.build(op, &simplified), raw: store.intern(op, store.result_sort(op, &simplified), &simplified) };
        assert_same(&mut sampler, pair);
        let is_constant = simplified.iter().all(|&arg| store.op(arg).is_const());
        let count = counts.entry(discriminant(&op)).or_insert((format!("{op:?}"), 0, 0));
        if !is_constant {
            count.1 += 1;
            count.2 += (pair.simplified != pair.raw) as u32;
        }
    }
    let with_rules = [
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Eq,
        Op::Ite,
        Op::BvAdd,
        Op::BvMul,
        Op::BvNeg,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvNot,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvSlt,
        Op::BvSmulOverflow,
        Op::BvUmulOverflow,
        Op::BvConcat,
        Op::BvExtract { high: 0, low: 0 },
        Op::BvZeroExtend(1),
        Op::BvSignExtend(1),
        Op::Select,
        Op::Store,
        Op::FpNeg,
        Op::FpAbs,
        Op::FpLt,
        Op::FpEq,
        Op::FpLe,
        Op::IntAdd,
        Op::IntMul,
        Op::IntNeg,
        Op::IntLt,
        Op::IntLe,
        Op::IntDiv,
    ];
    let mut report: Vec<_> = counts.values().cloned().collect();
    report.sort();
    for (name, tried, fired) in &report {
        println!("{name:40} {tried:6} tried {fired:6} simplified");
    }
    for op in with_rules {
        let fired = counts.get(&discriminant(&op)).map_or(0, |count| count.2);
        assert!(fired >= 3, "{op:?} was simplified {fired} times only");
    }
}

#[test]
fn encodings_are_undone() {
    let store = TermStore::default();
    let format = FloatFormat { exponent: 3, significand: 3 };
    let bits = store.var("bits", Sort::Bv(6));
    let x = store.var("x", Sort::Float(format));
    let decode = |bits| store.build(Op::FpFromBits(format), &[bits]);
    let (sign, nan) = (store.bv(1 << 5, 6), store.bv(0b11110, 6));
    let is_nan = store.build(Op::FpIsNan, &[x]);
    let open = store.build(Op::BvOr, &[bits, nan]);
    let encoded = store.ite(is_nan, open, store.build(Op::FpToBits, &[x]));
    // Whatever the bits of a NaN are, it is the same float.
    assert_eq!(decode(encoded), x);
    let negated = store.build(Op::BvXor, &[bits, sign]);
    let magnitude = store.build(Op::BvAnd, &[bits, store.build(Op::BvNot, &[sign])]);
    assert_eq!(decode(negated), store.build(Op::FpNeg, &[decode(bits)]));
    assert_eq!(decode(magnitude), store.build(Op::FpAbs, &[decode(bits)]));
    for code in 0..1u64 << 6 {
        let mut model = Model::default();
        model.values.insert(store.as_var(bits).unwrap(), Value::Bits(code));
        let evaluator = Evaluator::new(model);
        for encoding in [negated, magnitude, open] {
            let value = evaluator.eval(&store, encoding).unwrap();
            let expected = fathom_term::fold::general(Op::FpFromBits(format), Sort::Float(format), &[Sort::Bv(6)], &[value]);
            assert_eq!(evaluator.eval(&store, decode(encoding)), expected);
        }
    }
}
