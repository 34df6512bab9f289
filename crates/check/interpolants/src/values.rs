//! Exact sets of values of one bit-vector (or truth value) of at most 64 bits: ascending ranges of unsigned numbers.
//! Most conditions of programs compare one variable with a constant; kept as sets, they stay exact under negation,
//! conjunction and disjunction, moving by a constant is a shift, implication is inclusion, and none of it needs a solver.

use fathom_term::{Op, Sort, Term, TermStore, VarId, mask};
use smallvec::SmallVec;

/// The most ranges that a set may have.
const MAX_RANGES: usize = 64;
/// How deep a condition may be to be read as a set.
const MAX_DEPTH: u32 = 200;

/// A set of values of one width, as ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    width: u32,
    /// First and last value; ascending, disjoint, not adjacent.
    ranges: SmallVec<[(u64, u64); 2]>,
}

impl ValueSet {
    /// All values.
    pub fn all(width: u32) -> Self {
        ValueSet { width, ranges: SmallVec::from_slice(&[(0, mask(width))]) }
    }

    /// No value.
    pub fn none(width: u32) -> Self {
        ValueSet { width, ranges: SmallVec::new() }
    }

    /// One value.
    pub fn one(value: u64, width: u32) -> Self {
        ValueSet { width, ranges: SmallVec::from_slice(&[(value & mask(width), value & mask(width))]) }
    }

    fn range(first: u64, last: u64, width: u32) -> Self {
        ValueSet { width, ranges: SmallVec::from_slice(&[(first, last)]) }
    }

    /// Whether every value is in the set.
    pub fn is_all(&self) -> bool {
        self.ranges.as_slice() == [(0, mask(self.width))]
    }

    /// The only value, if there is one.
    pub fn single(&self) -> Option<u64> {
        match self.ranges.as_slice() {
            [(first, last)] if first == last => Some(*first),
            _ => None,
        }
    }

    /// Whether a value is in the set.
    pub fn contains(&self, value: u64) -> bool {
        self.ranges.iter().any(|&(first, last)| first <= value && value <= last)
    }

    /// Whether the set is a subset of another.
    pub fn is_within(&self, other: &ValueSet) -> bool {
        self.ranges.iter().all(|&(first, last)| other.ranges.iter().any(|&(f, l)| f <= first && last <= l))
    }

    fn normal(width: u32, mut ranges: Vec<(u64, u64)>) -> Self {
        ranges.sort_unstable();
        let mut merged: SmallVec<[(u64, u64); 2]> = SmallVec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(known) if first <= known.1 || first == known.1.wrapping_add(1) => known.1 = known.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        ValueSet { width, ranges: merged }
    }

    /// The intersection.
    pub fn and(&self, other: &ValueSet) -> ValueSet {
        let mut ranges = Vec::new();
        for &(first, last) in &self.ranges {
            for &(f, l) in &other.ranges {
                if first.max(f) <= last.min(l) {
                    ranges.push((first.max(f), last.min(l)));
                }
            }
        }
        Self::normal(self.width, ranges)
    }

    /// The union.
    pub fn or(&self, other: &ValueSet) -> ValueSet {
        Self::normal(self.width, self.ranges.iter().chain(&other.ranges).copied().collect())
    }

    /// The complement.
    pub fn not(&self) -> ValueSet {
        let mut ranges = Vec::new();
        let mut next = Some(0u64);
        for &(first, last) in &self.ranges {
            if let Some(start) = next
                && start < first
            {
                ranges.push((start, first - 1));
            }
            next = if last == mask(self.width) { None } else { Some(last + 1) };
        }
        ranges.extend(next.map(|start| (start, mask(self.width))));
        Self::normal(self.width, ranges)
    }

    /// Every value moved by a number, around the end.
    pub fn moved(&self, by: u64) -> ValueSet {
        let top = mask(self.width);
        let mut ranges = Vec::new();
        for &(first, last) in &self.ranges {
            let (f, l) = (first.wrapping_add(by) & top, last.wrapping_add(by) & top);
            if f <= l && last - first == l - f {
                ranges.push((f, l));
            } else {
                ranges.extend([(f, top), (0, l)]);
            }
        }
        Self::normal(self.width, ranges)
    }

    /// The ranges around one value of the set, if there are too many to be kept: a stronger condition.
    pub fn small_around(self, value: u64) -> ValueSet {
        if self.ranges.len() <= MAX_RANGES {
            return self;
        }
        let ranges = self.ranges.iter().copied().filter(|&(first, last)| first <= value && value <= last).collect();
        ValueSet { width: self.width, ranges }
    }

    /// Whether the set has few enough ranges to be kept.
    pub fn is_small(&self) -> bool {
        self.ranges.len() <= MAX_RANGES
    }

    /// Values at most (signed) this one; `below`: less than it.
    pub fn signed_up_to(bound: u64, below: bool, width: u32) -> ValueSet {
        // Moving by half the range turns signed order into unsigned order.
        let half = 1u64 << (width - 1);
        Self::unsigned_up_to(bound.wrapping_add(half) & mask(width), below, width).moved(half)
    }

