//! Which operation a theory's name means, given the sorts of its arguments. Sorts are checked before a term is made:
//! constructors panic on ill-sorted terms, and texts come from anywhere. What SMT-LIB has and `Op` has not is
//! composed here.

use crate::op::Op;
use crate::smtlib::elaborate::Maker;
use crate::sort::{FloatFormat, Sort};
use crate::store::Term;

type Made = Result<Term, String>;

/// The widest bit-vector that a text may ask for.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

/// Operations whose name needs no index; both directions use this table.
const PLAIN: &[(&str, Op, Shape)] = {
    use Op::*;
    use Shape::*;
    &[
        ("not", Not, Bools(1)),
        ("bvneg", BvNeg, Bvs(1)),
        ("bvnot", BvNot, Bvs(1)),
        ("bvudiv", BvUdiv, Bvs(2)),
        ("bvurem", BvUrem, Bvs(2)),
        ("bvsdiv", BvSdiv, Bvs(2)),
        ("bvsrem", BvSrem, Bvs(2)),
        ("bvshl", BvShl, Bvs(2)),
        ("bvlshr", BvLshr, Bvs(2)),
        ("bvashr", BvAshr, Bvs(2)),
        ("bvult", BvUlt, Bvs(2)),
        ("bvslt", BvSlt, Bvs(2)),
        ("bvsmulo", BvSmulOverflow, Bvs(2)),
        ("bvumulo", BvUmulOverflow, Bvs(2)),
        ("fp.add", FpAdd, Rounded(2)),
        ("fp.sub", FpSub, Rounded(2)),
        ("fp.mul", FpMul, Rounded(2)),
        ("fp.div", FpDiv, Rounded(2)),
        ("fp.fma", FpFma, Rounded(3)),
        ("fp.sqrt", FpSqrt, Rounded(1)),
        ("fp.roundToIntegral", FpRoundToIntegral, Rounded(1)),
        ("fp.rem", FpRem, Floats(2)),
        ("fp.min", FpMin, Floats(2)),
        ("fp.max", FpMax, Floats(2)),
        ("fp.abs", FpAbs, Floats(1)),
        ("fp.neg", FpNeg, Floats(1)),
        ("fp.isNaN", FpIsNan, Floats(1)),
        ("fp.isInfinite", FpIsInfinite, Floats(1)),
        ("fp.isZero", FpIsZero, Floats(1)),
        ("fp.isNormal", FpIsNormal, Floats(1)),
        ("fp.isSubnormal", FpIsSubnormal, Floats(1)),
        ("fp.isNegative", FpIsNegative, Floats(1)),
        ("fp.isPositive", FpIsPositive, Floats(1)),
        ("fp.to_ieee_bv", FpToBits, Floats(1)),
        ("fp.to_real", FpToReal, Floats(1)),
        ("mod", IntMod, Ints(2)),
        ("bv2nat", BvToInt, Bvs(1)),
        ("ubv_to_int", BvToInt, Bvs(1)),
        ("bv2int", BvToInt, Bvs(1)),
        ("concat", BvConcat, Other),
        ("and", And, Other),
        ("or", Or, Other),
        ("xor", Xor, Other),
        ("=", Eq, Other),
        ("ite", Ite, Other),
        ("bvadd", BvAdd, Other),
        ("bvmul", BvMul, Other),
        ("bvand", BvAnd, Other),
        ("bvor", BvOr, Other),
        ("bvxor", BvXor, Other),
        ("fp.eq", FpEq, Other),
        ("fp.lt", FpLt, Other),
        ("fp.leq", FpLe, Other),
        ("+", IntAdd, Other),
        ("+", RealAdd, Other),
        ("*", IntMul, Other),
        ("*", RealMul, Other),
        ("-", IntNeg, Other),
        ("-", RealNeg, Other),
        ("div", IntDiv, Other),
        ("/", RealDiv, Other),
        ("<", IntLt, Other),
        ("<", RealLt, Other),
        ("<=", IntLe, Other),
        ("<=", RealLe, Other),
        ("to_real", IntToReal, Other),
        ("to_int", RealToInt, Other),
        ("select", Select, Other),
        ("store", Store, Other),
    ]
};

/// How many arguments of which sorts; `Other` names are treated one by one.
#[derive(Copy, Clone)]
enum Shape {
    Bools(usize),
    Bvs(usize),
    Floats(usize),
    /// A rounding mode, then floats.
    Rounded(usize),
    Ints(usize),
    Other,
}

