//! Intervals of mathematical numbers (Boogie's `int` and `real`) whose ends may be missing. Bounds are closed; a strict
//! inequality of integers moves the bound by one, one of reals keeps it (a closed interval contains the open one).

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// A bound larger than this is dropped: numbers that double in a loop must not fill the memory.
const MAX_BITS: u64 = 256;

/// A mathematical number.
pub trait Number: Clone + Ord + Signed + std::fmt::Debug {
    /// How many bits it takes.
    fn size(&self) -> u64;
}

impl Number for BigInt {
    fn size(&self) -> u64 {
        self.bits()
    }
}

impl Number for BigRational {
    fn size(&self) -> u64 {
        self.numer().bits() + self.denom().bits()
    }
}

/// Between two bounds, of which either may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range<T> {
    /// The least member or a number below it; None: unbounded.
    pub low: Option<T>,
    /// The greatest member or a number above it; None: unbounded.
    pub high: Option<T>,
}

impl<T: Number> Range<T> {
    /// Every number.
    pub fn top() -> Self {
        Range { low: None, high: None }
    }

    /// Exactly this number.
    pub fn constant(value: T) -> Self {
        Range::new(Some(value.clone()), Some(value))
    }

    /// Between two bounds, unless they are too large to be kept.
    pub fn new(low: Option<T>, high: Option<T>) -> Self {
        let small = |bound: &T| bound.size() <= MAX_BITS;
        Range { low: low.filter(small), high: high.filter(small) }
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// The only number, if there is one.
    pub fn as_constant(&self) -> Option<&T> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high => Some(low),
            _ => None,
        }
    }

    /// Whether a number is a member.
    pub fn contains(&self, value: &T) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value) && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// The smallest interval around both.
    pub fn join(&self, other: &Self) -> Self {
        let pick = |a: &Option<T>, b: &Option<T>, least: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == least { a.clone() } else { b.clone() }),
            _ => None,
        };
        Range { low: pick(&self.low, &other.low, true), high: pick(&self.high, &other.high, false) }
    }

    /// The intersection; none if it is empty.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let pick = |a: &Option<T>, b: &Option<T>, least: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == least { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let both = Range { low: pick(&self.low, &other.low, false), high: pick(&self.high, &other.high, true) };
        match (&both.low, &both.high) {
            (Some(low), Some(high)) if low > high => None,
            _ => Some(both),
        }
    }

    /// Whether all members are in the other.
    pub fn is_within(&self, other: &Self) -> bool {
        let low = match (&self.low, &other.low) {
            (_, None) => true,
            (Some(own), Some(bound)) => own >= bound,
            (None, Some(_)) => false,
        };
        let high = match (&self.high, &other.high) {
            (_, None) => true,
            (Some(own), Some(bound)) => own <= bound,
            (None, Some(_)) => false,
        };
        low && high
    }

    /// A bound that moved goes to the next threshold, or is given up.
    pub fn widen(&self, next: &Self, thresholds: &[T]) -> Self {
        let joined = self.join(next);
        let low = match (&self.low, joined.low) {
            (Some(old), Some(new)) if new < *old => thresholds.iter().rev().find(|t| **t <= new).cloned(),
            (_, new) => new,
        };
        let high = match (&self.high, joined.high) {
            (Some(old), Some(new)) if new > *old => thresholds.iter().find(|t| **t >= new).cloned(),
            (_, new) => new,
        };
        Range::new(low, high)
    }

    /// Sums.
    pub fn add(&self, other: &Self) -> Self {
        let sum = |a: &Option<T>, b: &Option<T>| Some(a.clone()? + b.clone()?);
        Range::new(sum(&self.low, &other.low), sum(&self.high, &other.high))
    }

    /// Negation.
    pub fn neg(&self) -> Self {
        Range { low: self.high.clone().map(|high| -high), high: self.low.clone().map(|low| -low) }
    }

    /// Products.
    pub fn mul(&self, other: &Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (&self.low, &self.high, &other.low, &other.high) {
            let corners = [a.clone() * c.clone(), a.clone() * d.clone(), b.clone() * c.clone(), b.clone() * d.clone()];
            return Range::new(corners.iter().min().cloned(), corners.iter().max().cloned());
        }
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => other.scaled(factor),
            (_, Some(factor)) => self.scaled(factor),
            _ => self.sign_of_product(other),
        }
    }

    fn scaled(&self, factor: &T) -> Self {
        if factor.is_zero() {
            return Range::constant(T::zero());
        }
        let times = |bound: &Option<T>| bound.clone().map(|bound| bound * factor.clone());
        let (low, high) = (times(&self.low), times(&self.high));
        if factor.is_positive() { Range::new(low, high) } else { Range::new(high, low) }
    }

    fn sign_of_product(&self, other: &Self) -> Self {
        let sign = |range: &Self| match (&range.low, &range.high) {
            (Some(low), _) if !low.is_negative() => Some(true),
            (_, Some(high)) if !high.is_positive() => Some(false),
            _ => None,
        };
        match (sign(self), sign(other)) {
            (Some(a), Some(b)) if a == b => Range { low: Some(T::zero()), high: None },
            (Some(_), Some(_)) => Range { low: None, high: Some(T::zero()) },
            _ => Range::top(),
        }
    }

    /// Whether it is less, if that is certain.
    pub fn less(&self, other: &Self) -> Option<bool> {
        match (&self.low, &self.high, &other.low, &other.high) {
            (_, Some(high), Some(low), _) if high < low => Some(true),
            (Some(low), _, _, Some(high)) if low >= high => Some(false),
            _ => None,
        }
    }

    /// Whether both are the same number, if that is certain.
    pub fn equals(&self, other: &Self) -> Option<bool> {
        match (self.as_constant(), other.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => self.meet(other).is_none().then_some(false),
        }
    }
}

