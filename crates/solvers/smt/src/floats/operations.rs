//! Which circuit belongs to which operation.

use super::circuits::Circuits;
use super::rounding::Mode;
use super::translate::{Float, Image, Translator, layout, unsupported};
use super::unpacked::{Layout, Unpacked};
use crate::solver::SolverError;
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, Value, float};

/// Exponents of more bits make numbers of tens of thousands of bits.
const MAX_REAL_EXPONENT: u16 = 11;

impl Translator {
    /// The image of a term that is a float or has one as argument.
    pub(super) fn float_image(&mut self, term: Term, op: Op, sort: Sort, args: &[Term]) -> Result<Image, SolverError> {
        if let Sort::Float(format) = sort {
            let layout = layout(format)?;
            return Ok(Image::Float(layout, self.float_result(term, op, &layout, args)?));
        }
        Ok(Image::Plain(self.plain_result(term, op, args)?))
    }

    fn mode(&mut self, term: Term) -> Result<Mode, SolverError> {
        let code = self.plain(term)?;
        Ok(Circuits { store: &self.store }.mode(code))
    }

    fn float_result(&mut self, term: Term, op: Op, layout: &Layout, args: &[Term]) -> Result<Float, SolverError> {
        use Op::*;
        let store = self.store.clone();
        let c = Circuits { store: &store };
        Ok(match op {
            Var(var) => Float::Encoded(store.var_term(self.variable(var)?)),
            Select | Apply(_) => Float::Encoded(self.same_operation(term, op, args)?),
            FpFromBits(_) => Float::Encoded(self.plain(args[0])?),
            Ite => {
                let condition = self.plain(args[0])?;
                self.choice(condition, args[1], args[2])?
            }
            FpNeg | FpAbs => self.with_sign(op, layout, args[0])?,
            FpMin | FpMax => self.extreme(op, args[0], args[1])?,
            FpRem => Float::Parts(c.remainder(layout, &self.parts(args[0])?, &self.parts(args[1])?)),
            FpFromReal(format) => Float::Encoded(self.nearest_to_real(format, args)?),
            _ => Float::Parts(self.rounded(op, layout, args)?),
        })
    }

    /// Operations with a rounding mode.
    fn rounded(&mut self, op: Op, layout: &Layout, args: &[Term]) -> Result<Unpacked, SolverError> {
        use Op::*;
        let store = self.store.clone();
        let c = Circuits { store: &store };
        let mode = self.mode(args[0])?;
        if let FpFromSigned(_) | FpFromUnsigned(_) = op {
            return Ok(c.from_integer(layout, &mode, self.plain(args[1])?, matches!(op, FpFromSigned(_))));
        }
        let a = self.parts(args[1])?;
        Ok(match op {
            FpAdd => c.add(layout, &mode, &a, &self.parts(args[2])?),
            FpSub => c.add(layout, &mode, &a, &c.negated(&self.parts(args[2])?)),
            FpMul => c.mul(layout, &mode, &a, &self.parts(args[2])?),
            FpDiv => c.div(layout, &mode, &a, &self.parts(args[2])?),
            FpFma => c.fma(layout, &mode, &a, &self.parts(args[2])?, &self.parts(args[3])?),
            FpSqrt => c.sqrt(layout, &mode, &a),
            FpRoundToIntegral => c.round_to_integral(layout, &mode, &a),
            FpToFp(_) => c.to_format(&self.float(args[1])?.0, layout, &mode, &a),
            other => return Err(unsupported(format!("{other:?}"))),
        })
    }

    fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Result<Float, SolverError> {
        if let (Float::Encoded(a), Float::Encoded(b)) = (self.float(then)?.1, self.float(otherwise)?.1) {
            return Ok(Float::Encoded(self.store.ite(condition, a, b)));
        }
        let (a, b) = (self.parts(then)?, self.parts(otherwise)?);
        Ok(Float::Parts(Circuits { store: &self.store }.choose(condition, &a, &b)))
    }

    fn with_sign(&mut self, op: Op, layout: &Layout, arg: Term) -> Result<Float, SolverError> {
        let store = self.store.clone();
        let c = Circuits { store: &store };
        Ok(match self.float(arg)?.1 {
            Float::Encoded(bits) => {
                let top = layout.width() - 1;
                let sign = match op {
                    Op::FpNeg => store.build(Op::BvNot, &[store.extract(bits, top, top)]),
                    _ => store.bv(0, 1),
                };
                Float::Encoded(store.concat(sign, store.extract(bits, top - 1, 0)))
            }
            Float::Parts(parts) if op == Op::FpNeg => Float::Parts(c.negated(&parts)),
            Float::Parts(parts) => Float::Parts(Unpacked { negative: store.bool(false), ..parts }),
        })
    }

    /// Minimum and maximum: the number of a number and NaN, the second of two zeros with different signs.
    fn extreme(&mut self, op: Op, a: Term, b: Term) -> Result<Float, SolverError> {
        let store = self.store.clone();
        let (low, high) = if op == Op::FpMin { (a, b) } else { (b, a) };
        let a_wins = self.comparison(Op::FpLt, low, high)?;
        let (a_nan, b_nan) = (self.is_nan(a)?, self.is_nan(b)?);
        let second = store.or(a_nan, store.and(store.not(b_nan), store.not(a_wins)));
        self.choice(second, b, a)
    }

