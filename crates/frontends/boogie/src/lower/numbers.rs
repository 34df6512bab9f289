//! Arithmetic. `div` and `mod` are Euclidean. Dividing by zero gives some value that depends on the dividend alone, as
//! in SMT-LIB: an uninterpreted function says which.

use super::expr::unsupported;
use super::{Lowered, Lowerer};
use crate::ast::BinaryOp;
use crate::source::Span;
use fathom_term::{Op, RoundingMode, Sort, Term};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Powers with a larger constant exponent are left alone.
const MAX_POWER: u32 = 64;

impl Lowerer<'_> {
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Term, b: Term, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        let less = |lt: Op, le: Op| {
            Some(match op {
                BinaryOp::Lt => store.build(lt, &[a, b]),
                BinaryOp::Gt => store.build(lt, &[b, a]),
                BinaryOp::Le => store.build(le, &[a, b]),
                BinaryOp::Ge => store.build(le, &[b, a]),
                _ => return None,
            })
        };
        let comparison = match store.sort(a) {
            Sort::Int => less(Op::IntLt, Op::IntLe),
            Sort::Real => less(Op::RealLt, Op::RealLe),
            Sort::Float(_) => less(Op::FpLt, Op::FpLe),
            _ => None,
        };
        if let Some(comparison) = comparison {
            return Ok(comparison);
        }
        let mode = || store.small_const(RoundingMode::NearestEven as u64, Sort::RoundingMode);
        Ok(match (op, store.sort(a)) {
            (BinaryOp::Add, Sort::Int) => store.build(Op::IntAdd, &[a, b]),
            (BinaryOp::Sub, Sort::Int) => store.build(Op::IntAdd, &[a, store.build(Op::IntNeg, &[b])]),
            (BinaryOp::Mul, Sort::Int) => store.build(Op::IntMul, &[a, b]),
            (BinaryOp::Div, Sort::Int) => self.divided(Op::IntDiv, a, b),
            (BinaryOp::Mod, Sort::Int) => self.divided(Op::IntMod, a, b),
            (BinaryOp::RealDiv, Sort::Int) => {
                let [a, b] = [a, b].map(|term| store.build(Op::IntToReal, &[term]));
                self.divided(Op::RealDiv, a, b)
            }
            (BinaryOp::Add, Sort::Real) => store.build(Op::RealAdd, &[a, b]),
            (BinaryOp::Sub, Sort::Real) => store.build(Op::RealAdd, &[a, store.build(Op::RealNeg, &[b])]),
            (BinaryOp::Mul, Sort::Real) => store.build(Op::RealMul, &[a, b]),
            (BinaryOp::RealDiv, Sort::Real) => self.divided(Op::RealDiv, a, b),
            (BinaryOp::Pow, Sort::Real) => return self.power(a, b, span),
            (BinaryOp::Add, Sort::Float(_)) => store.build(Op::FpAdd, &[mode(), a, b]),
            (BinaryOp::Sub, Sort::Float(_)) => store.build(Op::FpSub, &[mode(), a, b]),
            (BinaryOp::Mul, Sort::Float(_)) => store.build(Op::FpMul, &[mode(), a, b]),
            (BinaryOp::RealDiv, Sort::Float(_)) => store.build(Op::FpDiv, &[mode(), a, b]),
            _ => return unsupported("this operation on its operands", span),
        })
    }

    /// A quotient or remainder that is right for a zero divisor, too.
    pub(super) fn divided(&mut self, op: Op, a: Term, b: Term) -> Term {
        let store = self.store.clone();
        let plain = store.build(op, &[a, b]);
        let sort = store.sort(a);
        let zero = store.constant(&fathom_term::Value::zero(sort, &store), sort);
        let by_zero = store.eq(b, zero);
        if store.const_bool(by_zero) == Some(false) {
            return plain;
        }
        let name = match op {
            Op::IntDiv => "div-by-zero",
            Op::IntMod => "mod-by-zero",
            _ => "/-by-zero",
        };
        let function = store.function(name, &[sort], sort);
        store.ite(by_zero, store.apply(function, &[a]), plain)
    }

    /// `rem` as Z3 has it: the sign of the remainder follows the divisor.
    pub(super) fn remainder(&mut self, a: Term, b: Term) -> Term {
        let store = self.store.clone();
        let modulo = self.divided(Op::IntMod, a, b);
        let negative = store.build(Op::IntLt, &[b, store.int(0)]);
        store.ite(negative, store.build(Op::IntNeg, &[modulo]), modulo)
    }

    fn power(&mut self, a: Term, b: Term, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        let exponent = store.const_value(b).and_then(|value| {
            let exponent = value.as_real().clone();
            exponent.is_integer().then(|| exponent.to_integer())
        });
        let Some(exponent) = exponent.filter(|e| *e >= BigInt::zero()).and_then(|e| e.to_u32()).filter(|&e| e <= MAX_POWER) else {
            return unsupported("a power with an exponent that is no small constant", span);
        };
        let one = store.constant(&fathom_term::Value::real(num_rational::BigRational::from_integer(1.into())), Sort::Real);
        Ok((0..exponent).fold(one, |product, _| store.build(Op::RealMul, &[product, a])))
    }
}
