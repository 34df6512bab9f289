//! Every range contains what it stands for: all operations on a small format, random ranges of the operands, all values
//! in them. And whole searches agree with trying every value.

use super::program::{AbstractValue, Program};
use super::{SearchResult, search};
use fastrand::Rng;
use fathom_base::Budget;
use fathom_domains::float_interval::{FloatInterval, at, infinity, position};
use fathom_term::{Evaluator, FloatFormat, Model, Op, RoundingMode, Sort, Term, TermStore, Value, float};

const TINY: FloatFormat = FloatFormat { exponent: 3, significand: 3 };

fn next(random: &mut Rng, below: i128) -> i128 {
    random.i128(0..below)
}

fn random_range(random: &mut Rng) -> FloatInterval {
    let top = infinity(TINY);
    let (a, b) = (next(random, 2 * top + 1) - top, next(random, 2 * top + 1) - top);
    match next(random, 8) {
        0 => FloatInterval::everything(TINY),
        1 => FloatInterval { low: a, high: a, nan: false },
        _ => FloatInterval { low: a.min(b), high: a.max(b), nan: next(random, 4) == 0 },
    }
}

fn members(range: &FloatInterval) -> Vec<u128> {
    (0..1 << TINY.width()).filter(|&bits| contains(range, bits)).collect()
}

fn contains(range: &FloatInterval, bits: u128) -> bool {
    match float::is_nan(TINY, bits) {
        true => range.nan,
        false => (range.low..=range.high).contains(&position(TINY, bits)),
    }
}

/// Terms over two floats: conditions and floats.
fn terms(store: &TermStore, a: Term, b: Term) -> Vec<Term> {
    use Op::*;
    let mut all: Vec<Term> = Vec::new();
    for mode in RoundingMode::ALL {
        let mode = store.rounding_mode(mode);
        all.extend([FpAdd, FpSub, FpMul, FpDiv].map(|op| store.build(op, &[mode, a, b])));
        all.extend([FpSub, FpMul, FpAdd].map(|op| store.build(op, &[mode, a, a])));
        all.extend([FpSqrt, FpRoundToIntegral].map(|op| store.build(op, &[mode, a])));
        let short = FloatFormat { exponent: 3, significand: 2 };
        let there = store.build(FpToFp(short), &[mode, a]);
        all.push(store.build(FpToFp(TINY), &[mode, there]));
        all.push(store.eq(store.build(FpToSigned(3), &[mode, a]), store.bv(2, 3)));
    }
    all.extend([FpRem, FpMin, FpMax, FpEq, FpLt, FpLe, Eq].map(|op| store.build(op, &[a, b])));
    all.extend([FpNeg, FpAbs, FpIsNan, FpIsInfinite, FpIsZero].map(|op| store.build(op, &[a])));
    all.extend([FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive].map(|op| store.build(op, &[a])));
    all.push(store.ite(store.build(FpLt, &[a, b]), a, b));
    all
}

#[test]
fn integers_of_any_value_are_covered() {
    let store = TermStore::new();
    let (a, n) = (store.var("a", Sort::Float(TINY)), store.var("n", Sort::Bv(5)));
    for mode in RoundingMode::ALL {
        for op in [Op::FpFromSigned(TINY), Op::FpFromUnsigned(TINY)] {
            let mode = store.rounding_mode(mode);
            let sum = store.build(Op::FpAdd, &[mode, store.build(op, &[mode, n]), a]);
            let program = Program::new(&store, &[sum]).unwrap();
            let mut known = Vec::new();
            program.evaluate(&[FloatInterval { low: -3, high: 2, nan: false }], &mut known);
            let AbstractValue::Float(_, range) = known[program.roots[0]] else { panic!("a float") };
            for (integer, place) in (0..32).flat_map(|integer| (-3..=2).map(move |place| (integer, place))) {
                let mut model = Model::default();
                model.values.insert(store.as_var(n).unwrap(), Value::Bits(integer));
                model.values.insert(store.as_var(a).unwrap(), Value::Bits(at(TINY, place) as u64));
                let value = Evaluator::new(model).eval(&store, sum).unwrap();
                assert!(contains(&range, value.to_u64().unwrap().into()), "{integer} {place}: {value:?} in {range:?}");
            }
        }
    }
}

