//! Sets of IEEE floats: an interval in the order -inf < ... < -0 < +0 < ... < +inf, and whether NaN is a member. The
//! interval is kept as keys, integers in that order, so the two zeros are told apart and every format up to 128 bits
//! has exact bounds. Rounding is monotone, so bounds of sums and products are those of the corners, computed by the same
//! functions that give terms their meaning, in every rounding mode that is possible. Where a corner is not a number
//! (inf - inf, 0 * inf) the interval is given up, never guessed.

use fathom_term::{FloatFormat, RoundingMode, float};

/// Which of the five rounding modes are possible.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Modes(pub u8);

impl Modes {
    pub const ALL: Modes = Modes(0b11111);

    pub fn only(mode: RoundingMode) -> Modes {
        Modes(1 << mode as u8)
    }

    pub fn iter(self) -> impl Iterator<Item = RoundingMode> {
        RoundingMode::ALL.into_iter().filter(move |&mode| self.0 & 1 << mode as u8 != 0)
    }
}

/// A non-empty set of floats of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FpSet {
    pub format: FloatFormat,
    /// Keys of the least and the greatest number; None if there is only NaN.
    pub bounds: Option<(i128, i128)>,
    pub nan: bool,
}

pub fn key(f: FloatFormat, bits: u128) -> i128 {
    let sign = 1u128 << (f.width() - 1);
    let magnitude = (bits & !sign) as i128;
    if bits & sign != 0 { -1 - magnitude } else { magnitude }
}

