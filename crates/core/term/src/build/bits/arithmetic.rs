//! Sums, products, quotients and bitwise operations. Constants of sums move out, so that addresses and indices that differ by a
//! constant are seen to.

use super::sort_width;
use crate::op::Op;
use crate::sort::mask;
use crate::store::{Term, TermStore};

impl TermStore {
    pub(super) fn simplify_add(&self, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) {
            return Some(a);
        }
        if (self.op(b) == Op::BvNeg && self.arg(b, 0) == a) || (self.op(a) == Op::BvNeg && self.arg(a, 0) == b) {
            return Some(self.zero_like(a));
        }
        // (x + c) + d = x + (c + d); the constant of either summand moves out.
        if self.op(b).is_const() {
            if self.op(a) == Op::BvAdd && self.op(self.arg(a, 1)).is_const() {
                return Some(self.bv_add(self.arg(a, 0), self.bv_add(self.arg(a, 1), b)));
            }
            return None;
        }
        for (one, other) in [(a, b), (b, a)] {
            if self.op(one) == Op::BvAdd {
                let (x, y) = (self.arg(one, 0), self.arg(one, 1));
                if self.op(y).is_const() {
                    return Some(self.bv_add(self.bv_add(x, other), y));
                }
                // (x + y) + -x = y, the shape of p + (q - p).
                for (left, right) in [(x, y), (y, x)] {
                    if (self.op(other) == Op::BvNeg && self.arg(other, 0) == left)
                        || (self.op(left) == Op::BvNeg && self.arg(left, 0) == other)
                    {
                        return Some(right);
                    }
                }
            }
        }
        None
    }

    pub(super) fn simplify_neg(&self, a: Term) -> Option<Term> {
        match self.op(a) {
            Op::BvNeg => Some(self.arg(a, 0)),
            // -(x + c) = -x + -c keeps constants of differences outside.
            Op::BvAdd if self.op(self.arg(a, 1)).is_const() => {
                let (x, c) = (self.arg(a, 0), self.arg(a, 1));
                Some(self.bv_add(self.build(Op::BvNeg, &[x]), self.build(Op::BvNeg, &[c])))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_mul(&self, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) {
            return Some(b);
        }
        if self.is_one(b) {
            return Some(a);
        }
        if !self.op(b).is_const() {
            return None;
        }
        if self.is_all_ones(b) {
            return Some(self.build(Op::BvNeg, &[a]));
        }
        match self.op(a) {
            Op::BvMul if self.op(self.arg(a, 1)).is_const() => Some(self.bv_mul(self.arg(a, 0), self.bv_mul(self.arg(a, 1), b))),
            // (x + c) * d = x * d + c * d, so that array indices keep their constant part outside.
            Op::BvAdd if self.op(self.arg(a, 1)).is_const() => {
                let product = self.bv_mul(self.arg(a, 0), b);
                Some(self.bv_add(product, self.bv_mul(self.arg(a, 1), b)))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_bitwise(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        let is_and = op == Op::BvAnd;
        if a == b {
            return Some(a);
        }
        if self.is_zero(b) {
            return Some(if is_and { b } else { a });
        }
        if self.is_all_ones(b) {
            return Some(if is_and { a } else { b });
        }
        if (self.op(a) == Op::BvNot && self.arg(a, 0) == b) || (self.op(b) == Op::BvNot && self.arg(b, 0) == a) {
            return Some(if is_and { self.zero_like(a) } else { self.ones_like(a) });
        }
        if self.op(b).is_const() && self.op(a) == op && self.op(self.arg(a, 1)).is_const() {
            return Some(self.build(op, &[self.arg(a, 0), self.build(op, &[self.arg(a, 1), b])]));
        }
        let width = sort_width(self, a);
        if let (true, Some(bits)) = (is_and, self.const_bits(b)) {
            // x & 0..01..1 is a zero-extended slice.
            let ones = bits.trailing_ones();
            if bits == mask(ones) && ones > 0 && ones < width {
                return Some(self.resize_unsigned(self.extract(a, ones - 1, 0), width));
            }
        }
        // Disjoint halves joined: zext(x) | (zext(y) << k), as byte-wise assembly in C source makes them.
        if !is_and {
            return self.join_of_or(a, b).or_else(|| self.join_of_or(b, a));
        }
        None
    }

    /// `high | zext(low)` where the low bits of `high` are a zero constant: a concatenation.
    fn join_of_or(&self, high: Term, low: Term) -> Option<Term> {
        let (Op::BvConcat, Op::BvZeroExtend(width)) = (self.op(high), self.op(low)) else { return None };
        let (top, bottom) = (self.arg(high, 0), self.arg(high, 1));
        let low = self.arg(low, 0);
        let bottom_width = sort_width(self, bottom);
        if !self.is_zero(bottom) || sort_width(self, low) > bottom_width || width != sort_width(self, high) {
            return None;
        }
        Some(self.concat(top, self.resize_unsigned(low, bottom_width)))
    }

    pub(super) fn simplify_bv_xor(&self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.zero_like(a));
        }
        if self.is_zero(b) {
            return Some(a);
        }
        if self.is_all_ones(b) {
            return Some(self.build(Op::BvNot, &[a]));
        }
        if self.op(b).is_const() && self.op(a) == Op::BvXor && self.op(self.arg(a, 1)).is_const() {
            return Some(self.build(Op::BvXor, &[self.arg(a, 0), self.build(Op::BvXor, &[self.arg(a, 1), b])]));
        }
        None
    }

    pub(super) fn simplify_division(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = sort_width(self, a);
        if self.is_one(b) && width > 1 {
            return Some(if matches!(op, Op::BvUdiv | Op::BvSdiv) { a } else { self.zero_like(a) });
        }
        let power = self.const_bits(b).filter(|bits| bits.is_power_of_two()).map(u64::trailing_zeros)?;
        if power == 0 {
            return None;
        }
        match op {
            Op::BvUdiv => Some(self.resize_unsigned(self.extract(a, width - 1, power), width)),
            Op::BvUrem => Some(self.resize_unsigned(self.extract(a, power - 1, 0), width)),
            _ => None,
        }
    }

    pub(super) fn simplify_shift(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) || self.is_zero(a) {
            return Some(a);
        }
        let width = sort_width(self, a);
        let amount = self.const_bits(b)?;
        let amount = if amount >= width as u64 { width } else { amount as u32 };
        match op {
            Op::BvShl if amount == width => Some(self.zero_like(a)),
            Op::BvShl => Some(self.concat(self.extract(a, width - 1 - amount, 0), self.bv(0, amount))),
            Op::BvLshr if amount == width => Some(self.zero_like(a)),
            Op::BvLshr => Some(self.resize_unsigned(self.extract(a, width - 1, amount), width)),
            _ => Some(self.resize_signed(self.extract(a, width - 1, amount.min(width - 1)), width)),
        }
    }
}
