//! Every operation against its definition.

use super::Subject;
use fathom_base::Budget;
use fathom_smt::Answer;
use fathom_term::sample::{Sampler, Theories};
use fathom_term::{Evaluator, FloatFormat, Op, Sort, Term, TermStore, Value, float, fold};
use std::time::Duration;

const TINY: FloatFormat = FloatFormat { exponent: 3, significand: 4 };
const EVEN: FloatFormat = FloatFormat { exponent: 4, significand: 5 };
const SMALL: FloatFormat = FloatFormat { exponent: 4, significand: 8 };
const BFLOAT: FloatFormat = FloatFormat { exponent: 8, significand: 8 };

struct Case {
    op: Op,
    sorts: Vec<Sort>,
    /// Whether to try it behind variables too; wide arithmetic takes a decision procedure too long.
    symbolic: bool,
}

fn bv_cases(arithmetic_width: u32, into: &mut Vec<Case>) {
    use Op::*;
    for width in [1, 2, 7, 8, 32, 64, 65, 128] {
        let bv = Sort::Bv(width);
        let mut add = |op: Op, sorts: &[Sort]| {
            let hard = matches!(op, BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmulOverflow | BvUmulOverflow);
            into.push(Case { op, sorts: sorts.to_vec(), symbolic: !hard || width <= arithmetic_width });
        };
        for op in [
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
        ] {
            add(op, &[bv, bv]);
        }
        for op in [BvNeg, BvNot, BvZeroExtend(width), BvZeroExtend(width + 3), BvSignExtend(width + 61)] {
            add(op, &[bv]);
        }
        add(BvConcat, &[bv, Sort::Bv(5)]);
        add(Ite, &[Sort::Bool, bv, bv]);
        add(BvExtract { high: width - 1, low: width / 2 }, &[bv]);
        add(BvExtract { high: width / 2, low: 0 }, &[bv]);
        add(BvToInt, &[bv]);
        add(IntToBv(width), &[Sort::Int]);
    }
}

fn float_cases(into: &mut Vec<Case>) {
    use FloatFormat as F;
    use Op::*;
    for f in [TINY, EVEN, SMALL, BFLOAT, F::HALF, F::SINGLE, F::DOUBLE, F::X87, F::QUAD] {
        let (float, rm) = (Sort::Float(f), Sort::RoundingMode);
        let small = f.width() <= 16;
        let mut add = |op: Op, sorts: &[Sort], symbolic: bool| into.push(Case { op, sorts: sorts.to_vec(), symbolic });
        for op in [FpAdd, FpSub, FpMul, FpDiv] {
            add(op, &[rm, float, float], small);
        }
        add(FpFma, &[rm, float, float, float], f == TINY);
        add(FpSqrt, &[rm, float], small);
        add(FpRoundToIntegral, &[rm, float], f.width() <= 64);
        // The quotient of a remainder has as many bits as the exponent has values.
        if f.exponent <= 5 {
            add(FpRem, &[float, float], f == TINY);
        }
        for op in [FpMin, FpMax, FpEq, FpLt, FpLe, Eq] {
            add(op, &[float, float], true);
        }
        for op in [FpAbs, FpNeg, FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive, FpToBits, FpToReal]
        {
            add(op, &[float], op != FpToReal);
        }
        add(FpFromBits(f), &[Sort::Bv(f.width())], true);
        for to in [TINY, SMALL, BFLOAT, F::HALF, F::DOUBLE, F::X87] {
            add(FpToFp(to), &[rm, float], f.width() <= 64);
        }
        for width in [1, 2, 3, 8, 33] {
            add(FpFromSigned(f), &[rm, Sort::Bv(width)], small);
            add(FpFromUnsigned(f), &[rm, Sort::Bv(width)], small);
            add(FpToSigned(width), &[rm, float], f.width() <= 32);
            add(FpToUnsigned(width), &[rm, float], f.width() <= 32);
        }
        // Integers about as long as the significand.
        for width in u32::from(f.significand) - 2..u32::from(f.significand) + 4 {
            add(FpFromSigned(f), &[rm, Sort::Bv(width)], false);
            add(FpFromUnsigned(f), &[rm, Sort::Bv(width)], false);
        }
        add(FpFromReal(f), &[rm, Sort::Real], false);
        add(Ite, &[Sort::Bool, float, float], true);
    }
}