impl Range<BigInt> {
    /// Euclidean division by a constant (zero gives zero); by anything else only the sign is known.
    pub fn div(&self, other: &Self) -> Self {
        match other.as_constant() {
            Some(zero) if zero.is_zero() => Range::constant(BigInt::zero()),
            Some(divisor) if divisor.is_positive() => {
                let divide = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound.div_floor(divisor));
                Range::new(divide(&self.low), divide(&self.high))
            }
            Some(divisor) => {
                // Euclidean: x div -d = -(x div d).
                self.div(&Range::constant(-divisor)).neg()
            }
            None => self.div_by_sign(other),
        }
    }

    fn div_by_sign(&self, other: &Self) -> Self {
        let is_natural = |range: &Self| range.low.as_ref().is_some_and(|low| !low.is_negative());
        if is_natural(self) && is_natural(other) {
            return Range { low: Some(BigInt::zero()), high: self.high.clone() };
        }
        Range::top()
    }

    /// The Euclidean remainder: between 0 and |divisor| - 1; by zero the dividend.
    pub fn rem(&self, other: &Self) -> Self {
        let may_be_zero = other.contains(&BigInt::zero());
        let farthest = match (&other.low, &other.high) {
            (Some(low), Some(high)) => Some(low.abs().max(high.abs())),
            _ => None,
        };
        let is_natural = self.low.as_ref().is_some_and(|low| !low.is_negative());
        if let (Some(low), Some(high)) = (&other.low, &self.high)
            && is_natural
            && high < low
        {
            return self.clone();
        }
        let below_divisor = Range::new(Some(BigInt::zero()), farthest.map(|most: BigInt| (most - 1i32).max(BigInt::zero())));
        let rest = if is_natural {
            // A remainder is not larger than a dividend that is not negative.
            let own = Range { low: Some(BigInt::zero()), high: self.high.clone() };
            below_divisor.meet(&own).unwrap_or(below_divisor)
        } else {
            below_divisor
        };
        if may_be_zero { rest.join(self) } else { rest }
    }
}
