//! Theory functions that `Op` derives from others, arithmetic on numbers, and functions with indices.

use crate::op::Op;
use crate::smtlib::apply::{MAX_WIDTH, float_format};
use crate::smtlib::elaborate::Maker;
use crate::sort::Sort;
use crate::store::Term;
use crate::value::Value;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};

type Made = Result<Term, String>;

impl Maker<'_> {
    pub(super) fn derived_bv(&self, name: &str, args: &[Term]) -> Made {
        let associative = match name {
            "bvadd" => Some(Op::BvAdd),
            "bvmul" => Some(Op::BvMul),
            "bvand" => Some(Op::BvAnd),
            "bvor" => Some(Op::BvOr),
            "bvxor" => Some(Op::BvXor),
            _ => None,
        };
        if let Some(op) = associative {
            self.expect_bvs(args, args.len().max(1))?;
            return Ok(self.fold_left(op, args));
        }
        if name == "bvnego" {
            self.expect_bvs(args, 1)?;
            let least = self.least(args[0]);
            return Ok(self.make(Op::Eq, &[args[0], least]));
        }
        self.expect_bvs(args, 2)?;
        let (a, b) = (args[0], args[1]);
        let not = |term| self.make(Op::Not, &[term]);
        let complement = |term| self.make(Op::BvNot, &[term]);
        Ok(match name {
            "bvsub" => self.make(Op::BvAdd, &[a, self.make(Op::BvNeg, &[b])]),
            "bvule" => not(self.make(Op::BvUlt, &[b, a])),
            "bvugt" => self.make(Op::BvUlt, &[b, a]),
            "bvuge" => not(self.make(Op::BvUlt, &[a, b])),
            "bvsle" => not(self.make(Op::BvSlt, &[b, a])),
            "bvsgt" => self.make(Op::BvSlt, &[b, a]),
            "bvsge" => not(self.make(Op::BvSlt, &[a, b])),
            "bvnand" => complement(self.make(Op::BvAnd, &[a, b])),
            "bvnor" => complement(self.make(Op::BvOr, &[a, b])),
            "bvxnor" => complement(self.make(Op::BvXor, &[a, b])),
            "bvcomp" => {
                let same = self.make(Op::Eq, &[a, b]);
                self.make(Op::Ite, &[same, self.store.bv(1, 1), self.store.bv(0, 1)])
            }
            "bvsmod" => self.signed_modulus(a, b),
            "bvuaddo" => self.leaves_range(Op::BvAdd, a, b, false),
            "bvsaddo" => self.leaves_range(Op::BvAdd, a, b, true),
            "bvusubo" => self.make(Op::BvUlt, &[a, b]),
            "bvssubo" => self.signed_difference_overflows(a, b),
            "bvsdivo" => {
                let ones = self.store.build(Op::BvNot, &[self.store.bv(0, self.width(a))]);
                let least = self.make(Op::Eq, &[a, self.least(a)]);
                self.make(Op::And, &[least, self.make(Op::Eq, &[b, ones])])
            }
            _ => return Err(format!("unknown function `{name}`")),
        })
    }

    fn width(&self, term: Term) -> u32 {
        self.store.sort(term).width()
    }

    /// The most negative number of the term's width.
    fn least(&self, like: Term) -> Term {
        let width = self.width(like);
        self.store.constant(&Value::bits(BigUint::one() << (width - 1), width), Sort::Bv(width))
    }

    /// The sum in one more bit differs from the extended sum.
    fn leaves_range(&self, op: Op, a: Term, b: Term, signed: bool) -> Term {
        let width = self.width(a);
        let extend = |term| {
            let wider = if signed { Op::BvSignExtend(width + 1) } else { Op::BvZeroExtend(width + 1) };
            self.make(wider, &[term])
        };
        let exact = self.make(op, &[extend(a), extend(b)]);
        let wrapped = extend(self.make(op, &[a, b]));
        self.make(Op::Not, &[self.make(Op::Eq, &[exact, wrapped])])
    }

    fn signed_difference_overflows(&self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let extend = |term| self.make(Op::BvSignExtend(width + 1), &[term]);
        let minus = |x, y| self.make(Op::BvAdd, &[x, self.make(Op::BvNeg, &[y])]);
        let exact = minus(extend(a), extend(b));
        let wrapped = extend(minus(a, b));
        self.make(Op::Not, &[self.make(Op::Eq, &[exact, wrapped])])
    }

    /// `bvsmod`: the remainder with the divisor's sign.
    fn signed_modulus(&self, a: Term, b: Term) -> Term {
        let zero = self.store.bv(0, self.width(a));
        let rest = self.make(Op::BvSrem, &[a, b]);
        let is_zero = self.make(Op::Eq, &[rest, zero]);
        let rest_negative = self.make(Op::BvSlt, &[rest, zero]);
        let divisor_negative = self.make(Op::BvSlt, &[b, zero]);
        let same_sign = self.make(Op::Eq, &[rest_negative, divisor_negative]);
        let keep = self.make(Op::Or, &[is_zero, same_sign]);
        self.make(Op::Ite, &[keep, rest, self.make(Op::BvAdd, &[rest, b])])
    }

    pub(super) fn arithmetic(&self, name: &str, args: &[Term]) -> Made {
        if !matches!(name, "+" | "-" | "*" | "/" | "div" | "<" | "<=" | ">" | ">=" | "abs" | "to_real" | "to_int" | "is_int" | "sbv_to_int")
        {
            return Err(format!("unknown function `{name}`"));
        }
        if name == "sbv_to_int" {
            self.expect_bvs(args, 1)?;
            return Ok(self.signed_int(args[0]));
        }
        self.expect(args, args.len().max(1), |sort| matches!(sort, Sort::Int | Sort::Real), "a number")?;
        let is_real = name == "/" || args.iter().any(|&arg| self.store.sort(arg) == Sort::Real);
        let args: Vec<Term> = args.iter().map(|&arg| if is_real { self.to_real(arg) } else { arg }).collect();
        let pick = |int: Op, real: Op| if is_real { real } else { int };
        let (add, mul, neg) = (pick(Op::IntAdd, Op::RealAdd), pick(Op::IntMul, Op::RealMul), pick(Op::IntNeg, Op::RealNeg));
        let (less, at_most) = (pick(Op::IntLt, Op::RealLt), pick(Op::IntLe, Op::RealLe));
        match name {
            "+" => Ok(self.fold_left(add, &args)),
            "*" => Ok(self.fold_left(mul, &args)),
            "-" if args.len() == 1 => Ok(self.negated(neg, args[0])),
            "-" => Ok(args[1..].iter().fold(args[0], |all, &arg| self.make(add, &[all, self.negated(neg, arg)]))),
            "/" if args.len() < 2 => Err("expected 2 arguments".into()),
            "/" => Ok(self.quotient(&args)),
            "div" if is_real || args.len() < 2 => Err("div needs two integers".into()),
            "div" => Ok(self.fold_left(Op::IntDiv, &args)),
            "<" => self.chain(&args, |maker, a, b| Ok(maker.make(less, &[a, b]))),
            "<=" => self.chain(&args, |maker, a, b| Ok(maker.make(at_most, &[a, b]))),
            ">" => self.chain(&args, |maker, a, b| Ok(maker.make(less, &[b, a]))),
            ">=" => self.chain(&args, |maker, a, b| Ok(maker.make(at_most, &[b, a]))),
            _ if args.len() != 1 => Err(format!("expected 1 argument, found {}", args.len())),
            "abs" => {
                let zero = self.store.constant(&Value::zero(self.store.sort(args[0]), self.store), self.store.sort(args[0]));
                let negative = self.make(less, &[args[0], zero]);
                Ok(self.make(Op::Ite, &[negative, self.negated(neg, args[0]), args[0]]))
            }
            "to_real" => Ok(args[0]).map(|arg| self.explicit_real(arg)),
            "to_int" if is_real => Ok(self.make(Op::RealToInt, &args)),
            "to_int" => Ok(args[0]),
            _ => {
                let whole = self.make(Op::RealToInt, &[self.to_real(args[0])]);
                Ok(self.make(Op::Eq, &[self.make(Op::IntToReal, &[whole]), self.to_real(args[0])]))
            }
        }
    }

    /// Negated constants are constants: that is how negative numbers are spelled.
    fn negated(&self, op: Op, term: Term) -> Term {
        if self.store.op(term).is_const() { self.store.build(op, &[term]) } else { self.make(op, &[term]) }
    }

    /// Quotients of constants are how fractions are spelled.
    fn quotient(&self, args: &[Term]) -> Term {
        let number = |term: Term| match self.store.const_value(term) {
            Some(Value::Real(real)) => Some((*real).clone()),
            _ => None,
        };
        if let [a, b] = *args
            && let (Some(a), Some(b)) = (number(a), number(b))
            && !b.is_zero()
        {
            return self.store.constant(&Value::real(a / b), Sort::Real);
        }
        self.fold_left(Op::RealDiv, args)
    }

    fn explicit_real(&self, term: Term) -> Term {
        if self.store.sort(term) == Sort::Real { term } else { self.make(Op::IntToReal, &[term]) }
    }

    /// An integer where a real is expected; literals become real literals.
    pub(super) fn to_real(&self, term: Term) -> Term {
        match self.store.const_value(term) {
            Some(Value::Int(int)) => self.store.constant(&Value::real(BigRational::from_integer((*int).clone())), Sort::Real),
            _ => self.explicit_real(term),
        }
    }

    fn signed_int(&self, bits: Term) -> Term {
        let width = self.width(bits);
        let unsigned = self.make(Op::BvToInt, &[bits]);
        let negative = self.make(Op::BvSlt, &[bits, self.store.bv(0, width)]);
        let shifted = self.make(Op::IntAdd, &[unsigned, self.store.int(-(num_bigint::BigInt::from(1) << width))]);
        self.make(Op::Ite, &[negative, shifted, unsigned])
    }

    /// `((_ name indices...) args...)`.
    pub(super) fn apply_indexed(&self, name: &str, indices: &[u64], args: &[Term]) -> Made {
        match (name, indices) {
            ("to_fp" | "to_fp_unsigned", &[e, s]) => return self.to_fp(name, e, s, args),
            ("int2bv" | "int_to_bv" | "nat2bv", &[width]) => {
                self.expect(args, 1, |sort| sort == Sort::Int, "Int")?;
                return Ok(self.make(Op::IntToBv(checked_width(width)?), args));
            }
            ("fp.to_sbv" | "fp.to_ubv", &[width]) => {
                let [mode, float] = *args else { return Err("expected a rounding mode and a float".into()) };
                self.expect(&[mode], 1, |sort| sort == Sort::RoundingMode, "rounding mode")?;
                self.expect_floats(&[float], 1)?;
                let width = checked_width(width)?;
                return Ok(self.make(if name == "fp.to_sbv" { Op::FpToSigned(width) } else { Op::FpToUnsigned(width) }, args));
            }
            ("divisible", &[by]) => {
                self.expect(args, 1, |sort| sort == Sort::Int, "Int")?;
                let rest = self.make(Op::IntMod, &[args[0], self.store.int(by)]);
                return Ok(self.make(Op::Eq, &[rest, self.store.int(0)]));
            }
            _ => {}
        }
        self.expect_bvs(args, 1)?;
        let (a, width) = (args[0], self.width(args[0]));
        match (name, indices) {
            ("extract", &[high, low]) if low <= high && high < width as u64 => {
                Ok(self.make(Op::BvExtract { high: high as u32, low: low as u32 }, args))
            }
            ("extract", _) => Err(format!("no such bits in a vector of {width}")),
            ("zero_extend", &[by]) => Ok(self.make(Op::BvZeroExtend(wider(width, by)?), args)),
            ("sign_extend", &[by]) => Ok(self.make(Op::BvSignExtend(wider(width, by)?), args)),
            ("repeat", &[times]) if times > 0 => {
                checked_width(times.saturating_mul(width as u64))?;
                Ok(self.fold_left(Op::BvConcat, &vec![a; times as usize]))
            }
            ("rotate_left", &[by]) => Ok(self.rotated(a, (by % width as u64) as u32)),
            ("rotate_right", &[by]) => Ok(self.rotated(a, ((width as u64 - by % width as u64) % width as u64) as u32)),
            _ => Err(format!("unknown function `(_ {name} ...)`")),
        }
    }

    /// Rotated left by less than its width.
    fn rotated(&self, a: Term, by: u32) -> Term {
        if by == 0 {
            return a;
        }
        let width = self.width(a);
        let low = self.make(Op::BvExtract { high: width - 1 - by, low: 0 }, &[a]);
        let high = self.make(Op::BvExtract { high: width - 1, low: width - by }, &[a]);
        self.make(Op::BvConcat, &[low, high])
    }

    fn to_fp(&self, name: &str, exponent: u64, significand: u64, args: &[Term]) -> Made {
        let format = float_format(exponent, significand)?;
        if let [bits] = *args {
            self.expect_bvs(&[bits], 1)?;
            if self.width(bits) != format.width() {
                return Err(format!("expected {} bits, found {}", format.width(), self.width(bits)));
            }
            return Ok(self.make(Op::FpFromBits(format), args));
        }
        let [mode, operand] = *args else { return Err("expected a rounding mode and a number".into()) };
        self.expect(&[mode], 1, |sort| sort == Sort::RoundingMode, "rounding mode")?;
        let operand = if self.store.sort(operand) == Sort::Int { self.to_real(operand) } else { operand };
        let op = match self.store.sort(operand) {
            Sort::Bv(_) if name == "to_fp_unsigned" => Op::FpFromUnsigned(format),
            Sort::Bv(_) => Op::FpFromSigned(format),
            Sort::Float(_) => Op::FpToFp(format),
            Sort::Real => Op::FpFromReal(format),
            _ => return Err(format!("no float from {}", self.sort_text(operand))),
        };
        Ok(self.make(op, &[mode, operand]))
    }
}

pub(super) fn checked_width(width: u64) -> Result<u32, String> {
    match u32::try_from(width) {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
        _ => Err(format!("{width} is no width between 1 and {MAX_WIDTH}")),
    }
}

fn wider(width: u32, by: u64) -> Result<u32, String> {
    checked_width(by.saturating_add(width as u64))
}
