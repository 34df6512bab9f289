//! Floats as fixed-point numbers (ESBMC thesis, section 3.6.3.1): every format becomes one two's complement number with
//! a chosen number of bits before and after the point. It is an approximation. There is no NaN, no infinity and no signed
//! zero, sums wrap around and products are cut, so `unsat` means little more than that no simple number is a model; a verdict
//! that uses it says so. Models are floats again and are evaluated as such by the oracle, so a model is a
//! model. A float's bits mean nothing here: inputs that come as bits become numbers, any other use of bits is refused.

use super::circuits::Circuits;
use super::translate::{Image, Translator, unsupported};
use crate::solver::SolverError;
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, TermStore, Value, VarId, float};
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::str::FromStr;

/// Bits before the point, with the sign, and after it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    /// Bits before the point, with the sign.
    pub integer: u32,
    /// Bits after the point.
    pub fraction: u32,
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self { integer: 32, fraction: 32 }
    }
}

impl fmt::Display for FixedPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.integer, self.fraction)
    }
}

impl FromStr for FixedPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form I.F with 2 to 64 bits before the point and 1 to 64 after it");
        let (integer, fraction) = text.split_once('.').ok_or_else(wrong)?;
        let part = |text: &str, least: u32| text.parse().ok().filter(|bits| (least..=64).contains(bits)).ok_or_else(wrong);
        Ok(Self { integer: part(integer, 2)?, fraction: part(fraction, 1)? })
    }
}

/// A literal that the chosen widths cannot hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Above,
    Below,
    Nan,
    /// Not zero, but nearer to it than half of the last bit.
    TooSmall,
}

impl FixedPoint {
    pub(super) fn width(self) -> u32 {
        self.integer + self.fraction
    }

    /// The number nearest to a float.
    pub(super) fn literal(self, format: FloatFormat, bits: u128) -> Result<BigInt, Beyond> {
        let Some(value) = float::to_rational(format, bits) else {
            let negative = float::is_negative(format, bits);
            return Err(if float::is_nan(format, bits) {
                Beyond::Nan
            } else if negative {
                Beyond::Below
            } else {
                Beyond::Above
            });
        };
        let scaled = (&value * BigRational::from_integer(BigInt::one() << self.fraction)).round().to_integer();
        let limit = BigInt::one() << (self.width() - 1);
        if scaled >= limit {
            Err(Beyond::Above)
        } else if scaled < -limit {
            Err(Beyond::Below)
        } else if scaled.is_zero() && !value.is_zero() {
            Err(Beyond::TooSmall)
        } else {
            Ok(scaled)
        }
    }

    /// The float nearest to a number.
    pub(super) fn float(self, format: FloatFormat, value: &Value) -> Value {
        let raw = BigInt::from_biguint(Sign::Plus, value.to_biguint());
        let top = BigInt::one() << (self.width() - 1);
        let signed = if raw >= top { raw - (top << 1u8) } else { raw };
        let number = BigRational::new(signed, BigInt::one() << self.fraction);
        let bits = float::from_rational(format, RoundingMode::NearestEven, &number);
        Value::bits(BigUint::from(bits), format.width())
    }

    /// What is wrong with a finite float constant that these widths cannot hold; None for every other term.
    pub fn rejects(self, store: &TermStore, term: Term) -> Option<String> {
        let (format, bits) = float_constant(store, term)?;
        let beyond = float::to_rational(format, bits).and_then(|_| self.literal(format, bits).err())?;
        Some(self.advice(format, bits, beyond))
    }

    fn complaint(self, store: &TermStore, term: Term, beyond: Beyond) -> SolverError {
        match float_constant(store, term) {
            Some((format, bits)) => unsupported(self.advice(format, bits, beyond)),
            None => unsupported("a literal in fixed point"),
        }
    }

    fn advice(self, format: FloatFormat, bits: u128, beyond: Beyond) -> String {
        let double = float::convert(format, FloatFormat::DOUBLE, RoundingMode::NearestEven, bits);
        let number = f64::from_bits(double as u64);
        let advice = match beyond {
            Beyond::Above | Beyond::Below if number.is_finite() => "give it more bits before the point",
            Beyond::TooSmall => "give it more bits after the point",
            _ => "there is no such number in fixed point",
        };
        format!("the literal {number:e} in fixed point {self}: {advice}")
    }
}

fn float_constant(store: &TermStore, term: Term) -> Option<(FloatFormat, u128)> {
    match (store.sort(term), store.const_value(term)) {
        (Sort::Float(format), Some(value)) => value.to_biguint().to_u128().map(|bits| (format, bits)),
        _ => None,
    }
}

