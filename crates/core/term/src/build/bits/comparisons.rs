//! Orders and equality. Comparisons of extended values are made in the narrow sort, where solvers have less to do.

use super::sort_width;
use crate::op::Op;
use crate::sort::{Sort, mask, sign_extend};
use crate::store::{Term, TermStore};

impl TermStore {
    pub(super) fn simplify_ult(&self, a: Term, b: Term) -> Option<Term> {
        if a == b || self.is_zero(b) || self.is_all_ones(a) {
            return Some(self.bool(false));
        }
        if self.is_one(b) {
            return Some(self.eq(a, self.zero_like(a)));
        }
        if self.is_zero(a) {
            return Some(self.ne(b, a));
        }
        if self.is_all_ones(b) {
            return Some(self.ne(a, b));
        }
        let width = sort_width(self, a);
        let inner = |term: Term| matches!(self.op(term), Op::BvZeroExtend(_)).then(|| self.arg(term, 0));
        match (inner(a), inner(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => return Some(self.bv_ult(x, y)),
            (Some(x), None) => {
                let (bits, narrow) = (self.const_bits(b)?, sort_width(self, x));
                return Some(if bits > mask(narrow) { self.bool(true) } else { self.bv_ult(x, self.bv(bits, narrow)) });
            }
            (None, Some(y)) => {
                let (bits, narrow) = (self.const_bits(a)?, sort_width(self, y));
                return Some(if bits > mask(narrow) { self.bool(false) } else { self.bv_ult(self.bv(bits, narrow), y) });
            }
            _ => {}
        }
        self.choice_against_constant(Op::BvUlt, a, b, width)
    }

    pub(super) fn simplify_slt(&self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(false));
        }
        let width = sort_width(self, a);
        if width <= 64 {
            let least = 1u64 << (width - 1);
            if self.const_bits(b) == Some(least) || self.const_bits(a) == Some(least - 1) {
                return Some(self.bool(false));
            }
        }
        // Zero-extended values are not negative: the order is the unsigned one of the narrow values.
        let narrow = |term: Term| match self.op(term) {
            Op::BvZeroExtend(_) => Some((self.arg(term, 0), false)),
            Op::BvSignExtend(_) => Some((self.arg(term, 0), true)),
            _ => None,
        };
        match (narrow(a), narrow(b)) {
            (Some((x, signed)), Some((y, also))) if signed == also && self.sort(x) == self.sort(y) => {
                return Some(if signed { self.bv_slt(x, y) } else { self.bv_ult(x, y) });
            }
            (Some((x, signed)), None) => {
                let bound = sign_extend(self.const_bits(b)?, width);
                return Some(self.narrow_less(x, signed, bound));
            }
            (None, Some((y, signed))) => {
                // c < y is not (y <= c), that is not (y < c + 1).
                let bound = sign_extend(self.const_bits(a)?, width);
                return Some(self.not(self.narrow_less(y, signed, bound.checked_add(1)?)));
            }
            _ => {}
        }
        self.choice_against_constant(Op::BvSlt, a, b, width)
    }

    /// `extend(x) < bound` in the sort of x.
    fn narrow_less(&self, x: Term, signed: bool, bound: i64) -> Term {
        let width = sort_width(self, x);
        let (least, most) = if signed { (sign_extend(1 << (width - 1), width), mask(width - 1) as i64) } else { (0, mask(width) as i64) };
        if bound <= least {
            return self.bool(false);
        }
        if bound > most {
            return self.bool(true);
        }
        let bound = self.bv(bound as u64, width);
        if signed { self.bv_slt(x, bound) } else { self.bv_ult(x, bound) }
    }

    /// A comparison of `ite(c, k1, k2)` with a constant is c, its negation, or decided.
    fn choice_against_constant(&self, op: Op, a: Term, b: Term, _width: u32) -> Option<Term> {
        let (choice, at_left) = if self.op(b).is_const() { (a, true) } else { (b, false) };
        if self.op(choice) != Op::Ite || !self.op(if at_left { b } else { a }).is_const() {
            return None;
        }
        let (condition, then, otherwise) = (self.arg(choice, 0), self.arg(choice, 1), self.arg(choice, 2));
        if !self.op(then).is_const() || !self.op(otherwise).is_const() {
            return None;
        }
        let compare = |k: Term| if at_left { self.build(op, &[k, b]) } else { self.build(op, &[a, k]) };
        Some(self.ite(condition, compare(then), compare(otherwise)))
    }

    pub(in crate::build) fn simplify_bv_eq(&self, a: Term, b: Term, width: u32) -> Option<Term> {
        if let (Some(x), Some(c)) = (self.constant_summand(a), self.const_value(b)) {
            let rest = self.bv_sub(self.constant(&c, Sort::Bv(width)), self.arg(a, 1));
            return Some(self.eq(x, rest));
        }
        let ((base_a, offset_a), (base_b, offset_b)) = (self.split_offset(a), self.split_offset(b));
        if width <= 64 && base_a.is_some() && base_a == base_b {
            return Some(self.bool(offset_a == offset_b));
        }
        match (self.op(a), self.op(b)) {
            (Op::BvNeg, _) if self.op(b).is_const() => Some(self.eq(self.arg(a, 0), self.build(Op::BvNeg, &[b]))),
            (Op::BvNot, _) if self.op(b).is_const() => Some(self.eq(self.arg(a, 0), self.build(Op::BvNot, &[b]))),
            (Op::BvZeroExtend(_), Op::BvZeroExtend(_)) | (Op::BvSignExtend(_), Op::BvSignExtend(_))
                if self.sort(self.arg(a, 0)) == self.sort(self.arg(b, 0)) =>
            {
                Some(self.eq(self.arg(a, 0), self.arg(b, 0)))
            }
            (Op::BvZeroExtend(_) | Op::BvSignExtend(_), _) if self.op(b).is_const() => {
                let inner = self.arg(a, 0);
                let cut = self.extract(b, sort_width(self, inner) - 1, 0);
                let back = self.build(self.op(a), &[cut]);
                Some(if back == b { self.eq(inner, cut) } else { self.bool(false) })
            }
            (Op::BvConcat, _) if self.op(b).is_const() => {
                let split = sort_width(self, self.arg(a, 1));
                let high = self.eq(self.arg(a, 0), self.extract(b, width - 1, split));
                Some(self.and(high, self.eq(self.arg(a, 1), self.extract(b, split - 1, 0))))
            }
            _ => None,
        }
    }

    fn constant_summand(&self, term: Term) -> Option<Term> {
        (self.op(term) == Op::BvAdd && self.op(self.arg(term, 1)).is_const()).then(|| self.arg(term, 0))
    }
}
