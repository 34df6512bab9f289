//! Operations of terms. They follow SMT-LIB; what SMT-LIB derives (bvsub, bvule, distinct, =>) has a constructor that
//! builds it from these, so that rules and adapters have fewer cases.

use crate::sort::{FloatFormat, Sort};
use crate::store::{FnId, QuantifierId, VarId};

/// The rounding modes of IEEE 754.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl RoundingMode {
    /// All rounding modes, by code.
    pub const ALL: [RoundingMode; 5] = [Self::NearestEven, Self::NearestAway, Self::TowardPositive, Self::TowardNegative, Self::TowardZero];

    /// The mode with this code; codes past the last mean the last, so that any bits decode.
    pub fn from_code(code: u64) -> Self {
        *Self::ALL.get(code as usize).unwrap_or(&Self::TowardZero)
    }
}

/// An operation of terms.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    Var(VarId),
    /// A constant of a small sort (Bool, Bv and Float up to 64 bits, RoundingMode), an element of an opaque sort, or an
    /// Int of at most 64 bits: its bits. NaN has one encoding.
    Const(u64),
    /// A constant that doesn't fit: wide bit-vectors and floats, large Int, Real; an index into the store's table.
    BigConst(u32),

    Not,
    And,
    Or,
    Xor,
    /// Equality of any sort; on floats it is identity (NaN equals NaN, zeros differ by sign), not C's `==`.
    Eq,
    Ite,

    BvAdd,
    BvMul,
    BvNeg,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvNot,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    /// Does the product leave the signed (unsigned) range?
    BvSmulOverflow,
    BvUmulOverflow,
    BvConcat,
    /// Bits `high` down to `low`, both inclusive.
    BvExtract {
        high: u32,
        low: u32,
    },
    /// Result width, not the number of added bits.
    BvZeroExtend(u32),
    BvSignExtend(u32),

    /// Arguments: rounding mode first where IEEE rounds.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpFma,
    FpSqrt,
    FpRoundToIntegral,
    FpRem,
    FpMin,
    FpMax,
    FpAbs,
    FpNeg,
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInfinite,
    FpIsZero,
    FpIsNormal,
    FpIsSubnormal,
    FpIsNegative,
    FpIsPositive,
    /// The float with this interchange encoding.
    FpFromBits(FloatFormat),
    /// The interchange encoding; NaN gives the positive quiet NaN without payload.
    FpToBits,
    FpToFp(FloatFormat),
    FpFromSigned(FloatFormat),
    FpFromUnsigned(FloatFormat),
    FpFromReal(FloatFormat),
    /// Out of range (and NaN) gives 0, so that the function is total and all solvers agree; front ends handle these cases.
    FpToSigned(u32),
    FpToUnsigned(u32),
    FpToReal,

    IntAdd,
    IntMul,
    IntNeg,
    /// Euclidean, as in SMT-LIB and Boogie; by zero the quotient is 0 and the remainder the dividend (front ends guard it).
    IntDiv,
    IntMod,
    IntLt,
    IntLe,
    RealAdd,
    RealMul,
    RealNeg,
    RealDiv,
    RealLt,
    RealLe,
    IntToReal,
    RealToInt,
    /// Unsigned value of a bit-vector.
    BvToInt,
    IntToBv(u32),

    Select,
    Store,
    /// The array of this sort that is everywhere its argument.
    ConstArray(Sort),

    Apply(FnId),
    Forall(QuantifierId),
    Exists(QuantifierId),
}

impl Op {
    /// Whether this is a constant.
    pub fn is_const(self) -> bool {
        matches!(self, Op::Const(_) | Op::BigConst(_))
    }

    /// Operations whose two arguments may be swapped.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or
                | Xor
                | Eq
                | BvAdd
                | BvMul
                | BvAnd
                | BvOr
                | BvXor
                | BvSmulOverflow
                | BvUmulOverflow
                | FpEq
                | IntAdd
                | IntMul
                | RealAdd
                | RealMul
        )
    }
}
