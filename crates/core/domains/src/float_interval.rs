//! Sets of floats: an interval, and whether NaN is in it. Bounds are positions in the order of all floats of the format
//! (`-infinity < ... < 0 < ... < infinity`, both zeros in one place), so every format is treated alike and a bound is a
//! float exactly. Rounding is monotone, so the exact bounds of a rounded operation are the rounded operation of
//! bounds, in the same mode: nothing is lost to outward rounding.

use fathom_term::{FloatFormat, RoundingMode, float};

/// Numbers between two positions, and perhaps NaN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FloatInterval {
    /// No number at all if `low > high`.
    pub low: i128,
    /// The last position, inclusive.
    pub high: i128,
    /// Whether NaN is a member.
    pub nan: bool,
}

/// A float's position among all floats.
pub fn position(format: FloatFormat, bits: u128) -> i128 {
    let magnitude = float::abs(format, bits) as i128;
    if float::is_negative(format, bits) { -magnitude } else { magnitude }
}

/// The float at a position; zero is the positive one.
pub fn at(format: FloatFormat, position: i128) -> u128 {
    let magnitude = position.unsigned_abs();
    if position < 0 { float::neg(format, magnitude) } else { magnitude }
}

/// The position of infinity.
pub fn infinity(format: FloatFormat) -> i128 {
    float::infinity(format, false) as i128
}

impl FloatInterval {
    /// The empty set.
    pub const NOTHING: FloatInterval = FloatInterval { low: 1, high: 0, nan: false };

    /// Every float.
    pub fn everything(format: FloatFormat) -> Self {
        Self { low: -infinity(format), high: infinity(format), nan: true }
    }

    /// Exactly this float.
    pub fn point(format: FloatFormat, bits: u128) -> Self {
        if float::is_nan(format, bits) {
            return Self { nan: true, ..Self::NOTHING };
        }
        let here = position(format, bits);
        Self { low: here, high: here, nan: false }
    }

    /// Whether something else than NaN is in it.
    pub fn has_numbers(&self) -> bool {
        self.low <= self.high
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        !self.has_numbers() && !self.nan
    }

    /// Whether the range is a single value; the two zeros count as one.
    pub fn is_point(&self) -> bool {
        if self.nan { !self.has_numbers() } else { self.low == self.high }
    }

    /// Whether a zero is in it.
    pub fn contains_zero(&self) -> bool {
        self.low <= 0 && 0 <= self.high
    }

    /// Whether an infinity is in it.
    pub fn contains_infinity(&self, format: FloatFormat) -> bool {
        self.has_numbers() && (self.low == -infinity(format) || self.high == infinity(format))
    }

    /// The smallest interval around both.
    pub fn hull(&self, other: &FloatInterval) -> FloatInterval {
        let nan = self.nan || other.nan;
        match (self.has_numbers(), other.has_numbers()) {
            (true, true) => FloatInterval { low: self.low.min(other.low), high: self.high.max(other.high), nan },
            (true, false) => FloatInterval { nan, ..*self },
            _ => FloatInterval { nan, ..*other },
        }
    }

    /// Negation.
    pub fn negated(&self) -> FloatInterval {
        if self.has_numbers() { FloatInterval { low: -self.high, high: -self.low, nan: self.nan } } else { *self }
    }

    /// The magnitudes.
    pub fn absolute(&self) -> FloatInterval {
        match self.has_numbers() {
            true if self.contains_zero() => FloatInterval { low: 0, high: self.high.max(-self.low), nan: self.nan },
            true if self.high < 0 => self.negated(),
            _ => *self,
        }
    }

    /// A monotone function of one number that is never NaN.
    pub fn map(&self, from: FloatFormat, to: FloatFormat, apply: impl Fn(u128) -> u128) -> FloatInterval {
        if !self.has_numbers() {
            return *self;
        }
        let image = |bound| position(to, apply(at(from, bound)));
        FloatInterval { low: image(self.low), high: image(self.high), nan: self.nan }
    }

