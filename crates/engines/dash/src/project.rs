//! Eliminates future inputs from a condition: what must hold now so that some input makes the condition true. Each
//! conjunct is projected separately, so the result may be weaker than the exact one but is never stronger. Without
//! this, a loop that adds `2 * input` gives a new condition in every iteration; with it, only the essential one:
//! parity.
//!
//! In arithmetic modulo a power of two, `c * n + r = 0` has a solution `n` exactly if the bits of `r` below the lowest
//! one of `c` are zero.

use fathom_flat::Flat;
use fathom_term::{Op, Sort, Term, TermStore, VarId};

/// Deeper expressions are not looked at.
const DEPTH: u32 = 200;

/// The condition for some value of every input to come; None if it mentions one in a way that is not understood.
pub fn project(flat: &Flat, part: Term) -> Option<Term> {
    let mut part = part;
    loop {
        let ahead = flat.vars(part).into_iter().find(|&var| flat.inputs.ahead(var).is_some());
        let Some(input) = ahead else { return Some(part) };
        part = without(flat, part, input)?;
    }
}

/// The condition for some value of this input.
fn without(flat: &Flat, part: Term, input: VarId) -> Option<Term> {
    let store: &TermStore = &flat.terms;
    let yes = store.bool(true);
    match store.op(part) {
        Op::Var(var) if var == input => Some(yes),
        Op::Not => {
            let inner = store.arg(part, 0);
            match store.op(inner) {
                Op::Var(var) if var == input => Some(yes),
                Op::Eq => match linear_equation(flat, inner, input) {
                    // A multiple of the input takes at least two values.
                    Some((0, rest)) => Some(store.not(is_zero(store, rest))),
                    Some(_) => Some(yes),
                    None => None,
                },
                Op::BvUlt => bounded(flat, inner, input, false),
                Op::BvSlt => alone(flat, inner, input).then_some(yes),
                _ => None,
            }
        }
        Op::Eq => {
            let (factor, rest) = linear_equation(flat, part, input)?;
            match factor.trailing_zeros() {
                64 => Some(is_zero(store, rest)),
                0 => Some(yes),
                low => Some(is_zero(store, store.extract(rest, low - 1, 0))),
            }
        }
        Op::BvUlt => bounded(flat, part, input, true),
        _ => None,
    }
}

fn is_zero(store: &TermStore, term: Term) -> Term {
    store.eq(term, store.bv(0, store.sort(term).width()))
}

/// The equation for the lowest bits only: weaker, and more often the same after another step.
pub fn low_bits(flat: &Flat, part: Term, bits: u32) -> Option<Term> {
    let store: &TermStore = &flat.terms;
    let sides = (store.op(part) == Op::Eq).then(|| (store.arg(part, 0), store.arg(part, 1)))?;
    match store.sort(sides.0) {
        Sort::Bv(width @ 1..=64) if width > bits => Some(is_zero(store, store.extract(store.bv_sub(sides.0, sides.1), bits - 1, 0))),
        _ => None,
    }
}

/// `factor * input + rest = 0`, for an equation of bit-vectors.
fn linear_equation(flat: &Flat, equation: Term, input: VarId) -> Option<(u64, Term)> {
    let store: &TermStore = &flat.terms;
    let (left, right) = (store.arg(equation, 0), store.arg(equation, 1));
    let Sort::Bv(width @ 1..=64) = store.sort(left) else { return None };
    let (one, first) = linear(flat, left, input, DEPTH)?;
    let (two, second) = linear(flat, right, input, DEPTH)?;
    let factor = one.wrapping_sub(two) & fathom_term::mask(width);
    Some((factor, store.bv_sub(first, second)))
}

/// A bit-vector as `factor * input + rest`.
fn linear(flat: &Flat, term: Term, input: VarId, depth: u32) -> Option<(u64, Term)> {
    let depth = depth.checked_sub(1)?;
    let store: &TermStore = &flat.terms;
    let Sort::Bv(width @ 1..=64) = store.sort(term) else { return None };
    if !flat.vars(term).contains(&input) {
        return Some((0, term));
    }
    let mask = fathom_term::mask(width);
    match store.op(term) {
        Op::Var(_) => Some((1, store.bv(0, width))),
        Op::BvAdd => {
            let (one, first) = linear(flat, store.arg(term, 0), input, depth)?;
            let (two, second) = linear(flat, store.arg(term, 1), input, depth)?;
            Some((one.wrapping_add(two) & mask, store.bv_add(first, second)))
        }
        Op::BvNeg => {
            let (factor, rest) = linear(flat, store.arg(term, 0), input, depth)?;
            Some((factor.wrapping_neg() & mask, store.build(Op::BvNeg, &[rest])))
        }
        Op::BvMul => {
            let (one, two) = (store.arg(term, 0), store.arg(term, 1));
            let (constant, other) = match (store.const_bits(one), store.const_bits(two)) {
                (Some(bits), _) => (bits, two),
                (_, Some(bits)) => (bits, one),
                _ => return None,
            };
            let (factor, rest) = linear(flat, other, input, depth)?;
            Some((factor.wrapping_mul(constant) & mask, store.bv_mul(rest, store.bv(constant, width))))
        }
        // The low bits of a sum are the sum of the low bits.
        Op::BvExtract { high, low: 0 } => {
            let (factor, rest) = linear(flat, store.arg(term, 0), input, depth)?;
            Some((factor & mask, store.extract(rest, high, 0)))
        }
        _ => None,
    }
}

/// `a < b` (or its negation), one side of which is an odd multiple of the input plus something: any value.
fn bounded(flat: &Flat, less: Term, input: VarId, holds: bool) -> Option<Term> {
    let store: &TermStore = &flat.terms;
    let (left, right) = (store.arg(less, 0), store.arg(less, 1));
    let Sort::Bv(width @ 1..=64) = store.sort(left) else { return None };
    let free = |side: Term| linear(flat, side, input, DEPTH).is_some_and(|(factor, _)| factor % 2 == 1);
    let fixed = |side: Term| !flat.vars(side).contains(&input);
    match holds {
        _ if !(free(left) && fixed(right) || fixed(left) && free(right)) => None,
        // Anything is at least 0 and at most the largest number.
        false => Some(store.bool(true)),
        true if free(left) => Some(store.ne(right, store.bv(0, width))),
        true => Some(store.ne(left, store.bv(fathom_term::mask(width), width))),
    }
}

/// One side is any value, the other something else.
fn alone(flat: &Flat, less: Term, input: VarId) -> bool {
    let store: &TermStore = &flat.terms;
    let sides = [store.arg(less, 0), store.arg(less, 1)];
    let free = |side: Term| linear(flat, side, input, DEPTH).is_some_and(|(factor, _)| factor % 2 == 1);
    let fixed = |side: Term| !flat.vars(side).contains(&input);
    free(sides[0]) && fixed(sides[1]) || fixed(sides[0]) && free(sides[1])
}
