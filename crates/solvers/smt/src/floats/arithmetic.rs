//! Sum, product, quotient, fused product and sum, square root: each computes the exact result, or enough of its bits and
//! whether any are missing, and rounds once.

use super::circuits::{Circuits, bits_for};
use super::rounding::{Exact, Mode};
use super::unpacked::{Layout, Unpacked};
use fathom_term::{Op, Term};

/// The sum of two numbers before rounding.
struct Sum {
    number: Exact,
    zero: Term,
}

fn finite(float: &Unpacked) -> Exact {
    Exact { negative: float.negative, exponent: float.exponent, significand: float.significand }
}

impl Circuits<'_> {
    /// Three bits below the significands are enough: guard, round and sticky. If the operands are more than one place
    /// apart, the difference loses at most one leading bit; otherwise nothing falls off.
    fn exact_sum(&self, a: Exact, b: Exact) -> Sum {
        let s = self.store;
        let precision = self.width(a.significand);
        let width = self.width(a.exponent).max(bits_for(precision + 3) + 1) + 2;
        let (exponent_a, exponent_b) = (self.sign_extend(a.exponent, width), self.sign_extend(b.exponent, width));
        let same_exponent = s.eq(exponent_a, exponent_b);
        let b_larger = s.or(s.bv_slt(exponent_a, exponent_b), s.and(same_exponent, s.bv_ult(a.significand, b.significand)));
        let larger = |of_a, of_b| s.ite(b_larger, of_b, of_a);
        let smaller = |of_a, of_b| s.ite(b_larger, of_a, of_b);
        let exponent = larger(exponent_a, exponent_b);
        let distance = self.sub(exponent, smaller(exponent_a, exponent_b));
        let low = self.append_zeros(smaller(a.significand, b.significand), 3);
        let (shifted, lost) = self.shift_right(low, self.clamp(distance, precision + 3));
        let low = s.build(Op::BvOr, &[shifted, self.unit(lost, precision + 3)]);
        let low = self.zero_extend(low, precision + 4);
        let high = self.append_zeros(larger(a.significand, b.significand), 3);
        let high = self.zero_extend(high, precision + 4);
        let differ = self.xor(a.negative, b.negative);
        let sum = s.ite(differ, self.sub(high, low), s.bv_add(high, low));
        let (significand, count) = self.normalise(sum);
        let exponent = s.bv_add(exponent, self.sub(self.number(1, width), self.zero_extend(count, width)));
        let negative = larger(a.negative, b.negative);
        Sum { number: Exact { negative, exponent, significand }, zero: s.not(self.any(sum)) }
    }

    /// The sign of a sum that is zero: that of both operands, or negative only when rounding down.
    fn zero_sign(&self, mode: &Mode, a: Term, b: Term) -> Term {
        self.store.ite(self.store.eq(a, b), a, mode.down)
    }

    /// `a + b`, rounded.
    pub fn add(&self, layout: &Layout, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let s = self.store;
        let sum = self.exact_sum(finite(a), finite(b));
        // Every float is a multiple of the smallest one, and so is a sum: below the normal range it is exact.
        let mut computed = self.round(layout, mode, sum.number, false);
        computed.zero = sum.zero;
        computed.infinite = s.and(computed.infinite, s.not(sum.zero));
        computed.negative = s.ite(sum.zero, mode.down, computed.negative);
        let zeros = s.and(a.zero, b.zero);
        let computed = self.choose(a.zero, b, &self.choose(b.zero, a, &computed));
        let infinite = s.or(a.infinite, b.infinite);
        let opposite = self.and_all(&[a.infinite, b.infinite, self.xor(a.negative, b.negative)]);
        let nan = self.or_all(&[a.nan, b.nan, opposite]);
        let negative = s.ite(zeros, self.zero_sign(mode, a.negative, b.negative), computed.negative);
        let negative = s.ite(a.infinite, a.negative, s.ite(b.infinite, b.negative, negative));
        self.with_special(nan, infinite, zeros, Unpacked { negative, ..computed })
    }

    /// `-a`.
    pub fn negated(&self, float: &Unpacked) -> Unpacked {
        Unpacked { negative: self.store.not(float.negative), ..*float }
    }

    /// The exact product of two finite numbers that aren't zero.
    fn exact_product(&self, a: &Unpacked, b: &Unpacked) -> Exact {
        let s = self.store;
        let double = 2 * self.width(a.significand);
        let product = s.bv_mul(self.zero_extend(a.significand, double), self.zero_extend(b.significand, double));
        let width = self.width(a.exponent) + 2;
        let exponent = s.bv_add(self.sign_extend(a.exponent, width), self.sign_extend(b.exponent, width));
        let top = self.bit(product, double - 1);
        Exact {
            negative: self.xor(a.negative, b.negative),
            exponent: s.bv_add(exponent, self.unit(top, width)),
            significand: s.ite(top, product, self.left_by(product, 1)),
        }
    }

    /// `a * b`, rounded.
    pub fn mul(&self, layout: &Layout, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let s = self.store;
        let computed = self.round(layout, mode, self.exact_product(a, b), true);
        let invalid = s.or(s.and(a.infinite, b.zero), s.and(a.zero, b.infinite));
        let nan = self.or_all(&[a.nan, b.nan, invalid]);
        self.with_special(nan, s.or(a.infinite, b.infinite), s.or(a.zero, b.zero), computed)
    }

    /// `a / b`, rounded.
    pub fn div(&self, layout: &Layout, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let s = self.store;
        let precision = layout.precision;
        let double = 2 * precision + 2;
        let dividend = self.append_zeros(a.significand, precision + 2);
        let divisor = self.zero_extend(b.significand, double);
        let quotient = s.build(Op::BvUdiv, &[dividend, divisor]);
        let rest = s.build(Op::BvUrem, &[dividend, divisor]);
        // Between a half and two: the top one of these bits, or the next, is set.
        let quotient = s.concat(s.extract(quotient, precision + 2, 0), self.unit(self.any(rest), 1));
        let at_least_one = self.bit(quotient, precision + 3);
        let width = layout.exponent_width + 2;
        let exponent = self.sub(self.sign_extend(a.exponent, width), self.sign_extend(b.exponent, width));
        let number = Exact {
            negative: self.xor(a.negative, b.negative),
            exponent: self.sub(exponent, self.unit(s.not(at_least_one), width)),
            significand: s.ite(at_least_one, quotient, self.left_by(quotient, 1)),
        };
        let computed = self.round(layout, mode, number, true);
        let invalid = s.or(s.and(a.infinite, b.infinite), s.and(a.zero, b.zero));
        let nan = self.or_all(&[a.nan, b.nan, invalid]);
        self.with_special(nan, s.or(a.infinite, b.zero), s.or(a.zero, b.infinite), computed)
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&self, layout: &Layout, mode: &Mode, a: &Unpacked, b: &Unpacked, c: &Unpacked) -> Unpacked {
        let s = self.store;
        let product = self.exact_product(a, b);
        let width = self.width(product.exponent);
        let addend = Exact {
            negative: c.negative,
            exponent: self.sign_extend(c.exponent, width),
            significand: self.append_zeros(c.significand, layout.precision),
        };
        let sum = self.exact_sum(product, addend);
        let width = self.width(sum.number.exponent);
        let number = Exact {
            negative: s.ite(c.zero, product.negative, sum.number.negative),
            exponent: s.ite(c.zero, self.sign_extend(product.exponent, width), sum.number.exponent),
            significand: s.ite(c.zero, self.append_zeros(product.significand, 4), sum.number.significand),
        };
        let cancelled = s.and(sum.zero, s.not(c.zero));
        let mut computed = self.round(layout, mode, number, true);
        computed.zero = s.or(cancelled, computed.zero);
        computed.infinite = s.and(computed.infinite, s.not(cancelled));
        computed.negative = s.ite(cancelled, mode.down, computed.negative);
        let product_zero = s.or(a.zero, b.zero);
        let computed = self.choose(product_zero, c, &computed);
        let zeros = s.and(product_zero, c.zero);
        let product_infinite = s.or(a.infinite, b.infinite);
        let opposite = self.and_all(&[product_infinite, c.infinite, self.xor(product.negative, c.negative)]);
        let invalid = self.or_all(&[s.and(a.infinite, b.zero), s.and(a.zero, b.infinite), opposite]);
        let nan = self.or_all(&[a.nan, b.nan, c.nan, invalid]);
        let negative = s.ite(zeros, self.zero_sign(mode, product.negative, c.negative), computed.negative);
        let negative = s.ite(product_infinite, product.negative, s.ite(c.infinite, c.negative, negative));
        self.with_special(nan, s.or(product_infinite, c.infinite), zeros, Unpacked { negative, ..computed })
    }

    /// The square root, rounded.
    pub fn sqrt(&self, layout: &Layout, mode: &Mode, a: &Unpacked) -> Unpacked {
        let s = self.store;
        let odd = self.bit(a.exponent, 0);
        let shifted = self.append_zeros(a.significand, 1);
        let radicand = s.ite(odd, shifted, self.zero_extend(a.significand, layout.precision + 1));
        let (root, rest) = self.integer_root(self.append_zeros(radicand, layout.precision + 1));
        let exponent = s.build(Op::BvAshr, &[a.exponent, self.number(1, layout.exponent_width)]);
        let significand = s.concat(root, self.unit(self.any(rest), 1));
        let number = Exact { negative: s.bool(false), exponent, significand };
        let may_be_subnormal = layout.least.div_euclid(2) < layout.smallest;
        let computed = self.round(layout, mode, number, may_be_subnormal);
        let nan = s.or(a.nan, s.and(a.negative, s.not(a.zero)));
        let negative = s.and(a.zero, a.negative);
        self.with_special(nan, a.infinite, a.zero, Unpacked { negative, ..computed })
    }

    /// The integer square root of an even number of bits whose top two are not both zero, and the remainder; two bits
    /// of the radicand give one of the root, as by hand.
    fn integer_root(&self, radicand: Term) -> (Term, Term) {
        let s = self.store;
        let width = self.width(radicand);
        let mut root = s.bv(1, 1);
        let mut rest = self.sub(s.extract(radicand, width - 1, width - 2), s.bv(1, 2));
        for step in 1..width / 2 {
            let low = width - 2 * (step + 1);
            rest = s.concat(rest, s.extract(radicand, low + 1, low));
            let trial = s.concat(root, s.bv(1, 2));
            let trial = self.zero_extend(trial, step + 3);
            let fits = s.bv_ule(trial, rest);
            let next = s.ite(fits, self.sub(rest, trial), rest);
            // The remainder is at most twice the root.
            rest = s.extract(next, step + 1, 0);
            root = s.concat(root, self.unit(fits, 1));
        }
        (root, rest)
    }
}
