//! IEEE-754 arithmetic on bit patterns of any format up to 128 bits, of which at most 60 are the exponent's. Single and double precision
//! in the default rounding mode run on the machine's own arithmetic; everything else is computed exactly (see `dyadic`) and rounded once,
//! which is right by construction for every format. Tests compare both with `rustc_apfloat`.

use crate::dyadic::Dyadic;
use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

use RoundingMode::*;

enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, magnitude: Dyadic },
}

fn fraction_bits(f: FloatFormat) -> u32 {
    f.significand as u32 - 1
}

fn sign_bit(f: FloatFormat) -> u128 {
    1 << (f.width() - 1)
}

fn exponent_mask(f: FloatFormat) -> u128 {
    ((1u128 << f.exponent) - 1) << fraction_bits(f)
}

fn fraction_mask(f: FloatFormat) -> u128 {
    (1u128 << fraction_bits(f)) - 1
}

fn bias(f: FloatFormat) -> i64 {
    (1 << (f.exponent - 1)) - 1
}

/// The encoding of two to a non-negative power, if the format has it.
pub fn power_of_two(f: FloatFormat, power: u32) -> Option<u128> {
    let largest = (1u128 << (f.exponent - 1)) - 1;
    let power = u128::from(power);
    (power <= largest).then(|| (power + largest) << fraction_bits(f))
}

/// The one encoding of NaN that values use.
pub fn nan(f: FloatFormat) -> u128 {
    exponent_mask(f) | 1 << (fraction_bits(f) - 1)
}

/// An infinity of this sign.
pub fn infinity(f: FloatFormat, negative: bool) -> u128 {
    exponent_mask(f) | signed_zero(f, negative)
}

/// The zero of this sign.
pub fn signed_zero(f: FloatFormat, negative: bool) -> u128 {
    if negative { sign_bit(f) } else { 0 }
}

/// Every NaN becomes the one NaN.
pub fn canonical(f: FloatFormat, bits: u128) -> u128 {
    if is_nan(f, bits) { nan(f) } else { bits }
}

/// Whether these bits encode NaN.
pub fn is_nan(f: FloatFormat, bits: u128) -> bool {
    bits & exponent_mask(f) == exponent_mask(f) && bits & fraction_mask(f) != 0
}

/// Whether these bits encode an infinity.
pub fn is_infinite(f: FloatFormat, bits: u128) -> bool {
    bits & !sign_bit(f) == exponent_mask(f)
}

/// Whether these bits encode a zero of either sign.
pub fn is_zero(f: FloatFormat, bits: u128) -> bool {
    bits & !sign_bit(f) == 0
}

/// Whether these bits encode a subnormal number.
pub fn is_subnormal(f: FloatFormat, bits: u128) -> bool {
    bits & exponent_mask(f) == 0 && bits & fraction_mask(f) != 0
}

/// Whether these bits encode a normal number.
pub fn is_normal(f: FloatFormat, bits: u128) -> bool {
    let exponent = bits & exponent_mask(f);
    exponent != 0 && exponent != exponent_mask(f)
}

/// Whether the sign bit is set.
pub fn is_negative(f: FloatFormat, bits: u128) -> bool {
    bits & sign_bit(f) != 0
}

/// The float with the opposite sign; NaN stays NaN.
pub fn neg(f: FloatFormat, a: u128) -> u128 {
    if is_nan(f, a) { nan(f) } else { a ^ sign_bit(f) }
}

/// The float without its sign; NaN stays NaN.
pub fn abs(f: FloatFormat, a: u128) -> u128 {
    if is_nan(f, a) { nan(f) } else { a & !sign_bit(f) }
}

fn unpack(f: FloatFormat, bits: u128) -> Unpacked {
    let negative = is_negative(f, bits);
    if is_nan(f, bits) {
        return Unpacked::Nan;
    }
    if is_infinite(f, bits) {
        return Unpacked::Infinite { negative };
    }
    let exponent = ((bits & exponent_mask(f)) >> fraction_bits(f)) as i64;
    let fraction = bits & fraction_mask(f);
    let (significand, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << fraction_bits(f), exponent) };
    let scale = exponent - bias(f) - fraction_bits(f) as i64;
    Unpacked::Finite { negative, magnitude: Dyadic::new(BigUint::from(significand), scale) }
}

/// The float nearest to a magnitude in the given direction.
fn round(f: FloatFormat, mode: RoundingMode, negative: bool, magnitude: &Dyadic) -> u128 {
    if magnitude.is_zero() {
        return signed_zero(f, negative);
    }
    let least_exponent = 1 - bias(f);
    let exponent = magnitude.floor_log2().max(least_exponent);
    let quantum = exponent - fraction_bits(f) as i64;
    let significand = magnitude.in_quanta(quantum, mode, negative);
    // The encoding is monotone: a carry out of the significand moves to the next exponent by itself.
    let base = ((exponent - least_exponent) as u128) << fraction_bits(f);
    let encoded = significand.to_u128().map(|s| base + s);
    match encoded {
        Some(encoded) if encoded < exponent_mask(f) => encoded | signed_zero(f, negative),
        _ => {
            let stays_finite = match mode {
                NearestEven | NearestAway => false,
                TowardPositive => negative,
                TowardNegative => !negative,
                TowardZero => true,
            };
            let top = if stays_finite { exponent_mask(f) - 1 } else { exponent_mask(f) };
            top | signed_zero(f, negative)
        }
    }
}

