//! Operations that Fathom defines everywhere and SMT-LIB leaves partly open or lacks: division of numbers by zero,
//! floats out of an integer's range, the smaller of two zeros, the bits of a float, overflow of products. A `Totalizer`
//! rewrites a term so that a solver can only agree with `fold`. The bits of a float become a fresh variable with a side
//! condition (see `encoding`); an adapter that declares such a variable must assert its condition.

use crate::encoding::{FloatBits, float_bits};
use crate::float;
use crate::op::Op;
use crate::smtlib::symbols::Symbols;
use crate::sort::{FloatFormat, Sort};
use crate::store::{Term, TermStore, VarId};
use crate::value::Value;
use crate::walk::{Rewrite, rewrite};
use fathom_base::{FxMap, FxSet};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// Rewrites terms, and keeps the fresh variables that it introduced.
#[derive(Default)]
pub struct Totalizer {
    memo: FxMap<Term, Term>,
    conditions: FxMap<VarId, Term>,
}

impl Totalizer {
    /// The side condition of a variable that stands for the bits of a float.
    pub fn condition(&self, var: VarId) -> Option<Term> {
        self.conditions.get(&var).copied()
    }

    /// The term in operations that SMT-LIB 2.6 defines everywhere. Fails on bits of a float that a quantifier binds.
    pub fn apply(&mut self, store: &TermStore, root: Term) -> Result<Term, String> {
        let mut total = Total { conditions: &mut self.conditions, bound: FxSet::default() };
        rewrite(store, &mut self.memo, root, &mut total)
    }
}

/// A rewriting at work.
struct Total<'a> {
    conditions: &'a mut FxMap<VarId, Term>,
    /// What quantifiers bind that were met.
    bound: FxSet<VarId>,
}

impl Rewrite for Total<'_> {
    type Error = String;

    fn down(&mut self, store: &TermStore, term: Term) -> Option<Term> {
        if let Op::Forall(id) | Op::Exists(id) = store.op(term) {
            self.bound.extend(store.quantifier(id).bound.iter().copied());
        }
        store.args(term).is_empty().then_some(term)
    }

    fn up(&mut self, store: &TermStore, term: Term, args: &[Term]) -> Result<Term, String> {
        use Op::*;
        let op = store.op(term);
        let plain = store.intern(op, store.sort(term), args);
        let unless_zero = |value: Term| {
            let divisor = args[1];
            if store.op(divisor).is_const() && divisor != zero_of(store, divisor) {
                return plain;
            }
            let is_zero = store.eq(divisor, zero_of(store, divisor));
            store.ite(is_zero, value, plain)
        };
        Ok(match op {
            IntDiv | RealDiv => unless_zero(zero_of(store, args[0])),
            IntMod => unless_zero(args[0]),
            FpMin | FpMax => {
                let zero = |term| store.build(FpIsZero, &[term]);
                store.ite(store.and(zero(args[0]), zero(args[1])), args[1], plain)
            }
            FpToSigned(width) | FpToUnsigned(width) => {
                let fits = in_range(store, args[0], args[1], width, matches!(op, FpToSigned(_)));
                store.ite(fits, plain, store.bv(0, width))
            }
            BvSmulOverflow | BvUmulOverflow => product_overflows(store, args[0], args[1], op == BvSmulOverflow),
            FpToBits => self.bits_of(store, args[0])?,
            _ => plain,
        })
    }
}

impl Total<'_> {
    fn bits_of(&mut self, store: &TermStore, float: Term) -> Result<Term, String> {
        if !self.bound.is_empty() && Symbols::of(store, &[float]).vars.iter().any(|var| self.bound.contains(var)) {
            return Err("the bits of a float under a quantifier".into());
        }
        let FloatBits { bits, condition } = float_bits(store, float);
        if let (Some(var), Some(condition)) = (store.as_var(bits), condition) {
            self.conditions.insert(var, condition);
        }
        Ok(bits)
    }
}

fn zero_of(store: &TermStore, like: Term) -> Term {
    let sort = store.sort(like);
    store.constant(&Value::zero(sort, store), sort)
}

/// Whether a float, rounded to an integer, is one of this many bits.
fn in_range(store: &TermStore, mode: Term, float: Term, width: u32, signed: bool) -> Term {
    let format = store.sort(float).format();
    let whole = store.build(Op::FpRoundToIntegral, &[mode, float]);
    let bounded = |exponent: u32| (exponent as u64) < 1u64 << (format.exponent - 1);
    let top = if signed { width - 1 } else { width };
    let mut conditions = vec![store.not(store.build(Op::FpIsNan, &[float])), store.not(store.build(Op::FpIsInfinite, &[float]))];
    if bounded(top) {
        conditions.push(store.build(Op::FpLt, &[whole, power(store, format, top, false)]));
    }
    if !signed {
        let zero = store.constant(&Value::zero(Sort::Float(format), store), Sort::Float(format));
        conditions.push(store.build(Op::FpLe, &[zero, whole]));
    } else if bounded(top) {
        conditions.push(store.build(Op::FpLe, &[power(store, format, top, true), whole]));
    }
    store.and_all(conditions)
}

/// 2^exponent, or its negation, as a float; exact.
fn power(store: &TermStore, format: FloatFormat, exponent: u32, negative: bool) -> Term {
    let magnitude = BigRational::from_integer(BigInt::one() << exponent);
    let number = if negative { -magnitude } else { magnitude };
    let bits = float::from_rational(format, crate::op::RoundingMode::TowardZero, &number);
    store.constant(&Value::bits(bits.into(), format.width()), Sort::Float(format))
}

/// The product in twice the width isn't the extension of its low half.
fn product_overflows(store: &TermStore, a: Term, b: Term, signed: bool) -> Term {
    let width = store.sort(a).width();
    let extend = |term| {
        let op = if signed { Op::BvSignExtend(2 * width) } else { Op::BvZeroExtend(2 * width) };
        store.build(op, &[term])
    };
    let product = store.bv_mul(extend(a), extend(b));
    let back = extend(store.extract(product, width - 1, 0));
    store.ne(product, back)
}
