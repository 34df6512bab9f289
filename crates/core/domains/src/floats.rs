//! Sets of IEEE floats: an interval in the order -inf < ... < -0 < +0 < ... < +inf, and whether NaN is a member. The
//! interval is kept as keys, integers in that order, so the two zeros are told apart (their encodings differ, and abstract
//! interpretation follows encodings) and every format up to 128 bits has exact bounds. Arithmetic is that of
//! `float_interval`, in every rounding mode that is possible.

use crate::float_interval::{self, FloatInterval};
use fathom_term::{FloatFormat, RoundingMode, float};

/// Which of the five rounding modes are possible.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Modes(pub u8);

impl Modes {
    /// All five.
    pub const ALL: Modes = Modes(0b11111);

    /// Exactly this mode.
    pub fn only(mode: RoundingMode) -> Modes {
        Modes(1 << mode as u8)
    }

    /// The modes that are possible.
    pub fn iter(self) -> impl Iterator<Item = RoundingMode> {
        RoundingMode::ALL.into_iter().filter(move |&mode| self.0 & 1 << mode as u8 != 0)
    }
}

/// A non-empty set of floats of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FpSet {
    /// The format of every member.
    pub format: FloatFormat,
    /// Keys of the least and the greatest number; None if there is only NaN.
    pub bounds: Option<(i128, i128)>,
    /// Whether NaN is a member.
    pub nan: bool,
}

/// The place of a float in the order.
pub fn key(f: FloatFormat, bits: u128) -> i128 {
    let sign = 1u128 << (f.width() - 1);
    let magnitude = (bits & !sign) as i128;
    if bits & sign != 0 { -1 - magnitude } else { magnitude }
}

/// The float of a key.
pub fn bits_of(f: FloatFormat, key: i128) -> u128 {
    let sign = 1u128 << (f.width() - 1);
    if key < 0 { (-1 - key) as u128 | sign } else { key as u128 }
}

/// The position of a key (see `float_interval`): both zeros are in one place.
fn merged(key: i128) -> i128 {
    if key < 0 { key + 1 } else { key }
}

const MINUS_ZERO: i128 = -1;
const PLUS_ZERO: i128 = 0;

fn infinity_key(f: FloatFormat) -> i128 {
    key(f, float::infinity(f, false))
}

fn minus_infinity_key(f: FloatFormat) -> i128 {
    key(f, float::infinity(f, true))
}

impl FpSet {
    /// Every float.
    pub fn top(format: FloatFormat) -> FpSet {
        FpSet { format, bounds: Some((minus_infinity_key(format), infinity_key(format))), nan: true }
    }

    /// Every float but NaN.
    pub fn numbers(format: FloatFormat) -> FpSet {
        FpSet { nan: false, ..FpSet::top(format) }
    }

    /// NaN alone.
    pub fn only_nan(format: FloatFormat) -> FpSet {
        FpSet { format, bounds: None, nan: true }
    }

    /// Exactly this float.
    pub fn constant(format: FloatFormat, bits: u128) -> FpSet {
        if float::is_nan(format, bits) {
            return FpSet::only_nan(format);
        }
        let key = key(format, bits);
        FpSet { format, bounds: Some((key, key)), nan: false }
    }

    /// The floats between two keys, and NaN if asked for; None if there is none.
    pub fn between(format: FloatFormat, low: i128, high: i128, nan: bool) -> Option<FpSet> {
        let low = low.max(minus_infinity_key(format));
        let high = high.min(infinity_key(format));
        let bounds = (low <= high).then_some((low, high));
        (bounds.is_some() || nan).then_some(FpSet { format, bounds, nan })
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        *self == FpSet::top(self.format)
    }

    /// The only member, if there is one.
    pub fn as_constant(&self) -> Option<u128> {
        match (self.bounds, self.nan) {
            (Some((low, high)), false) if low == high => Some(bits_of(self.format, low)),
            (None, true) => Some(float::nan(self.format)),
            _ => None,
        }
    }

