//! IEEE-754 arithmetic on bit patterns of any format up to 128 bits. Single and double precision in the default
//! rounding mode run on the machine's own arithmetic; everything else is computed exactly on rationals and rounded
//! once, which is right by construction for every format. Tests compare both roads with `rustc_apfloat`.

use crate::op::RoundingMode;
use crate::sort::FloatFormat;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

use RoundingMode::*;

enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, magnitude: BigRational },
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

/// The one encoding of NaN that values use.
pub fn nan(f: FloatFormat) -> u128 {
    exponent_mask(f) | 1 << (fraction_bits(f) - 1)
}

pub fn infinity(f: FloatFormat, negative: bool) -> u128 {
    exponent_mask(f) | signed_zero(f, negative)
}

pub fn signed_zero(f: FloatFormat, negative: bool) -> u128 {
    if negative { sign_bit(f) } else { 0 }
}

/// Every NaN becomes the one NaN.
pub fn canonical(f: FloatFormat, bits: u128) -> u128 {
    if is_nan(f, bits) { nan(f) } else { bits }
}

pub fn is_nan(f: FloatFormat, bits: u128) -> bool {
    bits & exponent_mask(f) == exponent_mask(f) && bits & fraction_mask(f) != 0
}

pub fn is_infinite(f: FloatFormat, bits: u128) -> bool {
    bits & !sign_bit(f) == exponent_mask(f)
}

pub fn is_zero(f: FloatFormat, bits: u128) -> bool {
    bits & !sign_bit(f) == 0
}

pub fn is_subnormal(f: FloatFormat, bits: u128) -> bool {
    bits & exponent_mask(f) == 0 && bits & fraction_mask(f) != 0
}

pub fn is_normal(f: FloatFormat, bits: u128) -> bool {
    let exponent = bits & exponent_mask(f);
    exponent != 0 && exponent != exponent_mask(f)
}

pub fn is_negative(f: FloatFormat, bits: u128) -> bool {
    bits & sign_bit(f) != 0
}

pub fn neg(f: FloatFormat, a: u128) -> u128 {
    if is_nan(f, a) { nan(f) } else { a ^ sign_bit(f) }
}

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
    let (significand, exponent) =
        if exponent == 0 { (fraction, 1) } else { (fraction | 1 << fraction_bits(f), exponent) };
    let scale = exponent - bias(f) - fraction_bits(f) as i64;
    Unpacked::Finite { negative, magnitude: scaled(BigInt::from(significand), scale) }
}

/// `value * 2^scale`.
fn scaled(value: BigInt, scale: i64) -> BigRational {
    if scale >= 0 {
        BigRational::from_integer(value << scale as u64)
    } else {
        BigRational::new(value, BigInt::one() << scale.unsigned_abs())
    }
}

/// The largest `e` with `2^e <= value`, for a positive value.
fn floor_log2(value: &BigRational) -> i64 {
    let estimate = value.numer().bits() as i64 - value.denom().bits() as i64;
    if scaled(BigInt::one(), estimate) <= *value { estimate } else { estimate - 1 }
}

fn rounds_up(mode: RoundingMode, negative: bool, is_odd: bool, half: Ordering, exact: bool) -> bool {
    match mode {
        NearestEven => half == Ordering::Greater || (half == Ordering::Equal && is_odd),
        NearestAway => half != Ordering::Less,
        TowardPositive => !exact && !negative,
        TowardNegative => !exact && negative,
        TowardZero => false,
    }
}

/// A non-negative rational rounded to an integer; `negative` is the sign of the number it is the magnitude of.
fn round_integer(value: &BigRational, mode: RoundingMode, negative: bool) -> BigInt {
    let (whole, rest) = value.numer().div_mod_floor(value.denom());
    let half = (&rest * 2u8).cmp(value.denom());
    if rounds_up(mode, negative, whole.is_odd(), half, rest.is_zero()) { whole + 1 } else { whole }
}

/// The float nearest to a magnitude in the given direction.
fn round(f: FloatFormat, mode: RoundingMode, negative: bool, magnitude: &BigRational) -> u128 {
    if magnitude.is_zero() {
        return signed_zero(f, negative);
    }
    let least_exponent = 1 - bias(f);
    let exponent = floor_log2(magnitude).max(least_exponent);
    let quantum = exponent - fraction_bits(f) as i64;
    let in_quanta = magnitude * scaled(BigInt::one(), -quantum);
    let significand = round_integer(&in_quanta, mode, negative);
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

fn round_signed(f: FloatFormat, mode: RoundingMode, value: &BigRational) -> u128 {
    round(f, mode, value.is_negative(), &value.abs())
}

fn signed(negative: bool, magnitude: BigRational) -> BigRational {
    if negative { -magnitude } else { magnitude }
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

pub fn add(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    native(f, mode, a, b, |x, y| x + y, |x, y| x + y).unwrap_or_else(|| add_exact(f, mode, a, b))
}

fn add_exact(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { negative: x }, Infinite { negative: y }) => if x == y { a } else { nan(f) },
        (Infinite { .. }, _) => a,
        (_, Infinite { .. }) => b,
        (Finite { negative: x, magnitude: m }, Finite { negative: y, magnitude: n }) => {
            let sum = signed(x, m) + signed(y, n);
            if sum.is_zero() {
                let negative = if x == y { x } else { mode == TowardNegative };
                return signed_zero(f, negative);
            }
            round_signed(f, mode, &sum)
        }
    }
}

pub fn sub(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    add(f, mode, a, neg(f, b))
}