impl Translator {
    /// The image of a float literal.
    pub(super) fn fixed_constant(&self, fixed: FixedPoint, term: Term, format: FloatFormat) -> Result<Image, SolverError> {
        let bits = self.store.const_value(term).and_then(|value| value.to_biguint().to_u128());
        let bits = bits.ok_or_else(|| unsupported(format!("{format:?} in fixed point")))?;
        Ok(match fixed.literal(format, bits) {
            Err(beyond) => Image::Beyond(beyond),
            Ok(number) => {
                let modulus = BigInt::one() << fixed.width();
                let wrapped = ((number % &modulus) + &modulus) % modulus;
                let value = Value::bits(wrapped.to_biguint().unwrap_or_default(), fixed.width());
                Image::Plain(self.store.constant(&value, Sort::Bv(fixed.width())))
            }
        })
    }

    pub(super) fn fixed_complaint(&self, fixed: FixedPoint, term: Term, beyond: Beyond) -> SolverError {
        fixed.complaint(&self.store, term, beyond)
    }

    /// A term that is a float or has one as argument.
    pub(super) fn fixed_image(&mut self, fixed: FixedPoint, term: Term, op: Op, args: &[Term]) -> Result<Image, SolverError> {
        use Op::*;
        let store = self.store.clone();
        let c = Circuits { store: &store };
        let width = fixed.width();
        if let FpLt | FpLe | FpEq | Eq = op
            && let Some(known) = self.beyond_comparison(op, args)?
        {
            return Ok(Image::Plain(store.bool(known)));
        }
        let first = |this: &mut Self| this.plain(args[0]);
        let zero = c.zeros(width);
        Ok(Image::Plain(match op {
            Var(var) => store.var_term(self.variable(var)?),
            FpFromBits(format) => store.var_term(self.fixed_input(store.arg(term, 0), format)?),
            Ite | Select | Store | Apply(_) | ConstArray(_) => self.same_operation(term, op, args)?,
            Eq | FpEq => store.eq(first(self)?, self.plain(args[1])?),
            FpLt => store.bv_slt(first(self)?, self.plain(args[1])?),
            FpLe => store.bv_sle(first(self)?, self.plain(args[1])?),
            FpIsNan | FpIsInfinite | FpIsSubnormal => store.bool(false),
            FpIsZero => store.eq(first(self)?, zero),
            FpIsNormal => store.ne(first(self)?, zero),
            FpIsNegative => store.bv_slt(first(self)?, zero),
            FpIsPositive => store.bv_sle(zero, first(self)?),
            FpNeg => store.build(BvNeg, &[first(self)?]),
            FpAbs => {
                let x = first(self)?;
                store.ite(store.bv_slt(x, zero), store.build(BvNeg, &[x]), x)
            }
            FpMin | FpMax => {
                let (a, b) = (first(self)?, self.plain(args[1])?);
                let a_less = store.bv_slt(a, b);
                if op == FpMin { store.ite(a_less, a, b) } else { store.ite(a_less, b, a) }
            }
            FpAdd => store.bv_add(self.plain(args[1])?, self.plain(args[2])?),
            FpSub => store.bv_sub(self.plain(args[1])?, self.plain(args[2])?),
            FpMul => c.fixed_product(fixed, self.plain(args[1])?, self.plain(args[2])?),
            FpFma => {
                let product = c.fixed_product(fixed, self.plain(args[1])?, self.plain(args[2])?);
                store.bv_add(product, self.plain(args[3])?)
            }
            FpDiv => c.fixed_quotient(fixed, self.plain(args[1])?, self.plain(args[2])?),
            FpSqrt => c.fixed_root(fixed, self.plain(args[1])?),
            FpToFp(_) => self.plain(args[1])?,
            FpRoundToIntegral => c.fixed_whole(fixed, self.plain(args[0])?, self.plain(args[1])?),
            FpFromSigned(_) | FpFromUnsigned(_) => {
                let integer = self.plain(args[1])?;
                let whole = match op {
                    FpFromSigned(_) => c.sign_extend(integer, fixed.integer),
                    _ => c.zero_extend(integer, fixed.integer),
                };
                c.append_zeros(whole, fixed.fraction)
            }
            FpToSigned(to) | FpToUnsigned(to) => {
                let whole = c.fixed_whole(fixed, self.plain(args[0])?, self.plain(args[1])?);
                c.fixed_integer(fixed, whole, to, matches!(op, FpToSigned(_)))
            }
            other => return Err(unsupported(format!("{other:?} in fixed point"))),
        }))
    }

    /// The number that an input's bits stand for.
    fn fixed_input(&mut self, bits: Term, format: FloatFormat) -> Result<VarId, SolverError> {
        match self.store.as_var(bits) {
            Some(var) => self.input_variable(var, format),
            None => Err(unsupported("the bits of a float in fixed point")),
        }
    }

