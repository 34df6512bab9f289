//! Rules for integers. A sum keeps its constant last and once (`x + c`), so that two indices `x + 1` and `x + 2` are
//! seen to differ, comparisons have one form (`a < b` and its negation, constants gathered on the right), and a
//! condition and its opposite are the same term but for a `not`. Constants that leave 64 bits are left to the solver:
//! then a rule does not apply, which is always sound.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};

impl TermStore {
    /// The value of an integer constant that fits.
    pub fn const_int(&self, term: Term) -> Option<i64> {
        match self.node(term) {
            node if node.sort == Sort::Int => match node.op {
                Op::Const(bits) => Some(bits as i64),
                _ => None,
            },
            _ => None,
        }
    }

    fn small_int(&self, value: i64) -> Term {
        self.small_const(value as u64, Sort::Int)
    }

    /// `base + constant` apart, for integers; a constant has no base.
    pub fn split_integer(&self, term: Term) -> (Option<Term>, i64) {
        if let Some(value) = self.const_int(term) {
            return (None, value);
        }
        if self.op(term) == Op::IntAdd
            && let Some(offset) = self.const_int(self.arg(term, 1))
        {
            return (Some(self.arg(term, 0)), offset);
        }
        (Some(term), 0)
    }

    /// The normal form of `base + offset`.
    fn plus(&self, base: Term, offset: i64) -> Term {
        if offset == 0 { base } else { self.intern(Op::IntAdd, Sort::Int, &[base, self.small_int(offset)]) }
    }

    pub(super) fn simplify_integer(&self, op: Op, args: &[Term]) -> Option<Term> {
        match op {
            Op::IntAdd => self.simplify_int_add(args[0], args[1]),
            Op::IntMul => self.simplify_int_mul(args[0], args[1]),
            Op::IntNeg => self.simplify_int_neg(args[0]),
            Op::IntLt => self.simplify_int_less(args[0], args[1]),
            Op::IntLe => Some(self.not(self.build(Op::IntLt, &[args[1], args[0]]))),
            Op::IntDiv if self.const_int(args[1]) == Some(1) => Some(args[0]),
            Op::IntMod if matches!(self.const_int(args[1]), Some(1 | -1)) => Some(self.small_int(0)),
            Op::IntMod if self.op(args[0]) == Op::IntMod && self.arg(args[0], 1) == args[1] => Some(args[0]),
            Op::BvToInt | Op::IntToBv(_) => None,
            _ => None,
        }
    }

    fn simplify_int_add(&self, a: Term, b: Term) -> Option<Term> {
        let ((base_a, x), (base_b, y)) = (self.split_integer(a), self.split_integer(b));
        let offset = x.checked_add(y)?;
        let (Some(base_a), Some(base_b)) = (base_a, base_b) else {
            return base_a.or(base_b).map(|base| self.plus(base, offset));
        };
        let negated = |of: Term, by: Term| self.op(of) == Op::IntNeg && self.arg(of, 0) == by;
        if negated(base_a, base_b) || negated(base_b, base_a) {
            return Some(self.small_int(offset));
        }
        // (p + q) - p, as it comes out of differences of addresses.
        for (sum, other) in [(base_a, base_b), (base_b, base_a)] {
            if self.op(sum) == Op::IntAdd && self.op(other) == Op::IntNeg {
                let (left, right, gone) = (self.arg(sum, 0), self.arg(sum, 1), self.arg(other, 0));
                if left == gone || right == gone {
                    return Some(self.build(Op::IntAdd, &[if left == gone { right } else { left }, self.small_int(offset)]));
                }
            }
        }
        if x != 0 || y != 0 {
            return Some(self.build(Op::IntAdd, &[self.build(Op::IntAdd, &[base_a, base_b]), self.small_int(offset)]));
        }
        None
    }

