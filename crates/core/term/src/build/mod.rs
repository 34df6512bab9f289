//! Constructors. `build` is the general entry: it folds constants, applies the rules of the operation's theory and
//! interns what is left. Rules look at a few levels only and never recurse on depth, so building is constant work.
//! Every rule is checked against solvers on random operands (see the rule tests of the solver adapters).

mod arrays;
mod bits;
mod bools;
pub(crate) mod chains;
mod integers;
mod numbers;

use crate::fold;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Quantifier, Term, TermStore, VarId};
use crate::value::Value;
use smallvec::SmallVec;

impl TermStore {
    /// The simplified term `op(args)`. Panics on ill-sorted arguments: a bug of the caller.
    pub fn build(&self, op: Op, args: &[Term]) -> Term {
        let sort = self.result_sort(op, args);
        if let Some(constant) = self.fold_constants(op, sort, args) {
            return constant;
        }
        // Rules call each other; on pathological nesting (a negation under a complement, 100,000 times) they give up.
        let Some(_guard) = self.enter_rule() else { return self.intern(op, sort, args) };
        use Op::*;
        if !self.rules().simplify && !matches!(op, Select | Store) {
            return self.intern(op, sort, args);
        }
        if let Eq | BvUlt | BvSlt | BvSmulOverflow | BvUmulOverflow = op
            && let Some(known) = self.decided_by_bounds(op, args[0], args[1])
        {
            return self.bool(known);
        }
        match op {
            Not => self.simplify_not(args[0]),
            And | Or => self.simplify_and_or(op, args[0], args[1]),
            Xor => self.simplify_xor(args[0], args[1]),
            Eq => self.simplify_eq(args[0], args[1]),
            Ite => self.simplify_ite(args[0], args[1], args[2]),
            BvAdd
            | BvMul
            | BvNeg
            | BvUdiv
            | BvUrem
            | BvSdiv
            | BvSrem
            | BvAnd
            | BvOr
            | BvXor
            | BvNot
            | BvShl
            | BvLshr
            | BvAshr
            | BvUlt
            | BvSlt
            | BvSmulOverflow
            | BvUmulOverflow
            | BvConcat
            | BvExtract { .. }
            | BvZeroExtend(_)
            | BvSignExtend(_) => self.simplify_bv(op, sort, args),
            Select => self.simplify_select(args[0], args[1], sort),
            Store => self.simplify_store(args[0], args[1], args[2]),
            _ => self.simplify_number(op, sort, args),
        }
    }

    /// The sort of `op(args)`.
    pub fn result_sort(&self, op: Op, args: &[Term]) -> Sort {
        use Op::*;
        match op {
            Var(var) => self.var_sort(var),
            Const(_) | BigConst(_) => panic!("constants are not built from arguments"),
            Not | And | Or | Xor | Eq | BvUlt | BvSlt | BvSmulOverflow | BvUmulOverflow | FpEq | FpLt | FpLe | FpIsNan | FpIsInfinite
            | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive | IntLt | IntLe | RealLt | RealLe | Forall(_)
            | Exists(_) => Sort::Bool,
            Ite => self.sort(args[1]),
            BvAdd | BvMul | BvNeg | BvUdiv | BvUrem | BvSdiv | BvSrem | BvAnd | BvOr | BvXor | BvNot | BvShl | BvLshr | BvAshr | FpRem
            | FpMin | FpMax | FpAbs | FpNeg | IntAdd | IntMul | IntNeg | IntDiv | IntMod | RealAdd | RealMul | RealNeg | RealDiv
            | Store => self.sort(args[0]),
            FpAdd | FpSub | FpMul | FpDiv | FpFma | FpSqrt | FpRoundToIntegral => self.sort(args[1]),
            BvConcat => Sort::Bv(self.sort(args[0]).width() + self.sort(args[1]).width()),
            BvExtract { high, low } => Sort::Bv(high - low + 1),
            BvZeroExtend(width) | BvSignExtend(width) | FpToSigned(width) | FpToUnsigned(width) | IntToBv(width) => Sort::Bv(width),
            FpFromBits(f) | FpToFp(f) | FpFromSigned(f) | FpFromUnsigned(f) | FpFromReal(f) => Sort::Float(f),
            FpToBits => Sort::Bv(self.sort(args[0]).format().width()),
            FpToReal | IntToReal => Sort::Real,
            RealToInt | BvToInt => Sort::Int,
            Select => match self.sort(args[0]) {
                Sort::Array(id) => self.array_sort_parts(id).1,
                other => panic!("select from {other:?}"),
            },
            ConstArray(sort) => sort,
            Apply(function) => self.function_sorts(function).1,
        }
    }

