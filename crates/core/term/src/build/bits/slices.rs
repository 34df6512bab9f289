//! Slices, concatenations and extensions, which meet again as the term they came from.

use super::sort_width;
use crate::op::Op;
use crate::sort::{mask, sign_extend};
use crate::store::{Term, TermStore};

impl TermStore {
    pub(super) fn simplify_concat(&self, high: Term, low: Term) -> Option<Term> {
        let low_width = sort_width(self, low);
        let width = sort_width(self, high) + low_width;
        if self.is_zero(high) {
            return Some(self.resize_unsigned(low, width));
        }
        // Neighbouring slices of one term.
        if let (Op::BvExtract { high: h, low: l }, Op::BvExtract { high: h2, low: l2 }) = (self.op(high), self.op(low))
            && l == h2 + 1
            && self.arg(high, 0) == self.arg(low, 0)
        {
            return Some(self.extract(self.arg(high, 0), h, l2));
        }
        match (self.op(high), self.op(low)) {
            // ((x . y) . z) where y and z join.
            (Op::BvConcat, _) => {
                let (x, y) = (self.arg(high, 0), self.arg(high, 1));
                let both_const = self.op(y).is_const() && self.op(low).is_const();
                if both_const || self.slices_join(y, low) {
                    return Some(self.concat(x, self.concat(y, low)));
                }
                None
            }
            (_, Op::BvConcat) => {
                let (x, y) = (self.arg(low, 0), self.arg(low, 1));
                let both_const = self.op(high).is_const() && self.op(x).is_const();
                if both_const || self.slices_join(high, x) {
                    return Some(self.concat(self.concat(high, x), y));
                }
                None
            }
            (Op::BvZeroExtend(_), _) => Some(self.resize_unsigned(self.concat(self.arg(high, 0), low), width)),
            _ => None,
        }
    }

    fn slices_join(&self, high: Term, low: Term) -> bool {
        match (self.op(high), self.op(low)) {
            (Op::BvExtract { low: l, .. }, Op::BvExtract { high: h, .. }) => l == h + 1 && self.arg(high, 0) == self.arg(low, 0),
            _ => false,
        }
    }

    pub(super) fn simplify_extract(&self, a: Term, high: u32, low: u32) -> Option<Term> {
        let width = sort_width(self, a);
        assert!(low <= high && high < width, "slice [{high}:{low}] of {width} bits");
        if low == 0 && high + 1 == width {
            return Some(a);
        }
        match self.op(a) {
            Op::BvExtract { low: inner, .. } => Some(self.extract(self.arg(a, 0), high + inner, low + inner)),
            Op::BvConcat => {
                let (top, bottom) = (self.arg(a, 0), self.arg(a, 1));
                let split = sort_width(self, bottom);
                if high < split {
                    Some(self.extract(bottom, high, low))
                } else if low >= split {
                    Some(self.extract(top, high - split, low - split))
                } else {
                    Some(self.concat(self.extract(top, high - split, 0), self.extract(bottom, split - 1, low)))
                }
            }
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => {
                let inner = self.arg(a, 0);
                let narrow = sort_width(self, inner);
                let signed = matches!(self.op(a), Op::BvSignExtend(_));
                if high < narrow {
                    Some(self.extract(inner, high, low))
                } else if low == 0 {
                    let to = if signed { Op::BvSignExtend(high + 1) } else { Op::BvZeroExtend(high + 1) };
                    Some(self.build(to, &[inner]))
                } else if !signed && low >= narrow {
                    Some(self.bv(0, high - low + 1))
                } else if !signed {
                    Some(self.resize_unsigned(self.extract(inner, narrow - 1, low), high - low + 1))
                } else {
                    None
                }
            }
            // Low bits of sums and products depend on low bits only; worth it when an operand shrinks to a leaf.
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor
                if (low == 0 || matches!(self.op(a), Op::BvAnd | Op::BvOr | Op::BvXor))
                    && self.op(self.arg(a, 1)).is_const()
                    && self.slices_for_free(self.arg(a, 0), high) =>
            {
                let parts = [self.extract(self.arg(a, 0), high, low), self.extract(self.arg(a, 1), high, low)];
                Some(self.build(self.op(a), &parts))
            }
            Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem if low == 0 => self.narrow_division(a, high + 1),
            Op::Ite if self.op(self.arg(a, 1)).is_const() && self.op(self.arg(a, 2)).is_const() => {
                let then = self.extract(self.arg(a, 1), high, low);
                let otherwise = self.extract(self.arg(a, 2), high, low);
                Some(self.ite(self.arg(a, 0), then, otherwise))
            }
            _ => None,
        }
    }

    /// A division of numbers that were widened for it, cut to their width: as C divides two `char`s. Also where the divisor is
    /// zero, and for the quotient of the least number and -1, the low bits are those of the narrow operation.
    fn narrow_division(&self, division: Term, width: u32) -> Option<Term> {
        let signed = matches!(self.op(division), Op::BvSdiv | Op::BvSrem);
        let narrow = |side: Term| -> Option<Term> {
            match self.op(side) {
                Op::BvSignExtend(_) if signed => (sort_width(self, self.arg(side, 0)) == width).then(|| self.arg(side, 0)),
                Op::BvZeroExtend(_) if !signed => (sort_width(self, self.arg(side, 0)) == width).then(|| self.arg(side, 0)),
                _ => {
                    let bits = self.const_bits(side)?;
                    let whole = sort_width(self, side);
                    let cut = bits & mask(width);
                    let back = if signed { sign_extend(cut, width) as u64 & mask(whole) } else { cut };
                    (whole <= 64 && back == bits).then(|| self.bv(cut, width))
                }
            }
        };
        let sides = [narrow(self.arg(division, 0))?, narrow(self.arg(division, 1))?];
        Some(self.build(self.op(division), &sides))
    }

    /// Whether cutting the term to its low bits up to `high` only removes an extension or a join.
    fn slices_for_free(&self, term: Term, high: u32) -> bool {
        match self.op(term) {
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => sort_width(self, self.arg(term, 0)) > high,
            Op::BvConcat => sort_width(self, self.arg(term, 1)) > high,
            _ => false,
        }
    }

    pub(super) fn simplify_zero_extend(&self, a: Term, width: u32) -> Option<Term> {
        match self.op(a) {
            _ if sort_width(self, a) == width => Some(a),
            Op::BvZeroExtend(_) => Some(self.build(Op::BvZeroExtend(width), &[self.arg(a, 0)])),
            Op::Ite => self.extend_choice(a, Op::BvZeroExtend(width)),
            _ => None,
        }
    }

    pub(super) fn simplify_sign_extend(&self, a: Term, width: u32) -> Option<Term> {
        match self.op(a) {
            _ if sort_width(self, a) == width => Some(a),
            Op::BvSignExtend(_) => Some(self.build(Op::BvSignExtend(width), &[self.arg(a, 0)])),
            Op::BvZeroExtend(_) => Some(self.build(Op::BvZeroExtend(width), &[self.arg(a, 0)])),
            Op::Ite => self.extend_choice(a, Op::BvSignExtend(width)),
            _ => None,
        }
    }

    fn extend_choice(&self, choice: Term, extend: Op) -> Option<Term> {
        let (condition, then, otherwise) = (self.arg(choice, 0), self.arg(choice, 1), self.arg(choice, 2));
        (self.op(then).is_const() && self.op(otherwise).is_const())
            .then(|| self.ite(condition, self.build(extend, &[then]), self.build(extend, &[otherwise])))
    }
}
