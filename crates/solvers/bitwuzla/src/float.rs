//! Float operations that Bitwuzla lacks, or that SMT-LIB leaves partly open and our terms do not.

use crate::handle::{TermHandle, make};
use crate::kind::{Kind, rounding_code};
use crate::translate::{Translated, Translator, format_indices, is_sensible, unsupported};
use fathom_smt::SolverError;
use fathom_term::{FloatBits, FloatFormat, RoundingMode, Sort, Term, Value, float, float_bits};
use num_bigint::BigUint;
use std::rc::Rc;

impl Translator {
    /// The format of a float term, if it is one that `fathom_term::float` computes with.
    fn format_of(&self, term: Term) -> Result<FloatFormat, SolverError> {
        match self.store.sort(term) {
            Sort::Float(format) if format.width() <= 128 => Ok(format),
            other => Err(unsupported(&format!("conversions of {other:?}"))),
        }
    }

    /// The smaller (larger if `swapped`) of two floats as `fathom_term::float` defines it: of a number and NaN the
    /// number, of zeros with two signs the second. SMT-LIB's own operation leaves the zeros open.
    pub(crate) fn minimum(&self, a: &Rc<TermHandle>, b: &Rc<TermHandle>, swapped: bool) -> Translated {
        let (low, high) = if swapped { (b, a) } else { (a, b) };
        let a_wins = self.apply(Kind::FP_LT, &[low.clone(), high.clone()], &[])?;
        let b_is_nan = self.apply(Kind::FP_IS_NAN, std::slice::from_ref(b), &[])?;
        let choose_a = self.apply(Kind::OR, &[b_is_nan, a_wins], &[])?;
        let a_is_nan = self.apply(Kind::FP_IS_NAN, std::slice::from_ref(a), &[])?;
        let a_or_b = self.apply(Kind::ITE, &[choose_a, a.clone(), b.clone()], &[])?;
        self.apply(Kind::ITE, &[a_is_nan, b.clone(), a_or_b], &[])
    }

    /// A float as it is, or, where significand and exponent are as long as each other, in a larger format: SymFPU's
    /// roundings to integers then ask for vectors of nearly 2^64 bits.
    fn with_room(&self, value: &Rc<TermHandle>, format: FloatFormat) -> Result<(Rc<TermHandle>, FloatFormat), SolverError> {
        if unpacked_exponent(format) != u32::from(format.significand) {
            return Ok((value.clone(), format));
        }
        let mut wider = FloatFormat { exponent: format.exponent, significand: format.significand + 2 };
        while !is_sensible(wider) || unpacked_exponent(wider) == u32::from(wider.significand) {
            wider.exponent += 1;
        }
        let mode = Rc::new(make::rounding_mode(&self.manager, rounding_code(RoundingMode::NearestEven))?);
        Ok((self.apply(Kind::FP_TO_FP_FROM_FP, &[mode, value.clone()], &format_indices(wider))?, wider))
    }

    /// Rounding to an integer; what a larger format rounds to fits the smaller one too.
    pub(crate) fn round_to_integral(&self, args: &[Term], handles: &[Rc<TermHandle>]) -> Translated {
        let format = self.format_of(args[1])?;
        let (value, wider) = self.with_room(&handles[1], format)?;
        let rounded = self.apply(Kind::FP_RTI, &[handles[0].clone(), value], &[])?;
        if wider == format {
            return Ok(rounded);
        }
        self.apply(Kind::FP_TO_FP_FROM_FP, &[handles[0].clone(), rounded], &format_indices(format))
    }

    /// Float to integer: 0 where the rounded value does not fit. The bounds are powers of two; one that the format
    /// cannot express lies beyond all its finite values and bounds nothing.
    pub(crate) fn float_to_integer(&mut self, args: &[Term], handles: &[Rc<TermHandle>], width: u32, signed: bool) -> Translated {
        let format = self.format_of(args[1])?;
        let (value, format) = self.with_room(&handles[1], format)?;
        let handles = &[handles[0].clone(), value];
        let rounded = self.apply(Kind::FP_RTI, handles, &[])?;
        let is_nan = self.apply(Kind::FP_IS_NAN, std::slice::from_ref(&rounded), &[])?;
        let is_infinite = self.apply(Kind::FP_IS_INF, std::slice::from_ref(&rounded), &[])?;
        let mut outside = self.apply(Kind::OR, &[is_nan, is_infinite], &[])?;
        let power = if signed { width - 1 } else { width };
        if let Some(bound) = float::power_of_two(format, power) {
            let bound = self.float(&bound.into(), format)?;
            let too_large = self.apply(Kind::FP_GEQ, &[rounded.clone(), bound], &[])?;
            outside = self.apply(Kind::OR, &[outside, too_large], &[])?;
        }
        let lower = if signed { float::power_of_two(format, power).map(|bits| float::neg(format, bits)) } else { Some(0) };
        if let Some(bound) = lower {
            let bound = self.float(&bound.into(), format)?;
            let too_small = self.apply(Kind::FP_LT, &[rounded, bound], &[])?;
            outside = self.apply(Kind::OR, &[outside, too_small], &[])?;
        }
        let kind = if signed { Kind::FP_TO_SBV } else { Kind::FP_TO_UBV };
        // SymFPU converts wrongly to a signed number of one bit; the low bit of a wider result is the same.
        let mut inside = self.apply(kind, handles, &[width.max(2).into()])?;
        if width < 2 {
            inside = self.apply(Kind::BV_EXTRACT, &[inside], &[0, 0])?;
        }
        let zero = self.constant(&Value::bits(BigUint::default(), width), Sort::Bv(width))?;
        self.apply(Kind::ITE, &[outside, zero, inside], &[])
    }