    /// Comparisons with what no number reaches.
    fn beyond_comparison(&self, op: Op, args: &[Term]) -> Result<Option<bool>, SolverError> {
        use Beyond::{Above, Below, Nan, TooSmall};
        let (a, b) = (self.beyond(args[0])?, self.beyond(args[1])?);
        let equal = || op != Op::FpLt && a == b;
        Ok(match (a, b) {
            (None, None) => None,
            // Too short a fraction is the user's to mend.
            (Some(TooSmall), _) | (_, Some(TooSmall)) => None,
            (Some(Nan), _) | (_, Some(Nan)) => Some(op == Op::Eq && a == b),
            _ if matches!(op, Op::FpEq | Op::Eq) => Some(equal()),
            (Some(Below), other) => Some(other != Some(Below) || equal()),
            (Some(Above), other) => Some(other == Some(Above) && equal()),
            (None, Some(limit)) => Some(limit == Above),
        })
    }
}

impl Circuits<'_> {
    fn fixed_product(&self, fixed: FixedPoint, a: Term, b: Term) -> Term {
        let double = 2 * fixed.width();
        let product = self.store.bv_mul(self.sign_extend(a, double), self.sign_extend(b, double));
        self.store.extract(product, fixed.fraction + fixed.width() - 1, fixed.fraction)
    }

    fn fixed_quotient(&self, fixed: FixedPoint, a: Term, b: Term) -> Term {
        let wide = fixed.width() + fixed.fraction;
        let dividend = self.append_zeros(a, fixed.fraction);
        let quotient = self.store.build(Op::BvSdiv, &[dividend, self.sign_extend(b, wide)]);
        self.store.extract(quotient, fixed.width() - 1, 0)
    }

    /// The root as by hand, two bits of the radicand for one of the root; 0 for negative numbers.
    fn fixed_root(&self, fixed: FixedPoint, x: Term) -> Term {
        let s = self.store;
        let bits = (fixed.width() + fixed.fraction).next_multiple_of(2);
        let radicand = self.zero_extend(self.append_zeros(x, fixed.fraction), bits);
        let width = bits / 2 + 2;
        let (mut root, mut rest) = (self.zeros(width), self.zeros(width));
        for step in (0..bits / 2).rev() {
            let next = s.concat(s.extract(rest, width - 3, 0), s.extract(radicand, 2 * step + 1, 2 * step));
            let trial = s.concat(s.extract(root, width - 3, 0), s.bv(1, 2));
            let fits = s.bv_ule(trial, next);
            rest = s.ite(fits, self.sub(next, trial), next);
            root = s.concat(s.extract(root, width - 2, 0), self.unit(fits, 1));
        }
        let root = self.zero_extend(root, fixed.width());
        s.ite(s.bv_slt(x, self.zeros(fixed.width())), self.zeros(fixed.width()), root)
    }

    /// Rounded to an integer, by the code of the mode.
    fn fixed_whole(&self, fixed: FixedPoint, mode: Term, x: Term) -> Term {
        let s = self.store;
        let mode = self.mode(mode);
        let fraction = s.extract(x, fixed.fraction - 1, 0);
        let below = s.extract(x, fixed.width() - 1, fixed.fraction);
        let half = self.top_bit(fixed.fraction);
        let (above_half, tie) = (s.bv_ult(half, fraction), s.eq(fraction, half));
        let negative = self.bit(x, fixed.width() - 1);
        let inexact = self.any(fraction);
        let nearest = s.or(mode.nearest_even, mode.nearest_away);
        let toward_zero = s.not(self.or_all(&[nearest, mode.up, mode.down]));
        let up = self.or_all(&[
            s.and(nearest, above_half),
            self.and_all(&[mode.nearest_even, tie, self.bit(below, 0)]),
            self.and_all(&[mode.nearest_away, tie, s.not(negative)]),
            s.and(mode.up, inexact),
            self.and_all(&[toward_zero, negative, inexact]),
        ]);
        self.append_zeros(s.bv_add(below, self.unit(up, fixed.integer)), fixed.fraction)
    }

    /// The integer that a whole number is, or 0 if it doesn't fit.
    fn fixed_integer(&self, fixed: FixedPoint, whole: Term, width: u32, signed: bool) -> Term {
        let s = self.store;
        let integer = s.extract(whole, fixed.width() - 1, fixed.fraction);
        let wide = fixed.integer.max(width) + 1;
        let exact = self.sign_extend(integer, wide);
        let cut = s.extract(exact, width - 1, 0);
        let back = if signed { self.sign_extend(cut, wide) } else { self.zero_extend(cut, wide) };
        s.ite(s.eq(back, exact), cut, self.zeros(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::translate::Encoding;
    use fathom_base::FxMap;
    use fathom_term::{Evaluator, Model};
    use std::rc::Rc;

    const FIXED: FixedPoint = FixedPoint { integer: 12, fraction: 8 };

    /// The operation on doubles, computed in fixed point.
    fn compute(op: Op, mode: Option<RoundingMode>, operands: &[f64]) -> Result<Option<Value>, SolverError> {
        let store = Rc::new(TermStore::new());
        let double = Sort::Float(FloatFormat::DOUBLE);
        let names = (0..operands.len()).map(|i| store.var(&format!("x{i}"), double));
        let vars: Vec<Term> = names.collect();
        let args: Vec<Term> = mode.map(|mode| store.rounding_mode(mode)).into_iter().chain(vars.clone()).collect();
        let mut translator = Translator::new(store.clone(), Encoding::Fixed(FIXED));
        let image = translator.translate(store.build(op, &args))?;
        let mut values = fathom_term::Assignment::default();
        for (&var, &operand) in vars.iter().zip(operands) {
            let raw = FIXED.literal(FloatFormat::DOUBLE, operand.to_bits().into()).unwrap();
            let wrapped = if raw < BigInt::zero() { raw + (BigInt::one() << FIXED.width()) } else { raw };
            let image = translator.image_of_variable(store.as_var(var).unwrap()).unwrap();
            values.insert(image, Value::bits(wrapped.to_biguint().unwrap(), FIXED.width()));
        }
        Ok(Evaluator::new(Model { values, functions: FxMap::default() }).eval(&store, image))
    }

    #[test]
    fn numbers_that_fit_are_exact() {
        use Op::*;
        let number = |op, operands: &[f64]| {
            let mode = (!matches!(op, FpNeg | FpAbs | FpMin | FpMax)).then_some(RoundingMode::NearestEven);
            let result = compute(op, mode, operands).unwrap().unwrap();
            f64::from_bits(FIXED.float(FloatFormat::DOUBLE, &result).to_u64().unwrap())
        };
        let cases: [(Op, &[f64], f64); 12] = [
            (FpAdd, &[1.5, -2.25], -0.75),
            (FpSub, &[1.5, -2.25], 3.75),
            (FpMul, &[-1.5, 2.25], -3.375),
            (FpDiv, &[-10.0, 4.0], -2.5),
            (FpFma, &[2.0, 3.5, -0.5], 6.5),
            (FpSqrt, &[6.25], 2.5),
            (FpNeg, &[0.125], -0.125),
            (FpAbs, &[-7.0], 7.0),
            (FpMin, &[-1.0, 2.0], -1.0),
            (FpMax, &[-1.0, 2.0], 2.0),
            (FpRoundToIntegral, &[2.5], 2.0),
            (FpRoundToIntegral, &[-3.5], -4.0),
        ];
        for (op, operands, expected) in cases {
            assert_eq!(number(op, operands), expected, "{op:?} {operands:?}");
        }
        let to_integer = |mode, x| compute(FpToSigned(32), Some(mode), &[x]).unwrap().unwrap().to_u64().unwrap() as i32;
        assert_eq!(to_integer(RoundingMode::TowardZero, -2.75), -2);
        assert_eq!(to_integer(RoundingMode::TowardNegative, -2.75), -3);
        assert_eq!(to_integer(RoundingMode::TowardPositive, 2.25), 3);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let store = Rc::new(TermStore::new());
        let double = Sort::Float(FloatFormat::DOUBLE);
        let x = store.var("x", double);
        let number = |value: f64| store.constant(&Value::Bits(value.to_bits()), double);
        let mode = store.rounding_mode(RoundingMode::NearestEven);
        let mut translator = Translator::new(store.clone(), Encoding::Fixed(FIXED));
        for (literal, says) in [(5000.0, "before the point"), (1e-9, "after the point"), (f64::INFINITY, "no such number")] {
            let sum = store.build(Op::FpAdd, &[mode, x, number(literal)]);
            let error = translator.translate(store.build(Op::FpLt, &[sum, x])).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
        // A bound that is beyond the format's range is above every number.
        let below = translator.translate(store.build(Op::FpLt, &[x, number(5000.0)])).unwrap();
        assert_eq!(store.const_bool(below), Some(true));
        assert!("8".parse::<FixedPoint>().is_err() && "1.5".parse::<FixedPoint>().is_err() && "8.x".parse::<FixedPoint>().is_err());
        assert_eq!("16.48".parse(), Ok(FixedPoint { integer: 16, fraction: 48 }));
    }
}
