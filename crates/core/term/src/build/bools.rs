//! Rules for Boolean connectives, equality and if-then-else.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};

impl TermStore {
    pub(super) fn simplify_not(&self, a: Term) -> Term {
        if self.op(a) == Op::Not {
            return self.arg(a, 0);
        }
        self.intern(Op::Not, Sort::Bool, &[a])
    }

    /// Whether one term is the negation of the other.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        (self.op(a) == Op::Not && self.arg(a, 0) == b) || (self.op(b) == Op::Not && self.arg(b, 0) == a)
    }

    pub(super) fn simplify_and_or(&self, op: Op, a: Term, b: Term) -> Term {
        // The value that decides the result, and the one that vanishes.
        let absorbing = self.bool(op == Op::Or);
        let neutral = self.bool(op == Op::And);
        if a == absorbing || b == absorbing {
            return absorbing;
        }
        if a == neutral || a == b {
            return b;
        }
        if b == neutral {
            return a;
        }
        if self.are_opposite(a, b) {
            return absorbing;
        }
        // One level of absorption: x and (x and y); x and (not x or y).
        for (one, other) in [(a, b), (b, a)] {
            let node_op = self.op(other);
            if node_op == op {
                let (left, right) = (self.arg(other, 0), self.arg(other, 1));
                if left == one || right == one {
                    return other;
                }
                if self.are_opposite(left, one) || self.are_opposite(right, one) {
                    return absorbing;
                }
            } else if node_op == (if op == Op::And { Op::Or } else { Op::And }) {
                let (left, right) = (self.arg(other, 0), self.arg(other, 1));
                if left == one || right == one {
                    return one;
                }
                if self.are_opposite(left, one) {
                    return self.simplify_and_or(op, one, right);
                }
                if self.are_opposite(right, one) {
                    return self.simplify_and_or(op, one, left);
                }
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(op, Sort::Bool, &[a, b])
    }

    pub(super) fn simplify_xor(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(known) = self.const_bool(one) {
                return if known { self.not(other) } else { other };
            }
            if self.op(one) == Op::Not {
                return self.not(self.simplify_xor(self.arg(one, 0), other));
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Op::Xor, Sort::Bool, &[a, b])
    }

    pub(super) fn simplify_eq(&self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "equality between two sorts");
        if a == b {
            return self.bool(true);
        }
        // A constant goes right.
        let (a, b) = if self.op(a).is_const() { (b, a) } else { (a, b) };
        if self.op(b).is_const() {
            if self.op(a).is_const() {
                return self.bool(false);
            }
            if sort == Sort::Bool {
                return if self.const_bool(b) == Some(true) { a } else { self.not(a) };
            }
            if let Some(simpler) = self.ite_equals_constant(a, b) {
                return simpler;
            }
        } else if sort == Sort::Bool {
            return self.not(self.simplify_xor(a, b));
        }
        if let Sort::Bv(width) = sort
            && let Some(simpler) = self.simplify_bv_eq(a, b, width)
        {
            return simpler;
        }
        if sort == Sort::Int
            && let Some(simpler) = self.simplify_int_eq(a, b)
        {
            return simpler;
        }
        let (a, b) = if a <= b || self.op(b).is_const() { (a, b) } else { (b, a) };
        self.intern(Op::Eq, Sort::Bool, &[a, b])
    }

    /// `ite(c, k1, x) = k`: a constant arm decides or excludes it.
    fn ite_equals_constant(&self, a: Term, constant: Term) -> Option<Term> {
        if self.op(a) != Op::Ite {
            return None;
        }
        let (condition, then, otherwise) = (self.arg(a, 0), self.arg(a, 1), self.arg(a, 2));
        let (then_const, else_const) = (self.op(then).is_const(), self.op(otherwise).is_const());
        if then_const && else_const {
            return Some(match (then == constant, otherwise == constant) {
                (true, false) => condition,
                (false, true) => self.not(condition),
                (both, _) => self.bool(both),
            });
        }
        if then_const {
            let rest = self.intern_eq(otherwise, constant);
            return Some(if then == constant { self.or(condition, rest) } else { self.and(self.not(condition), rest) });
        }
        if else_const {
            let rest = self.intern_eq(then, constant);
            return Some(if otherwise == constant { self.or(self.not(condition), rest) } else { self.and(condition, rest) });
        }
        None
    }

    /// Equality with a constant for an arm of an if-then-else: nested choices stay as they are, so that building
    /// never recurses down a chain of them.
    fn intern_eq(&self, a: Term, constant: Term) -> Term {
        if self.op(a) == Op::Ite || self.op(a).is_const() {
            if a == constant {
                return self.bool(true);
            }
            return self.intern(Op::Eq, Sort::Bool, &[a, constant]);
        }
        self.eq(a, constant)
    }

    pub(super) fn simplify_ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        assert_eq!(self.sort(then), self.sort(otherwise), "arms of two sorts");
        if let Some(known) = self.const_bool(condition) {
            return if known { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if self.op(condition) == Op::Not {
            return self.simplify_ite(self.arg(condition, 0), otherwise, then);
        }
        if self.sort(then) == Sort::Bool {
            match (self.const_bool(then), self.const_bool(otherwise)) {
                (Some(true), Some(false)) => return condition,
                (Some(false), Some(true)) => return self.not(condition),
                (Some(true), None) => return self.or(condition, otherwise),
                (Some(false), None) => return self.and(self.not(condition), otherwise),
                (None, Some(true)) => return self.or(self.not(condition), then),
                (None, Some(false)) => return self.and(condition, then),
                _ => {}
            }
        }
        // The same condition again in an arm is already decided there.
        let then = if self.op(then) == Op::Ite && self.arg(then, 0) == condition { self.arg(then, 1) } else { then };
        let otherwise =
            if self.op(otherwise) == Op::Ite && self.arg(otherwise, 0) == condition { self.arg(otherwise, 2) } else { otherwise };
        if then == otherwise {
            return then;
        }
        // There is one NaN.
        if self.op(condition) == Op::FpIsNan && self.arg(condition, 0) == otherwise && self.is_nan_constant(then) {
            return otherwise;
        }
        self.intern(Op::Ite, self.sort(then), &[condition, then, otherwise])
    }
}
