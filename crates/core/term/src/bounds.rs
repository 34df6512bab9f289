//! Bounds of bit-vector terms that hold for all values of their variables: an unsigned and a signed interval, which
//! tighten each other. They are computed from the bounds of the arguments when a term is built, in constant time, and
//! decide comparisons that the rules, which look at a few levels only, cannot decide: a machine's state that a loop
//! chooses among constants, a checksum that is masked in every iteration, an element of an array into which only bytes
//! were written. An array's intervals are those of all its elements. Terms of more than 64 bits have none.
//!
//! Only facts that hold for all values of all variables are kept, so they hold wherever the term occurs.

use crate::op::Op;
use crate::sort::{Sort, mask, sign_extend};

/// An unsigned and a signed interval, both with their ends; the set is what is in both.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least value as an unsigned number.
    pub low: u64,
    /// The greatest value as an unsigned number.
    pub high: u64,
    /// The least value as a signed number.
    pub signed_low: i64,
    /// The greatest value as a signed number.
    pub signed_high: i64,
}

fn largest_signed(width: u32) -> i64 {
    (mask(width) >> 1) as i64
}

impl Bounds {
    /// Every value of this width.
    pub fn everything(width: u32) -> Self {
        let largest = largest_signed(width);
        Bounds { low: 0, high: mask(width), signed_low: -largest - 1, signed_high: largest }
    }

    /// One value.
    pub fn exactly(bits: u64, width: u32) -> Self {
        let signed = sign_extend(bits, width);
        Bounds { low: bits, high: bits, signed_low: signed, signed_high: signed }
    }

    fn unsigned(low: u64, high: u64, width: u32) -> Self {
        Bounds { low, high, ..Self::everything(width) }.narrowed(width)
    }

    fn signed(low: i64, high: i64, width: u32) -> Self {
        Bounds { signed_low: low, signed_high: high, ..Self::everything(width) }.narrowed(width)
    }

    /// Whether no value is left.
    pub fn is_empty(&self) -> bool {
        self.low > self.high || self.signed_low > self.signed_high
    }

    /// Each interval tells the other one what it knows, if it lies on one side of the sign. What is empty stays empty.
    pub fn narrowed(self, width: u32) -> Self {
        self.signed_narrowed(width).unsigned_narrowed(width).signed_narrowed(width)
    }

    fn signed_narrowed(mut self, width: u32) -> Self {
        let largest = largest_signed(width) as u64;
        if self.high <= largest || self.low > largest {
            self.signed_low = self.signed_low.max(sign_extend(self.low, width));
            self.signed_high = self.signed_high.min(sign_extend(self.high, width));
        }
        self
    }

    fn unsigned_narrowed(mut self, width: u32) -> Self {
        if self.signed_low >= 0 || self.signed_high < 0 {
            self.low = self.low.max(self.signed_low as u64 & mask(width));
            self.high = self.high.min(self.signed_high as u64 & mask(width));
        }
        self
    }

    /// The intersection; both bounds must hold for the same term.
    fn both(self, other: Self, width: u32) -> Self {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            signed_low: self.signed_low.max(other.signed_low),
            signed_high: self.signed_high.min(other.signed_high),
        }
        .narrowed(width)
    }

    fn hull(self, other: Self) -> Self {
        Bounds {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
        }
    }

    /// The only value that is left.
    pub fn value(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    /// What a comparison of two terms of this width is, if the intervals decide it.
    pub(crate) fn compare(op: Op, a: Bounds, b: Bounds, width: u32) -> Option<bool> {
        let less = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
        match op {
            Op::BvUlt => less(a.high < b.low, a.low >= b.high),
            Op::BvSlt => less(a.signed_high < b.signed_low, a.signed_low >= b.signed_high),
            Op::Eq => {
                let apart = a.high < b.low || b.high < a.low || a.signed_high < b.signed_low || b.signed_high < a.signed_low;
                apart.then_some(false)
            }
            Op::BvUmulOverflow => (a.high as u128 * b.high as u128 <= mask(width) as u128).then_some(false),
            Op::BvSmulOverflow => fitting(products(a, b), width).is_some().then_some(false),
            _ => None,
        }
    }
}

/// The interval of these numbers, if both ends are signed numbers of this width.
fn fitting(numbers: [i128; 4], width: u32) -> Option<(i64, i64)> {
    let (low, high) = (numbers.into_iter().min()?, numbers.into_iter().max()?);
    let largest = largest_signed(width) as i128;
    (low >= -largest - 1 && high <= largest).then_some((low as i64, high as i64))
}

fn products(a: Bounds, b: Bounds) -> [i128; 4] {
    let [a, b] = [a, b].map(|one| (one.signed_low as i128, one.signed_high as i128));
    [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1]
}

/// The smallest number of the form 2^n - 1 that is no smaller.
fn filled(number: u64) -> u64 {
    match number {
        0 => 0,
        _ => u64::MAX >> number.leading_zeros(),
    }
}