    fn plain_result(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Term, SolverError> {
        use Op::*;
        let store = self.store.clone();
        let c = Circuits { store: &store };
        Ok(match op {
            Eq => self.comparison(op, args[0], args[1])?,
            FpEq | FpLt | FpLe => self.comparison(op, args[0], args[1])?,
            FpIsNan => self.is_nan(args[0])?,
            FpIsInfinite | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive => self.classification(op, args[0])?,
            FpToBits => self.plain(args[0])?,
            FpToSigned(width) | FpToUnsigned(width) => {
                let mode = self.mode(args[0])?;
                let layout = self.float(args[1])?.0;
                c.to_integer(&layout, &mode, &self.parts(args[1])?, width, matches!(op, FpToSigned(_)))
            }
            FpToReal => {
                let layout = self.float(args[0])?.0;
                if layout.format.exponent > MAX_REAL_EXPONENT {
                    return Err(unsupported(format!("the real value of {:?}", layout.format)));
                }
                // NaN and infinities are converted to an unspecified number.
                let otherwise = store.fresh("fp.to_real", Sort::Real);
                c.to_real(&layout, &self.parts(args[0])?, otherwise)
            }
            _ => self.same_operation(term, op, args)?,
        })
    }

    fn is_nan(&mut self, arg: Term) -> Result<Term, SolverError> {
        let (layout, float) = self.float(arg)?;
        Ok(match float {
            Float::Encoded(bits) => Circuits { store: &self.store }.bits_nan(&layout, bits),
            Float::Parts(parts) => parts.nan,
        })
    }

    fn comparison(&mut self, op: Op, a: Term, b: Term) -> Result<Term, SolverError> {
        let store = self.store.clone();
        let c = Circuits { store: &store };
        let (layout, float) = self.float(a)?;
        if let (Float::Encoded(x), Float::Encoded(y)) = (float, self.float(b)?.1) {
            return Ok(match op {
                Op::FpEq => c.bits_equal(&layout, x, y),
                Op::FpLt => c.bits_less(&layout, x, y, false),
                Op::FpLe => c.bits_less(&layout, x, y, true),
                _ => store.eq(self.plain(a)?, self.plain(b)?),
            });
        }
        let (x, y) = (self.parts(a)?, self.parts(b)?);
        Ok(match op {
            Op::FpEq => c.equal(&x, &y),
            Op::FpLt => c.less(&x, &y),
            Op::FpLe => store.or(c.less(&x, &y), c.equal(&x, &y)),
            _ => c.identical(&x, &y),
        })
    }

    fn classification(&mut self, op: Op, arg: Term) -> Result<Term, SolverError> {
        let store = self.store.clone();
        let c = Circuits { store: &store };
        let (layout, float) = self.float(arg)?;
        let number = store.not(self.is_nan(arg)?);
        let parts = match float {
            Float::Encoded(bits) => {
                let negative = c.bits_negative(&layout, bits);
                return Ok(match op {
                    Op::FpIsInfinite => c.bits_infinite(&layout, bits),
                    Op::FpIsZero => c.bits_zero(&layout, bits),
                    Op::FpIsNormal => c.bits_normal(&layout, bits),
                    Op::FpIsSubnormal => c.bits_subnormal(&layout, bits),
                    Op::FpIsNegative => store.and(number, negative),
                    _ => store.and(number, store.not(negative)),
                });
            }
            Float::Parts(parts) => parts,
        };
        let finite = c.and_all(&[number, store.not(parts.infinite), store.not(parts.zero)]);
        let subnormal = store.bv_slt(parts.exponent, c.number(layout.smallest, layout.exponent_width));
        Ok(match op {
            Op::FpIsInfinite => parts.infinite,
            Op::FpIsZero => parts.zero,
            Op::FpIsNormal => store.and(finite, store.not(subnormal)),
            Op::FpIsSubnormal => store.and(finite, subnormal),
            Op::FpIsNegative => store.and(number, parts.negative),
            _ => store.and(number, store.not(parts.negative)),
        })
    }

    /// A known real number, rounded in a mode that need not be known.
    fn nearest_to_real(&mut self, format: FloatFormat, args: &[Term]) -> Result<Term, SolverError> {
        let Some(Value::Real(real)) = self.store.const_value(args[1]) else {
            return Err(unsupported("the float nearest to an unknown real number"));
        };
        if format.width() > 128 {
            return Err(unsupported(format!("real numbers in {format:?}")));
        }
        let code = self.plain(args[0])?;
        let store = &self.store;
        let rounded = |mode| {
            let bits = float::from_rational(format, mode, &real);
            store.constant(&Value::bits(bits.into(), format.width()), Sort::Bv(format.width()))
        };
        let others = RoundingMode::ALL.into_iter().filter(|&mode| mode != RoundingMode::TowardZero);
        Ok(others.fold(rounded(RoundingMode::TowardZero), |otherwise, mode| {
            store.ite(store.eq(code, store.bv(mode as u64, 3)), rounded(mode), otherwise)
        }))
    }
}
