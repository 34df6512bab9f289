//! The IEEE remainder: `a - b * n` with n the integer nearest to `a / b`, ties to even. With significands `x`, `y` and
//! exponents that differ by `d`, it needs `x * 2^d` modulo twice the divisor: what is left tells the remainder, and
//! whether the quotient is odd. The power of two is reduced a bit at a time, or, for formats with long exponents,
//! by squaring (16 squarings of x87's exponent instead of 33,000 doublings). Nothing is rounded: the result is exact.

use super::circuits::Circuits;
use super::rounding::{Exact, Mode};
use super::unpacked::{Layout, Unpacked, signed_width};
use fathom_term::{Op, Term};

/// Exponents with more bits are reduced by squaring.
const DOUBLING_LIMIT: u16 = 11;

impl Circuits<'_> {
    /// The IEEE remainder of `a` by `b`; exact.
    pub fn remainder(&self, layout: &Layout, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let s = self.store;
        let precision = layout.precision;
        let width = layout.exponent_width + 2;
        let distance = self.sub(self.sign_extend(a.exponent, width), self.sign_extend(b.exponent, width));
        // One more place, so that a dividend just below the divisor is seen: everything is in units of half of b's last
        // bit. Further below, the dividend itself is the result.
        let distance = s.bv_add(distance, self.number(1, width));
        let below = s.bv_slt(distance, self.zeros(width));
        let divisor = self.zero_extend(self.append_zeros(b.significand, 1), precision + 2);
        let modulus = self.append_zeros(b.significand, 2);
        let most = layout.largest - layout.least + 1;
        let power = s.extract(distance, signed_width(most).min(width - 1) - 1, 0);
        let rest = if layout.format.exponent <= DOUBLING_LIMIT {
            self.doubled(self.zero_extend(a.significand, precision + 2), power, modulus, most)
        } else {
            self.times_power(self.zero_extend(a.significand, precision + 2), power, modulus)
        };
        let odd = s.bv_ule(divisor, rest);
        let rest = s.ite(odd, self.sub(rest, divisor), rest);
        let twice = self.append_zeros(rest, 1);
        let divisor_wide = self.zero_extend(divisor, precision + 3);
        let up = s.or(s.bv_ult(divisor_wide, twice), s.and(s.eq(divisor_wide, twice), odd));
        let magnitude = s.ite(up, self.sub(divisor, rest), rest);
        let (significand, count) = self.normalise(magnitude);
        // The top of these bits weighs twice as much as that of b's significand.
        let exponent = self.sub(self.sign_extend(b.exponent, width), self.zero_extend(count, width));
        let exponent = s.bv_add(exponent, self.number(1, width));
        let negative = self.xor(a.negative, up);
        let exact = Exact { negative, exponent, significand };
        let toward_zero = self.mode(s.bv(4, 3));
        let computed = self.rounded_exactly(layout, &toward_zero, exact, magnitude, a.negative);
        let computed = self.choose(s.or(below, b.infinite), a, &computed);
        let nan = self.or_all(&[a.nan, b.nan, a.infinite, b.zero]);
        let negative = s.ite(a.zero, a.negative, computed.negative);
        self.with_special(nan, s.bool(false), a.zero, Unpacked { negative, ..computed })
    }

    fn rounded_exactly(&self, layout: &Layout, mode: &Mode, exact: Exact, magnitude: Term, sign: Term) -> Unpacked {
        let s = self.store;
        let zero = s.not(self.any(magnitude));
        let rounded = self.round(layout, mode, exact, false);
        Unpacked { zero, infinite: s.bool(false), negative: s.ite(zero, sign, rounded.negative), ..rounded }
    }

    /// `number * 2^power` modulo a modulus that is larger than the number: one doubling after the other.
    fn doubled(&self, number: Term, power: Term, modulus: Term, most: i128) -> Term {
        let s = self.store;
        let width = self.width(number);
        let wide_modulus = self.zero_extend(modulus, width + 1);
        let mut rest = number;
        for step in 0..most {
            let wanted = s.bv_ult(self.number(step, self.width(power)), power);
            let twice = self.append_zeros(rest, 1);
            let reduced = s.ite(s.bv_ule(wide_modulus, twice), self.sub(twice, wide_modulus), twice);
            rest = s.ite(wanted, s.extract(reduced, width - 1, 0), rest);
        }
        rest
    }

    /// Multiplies by a power of two modulo a number, by repeated squaring.
    fn times_power(&self, number: Term, power: Term, modulus: Term) -> Term {
        let s = self.store;
        let width = self.width(number);
        let product = |a: Term, b: Term| {
            let product = s.bv_mul(self.zero_extend(a, 2 * width), self.zero_extend(b, 2 * width));
            let rest = s.build(Op::BvUrem, &[product, self.zero_extend(modulus, 2 * width)]);
            s.extract(rest, width - 1, 0)
        };
        let mut rest = number;
        let mut square = self.number(2, width);
        for stage in 0..self.width(power) {
            rest = s.ite(self.bit(power, stage), product(rest, square), rest);
            square = product(square, square);
        }
        rest
    }
}
