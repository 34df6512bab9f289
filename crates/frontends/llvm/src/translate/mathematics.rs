//! Functions of <math.h> that are exact in IEEE arithmetic, under all the names that C and LLVM give them, with `f`
//! and `l` suffixes. Others (sin, exp, pow) are in `runtime/math_bits.h`.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::{Leaves, float_format};
use super::{Translated, Translator};
use fathom_ir::{Callee, StatementKind};
use fathom_term::{Op, RoundingMode, Sort, Term};
use smallvec::smallvec;

/// The library's function that sets errno on a condition; it is there if the program looks at errno.
const SET_ERRNO: &str = "fathom_set_errno";
const EDOM: u64 = 33;
const ERANGE: u64 = 34;

/// Bits of `llvm.is.fpclass`, in pairs of negative and positive.
mod class {
    pub const SIGNALING_NAN: u64 = 1;
    pub const QUIET_NAN: u64 = 2;
    pub const NEGATIVE_INFINITY: u64 = 4;
    pub const NEGATIVE_NORMAL: u64 = 8;
    pub const NEGATIVE_SUBNORMAL: u64 = 16;
    pub const NEGATIVE_ZERO: u64 = 32;
    pub const POSITIVE_ZERO: u64 = 64;
    pub const POSITIVE_SUBNORMAL: u64 = 128;
    pub const POSITIVE_NORMAL: u64 = 256;
    pub const POSITIVE_INFINITY: u64 = 512;
}

impl FunctionTranslator<'_, '_> {
    /// A mathematical function by its C name.
    pub fn mathematics(&mut self, request: &Request) -> Translated<Option<Leaves>> {
        if let ("nan" | "nanf" | "nanl", Some(format)) = (request.name.as_str(), float_format(request.result)) {
            let (zero, mode) = (self.reinterpret(self.terms.bv(0, 8), Sort::Float(format)), self.nearest_even());
            return Ok(Some(smallvec![self.terms.build(Op::FpDiv, &[mode, zero, zero])]));
        }
        let floats: Vec<Term> = request
            .args
            .iter()
            .filter_map(|leaves| match leaves[..] {
                [x] if matches!(self.terms.sort(x), Sort::Float(_)) => Some(x),
                _ => None,
            })
            .collect();
        if floats.is_empty() || floats.len() != request.args.len() {
            return Ok(None);
        }
        let name = request.name.as_str();
        for name in std::iter::once(name).chain(name.strip_suffix(['f', 'l'])) {
            if let Some(result) = self.float_function(name, &floats)? {
                self.note_error(name, &floats);
                return Ok(Some(smallvec![result]));
            }
        }
        Ok(None)
    }

    /// errno of functions that have no value at some arguments, or too large a one, for programs that look at it.
    fn note_error(&mut self, name: &str, x: &[Term]) {
        let t = self.terms.clone();
        let is = |op, x| t.build(op, &[x]);
        let has_no_value = match (name, x) {
            ("sqrt", &[x]) => t.and(self.sign_bit(x), t.not(t.or(is(Op::FpIsZero, x), is(Op::FpIsNan, x)))),
            ("fdim", &[x, y]) => {
                let difference = t.build(Op::FpSub, &[self.rounding(), x, y]);
                let are_finite = t.and(self.is_finite(x), self.is_finite(y));
                let overflows = t.and_all([are_finite, t.build(Op::FpLt, &[y, x]), is(Op::FpIsInfinite, difference)]);
                return self.set_errno(overflows, ERANGE);
            }
            ("fmod" | "remainder" | "drem", &[x, y]) => {
                let nan = t.or(is(Op::FpIsNan, x), is(Op::FpIsNan, y));
                t.and(t.not(nan), t.or(is(Op::FpIsInfinite, x), is(Op::FpIsZero, y)))
            }
            _ => return,
        };
        self.set_errno(has_no_value, EDOM);
    }

    /// Sets errno on a condition, in programs that look at it.
    pub fn set_errno(&mut self, condition: Term, code: u64) {
        let Some(setter) = self.module.function(SET_ERRNO).filter(|f| !f.is_declaration()) else { return };
        let t = self.terms.clone();
        let callee = Callee::Direct(self.procedure_of(setter));
        let args = vec![t.bool_to_bv(condition, 32), t.bv(code, 32)];
        self.emit(StatementKind::Call { targets: Vec::new(), callee, args });
    }

