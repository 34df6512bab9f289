//! Bounds of a term from comparisons with constants: its least and greatest value, as unsigned and as signed number.
//! Most branches compare the same term with constants again and again (a loop's bound, a state, a size), so earlier
//! comparisons answer many queries.
//!
//! Sound because each conjunct `t < c`, `t = c` or its negation is translated exactly, and the range is the
//! intersection.

use fathom_term::{Bounds, Op, Sort, Term, TermStore, sign_extend};

/// The values of a term that comparisons left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    width: u32,
    bounds: Bounds,
}

/// A comparison of a term with a constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal(u64),
    Below(u64),
    Above(u64),
    SignedBelow(i64),
    SignedAbove(i64),
}

/// A term and what a condition says about it, unless that is negated.
pub(crate) fn read(store: &TermStore, condition: Term) -> Option<(Term, Comparison, bool)> {
    let (atom, holds) = match store.op(condition) {
        Op::Not => (store.arg(condition, 0), false),
        _ => (condition, true),
    };
    let op = store.op(atom);
    if !matches!(op, Op::Eq | Op::BvUlt | Op::BvSlt) {
        return None;
    }
    let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
    let width = match store.sort(left) {
        Sort::Bv(width) if width <= 64 => width,
        _ => return None,
    };
    let signed = |bits: u64| sign_extend(bits, width);
    let (term, comparison) = match (op, store.const_bits(left), store.const_bits(right)) {
        (Op::Eq, None, Some(bits)) => (left, Comparison::Equal(bits)),
        (Op::Eq, Some(bits), None) => (right, Comparison::Equal(bits)),
        (Op::BvUlt, None, Some(bits)) => (left, Comparison::Below(bits)),
        (Op::BvUlt, Some(bits), None) => (right, Comparison::Above(bits)),
        (Op::BvSlt, None, Some(bits)) => (left, Comparison::SignedBelow(signed(bits))),
        (Op::BvSlt, Some(bits), None) => (right, Comparison::SignedAbove(signed(bits))),
        _ => return None,
    };
    Some((term, comparison, holds))
}

impl Range {
    /// The range of all values.
    pub fn everything(width: u32) -> Range {
        Range { width, bounds: Bounds::everything(width) }
    }

    /// Whether no value is left.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// The only value that is left.
    pub fn value(&self) -> Option<u64> {
        self.bounds.value()
    }

    /// Whether a comparison holds for all values or for none.
    pub fn decides(&self, comparison: Comparison) -> Option<bool> {
        let Bounds { low, high, signed_low: least, signed_high: most } = self.bounds;
        let (always, never) = match comparison {
            Comparison::Equal(bits) => {
                let number = sign_extend(bits, self.width);
                (self.value() == Some(bits), bits < low || bits > high || number < least || number > most)
            }
            Comparison::Below(bound) => (high < bound, low >= bound),
            Comparison::Above(bound) => (low > bound, high <= bound),
            Comparison::SignedBelow(bound) => (most < bound, least >= bound),
            Comparison::SignedAbove(bound) => (least > bound, most <= bound),
        };
        match (always, never) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// The part of the range in which the comparison holds, or in which it does not.
    pub fn narrowed(mut self, comparison: Comparison, holds: bool) -> Range {
        // If no value is on the wanted side of the comparison, the range is empty.
        if self.decides(comparison) == Some(!holds) {
            (self.bounds.low, self.bounds.high) = (1, 0);
            return self;
        }
        let Bounds { low, high, signed_low: least, signed_high: most } = &mut self.bounds;
        match (comparison, holds) {
            (Comparison::Equal(bits), true) => {
                let number = sign_extend(bits, self.width);
                (*low, *high, *least, *most) = (bits, bits, number, number);
            }
            (Comparison::Equal(bits), false) => {
                let number = sign_extend(bits, self.width);
                // Where the two readings contradict each other nothing is left, and any range will do.
                *low = low.saturating_add((*low == bits) as u64);
                *high = high.saturating_sub((*high == bits) as u64);
                *least = least.saturating_add((*least == number) as i64);
                *most = most.saturating_sub((*most == number) as i64);
            }
            (Comparison::Below(bound), true) => *high = (*high).min(bound - 1),
            (Comparison::Below(bound), false) => *low = (*low).max(bound),
            (Comparison::Above(bound), true) => *low = (*low).max(bound + 1),
            (Comparison::Above(bound), false) => *high = (*high).min(bound),
            (Comparison::SignedBelow(bound), true) => *most = (*most).min(bound - 1),
            (Comparison::SignedBelow(bound), false) => *least = (*least).max(bound),
            (Comparison::SignedAbove(bound), true) => *least = (*least).max(bound + 1),
            (Comparison::SignedAbove(bound), false) => *most = (*most).min(bound),
        }
        // Values on one side of the sign are the same numbers either way.
        self.bounds = self.bounds.narrowed(self.width);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::mask;

    fn holds(comparison: Comparison, bits: u64, width: u32) -> bool {
        let number = sign_extend(bits, width);
        match comparison {
            Comparison::Equal(other) => bits == other,
            Comparison::Below(bound) => bits < bound,
            Comparison::Above(bound) => bits > bound,
            Comparison::SignedBelow(bound) => number < bound,
            Comparison::SignedAbove(bound) => number > bound,
        }
    }

    fn all_comparisons(width: u32) -> Vec<Comparison> {
        let numbers = (0..=mask(width)).flat_map(|bits| {
            let number = sign_extend(bits, width);
            [
                Comparison::Equal(bits),
                Comparison::Below(bits),
                Comparison::Above(bits),
                Comparison::SignedBelow(number),
                Comparison::SignedAbove(number),
            ]
        });
        numbers.collect()
    }

    /// All pairs of comparisons of three bits, all values.
    #[test]
    fn ranges_contain_what_satisfies_the_comparisons() {
        let width = 3;
        for first in all_comparisons(width) {
            for second in all_comparisons(width) {
                for sides in 0..4 {
                    let sides = (sides & 1 == 1, sides & 2 == 2);
                    let range = Range::everything(width).narrowed(first, sides.0);
                    let satisfies = |bits: &u64| holds(first, *bits, width) == sides.0 && holds(second, *bits, width) == sides.1;
                    let left: Vec<u64> = (0..=mask(width)).filter(satisfies).collect();
                    if !range.is_empty() && range.decides(second) == Some(!sides.1) {
                        assert_eq!(left, [], "{first:?} {second:?} {sides:?}");
                    }
                    let both = if range.is_empty() { range } else { range.narrowed(second, sides.1) };
                    for &bits in &left {
                        assert!(!both.is_empty(), "{first:?} {second:?} {sides:?} {bits}");
                        assert_ne!(both.decides(Comparison::Equal(bits)), Some(false), "{first:?} {second:?} {sides:?} {bits}");
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_that_meet_leave_one_value() {
        let range = Range::everything(32).narrowed(Comparison::SignedBelow(1), false).narrowed(Comparison::SignedAbove(1), false);
        assert_eq!(range.value(), Some(1));
        let wide = Range::everything(64).narrowed(Comparison::SignedBelow(i64::MIN + 1), true);
        assert_eq!(wide.value(), Some(1 << 63));
    }
}