    /// Sums.
    pub fn add(&self, other: &FloatInterval, format: FloatFormat, mode: RoundingMode) -> FloatInterval {
        let nan = self.nan || other.nan;
        if !self.has_numbers() || !other.has_numbers() {
            return FloatInterval { nan, ..Self::NOTHING };
        }
        let top = infinity(format);
        let opposite = (self.high == top && other.low == -top) || (self.low == -top && other.high == top);
        // Opposite infinities at a bound have no sum; anything may be next to them.
        let bound = |a: i128, b: i128, worst: i128| {
            let sum = float::add(format, mode, at(format, a), at(format, b));
            if float::is_nan(format, sum) { worst } else { position(format, sum) }
        };
        FloatInterval { low: bound(self.low, other.low, -top), high: bound(self.high, other.high, top), nan: nan || opposite }
    }

    /// Products.
    pub fn mul(&self, other: &FloatInterval, format: FloatFormat, mode: RoundingMode) -> FloatInterval {
        let invalid =
            (self.contains_zero() && other.contains_infinity(format)) || (other.contains_zero() && self.contains_infinity(format));
        self.corners(other, format, invalid, |a, b| float::mul(format, mode, a, b))
    }

    /// The product with itself.
    pub fn square(&self, format: FloatFormat, mode: RoundingMode) -> FloatInterval {
        self.absolute().map(format, format, |a| float::mul(format, mode, a, a))
    }

    /// Quotients.
    pub fn div(&self, other: &FloatInterval, format: FloatFormat, mode: RoundingMode) -> FloatInterval {
        if !self.has_numbers() || !other.has_numbers() {
            return FloatInterval { nan: self.nan || other.nan, ..Self::NOTHING };
        }
        let invalid =
            (self.contains_zero() && other.contains_zero()) || (self.contains_infinity(format) && other.contains_infinity(format));
        if other.contains_zero() {
            // The sign of the zero decides which infinity it is.
            return FloatInterval { nan: self.nan || other.nan || invalid, ..Self::everything(format) };
        }
        self.corners(other, format, invalid, |a, b| float::div(format, mode, a, b))
    }

    /// An operation that is monotone in each operand on either side of zero; its extremes are among the corners. Corners
    /// without a value have neighbours that count.
    fn corners(&self, other: &FloatInterval, format: FloatFormat, invalid: bool, apply: impl Fn(u128, u128) -> u128) -> FloatInterval {
        let mut result = FloatInterval { nan: self.nan || other.nan || invalid, ..Self::NOTHING };
        if !self.has_numbers() || !other.has_numbers() {
            return FloatInterval { nan: self.nan || other.nan, ..Self::NOTHING };
        }
        for a in [self.low, self.high] {
            for b in [other.low, other.high] {
                let nan = result.nan;
                result = result.hull(&FloatInterval::point(format, apply(at(format, a), at(format, b))));
                result.nan = nan;
            }
        }
        // Zero times something finite lies between corners that have no value.
        if invalid && self.contains_zero() | other.contains_zero() {
            result = result.hull(&FloatInterval { low: 0, high: 0, nan: true });
        }
        result
    }

    /// Square roots.
    pub fn sqrt(&self, format: FloatFormat, mode: RoundingMode) -> FloatInterval {
        let nan = self.nan || (self.has_numbers() && self.low < 0);
        let positive = FloatInterval { low: self.low.max(0), high: self.high, nan };
        if !self.has_numbers() || self.high < 0 {
            return FloatInterval { nan, ..Self::NOTHING };
        }
        positive.map(format, format, |a| float::sqrt(format, mode, a))
    }

    /// The difference with itself: zero, or NaN if it is no finite number.
    pub fn minus_itself(&self, format: FloatFormat) -> FloatInterval {
        let top = infinity(format);
        let finite = self.has_numbers() && self.low < top && self.high > -top;
        let nan = self.nan || self.contains_infinity(format);
        if finite { FloatInterval { low: 0, high: 0, nan } } else { FloatInterval { nan, ..Self::NOTHING } }
    }