    fn simplify_int_mul(&self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = if self.const_int(a).is_some() { (b, a) } else { (a, b) };
        let factor = self.const_int(b)?;
        match factor {
            0 => return Some(b),
            1 => return Some(a),
            _ => {}
        }
        let (base, offset) = self.split_integer(a);
        if let (Some(base), true) = (base, offset != 0) {
            let product = offset.checked_mul(factor)?;
            return Some(self.build(Op::IntAdd, &[self.build(Op::IntMul, &[base, b]), self.small_int(product)]));
        }
        match self.op(a) {
            Op::IntMul => {
                let product = self.const_int(self.arg(a, 1))?.checked_mul(factor)?;
                Some(self.build(Op::IntMul, &[self.arg(a, 0), self.small_int(product)]))
            }
            Op::IntNeg => Some(self.build(Op::IntMul, &[self.arg(a, 0), self.small_int(factor.checked_neg()?)])),
            _ => Some(self.intern(Op::IntMul, Sort::Int, &[a, b])),
        }
    }

    fn simplify_int_neg(&self, a: Term) -> Option<Term> {
        if self.op(a) == Op::IntNeg {
            return Some(self.arg(a, 0));
        }
        match self.split_integer(a) {
            (Some(base), offset) if offset != 0 => {
                Some(self.build(Op::IntAdd, &[self.build(Op::IntNeg, &[base]), self.small_int(offset.checked_neg()?)]))
            }
            _ if self.op(a) == Op::IntMul => {
                let factor = self.const_int(self.arg(a, 1))?.checked_neg()?;
                Some(self.build(Op::IntMul, &[self.arg(a, 0), self.small_int(factor)]))
            }
            _ => None,
        }
    }

    /// `x + p < y + q` becomes `x < y + (q - p)`; a constant on the left moves to the right with a `not`.
    fn simplify_int_less(&self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(false));
        }
        let ((base_a, x), (base_b, y)) = (self.split_integer(a), self.split_integer(b));
        match (base_a, base_b) {
            (Some(p), Some(q)) if p == q => Some(self.bool(x < y)),
            (Some(p), Some(q)) if x != 0 => Some(self.intern(Op::IntLt, Sort::Bool, &[p, self.plus(q, y.checked_sub(x)?)])),
            (Some(p), None) => {
                let bound = y.checked_sub(x)?;
                if let Some(decided) = self.choice_below(p, bound) {
                    return Some(decided);
                }
                (x != 0).then(|| self.intern(Op::IntLt, Sort::Bool, &[p, self.small_int(bound)]))
            }
            // c < q + y  is  not (q + y < c + 1)
            (None, Some(_)) => Some(self.not(self.build(Op::IntLt, &[b, self.small_int(x.checked_add(1)?)]))),
            _ => None,
        }
    }

    /// `ite(c, k1, k2) < bound` with constant arms.
    fn choice_below(&self, term: Term, bound: i64) -> Option<Term> {
        if self.op(term) != Op::Ite {
            return None;
        }
        let (then, otherwise) = (self.const_int(self.arg(term, 1))?, self.const_int(self.arg(term, 2))?);
        let condition = self.arg(term, 0);
        Some(match (then < bound, otherwise < bound) {
            (true, false) => condition,
            (false, true) => self.not(condition),
            (both, _) => self.bool(both),
        })
    }

    /// Equality of integers that their sums and constants decide or simplify.
    pub(super) fn simplify_int_eq(&self, a: Term, b: Term) -> Option<Term> {
        let ((base_a, x), (base_b, y)) = (self.split_integer(a), self.split_integer(b));
        match (base_a, base_b) {
            (Some(p), Some(q)) if p == q => Some(self.bool(x == y)),
            (Some(p), Some(q)) if x != 0 && y != 0 => Some(self.eq(p, self.plus(q, y.checked_sub(x)?))),
            (Some(p), None) => self.base_equals(p, y.checked_sub(x)?, x != 0),
            (None, Some(q)) => self.base_equals(q, x.checked_sub(y)?, y != 0),
            _ => None,
        }
    }

    fn base_equals(&self, base: Term, value: i64, moved: bool) -> Option<Term> {
        if self.op(base) == Op::IntMul
            && let Some(factor) = self.const_int(self.arg(base, 1))
            && factor != 0
        {
            if value.checked_rem(factor)? != 0 {
                return Some(self.bool(false));
            }
            return Some(self.eq(self.arg(base, 0), self.small_int(value.checked_div(factor)?)));
        }
        if self.op(base) == Op::IntNeg {
            return Some(self.eq(self.arg(base, 0), self.small_int(value.checked_neg()?)));
        }
        moved.then(|| self.eq(base, self.small_int(value)))
    }
}
