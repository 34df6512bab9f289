//! Float operations: Z3's own, and the total definitions of our terms where SMT-LIB leaves a value open.

use crate::context::Ast;
use crate::translate::{Translated, Translator, unsupported};
use fathom_smt::SolverError;
use fathom_term::{FloatFormat, Op, Sort, Term, Value, float};
use num_bigint::BigUint;

impl Translator {
    pub(crate) fn float_operation(&mut self, op: Op, terms: &[Term], args: &[Ast]) -> Translated {
        use Op::*;
        let z3 = self.context.api;
        match op {
            FpAdd => self.ternary(z3.Z3_mk_fpa_add, &args[0], &args[1], &args[2]),
            FpSub => self.ternary(z3.Z3_mk_fpa_sub, &args[0], &args[1], &args[2]),
            FpMul => self.ternary(z3.Z3_mk_fpa_mul, &args[0], &args[1], &args[2]),
            FpDiv => self.ternary(z3.Z3_mk_fpa_div, &args[0], &args[1], &args[2]),
            // SAFETY: live objects of one context.
            FpFma => self.take(unsafe { (z3.Z3_mk_fpa_fma)(self.context.raw, args[0].raw, args[1].raw, args[2].raw, args[3].raw) }),
            FpSqrt => self.binary(z3.Z3_mk_fpa_sqrt, &args[0], &args[1]),
            FpRoundToIntegral => self.binary(z3.Z3_mk_fpa_round_to_integral, &args[0], &args[1]),
            FpRem => self.binary(z3.Z3_mk_fpa_rem, &args[0], &args[1]),
            FpMin => self.minimum(&args[0], &args[1], false),
            FpMax => self.minimum(&args[0], &args[1], true),
            FpAbs => self.unary(z3.Z3_mk_fpa_abs, &args[0]),
            FpNeg => self.unary(z3.Z3_mk_fpa_neg, &args[0]),
            FpEq => self.binary(z3.Z3_mk_fpa_eq, &args[0], &args[1]),
            FpLt => self.binary(z3.Z3_mk_fpa_lt, &args[0], &args[1]),
            FpLe => self.binary(z3.Z3_mk_fpa_leq, &args[0], &args[1]),
            FpIsNan => self.unary(z3.Z3_mk_fpa_is_nan, &args[0]),
            FpIsInfinite => self.unary(z3.Z3_mk_fpa_is_infinite, &args[0]),
            FpIsZero => self.unary(z3.Z3_mk_fpa_is_zero, &args[0]),
            FpIsNormal => self.unary(z3.Z3_mk_fpa_is_normal, &args[0]),
            FpIsSubnormal => self.unary(z3.Z3_mk_fpa_is_subnormal, &args[0]),
            FpIsNegative => self.unary(z3.Z3_mk_fpa_is_negative, &args[0]),
            FpIsPositive => self.unary(z3.Z3_mk_fpa_is_positive, &args[0]),
            FpToReal => self.unary(z3.Z3_mk_fpa_to_real, &args[0]),
            FpToBits => self.bits_of_float(terms[0], &args[0]),
            FpFromBits(to) => {
                let sort = self.sort(Sort::Float(to))?;
                self.binary(z3.Z3_mk_fpa_to_fp_bv, &args[0], &sort)
            }
            FpToFp(to) | FpFromSigned(to) | FpFromUnsigned(to) | FpFromReal(to) => {
                let sort = self.sort(Sort::Float(to))?;
                let make = match op {
                    FpToFp(_) => z3.Z3_mk_fpa_to_fp_float,
                    FpFromSigned(_) => z3.Z3_mk_fpa_to_fp_signed,
                    FpFromUnsigned(_) => z3.Z3_mk_fpa_to_fp_unsigned,
                    _ => z3.Z3_mk_fpa_to_fp_real,
                };
                self.ternary(make, &args[0], &args[1], &sort)
            }
            FpToSigned(width) => self.float_to_integer(terms, args, width, true),
            FpToUnsigned(width) => self.float_to_integer(terms, args, width, false),
            other => Err(unsupported(&format!("{other:?}"))),
        }
    }

