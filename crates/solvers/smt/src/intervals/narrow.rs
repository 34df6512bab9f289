//! Conditions that bound an input directly (`x <= 1.5`, `!(x < y)`) cut its range without cutting boxes: what the other
//! side can be at most or at least is known from the evaluation of the box.

use super::program::{AbstractValue, Program};
use fathom_domains::float_interval::FloatInterval;
use fathom_term::Op;

/// Rounds of narrowing and evaluating again.
const ROUNDS: usize = 3;

/// Narrows a box by all conditions and evaluates it; false if nothing is left of it.
pub(super) fn narrow(program: &Program, leaves: &mut [FloatInterval], known: &mut Vec<AbstractValue>) -> bool {
    for round in 0.. {
        program.evaluate(leaves, known);
        if round == ROUNDS {
            return true;
        }
        let before = leaves.to_vec();
        for &root in &program.roots {
            require(program, root, leaves, known);
        }
        if leaves.iter().any(FloatInterval::is_empty) {
            return false;
        }
        if before == leaves {
            return true;
        }
    }
    true
}

fn require(program: &Program, root: usize, leaves: &mut [FloatInterval], known: &[AbstractValue]) {
    let mut stack = vec![(root, true)];
    while let Some((index, wanted)) = stack.pop() {
        let Some((op, args)) = program.operation_at(index) else { continue };
        let at = |i: usize| args[i] as usize;
        match (op, wanted) {
            (Op::Not, _) => stack.push((at(0), !wanted)),
            (Op::And, true) | (Op::Or, false) => stack.extend([(at(0), wanted), (at(1), wanted)]),
            (Op::FpLt, _) => order(program, [at(0), at(1)], 1, wanted, leaves, known),
            (Op::FpLe, _) => order(program, [at(0), at(1)], 0, wanted, leaves, known),
            (Op::FpEq, true) => {
                order(program, [at(0), at(1)], 0, true, leaves, known);
                order(program, [at(1), at(0)], 0, true, leaves, known);
            }
            (Op::FpIsNan, false) => {
                if let Some(leaf) = program.leaf_at(at(0)) {
                    leaves[leaf].nan = false;
                }
            }
            _ => {}
        }
    }
}

/// `low + gap <= high` in positions, or its negation, which NaN satisfies too.
fn order(program: &Program, [low, high]: [usize; 2], gap: i128, holds: bool, leaves: &mut [FloatInterval], known: &[AbstractValue]) {
    let range = |index: usize| match &known[index] {
        AbstractValue::Float(_, range) => Some(*range),
        _ => None,
    };
    let (Some(low_range), Some(high_range)) = (range(low), range(high)) else { return };
    // Negated, the other one is the lower: `high < low + gap`.
    let (lower, upper, lower_range, upper_range, gap) = match holds {
        true => (low, high, low_range, high_range, gap),
        false => (high, low, high_range, low_range, 1 - gap),
    };
    if let Some(leaf) = program.leaf_at(lower)
        && (holds || !upper_range.nan)
    {
        let limit = if upper_range.has_numbers() { upper_range.high - gap } else { i128::MIN / 2 };
        leaves[leaf].high = leaves[leaf].high.min(limit);
        leaves[leaf].nan &= !holds;
    }
    if let Some(leaf) = program.leaf_at(upper)
        && (holds || !lower_range.nan)
    {
        let limit = if lower_range.has_numbers() { lower_range.low + gap } else { i128::MAX / 2 };
        leaves[leaf].low = leaves[leaf].low.max(limit);
        leaves[leaf].nan &= !holds;
    }
}