    /// Float to float. SymFPU rounds wrongly when fewer than two bits fall away, so where it would, the significand is
    /// first widened, which is exact.
    pub(crate) fn float_to_float(&mut self, args: &[Term], handles: &[Rc<TermHandle>], to: FloatFormat) -> Translated {
        let from = self.format_of(args[1])?;
        self.require_sensible(to)?;
        if rounds_well(from, to) {
            return self.apply(Kind::FP_TO_FP_FROM_FP, handles, &format_indices(to));
        }
        let mut wider = FloatFormat { exponent: from.exponent, significand: to.significand + 2 };
        while !is_sensible(wider) {
            wider.exponent += 1;
        }
        let widened = self.apply(Kind::FP_TO_FP_FROM_FP, handles, &format_indices(wider))?;
        self.apply(Kind::FP_TO_FP_FROM_FP, &[handles[0].clone(), widened], &format_indices(to))
    }

    /// Integer to float; a short integer is extended for the same reason as above.
    pub(crate) fn integer_to_float(&mut self, args: &[Term], handles: &[Rc<TermHandle>], to: FloatFormat, signed: bool) -> Translated {
        let Sort::Bv(width) = self.store.sort(args[1]) else { return Err(unsupported("a vector of another sort")) };
        self.require_sensible(to)?;
        let (extend, convert) = match signed {
            true => (Kind::BV_SIGN_EXTEND, Kind::FP_TO_FP_FROM_SBV),
            false => (Kind::BV_ZERO_EXTEND, Kind::FP_TO_FP_FROM_UBV),
        };
        // SymFPU goes through a float that holds every integer of the width, with one more bit for a sign.
        let exponent = (width.ilog2() + 2) as u16;
        let significand = u16::try_from(width).unwrap_or(u16::MAX).saturating_add(signed.into());
        let needed = if rounds_well(FloatFormat { exponent, significand }, to) { 2 } else { u32::from(to.significand) + 2 };
        let mut integer = handles[1].clone();
        if width < needed {
            integer = self.apply(extend, &[integer], &[(needed - width).into()])?;
        }
        self.apply(convert, &[handles[0].clone(), integer], &format_indices(to))
    }

    fn require_sensible(&self, format: FloatFormat) -> Result<(), SolverError> {
        if is_sensible(format) { Ok(()) } else { Err(unsupported(&format!("{format:?}"))) }
    }

    /// A known real rounded in an unknown mode: a choice between five constants. Unknown reals are not supported.
    pub(crate) fn real_to_float(&mut self, args: &[Term], handles: &[Rc<TermHandle>], format: FloatFormat) -> Translated {
        let Some(Value::Real(real)) = self.store.const_value(args[1]) else { return Err(unsupported("real numbers")) };
        let [last, others @ ..] = RoundingMode::ALL;
        let mut result = self.float(&float::from_rational(format, last, &real).into(), format)?;
        for mode in others {
            let code = Rc::new(make::rounding_mode(&self.manager, rounding_code(mode))?);
            let is_mode = self.apply(Kind::EQUAL, &[handles[0].clone(), code], &[])?;
            let rounded = self.float(&float::from_rational(format, mode, &real).into(), format)?;
            result = self.apply(Kind::ITE, &[is_mode, rounded, result], &[])?;
        }
        Ok(result)
    }

    /// The interchange encoding of a float, with the definition that it may need.
    pub(crate) fn bits_of_float(&mut self, term: Term, arg: Term) -> Translated {
        self.format_of(arg)?;
        let store = self.store.clone();
        let FloatBits { bits, condition } = float_bits(&store, arg);
        let handle = self.translate(bits)?;
        if let Some(condition) = condition {
            let definition = self.translate(condition)?;
            self.define(term, definition);
        }
        Ok(handle)
    }
}

/// Whether SymFPU's conversion is right as it is: nothing is lost, or at least two bits are there to round.
fn rounds_well(from: FloatFormat, to: FloatFormat) -> bool {
    let nothing_lost = unpacked_exponent(from) <= unpacked_exponent(to) && from.significand <= to.significand;
    nothing_lost || from.significand >= to.significand + 2
}

/// Bits of the exponent with subnormals normalised, as SymFPU counts them.
fn unpacked_exponent(format: FloatFormat) -> u32 {
    let exponent = u32::from(format.exponent);
    if format.significand <= 3 {
        return exponent;
    }
    let smallest = (1u128 << (exponent - 1).min(100)) + u128::from(format.significand - 3);
    (smallest - 1).ilog2() + 2
}
