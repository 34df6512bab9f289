//! Exact sets of integers as ranges. Union, intersection and difference go through the ranges of both once they are in
//! order.

use num_traits::PrimInt;
use smallvec::{SmallVec, smallvec};

/// Ranges with both ends in them, ascending, that neither overlap nor touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeSet<N>(SmallVec<[(N, N); 2]>);

impl<N> Default for RangeSet<N> {
    fn default() -> Self {
        RangeSet(SmallVec::new())
    }
}

impl<N: PrimInt> RangeSet<N> {
    /// The numbers from `low` to `high`; none if they are in the wrong order.
    pub fn of((low, high): (N, N)) -> Self {
        if low <= high { RangeSet(smallvec![(low, high)]) } else { RangeSet::default() }
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(N, N)] {
        &self.0
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: N) -> bool {
        self.0.iter().any(|&(low, high)| low <= number && number <= high)
    }

    /// Whether all of its numbers are in the other.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|&(low, high)| other.0.iter().any(|&(l, h)| l <= low && high <= h))
    }

    /// The union.
    pub fn union(&self, other: &Self) -> Self {
        self.0.iter().chain(&other.0).copied().collect()
    }

    /// The intersection.
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = SmallVec::new();
        while let (Some(&&one), Some(&&two)) = (a.peek(), b.peek()) {
            let both = (one.0.max(two.0), one.1.min(two.1));
            if both.0 <= both.1 {
                common.push(both);
            }
            if one.1 < two.1 {
                a.next()
            } else {
                b.next()
            };
        }
        RangeSet(common)
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        let mut left = SmallVec::new();
        for &(low, high) in &self.0 {
            // None once everything up to the largest number is gone.
            let mut from = Some(low);
            for &(gap, end) in other.0.iter().filter(|(gap, end)| *end >= low && *gap <= high) {
                if let Some(from) = from.filter(|from| *from < gap) {
                    left.push((from, gap - N::one()));
                }
                from = from.and_then(|from| Some(from.max(end.checked_add(&N::one())?)));
            }
            left.extend(from.filter(|from| *from <= high).map(|from| (from, high)));
        }
        RangeSet(left)
    }

    /// Only the ranges that hold a number.
    pub fn around(&self, number: N) -> Self {
        RangeSet(self.0.iter().copied().filter(|&(low, high)| low <= number && number <= high).collect())
    }
}

impl<N: PrimInt> FromIterator<(N, N)> for RangeSet<N> {
    /// In any order; ranges may overlap, touch or be empty.
    fn from_iter<I: IntoIterator<Item = (N, N)>>(ranges: I) -> Self {
        let mut all: SmallVec<[(N, N); 4]> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        all.sort_unstable();
        let mut joined: SmallVec<[(N, N); 2]> = SmallVec::new();
        for (low, high) in all {
            match joined.last_mut() {
                Some(last) if last.1.checked_add(&N::one()).is_none_or(|next| low <= next) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        RangeSet(joined)
    }
}

impl RangeSet<i128> {
    /// How many numbers there are.
    pub fn count(&self) -> i128 {
        self.0.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// All numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = i128> {
        self.0.iter().flat_map(|&(low, high)| low..=high)
    }

    /// The number that is nearest to zero, rather above it than below, or one in the same range that is up to so far away from it.
    pub fn small(&self, ahead: i128) -> Option<i128> {
        let nearest_in = |&(low, high): &(i128, i128)| 0.clamp(low, high);
        let &(low, high) = self.0.iter().min_by_key(|range| (nearest_in(range) < 0, nearest_in(range).abs()))?;
        let nearest = nearest_in(&(low, high));
        Some(if nearest + ahead <= high { nearest + ahead } else { (nearest - ahead).max(low) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bits: u32) -> RangeSet<i128> {
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
                assert_eq!(set(a).is_within(&set(b)), a & !b == 0);
            }
        }
    }

    #[test]
    fn the_largest_number_has_no_next() {
        let all = RangeSet::of((0, u64::MAX));
        let upper = RangeSet::of((7, u64::MAX));
        assert_eq!(all.minus(&upper), RangeSet::of((0, 6)));
        assert_eq!(upper.union(&RangeSet::of((0, 6))), all);
        assert_eq!(all.minus(&all), RangeSet::default());
    }
}
