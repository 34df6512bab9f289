//! Rules for floats, integers and reals. Floats get few: most identities of arithmetic fail for NaN and signed zeros.

use crate::float;
use crate::op::Op;
use crate::sort::{FloatFormat, Sort};
use crate::store::{Term, TermStore};
use crate::value::Value;
use num_traits::{One, ToPrimitive, Zero};

/// Choices among more bits than this are not turned into choices among floats.
const MAX_CHOICES: usize = 64;

impl TermStore {
    pub(super) fn simplify_number(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        use Op::*;
        let simpler = match op {
            FpFromBits(format) => self.decoded(format, args[0]),
            FpNeg if self.op(args[0]) == FpNeg => Some(self.arg(args[0], 0)),
            FpAbs if matches!(self.op(args[0]), FpNeg | FpAbs) => Some(self.build(FpAbs, &[self.arg(args[0], 0)])),
            FpLt if args[0] == args[1] => Some(self.bool(false)),
            FpEq | FpLe if args[0] == args[1] => Some(self.not(self.build(FpIsNan, &[args[0]]))),
            FpToFp(format) if self.sort(args[1]) == Sort::Float(format) => Some(args[1]),
            IntAdd | IntMul | IntNeg | IntLt | IntLe | IntDiv | IntMod => self
                .simplify_integer(op, args)
                .or_else(|| matches!(op, IntAdd | IntMul).then(|| self.simplify_linear(op, args[0], args[1])).flatten()),
            RealAdd | RealMul => self.simplify_linear(op, args[0], args[1]),
            RealNeg if self.op(args[0]) == op => Some(self.arg(args[0], 0)),
            RealLt if args[0] == args[1] => Some(self.bool(false)),
            RealLe => Some(self.not(self.build(RealLt, &[args[1], args[0]]))),
            _ => None,
        };
        if let Some(simpler) = simpler {
            return simpler;
        }
        if op.is_commutative() && args[1] < args[0] && !self.op(args[1]).is_const() {
            return self.intern(op, sort, &[args[1], args[0]]);
        }
        self.intern(op, sort, args)
    }

    /// The float with this encoding, where that simplifies: the encoding of a float, an if-then-else of encodings, the bits of
    /// a NaN, or a changed sign bit.
    fn decoded(&self, format: FloatFormat, bits: Term) -> Option<Term> {
        let decode = |bits: Term| self.build(Op::FpFromBits(format), &[bits]);
        let constant = |index: usize| self.const_value(self.arg(bits, index))?.to_biguint().to_u128();
        let is_narrow = format.width() <= 128;
        let is_sign = |mask: u128| mask == float::signed_zero(format, true);
        match self.op(bits) {
            Op::FpToBits => self.undone(bits, Op::FpToBits, Sort::Float(format)),
            Op::Ite if self.is_small_choice(bits) => {
                let [condition, then, otherwise] = [0, 1, 2].map(|index| self.arg(bits, index));
                Some(self.ite(condition, decode(then), decode(otherwise)))
            }
            Op::BvOr if is_narrow => {
                let set = constant(1)?;
                let is_nan = float::is_nan(format, set);
                is_nan.then(|| self.constant(&Value::bits(float::nan(format).into(), format.width()), Sort::Float(format)))
            }
            Op::BvXor if is_narrow && is_sign(constant(1)?) => Some(self.build(Op::FpNeg, &[decode(self.arg(bits, 0))])),
            Op::BvAnd if is_narrow && is_sign(constant(1)?.wrapping_add(1)) => Some(self.build(Op::FpAbs, &[decode(self.arg(bits, 0))])),
            // All but the sign, as `x & 0x7f...f` is written.
            Op::BvZeroExtend(width) if width == format.width() => {
                let Op::BvExtract { high, low: 0 } = self.op(self.arg(bits, 0)) else { return None };
                let whole = self.arg(self.arg(bits, 0), 0);
                let is_magnitude = high + 2 == width && self.sort(whole) == Sort::Bv(width);
                is_magnitude.then(|| self.build(Op::FpAbs, &[decode(whole)]))
            }
            _ => None,
        }
    }

    fn is_small_choice(&self, bits: Term) -> bool {
        let mut open = vec![bits];
        let mut count = 0;
        while let Some(bits) = open.pop() {
            count += 1;
            if self.op(bits) == Op::Ite {
                open.extend([self.arg(bits, 1), self.arg(bits, 2)]);
            }
            if count > MAX_CHOICES {
                return false;
            }
        }
        true
    }

    pub(super) fn is_nan_constant(&self, term: Term) -> bool {
        match (self.sort(term), self.const_value(term)) {
            (Sort::Float(format), Some(value)) => value.to_biguint().to_u128().is_some_and(|bits| float::is_nan(format, bits)),
            _ => false,
        }
    }

    /// Undoes `inverse` when its operand has the wanted sort.
    fn undone(&self, term: Term, inverse: Op, sort: Sort) -> Option<Term> {
        if self.op(term) != inverse {
            return None;
        }
        let inner = self.arg(term, 0);
        (self.sort(inner) == sort).then_some(inner)
    }

    fn simplify_linear(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        let is_add = matches!(op, Op::IntAdd | Op::RealAdd);
        let (a, b) = if self.op(a).is_const() { (b, a) } else { (a, b) };
        if is_add && self.is_number_zero(b) || !is_add && self.is_number_one(b) {
            return Some(a);
        }
        if !is_add && self.is_number_zero(b) {
            return Some(b);
        }
        if is_add {
            let negation = if op == Op::IntAdd { Op::IntNeg } else { Op::RealNeg };
            if (self.op(b) == negation && self.arg(b, 0) == a) || (self.op(a) == negation && self.arg(a, 0) == b) {
                return Some(self.constant(&Value::zero(self.sort(a), self), self.sort(a)));
            }
        }
        if self.op(b).is_const() {
            if self.op(a) == op && self.op(self.arg(a, 1)).is_const() {
                return Some(self.build(op, &[self.arg(a, 0), self.build(op, &[self.arg(a, 1), b])]));
            }
            return Some(self.intern(op, self.sort(a), &[a, b]));
        }
        None
    }

    fn is_number_zero(&self, term: Term) -> bool {
        match self.const_value(term) {
            Some(Value::Int(int)) => int.is_zero(),
            Some(Value::Real(real)) => real.is_zero(),
            _ => false,
        }
    }

    fn is_number_one(&self, term: Term) -> bool {
        match self.const_value(term) {
            Some(Value::Int(int)) => int.is_one(),
            Some(Value::Real(real)) => real.is_one(),
            _ => false,
        }
    }
}
