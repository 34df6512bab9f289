//! Exact sets of values of one bit-vector (or truth value) of at most 64 bits. Most conditions of programs compare one
//! variable with a constant; kept as sets, they stay exact under negation, conjunction and disjunction, moving by a constant is a
//! shift, implication is inclusion, and none of it needs a solver.

use crate::RangeSet;
use fathom_term::{Sort, Term, TermStore, mask};
use smallvec::SmallVec;

/// More ranges than this are not kept.
const MAX_RANGES: usize = 64;

/// A set of values of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    width: u32,
    /// As unsigned numbers.
    set: RangeSet<u64>,
}

impl ValueSet {
    /// Every value.
    pub fn all(width: u32) -> Self {
        Self::range(0, mask(width), width)
    }

    /// No value.
    pub fn none(width: u32) -> Self {
        ValueSet { width, set: RangeSet::default() }
    }

    /// Exactly this value.
    pub fn one(value: u64, width: u32) -> Self {
        Self::range(value & mask(width), value & mask(width), width)
    }

    /// The values from the first to the last, as unsigned numbers.
    pub fn range(first: u64, last: u64, width: u32) -> Self {
        ValueSet { width, set: RangeSet::of((first, last)) }
    }

    /// How many bits a value has.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The set at another width that can hold all its numbers.
    pub fn with_width(self, width: u32) -> Self {
        ValueSet { width, ..self }
    }

    /// Whether every value is in it.
    pub fn is_all(&self) -> bool {
        self.ranges() == [(0, mask(self.width))]
    }

    /// The only value, if there is one.
    pub fn single(&self) -> Option<u64> {
        match self.ranges() {
            [(first, last)] if first == last => Some(*first),
            _ => None,
        }
    }

    /// Whether a value is in it.
    pub fn contains(&self, value: u64) -> bool {
        self.set.contains(value)
    }

    /// Whether the other set contains it.
    pub fn is_within(&self, other: &ValueSet) -> bool {
        self.set.is_within(&other.set)
    }

    /// Conjunction.
    pub fn and(&self, other: &ValueSet) -> ValueSet {
        ValueSet { width: self.width, set: self.set.intersection(&other.set) }
    }

    /// Disjunction.
    pub fn or(&self, other: &ValueSet) -> ValueSet {
        ValueSet { width: self.width, set: self.set.union(&other.set) }
    }

    /// Negation.
    pub fn not(&self) -> ValueSet {
        ValueSet { width: self.width, set: RangeSet::of((0, mask(self.width))).minus(&self.set) }
    }

    /// Every value moved by a number, around the end.
    pub fn moved(&self, by: u64) -> ValueSet {
        let top = mask(self.width);
        let moved = self.ranges().iter().flat_map(|&(first, last)| {
            let (f, l) = (first.wrapping_add(by) & top, last.wrapping_add(by) & top);
            match f <= l && last - first == l - f {
                true => [Some((f, l)), None],
                false => [Some((f, top)), Some((0, l))],
            }
        });
        ValueSet { width: self.width, set: moved.flatten().collect() }
    }

    /// The ranges around one value of the set, if there are too many to be kept: a stronger condition.
    pub fn small_around(self, value: u64) -> ValueSet {
        if self.is_small() {
            return self;
        }
        ValueSet { width: self.width, set: self.set.around(value) }
    }

    /// Whether it has few enough ranges to be kept.
    pub fn is_small(&self) -> bool {
        self.ranges().len() <= MAX_RANGES
    }

    /// Values at most (signed) this one; `below`: less than it.
    pub fn signed_up_to(bound: u64, below: bool, width: u32) -> ValueSet {
        // Moving by half the range turns signed order into unsigned order.
        let half = 1u64 << (width - 1);
        Self::unsigned_up_to(bound.wrapping_add(half) & mask(width), below, width).moved(half)
    }

    /// Numbers up to a bound, or below it, in the unsigned order.
    pub fn unsigned_up_to(bound: u64, below: bool, width: u32) -> ValueSet {
        match (below, bound) {
            (true, 0) => Self::none(width),
            (true, bound) => Self::range(0, bound - 1, width),
            (false, bound) => Self::range(0, bound, width),
        }
    }

    /// First and last value of each range; ascending, disjoint, not adjacent.
    pub fn ranges(&self) -> &[(u64, u64)] {
        self.set.ranges()
    }

    /// The ranges as signed numbers, ascending.
    pub fn signed_ranges(&self) -> impl Iterator<Item = (i128, i128)> {
        let half = 1i128 << (self.width - 1);
        let moved = self.moved(1u64 << (self.width - 1));
        let ranges: SmallVec<[(u64, u64); 2]> = SmallVec::from_slice(moved.ranges());
        ranges.into_iter().map(move |(first, last)| (first as i128 - half, last as i128 - half))
    }

    /// The numbers of the type in some ranges of numbers.
    pub fn from_unsigned(ranges: impl Iterator<Item = (i128, i128)>, width: u32) -> ValueSet {
        let top = mask(width) as i128;
        let clipped = ranges.map(|(first, last)| (first.max(0), last.min(top))).filter(|(first, last)| first <= last);
        ValueSet { width, set: clipped.map(|(first, last)| (first as u64, last as u64)).collect() }
    }

    /// The set of the numbers in these signed ranges.
    pub fn from_signed(ranges: impl Iterator<Item = (i128, i128)>, width: u32) -> ValueSet {
        let half = 1i128 << (width - 1);
        Self::from_unsigned(ranges.map(|(first, last)| (first + half, last + half)), width).moved(1u64 << (width - 1))
    }

    /// The complements of the values, bit by bit.
    pub fn mirrored(&self) -> ValueSet {
        let top = mask(self.width);
        ValueSet { width: self.width, set: self.ranges().iter().map(|&(first, last)| (top - last, top - first)).collect() }
    }

    /// The condition that a term is in the set.
    pub fn holds(&self, store: &TermStore, term: Term) -> Term {
        if let Sort::Bool = store.sort(term) {
            return match (self.contains(0), self.contains(1)) {
                (true, true) => store.bool(true),
                (true, false) => store.not(term),
                (false, true) => term,
                (false, false) => store.bool(false),
            };
        }
        // The complement may be shorter: all but a few values.
        let outside = self.not();
        if outside.ranges().len() < self.ranges().len() {
            return store.not(outside.holds_in_ranges(store, term));
        }
        self.holds_in_ranges(store, term)
    }

    fn holds_in_ranges(&self, store: &TermStore, term: Term) -> Term {
        let number = |value: u64| store.bv(value, self.width);
        let parts = self.ranges().iter().map(|&(first, last)| match first == last {
            true => store.eq(term, number(first)),
            false => store.bv_ule(store.bv_sub(term, number(first)), number(last.wrapping_sub(first))),
        });
        store.or_all(parts.collect::<Vec<_>>())
    }
}

impl std::fmt::Display for ValueSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let outside = self.not();
        let (sign, shown) = if outside.ranges().len() < self.ranges().len() { ("not ", &outside) } else { ("", self) };
        let number = |value: u64| match self.width {
            1 => value as i64,
            width => fathom_term::sign_extend(value, width),
        };
        let ranges: Vec<String> = shown
            .ranges()
            .iter()
            .map(|&(first, last)| match first == last {
                true => format!("{}", number(first)),
                false => format!("{}..{}", number(first), number(last)),
            })
            .collect();
        write!(f, "{sign}{{{}}}", ranges.join(", "))
    }
}
