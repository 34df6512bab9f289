//! Rules for bit-vectors. Constants stand right; sums are `base + constant`; slices, joins and extensions are pushed
//! together so that bytes written to memory and read back meet again as the word they came from.

mod arithmetic;
mod comparisons;
mod slices;

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::store::{Term, TermStore};
use crate::value::Value;
use num_bigint::BigUint;
use num_traits::Zero;

impl TermStore {
    pub(super) fn simplify_bv(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        use Op::*;
        let mut ordered = [args[0], *args.get(1).unwrap_or(&args[0])];
        if op.is_commutative() {
            let [a, b] = ordered;
            let swap = self.op(a).is_const() || (b < a && !self.op(b).is_const());
            if swap {
                ordered = [b, a];
            }
        }
        let [a, b] = ordered;
        let simpler = match op {
            BvAdd => self.simplify_add(a, b),
            BvMul => self.simplify_mul(a, b),
            BvNeg => self.simplify_neg(a),
            BvNot => (self.op(a) == BvNot).then(|| self.arg(a, 0)),
            BvAnd | BvOr => self.simplify_bitwise(op, a, b),
            BvXor => self.simplify_bv_xor(a, b),
            BvUdiv | BvUrem | BvSdiv | BvSrem => self.simplify_division(op, a, b),
            BvShl | BvLshr | BvAshr => self.simplify_shift(op, a, b),
            BvUlt => self.simplify_ult(a, b),
            BvSlt => self.simplify_slt(a, b),
            BvSmulOverflow | BvUmulOverflow => (self.is_zero(b) || (self.is_one(b) && sort_width(self, a) > 1)).then(|| self.bool(false)),
            BvConcat => self.simplify_concat(a, b),
            BvExtract { high, low } => self.simplify_extract(a, high, low),
            BvZeroExtend(width) => self.simplify_zero_extend(a, width),
            BvSignExtend(width) => self.simplify_sign_extend(a, width),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, sort, &ordered[..args.len()]))
    }

    fn is_zero(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Const(bits) => bits == 0,
            Op::BigConst(_) => matches!(self.const_value(term), Some(Value::Wide(bits)) if bits.is_zero()),
            _ => false,
        }
    }

    fn is_one(&self, term: Term) -> bool {
        match self.const_value(term) {
            Some(Value::Bits(bits)) => bits == 1,
            Some(Value::Wide(bits)) => *bits == BigUint::from(1u8),
            _ => false,
        }
    }

    fn is_all_ones(&self, term: Term) -> bool {
        let width = sort_width(self, term);
        match self.const_value(term) {
            Some(Value::Bits(bits)) => bits == mask(width),
            Some(Value::Wide(bits)) => bits.count_ones() == width as u64,
            _ => false,
        }
    }

    fn zero_like(&self, term: Term) -> Term {
        self.bv(0, sort_width(self, term))
    }

    fn ones_like(&self, term: Term) -> Term {
        self.build(Op::BvNot, &[self.zero_like(term)])
    }
}

fn sort_width(store: &TermStore, term: Term) -> u32 {
    store.sort(term).width()
}
