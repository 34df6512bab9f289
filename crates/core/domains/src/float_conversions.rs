//! Conversions between floats and other numbers, on sets. All are monotone on the numbers they are defined on, so the
//! ends of the interval give the ends of the result; out of range and NaN have the total values that `term` gives them.

use crate::floats::{FpSet, Modes, bits_of, key};
use crate::num::{Num, mask, signed_max, signed_min};
use crate::unbounded::Range;
use fathom_term::{FloatFormat, float};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// The floats with these interchange encodings.
pub fn from_encoding(format: FloatFormat, num: &Num) -> FpSet {
    if num.width != format.width() {
        return FpSet::top(format);
    }
    if float::is_nan(format, num.ones) {
        return FpSet::only_nan(format);
    }
    let (infinity, sign) = (float::infinity(format, false), 1u128 << (format.width() - 1));
    let part = |low: u128, high: u128| -> Option<FpSet> {
        if low > high {
            return None;
        }
        // Magnitudes above infinity are NaNs.
        let nan = high & !sign > infinity;
        let last = (high & !sign).min(infinity) | high & sign;
        let numbers = low & !sign <= infinity;
        let ends = [key(format, low), key(format, last)];
        if !numbers {
            return Some(FpSet::only_nan(format));
        }
        Some(FpSet { format, bounds: Some((ends[0].min(ends[1]), ends[0].max(ends[1]))), nan })
    };
    let positive = part(num.umin, num.umax.min(sign - 1));
    let negative = part(num.umin.max(sign), num.umax);
    match (positive, negative) {
        (Some(a), Some(b)) => a.join(&b),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => FpSet::top(format),
    }
}

/// The interchange encodings; NaN has one.
pub fn encoding(set: &FpSet) -> Num {
    let width = set.format.width();
    let mut result: Option<Num> = None;
    let mut include = |part: Option<Num>| {
        if let Some(part) = part {
            result = Some(result.map_or(part, |known| known.join(&part)));
        }
    };
    if set.nan {
        include(Some(Num::constant(float::nan(set.format), width)));
    }
    if let Some((low, high)) = set.bounds {
        if high >= 0 {
            include(Num::unsigned(width, low.max(0) as u128, high as u128));
        }
        if low < 0 {
            // Among negative floats the larger encoding is the smaller number.
            include(Num::unsigned(width, bits_of(set.format, high.min(-1)), bits_of(set.format, low)));
        }
    }
    result.unwrap_or_else(|| Num::top(width))
}

fn from_ints(format: FloatFormat, modes: Modes, low: &BigInt, high: &BigInt) -> FpSet {
    let mut result: Option<FpSet> = None;
    for mode in modes.iter() {
        for end in [low, high] {
            let part = FpSet::constant(format, float::from_int(format, mode, end));
            result = Some(result.map_or(part.clone(), |known| known.join(&part)));
        }
    }
    result.unwrap_or_else(|| FpSet::top(format))
}

/// Signed integers as floats.
pub fn from_signed(format: FloatFormat, modes: Modes, num: &Num) -> FpSet {
    from_ints(format, modes, &BigInt::from(num.smin), &BigInt::from(num.smax))
}

/// Unsigned integers as floats.
pub fn from_unsigned(format: FloatFormat, modes: Modes, num: &Num) -> FpSet {
    from_ints(format, modes, &BigInt::from(num.umin), &BigInt::from(num.umax))
}

/// Rationals as floats.
pub fn from_real(format: FloatFormat, modes: Modes, range: &Range<BigRational>) -> FpSet {
    let mut result: Option<FpSet> = None;
    for mode in modes.iter() {
        let end = |bound: &Option<BigRational>, negative: bool| match bound {
            Some(value) => float::from_rational(format, mode, value),
            None => float::infinity(format, negative),
        };
        let low = FpSet::constant(format, end(&range.low, true));
        let part = low.join(&FpSet::constant(format, end(&range.high, false)));
        result = Some(result.map_or(part.clone(), |known| known.join(&part)));
    }
    result.unwrap_or_else(|| FpSet::top(format))
}

/// To a signed or unsigned bit-vector; what does not fit becomes 0.
pub fn to_bits(set: &FpSet, modes: Modes, width: u32, is_signed: bool) -> Num {
    let (least, most) = match is_signed {
        true => (BigInt::from(signed_min(width)), BigInt::from(signed_max(width))),
        false => (BigInt::ZERO, BigInt::from(mask(width))),
    };
    let Some((low, high)) = set.bounds else { return Num::constant(0, width) };
    let mut bounds: Option<(BigInt, BigInt)> = None;
    let mut fits = !set.nan;
    for mode in modes.iter() {
        for (end, limit) in [(low, &least), (high, &most)] {
            let int = float::to_int(set.format, mode, bits_of(set.format, end));
            let inside = int.filter(|int| *int >= least && *int <= most);
            fits &= inside.is_some();
            // Past an end of the range the values inside go up to that end.
            let int = inside.unwrap_or_else(|| limit.clone());
            bounds = Some(match bounds {
                Some((a, b)) => (a.min(int.clone()), b.max(int)),
                None => (int.clone(), int),
            });
        }
    }
    let Some((low, high)) = bounds else { return Num::top(width) };
    let interval = match is_signed {
        true => low.to_i128().zip(high.to_i128()).and_then(|(low, high)| Num::signed(width, low, high)),
        false => low.to_u128().zip(high.to_u128()).and_then(|(low, high)| Num::unsigned(width, low, high)),
    };
    let interval = interval.unwrap_or_else(|| Num::top(width));
    if fits { interval } else { interval.join(&Num::constant(0, width)) }
}

/// Numbers only: infinities and NaN have no value that anyone may rely on.
pub fn to_real(set: &FpSet) -> Range<BigRational> {
    let end = |key: i128| float::to_rational(set.format, bits_of(set.format, key));
    match set.bounds {
        Some((low, high)) if !set.nan => match (end(low), end(high)) {
            (Some(low), Some(high)) => Range::new(Some(low), Some(high)),
            _ => Range::top(),
        },
        _ => Range::top(),
    }
}