fn point(store: &TermStore, vars: &[Term], bits: &[u128]) -> Evaluator {
    let mut model = Model::default();
    for (&var, &bits) in vars.iter().zip(bits) {
        model.values.insert(store.as_var(var).unwrap(), Value::Bits(float::canonical(TINY, bits) as u64));
    }
    Evaluator::new(model)
}

#[test]
fn ranges_contain_all_values() {
    let store = TermStore::new();
    let vars = ["a", "b"].map(|name| store.var(name, Sort::Float(TINY)));
    let mut random = Rng::with_seed(7);
    for term in terms(&store, vars[0], vars[1]) {
        // The conditions of a program are what it was made for; a float is as good.
        let program = Program::new(&store, &[term]).unwrap();
        for _ in 0..20 {
            let ranges: Vec<FloatInterval> = program.leaves.iter().map(|_| random_range(&mut random)).collect();
            let mut known = Vec::new();
            program.evaluate(&ranges, &mut known);
            let result = &known[program.roots[0]];
            let inside: Vec<Vec<u128>> = ranges.iter().map(members).collect();
            let leaves: Vec<Term> = program.leaves.iter().map(|leaf| store.var_term(leaf.var)).collect();
            for &x in &inside[0] {
                for &y in inside.get(1).unwrap_or(&vec![0]) {
                    let value = point(&store, &leaves, &[x, y]).eval(&store, term).unwrap();
                    let fits = match result {
                        AbstractValue::Truth(truth) => {
                            if value.is_true() {
                                truth.may_hold
                            } else {
                                truth.may_fail
                            }
                        }
                        AbstractValue::Float(_, range) => contains(range, value.to_u64().unwrap().into()),
                        AbstractValue::Value(known) => *known == value,
                        AbstractValue::Nothing => true,
                    };
                    assert!(fits, "{:?} on {x:#x} {y:#x} in {ranges:?}: {value:?} not in {result:?}", store.op(term));
                }
            }
        }
    }
}

#[test]
fn searches_agree_with_trying_everything() {
    let store = TermStore::new();
    let vars = ["a", "b"].map(|name| store.var(name, Sort::Float(TINY)));
    let mode = store.rounding_mode(RoundingMode::NearestEven);
    let mut random = Rng::with_seed(3);
    let (mut found, mut refuted) = (0, 0);
    for _ in 0..300 {
        let mut pool = terms(&store, vars[0], vars[1]);
        pool.extend(vars);
        pool.retain(|&term| store.sort(term) == Sort::Float(TINY));
        let mut pick = || pool[next(&mut random, pool.len() as i128) as usize];
        let sum = store.build(Op::FpMul, &[mode, pick(), pick()]);
        let sum = store.build(Op::FpAdd, &[mode, sum, pick()]);
        let place = next(&mut random, 22);
        let [bound, above] = [place, place + 2].map(|place| store.constant(&Value::Bits(at(TINY, place) as u64), Sort::Float(TINY)));
        let conditions = [
            store.build(Op::FpLt, &[bound, sum]),
            store.build(Op::FpLt, &[sum, above]),
            store.not(store.build(Op::FpLt, &[vars[0], bound])),
            store.build(Op::FpLe, &[vars[1], vars[0]]),
        ];
        let holds = |evaluator: &Evaluator| conditions.iter().all(|&c| evaluator.holds(&store, c) == Some(true));
        let all = (0..1u128 << TINY.width()).flat_map(|x| (0..1u128 << TINY.width()).map(move |y| [x, y]));
        let satisfiable = all.into_iter().any(|bits| holds(&point(&store, &vars, &bits)));
        let accepts = |model: &Model| holds(&Evaluator::new(model.clone()));
        match search(&store, &conditions, 10_000_000, &Budget::unlimited(), accepts) {
            SearchResult::Unsat => {
                assert!(!satisfiable);
                refuted += 1;
            }
            SearchResult::Candidate(_) => {
                assert!(satisfiable);
                found += 1;
            }
            SearchResult::Nothing => {}
        }
    }
    assert!(found > 20 && refuted > 20, "{found} found, {refuted} refuted");
}