/// The bounds of `op(args)` with a result (or, for arrays, elements) of this width. `known` gives those of the arguments,
/// and their widths.
pub(crate) fn bounds(op: Op, width: u32, known: &[(Bounds, u32)]) -> Option<Bounds> {
    let everything = Bounds::everything(width);
    // Sums and the like have two parts.
    if known.len() > 2 && !matches!(op, Op::Ite | Op::Store) {
        return None;
    }
    let (a, a_width) = *known.first()?;
    let b = known.get(1).map_or(everything, |known| known.0);
    let found = match op {
        Op::Ite => b.hull(known.get(2)?.0),
        Op::Store => a.hull(known.get(2)?.0),
        Op::Select | Op::ConstArray(_) => a,
        Op::BvAdd => sum(a, b, width),
        Op::BvMul => product(a, b, width),
        Op::BvNeg if a.signed_low > -largest_signed(width) - 1 => Bounds::signed(-a.signed_high, -a.signed_low, width),
        Op::BvNot => Bounds::unsigned(mask(width) - a.high, mask(width) - a.low, width),
        Op::BvAnd => Bounds::unsigned(0, a.high.min(b.high), width),
        Op::BvOr => Bounds::unsigned(a.low.max(b.low), filled(a.high | b.high), width),
        Op::BvXor => Bounds::unsigned(0, filled(a.high | b.high), width),
        Op::BvUdiv if b.low > 0 => Bounds::unsigned(a.low / b.high, a.high / b.low, width),
        Op::BvUrem if b.low > 0 => Bounds::unsigned(0, a.high.min(b.high - 1), width),
        // By zero it is the dividend.
        Op::BvUrem => Bounds::unsigned(0, a.high, width),
        Op::BvSdiv if b.signed_low > 0 => {
            let ends = [a.signed_low, a.signed_high].map(|end| [end / b.signed_low, end / b.signed_high]);
            Bounds::signed(ends[0][0].min(ends[0][1]), ends[1][0].max(ends[1][1]), width)
        }
        Op::BvSrem if b.signed_low > 0 => {
            let most = b.signed_high - 1;
            Bounds::signed(a.signed_low.clamp(-most, 0), a.signed_high.clamp(0, most), width)
        }
        Op::BvShl => match b.value() {
            Some(by) if by < width as u64 && a.high <= mask(width) >> by => Bounds::unsigned(a.low << by, a.high << by, width),
            _ => everything,
        },
        Op::BvLshr => match b.value() {
            Some(by) if by < width as u64 => Bounds::unsigned(a.low >> by, a.high >> by, width),
            _ => Bounds::unsigned(0, a.high, width),
        },
        Op::BvAshr => match b.value() {
            Some(by) if by < width as u64 => Bounds::signed(a.signed_low >> by, a.signed_high >> by, width),
            _ => Bounds::signed(a.signed_low.min(0), a.signed_high.max(-1), width),
        },
        Op::BvConcat => {
            let low_width = known.get(1)?.1;
            Bounds::unsigned(a.low << low_width | b.low, a.high << low_width | b.high, width)
        }
        Op::BvZeroExtend(_) => Bounds::unsigned(a.low, a.high, width),
        Op::BvSignExtend(_) => Bounds::signed(a.signed_low, a.signed_high, width),
        Op::BvExtract { low: 0, .. } => low_part(a, width),
        Op::BvExtract { high, low } if high + 1 == a_width => Bounds::unsigned(a.low >> low, a.high >> low, width),
        _ => everything,
    };
    (found != everything).then_some(found)
}

fn sum(a: Bounds, b: Bounds, width: u32) -> Bounds {
    let mut found = Bounds::everything(width);
    if let Some(high) = a.high.checked_add(b.high).filter(|&high| high <= mask(width)) {
        found = Bounds::unsigned(a.low + b.low, high, width);
    }
    let ends = [a.signed_low as i128 + b.signed_low as i128, a.signed_high as i128 + b.signed_high as i128];
    match fitting([ends[0], ends[0], ends[1], ends[1]], width) {
        Some((low, high)) => found.both(Bounds::signed(low, high, width), width),
        None => found,
    }
}

fn product(a: Bounds, b: Bounds, width: u32) -> Bounds {
    let mut found = Bounds::everything(width);
    if a.high as u128 * b.high as u128 <= mask(width) as u128 {
        found = Bounds::unsigned(a.low * b.low, a.high * b.high, width);
    }
    match fitting(products(a, b), width) {
        Some((low, high)) => found.both(Bounds::signed(low, high, width), width),
        None => found,
    }
}

/// The low bits of a term: the same number, if it fits.
fn low_part(a: Bounds, width: u32) -> Bounds {
    let mut found = Bounds::everything(width);
    if a.high <= mask(width) {
        found = Bounds::unsigned(a.low, a.high, width);
    }
    match fitting([a.signed_low as i128, a.signed_low as i128, a.signed_high as i128, a.signed_high as i128], width) {
        Some((low, high)) => found.both(Bounds::signed(low, high, width), width),
        None => found,
    }
}

