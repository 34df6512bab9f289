//! Constants of the source.

use super::{Lowered, Lowerer, Unsupported};
use crate::ast::{Decimal, FloatLit, FloatValue, Rounding};
use crate::source::Span;
use fathom_term::{RoundingMode, Sort, Term, Value, float};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;
use std::rc::Rc;

/// Powers of two beyond this are beyond every float.
const MAX_SHIFT: i64 = 1 << 61;

/// Exponents beyond this would fill the memory with digits.
const MAX_EXPONENT: u64 = 20_000;

impl Lowerer<'_> {
    pub(super) fn integer(&self, value: &BigUint) -> Term {
        self.store.int(BigInt::from(value.clone()))
    }

    pub(super) fn bit_vector(&self, value: &BigUint, width: u32, span: Span) -> Lowered<Term> {
        if width == 0 {
            return Err(Unsupported { what: "bit-vectors of width 0".into(), span });
        }
        Ok(self.store.constant(&Value::bits(value.clone(), width), Sort::Bv(width)))
    }

    pub(super) fn real(&self, decimal: &Decimal, span: Span) -> Lowered<Term> {
        let mantissa = BigRational::from_integer(BigInt::from(decimal.mantissa.clone()));
        let value = mantissa * power(10, decimal.exponent, span)?;
        Ok(self.store.constant(&Value::real(value), Sort::Real))
    }

    pub(super) fn float(&mut self, literal: &FloatLit, ty: crate::typed::TypeId, span: Span) -> Lowered<Term> {
        let sort = self.sort(ty, span)?;
        let format = sort.format();
        let bits = match &literal.value {
            FloatValue::NaN => float::nan(format),
            FloatValue::Infinity { negative } => float::infinity(format, *negative),
            FloatValue::Hex { negative, mantissa, fraction_digits, exponent } => {
                let shift = exponent.checked_sub(i64::from(*fraction_digits)).and_then(|digits| digits.checked_mul(4));
                // So far beyond every format, a little more makes no difference.
                let shift = shift.unwrap_or(if *exponent < 0 { -MAX_SHIFT } else { MAX_SHIFT }).clamp(-MAX_SHIFT, MAX_SHIFT);
                float::from_parts(format, RoundingMode::NearestEven, *negative, mantissa, shift)
            }
        };
        Ok(self.store.constant(&Value::bits(bits.into(), format.width()), sort))
    }

    pub(super) fn rounding(&self, mode: Rounding) -> Term {
        let code = match mode {
            Rounding::NearestTiesToEven => RoundingMode::NearestEven,
            Rounding::NearestTiesToAway => RoundingMode::NearestAway,
            Rounding::TowardPositive => RoundingMode::TowardPositive,
            Rounding::TowardNegative => RoundingMode::TowardNegative,
            Rounding::TowardZero => RoundingMode::TowardZero,
        };
        self.store.small_const(code as u64, Sort::RoundingMode)
    }

    /// The solver's literal, or a constant that stands for the text; `add_axioms` makes those differ.
    pub(super) fn string(&mut self, text: &Rc<str>, sort: Sort) -> Term {
        if let Some(&known) = self.strings.get(text) {
            return known;
        }
        if self.solver_strings {
            let literal = self.store.theory_function(&format!("\"{}\"", text.replace('"', "\"\"")), &[], sort);
            let term = self.store.apply(literal, &[]);
            self.strings.insert(text.clone(), term);
            return term;
        }
        let name = format!("{text:?}");
        let (id, term) = self.new_var(&name, sort);
        self.globals.push(fathom_ir::Variable { id, name, sort });
        self.strings.insert(text.clone(), term);
        term
    }
}

fn power(base: u32, exponent: i64, span: Span) -> Lowered<BigRational> {
    if exponent.unsigned_abs() > MAX_EXPONENT {
        return Err(Unsupported { what: "a number with so large an exponent".into(), span });
    }
    let size = BigInt::from(base).pow(exponent.unsigned_abs() as u32);
    Ok(if exponent < 0 { BigRational::new(BigInt::one(), size) } else { BigRational::from_integer(size) })
}
