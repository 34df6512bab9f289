//! What the operations of bit-vectors do to sets of them (`Num`). Each function returns a set that contains the result
//! for all members of its arguments; the tests of `fathom-absint` check that on random members. Overflow is wrap-around: an
//! interval whose ends both leave the range by the same multiple of 2^width moves back as a whole, any other becomes
//! unknown in that order.

use crate::num::{Num, mask, signed, signed_max, signed_min, wrap};

fn reduced(num: Num) -> Num {
    // Every view is an upper bound of a non-empty set, so reduction never finds it empty.
    num.reduced().unwrap_or_else(|| Num::top(num.width))
}

/// The unsigned view of exact results between two numbers (unsigned arithmetic without wrap-around).
fn from_unsigned(width: u32, low: u128, high: u128) -> Num {
    let size = 1u128 << width;
    if low / size == high / size && low <= high {
        reduced(Num { umin: low % size, umax: high % size, ..Num::top(width) })
    } else {
        Num::top(width)
    }
}

/// The signed view of exact results between two numbers.
fn from_signed(width: u32, low: i128, high: i128) -> Num {
    let (min, size) = (signed_min(width), 1i128 << width);
    let (turns, turns_high) = ((low - min).div_euclid(size), (high - min).div_euclid(size));
    if turns == turns_high && low <= high {
        reduced(Num { smin: low - turns * size, smax: high - turns * size, ..Num::top(width) })
    } else {
        Num::top(width)
    }
}

fn both(a: Num, b: Num) -> Num {
    a.meet(&b).unwrap_or(a)
}

impl Num {
    /// Sums.
    pub fn add(&self, other: &Num) -> Num {
        let width = self.width;
        let unsigned = from_unsigned(width, self.umin + other.umin, self.umax + other.umax);
        let signed = from_signed(width, self.smin + other.smin, self.smax + other.smax);
        both(both(unsigned, signed), self.add_bits(other))
    }

    /// Bits of a sum: where both operands and the carry are known.
    fn add_bits(&self, other: &Num) -> Num {
        let all = mask(self.width);
        let largest = (!self.zeros & all).wrapping_add(!other.zeros & all);
        let smallest = self.ones.wrapping_add(other.ones);
        let carry_zero = !(largest ^ self.zeros ^ other.zeros);
        let carry_one = smallest ^ self.ones ^ other.ones;
        let known = (self.zeros | self.ones) & (other.zeros | other.ones) & (carry_zero | carry_one) & all;
        reduced(Num { zeros: !largest & known, ones: smallest & known, ..Num::top(self.width) })
    }

    /// Negation.
    pub fn neg(&self) -> Num {
        let width = self.width;
        let unsigned = match self.umin {
            0 => Num::top(width),
            _ => from_unsigned(width, (1 << width) - self.umax, (1 << width) - self.umin),
        };
        let signed = from_signed(width, -self.smax, -self.smin);
        both(both(unsigned, signed), self.not().add_bits(&Num::constant(1, width)))
    }

    /// Differences.
    pub fn sub(&self, other: &Num) -> Num {
        if let Some(bits) = other.as_constant() {
            return self.add(&Num::constant(wrap(-(bits as i128), self.width), self.width));
        }
        let signed = from_signed(self.width, self.smin - other.smax, self.smax - other.smin);
        let unsigned = match self.umin.checked_sub(other.umax) {
            Some(low) => from_unsigned(self.width, low, self.umax - other.umin),
            None => Num::top(self.width),
        };
        both(both(unsigned, signed), self.add(&other.neg()))
    }

    /// Products.
    pub fn mul(&self, other: &Num) -> Num {
        let width = self.width;
        let unsigned = match self.umax.checked_mul(other.umax) {
            Some(high) => from_unsigned(width, self.umin * other.umin, high),
            None => Num::top(width),
        };
        let corners = [(self.smin, other.smin), (self.smin, other.smax), (self.smax, other.smin), (self.smax, other.smax)]
            .map(|(a, b)| a.checked_mul(b).filter(|p| p.unsigned_abs() < 1 << 126));
        let signed = match corners {
            [Some(a), Some(b), Some(c), Some(d)] => from_signed(width, a.min(b).min(c).min(d), a.max(b).max(c).max(d)),
            _ => Num::top(width),
        };
        let zeros = (self.trailing_zeros() + other.trailing_zeros()).min(width);
        both(both(unsigned, signed), reduced(Num { zeros: mask(zeros), ..Num::top(width) }))
    }

    /// Unsigned quotients.
    pub fn udiv(&self, other: &Num) -> Num {
        let width = self.width;
        if other.umax == 0 {
            return Num::constant(mask(width), width);
        }
        let low = self.umin / other.umax;
        // Division by zero gives all ones.
        let high = self.umax.checked_div(other.umin).unwrap_or(mask(width));
        from_unsigned(width, low, high)
    }