    /// The same for LLVM's intrinsics and C's names without suffix.
    pub fn float_function(&mut self, name: &str, x: &[Term]) -> Translated<Option<Term>> {
        let t = self.terms.clone();
        let nearest = self.rounding();
        let round = |mode| t.build(Op::FpRoundToIntegral, &[t.rounding_mode(mode), x[0]]);
        let is = |op| t.bool_to_bv(t.build(op, &[x[0]]), 32);
        let result = match (name, x.len()) {
            ("fabs", 1) => t.build(Op::FpAbs, &[x[0]]),
            ("sqrt", 1) => t.build(Op::FpSqrt, &[nearest, x[0]]),
            ("floor", 1) => round(RoundingMode::TowardNegative),
            ("ceil", 1) => round(RoundingMode::TowardPositive),
            ("trunc", 1) => round(RoundingMode::TowardZero),
            ("round", 1) => round(RoundingMode::NearestAway),
            ("rint" | "nearbyint", 1) => t.build(Op::FpRoundToIntegral, &[nearest, x[0]]),
            ("roundeven", 1) => round(RoundingMode::NearestEven),
            ("lrint" | "llrint", 1) => {
                let whole = t.build(Op::FpRoundToIntegral, &[nearest, x[0]]);
                self.float_to_integer(whole, if name == "llrint" { 64 } else { self.pointer_bits }, true)
            }
            ("lround" | "llround", 1) => {
                let whole = round(RoundingMode::NearestAway);
                self.float_to_integer(whole, if name == "llround" { 64 } else { self.pointer_bits }, true)
            }
            ("fmin" | "minnum", 2) => t.build(Op::FpMin, &[x[0], x[1]]),
            ("fmax" | "maxnum", 2) => t.build(Op::FpMax, &[x[0], x[1]]),
            ("fdim", 2) => {
                let difference = t.build(Op::FpSub, &[nearest, x[0], x[1]]);
                let zero = self.reinterpret(t.bv(0, 8), t.sort(x[0]));
                t.ite(t.build(Op::FpLe, &[x[0], x[1]]), zero, difference)
            }
            ("fma", 3) => t.build(Op::FpFma, &[nearest, x[0], x[1], x[2]]),
            ("copysign", 2) => self.copy_sign(x[0], x[1]),
            ("remainder" | "drem", 2) => t.build(Op::FpRem, &[x[0], x[1]]),
            ("fmod", 2) => self.fmod(x[0], x[1]),
            ("isnan" | "__isnan", 1) => is(Op::FpIsNan),
            ("isinf" | "__isinf", 1) => self.infinity_sign(x[0]),
            ("finite" | "__finite" | "isfinite" | "__isfinite", 1) => t.bool_to_bv(self.is_finite(x[0]), 32),
            ("isnormal" | "__isnormal", 1) => is(Op::FpIsNormal),
            ("signbit" | "__signbit", 1) => t.bool_to_bv(self.sign_bit(x[0]), 32),
            ("fpclassify" | "__fpclassify", 1) => self.classify(x[0]),
            _ => return Ok(None),
        };
        Ok(Some(result))
    }
}

impl Translator<'_> {
    pub fn copy_sign(&self, x: Term, sign: Term) -> Term {
        let t = &self.terms;
        let magnitude = t.build(Op::FpAbs, &[x]);
        t.ite(self.sign_bit(sign), t.build(Op::FpNeg, &[magnitude]), magnitude)
    }

    /// C's remainder, with the sign of `x`, from IEEE's, which may be negative: adding the divisor then is exact,
    /// because the remainder of truncated division is always a float.
    pub fn fmod(&self, x: Term, y: Term) -> Term {
        let t = &self.terms;
        let divisor = t.build(Op::FpAbs, &[y]);
        let nearest = t.build(Op::FpRem, &[t.build(Op::FpAbs, &[x]), divisor]);
        let zero = self.reinterpret(t.bv(0, 8), t.sort(x));
        let moved = t.build(Op::FpAdd, &[self.nearest_even(), nearest, divisor]);
        let magnitude = t.ite(t.build(Op::FpLt, &[nearest, zero]), moved, nearest);
        t.ite(t.build(Op::FpIsNegative, &[x]), t.build(Op::FpNeg, &[magnitude]), magnitude)
    }

    fn is_finite(&self, x: Term) -> Term {
        let t = &self.terms;
        t.not(t.or(t.build(Op::FpIsInfinite, &[x]), t.build(Op::FpIsNan, &[x])))
    }

    /// glibc's isinf: 1, -1 or 0.
    fn infinity_sign(&self, x: Term) -> Term {
        let t = &self.terms;
        let signed = t.ite(t.build(Op::FpIsNegative, &[x]), t.bv(u32::MAX as u64, 32), t.bv(1, 32));
        t.ite(t.build(Op::FpIsInfinite, &[x]), signed, t.bv(0, 32))
    }

    /// glibc's numbers: FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4.
    fn classify(&self, x: Term) -> Term {
        let t = &self.terms;
        let kinds = [(Op::FpIsNan, 0), (Op::FpIsInfinite, 1), (Op::FpIsZero, 2), (Op::FpIsSubnormal, 3)];
        kinds.iter().fold(t.bv(4, 32), |rest, (op, number)| t.ite(t.build(*op, &[x]), t.bv(*number, 32), rest))
    }

    /// `llvm.is.fpclass(x, mask)`.
    pub fn is_of_class(&self, x: Term, mask: u64) -> Term {
        let t = &self.terms;
        let is = |op| t.build(op, &[x]);
        let negative = is(Op::FpIsNegative);
        let pairs = [
            (Op::FpIsInfinite, class::NEGATIVE_INFINITY, class::POSITIVE_INFINITY),
            (Op::FpIsNormal, class::NEGATIVE_NORMAL, class::POSITIVE_NORMAL),
            (Op::FpIsSubnormal, class::NEGATIVE_SUBNORMAL, class::POSITIVE_SUBNORMAL),
            (Op::FpIsZero, class::NEGATIVE_ZERO, class::POSITIVE_ZERO),
        ];
        let mut any = match (mask & class::SIGNALING_NAN != 0, mask & class::QUIET_NAN != 0) {
            (true, true) => is(Op::FpIsNan),
            (false, true) => self.is_quiet_nan(x),
            (true, false) => t.and(is(Op::FpIsNan), t.not(self.is_quiet_nan(x))),
            (false, false) => t.bool(false),
        };
        for (op, below, above) in pairs {
            let sign = match (mask & below != 0, mask & above != 0) {
                (true, true) => t.bool(true),
                (true, false) => negative,
                (false, true) => t.not(negative),
                (false, false) => continue,
            };
            any = t.or(any, t.and(is(op), sign));
        }
        any
    }
}