    /// The format of a float term, if it is one that `fathom_term::float` computes with.
    fn format_of(&self, term: Term) -> Result<FloatFormat, SolverError> {
        match self.store.sort(term) {
            Sort::Float(format) if format.width() <= 128 => Ok(format),
            other => Err(unsupported(&format!("conversions of {other:?}"))),
        }
    }

    fn float(&mut self, encoding: u128, format: FloatFormat) -> Translated {
        self.constant(&Value::bits(encoding.into(), format.width()), Sort::Float(format))
    }

    /// The smaller (larger if `swapped`) of two floats as `fathom_term::float` defines it: of a number and NaN the
    /// number, of zeros with two signs the second.
    fn minimum(&self, a: &Ast, b: &Ast, swapped: bool) -> Translated {
        let z3 = self.context.api;
        let (low, high) = if swapped { (b, a) } else { (a, b) };
        let a_wins = self.binary(z3.Z3_mk_fpa_lt, low, high)?;
        let b_is_nan = self.unary(z3.Z3_mk_fpa_is_nan, b)?;
        let choose_a = self.many(z3.Z3_mk_or, &[b_is_nan, a_wins])?;
        let a_is_nan = self.unary(z3.Z3_mk_fpa_is_nan, a)?;
        let a_or_b = self.ternary(z3.Z3_mk_ite, &choose_a, a, b)?;
        self.ternary(z3.Z3_mk_ite, &a_is_nan, b, &a_or_b)
    }

    /// The interchange encoding; NaN has one.
    fn bits_of_float(&mut self, term: Term, value: &Ast) -> Translated {
        let z3 = self.context.api;
        let format = self.format_of(term)?;
        let nan = self.constant(&Value::bits(float::nan(format).into(), format.width()), Sort::Bv(format.width()))?;
        let is_nan = self.unary(z3.Z3_mk_fpa_is_nan, value)?;
        let bits = self.unary(z3.Z3_mk_fpa_to_ieee_bv, value)?;
        self.ternary(z3.Z3_mk_ite, &is_nan, &nan, &bits)
    }

    /// Float to integer: 0 where the rounded value does not fit. The bounds are powers of two; one that the format
    /// cannot express lies beyond all its finite values and bounds nothing.
    fn float_to_integer(&mut self, terms: &[Term], args: &[Ast], width: u32, signed: bool) -> Translated {
        let z3 = self.context.api;
        let format = self.format_of(terms[1])?;
        let rounded = self.binary(z3.Z3_mk_fpa_round_to_integral, &args[0], &args[1])?;
        let is_nan = self.unary(z3.Z3_mk_fpa_is_nan, &rounded)?;
        let is_infinite = self.unary(z3.Z3_mk_fpa_is_infinite, &rounded)?;
        let mut outside = vec![is_nan, is_infinite];
        let bound = float::power_of_two(format, if signed { width - 1 } else { width });
        if let Some(bound) = bound {
            let bound = self.float(bound, format)?;
            outside.push(self.binary(z3.Z3_mk_fpa_geq, &rounded, &bound)?);
        }
        let lower = if signed { bound.map(|bound| float::neg(format, bound)) } else { Some(0) };
        if let Some(bound) = lower {
            let bound = self.float(bound, format)?;
            outside.push(self.binary(z3.Z3_mk_fpa_lt, &rounded, &bound)?);
        }
        let outside = self.many(z3.Z3_mk_or, &outside)?;
        let make = if signed { z3.Z3_mk_fpa_to_sbv } else { z3.Z3_mk_fpa_to_ubv };
        // SAFETY: live objects of one context.
        let inside = self.take(unsafe { make(self.context.raw, args[0].raw, args[1].raw, width) })?;
        let zero = self.constant(&Value::bits(BigUint::default(), width), Sort::Bv(width))?;
        self.ternary(z3.Z3_mk_ite, &outside, &zero, &inside)
    }
}
