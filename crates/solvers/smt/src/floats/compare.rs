//! Comparisons, in both forms of a float: on encodings where both operands have one (variables, bits from memory), so
//! that nothing has to be normalised just to be compared, and on floats taken apart.

use super::circuits::Circuits;
use super::unpacked::{Layout, Unpacked};
use fathom_term::Term;

impl Circuits<'_> {
    /// Whether an encoding is NaN.
    pub fn bits_nan(&self, layout: &Layout, bits: Term) -> Term {
        let field = self.exponent_field(layout, bits);
        self.store.and(self.store.eq(field, self.ones(self.width(field))), self.any(self.fraction_field(layout, bits)))
    }

    /// Whether an encoding is an infinity.
    pub fn bits_infinite(&self, layout: &Layout, bits: Term) -> Term {
        let field = self.exponent_field(layout, bits);
        let no_fraction = self.store.not(self.any(self.fraction_field(layout, bits)));
        self.store.and(self.store.eq(field, self.ones(self.width(field))), no_fraction)
    }

    fn magnitude(&self, layout: &Layout, bits: Term) -> Term {
        self.store.extract(bits, layout.width() - 2, 0)
    }

    /// Whether an encoding is a zero.
    pub fn bits_zero(&self, layout: &Layout, bits: Term) -> Term {
        self.store.not(self.any(self.magnitude(layout, bits)))
    }

    /// Whether an encoding is subnormal.
    pub fn bits_subnormal(&self, layout: &Layout, bits: Term) -> Term {
        let no_exponent = self.store.not(self.any(self.exponent_field(layout, bits)));
        self.store.and(no_exponent, self.any(self.fraction_field(layout, bits)))
    }

    /// Whether an encoding is a normal number.
    pub fn bits_normal(&self, layout: &Layout, bits: Term) -> Term {
        let field = self.exponent_field(layout, bits);
        self.store.and(self.any(field), self.store.ne(field, self.ones(self.width(field))))
    }

    /// Whether the sign bit of an encoding is set.
    pub fn bits_negative(&self, layout: &Layout, bits: Term) -> Term {
        self.bit(bits, layout.width() - 1)
    }

    /// IEEE `a < b`, or `a <= b`.
    pub fn bits_less(&self, layout: &Layout, a: Term, b: Term, or_equal: bool) -> Term {
        let s = self.store;
        let numbers = s.not(s.or(self.bits_nan(layout, a), self.bits_nan(layout, b)));
        let zeros = s.and(self.bits_zero(layout, a), self.bits_zero(layout, b));
        let (x, y) = (self.magnitude(layout, a), self.magnitude(layout, b));
        let order = |low, high| if or_equal { s.bv_ule(low, high) } else { s.bv_ult(low, high) };
        let (negative_a, negative_b) = (self.bits_negative(layout, a), self.bits_negative(layout, b));
        let different = s.ite(zeros, s.bool(or_equal), negative_a);
        let same = s.ite(negative_a, order(y, x), order(x, y));
        s.and(numbers, s.ite(self.xor(negative_a, negative_b), different, same))
    }

    /// C's `a == b`.
    pub fn bits_equal(&self, layout: &Layout, a: Term, b: Term) -> Term {
        let s = self.store;
        let zeros = s.and(self.bits_zero(layout, a), self.bits_zero(layout, b));
        let numbers = s.not(s.or(self.bits_nan(layout, a), self.bits_nan(layout, b)));
        s.and(numbers, s.or(zeros, s.eq(a, b)))
    }

    fn magnitude_less(&self, a: &Unpacked, b: &Unpacked) -> Term {
        let s = self.store;
        let closer = s.and(s.eq(a.exponent, b.exponent), s.bv_ult(a.significand, b.significand));
        let finite = s.or(s.bv_slt(a.exponent, b.exponent), closer);
        let nonzero = s.and(s.not(a.infinite), s.or(b.infinite, finite));
        s.and(s.not(b.zero), s.or(a.zero, nonzero))
    }

    /// IEEE `a < b`.
    pub fn less(&self, a: &Unpacked, b: &Unpacked) -> Term {
        let s = self.store;
        let numbers = s.not(s.or(a.nan, b.nan));
        let both_negative = self.magnitude_less(b, a);
        let different = s.not(s.and(a.zero, b.zero));
        let below_zero = s.ite(b.negative, both_negative, different);
        let above_zero = s.and(s.not(b.negative), self.magnitude_less(a, b));
        s.and(numbers, s.ite(a.negative, below_zero, above_zero))
    }

    /// IEEE `a == b`.
    pub fn equal(&self, a: &Unpacked, b: &Unpacked) -> Term {
        let s = self.store;
        let numbers = s.not(s.or(a.nan, b.nan));
        s.and(numbers, s.or(s.and(a.zero, b.zero), self.same_number(a, b)))
    }

    /// Identity: NaN is NaN, and zeros differ by their sign.
    pub fn identical(&self, a: &Unpacked, b: &Unpacked) -> Term {
        let s = self.store;
        let zeros = self.and_all(&[a.zero, b.zero, s.eq(a.negative, b.negative)]);
        let numbers = s.not(s.or(a.nan, b.nan));
        s.or(s.and(a.nan, b.nan), s.and(numbers, s.or(zeros, self.same_number(a, b))))
    }

    /// The same infinity or the same finite number other than zero.
    fn same_number(&self, a: &Unpacked, b: &Unpacked) -> Term {
        let s = self.store;
        let no_zero = s.not(s.or(a.zero, b.zero));
        let both_finite = s.not(s.or(a.infinite, b.infinite));
        let parts = s.and(s.eq(a.exponent, b.exponent), s.eq(a.significand, b.significand));
        let value = s.or(s.and(a.infinite, b.infinite), s.and(both_finite, parts));
        self.and_all(&[no_zero, s.eq(a.negative, b.negative), value])
    }
}