    /// Values at most this one, unsigned; `below`: less than it.
    pub fn unsigned_up_to(bound: u64, below: bool, width: u32) -> ValueSet {
        match (below, bound) {
            (true, 0) => Self::none(width),
            (true, bound) => Self::range(0, bound - 1, width),
            (false, bound) => Self::range(0, bound, width),
        }
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.ranges
    }

    /// The ranges as signed numbers, ascending.
    pub fn signed_ranges(&self) -> impl Iterator<Item = (i128, i128)> {
        let half = 1i128 << (self.width - 1);
        self.moved(1u64 << (self.width - 1)).ranges.into_iter().map(move |(first, last)| (first as i128 - half, last as i128 - half))
    }

    /// The numbers of the type in some ranges of numbers.
    pub fn from_unsigned(ranges: impl Iterator<Item = (i128, i128)>, width: u32) -> ValueSet {
        let top = mask(width) as i128;
        let clipped = ranges.map(|(first, last)| (first.max(0), last.min(top))).filter(|(first, last)| first <= last);
        Self::normal(width, clipped.map(|(first, last)| (first as u64, last as u64)).collect())
    }

    /// The values of a width whose signed numbers lie in these ranges.
    pub fn from_signed(ranges: impl Iterator<Item = (i128, i128)>, width: u32) -> ValueSet {
        let half = 1i128 << (width - 1);
        Self::from_unsigned(ranges.map(|(first, last)| (first + half, last + half)), width).moved(1u64 << (width - 1))
    }

    /// The complements of the values, bit by bit.
    pub fn mirrored(&self) -> ValueSet {
        let top = mask(self.width);
        Self::normal(self.width, self.ranges.iter().map(|&(first, last)| (top - last, top - first)).collect())
    }

    /// That a term is in the set.
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
        if outside.ranges.len() < self.ranges.len() {
            return store.not(outside.holds_in_ranges(store, term));
        }
        self.holds_in_ranges(store, term)
    }

    fn holds_in_ranges(&self, store: &TermStore, term: Term) -> Term {
        let number = |value: u64| store.bv(value, self.width);
        let parts = self.ranges.iter().map(|&(first, last)| match first == last {
            true => store.eq(term, number(first)),
            false => store.bv_ule(store.bv_sub(term, number(first)), number(last.wrapping_sub(first))),
        });
        store.or_all(parts.collect::<Vec<_>>())
    }
}

impl std::fmt::Display for ValueSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let outside = self.not();
        let (sign, shown) = if outside.ranges.len() < self.ranges.len() { ("not ", &outside) } else { ("", self) };
        let number = |value: u64| match self.width {
            1 => value as i64,
            width => fathom_term::sign_extend(value, width),
        };
        let ranges: Vec<String> = shown
            .ranges
            .iter()
            .map(|&(first, last)| match first == last {
                true => format!("{}", number(first)),
                false => format!("{}..{}", number(first), number(last)),
            })
            .collect();
        write!(f, "{sign}{{{}}}", ranges.join(", "))
    }
}

/// Sorts whose values are kept as sets.
pub fn set_width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bv(width) if width <= 64 => Some(width),
        _ => None,
    }
}

/// A condition on one variable as the set of values that satisfy it.
pub fn as_set(store: &TermStore, condition: Term) -> Option<(VarId, ValueSet)> {
    condition_set(store, condition, MAX_DEPTH)
}

fn condition_set(store: &TermStore, condition: Term, fuel: u32) -> Option<(VarId, ValueSet)> {
    let fuel = fuel.checked_sub(1)?;
    let op = store.op(condition);
    match op {
        Op::Var(var) => Some((var, ValueSet::one(1, 1))),
        Op::Not => {
            let (var, set) = condition_set(store, store.arg(condition, 0), fuel)?;
            Some((var, set.not()))
        }
        Op::And | Op::Or => {
            let mut joined: Option<(VarId, ValueSet)> = None;
            for arg in store.args(condition) {
                let (var, set) = condition_set(store, arg, fuel)?;
                joined = Some(match joined {
                    None => (var, set),
                    Some((known, _)) if known != var => return None,
                    Some((known, other)) => (known, if op == Op::And { other.and(&set) } else { other.or(&set) }),
                });
            }
            joined.filter(|(_, set)| set.is_small())
        }
        Op::Eq => {
            let (left, right) = (store.arg(condition, 0), store.arg(condition, 1));
            let (term, value) = match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(value)) => (left, value),
                (Some(value), None) => (right, value),
                _ => return None,
            };
            let width = set_width(store.sort(term))?;
            value_set(store, term, ValueSet::one(value, width), fuel)
        }
        Op::BvUlt | Op::BvSlt => {
            let (left, right) = (store.arg(condition, 0), store.arg(condition, 1));
            let width = set_width(store.sort(left))?;
            let up_to = if op == Op::BvUlt { ValueSet::unsigned_up_to } else { ValueSet::signed_up_to };
            match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(bound)) => value_set(store, left, up_to(bound, true, width), fuel),
                (Some(bound), None) => value_set(store, right, up_to(bound, false, width).not(), fuel),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The values of the one variable of a term for which the term is in a set.