    /// The IEEE remainder: never larger than half of the divisor, nor than the dividend.
    pub fn rem(&self, other: &FloatInterval, format: FloatFormat) -> FloatInterval {
        let top = infinity(format);
        let invalid = self.contains_infinity(format) || (other.has_numbers() && other.contains_zero());
        let nan = self.nan || other.nan || invalid;
        if !self.has_numbers() || !other.has_numbers() {
            return FloatInterval { nan, ..Self::NOTHING };
        }
        let limit = self.absolute().high.min(top - 1);
        let limit = if other.absolute().high == top { limit } else { limit.min(other.absolute().high) };
        FloatInterval { low: -limit, high: limit, nan }
    }

    /// The smaller of two, where NaN loses.
    pub fn min(&self, other: &FloatInterval) -> FloatInterval {
        let mut result = match (self.has_numbers(), other.has_numbers()) {
            (true, true) => FloatInterval { low: self.low.min(other.low), high: self.high.min(other.high), nan: false },
            (true, false) => *self,
            _ => *other,
        };
        if self.nan && other.has_numbers() {
            result = result.hull(other);
        }
        if other.nan && self.has_numbers() {
            result = result.hull(self);
        }
        FloatInterval { nan: self.nan && other.nan, ..result }
    }

    /// The larger of two, where NaN loses.
    pub fn max(&self, other: &FloatInterval) -> FloatInterval {
        self.negated().min(&other.negated()).negated()
    }
}

/// The abstract truth value of a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Some member satisfies the condition.
    pub may_hold: bool,
    /// Some member does not satisfy it.
    pub may_fail: bool,
}

impl Truth {
    /// Nothing is known.
    pub const UNKNOWN: Truth = Truth { may_hold: true, may_fail: true };

    /// Exactly this truth value.
    pub fn of(value: bool) -> Self {
        Self { may_hold: value, may_fail: !value }
    }

    /// The answer, if there is only one.
    pub fn decided(self) -> Option<bool> {
        (self.may_hold != self.may_fail).then_some(self.may_hold)
    }

    /// Negation.
    pub fn negated(self) -> Self {
        Self { may_hold: self.may_fail, may_fail: self.may_hold }
    }

    /// Conjunction.
    pub fn and(self, other: Self) -> Self {
        Self { may_hold: self.may_hold && other.may_hold, may_fail: self.may_fail || other.may_fail }
    }

    /// Disjunction.
    pub fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    /// Whether exactly one holds.
    pub fn xor(self, other: Self) -> Self {
        Self {
            may_hold: (self.may_hold && other.may_fail) || (self.may_fail && other.may_hold),
            may_fail: (self.may_hold && other.may_hold) || (self.may_fail && other.may_fail),
        }
    }
}

/// IEEE's `<`, or `<=`.
pub fn less(a: &FloatInterval, b: &FloatInterval, or_equal: bool) -> Truth {
    let slack = or_equal as i128;
    let numbers = a.has_numbers() && b.has_numbers();
    Truth { may_hold: numbers && a.low < b.high + slack, may_fail: a.nan || b.nan || (numbers && a.high + 1 - slack > b.low) }
}

/// IEEE's `==`.
pub fn equal(a: &FloatInterval, b: &FloatInterval) -> Truth {
    let numbers = a.has_numbers() && b.has_numbers();
    let overlap = numbers && a.low <= b.high && b.low <= a.high;
    let one = numbers && a.low == a.high && b.low == b.high && a.low == b.low;
    Truth { may_hold: overlap, may_fail: a.nan || b.nan || (numbers && !one) }
}

/// Identity; zero's position is two floats.
pub fn identical(a: &FloatInterval, b: &FloatInterval) -> Truth {
    let overlap = a.has_numbers() && b.has_numbers() && a.low <= b.high && b.low <= a.high;
    let one = a.is_point() && b.is_point() && a.nan == b.nan && (a.nan || (a.low == b.low && a.low != 0));
    Truth { may_hold: overlap || (a.nan && b.nan), may_fail: !one }
}