    /// Unsigned remainders.
    pub fn urem(&self, other: &Num) -> Num {
        let width = self.width;
        if self.umax < other.umin || other.umax == 0 {
            return *self;
        }
        // By zero it is the dividend.
        let high = if other.umin == 0 { self.umax } else { self.umax.min(other.umax - 1) };
        let bounds = from_unsigned(width, 0, high);
        match other.as_constant() {
            Some(divisor) if divisor.is_power_of_two() => both(bounds, self.and(&Num::constant(divisor - 1, width))),
            _ => bounds,
        }
    }

    /// Signed quotients.
    pub fn sdiv(&self, other: &Num) -> Num {
        let width = self.width;
        let mut result: Option<Num> = None;
        let mut include = |part: Num| result = Some(result.map_or(part, |known: Num| known.join(&part)));
        if other.smin <= 0 && other.smax >= 0 && other.umin == 0 {
            // By zero: 1 for negative dividends, -1 for others.
            if self.smin < 0 {
                include(Num::constant(1, width));
            }
            if self.smax >= 0 {
                include(Num::constant(mask(width), width));
            }
        }
        for (low, high) in [(other.smin, other.smax.min(-1)), (other.smin.max(1), other.smax)] {
            if low > high {
                continue;
            }
            let corners = [self.smin / low, self.smin / high, self.smax / low, self.smax / high];
            let least = corners.into_iter().min().unwrap_or(0);
            let most = corners.into_iter().max().unwrap_or(0);
            include(from_signed(width, least, most));
        }
        result.unwrap_or_else(|| Num::top(width))
    }

    /// Signed remainders.
    pub fn srem(&self, other: &Num) -> Num {
        let may_be_zero = other.contains(0);
        let farthest = other.smin.unsigned_abs().max(other.smax.unsigned_abs());
        let nearest = if other.smin > 0 {
            other.smin
        } else if other.smax < 0 {
            -other.smax
        } else {
            0
        };
        if self.smin > -nearest && self.smax < nearest || farthest == 0 {
            return *self;
        }
        let most = if may_be_zero { i128::MAX } else { farthest as i128 - 1 };
        let low = if self.smin >= 0 { 0 } else { self.smin.max(-most) };
        let high = if self.smax <= 0 { 0 } else { self.smax.min(most) };
        from_signed(self.width, low, high)
    }

    /// Bitwise and.
    pub fn and(&self, other: &Num) -> Num {
        let bits = Num { zeros: self.zeros | other.zeros, ones: self.ones & other.ones, ..Num::top(self.width) };
        reduced(Num { umax: self.umax.min(other.umax), ..bits })
    }

    /// Bitwise or.
    pub fn or(&self, other: &Num) -> Num {
        let bits = Num { zeros: self.zeros & other.zeros, ones: self.ones | other.ones, ..Num::top(self.width) };
        reduced(Num { umin: self.umin.max(other.umin), ..bits })
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Num) -> Num {
        let zeros = self.zeros & other.zeros | self.ones & other.ones;
        let ones = self.zeros & other.ones | self.ones & other.zeros;
        reduced(Num { zeros, ones, ..Num::top(self.width) })
    }

    /// Bitwise complement.
    pub fn not(&self) -> Num {
        let all = mask(self.width);
        Num {
            width: self.width,
            umin: all - self.umax,
            umax: all - self.umin,
            smin: -1 - self.smax,
            smax: -1 - self.smin,
            zeros: self.ones,
            ones: self.zeros,
        }
    }

    /// Left shifts.
    pub fn shl(&self, by: &Num) -> Num {
        let width = self.width;
        if by.umin >= width as u128 {
            return Num::constant(0, width);
        }
        let zeros = mask((self.trailing_zeros() + by.umin as u32).min(width));
        let low_bits = reduced(Num { zeros, ..Num::top(width) });
        if by.umax >= width as u128 {
            return low_bits;
        }
        let (least, most) = (by.umin as u32, by.umax as u32);
        let fits = |bound: i128| bound.unsigned_abs().leading_zeros() > most + 2;
        let mut result = low_bits;
        if fits(self.umax as i128) {
            result = both(result, from_unsigned(width, self.umin << least, self.umax << most));
        }
        if fits(self.smin) && fits(self.smax) {
            let low = if self.smin < 0 { self.smin << most } else { self.smin << least };
            let high = if self.smax < 0 { self.smax << least } else { self.smax << most };
            result = both(result, from_signed(width, low, high));
        }
        if least == most {
            let all = mask(width);
            let zeros = (self.zeros << least | mask(least)) & all;
            result = both(result, reduced(Num { zeros, ones: self.ones << least & all, ..Num::top(width) }));
        }
        result
    }