pub(super) fn plain_name(op: Op) -> Option<&'static str> {
    PLAIN.iter().find(|(_, known, _)| *known == op).map(|(name, ..)| *name)
}

impl Maker<'_> {
    /// `(name args...)` for a name without indices.
    pub(super) fn apply(&self, name: &str, args: &[Term]) -> Made {
        if let Some(&(_, op, shape)) = PLAIN.iter().find(|(known, ..)| *known == name)
            && !matches!(shape, Shape::Other)
        {
            self.check_shape(shape, args)?;
            return Ok(self.make(op, args));
        }
        match name {
            "and" => self.fold_bools(Op::And, args),
            "or" => self.fold_bools(Op::Or, args),
            "xor" => self.fold_bools(Op::Xor, args),
            "=>" => self.implication(args),
            "=" => self.chain(args, |maker, a, b| {
                let (a, b) = maker.unify(a, b)?;
                Ok(maker.make(Op::Eq, &[a, b]))
            }),
            "distinct" => self.distinct(args),
            "ite" => self.choice(args),
            "select" | "store" => self.array_op(name, args),
            "concat" => self.concat(args),
            "fp" => self.fp_triple(args),
            "fp.eq" => self.float_chain(args, |maker, a, b| maker.make(Op::FpEq, &[a, b])),
            "fp.lt" => self.float_chain(args, |maker, a, b| maker.make(Op::FpLt, &[a, b])),
            "fp.leq" => self.float_chain(args, |maker, a, b| maker.make(Op::FpLe, &[a, b])),
            "fp.gt" => self.float_chain(args, |maker, a, b| maker.make(Op::FpLt, &[b, a])),
            "fp.geq" => self.float_chain(args, |maker, a, b| maker.make(Op::FpLe, &[b, a])),
            _ if name.starts_with("bv") => self.derived_bv(name, args),
            _ => self.arithmetic(name, args),
        }
    }

    fn check_shape(&self, shape: Shape, args: &[Term]) -> Result<(), String> {
        match shape {
            Shape::Bools(count) => self.expect(args, count, |sort| sort == Sort::Bool, "Boolean"),
            Shape::Ints(count) => self.expect(args, count, |sort| sort == Sort::Int, "Int"),
            Shape::Bvs(count) => self.expect_bvs(args, count),
            Shape::Floats(count) => self.expect_floats(args, count),
            Shape::Rounded(count) => {
                let (mode, floats) = args.split_first().ok_or("a rounding mode is missing")?;
                self.expect(&[*mode], 1, |sort| sort == Sort::RoundingMode, "rounding mode")?;
                self.expect_floats(floats, count)
            }
            Shape::Other => Ok(()),
        }
    }

    pub(super) fn expect(&self, args: &[Term], count: usize, fits: impl Fn(Sort) -> bool, what: &str) -> Result<(), String> {
        if args.len() != count {
            return Err(format!("expected {count} arguments, found {}", args.len()));
        }
        match args.iter().find(|&&arg| !fits(self.store.sort(arg))) {
            Some(&arg) => Err(format!("expected {what}, found {}", self.sort_text(arg))),
            None => Ok(()),
        }
    }

    /// Checks that the arguments are this many bit-vectors of one width.
    pub(super) fn expect_bvs(&self, args: &[Term], count: usize) -> Result<(), String> {
        self.expect(args, count, |sort| matches!(sort, Sort::Bv(_)), "a bit-vector")?;
        self.expect_same(args)
    }

    pub(super) fn expect_floats(&self, args: &[Term], count: usize) -> Result<(), String> {
        self.expect(args, count, |sort| matches!(sort, Sort::Float(_)), "a float")?;
        self.expect_same(args)
    }

    fn expect_same(&self, args: &[Term]) -> Result<(), String> {
        match args.windows(2).find(|pair| self.store.sort(pair[0]) != self.store.sort(pair[1])) {
            Some(pair) => Err(format!("sorts differ: {} and {}", self.sort_text(pair[0]), self.sort_text(pair[1]))),
            None => Ok(()),
        }
    }

    fn fold_bools(&self, op: Op, args: &[Term]) -> Made {
        self.expect(args, args.len().max(1), |sort| sort == Sort::Bool, "Boolean")?;
        Ok(self.fold_left(op, args))
    }

    /// Left-associative application to at least one argument.
    pub(super) fn fold_left(&self, op: Op, args: &[Term]) -> Term {
        args[1..].iter().fold(args[0], |all, &arg| self.make(op, &[all, arg]))
    }

    fn implication(&self, args: &[Term]) -> Made {
        self.expect(args, args.len().max(2), |sort| sort == Sort::Bool, "Boolean")?;
        let (last, premises) = args.split_last().ok_or("arguments are missing")?;
        Ok(premises.iter().rev().fold(*last, |then, &premise| {
            let negated = self.make(Op::Not, &[premise]);
            self.make(Op::Or, &[negated, then])
        }))
    }

    /// Joins a relation between neighbours by conjunction.
    pub(super) fn chain(&self, args: &[Term], relate: impl Fn(&Self, Term, Term) -> Made) -> Made {
        if args.len() < 2 {
            return Err(format!("expected at least 2 arguments, found {}", args.len()));
        }
        let links: Result<Vec<Term>, String> = args.windows(2).map(|pair| relate(self, pair[0], pair[1])).collect();
        Ok(self.fold_left(Op::And, &links?))
    }

    fn float_chain(&self, args: &[Term], relate: impl Fn(&Self, Term, Term) -> Term) -> Made {
        self.expect_floats(args, args.len())?;
        self.chain(args, |maker, a, b| Ok(relate(maker, a, b)))
    }

    fn distinct(&self, args: &[Term]) -> Made {
        if args.len() < 2 {
            return Err("distinct needs at least 2 arguments".into());
        }
        let mut parts = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                let (a, b) = self.unify(a, b)?;
                let same = self.make(Op::Eq, &[a, b]);
                parts.push(self.make(Op::Not, &[same]));
            }
        }
        Ok(self.fold_left(Op::And, &parts))
    }

    fn choice(&self, args: &[Term]) -> Made {
        let [condition, then, otherwise] = *args else {
            return Err(format!("expected 3 arguments, found {}", args.len()));
        };
        self.expect(&[condition], 1, |sort| sort == Sort::Bool, "Boolean")?;
        let (then, otherwise) = self.unify(then, otherwise)?;
        Ok(self.make(Op::Ite, &[condition, then, otherwise]))
    }

    fn array_op(&self, name: &str, args: &[Term]) -> Made {
        let count = if name == "select" { 2 } else { 3 };
        if args.len() != count {
            return Err(format!("expected {count} arguments, found {}", args.len()));
        }
        let Sort::Array(id) = self.store.sort(args[0]) else {
            return Err(format!("expected an array, found {}", self.sort_text(args[0])));
        };
        let (index, element) = self.store.array_sort_parts(id);
        let mut args = args.to_vec();
        args[1] = self.coerce(args[1], index)?;
        if count == 3 {
            args[2] = self.coerce(args[2], element)?;
        }
        Ok(self.make(if count == 2 { Op::Select } else { Op::Store }, &args))
    }

    fn concat(&self, args: &[Term]) -> Made {
        self.expect(args, args.len().max(2), |sort| matches!(sort, Sort::Bv(_)), "a bit-vector")?;
        let width: u64 = args.iter().map(|&arg| self.store.sort(arg).width() as u64).sum();
        if width > MAX_WIDTH as u64 {
            return Err(format!("{width} bits are more than the {MAX_WIDTH} that are supported"));
        }
        Ok(self.fold_left(Op::BvConcat, args))
    }

    /// `(fp sign exponent significand)`.
    fn fp_triple(&self, args: &[Term]) -> Made {
        self.expect(args, 3, |sort| matches!(sort, Sort::Bv(_)), "a bit-vector")?;
        let width = |i: usize| self.store.sort(args[i]).width();
        if width(0) != 1 {
            return Err("the sign has more than one bit".into());
        }
        let format = float_format(width(1) as u64, width(2) as u64 + 1)?;
        if args.iter().all(|&arg| self.store.op(arg).is_const()) {
            let bits = self.store.concat(args[0], self.store.concat(args[1], args[2]));
            return Ok(self.store.build(Op::FpFromBits(format), &[bits]));
        }
        let bits = self.fold_left(Op::BvConcat, args);
        Ok(self.make(Op::FpFromBits(format), &[bits]))
    }
}

/// A float format that arithmetic on constants can handle.
pub(super) fn float_format(exponent: u64, significand: u64) -> Result<FloatFormat, String> {
    if (2..=18).contains(&exponent) && (2..=126).contains(&significand) && exponent + significand <= 128 {
        Ok(FloatFormat { exponent: exponent as u16, significand: significand as u16 })
    } else {
        Err(format!("the float format ({exponent}, {significand}) is not supported"))
    }
}
