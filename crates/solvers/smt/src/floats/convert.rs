//! Conversions: from and to integers, between formats, and to real numbers.

use super::circuits::{Circuits, bits_for};
use super::rounding::{Exact, Mode};
use super::unpacked::{Layout, Unpacked};
use fathom_term::{Op, Sort, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

#[expect(clippy::wrong_self_convention, reason = "what is converted is an argument; a circuit converts it")]
impl Circuits<'_> {
    /// The float nearest to an integer.
    pub fn from_integer(&self, layout: &Layout, mode: &Mode, integer: Term, signed: bool) -> Unpacked {
        let s = self.store;
        let width = self.width(integer);
        let negative = if signed { self.bit(integer, width - 1) } else { s.bool(false) };
        let magnitude = s.ite(negative, s.build(Op::BvNeg, &[integer]), integer);
        let (significand, count) = self.normalise(magnitude);
        let exponent_width = bits_for(width) + 1;
        let top = self.number(i128::from(width) - 1, exponent_width);
        let exponent = self.sub(top, self.zero_extend(count, exponent_width));
        let computed = self.round(layout, mode, Exact { negative, exponent, significand }, false);
        self.with_special(s.bool(false), s.bool(false), s.not(self.any(integer)), computed)
    }

    /// The integer that the float rounds to, or 0 if it does not fit (see `Op::FpToSigned`).
    pub fn to_integer(&self, layout: &Layout, mode: &Mode, float: &Unpacked, width: u32, signed: bool) -> Term {
        let s = self.store;
        let precision = layout.precision;
        let exponent_width = layout.exponent_width.max(bits_for(width + 1) + 1) + 1;
        let exponent = self.sign_extend(float.exponent, exponent_width);
        // A number in fixed point: `width + 1` bits before the point, `precision` after it.
        let amount = self.clamp(s.bv_add(exponent, self.number(1, exponent_width)), width + 1);
        let fixed = self.shift_left(self.zero_extend(float.significand, precision + width + 1), amount);
        let whole = s.extract(fixed, precision + width, precision);
        let tiny = s.bv_slt(exponent, self.number(-1, exponent_width));
        let guard = s.and(s.not(tiny), self.bit(fixed, precision - 1));
        let sticky = s.or(tiny, self.any(s.extract(fixed, precision - 2, 0)));
        let up = self.rounds_up(mode, float.negative, self.bit(whole, 0), guard, sticky);
        let whole = s.bv_add(self.zero_extend(whole, width + 2), self.unit(up, width + 2));
        let huge = s.bv_slt(self.number(width.into(), exponent_width), exponent);
        let (most, least) = if signed {
            let half = self.zero_extend(self.top_bit(width), width + 2);
            (self.sub(half, self.number(1, width + 2)), half)
        } else {
            (self.zero_extend(self.ones(width), width + 2), self.zeros(width + 2))
        };
        let fits = s.bv_ule(whole, s.ite(float.negative, least, most));
        let outside = self.or_all(&[float.nan, float.infinite, float.zero, huge, s.not(fits)]);
        let magnitude = s.extract(whole, width - 1, 0);
        let result = s.ite(float.negative, s.build(Op::BvNeg, &[magnitude]), magnitude);
        s.ite(outside, self.zeros(width), result)
    }

    /// The float in another format.
    pub fn to_format(&self, from: &Layout, to: &Layout, mode: &Mode, float: &Unpacked) -> Unpacked {
        let exact = from.precision <= to.precision && from.largest <= to.largest && from.least >= to.least;
        if exact {
            let exponent = self.sign_extend(float.exponent, to.exponent_width);
            let significand = self.append_zeros(float.significand, to.precision - from.precision);
            return Unpacked { exponent, significand, ..*float };
        }
        let Unpacked { negative, exponent, significand, .. } = *float;
        let computed = self.round(to, mode, Exact { negative, exponent, significand }, from.least < to.smallest);
        self.with_special(float.nan, float.infinite, float.zero, computed)
    }

    /// The exact value of a finite float: its multiple of the smallest float, as an integer. `otherwise` is the value of
    /// what isn't a number.
    pub fn to_real(&self, layout: &Layout, float: &Unpacked, otherwise: Term) -> Term {
        let s = self.store;
        let span = (layout.largest - layout.least) as u32;
        let width = layout.exponent_width + 1;
        let amount = self.sub(self.sign_extend(float.exponent, width), self.number(layout.least, width));
        let wide = self.zero_extend(float.significand, layout.precision + span);
        let multiple = self.shift_left(wide, self.clamp(amount, span));
        let multiple = s.build(Op::IntToReal, &[s.build(Op::BvToInt, &[multiple])]);
        // Shifted by `precision - 1` more than the smallest float's weight accounts for.
        let weight = layout.least - (i128::from(layout.precision) - 1);
        let unit = BigRational::new(BigInt::one(), BigInt::one() << (-weight) as u64);
        let real = |value: BigRational| s.constant(&Value::real(value), Sort::Real);
        let magnitude = s.build(Op::RealMul, &[multiple, real(unit)]);
        let number = s.ite(float.negative, s.build(Op::RealNeg, &[magnitude]), magnitude);
        let number = s.ite(float.zero, real(BigRational::from_integer(0.into())), number);
        s.ite(s.or(float.nan, float.infinite), otherwise, number)
    }
}
