//! Rounding, once for every operation. A number comes as sign, exponent and a significand with at least two bits more
//! than the format has, of which the last stands for everything below it. To round at a higher place (subnormal
//! results, rounding to an integer) the significand is shifted right, rounded and shifted back, which keeps it
//! normalised.

use super::circuits::{Circuits, bits_for};
use super::unpacked::{Layout, Unpacked};
use fathom_term::{RoundingMode, Term};

/// Which rounding mode it is; all false means towards zero.
#[derive(Copy, Clone)]
pub(crate) struct Mode {
    pub nearest_even: Term,
    pub nearest_away: Term,
    pub up: Term,
    pub down: Term,
}

/// A nonzero number before rounding: `1.xxx * 2^exponent`.
#[derive(Copy, Clone)]
pub(crate) struct Exact {
    pub negative: Term,
    /// Signed, of any width.
    pub exponent: Term,
    /// The top bit is set.
    pub significand: Term,
}

/// A significand after rounding.
struct Rounded {
    significand: Term,
    /// It became the next power of two.
    carry: Term,
    zero: Term,
}

impl Circuits<'_> {
    /// The mode with a code, as `RoundingMode::from_code` reads it.
    pub fn mode(&self, code: Term) -> Mode {
        let is = |mode: RoundingMode| self.store.eq(code, self.store.bv(mode as u64, 3));
        Mode {
            nearest_even: is(RoundingMode::NearestEven),
            nearest_away: is(RoundingMode::NearestAway),
            up: is(RoundingMode::TowardPositive),
            down: is(RoundingMode::TowardNegative),
        }
    }

    /// Whether a magnitude is rounded up, by the last bit that stays, the first that goes and the rest.
    pub fn rounds_up(&self, mode: &Mode, negative: Term, last: Term, guard: Term, sticky: Term) -> Term {
        let s = self.store;
        let inexact = s.or(guard, sticky);
        self.or_all(&[
            self.and_all(&[mode.nearest_even, guard, s.or(last, sticky)]),
            s.and(mode.nearest_away, guard),
            self.and_all(&[mode.up, s.not(negative), inexact]),
            self.and_all(&[mode.down, negative, inexact]),
        ])
    }

    /// Rounds a significand of `precision + 2` bits so that `dropped` (up to `precision + 1`) of the remaining bits are
    /// zero; without `dropped`, to the full precision.
    fn round_at(&self, mode: &Mode, negative: Term, extended: Term, dropped: Option<Term>) -> Rounded {
        let s = self.store;
        let precision = self.width(extended) - 2;
        let (shifted, lost) = match dropped {
            Some(amount) => self.shift_right(extended, amount),
            None => (extended, s.bool(false)),
        };
        let kept = s.extract(shifted, precision + 1, 2);
        let sticky = s.or(self.bit(shifted, 0), lost);
        let up = self.rounds_up(mode, negative, self.bit(kept, 0), self.bit(shifted, 1), sticky);
        let rounded = s.bv_add(self.zero_extend(kept, precision + 1), self.unit(up, precision + 1));
        let zero = match dropped {
            Some(_) => s.not(self.any(rounded)),
            None => s.bool(false),
        };
        let back = match dropped {
            Some(amount) => self.shift_left(rounded, amount),
            None => rounded,
        };
        let significand = s.concat(s.bv(1, 1), s.extract(back, precision - 2, 0));
        Rounded { significand, carry: self.bit(back, precision), zero }
    }

    /// The float of a format nearest to a number in the given direction. `may_be_subnormal` is false where a result
    /// below the normal range is known to be exact.
    pub fn round(&self, layout: &Layout, mode: &Mode, number: Exact, may_be_subnormal: bool) -> Unpacked {
        let s = self.store;
        let precision = layout.precision;
        let width = self.width(number.exponent).max(layout.exponent_width) + 2;
        let exponent = self.sign_extend(number.exponent, width);
        let extended = self.fit(number.significand, precision + 2);
        let missing = self.sub(self.number(layout.smallest, width), exponent);
        let dropped = may_be_subnormal.then(|| self.clamp(missing, precision + 1));
        let rounded = self.round_at(mode, number.negative, extended, dropped);
        let mut result = s.bv_add(exponent, self.unit(rounded.carry, width));
        if let Some(dropped) = dropped {
            let tiny = s.eq(dropped, self.number((precision + 1).into(), bits_for(precision + 1)));
            result = s.ite(tiny, self.number(layout.least, width), result);
        }
        self.limited(layout, mode, number.negative, result, rounded)
    }

    /// Overflow: infinity, or the largest number if the mode doesn't lead away from zero.
    fn limited(&self, layout: &Layout, mode: &Mode, negative: Term, exponent: Term, rounded: Rounded) -> Unpacked {
        let s = self.store;
        let width = self.width(exponent);
        let overflow = s.bv_slt(self.number(layout.largest, width), exponent);
        let to_infinity = self.or_all(&[mode.nearest_even, mode.nearest_away, s.and(mode.up, s.not(negative)), s.and(mode.down, negative)]);
        let exponent = s.ite(overflow, self.number(layout.largest, width), exponent);
        Unpacked {
            nan: s.bool(false),
            infinite: self.and_all(&[overflow, to_infinity, s.not(rounded.zero)]),
            zero: rounded.zero,
            negative,
            exponent: s.extract(exponent, layout.exponent_width - 1, 0),
            significand: s.ite(overflow, self.ones(layout.precision), rounded.significand),
        }
    }

    /// Rounding to an integer of the same format.
    pub fn round_to_integral(&self, layout: &Layout, mode: &Mode, float: &Unpacked) -> Unpacked {
        let s = self.store;
        let precision = layout.precision;
        let width = layout.exponent_width.max(bits_for(precision) + 1) + 1;
        let exponent = self.sign_extend(float.exponent, width);
        let fractional = self.sub(self.number(i128::from(precision) - 1, width), exponent);
        let dropped = self.clamp(fractional, precision + 1);
        let rounded = self.round_at(mode, float.negative, self.append_zeros(float.significand, 2), Some(dropped));
        let tiny = s.eq(dropped, self.number((precision + 1).into(), bits_for(precision + 1)));
        let carried = s.bv_add(exponent, self.unit(rounded.carry, width));
        let result = s.ite(tiny, self.zeros(width), carried);
        let computed = self.limited(layout, mode, float.negative, result, rounded);
        self.with_special(float.nan, float.infinite, float.zero, computed)
    }
}
