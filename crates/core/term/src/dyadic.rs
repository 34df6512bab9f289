//! Exact numbers `significand * 2^exponent`: every finite float is one, and so are sums and products of floats. Quotients
//! and roots are not; they are computed with bits to spare, and a last bit that says whether something was cut off (a
//! sticky bit), which is all that rounding to fewer bits needs to know.

use crate::op::RoundingMode;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// If a number is this many bits below the last bit of another, only its sign matters for rounding their sum.
const FAR: i64 = 1024;

#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub significand: BigUint,
    pub exponent: i64,
}

impl Dyadic {
    /// `significand * 2^exponent`.
    pub fn new(significand: BigUint, exponent: i64) -> Self {
        Self { significand, exponent }
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }

    /// The largest `e` with `2^e <= self`, for a positive number.
    pub fn floor_log2(&self) -> i64 {
        self.significand.bits() as i64 - 1 + self.exponent
    }

    /// The exact product.
    pub fn times(&self, other: &Self) -> Self {
        Self::new(&self.significand * &other.significand, self.exponent + other.exponent)
    }

    /// The significands of both over the smaller exponent.
    fn aligned(&self, other: &Self) -> (BigUint, BigUint, i64) {
        let exponent = self.exponent.min(other.exponent);
        let over = |number: &Self| &number.significand << (number.exponent - exponent) as u64;
        (over(self), over(other), exponent)
    }

    /// The sum of two numbers with signs, as sign and magnitude. Of a number that is far below the last bit of the other,
    /// which has a few hundred bits at most and is rounded to fewer, only the sign matters.
    pub fn signed_sum(negative: bool, a: &Self, other_negative: bool, b: &Self) -> (bool, Self) {
        let is_far_below = |small: &Self, large: &Self| !large.is_zero() && !small.is_zero() && small.floor_log2() < large.exponent - FAR;
        let speck = |large: &Self| Self::new(BigUint::one(), large.exponent - FAR);
        if is_far_below(a, b) {
            return Self::signed_sum(negative, &speck(b), other_negative, b);
        }
        if is_far_below(b, a) {
            return Self::signed_sum(negative, a, other_negative, &speck(a));
        }
        if a.is_zero() || b.is_zero() {
            return if b.is_zero() { (negative, a.clone()) } else { (other_negative, b.clone()) };
        }
        let (x, y, exponent) = a.aligned(b);
        if negative == other_negative {
            return (negative, Self::new(x + y, exponent));
        }
        match x.cmp(&y) {
            Ordering::Less => (other_negative, Self::new(y - x, exponent)),
            _ => (negative, Self::new(x - y, exponent)),
        }
    }

    /// The quotient with at least `bits` bits and a sticky one below them.
    pub fn quotient(&self, divisor: &Self, bits: u64) -> Self {
        let shift = (bits + divisor.significand.bits()).saturating_sub(self.significand.bits());
        let (quotient, rest) = (&self.significand << shift).div_rem(&divisor.significand);
        Self::new(with_sticky(quotient, !rest.is_zero()), self.exponent - divisor.exponent - shift as i64 - 1)
    }

    /// The square root with at least `bits` bits and a sticky one below them.
    pub fn square_root(&self, bits: u64) -> Self {
        let mut shift = (2 * bits).saturating_sub(self.significand.bits()) as i64;
        shift += (self.exponent - shift) & 1;
        let radicand = &self.significand << shift as u64;
        let root = radicand.sqrt();
        let is_exact = &root * &root == radicand;
        Self::new(with_sticky(root, !is_exact), (self.exponent - shift) / 2 - 1)
    }

    /// `self - divisor * n`, where n is the integer nearest to `self / divisor` (ties to even), as sign and magnitude.
    pub fn nearest_remainder(&self, divisor: &Self) -> (bool, Self) {
        if self.is_zero() || self.floor_log2() + 2 < divisor.floor_log2() {
            return (false, self.clone());
        }
        // Only the last bit of the quotient matters: the power of two may be reduced by twice the divisor.
        let (x, y, exponent) = if self.exponent > divisor.exponent {
            let twice: BigUint = &divisor.significand << 1u8;
            let power = BigUint::from(2u8).modpow(&BigUint::from((self.exponent - divisor.exponent) as u64), &twice);
            (&self.significand * power % twice, divisor.significand.clone(), divisor.exponent)
        } else {
            self.aligned(divisor)
        };
        let (quotient, rest) = x.div_rem(&y);
        let rounds_up = match (&rest << 1u8).cmp(&y) {
            Ordering::Less => false,
            Ordering::Equal => quotient.is_odd(),
            Ordering::Greater => true,
        };
        if rounds_up { (true, Self::new(y - rest, exponent)) } else { (false, Self::new(rest, exponent)) }
    }

    /// The number in units of `2^quantum`, rounded; `negative` is the sign of the number it is the magnitude of.
    pub fn in_quanta(&self, quantum: i64, mode: RoundingMode, negative: bool) -> BigUint {
        if self.exponent >= quantum {
            return &self.significand << (self.exponent - quantum) as u64;
        }
        let shift = (quantum - self.exponent) as u64;
        if shift > self.significand.bits() + 1 {
            let up = rounds_up(mode, negative, false, Ordering::Less, self.is_zero());
            return BigUint::from(up as u8);
        }
        let whole = &self.significand >> shift;
        let rest = &self.significand - (&whole << shift);
        let half = rest.cmp(&(BigUint::one() << (shift - 1)));
        if rounds_up(mode, negative, whole.is_odd(), half, rest.is_zero()) { whole + 1u8 } else { whole }
    }

    /// The number as a fraction.
    pub fn to_rational(&self, negative: bool) -> BigRational {
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        if self.is_zero() {
            return BigRational::zero();
        }
        if self.exponent >= 0 {
            return BigRational::from_integer(BigInt::from_biguint(sign, &self.significand << self.exponent as u64));
        }
        // In lowest terms without a greatest common divisor: the denominator is a power of two.
        let common = self.significand.trailing_zeros().unwrap_or(0).min(self.exponent.unsigned_abs());
        let numerator = BigInt::from_biguint(sign, &self.significand >> common);
        BigRational::new_raw(numerator, BigInt::one() << (self.exponent.unsigned_abs() - common))
    }
}

fn with_sticky(number: BigUint, inexact: bool) -> BigUint {
    (number << 1u8) + BigUint::from(inexact as u8)
}

fn rounds_up(mode: RoundingMode, negative: bool, is_odd: bool, half: Ordering, exact: bool) -> bool {
    match mode {
        RoundingMode::NearestEven => half == Ordering::Greater || (half == Ordering::Equal && is_odd),
        RoundingMode::NearestAway => half != Ordering::Less,
        RoundingMode::TowardPositive => !exact && !negative,
        RoundingMode::TowardNegative => !exact && negative,
        RoundingMode::TowardZero => false,
    }
}
