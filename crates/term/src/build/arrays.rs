//! Rules for arrays: reads look through writes at provably different indices, for a bounded number of steps.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use smallvec::SmallVec;

/// How many writes a read looks through, and a write, to take the place of an earlier one.
const LOOK_THROUGH: usize = 1024;
const LOOK_UNDER: usize = 128;

impl TermStore {
    pub(super) fn simplify_select(&self, array: Term, index: Term, sort: Sort) -> Term {
        let mut array = array;
        for _ in 0..LOOK_THROUGH {
            match self.op(array) {
                Op::ConstArray(_) => return self.arg(array, 0),
                Op::Store => match self.definitely_equal(self.arg(array, 1), index) {
                    Some(true) => return self.arg(array, 2),
                    Some(false) => array = self.arg(array, 0),
                    None => break,
                },
                _ => break,
            }
        }
        self.intern(Op::Select, sort, &[array, index])
    }

    pub(super) fn simplify_store(&self, array: Term, index: Term, element: Term) -> Term {
        // A second write to the same place, and writing back what was there.
        if self.op(array) == Op::Store && self.arg(array, 1) == index {
            return self.simplify_store(self.arg(array, 0), index, element);
        }
        if let Some(rebuilt) = self.replace_write(array, index, element) {
            return rebuilt;
        }
        if self.op(element) == Op::Select && self.arg(element, 0) == array && self.arg(element, 1) == index {
            return array;
        }
        if matches!(self.op(array), Op::ConstArray(_)) && self.arg(array, 0) == element {
            return array;
        }
        self.intern(Op::Store, self.sort(array), &[array, index, element])
    }

    /// A write to a place that was written before, with only other places in between: the old write goes away. So a
    /// map holds each place once, however often a loop writes it, and what was written last lies on top.
    fn replace_write(&self, array: Term, index: Term, element: Term) -> Option<Term> {
        let mut above = SmallVec::<[Term; 16]>::new();
        let mut at = array;
        for _ in 0..LOOK_UNDER {
            if self.op(at) != Op::Store {
                return None;
            }
            if self.definitely_equal(self.arg(at, 1), index)? {
                let sort = self.sort(array);
                let mut rebuilt = self.arg(at, 0);
                for &write in above.iter().rev() {
                    rebuilt = self.intern(Op::Store, sort, &[rebuilt, self.arg(write, 1), self.arg(write, 2)]);
                }
                return Some(self.intern(Op::Store, sort, &[rebuilt, index, element]));
            }
            above.push(at);
            at = self.arg(at, 0);
        }
        None
    }

    /// Equality that syntax alone decides.
    pub fn definitely_equal(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let rules = self.rules();
        if self.op(a).is_const() && self.op(b).is_const() {
            return rules.maps_at_constants.then_some(false);
        }
        if !rules.maps_at_offsets {
            return None;
        }
        let (same_base, same_offset) = match self.sort(a) {
            Sort::Bv(_) => {
                let ((base_a, offset_a), (base_b, offset_b)) = (self.split_offset(a), self.split_offset(b));
                (base_a.is_some() && base_a == base_b, offset_a == offset_b)
            }
            Sort::Int => {
                let ((base_a, offset_a), (base_b, offset_b)) = (self.split_integer(a), self.split_integer(b));
                (base_a.is_some() && base_a == base_b, offset_a == offset_b)
            }
            _ => return None,
        };
        same_base.then_some(same_offset)
    }

    /// `base + constant` apart; a lone term has offset 0. Wide vectors are not taken apart.
    pub fn split_offset(&self, term: Term) -> (Option<Term>, u64) {
        match self.op(term) {
            Op::Const(bits) => (None, bits),
            Op::BvAdd => match self.const_bits(self.arg(term, 1)) {
                Some(bits) => (Some(self.arg(term, 0)), bits),
                None => (Some(term), 0),
            },
            _ => (Some(term), 0),
        }
    }
}