/// Bits that a quotient or root needs before its sticky bit.
fn working_bits(f: FloatFormat) -> u64 {
    f.significand as u64 + 3
}

/// Machine arithmetic where it applies.
fn native(f: FloatFormat, mode: RoundingMode, a: u128, b: u128, op32: fn(f32, f32) -> f32, op64: fn(f64, f64) -> f64) -> Option<u128> {
    if mode != NearestEven {
        return None;
    }
    if f == FloatFormat::DOUBLE {
        return Some(canonical(f, op64(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits() as u128));
    }
    if f == FloatFormat::SINGLE {
        return Some(canonical(f, op32(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits() as u128));
    }
    None
}

/// `a + b`, rounded.
pub fn add(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    native(f, mode, a, b, |x, y| x + y, |x, y| x + y).unwrap_or_else(|| add_exact(f, mode, a, b))
}

fn add_exact(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { negative: x }, Infinite { negative: y }) => {
            if x == y {
                a
            } else {
                nan(f)
            }
        }
        (Infinite { .. }, _) => a,
        (_, Infinite { .. }) => b,
        (Finite { negative: x, magnitude: m }, Finite { negative: y, magnitude: n }) => {
            let (negative, sum) = Dyadic::signed_sum(x, &m, y, &n);
            if sum.is_zero() {
                let negative = if x == y { x } else { mode == TowardNegative };
                return signed_zero(f, negative);
            }
            round(f, mode, negative, &sum)
        }
    }
}

/// `a - b`, rounded.
pub fn sub(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    add(f, mode, a, neg(f, b))
}

/// `a * b`, rounded.
pub fn mul(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    native(f, mode, a, b, |x, y| x * y, |x, y| x * y).unwrap_or_else(|| mul_exact(f, mode, a, b))
}

fn mul_exact(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { negative: x }, Infinite { negative: y }) => infinity(f, x != y),
        (Infinite { negative: x }, Finite { negative: y, magnitude }) | (Finite { negative: y, magnitude }, Infinite { negative: x }) => {
            if magnitude.is_zero() {
                nan(f)
            } else {
                infinity(f, x != y)
            }
        }
        (Finite { negative: x, magnitude: m }, Finite { negative: y, magnitude: n }) => round(f, mode, x != y, &m.times(&n)),
    }
}

/// `a / b`, rounded.
pub fn div(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    native(f, mode, a, b, |x, y| x / y, |x, y| x / y).unwrap_or_else(|| div_exact(f, mode, a, b))
}

fn div_exact(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => nan(f),
        (Infinite { negative: x }, Finite { negative: y, .. }) => infinity(f, x != y),
        (Finite { negative: x, .. }, Infinite { negative: y }) => signed_zero(f, x != y),
        (Finite { negative: x, magnitude: m }, Finite { negative: y, magnitude: n }) => {
            if n.is_zero() {
                return if m.is_zero() { nan(f) } else { infinity(f, x != y) };
            }
            round(f, mode, x != y, &m.quotient(&n, working_bits(f)))
        }
    }
}

/// `a * b + c`, rounded once.
pub fn fma(f: FloatFormat, mode: RoundingMode, a: u128, b: u128, c: u128) -> u128 {
    use Unpacked::*;
    let product_negative = is_negative(f, a) != is_negative(f, b);
    match (unpack(f, a), unpack(f, b), unpack(f, c)) {
        (Nan, ..) | (_, Nan, _) | (.., Nan) => nan(f),
        (Finite { magnitude: m, .. }, Finite { magnitude: n, .. }, Finite { negative, magnitude }) => {
            let (sum_negative, sum) = Dyadic::signed_sum(product_negative, &m.times(&n), negative, &magnitude);
            if sum.is_zero() {
                let zero_negative = if product_negative == negative { negative } else { mode == TowardNegative };
                return signed_zero(f, zero_negative);
            }
            round(f, mode, sum_negative, &sum)
        }
        (Finite { .. }, Finite { .. }, Infinite { .. }) => c,
        (Infinite { .. }, Finite { magnitude, .. }, _) | (Finite { magnitude, .. }, Infinite { .. }, _) if magnitude.is_zero() => nan(f),
        (.., Infinite { negative }) if negative != product_negative => nan(f),
        _ => infinity(f, product_negative),
    }
}