    /// Right shifts that bring zeros in.
    pub fn lshr(&self, by: &Num) -> Num {
        let width = self.width;
        let shift = |bits: u128, by: u128| if by >= width as u128 { 0 } else { bits >> by };
        let bounds = from_unsigned(width, shift(self.umin, by.umax), shift(self.umax, by.umin));
        match by.as_constant() {
            Some(by) if by < width as u128 => {
                let high = mask(width) & !(mask(width) >> by);
                both(bounds, reduced(Num { zeros: self.zeros >> by | high, ones: self.ones >> by, ..Num::top(width) }))
            }
            _ => bounds,
        }
    }

    /// Right shifts that bring the sign in.
    pub fn ashr(&self, by: &Num) -> Num {
        let most = self.width as u128 - 1;
        let (least, most) = (by.umin.min(most) as u32, by.umax.min(most) as u32);
        let low = if self.smin < 0 { self.smin >> least } else { self.smin >> most };
        let high = if self.smax < 0 { self.smax >> most } else { self.smax >> least };
        let bounds = from_signed(self.width, low, high);
        if least != most {
            return bounds;
        }
        let shifted = |bits: u128| wrap(signed(bits, self.width) >> least, self.width);
        both(bounds, reduced(Num { zeros: shifted(self.zeros), ones: shifted(self.ones), ..Num::top(self.width) }))
    }

    /// Concatenation, with `low` in the low bits.
    pub fn concat(&self, low: &Num) -> Num {
        let (width, by) = (self.width + low.width, low.width);
        reduced(Num {
            width,
            umin: self.umin << by | low.umin,
            umax: self.umax << by | low.umax,
            smin: (self.smin << by) + low.umin as i128,
            smax: (self.smax << by) + low.umax as i128,
            zeros: self.zeros << by | low.zeros,
            ones: self.ones << by | low.ones,
        })
    }

    /// The bits from `low` to `high`.
    pub fn extract(&self, high: u32, low: u32) -> Num {
        let width = high - low + 1;
        let all = mask(width);
        let bits = Num { zeros: self.zeros >> low & all, ones: self.ones >> low & all, ..Num::top(width) };
        let unsigned = from_unsigned(width, self.umin >> low, self.umax >> low);
        let signed = from_signed(width, self.smin >> low, self.smax >> low);
        both(both(unsigned, signed), reduced(bits))
    }

    /// Zero extension to a width.
    pub fn zero_extend(&self, width: u32) -> Num {
        let high = mask(width) & !mask(self.width);
        let wide = Num { umin: self.umin, umax: self.umax, zeros: self.zeros | high, ones: self.ones, ..Num::top(width) };
        reduced(wide)
    }

    /// Sign extension to a width.
    pub fn sign_extend(&self, width: u32) -> Num {
        let extend = |bits: u128| wrap(signed(bits, self.width), width);
        let (zeros, ones) = (extend(self.zeros), extend(self.ones));
        reduced(Num { smin: self.smin, smax: self.smax, zeros, ones, ..Num::top(width) })
    }

    // ---- comparisons: what is certain

    /// Whether it is less in the unsigned order.
    pub fn ult(&self, other: &Num) -> Option<bool> {
        if self.umax < other.umin {
            Some(true)
        } else if self.umin >= other.umax {
            Some(false)
        } else {
            None
        }
    }

    /// Whether it is less in the signed order.
    pub fn slt(&self, other: &Num) -> Option<bool> {
        if self.smax < other.smin {
            Some(true)
        } else if self.smin >= other.smax {
            Some(false)
        } else {
            None
        }
    }

    /// Whether both are the same value.
    pub fn equals(&self, other: &Num) -> Option<bool> {
        match (self.as_constant(), other.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => self.meet(other).is_none().then_some(false),
        }
    }

    /// Whether the unsigned product does not fit.
    pub fn umul_overflows(&self, other: &Num) -> Option<bool> {
        let past = |a: u128, b: u128| a.checked_mul(b).is_none_or(|product| product > mask(self.width));
        if !past(self.umax, other.umax) {
            Some(false)
        } else if past(self.umin, other.umin) {
            Some(true)
        } else {
            None
        }
    }

    /// Whether the signed product does not fit.
    pub fn smul_overflows(&self, other: &Num) -> Option<bool> {
        let inside = |a: i128, b: i128| a.checked_mul(b).is_some_and(|p| (signed_min(self.width)..=signed_max(self.width)).contains(&p));
        let corners = [(self.smin, other.smin), (self.smin, other.smax), (self.smax, other.smin), (self.smax, other.smax)];
        corners.iter().all(|&(a, b)| inside(a, b)).then_some(false)
    }
}