fn number_cases(into: &mut Vec<Case>) {
    use Op::*;
    let mut add = |op: Op, sorts: &[Sort]| into.push(Case { op, sorts: sorts.to_vec(), symbolic: true });
    for op in [IntAdd, IntMul, IntDiv, IntMod, IntLt, IntLe, Eq] {
        add(op, &[Sort::Int, Sort::Int]);
    }
    for op in [RealAdd, RealMul, RealDiv, RealLt, RealLe, Eq] {
        add(op, &[Sort::Real, Sort::Real]);
    }
    add(IntNeg, &[Sort::Int]);
    add(RealNeg, &[Sort::Real]);
    add(IntToReal, &[Sort::Int]);
    add(RealToInt, &[Sort::Real]);
    for op in [And, Or, Xor, Eq] {
        add(op, &[Sort::Bool, Sort::Bool]);
    }
    add(Not, &[Sort::Bool]);
    add(Ite, &[Sort::Bool, Sort::Int, Sort::Int]);
    add(Eq, &[Sort::RoundingMode, Sort::RoundingMode]);
}

/// The term as it stands, without the constructors' rules.
fn raw(store: &TermStore, op: Op, args: &[Term]) -> Term {
    store.intern(op, store.result_sort(op, args), args)
}

fn differs(store: &TermStore, a: Term, b: Term) -> Term {
    let equal = raw(store, Op::Eq, &[a, b]);
    raw(store, Op::Not, &[equal])
}