    fn fold_constants(&self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        if matches!(op, Op::ConstArray(_) | Op::Store | Op::Select) || args.is_empty() {
            return None;
        }
        if let Op::Apply(function) = op {
            let values: Option<SmallVec<[Value; 3]>> = args.iter().map(|&arg| self.const_value(arg)).collect();
            return self.computed_value(function, &values?).map(|value| self.constant(&value, sort));
        }
        let mut small = [0u64; 4];
        if sort.has_small_constants() && args.len() <= 4 {
            for (to, &arg) in small.iter_mut().zip(args) {
                *to = match self.op(arg) {
                    Op::Const(bits) => bits,
                    Op::BigConst(_) => return self.fold_big(op, sort, args),
                    _ => return None,
                };
            }
            let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&arg| self.sort(arg)).collect();
            if let Some(bits) = fold::small(op, sort, fold::operand_sort(&sorts), &small[..args.len()]) {
                return Some(self.small_const(bits, sort));
            }
        }
        self.fold_big(op, sort, args)
    }

    fn fold_big(&self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let values: Option<SmallVec<[Value; 3]>> = args.iter().map(|&arg| self.const_value(arg)).collect();
        let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&arg| self.sort(arg)).collect();
        fold::general(op, sort, &sorts, &values?).map(|value| self.constant(&value, sort))
    }

    // ---- the names people use

    /// Negation.
    pub fn not(&self, a: Term) -> Term {
        self.build(Op::Not, &[a])
    }
    /// Conjunction.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.build(Op::And, &[a, b])
    }
    /// Disjunction.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.build(Op::Or, &[a, b])
    }
    /// Conjunction of any number of terms; true without any.
    pub fn and_all(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        terms.into_iter().fold(self.bool(true), |all, term| self.and(all, term))
    }
    /// Disjunction of any number of terms; false without any.
    pub fn or_all(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        terms.into_iter().fold(self.bool(false), |any, term| self.or(any, term))
    }
    /// Implication.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(self.not(a), b)
    }
    /// Equality; on floats identity.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        self.build(Op::Eq, &[a, b])
    }
    /// Disequality.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }
    /// If-then-else of any sort.
    pub fn ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.build(Op::Ite, &[condition, then, otherwise])
    }

    /// An application of an uninterpreted function.
    pub fn apply(&self, function: crate::store::FnId, args: &[Term]) -> Term {
        self.build(Op::Apply(function), args)
    }

    /// A bit-vector constant; excess bits are cut.
    pub fn bv(&self, bits: u64, width: u32) -> Term {
        if width <= 64 {
            self.small_const(bits & crate::sort::mask(width), Sort::Bv(width))
        } else {
            self.constant(&Value::bits(bits.into(), width), Sort::Bv(width))
        }
    }
    /// Sum of bit-vectors, modulo two to the width.
    pub fn bv_add(&self, a: Term, b: Term) -> Term {
        self.build(Op::BvAdd, &[a, b])
    }
    /// `a - b`, kept as `a + -b` so that sums have one shape.
    pub fn bv_sub(&self, a: Term, b: Term) -> Term {
        self.bv_add(a, self.build(Op::BvNeg, &[b]))
    }
    /// Product of bit-vectors, modulo two to the width.
    pub fn bv_mul(&self, a: Term, b: Term) -> Term {
        self.build(Op::BvMul, &[a, b])
    }
    /// Unsigned `a < b`.
    pub fn bv_ult(&self, a: Term, b: Term) -> Term {
        self.build(Op::BvUlt, &[a, b])
    }
    /// Unsigned `a <= b`.
    pub fn bv_ule(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_ult(b, a))
    }
    /// Signed `a < b`.
    pub fn bv_slt(&self, a: Term, b: Term) -> Term {
        self.build(Op::BvSlt, &[a, b])
    }
    /// Signed `a <= b`.
    pub fn bv_sle(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_slt(b, a))
    }
    /// Concatenation.
    pub fn concat(&self, high: Term, low: Term) -> Term {
        self.build(Op::BvConcat, &[high, low])
    }
    /// Bits `high` down to `low`, both inclusive.
    pub fn extract(&self, term: Term, high: u32, low: u32) -> Term {
        self.build(Op::BvExtract { high, low }, &[term])
    }
    /// Zero-extends or cuts to `width`.
    pub fn resize_unsigned(&self, term: Term, width: u32) -> Term {
        match self.sort(term).width() {
            from if from == width => term,
            from if from < width => self.build(Op::BvZeroExtend(width), &[term]),
            _ => self.extract(term, width - 1, 0),
        }
    }
    /// Sign-extends or cuts to `width`.
    pub fn resize_signed(&self, term: Term, width: u32) -> Term {
        match self.sort(term).width() {
            from if from == width => term,
            from if from < width => self.build(Op::BvSignExtend(width), &[term]),
            _ => self.extract(term, width - 1, 0),
        }
    }
    /// 1 or 0 of the given width.
    pub fn bool_to_bv(&self, condition: Term, width: u32) -> Term {
        self.ite(condition, self.bv(1, width), self.bv(0, width))
    }

    /// The element of an array at an index.
    pub fn select(&self, array: Term, index: Term) -> Term {
        self.build(Op::Select, &[array, index])
    }
    /// The array with one element changed.
    pub fn store(&self, array: Term, index: Term, element: Term) -> Term {
        self.build(Op::Store, &[array, index, element])
    }
    /// The array of this sort whose elements are all this one.
    pub fn const_array(&self, sort: Sort, element: Term) -> Term {
        self.build(Op::ConstArray(sort), &[element])
    }

    /// A rounding mode.
    pub fn rounding_mode(&self, mode: crate::op::RoundingMode) -> Term {
        self.small_const(mode as u64, Sort::RoundingMode)
    }

    /// An integer constant.
    pub fn int(&self, value: impl Into<num_bigint::BigInt>) -> Term {
        self.constant(&Value::int(value), Sort::Int)
    }

    /// A universally quantified formula with its triggers.
    pub fn forall(&self, bound: Vec<VarId>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        self.quantified(true, bound, triggers, body)
    }
    /// An existentially quantified formula with its triggers.
    pub fn exists(&self, bound: Vec<VarId>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        self.quantified(false, bound, triggers, body)
    }
    fn quantified(&self, universal: bool, bound: Vec<VarId>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        // Sorts of programs are never empty, so a body without the bound variables needs no quantifier.
        if self.const_bool(body).is_some() || bound.is_empty() {
            return body;
        }
        let id = self.quantifier_id(Quantifier { bound, triggers });
        self.intern(if universal { Op::Forall(id) } else { Op::Exists(id) }, Sort::Bool, &[body])
    }
}