pub fn value_set(store: &TermStore, term: Term, set: ValueSet, fuel: u32) -> Option<(VarId, ValueSet)> {
    let fuel = fuel.checked_sub(1)?;
    match store.op(term) {
        Op::Var(var) => Some((var, set)),
        _ if store.sort(term) == Sort::Bool => {
            let (var, holds) = condition_set(store, term, fuel)?;
            Some(match (set.contains(0), set.contains(1)) {
                (true, true) => (var, ValueSet::all(holds.width)),
                (true, false) => (var, holds.not()),
                (false, true) => (var, holds),
                (false, false) => (var, ValueSet::none(holds.width)),
            })
        }
        Op::BvAdd => {
            let (left, right) = (store.arg(term, 0), store.arg(term, 1));
            let (rest, by) = match (store.const_bits(left), store.const_bits(right)) {
                (None, Some(by)) => (left, by),
                (Some(by), None) => (right, by),
                _ => return None,
            };
            let moved = set.moved(by.wrapping_neg());
            value_set(store, rest, moved, fuel)
        }
        Op::BvNot => value_set(store, store.arg(term, 0), set.mirrored(), fuel),
        Op::BvNeg => value_set(store, store.arg(term, 0), set.mirrored().moved(1), fuel),
        Op::BvZeroExtend(_) => {
            let inner = store.arg(term, 0);
            let width = set_width(store.sort(inner))?;
            let low = set.and(&ValueSet::range(0, mask(width), set.width));
            value_set(store, inner, ValueSet::normal(width, low.ranges.to_vec()), fuel)
        }
        Op::BvSignExtend(_) => {
            let inner = store.arg(term, 0);
            let width = set_width(store.sort(inner))?;
            // Moved so that both halves of the image lie in one piece.
            let half = 1u64 << (width - 1);
            let image = set.moved(half).and(&ValueSet::range(0, mask(width), set.width));
            value_set(store, inner, ValueSet::normal(width, image.ranges.to_vec()).moved(half.wrapping_neg()), fuel)
        }
        Op::Ite => {
            let [then, otherwise] = [1, 2].map(|arm| store.const_bits(store.arg(term, arm)));
            let (then, otherwise) = (set.contains(then?), set.contains(otherwise?));
            let (var, holds) = condition_set(store, store.arg(term, 0), fuel)?;
            Some(match (then, otherwise) {
                (true, true) => (var, ValueSet::all(holds.width)),
                (true, false) => (var, holds),
                (false, true) => (var, holds.not()),
                (false, false) => (var, ValueSet::none(holds.width)),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::{Evaluator, Model, Value};

    /// Every condition of a family over 4 bits against evaluation.
    #[test]
    fn sets_are_exact() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(4));
        let var = store.as_var(x).unwrap();
        let wide = [store.build(Op::BvZeroExtend(6), &[x]), store.build(Op::BvSignExtend(6), &[x])];
        let mut terms = vec![x, store.build(Op::BvNeg, &[x]), store.build(Op::BvNot, &[x])];
        terms.extend((0..16).map(|k| store.bv_add(x, store.bv(k, 4))));
        terms.extend(wide);
        let mut conditions = Vec::new();
        for &term in &terms {
            let width = store.sort(term).width();
            for k in 0..(1u64 << width) {
                let k = store.bv(k, width);
                for condition in [store.eq(term, k), store.build(Op::BvUlt, &[term, k]), store.build(Op::BvSlt, &[k, term]), store.build(Op::BvSlt, &[term, k])] {
                    conditions.extend([condition, store.not(condition)]);
                }
            }
        }
        let pairs: Vec<Term> = conditions.windows(2).map(|w| store.and(w[0], w[1])).chain(conditions.windows(2).map(|w| store.or(w[0], w[1]))).collect();
        let mut read = 0;
        for condition in conditions.into_iter().chain(pairs) {
            let Some((of, set)) = as_set(&store, condition) else { continue };
            read += 1;
            assert_eq!(of, var);
            let again = set.holds(&store, x);
            for value in 0..16 {
                let mut model = Model::default();
                model.values.insert(var, Value::Bits(value));
                let evaluator = Evaluator::new(model);
                let expected = evaluator.holds(&store, condition).unwrap();
                assert_eq!(set.contains(value), expected, "{set} {value}");
                assert_eq!(set.not().contains(value), !expected);
                assert_eq!(set.moved(5).contains((value + 5) & 15), expected);
                assert_eq!(evaluator.holds(&store, again), Some(expected));
            }
        }
        assert!(read > 1000, "{read}");
    }
}
