//! Operations of terms. They follow SMT-LIB; what SMT-LIB derives (bvsub, bvule, distinct, =>) has a constructor that
//! builds it from these, so that rules and adapters have fewer cases.

use crate::sort::{FloatFormat, Sort};
use crate::store::{FnId, QuantifierId, VarId};

/// The rounding modes of IEEE 754.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RoundingMode {
    /// To the nearest; of two, the one whose last bit is 0. C's default.
    NearestEven,
    /// To the nearest; of two, the one away from zero.
    NearestAway,
    /// Up.
    TowardPositive,
    /// Down.
    TowardNegative,
    /// Towards zero, as conversions to integers do.
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
    /// A variable; the term has no arguments.
    Var(VarId),
    /// A constant of a small sort (Bool, Bv and Float up to 64 bits, RoundingMode), an element of an opaque sort, or an
    /// Int of at most 64 bits: its bits. NaN has one encoding.
    Const(u64),
    /// A constant that doesn't fit: wide bit-vectors and floats, large Int, Real; an index into the store's table.
    BigConst(u32),

    /// Negation of a boolean.
    Not,
    /// Conjunction of two or more booleans.
    And,
    /// Disjunction of two or more booleans.
    Or,
    /// Exclusive or of two booleans.
    Xor,
    /// Equality of any sort; on floats it is identity (NaN equals NaN, zeros differ by sign), not C's `==`.
    Eq,
    /// Condition, value if true, value if false; of any sort.
    Ite,

    /// Sum modulo 2^width.
    BvAdd,
    /// Product modulo 2^width.
    BvMul,
    /// Two's complement negation.
    BvNeg,
    /// Unsigned quotient; by zero it is all ones, as in SMT-LIB.
    BvUdiv,
    /// Unsigned remainder; by zero it is the dividend.
    BvUrem,
    /// Quotient of two's complement numbers, rounded towards zero; by zero as in SMT-LIB.
    BvSdiv,
    /// Remainder with the dividend's sign; by zero it is the dividend.
    BvSrem,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Bitwise complement.
    BvNot,
    /// Shift left; zero if the second argument is the width or more.
    BvShl,
    /// Shift right that brings in zeros; zero if the second argument is the width or more.
    BvLshr,
    /// Shift right that brings in the sign; the sign alone if the second argument is the width or more.
    BvAshr,
    /// Less than, as unsigned numbers.
    BvUlt,
    /// Less than, as two's complement numbers.
    BvSlt,
    /// Does the product leave the signed (unsigned) range?
    BvSmulOverflow,
    /// The same for unsigned numbers.
    BvUmulOverflow,
    /// The first argument becomes the high bits.
    BvConcat,
    /// Bits `high` down to `low`, both inclusive.
    BvExtract {
        /// The highest bit that is kept.
        high: u32,
        /// The lowest bit that is kept; it becomes bit 0.
        low: u32,
    },
    /// Result width, not the number of added bits.
    BvZeroExtend(u32),
    /// The same, with copies of the sign.
    BvSignExtend(u32),

    /// Arguments: rounding mode first where IEEE rounds.
    FpAdd,
    /// Difference, rounded.
    FpSub,
    /// Product, rounded.
    FpMul,
    /// Quotient, rounded.
    FpDiv,
    /// First times second plus third, rounded once.
    FpFma,
    /// Square root, rounded.
    FpSqrt,
    /// The integral float that the rounding mode chooses.
    FpRoundToIntegral,
    /// IEEE's remainder: the quotient is rounded to the nearest even.
    FpRem,
    /// The smaller; if one is NaN, the other. Of zeros with two signs, the second.
    FpMin,
    /// The larger; if one is NaN, the other. Of zeros with two signs, the second.
    FpMax,
    /// The sign becomes positive.
    FpAbs,
    /// The sign changes, also of zeros.
    FpNeg,
    /// C's `==`: false for NaN, and the two zeros are equal.
    FpEq,
    /// C's `<`: false for NaN.
    FpLt,
    /// C's `<=`: false for NaN.
    FpLe,
    /// Whether it is NaN.
    FpIsNan,
    /// Whether it is one of the two infinities.
    FpIsInfinite,
    /// Whether it is one of the two zeros.
    FpIsZero,
    /// Whether it is finite, not zero and not subnormal.
    FpIsNormal,
    /// Whether it is smaller than every normal number and not zero.
    FpIsSubnormal,
    /// Whether the sign is negative, also of zero; false for NaN.
    FpIsNegative,
    /// Whether the sign is positive, also of zero; false for NaN.
    FpIsPositive,
    /// The float with this interchange encoding.
    FpFromBits(FloatFormat),
    /// The interchange encoding; NaN gives the positive quiet NaN without payload.
    FpToBits,
    /// Rounding mode and float: the nearest float of this format.
    FpToFp(FloatFormat),
    /// Rounding mode and bit-vector: its two's complement value as a float.
    FpFromSigned(FloatFormat),
    /// Rounding mode and bit-vector: its unsigned value as a float.
    FpFromUnsigned(FloatFormat),
    /// Rounding mode and real number: as a float.
    FpFromReal(FloatFormat),
    /// Out of range (and NaN) gives 0, so that the function is total and all solvers agree; front ends handle these cases.
    FpToSigned(u32),
    /// The same for unsigned results.
    FpToUnsigned(u32),
    /// The value as a real number; unspecified for infinities and NaN.
    FpToReal,

    /// Sum of mathematical integers.
    IntAdd,
    /// Product of mathematical integers.
    IntMul,
    /// Negation of a mathematical integer.
    IntNeg,
    /// Euclidean, as in SMT-LIB and Boogie; by zero the quotient is 0 and the remainder the dividend (front ends guard it).
    IntDiv,
    /// The remainder that belongs to `IntDiv`; never negative.
    IntMod,
    /// Less than, of integers.
    IntLt,
    /// At most, of integers.
    IntLe,
    /// Sum of real numbers.
    RealAdd,
    /// Product of real numbers.
    RealMul,
    /// Negation of a real number.
    RealNeg,
    /// Quotient of real numbers; by zero it is 0.
    RealDiv,
    /// Less than, of real numbers.
    RealLt,
    /// At most, of real numbers.
    RealLe,
    /// The same number as a real one.
    IntToReal,
    /// The greatest integer that is not larger.
    RealToInt,
    /// Unsigned value of a bit-vector.
    BvToInt,
    /// An integer modulo 2^width, as a bit-vector of this width.
    IntToBv(u32),

    /// Array and index: the element there.
    Select,
    /// Array, index and value: the array with this element changed.
    Store,
    /// The array of this sort that is everywhere its argument.
    ConstArray(Sort),

    /// An uninterpreted function, applied to the arguments.
    Apply(FnId),
    /// True if the argument holds for all values of the bound variables.
    Forall(QuantifierId),
    /// True if the argument holds for some values of the bound variables.
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