/// The square root, rounded.
pub fn sqrt(f: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    if let Some(result) = native(f, mode, a, a, |x, _| x.sqrt(), |x, _| x.sqrt()) {
        return result;
    }
    match unpack(f, a) {
        Unpacked::Nan => nan(f),
        Unpacked::Finite { magnitude, .. } if magnitude.is_zero() => a,
        Unpacked::Infinite { negative: false } => a,
        Unpacked::Finite { negative: false, magnitude } => round(f, mode, false, &magnitude.square_root(working_bits(f))),
        _ => nan(f),
    }
}

/// The nearest integer in the given direction, as a float.
pub fn round_to_integral(f: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    match unpack(f, a) {
        Unpacked::Nan => nan(f),
        Unpacked::Infinite { .. } => a,
        Unpacked::Finite { magnitude, .. } if magnitude.exponent >= 0 => a,
        Unpacked::Finite { negative, magnitude } => {
            let whole = magnitude.in_quanta(0, mode, negative);
            round(f, mode, negative, &Dyadic::new(whole, 0))
        }
    }
}

/// IEEE remainder: `a - b * n` with n the integer nearest to `a / b`, ties to even.
pub fn rem(f: FloatFormat, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan | Infinite { .. }, _) | (_, Nan) => nan(f),
        (_, Infinite { .. }) => a,
        (Finite { negative, magnitude: m }, Finite { magnitude: n, .. }) => {
            if n.is_zero() {
                return nan(f);
            }
            let (opposite, rest) = m.nearest_remainder(&n);
            if rest.is_zero() { signed_zero(f, negative) } else { round(f, NearestEven, negative != opposite, &rest) }
        }
    }
}

/// The smaller one; of zeros with two signs the second, of a number and NaN the number.
pub fn min(f: FloatFormat, a: u128, b: u128) -> u128 {
    if is_nan(f, a) || (!is_nan(f, b) && !lt(f, a, b)) { b } else { a }
}

/// The larger one; of zeros with two signs the second, of a number and NaN the number.
pub fn max(f: FloatFormat, a: u128, b: u128) -> u128 {
    if is_nan(f, a) || (!is_nan(f, b) && !lt(f, b, a)) { b } else { a }
}

/// Order of non-NaN values; both zeros are one.
fn compare(f: FloatFormat, a: u128, b: u128) -> Ordering {
    let key = |bits: u128| {
        let magnitude = (bits & !sign_bit(f)) as i128;
        if is_negative(f, bits) { -magnitude } else { magnitude }
    };
    key(a).cmp(&key(b))
}

/// IEEE equality: NaN differs from everything, both zeros are equal.
pub fn eq(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) == Ordering::Equal
}

/// IEEE `a < b`.
pub fn lt(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) == Ordering::Less
}

/// IEEE `a <= b`.
pub fn le(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) != Ordering::Greater
}

/// The float in another format, rounded.
pub fn convert(from: FloatFormat, to: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    match unpack(from, a) {
        Unpacked::Nan => nan(to),
        Unpacked::Infinite { negative } => infinity(to, negative),
        Unpacked::Finite { negative, magnitude } => round(to, mode, negative, &magnitude),
    }
}

/// The float nearest to an integer.
pub fn from_int(f: FloatFormat, mode: RoundingMode, value: &BigInt) -> u128 {
    round(f, mode, value.sign() == Sign::Minus, &Dyadic::new(value.magnitude().clone(), 0))
}

/// The float nearest to `significand * 2^exponent`, with a sign.
pub fn from_parts(f: FloatFormat, mode: RoundingMode, negative: bool, significand: &BigUint, exponent: i64) -> u128 {
    round(f, mode, negative, &Dyadic::new(significand.clone(), exponent))
}

/// The float nearest to a fraction.
pub fn from_rational(f: FloatFormat, mode: RoundingMode, value: &BigRational) -> u128 {
    let part = |part: &BigInt| Dyadic::new(part.magnitude().clone(), 0);
    let magnitude = part(value.numer()).quotient(&part(value.denom()), working_bits(f));
    round(f, mode, value.numer().sign() == Sign::Minus, &magnitude)
}

/// The integer that the float rounds to; None for NaN and infinities.
pub fn to_int(f: FloatFormat, mode: RoundingMode, a: u128) -> Option<BigInt> {
    match unpack(f, a) {
        Unpacked::Finite { negative, magnitude } => {
            let sign = if negative { Sign::Minus } else { Sign::Plus };
            Some(BigInt::from_biguint(sign, magnitude.in_quanta(0, mode, negative)))
        }
        _ => None,
    }
}

/// The exact value; None for NaN and infinities.
pub fn to_rational(f: FloatFormat, a: u128) -> Option<BigRational> {
    match unpack(f, a) {
        Unpacked::Finite { negative, magnitude } => Some(magnitude.to_rational(negative)),
        _ => None,
    }
}

/// A non-negative integer significand and binary exponent, for printing.
pub fn parts(f: FloatFormat, a: u128) -> (bool, BigUint, BigUint) {
    let exponent = (a & exponent_mask(f)) >> fraction_bits(f);
    (is_negative(f, a), BigUint::from(exponent), BigUint::from(a & fraction_mask(f)))
}