pub fn mul(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    native(f, mode, a, b, |x, y| x * y, |x, y| x * y).unwrap_or_else(|| mul_exact(f, mode, a, b))
}

fn mul_exact(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { negative: x }, Infinite { negative: y }) => infinity(f, x != y),
        (Infinite { negative: x }, Finite { negative: y, magnitude }) | (Finite { negative: y, magnitude }, Infinite { negative: x }) => {
            if magnitude.is_zero() { nan(f) } else { infinity(f, x != y) }
        }
        (Finite { negative: x, magnitude: m }, Finite { negative: y, magnitude: n }) => round(f, mode, x != y, &(m * n)),
    }
}

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
            round(f, mode, x != y, &(m / n))
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
            let sum = signed(product_negative, m * n) + signed(negative, magnitude);
            if sum.is_zero() {
                let zero_negative = if product_negative == negative { negative } else { mode == TowardNegative };
                return signed_zero(f, zero_negative);
            }
            round_signed(f, mode, &sum)
        }
        (Finite { .. }, Finite { .. }, Infinite { .. }) => c,
        (Infinite { .. }, Finite { magnitude, .. }, _) | (Finite { magnitude, .. }, Infinite { .. }, _)
            if magnitude.is_zero() =>
        {
            nan(f)
        }
        (.., Infinite { negative }) if negative != product_negative => nan(f),
        _ => infinity(f, product_negative),
    }
}

pub fn sqrt(f: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    if let Some(result) = native(f, mode, a, a, |x, _| x.sqrt(), |x, _| x.sqrt()) {
        return result;
    }
    match unpack(f, a) {
        Unpacked::Nan => nan(f),
        Unpacked::Finite { magnitude, .. } if magnitude.is_zero() => a,
        Unpacked::Infinite { negative: false } => a,
        Unpacked::Finite { negative: false, magnitude } => {
            // An integer root with bits to spare; a bit below it stands for what was cut off.
            let mut scale = 2 * (f.significand as i64 + 4) - floor_log2(&magnitude);
            scale += scale & 1;
            let radicand = (&magnitude * scaled(BigInt::one(), scale)).to_integer();
            let root = radicand.sqrt();
            let is_exact = BigRational::from_integer(&root * &root) == magnitude * scaled(BigInt::one(), scale);
            let with_sticky = root * 2u8 + BigInt::from(!is_exact);
            round(f, mode, false, &scaled(with_sticky, -scale / 2 - 1))
        }
        _ => nan(f),
    }
}

pub fn round_to_integral(f: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    match unpack(f, a) {
        Unpacked::Nan => nan(f),
        Unpacked::Infinite { .. } => a,
        Unpacked::Finite { negative, magnitude } => {
            let whole = round_integer(&magnitude, mode, negative);
            round(f, mode, negative, &BigRational::from_integer(whole))
        }
    }
}

/// IEEE remainder: `a - b * n` with n the integer nearest to `a / b`, ties to even.
pub fn rem(f: FloatFormat, a: u128, b: u128) -> u128 {
    use Unpacked::*;
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, _) => nan(f),
        (_, Infinite { .. }) => a,
        (Finite { negative, magnitude: m }, Finite { magnitude: n, .. }) => {
            if n.is_zero() {
                return nan(f);
            }
            let quotient = round_integer(&(&m / &n), NearestEven, false);
            let rest = signed(negative, m - n * BigRational::from_integer(quotient));
            if rest.is_zero() { signed_zero(f, negative) } else { round_signed(f, NearestEven, &rest) }
        }
    }
}

/// The smaller one; of zeros with two signs the second, of a number and NaN the number.
pub fn min(f: FloatFormat, a: u128, b: u128) -> u128 {
    if is_nan(f, a) || (!is_nan(f, b) && !lt(f, a, b)) { b } else { a }
}

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

pub fn eq(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) == Ordering::Equal
}

pub fn lt(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) == Ordering::Less
}

pub fn le(f: FloatFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b) && compare(f, a, b) != Ordering::Greater
}

pub fn convert(from: FloatFormat, to: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    match unpack(from, a) {
        Unpacked::Nan => nan(to),
        Unpacked::Infinite { negative } => infinity(to, negative),
        Unpacked::Finite { negative, magnitude } => round(to, mode, negative, &magnitude),
    }
}

pub fn from_int(f: FloatFormat, mode: RoundingMode, value: &BigInt) -> u128 {
    let magnitude = BigRational::from_integer(value.abs());
    round(f, mode, value.sign() == Sign::Minus, &magnitude)
}

pub fn from_rational(f: FloatFormat, mode: RoundingMode, value: &BigRational) -> u128 {
    round_signed(f, mode, value)
}

/// The integer that the float rounds to; None for NaN and infinities.
pub fn to_int(f: FloatFormat, mode: RoundingMode, a: u128) -> Option<BigInt> {
    match unpack(f, a) {
        Unpacked::Finite { negative, magnitude } => {
            let whole = round_integer(&magnitude, mode, negative);
            Some(if negative { -whole } else { whole })
        }
        _ => None,
    }
}

pub fn to_rational(f: FloatFormat, a: u128) -> Option<BigRational> {
    match unpack(f, a) {
        Unpacked::Finite { negative, magnitude } => Some(signed(negative, magnitude)),
        _ => None,
    }
}

/// A non-negative integer significand and binary exponent, for printing.
pub fn parts(f: FloatFormat, a: u128) -> (bool, BigUint, BigUint) {
    let exponent = (a & exponent_mask(f)) >> fraction_bits(f);
    (is_negative(f, a), BigUint::from(exponent), BigUint::from(a & fraction_mask(f)))
}