/// The width whose bounds a term of this sort has: its own, or that of its elements.
pub(crate) fn bounded_width(sort: Sort, element: impl Fn(crate::sort::ArraySortId) -> Sort) -> Option<u32> {
    let bits = match sort {
        Sort::Array(id) => element(id),
        other => other,
    };
    match bits {
        Sort::Bv(width) if width <= 64 => Some(width),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold;

    const WIDTH: u32 = 3;

    fn all() -> Vec<Bounds> {
        let mut all = Vec::new();
        for low in 0..1 << WIDTH {
            for high in low..1 << WIDTH {
                all.push(Bounds::unsigned(low, high, WIDTH));
                all.push(Bounds::signed(low as i64 - 4, high as i64 - 4, WIDTH));
            }
        }
        all
    }

    fn contains(bounds: &Bounds, bits: u64, width: u32) -> bool {
        let signed = sign_extend(bits, width);
        (bounds.low..=bounds.high).contains(&bits) && (bounds.signed_low..=bounds.signed_high).contains(&signed)
    }

    fn members(bounds: &Bounds) -> impl Iterator<Item = u64> {
        (0..1 << WIDTH).filter(move |&bits| contains(bounds, bits, WIDTH))
    }

    /// Every operation on every pair of intervals: results lie within what is promised, and comparisons are what they are.
    #[test]
    fn nothing_lies_outside() {
        use Op::*;
        let sort = Sort::Bv(WIDTH);
        let all = all();
        for a in &all {
            for b in &all {
                for op in [BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr, BvConcat] {
                    let width = if op == BvConcat { 2 * WIDTH } else { WIDTH };
                    let Some(found) = bounds(op, width, &[(*a, WIDTH), (*b, WIDTH)]) else { continue };
                    for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                        let result = match op {
                            BvConcat => x << WIDTH | y,
                            _ => fold::small(op, sort, sort, &[x, y]).unwrap(),
                        };
                        assert!(contains(&found, result, width), "{op:?} {a:?} {b:?} {x} {y}: {result} {found:?}");
                    }
                }
                for op in [Eq, BvUlt, BvSlt, BvUmulOverflow, BvSmulOverflow] {
                    let Some(known) = Bounds::compare(op, *a, *b, WIDTH) else { continue };
                    for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                        assert_eq!(fold::small(op, Sort::Bool, sort, &[x, y]), Some(known as u64), "{op:?} {a:?} {b:?} {x} {y}");
                    }
                }
            }
            for (op, width) in [
                (BvNeg, 3),
                (BvNot, 3),
                (BvZeroExtend(5), 5),
                (BvSignExtend(5), 5),
                (BvExtract { high: 1, low: 0 }, 2),
                (BvExtract { high: 2, low: 1 }, 2),
                (BvExtract { high: 1, low: 1 }, 1),
                (BvExtract { high: 2, low: 2 }, 1),
            ] {
                let Some(found) = bounds(op, width, &[(*a, WIDTH)]) else { continue };
                for x in members(a) {
                    let result = fold::small(op, Sort::Bv(width), sort, &[x]).unwrap();
                    assert!(contains(&found, result, width), "{op:?} {a:?} {x}: {result} {found:?}");
                }
            }
        }
    }

    #[test]
    fn loops_over_constants_and_bytes_are_decided_without_a_solver() {
        let store = crate::TermStore::new();
        let word = Sort::Bv(32);
        let array = store.array_sort(word, word);
        let (mut state, mut sum) = (store.bv(0, 32), store.bv(0, 32));
        let mut table = store.build(Op::ConstArray(array), &[store.bv(0, 32)]);
        for step in 0..100 {
            let input = store.var(&format!("input{step}"), word);
            let chosen = store.eq(input, store.bv(step, 32));
            state =
                store.ite(store.and(chosen, store.eq(state, store.bv(1, 32))), store.bv(2, 32), store.ite(chosen, store.bv(1, 32), state));
            sum = store.bv_add(sum, store.build(Op::BvAnd, &[input, store.bv(0xff, 32)]));
            table = store.build(Op::Store, &[table, input, sum]);
        }
        let always = |term| store.const_bool(term);
        assert_eq!(always(store.eq(state, store.bv(3, 32))), Some(false));
        assert_eq!(always(store.build(Op::BvSlt, &[state, store.bv(0, 32)])), Some(false));
        assert_eq!(always(store.build(Op::BvUlt, &[sum, store.bv(25501, 32)])), Some(true));
        let element = store.build(Op::Select, &[table, store.var("index", word)]);
        assert_eq!(always(store.eq(element, store.bv(30000, 32))), Some(false));
        assert_eq!(always(store.eq(element, store.bv(25500, 32))), None);
    }
}
