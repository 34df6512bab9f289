//! Backward refinement of floats: comparisons order the numbers (and exclude NaN where they hold; where they fail they
//! order only what cannot be NaN), tests of classes cut, and conversions that lose nothing are undone.

use crate::context::Context;
use crate::refine::{Refined, Unreachable};
use crate::state::State;
use crate::value::{Abs, Bits};
use fathom_domains::floats::{FpSet, Modes};
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term};

/// Restricts the variables of a term so that its value can be one of the wanted ones.
pub fn refine(context: &Context, state: &mut State, term: Term, wanted: &FpSet, fuel: &mut u32) -> Refined {
    let store = &context.store;
    match store.op(term) {
        Op::FpNeg => context.refine(state, store.arg(term, 0), &Abs::Float(wanted.neg()), fuel),
        Op::FpAbs => {
            let both = wanted.join(&wanted.neg());
            context.refine(state, store.arg(term, 0), &Abs::Float(both), fuel)
        }
        Op::FpFromBits(format) => {
            let arg = store.arg(term, 0);
            let Sort::Bv(width) = store.sort(arg) else { return Ok(()) };
            if width > fathom_domains::num::MAX_WIDTH || width != format.width() {
                return Ok(());
            }
            // NaN has many encodings, so bits are bounded only without it.
            let num = if wanted.nan { fathom_domains::num::Num::top(width) } else { fathom_domains::float_conversions::encoding(wanted) };
            let bits = Bits { float: Some(Box::new(wanted.clone())), ..Bits::number(num) };
            context.refine(state, arg, &Abs::Bits(bits), fuel)
        }
        Op::FpToFp(to) => {
            let arg = store.arg(term, 1);
            let Sort::Float(from) = store.sort(arg) else { return Ok(()) };
            if !is_exact(from, to) {
                return Ok(());
            }
            let down = wanted.convert(from, Modes::only(RoundingMode::TowardNegative));
            let up = wanted.convert(from, Modes::only(RoundingMode::TowardPositive));
            context.refine(state, arg, &Abs::Float(down.join(&up)), fuel)
        }
        _ => Ok(()),
    }
}

fn is_exact(from: FloatFormat, to: FloatFormat) -> bool {
    from.exponent <= to.exponent && from.significand <= to.significand
}

/// Restricts the variables of a comparison of floats so that it can hold, or fail.
pub fn refine_condition(context: &Context, state: &mut State, term: Term, holds: bool, fuel: &mut u32) -> Refined {
    let store = &context.store;
    let arg = |index: usize| store.arg(term, index);
    let set_of = |state: &State, term: Term| match &*context.eval(state, term) {
        Abs::Float(set) => Some(set.clone()),
        _ => None,
    };
    match store.op(term) {
        Op::FpLt | Op::FpLe => {
            let or_equal = store.op(term) == Op::FpLe;
            let (Some(a), Some(b)) = (set_of(state, arg(0)), set_of(state, arg(1))) else { return Ok(()) };
            if holds {
                return refine_order(context, state, arg(0), arg(1), !or_equal, true, fuel);
            }
            if a.nan || b.nan {
                return Ok(());
            }
            refine_order(context, state, arg(1), arg(0), or_equal, false, fuel)
        }
        Op::FpEq if holds => {
            refine_order(context, state, arg(0), arg(1), false, true, fuel)?;
            refine_order(context, state, arg(1), arg(0), false, true, fuel)
        }
        Op::FpIsNan => {
            let Sort::Float(format) = store.sort(arg(0)) else { return Ok(()) };
            let wanted = if holds { FpSet::only_nan(format) } else { FpSet::numbers(format) };
            context.refine(state, arg(0), &Abs::Float(wanted), fuel)
        }
        Op::FpIsInfinite | Op::FpIsZero | Op::FpIsNegative | Op::FpIsPositive => {
            let Sort::Float(format) = store.sort(arg(0)) else { return Ok(()) };
            let Some(set) = set_of(state, arg(0)) else { return Ok(()) };
            let infinity = fathom_domains::floats::key(format, fathom_term::float::infinity(format, false));
            let wanted = match (store.op(term), holds) {
                (Op::FpIsInfinite, false) => FpSet::between(format, -infinity, infinity - 1, true),
                (Op::FpIsZero, true) => FpSet::between(format, -1, 0, false),
                (Op::FpIsNegative, true) => FpSet::between(format, i128::MIN, -1, false),
                (Op::FpIsNegative, false) => FpSet::between(format, 0, i128::MAX, true),
                (Op::FpIsPositive, true) => FpSet::between(format, 0, i128::MAX, false),
                (Op::FpIsPositive, false) => FpSet::between(format, i128::MIN, -1, true),
                _ => Some(set),
            };
            context.refine(state, arg(0), &Abs::Float(wanted.ok_or(Unreachable)?), fuel)
        }
        _ => Ok(()),
    }
}

/// `small < large` or `small <= large` of numbers; both zeros are one number.
fn refine_order(
    context: &Context,
    state: &mut State,
    small: Term,
    large: Term,
    strict: bool,
    exclude_nan: bool,
    fuel: &mut u32,
) -> Refined {
    let (Abs::Float(a), Abs::Float(b)) = (&*context.eval(state, small), &*context.eval(state, large)) else {
        return Ok(());
    };
    let (Some((low, _)), Some((_, high))) = (a.ordered(), b.ordered()) else { return Err(Unreachable) };
    let f = a.format;
    let step = strict as i128;
    // Keys count both zeros as one number. On the way back to floats a bound at zero includes both.
    let upper = |ordered: i128| if ordered < 0 { ordered - 1 } else { ordered };
    let lower = |ordered: i128| if ordered <= 0 { ordered - 1 } else { ordered };
    let below = FpSet::between(f, i128::MIN, upper(high - step), !exclude_nan).ok_or(Unreachable)?;
    let above = FpSet::between(f, lower(low + step), i128::MAX, !exclude_nan).ok_or(Unreachable)?;
    context.refine(state, small, &Abs::Float(below), fuel)?;
    context.refine(state, large, &Abs::Float(above), fuel)
}