pub fn bits_of(f: FloatFormat, key: i128) -> u128 {
    let sign = 1u128 << (f.width() - 1);
    if key < 0 { (-1 - key) as u128 | sign } else { key as u128 }
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
    pub fn top(format: FloatFormat) -> FpSet {
        FpSet { format, bounds: Some((minus_infinity_key(format), infinity_key(format))), nan: true }
    }

    pub fn numbers(format: FloatFormat) -> FpSet {
        FpSet { nan: false, ..FpSet::top(format) }
    }

    pub fn only_nan(format: FloatFormat) -> FpSet {
        FpSet { format, bounds: None, nan: true }
    }

    pub fn constant(format: FloatFormat, bits: u128) -> FpSet {
        if float::is_nan(format, bits) {
            return FpSet::only_nan(format);
        }
        let key = key(format, bits);
        FpSet { format, bounds: Some((key, key)), nan: false }
    }

    pub fn between(format: FloatFormat, low: i128, high: i128, nan: bool) -> Option<FpSet> {
        let low = low.max(minus_infinity_key(format));
        let high = high.min(infinity_key(format));
        let bounds = (low <= high).then_some((low, high));
        (bounds.is_some() || nan).then_some(FpSet { format, bounds, nan })
    }

    pub fn is_top(&self) -> bool {
        *self == FpSet::top(self.format)
    }

    pub fn as_constant(&self) -> Option<u128> {
        match (self.bounds, self.nan) {
            (Some((low, high)), false) if low == high => Some(bits_of(self.format, low)),
            (None, true) => Some(float::nan(self.format)),
            _ => None,
        }
    }

    pub fn contains(&self, bits: u128) -> bool {
        if float::is_nan(self.format, bits) {
            return self.nan;
        }
        let key = key(self.format, bits);
        self.bounds.is_some_and(|(low, high)| (low..=high).contains(&key))
    }

    pub fn join(&self, other: &FpSet) -> FpSet {
        let bounds = match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (a, b) => a.or(b),
        };
        FpSet { format: self.format, bounds, nan: self.nan || other.nan }
    }

    pub fn meet(&self, other: &FpSet) -> Option<FpSet> {
        let bounds = match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => Some((a.max(c), b.min(d))).filter(|(low, high)| low <= high),
            _ => None,
        };
        let nan = self.nan && other.nan;
        (bounds.is_some() || nan).then_some(FpSet { format: self.format, bounds, nan })
    }

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
        let low = if low < old_low {
            thresholds.iter().rev().copied().find(|&t| t <= low).unwrap_or(minus_infinity_key(f))
        } else {
            low
        };
        let high = if high > old_high {
            thresholds.iter().copied().find(|&t| t >= high).unwrap_or(infinity_key(f))
        } else {
            high
        };
        let (low, high) = (low.max(minus_infinity_key(f)), high.min(infinity_key(f)));
        FpSet { bounds: Some((low, high)), ..joined }
    }

    fn has_infinity(&self) -> bool {
        self.bounds.is_some_and(|(low, high)| low == minus_infinity_key(self.format) || high == infinity_key(self.format))
    }

    fn has_zero(&self) -> bool {
        self.bounds.is_some_and(|(low, high)| low <= PLUS_ZERO && high >= MINUS_ZERO)
    }

    /// The hull of results at the corners; both zeros where a bound is one of them, because the sign of an exact zero
    /// depends on more than the order. A corner without a value gives up the interval.
    fn hull(format: FloatFormat, results: impl Iterator<Item = u128>, nan: bool) -> FpSet {
        let mut bounds: Option<(i128, i128)> = None;
        for bits in results {
            if float::is_nan(format, bits) {
                return FpSet::top(format);
            }
            let key = key(format, bits);
            bounds = Some(bounds.map_or((key, key), |(low, high)| (low.min(key), high.max(key))));
        }
        let bounds = bounds.map(|(low, high)| {
            (if low == PLUS_ZERO { MINUS_ZERO } else { low }, if high == MINUS_ZERO { PLUS_ZERO } else { high })
        });
        FpSet { format, bounds, nan: nan || bounds.is_none() }
    }

    fn corners<'a>(
        &'a self,
        other: &'a FpSet,
        modes: Modes,
        nan: bool,
        op: impl Fn(RoundingMode, u128, u128) -> u128 + 'a,
    ) -> FpSet {
        let f = self.format;
        let (Some((a, b)), Some((c, d))) = (self.bounds, other.bounds) else { return FpSet::only_nan(f) };
        let pairs = [(a, c), (a, d), (b, c), (b, d)];
        let results = modes.iter().flat_map(|mode| pairs.map(|(x, y)| op(mode, bits_of(f, x), bits_of(f, y))));
        FpSet::hull(f, results.collect::<Vec<_>>().into_iter(), nan)
    }

    pub fn add(&self, other: &FpSet, modes: Modes) -> FpSet {
        let f = self.format;
        let (Some((a, b)), Some((c, d))) = (self.bounds, other.bounds) else { return FpSet::only_nan(f) };
        let (minus, plus) = (minus_infinity_key(f), infinity_key(f));
        let nan = self.nan || other.nan || (a == minus && d == plus) || (b == plus && c == minus);
        // -inf + +inf at a corner of bounds is no number, although the bound itself is an infinity.
        let low = if a == minus || c == minus { Some(minus) } else { None };
        let high = if b == plus || d == plus { Some(plus) } else { None };
        let ends = |x: i128, y: i128| modes.iter().map(move |mode| float::add(f, mode, bits_of(f, x), bits_of(f, y)));
        let (lows, highs) = (ends(a, c).collect::<Vec<_>>(), ends(b, d).collect::<Vec<_>>());
        let lows = if low.is_some() { vec![float::infinity(f, true)] } else { lows };
        let highs = if high.is_some() { vec![float::infinity(f, false)] } else { highs };
        FpSet::hull(f, lows.into_iter().chain(highs), nan)
    }

    pub fn sub(&self, other: &FpSet, modes: Modes) -> FpSet {
        self.add(&other.neg(), modes)
    }

    pub fn mul(&self, other: &FpSet, modes: Modes) -> FpSet {
        let f = self.format;
        let zero_times_infinity = self.has_zero() && other.has_infinity() || self.has_infinity() && other.has_zero();
        if zero_times_infinity {
            return FpSet::top(f);
        }
        self.corners(other, modes, self.nan || other.nan, move |mode, x, y| float::mul(f, mode, x, y))
    }

    pub fn div(&self, other: &FpSet, modes: Modes) -> FpSet {
        let f = self.format;
        if other.has_zero() || self.has_infinity() && other.has_infinity() {
            return FpSet::top(f);
        }
        self.corners(other, modes, self.nan || other.nan, move |mode, x, y| float::div(f, mode, x, y))
    }

    pub fn neg(&self) -> FpSet {
        FpSet { bounds: self.bounds.map(|(low, high)| (-1 - high, -1 - low)), ..*self }
    }

    pub fn abs(&self) -> FpSet {
        let bounds = self.bounds.map(|(low, high)| match (low, high) {
            (low, high) if low >= 0 => (low, high),
            (low, high) if high < 0 => (-1 - high, -1 - low),
            (low, high) => (0, high.max(-1 - low)),
        });
        FpSet { bounds, ..*self }
    }

    fn monotone(&self, modes: Modes, to: FloatFormat, nan: bool, op: impl Fn(RoundingMode, u128) -> u128) -> FpSet {
        let Some((low, high)) = self.bounds else { return FpSet::only_nan(to) };
        let ends = [bits_of(self.format, low), bits_of(self.format, high)];
        let results: Vec<u128> = modes.iter().flat_map(|mode| ends.map(|end| op(mode, end))).collect();
        FpSet::hull(to, results.into_iter(), nan)
    }

    pub fn sqrt(&self, modes: Modes) -> FpSet {
        let f = self.format;
        let Some((low, high)) = self.bounds else { return FpSet::only_nan(f) };
        let nan = self.nan || low < MINUS_ZERO;
        match FpSet::between(f, low.max(MINUS_ZERO), high, false) {
            Some(part) => part.monotone(modes, f, nan, |mode, x| float::sqrt(f, mode, x)),
            None => FpSet::only_nan(f),
        }
    }

    pub fn round_to_integral(&self, modes: Modes) -> FpSet {
        let f = self.format;
        self.monotone(modes, f, self.nan, |mode, x| float::round_to_integral(f, mode, x))
    }

    pub fn convert(&self, to: FloatFormat, modes: Modes) -> FpSet {
        let from = self.format;
        self.monotone(modes, to, self.nan, |mode, x| float::convert(from, to, mode, x))
    }

    /// The IEEE remainder is not farther from zero than the dividend.
    pub fn rem(&self, other: &FpSet) -> FpSet {
        let nan = self.nan || other.nan || self.has_infinity() || other.has_zero();
        let Some((_, high)) = self.abs().bounds else { return FpSet::only_nan(self.format) };
        FpSet { format: self.format, bounds: Some((-1 - high, high)), nan }
    }

    pub fn min(&self, other: &FpSet) -> FpSet {
        self.selected(other, |x, y| x.min(y))
    }

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
    pub(crate) fn ordered(&self) -> Option<(i128, i128)> {
        let merge = |key: i128| if key < 0 { key + 1 } else { key };
        self.bounds.map(|(low, high)| (merge(low), merge(high)))
    }

    pub fn less(&self, other: &FpSet, or_equal: bool) -> Option<bool> {
        let (Some((a, b)), Some((c, d))) = (self.ordered(), other.ordered()) else { return Some(false) };
        let always = if or_equal { b <= c } else { b < c };
        let never = if or_equal { a > d } else { a >= d };
        if never {
            Some(false)
        } else if always && !self.nan && !other.nan {
            Some(true)
        } else {
            None
        }
    }

    pub fn ieee_equals(&self, other: &FpSet) -> Option<bool> {
        let (Some((a, b)), Some((c, d))) = (self.ordered(), other.ordered()) else { return Some(false) };
        if b < c || d < a {
            Some(false)
        } else if a == b && c == d && !self.nan && !other.nan {
            Some(true)
        } else {
            None
        }
    }

    /// Identity: NaN equals NaN, zeros differ.
    pub fn identical(&self, other: &FpSet) -> Option<bool> {
        match (self.as_constant(), other.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => self.meet(other).is_none().then_some(false),
        }
    }
}