    /// Whether a float is a member.
    pub fn contains(&self, bits: u128) -> bool {
        if float::is_nan(self.format, bits) {
            return self.nan;
        }
        let key = key(self.format, bits);
        self.bounds.is_some_and(|(low, high)| (low..=high).contains(&key))
    }

    /// The smallest set of this domain that holds both.
    pub fn join(&self, other: &FpSet) -> FpSet {
        let bounds = match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (a, b) => a.or(b),
        };
        FpSet { format: self.format, bounds, nan: self.nan || other.nan }
    }

    /// The intersection; none if it is empty.
    pub fn meet(&self, other: &FpSet) -> Option<FpSet> {
        let bounds = match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => Some((a.max(c), b.min(d))).filter(|(low, high)| low <= high),
            _ => None,
        };
        let nan = self.nan && other.nan;
        (bounds.is_some() || nan).then_some(FpSet { format: self.format, bounds, nan })
    }

    /// Whether all members are in the other.
    pub fn is_within(&self, other: &FpSet) -> bool {
        let bounds = match (self.bounds, other.bounds) {
            (None, _) => true,
            (Some((a, b)), Some((c, d))) => a >= c && b <= d,
            (Some(_), None) => false,
        };
        bounds && (!self.nan || other.nan)
    }

    /// A bound that moved goes to the next of the thresholds (keys), or to infinity.
    pub fn widen(&self, next: &FpSet, thresholds: &[i128]) -> FpSet {
        let joined = self.join(next);
        let (Some((old_low, old_high)), Some((low, high))) = (self.bounds, joined.bounds) else { return joined };
        let f = self.format;
        let low = if low < old_low { thresholds.iter().rev().copied().find(|&t| t <= low).unwrap_or(minus_infinity_key(f)) } else { low };
        let high = if high > old_high { thresholds.iter().copied().find(|&t| t >= high).unwrap_or(infinity_key(f)) } else { high };
        let (low, high) = (low.max(minus_infinity_key(f)), high.min(infinity_key(f)));
        FpSet { bounds: Some((low, high)), ..joined }
    }

    fn has_zero(&self) -> bool {
        self.bounds.is_some_and(|(low, high)| low <= PLUS_ZERO && high >= MINUS_ZERO)
    }

    // ---- arithmetic: that of intervals in which both zeros are one

    /// Without telling the zeros apart.
    fn interval(&self) -> FloatInterval {
        match self.bounds {
            Some((low, high)) => FloatInterval { low: merged(low), high: merged(high), nan: self.nan },
            None => FloatInterval { nan: self.nan, ..FloatInterval::NOTHING },
        }
    }

    /// The sign of a zero that is a result depends on more than the order, so at a bound it may be either.
    fn from_interval(format: FloatFormat, interval: FloatInterval) -> FpSet {
        let bounds = (
            if interval.low <= 0 { interval.low - 1 } else { interval.low },
            if interval.high < 0 { interval.high - 1 } else { interval.high },
        );
        FpSet { format, bounds: interval.has_numbers().then_some(bounds), nan: interval.nan }
    }

    /// What an operation gives in any of the modes.
    fn in_modes(format: FloatFormat, modes: Modes, op: impl Fn(RoundingMode) -> FloatInterval) -> FpSet {
        let all = modes.iter().map(op).reduce(|known, more| known.hull(&more));
        all.map_or_else(|| FpSet::top(format), |interval| FpSet::from_interval(format, interval))
    }

    /// Sums.
    pub fn add(&self, other: &FpSet, modes: Modes) -> FpSet {
        let (f, a, b) = (self.format, self.interval(), other.interval());
        FpSet::in_modes(f, modes, |mode| a.add(&b, f, mode))
    }

    /// Differences.
    pub fn sub(&self, other: &FpSet, modes: Modes) -> FpSet {
        self.add(&other.neg(), modes)
    }

    /// Products.
    pub fn mul(&self, other: &FpSet, modes: Modes) -> FpSet {
        let (f, a, b) = (self.format, self.interval(), other.interval());
        FpSet::in_modes(f, modes, |mode| a.mul(&b, f, mode))
    }

    /// Quotients.
    pub fn div(&self, other: &FpSet, modes: Modes) -> FpSet {
        let (f, a, b) = (self.format, self.interval(), other.interval());
        FpSet::in_modes(f, modes, |mode| a.div(&b, f, mode))
    }

    /// Negation.
    pub fn neg(&self) -> FpSet {
        FpSet { bounds: self.bounds.map(|(low, high)| (-1 - high, -1 - low)), ..*self }
    }

    /// Magnitudes.
    pub fn abs(&self) -> FpSet {
        let bounds = self.bounds.map(|(low, high)| match (low, high) {
            (low, high) if low >= 0 => (low, high),
            (low, high) if high < 0 => (-1 - high, -1 - low),
            (low, high) => (0, high.max(-1 - low)),
        });
        FpSet { bounds, ..*self }
    }

    /// Square roots.
    pub fn sqrt(&self, modes: Modes) -> FpSet {
        let (f, a) = (self.format, self.interval());
        FpSet::in_modes(f, modes, |mode| a.sqrt(f, mode))
    }

    /// The integers that the modes round to.
    pub fn round_to_integral(&self, modes: Modes) -> FpSet {
        let (f, a) = (self.format, self.interval());
        FpSet::in_modes(f, modes, |mode| a.map(f, f, |x| float::round_to_integral(f, mode, x)))
    }

    /// The numbers in another format.
    pub fn convert(&self, to: FloatFormat, modes: Modes) -> FpSet {
        let (from, a) = (self.format, self.interval());
        FpSet::in_modes(to, modes, |mode| a.map(from, to, |x| float::convert(from, to, mode, x)))
    }

    /// IEEE remainders.
    pub fn rem(&self, other: &FpSet) -> FpSet {
        FpSet::from_interval(self.format, self.interval().rem(&other.interval(), self.format))
    }

    /// The smaller of two, where NaN loses.
    pub fn min(&self, other: &FpSet) -> FpSet {
        self.selected(other, |x, y| x.min(y))
    }

    /// The larger of two, where NaN loses.
    pub fn max(&self, other: &FpSet) -> FpSet {
        self.selected(other, |x, y| x.max(y))
    }

    /// The smaller or larger one; of a number and NaN the number; of two zeros either.
    fn selected(&self, other: &FpSet, choose: fn(i128, i128) -> i128) -> FpSet {
        let f = self.format;
        let chosen = match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => {
                let (low, high) = (choose(a, c), choose(b, d));
                let zeros = self.has_zero() && other.has_zero();
                let low = if zeros { low.min(MINUS_ZERO) } else { low };
                let high = if zeros { high.max(PLUS_ZERO) } else { high };
                Some(FpSet { format: f, bounds: Some((low, high)), nan: false })
            }
            _ => None,
        };
        let mut result = chosen;
        let mut include = |part: FpSet| result = Some(result.take().map_or(part.clone(), |known| known.join(&part)));
        if self.nan {
            include(other.clone());
        }
        if other.nan {
            include(self.clone());
        }
        result.unwrap_or_else(|| FpSet::top(f))
    }

    // ---- comparisons; both zeros are one number there

    /// Bounds in which -0 and +0 have one key.
    pub fn ordered(&self) -> Option<(i128, i128)> {
        self.bounds.map(|(low, high)| (merged(low), merged(high)))
    }

    /// IEEE's `<`, or `<=`.
    pub fn less(&self, other: &FpSet, or_equal: bool) -> Option<bool> {
        float_interval::less(&self.interval(), &other.interval(), or_equal).decided()
    }

    /// IEEE's `==`.
    pub fn ieee_equals(&self, other: &FpSet) -> Option<bool> {
        float_interval::equal(&self.interval(), &other.interval()).decided()
    }

    /// Identity: NaN equals NaN, zeros differ.
    pub fn identical(&self, other: &FpSet) -> Option<bool> {
        match (self.as_constant(), other.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => self.meet(other).is_none().then_some(false),
        }
    }
}
