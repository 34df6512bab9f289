//! Sets of bit-vectors of one width, described three ways at once: an unsigned interval, a signed interval and bits
//! that are known. Each view is sound by itself; `Num::new` lets them sharpen each other (a reduced product), so an
//! operation may compute only the views that it is good at. Neither interval wraps around: a set that crosses the end
//! of one order is described by the other, or by neither.

/// Wider bit-vectors are not followed: sums of two bounds must fit an `i128`.
pub const MAX_WIDTH: u32 = 126;

/// A non-empty set of bit-vectors.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Num {
    /// Bits of every member, at most 128.
    pub width: u32,
    /// The least member, read as unsigned.
    pub umin: u128,
    /// The greatest member, read as unsigned.
    pub umax: u128,
    /// The least member, read as two's complement.
    pub smin: i128,
    /// The greatest member, read as two's complement.
    pub smax: i128,
    /// Bits that are 0 in every member.
    pub zeros: u128,
    /// Bits that are 1 in every member.
    pub ones: u128,
}

/// The bits of a width.
pub fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

/// The unsigned reading of a number modulo 2^width.
pub fn wrap(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

/// The signed reading of bits.
pub fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The least signed number of a width.
pub fn signed_min(width: u32) -> i128 {
    -(1 << (width - 1))
}

/// The greatest signed number of a width.
pub fn signed_max(width: u32) -> i128 {
    (1 << (width - 1)) - 1
}

impl Num {
    /// Every value.
    pub fn top(width: u32) -> Num {
        Num { width, umin: 0, umax: mask(width), smin: signed_min(width), smax: signed_max(width), zeros: 0, ones: 0 }
    }

    /// Exactly this value.
    pub fn constant(bits: u128, width: u32) -> Num {
        let bits = bits & mask(width);
        let value = signed(bits, width);
        Num { width, umin: bits, umax: bits, smin: value, smax: value, zeros: !bits & mask(width), ones: bits }
    }

    /// Between two numbers in the unsigned order; None if there is none.
    pub fn unsigned(width: u32, umin: u128, umax: u128) -> Option<Num> {
        Num { umin, umax: umax.min(mask(width)), ..Num::top(width) }.reduced()
    }

    /// Between two numbers in the signed order; None if there is none.
    pub fn signed(width: u32, smin: i128, smax: i128) -> Option<Num> {
        let smin = smin.max(signed_min(width));
        Num { smin, smax: smax.min(signed_max(width)), ..Num::top(width) }.reduced()
    }

    /// With these bits known; None if they contradict each other.
    pub fn bits(width: u32, zeros: u128, ones: u128) -> Option<Num> {
        Num { zeros, ones, ..Num::top(width) }.reduced()
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        *self == Num::top(self.width)
    }

    /// The only value, if there is one.
    pub fn as_constant(&self) -> Option<u128> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Whether a value is a member.
    pub fn contains(&self, bits: u128) -> bool {
        let value = signed(bits, self.width);
        (self.umin..=self.umax).contains(&bits)
            && (self.smin..=self.smax).contains(&value)
            && bits & self.zeros == 0
            && bits & self.ones == self.ones
    }

    /// The number of low bits that are known.
    pub fn known_low_bits(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }

    /// The least power of two's exponent that divides every member.
    pub fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones().min(self.width)
    }

    /// The smallest set of this domain that holds both.
    pub fn join(&self, other: &Num) -> Num {
        Num {
            width: self.width,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// The intersection; none if it is empty.
    pub fn meet(&self, other: &Num) -> Option<Num> {
        Num {
            width: self.width,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
        .reduced()
    }

    /// Whether each view lies within that of the other.
    pub fn is_within(&self, other: &Num) -> bool {
        self.umin >= other.umin
            && self.umax <= other.umax
            && self.smin >= other.smin
            && self.smax <= other.smax
            && other.zeros & !self.zeros == 0
            && other.ones & !self.ones == 0
    }

    /// Everything but one value, as far as intervals can say that.
    pub fn without(&self, bits: u128) -> Option<Num> {
        let value = signed(bits, self.width);
        let mut rest = *self;
        if rest.umin == bits {
            rest.umin += 1;
        }
        if rest.umax == bits {
            rest.umax = rest.umax.checked_sub(1)?;
        }
        if rest.smin == value {
            rest.smin += 1;
        }
        if rest.smax == value {
            rest.smax -= 1;
        }
        rest.reduced()
    }

    /// Sharpens each view of the set (signed, unsigned, bits) by the others; none if the set is empty.
    pub fn reduced(mut self) -> Option<Num> {
        for _ in 0..3 {
            let before = self;
            self.bounds_from_bits();
            self.signed_from_unsigned();
            self.unsigned_from_signed();
            if self.umin > self.umax || self.smin > self.smax {
                return None;
            }
            self.bits_from_bounds();
            if self.zeros & self.ones != 0 {
                return None;
            }
            if self == before {
                break;
            }
        }
        Some(self)
    }

    fn bounds_from_bits(&mut self) {
        let all = mask(self.width);
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(!self.zeros & all);
        let sign = 1u128 << (self.width - 1);
        if self.zeros & sign != 0 {
            self.smin = self.smin.max(0);
        }
        if self.ones & sign != 0 {
            self.smax = self.smax.min(-1);
        }
        // Low bits that are known: round the bounds inwards to the next members of that residue class.
        let low = self.known_low_bits();
        if low == 0 || low >= self.width {
            return;
        }
        let (step, residue) = (1u128 << low, self.ones & ((1 << low) - 1));
        self.umin += residue.wrapping_sub(self.umin) & (step - 1);
        let down = self.umax.wrapping_sub(residue) & (step - 1);
        // Below the first member: empty, which the caller sees by the bounds' order.
        self.umax = self.umax.saturating_sub(down);
        if self.umax & (step - 1) != residue {
            self.umin = self.umin.max(1);
            self.umax = 0;
        }
        self.smin += (residue.wrapping_sub(self.smin as u128) & (step - 1)) as i128;
        self.smax -= ((self.smax as u128).wrapping_sub(residue) & (step - 1)) as i128;
    }

    fn signed_from_unsigned(&mut self) {
        let (half, size) = (1u128 << (self.width - 1), 1i128 << self.width);
        let (low, high) = (self.umin as i128, self.umax as i128);
        if self.umax < half {
            self.smin = self.smin.max(low);
            self.smax = self.smax.min(high);
        } else if self.umin >= half {
            self.smin = self.smin.max(low - size);
            self.smax = self.smax.min(high - size);
        } else {
            // Two pieces: [umin, half) and [-half, umax - size].
            if self.smin > high - size {
                self.smin = self.smin.max(low);
            }
            if self.smax < low {
                self.smax = self.smax.min(high - size);
            }
        }
    }

    fn unsigned_from_signed(&mut self) {
        let size = 1i128 << self.width;
        if self.smin >= 0 {
            self.umin = self.umin.max(self.smin as u128);
            self.umax = self.umax.min(self.smax.max(0) as u128);
        } else if self.smax < 0 {
            self.umin = self.umin.max((self.smin + size) as u128);
            self.umax = self.umax.min((self.smax + size) as u128);
        } else {
            let (top_of_low, bottom_of_high) = (self.smax as u128, (self.smin + size) as u128);
            if self.umin > top_of_low {
                self.umin = self.umin.max(bottom_of_high);
            }
            if self.umax < bottom_of_high {
                self.umax = self.umax.min(top_of_low);
            }
        }
    }

    fn bits_from_bounds(&mut self) {
        let differing = self.umin ^ self.umax;
        let unknown = if differing == 0 { 0 } else { mask(128 - differing.leading_zeros()) };
        let known = mask(self.width) & !unknown;
        self.ones |= self.umin & known;
        self.zeros |= !self.umin & known;
    }
}

/// Numbers at which bounds may stop growing, in both orders.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// Sorted, for bounds of signed values.
    pub signed: Vec<i128>,
    /// Sorted, for bounds of unsigned values.
    pub unsigned: Vec<u128>,
}

impl Num {
    /// An upper bound of both from which chains are finite: a bound that moved goes to the next threshold, or to the
    /// end of its order.
    pub fn widen(&self, next: &Num, thresholds: &Thresholds) -> Num {
        let width = self.width;
        let joined = self.join(next);
        let above = |bound: u128| thresholds.unsigned.iter().copied().find(|&t| t >= bound).unwrap_or(u128::MAX);
        let below = |bound: u128| thresholds.unsigned.iter().rev().copied().find(|&t| t <= bound).unwrap_or(0);
        let signed_above = |bound: i128| thresholds.signed.iter().copied().find(|&t| t >= bound).unwrap_or(i128::MAX);
        let signed_below = |bound: i128| thresholds.signed.iter().rev().copied().find(|&t| t <= bound).unwrap_or(i128::MIN);
        let mut wide = joined;
        if joined.umax > self.umax {
            wide.umax = above(joined.umax).min(mask(width));
        }
        if joined.umin < self.umin {
            wide.umin = below(joined.umin);
        }
        if joined.smax > self.smax {
            wide.smax = signed_above(joined.smax).min(signed_max(width));
        }
        if joined.smin < self.smin {
            wide.smin = signed_below(joined.smin).max(signed_min(width));
        }
        // Known bits that a moved bound implied must not bring the bound back.
        if wide.umax != joined.umax || wide.umin != joined.umin || wide.smax != joined.smax || wide.smin != joined.smin {
            let low = joined.known_low_bits();
            let low = if low >= width { mask(width) } else { mask(low) };
            wide.zeros &= low;
            wide.ones &= low;
        }
        wide.reduced().unwrap_or(joined)
    }
}