/// Runs random cases per operation and sort: `rounds` of them on constants, `symbolic_rounds` behind variables.
pub fn agree_with_fold(subject: &Subject, seed: u64, rounds: usize, symbolic_rounds: usize) {
    let mut cases = Vec::new();
    bv_cases(subject.arithmetic_width, &mut cases);
    float_cases(&mut cases);
    number_cases(&mut cases);
    let mut sampler = Sampler::new(&subject.store, seed, Theories::default(), 130);
    let mut failures = Vec::new();
    for case in cases.iter().filter(|case| is_known(subject, case)) {
        let mut point = || case.sorts.iter().map(|&sort| sampler.value(sort)).collect();
        let points: Vec<Vec<Value>> = (0..rounds).map(|_| point()).collect();
        failures.extend(constant_failures(subject, case, &points));
        if case.symbolic {
            failures.extend(points.iter().take(symbolic_rounds).filter_map(|point| variable_failure(subject, case, point)));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Float operations on every value of a format with 128 of them, in every rounding mode; where that is too many, on
/// evenly spread ones.
pub fn agree_with_fold_on_all_tiny_floats(subject: &Subject) {
    let mut cases = Vec::new();
    float_cases(&mut cases);
    let mut failures = Vec::new();
    let tiny = Sort::Float(TINY);
    let count = |sort: &Sort| match sort {
        Sort::RoundingMode => 5,
        sort => 1 << sort.bits().unwrap_or(64).min(40),
    };
    for case in cases.iter().filter(|case| is_known(subject, case)) {
        let combinations = case.sorts.iter().fold(1u64, |all, sort| all.saturating_mul(count(sort)));
        if !case.sorts.contains(&tiny) && case.op != Op::FpFromSigned(TINY) {
            continue;
        }
        // Long steps, so that all arguments vary.
        let stride = if combinations > MOST_POINTS { combinations / MOST_POINTS * 2 + 7919 } else { 1 };
        let points_tried = combinations.min(MOST_POINTS);
        let mut points = Vec::new();
        for number in 0..points_tried {
            let mut rest = (u128::from(number) * u128::from(stride) % u128::from(combinations)) as u64;
            let point = case.sorts.iter().map(|sort| {
                let bits = rest % count(sort);
                rest /= count(sort);
                if *sort == tiny { float::canonical(TINY, bits.into()) as u64 } else { bits }
            });
            points.push(point.map(Value::Bits).collect());
        }
        failures.extend(constant_failures(subject, case, &points));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

const MOST_POINTS: u64 = 20_000;

fn is_known(subject: &Subject, case: &Case) -> bool {
    let has_numbers = case.sorts.iter().any(|sort| matches!(sort, Sort::Int | Sort::Real));
    (subject.knows)(case.op, &case.sorts) && (!has_numbers || (subject.knows)(Op::IntAdd, &[Sort::Int; 2]))
}

/// The operation on constants and its result as `fold` defines it, where it does.
fn with_result(subject: &Subject, case: &Case, values: &[Value]) -> Option<(Vec<Term>, Term)> {
    let store = &*subject.store;
    let constants: Vec<Term> = values.iter().zip(&case.sorts).map(|(value, &sort)| store.constant(value, sort)).collect();
    let sort = store.result_sort(case.op, &constants);
    let expected = fold::general(case.op, sort, &case.sorts, values)?;
    Some((constants, store.constant(&expected, sort)))
}

/// Asks about all points at once, and about each only if that fails.
fn constant_failures(subject: &Subject, case: &Case, points: &[Vec<Value>]) -> Vec<String> {
    let store = &*subject.store;
    let difference = |point: &Vec<Value>| {
        let (constants, expected) = with_result(subject, case, point)?;
        Some(differs(store, raw(store, case.op, &constants), expected))
    };
    let mut any: Vec<Term> = points.iter().filter_map(difference).collect();
    while any.len() > 1 {
        any = any.chunks(2).map(|pair| pair.iter().copied().reduce(|a, b| raw(store, Op::Or, &[a, b])).unwrap()).collect();
    }
    if any.is_empty() || ask(subject, &any) == Answer::Unsat {
        return Vec::new();
    }
    let failure = |point: &Vec<Value>| {
        let answer = ask(subject, &[difference(point)?]);
        (answer != Answer::Unsat).then(|| complaint(subject, "on constants", case, point, &answer))
    };
    let found: Vec<String> = points.iter().filter_map(failure).take(3).collect();
    if found.is_empty() { vec![format!("{:?} {:?}: together only", case.op, case.sorts)] } else { found }
}

fn complaint(subject: &Subject, what: &str, case: &Case, values: &[Value], answer: &Answer) -> String {
    let expected = with_result(subject, case, values).and_then(|(_, expected)| subject.store.const_value(expected));
    format!("{what}: {:?} {:?} {values:?} -> {expected:?}: {answer:?}", case.op, case.sorts)
}

fn variable_failure(subject: &Subject, case: &Case, values: &[Value]) -> Option<String> {
    let store = &*subject.store;
    let (constants, expected) = with_result(subject, case, values)?;
    let variables: Vec<Term> = case.sorts.iter().map(|&sort| store.fresh("x", sort)).collect();
    let applied = raw(store, case.op, &variables);
    let pairs = variables.iter().zip(&constants);
    let mut question: Vec<Term> = pairs.map(|(&variable, &constant)| raw(store, Op::Eq, &[variable, constant])).collect();
    question.push(differs(store, applied, expected));
    let answer = ask(subject, &question);
    if answer != Answer::Unsat {
        return Some(complaint(subject, "on variables", case, values, &answer));
    }
    // The first variable free, the others fixed: there is a solution, and the model is one.
    let mut question = question[1..question.len() - 1].to_vec();
    question.push(raw(store, Op::Eq, &[applied, expected]));
    let why = model_failure(subject, &variables, &question)?;
    Some(complaint(subject, &why, case, values, &Answer::Sat))
}

fn ask(subject: &Subject, question: &[Term]) -> Answer {
    let mut solver = subject.backend.new_solver().unwrap();
    for &condition in question {
        if let Err(error) = solver.assert(condition) {
            return Answer::Unknown(error.into());
        }
    }
    solver.check(&[], &Budget::unlimited().at_most(Duration::from_secs(20)))
}

/// What is wrong with the model of a satisfiable question.
fn model_failure(subject: &Subject, variables: &[Term], question: &[Term]) -> Option<String> {
    let store = &*subject.store;
    let mut solver = subject.backend.new_solver().unwrap();
    for &condition in question {
        solver.assert(condition).unwrap();
    }
    let answer = solver.check(&[], &Budget::unlimited().at_most(Duration::from_secs(20)));
    if answer != Answer::Sat {
        return Some(format!("satisfiable, but {answer:?}"));
    }
    let vars: Vec<_> = variables.iter().filter_map(|&variable| store.as_var(variable)).collect();
    let model = match solver.model(&vars) {
        Ok(model) => model,
        // Roots have no rational value.
        Err(error) if error.to_string().contains("irrational") => return None,
        Err(error) => return Some(format!("no model: {error}")),
    };
    let shown = format!("{:?}", model.values);
    let evaluator = Evaluator::new(model);
    let wrong = question.iter().any(|&condition| evaluator.holds(store, condition) == Some(false));
    wrong.then(|| format!("the model {shown} is none"))
}
