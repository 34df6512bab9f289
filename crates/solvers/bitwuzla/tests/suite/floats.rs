//! The solver's own floats against the translation to bit-vectors: for every operation of a small format the solver must
//! prove that no operands tell them apart.

use super::Subject;
use fathom_base::Budget;
use fathom_smt::{Answer, without_floats};
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term};
use std::time::Duration;

fn operations(format: FloatFormat) -> Vec<(Op, bool, usize)> {
    use Op::*;
    let wider = FloatFormat { exponent: format.exponent + 1, significand: format.significand + 2 };
    let mut all: Vec<(Op, bool, usize)> = vec![(FpFma, true, 3), (FpSqrt, true, 1), (FpRoundToIntegral, true, 1)];
    all.extend([FpAdd, FpSub, FpMul, FpDiv].map(|op| (op, true, 2)));
    all.extend([FpRem, FpMin, FpMax, FpEq, FpLt, FpLe, Eq].map(|op| (op, false, 2)));
    all.extend([FpToFp(wider), FpToSigned(5), FpToUnsigned(4)].map(|op| (op, true, 1)));
    all.extend([FpAbs, FpNeg, FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal].map(|op| (op, false, 1)));
    all.extend([FpIsSubnormal, FpIsNegative, FpIsPositive].map(|op| (op, false, 1)));
    all
}

/// Proves that native and translated operations are the same, in all rounding modes.
pub fn native_equals_bits(subject: &Subject, format: FloatFormat) {
    let store = &subject.store;
    for (op, rounds, operands) in operations(format) {
        let sorts = [Sort::RoundingMode, Sort::Float(format)];
        if !(subject.knows)(op, if rounds { &sorts } else { &sorts[1..] }) {
            continue;
        }
        let floats = (0..operands).map(|i| {
            let bits = store.var(&format!("operand{i}.{}", format.width()), Sort::Bv(format.width()));
            store.build(Op::FpFromBits(format), &[bits])
        });
        let floats: Vec<Term> = floats.collect();
        for mode in RoundingMode::ALL.into_iter().take(if rounds { 5 } else { 1 }) {
            let mode = rounds.then(|| store.rounding_mode(mode));
            let args: Vec<Term> = mode.into_iter().chain(floats.iter().copied()).collect();
            let mut native = store.build(op, &args);
            if let Sort::Float(_) = store.sort(native) {
                native = store.build(Op::FpToBits, &[native]);
            }
            let translated = without_floats(store, native).unwrap();
            let mut solver = subject.backend.new_solver().unwrap();
            solver.assert(store.ne(native, translated)).unwrap();
            let answer = solver.check(&[], &Budget::unlimited().at_most(Duration::from_secs(30)));
            assert_eq!(answer, Answer::Unsat, "{op:?} of {format:?}, mode {mode:?}");
        }
    }
}
