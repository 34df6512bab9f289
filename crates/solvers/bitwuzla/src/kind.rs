//! Bitwuzla's kinds of terms by number, in the order of its header `enums.h` (release 0.8), and the kinds that the
//! operations of our terms translate to one to one.

use fathom_term::{Op, RoundingMode};

/// A kind of Bitwuzla term.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub i32);

macro_rules! kinds {
    ($($name:ident = $number:literal,)*) => {
        impl Kind {
            $(pub const $name: Kind = Kind($number);)*
        }
    };
}

kinds! {
    CONST_ARRAY = 1,
    AND = 4,
    EQUAL = 6,
    NOT = 9,
    OR = 10,
    XOR = 11,
    ITE = 12,
    EXISTS = 13,
    FORALL = 14,
    APPLY = 15,
    ARRAY_SELECT = 17,
    ARRAY_STORE = 18,
    BV_ADD = 19,
    BV_AND = 20,
    BV_ASHR = 21,
    BV_CONCAT = 23,
    BV_MUL = 26,
    BV_NEG = 28,
    BV_NOT = 31,
    BV_OR = 32,
    BV_SDIV = 40,
    BV_SHL = 43,
    BV_SHR = 44,
    BV_SLT = 46,
    BV_SMUL_OVERFLOW = 48,
    BV_SREM = 49,
    BV_UDIV = 53,
    BV_ULT = 57,
    BV_UMUL_OVERFLOW = 58,
    BV_UREM = 59,
    BV_XOR = 62,
    BV_EXTRACT = 63,
    BV_SIGN_EXTEND = 67,
    BV_ZERO_EXTEND = 68,
    FP_ABS = 69,
    FP_ADD = 70,
    FP_DIV = 71,
    FP_EQUAL = 72,
    FP_FMA = 73,
    FP_GEQ = 75,
    FP_IS_INF = 77,
    FP_IS_NAN = 78,
    FP_IS_NEG = 79,
    FP_IS_NORMAL = 80,
    FP_IS_POS = 81,
    FP_IS_SUBNORMAL = 82,
    FP_IS_ZERO = 83,
    FP_LEQ = 84,
    FP_LT = 85,
    FP_MUL = 88,
    FP_NEG = 89,
    FP_REM = 90,
    FP_RTI = 91,
    FP_SQRT = 92,
    FP_SUB = 93,
    FP_TO_FP_FROM_BV = 94,
    FP_TO_FP_FROM_FP = 95,
    FP_TO_FP_FROM_SBV = 96,
    FP_TO_FP_FROM_UBV = 97,
    FP_TO_SBV = 98,
    FP_TO_UBV = 99,
}

/// The kind of an operation that means the same to Bitwuzla, with the same arguments and no indices.
pub(crate) fn plain_kind(op: Op) -> Option<Kind> {
    Some(match op {
        Op::Not => Kind::NOT,
        Op::And => Kind::AND,
        Op::Or => Kind::OR,
        Op::Xor => Kind::XOR,
        Op::Eq => Kind::EQUAL,
        Op::Ite => Kind::ITE,
        Op::BvAdd => Kind::BV_ADD,
        Op::BvMul => Kind::BV_MUL,
        Op::BvNeg => Kind::BV_NEG,
        Op::BvUdiv => Kind::BV_UDIV,
        Op::BvUrem => Kind::BV_UREM,
        Op::BvSdiv => Kind::BV_SDIV,
        Op::BvSrem => Kind::BV_SREM,
        Op::BvAnd => Kind::BV_AND,
        Op::BvOr => Kind::BV_OR,
        Op::BvXor => Kind::BV_XOR,
        Op::BvNot => Kind::BV_NOT,
        Op::BvShl => Kind::BV_SHL,
        Op::BvLshr => Kind::BV_SHR,
        Op::BvAshr => Kind::BV_ASHR,
        Op::BvUlt => Kind::BV_ULT,
        Op::BvSlt => Kind::BV_SLT,
        Op::BvSmulOverflow => Kind::BV_SMUL_OVERFLOW,
        Op::BvUmulOverflow => Kind::BV_UMUL_OVERFLOW,
        Op::BvConcat => Kind::BV_CONCAT,
        Op::FpAdd => Kind::FP_ADD,
        Op::FpSub => Kind::FP_SUB,
        Op::FpMul => Kind::FP_MUL,
        Op::FpDiv => Kind::FP_DIV,
        Op::FpFma => Kind::FP_FMA,
        Op::FpSqrt => Kind::FP_SQRT,
        Op::FpRem => Kind::FP_REM,
        Op::FpAbs => Kind::FP_ABS,
        Op::FpNeg => Kind::FP_NEG,
        Op::FpEq => Kind::FP_EQUAL,
        Op::FpLt => Kind::FP_LT,
        Op::FpLe => Kind::FP_LEQ,
        Op::FpIsNan => Kind::FP_IS_NAN,
        Op::FpIsInfinite => Kind::FP_IS_INF,
        Op::FpIsZero => Kind::FP_IS_ZERO,
        Op::FpIsNormal => Kind::FP_IS_NORMAL,
        Op::FpIsSubnormal => Kind::FP_IS_SUBNORMAL,
        Op::FpIsNegative => Kind::FP_IS_NEG,
        Op::FpIsPositive => Kind::FP_IS_POS,
        Op::Select => Kind::ARRAY_SELECT,
        Op::Store => Kind::ARRAY_STORE,
        _ => return None,
    })
}

/// Bitwuzla's number for a rounding mode.
pub(crate) fn rounding_code(mode: RoundingMode) -> i32 {
    match mode {
        RoundingMode::NearestEven => 0,
        RoundingMode::NearestAway => 1,
        RoundingMode::TowardNegative => 2,
        RoundingMode::TowardPositive => 3,
        RoundingMode::TowardZero => 4,
    }
}

/// The rounding mode with Bitwuzla's number.
pub(crate) fn rounding_mode(code: i32) -> Option<RoundingMode> {
    RoundingMode::ALL.into_iter().find(|&mode| rounding_code(mode) == code)
}
