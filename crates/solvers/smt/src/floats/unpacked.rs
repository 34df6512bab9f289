//! A float taken apart, as SymFPU does (Brain, Schanda, Sun: Building Better Bit-Blasting for Floating-Point Problems,
//! 2019): flags for the special values, the sign, an exponent wide enough for subnormal numbers, and a significand
//! whose top bit is set. Chains of operations stay in this form and never pay for the encoding between them.
//! The flags exclude each other; exponent and significand mean something only if none is set.

use super::circuits::Circuits;
use fathom_term::{FloatFormat, Sort, Term, Value};
use num_bigint::BigUint;
use num_traits::One;

#[derive(Copy, Clone, Debug)]
pub(crate) struct Unpacked {
    pub nan: Term,
    pub infinite: Term,
    pub zero: Term,
    pub negative: Term,
    /// Signed, `Layout::exponent_width` bits.
    pub exponent: Term,
    /// With the hidden bit, which is set.
    pub significand: Term,
}

/// The numbers that describe a format.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub format: FloatFormat,
    /// Bits of the significand with the hidden one.
    pub precision: u32,
    pub largest: i128,
    /// The exponent of the smallest normal number.
    pub smallest: i128,
    /// The exponent of the smallest subnormal number.
    pub least: i128,
    pub exponent_width: u32,
}

/// Formats with more exponent bits are not supported.
const MAX_EXPONENT: u16 = 60;

impl Layout {
    /// The layout of a format; None if the format is not supported.
    pub fn new(format: FloatFormat) -> Option<Self> {
        if !(2..=MAX_EXPONENT).contains(&format.exponent) || format.significand < 2 {
            return None;
        }
        let largest = (1i128 << (format.exponent - 1)) - 1;
        let smallest = 1 - largest;
        let least = smallest - (i128::from(format.significand) - 1);
        let exponent_width = signed_width(least).max(signed_width(largest));
        let precision = format.significand.into();
        Some(Self { format, precision, largest, smallest, least, exponent_width })
    }

    /// Bits of an encoding.
    pub fn width(&self) -> u32 {
        self.format.width()
    }

    /// Bits of the significand without the hidden one.
    pub fn fraction_width(&self) -> u32 {
        self.precision - 1
    }
}

/// Bits of a signed vector that holds the number.
pub(crate) fn signed_width(number: i128) -> u32 {
    let magnitude = if number < 0 { -(number + 1) } else { number };
    128 - magnitude.leading_zeros() + 1
}

/// The one encoding of NaN, as `fathom_term::float` has it.
pub(crate) fn nan_value(format: FloatFormat) -> Value {
    let exponent = ((BigUint::one() << format.exponent) - 1u8) << (format.significand - 1);
    Value::bits(exponent | BigUint::one() << (format.significand - 2), format.width())
}

impl Circuits<'_> {
    /// The canonical encoding of NaN.
    pub fn nan_bits(&self, format: FloatFormat) -> Term {
        self.store.constant(&nan_value(format), Sort::Bv(format.width()))
    }

    /// The exponent's bits of an encoding.
    pub fn exponent_field(&self, layout: &Layout, bits: Term) -> Term {
        self.store.extract(bits, layout.width() - 2, layout.fraction_width())
    }

    /// The significand's bits of an encoding, without the hidden one.
    pub fn fraction_field(&self, layout: &Layout, bits: Term) -> Term {
        self.store.extract(bits, layout.fraction_width() - 1, 0)
    }

    /// Takes an encoding apart.
    pub fn unpack(&self, layout: &Layout, bits: Term) -> Unpacked {
        let s = self.store;
        let (field, fraction) = (self.exponent_field(layout, bits), self.fraction_field(layout, bits));
        let all_ones = s.eq(field, self.ones(self.width(field)));
        let no_exponent = s.not(self.any(field));
        let no_fraction = s.not(self.any(fraction));
        let width = layout.exponent_width;
        let normal = self.sub(self.zero_extend(field, width), self.number(layout.largest, width));
        let (shifted, count) = self.normalise(fraction);
        let below = self.sub(self.number(layout.smallest - 1, width), self.zero_extend(count, width));
        Unpacked {
            nan: s.and(all_ones, s.not(no_fraction)),
            infinite: s.and(all_ones, no_fraction),
            zero: s.and(no_exponent, no_fraction),
            negative: self.bit(bits, layout.width() - 1),
            exponent: s.ite(no_exponent, below, normal),
            significand: s.ite(no_exponent, self.append_zeros(shifted, 1), s.concat(s.bv(1, 1), fraction)),
        }
    }

    /// The encoding; NaN has one.
    pub fn pack(&self, layout: &Layout, float: &Unpacked) -> Term {
        let s = self.store;
        let width = layout.exponent_width;
        let exponent_bits = u32::from(layout.format.exponent);
        let fraction_bits = layout.fraction_width();
        let subnormal = s.bv_slt(float.exponent, self.number(layout.smallest, width));
        let biased = s.bv_add(float.exponent, self.number(layout.largest, width));
        let wide = width + 1;
        let missing = self.sub(self.number(layout.smallest, wide), self.sign_extend(float.exponent, wide));
        let (shifted, _) = self.shift_right(float.significand, self.clamp(missing, layout.precision));
        let field = s.ite(subnormal, self.zeros(exponent_bits), s.extract(biased, exponent_bits - 1, 0));
        let fraction = s.extract(s.ite(subnormal, shifted, float.significand), fraction_bits - 1, 0);
        let special = s.or(float.infinite, float.zero);
        let field = s.ite(float.zero, self.zeros(exponent_bits), s.ite(float.infinite, self.ones(exponent_bits), field));
        let fraction = s.ite(special, self.zeros(fraction_bits), fraction);
        let bits = s.concat(s.concat(self.unit(float.negative, 1), field), fraction);
        s.ite(float.nan, self.nan_bits(layout.format), bits)
    }

    /// If-then-else, part by part.
    pub fn choose(&self, condition: Term, then: &Unpacked, otherwise: &Unpacked) -> Unpacked {
        let pick = |a, b| self.store.ite(condition, a, b);
        Unpacked {
            nan: pick(then.nan, otherwise.nan),
            infinite: pick(then.infinite, otherwise.infinite),
            zero: pick(then.zero, otherwise.zero),
            negative: pick(then.negative, otherwise.negative),
            exponent: pick(then.exponent, otherwise.exponent),
            significand: pick(then.significand, otherwise.significand),
        }
    }

    /// A result whose special cases are decided by the operands: NaN before infinity before zero before what was
    /// computed. The sign is that of every case but NaN.
    pub fn with_special(&self, nan: Term, infinite: Term, zero: Term, computed: Unpacked) -> Unpacked {
        let s = self.store;
        let number = s.not(nan);
        let ordinary = s.not(s.or(infinite, zero));
        Unpacked {
            nan,
            infinite: s.and(number, s.or(infinite, s.and(ordinary, computed.infinite))),
            zero: self.and_all(&[number, s.not(infinite), s.or(zero, computed.zero)]),
            ..computed
        }
    }
}
