//! Sets of numbers as ranges.

use smallvec::{SmallVec, smallvec};

/// Both ends are in it.
pub type Range = (i128, i128);

/// Ranges that do not meet, in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Set(SmallVec<[Range; 2]>);

impl Set {
    /// The set of one range.
    pub fn of((low, high): Range) -> Set {
        if low <= high { Set(smallvec![(low, high)]) } else { Set::default() }
    }

    /// The ranges, in order.
    pub fn ranges(&self) -> &[Range] {
        &self.0
    }

    /// How many numbers are in the set.
    pub fn count(&self) -> i128 {
        self.0.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// The numbers in the set, in order.
    pub fn numbers(&self) -> impl Iterator<Item = i128> {
        self.0.iter().flat_map(|&(low, high)| low..=high)
    }

    /// The number that is nearest to zero, rather above it than below, or one in the same range that is up to so far away from it.
    pub fn small(&self, ahead: i128) -> Option<i128> {
        let nearest_in = |&(low, high): &Range| 0.clamp(low, high);
        let &(low, high) = self.0.iter().min_by_key(|range| (nearest_in(range) < 0, nearest_in(range).abs()))?;
        let nearest = nearest_in(&(low, high));
        Some(if nearest + ahead <= high { nearest + ahead } else { (nearest - ahead).max(low) })
    }

    /// The union.
    pub fn union(&self, other: &Set) -> Set {
        let mut all: SmallVec<[Range; 4]> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut joined: SmallVec<[Range; 2]> = SmallVec::new();
        for (low, high) in all {
            match joined.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Set(joined)
    }

    /// The intersection.
    pub fn intersection(&self, other: &Set) -> Set {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = SmallVec::new();
        while let (Some(&&one), Some(&&two)) = (a.peek(), b.peek()) {
            let both = (one.0.max(two.0), one.1.min(two.1));
            if both.0 <= both.1 {
                common.push(both);
            }
            if one.1 < two.1 { a.next() } else { b.next() };
        }
        Set(common)
    }

    /// The difference.
    pub fn minus(&self, other: &Set) -> Set {
        let mut left = SmallVec::new();
        for &(low, high) in &self.0 {
            let mut from = low;
            for &(gap, end) in other.0.iter().filter(|(gap, end)| *end >= low && *gap <= high) {
                if from < gap {
                    left.push((from, gap - 1));
                }
                from = from.max(end + 1);
            }
            if from <= high {
                left.push((from, high));
            }
        }
        Set(left)
    }
}

impl FromIterator<Range> for Set {
    /// In any order; ranges may meet.
    fn from_iter<I: IntoIterator<Item = Range>>(ranges: I) -> Set {
        let all: SmallVec<[Range; 2]> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        Set::default().union(&Set(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bits: u32) -> Set {
        (0..8).filter(|bit| bits >> bit & 1 == 1).map(|bit| (bit, bit)).collect()
    }

    #[test]
    fn all_sets_of_six_numbers() {
        for a in 0..64 {
            assert_eq!(set(a).count(), i128::from(a.count_ones()));
            assert_eq!(set(a).small(0), (a != 0).then(|| i128::from(a.trailing_zeros())));
            assert!(set(a).small(2).is_none_or(|small| a >> small & 1 == 1));
            for b in 0..64 {
                assert_eq!(set(a).union(&set(b)), set(a | b));
                assert_eq!(set(a).intersection(&set(b)), set(a & b));
                assert_eq!(set(a).minus(&set(b)), set(a & !b));
            }
        }
    }
}
