//! The meaning of each operation on values: the one definition that the constructors (constant folding), the evaluator and
//! the concrete interpreter share. `small` is the fast path for arguments of at most 64 bits; `general` takes the rest.
//! Division by zero and over-wide shifts follow SMT-LIB.

use crate::float;
use crate::op::{Op, RoundingMode};
use crate::sort::{Sort, mask, sign_extend};
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use std::rc::Rc;

/// The result on small arguments, of a sort that has small constants; None if the operation has no such meaning or the
/// result is too large.
/// `operand` is the sort of the first argument that isn't a rounding mode or a condition.
#[inline]
pub fn small(op: Op, sort: Sort, operand: Sort, args: &[u64]) -> Option<u64> {
    use Op::*;
    let width = match operand {
        Sort::Bv(width) => width,
        Sort::Bool => 1,
        Sort::Float(_) => return small_float(op, operand, args),
        _ => 64,
    };
    let signed = |bits: u64| sign_extend(bits, width);
    Some(match op {
        Not => args[0] ^ 1,
        And | BvAnd => args[0] & args[1],
        Or | BvOr => args[0] | args[1],
        Xor | BvXor => args[0] ^ args[1],
        Eq => (args[0] == args[1]) as u64,
        Ite => args[if args[0] != 0 { 1 } else { 2 }],
        BvAdd => args[0].wrapping_add(args[1]) & mask(width),
        BvMul => args[0].wrapping_mul(args[1]) & mask(width),
        BvNeg => args[0].wrapping_neg() & mask(width),
        BvNot => !args[0] & mask(width),
        BvUdiv => args[0].checked_div(args[1]).unwrap_or(mask(width)),
        BvUrem => args[0].checked_rem(args[1]).unwrap_or(args[0]),
        BvSdiv => match signed(args[1]) {
            0 if signed(args[0]) < 0 => 1,
            0 => mask(width),
            divisor => signed(args[0]).wrapping_div(divisor) as u64 & mask(width),
        },
        BvSrem => match signed(args[1]) {
            0 => args[0],
            divisor => signed(args[0]).wrapping_rem(divisor) as u64 & mask(width),
        },
        BvShl => {
            if args[1] >= width as u64 {
                0
            } else {
                (args[0] << args[1]) & mask(width)
            }
        }
        BvLshr => {
            if args[1] >= width as u64 {
                0
            } else {
                args[0] >> args[1]
            }
        }
        BvAshr => (signed(args[0]) >> args[1].min(width as u64 - 1)) as u64 & mask(width),
        BvUlt => (args[0] < args[1]) as u64,
        BvSlt => (signed(args[0]) < signed(args[1])) as u64,
        BvSmulOverflow => {
            let product = signed(args[0]) as i128 * signed(args[1]) as i128;
            let half = 1i128 << (width - 1);
            (product < -half || product >= half) as u64
        }
        BvUmulOverflow => (args[0] as u128 * args[1] as u128 > mask(width) as u128) as u64,
        BvConcat => {
            let low_width = sort.width() - width;
            (args[0] << low_width) | args[1]
        }
        BvExtract { high, low } => (args[0] >> low) & mask(high - low + 1),
        BvZeroExtend(_) => args[0],
        BvSignExtend(to) => signed(args[0]) as u64 & mask(to),
        IntAdd => (args[0] as i64).checked_add(args[1] as i64)? as u64,
        IntMul => (args[0] as i64).checked_mul(args[1] as i64)? as u64,
        IntNeg => (args[0] as i64).checked_neg()? as u64,
        IntDiv if args[1] == 0 => 0,
        IntMod if args[1] == 0 => args[0],
        IntDiv => (args[0] as i64).checked_div_euclid(args[1] as i64)? as u64,
        IntMod => (args[0] as i64).checked_rem_euclid(args[1] as i64)? as u64,
        IntLt => ((args[0] as i64) < args[1] as i64) as u64,
        IntLe => (args[0] as i64 <= args[1] as i64) as u64,
        BvToInt => i64::try_from(args[0]).ok()? as u64,
        IntToBv(to) if to <= 64 => args[0] & mask(to),
        FpFromBits(format) => float::canonical(format, args[0] as u128) as u64,
        FpFromSigned(format) => {
            let mode = RoundingMode::from_code(args[0]);
            float::from_int(format, mode, &BigInt::from(signed(args[1]))) as u64
        }
        FpFromUnsigned(format) => float::from_int(format, RoundingMode::from_code(args[0]), &BigInt::from(args[1])) as u64,
        _ => return None,
    })
}

fn small_float(op: Op, operand: Sort, args: &[u64]) -> Option<u64> {
    match op {
        Op::Eq => return Some((args[0] == args[1]) as u64),
        Op::Ite => return Some(args[if args[0] != 0 { 1 } else { 2 }]),
        _ => {}
    }
    let mut wide = [0u128; 4];
    for (to, from) in wide.iter_mut().zip(args) {
        *to = *from as u128;
    }
    float_op(op, operand, &wide[..args.len()]).map(|bits| bits as u64)
}

/// Float operations whose arguments and result are bit patterns of at most 128 bits.
fn float_op(op: Op, operand: Sort, args: &[u128]) -> Option<u128> {
    use Op::*;
    let f = operand.format();
    let mode = || RoundingMode::from_code(args[0] as u64);
    Some(match op {
        FpAdd => float::add(f, mode(), args[1], args[2]),
        FpSub => float::sub(f, mode(), args[1], args[2]),
        FpMul => float::mul(f, mode(), args[1], args[2]),
        FpDiv => float::div(f, mode(), args[1], args[2]),
        FpFma => float::fma(f, mode(), args[1], args[2], args[3]),
        FpSqrt => float::sqrt(f, mode(), args[1]),
        FpRoundToIntegral => float::round_to_integral(f, mode(), args[1]),
        FpRem => float::rem(f, args[0], args[1]),
        FpMin => float::min(f, args[0], args[1]),
        FpMax => float::max(f, args[0], args[1]),
        FpAbs => float::abs(f, args[0]),
        FpNeg => float::neg(f, args[0]),
        FpEq => float::eq(f, args[0], args[1]) as u128,
        FpLt => float::lt(f, args[0], args[1]) as u128,
        FpLe => float::le(f, args[0], args[1]) as u128,
        FpIsNan => float::is_nan(f, args[0]) as u128,
        FpIsInfinite => float::is_infinite(f, args[0]) as u128,
        FpIsZero => float::is_zero(f, args[0]) as u128,
        FpIsNormal => float::is_normal(f, args[0]) as u128,
        FpIsSubnormal => float::is_subnormal(f, args[0]) as u128,
        FpIsNegative => (!float::is_nan(f, args[0]) && float::is_negative(f, args[0])) as u128,
        FpIsPositive => (!float::is_nan(f, args[0]) && !float::is_negative(f, args[0])) as u128,
        FpToBits => args[0],
        FpToFp(to) => float::convert(f, to, mode(), args[1]),
        _ => return None,
    })
}

fn in_range(int: &BigInt, width: u32, signed: bool) -> bool {
    let half = BigInt::one() << (width - 1);
    if signed { *int >= -&half && *int < half } else { int.sign() != Sign::Minus && *int < half * 2 }
}

/// The low `width` bits of a number in two's complement.
fn wrap(int: &BigInt, width: u32) -> BigUint {
    int.mod_floor(&(BigInt::one() << width)).to_biguint().expect("not negative")
}

fn signed_of(bits: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from(bits.clone());
    if bits.bit(width as u64 - 1) { value - (BigInt::one() << width) } else { value }
}

/// The result on any values. `sorts` are the sorts of the arguments. None for operations that have no value on
/// constants alone: variables, uninterpreted functions, quantifiers.
pub fn general(op: Op, sort: Sort, sorts: &[Sort], args: &[Value]) -> Option<Value> {
    use Op::*;
    match op {
        Var(_) | Const(_) | BigConst(_) | Apply(_) | Forall(_) | Exists(_) => return None,
        Eq => return Some(Value::bool(args[0] == args[1])),
        Ite => return Some(args[if args[0].is_true() { 1 } else { 2 }].clone()),
        Select => return Some(args[0].as_array().get(&args[1]).clone()),
        Store => return Some(Value::Array(Rc::new(args[0].as_array().with(args[1].clone(), args[2].clone())))),
        ConstArray(_) => {
            return Some(Value::Array(Rc::new(ArrayValue { default: args[0].clone(), entries: Default::default() })));
        }
        _ => {}
    }
    let operand = operand_sort(sorts);
    if sort.is_small() && args.iter().all(|a| matches!(a, Value::Bits(_))) {
        let mut bits = [0u64; 4];
        for (to, from) in bits.iter_mut().zip(args) {
            *to = from.to_u64()?;
        }
        return match small(op, sort, operand, &bits[..args.len()]) {
            Some(result) => Some(Value::Bits(result)),
            None => number_op(op, sort, sorts, args),
        };
    }
    match operand {
        Sort::Bv(width) => wide_bv_op(op, sort, width, args),
        Sort::Float(_) if op != FpToReal => {
            let bits: Option<Vec<u128>> = args.iter().map(|a| a.to_biguint().to_u128()).collect();
            match float_op(op, operand, &bits?) {
                Some(result) => Some(Value::bits(BigUint::from(result), sort.bits()?)),
                None => number_op(op, sort, sorts, args),
            }
        }
        _ => number_op(op, sort, sorts, args),
    }
}

/// The sort that decides how an operation works: the first that is neither a rounding mode nor a condition.
pub fn operand_sort(sorts: &[Sort]) -> Sort {
    match sorts {
        [Sort::RoundingMode, second, ..] => *second,
        [first, ..] => *first,
        [] => Sort::Bool,
    }
}

fn wide_bv_op(op: Op, sort: Sort, width: u32, args: &[Value]) -> Option<Value> {
    use Op::*;
    let a = |i: usize| args[i].to_biguint();
    let signed = |i: usize| signed_of(&a(i), width);
    let ones = || (BigUint::one() << width) - 1u8;
    let shift = |i: usize| a(i).to_u32().filter(|&s| s < width);
    let bits = |value: BigUint| Some(Value::bits(value, sort.bits()?));
    let number = |value: BigInt| Some(Value::bits(wrap(&value, width), width));
    match op {
        BvAdd => bits((a(0) + a(1)) & ones()),
        BvMul => bits((a(0) * a(1)) & ones()),
        BvNeg => number(-BigInt::from(a(0))),
        BvNot => bits(ones() ^ a(0)),
        BvAnd => bits(a(0) & a(1)),
        BvOr => bits(a(0) | a(1)),
        BvXor => bits(a(0) ^ a(1)),
        BvUdiv => bits(if a(1).is_zero() { ones() } else { a(0) / a(1) }),
        BvUrem => bits(if a(1).is_zero() { a(0) } else { a(0) % a(1) }),
        BvSdiv if a(1).is_zero() => bits(if signed(0).sign() == Sign::Minus { BigUint::one() } else { ones() }),
        BvSdiv => number(signed(0) / signed(1)),
        BvSrem if a(1).is_zero() => bits(a(0)),
        BvSrem => number(signed(0) % signed(1)),
        BvShl => bits(shift(1).map_or(BigUint::zero(), |s| (a(0) << s) & ones())),
        BvLshr => bits(shift(1).map_or(BigUint::zero(), |s| a(0) >> s)),
        BvAshr => number(signed(0) >> shift(1).unwrap_or(width - 1)),
        BvUlt => Some(Value::bool(a(0) < a(1))),
        BvSlt => Some(Value::bool(signed(0) < signed(1))),
        BvSmulOverflow => Some(Value::bool(!in_range(&(signed(0) * signed(1)), width, true))),
        BvUmulOverflow => Some(Value::bool(a(0) * a(1) > ones())),
        BvConcat => bits((a(0) << (sort.width() - width)) | a(1)),
        BvExtract { low, .. } => bits(a(0) >> low),
        BvZeroExtend(_) => bits(a(0)),
        BvSignExtend(to) => Some(Value::bits(wrap(&signed(0), to), to)),
        BvToInt => Some(Value::int(BigInt::from(a(0)))),
        FpFromBits(f) => bits(BigUint::from(float::canonical(f, a(0).to_u128()?))),
        FpFromSigned(f) | FpFromUnsigned(f) => {
            let int = if matches!(op, FpFromSigned(_)) { signed(1) } else { BigInt::from(a(1)) };
            bits(BigUint::from(float::from_int(f, RoundingMode::from_code(args[0].to_u64()?), &int)))
        }
        _ => None,
    }
}

/// Products of larger numbers are not folded: squaring a constant 60 times would fill the memory.
const MAX_PRODUCT_BITS: u64 = 1 << 20;

fn number_bits(value: &Value) -> u64 {
    match value {
        Value::Int(int) => int.bits(),
        Value::Real(real) => real.numer().bits() + real.denom().bits(),
        _ => 0,
    }
}

fn number_op(op: Op, sort: Sort, sorts: &[Sort], args: &[Value]) -> Option<Value> {
    use Op::*;
    let int = |i: usize| args[i].as_int();
    let real = |i: usize| args[i].as_real();
    let too_large = || args.iter().map(number_bits).sum::<u64>() > MAX_PRODUCT_BITS;
    Some(match op {
        IntAdd => Value::int(int(0) + int(1)),
        IntMul | RealMul | RealAdd | RealDiv if too_large() => return None,
        IntMul => Value::int(int(0) * int(1)),
        IntNeg => Value::int(-int(0)),
        IntDiv if int(1).is_zero() => Value::int(0),
        IntMod if int(1).is_zero() => args[0].clone(),
        IntDiv => Value::int(euclid(int(0), int(1)).0),
        IntMod => Value::int(euclid(int(0), int(1)).1),
        IntLt => Value::bool(int(0) < int(1)),
        IntLe => Value::bool(int(0) <= int(1)),
        RealAdd => Value::real(real(0) + real(1)),
        RealMul => Value::real(real(0) * real(1)),
        RealNeg => Value::real(-real(0)),
        RealDiv if real(1).is_zero() => Value::real(BigRational::zero()),
        RealDiv => Value::real(real(0) / real(1)),
        RealLt => Value::bool(real(0) < real(1)),
        RealLe => Value::bool(real(0) <= real(1)),
        IntToReal => Value::real(BigRational::from_integer(int(0).clone())),
        RealToInt => Value::int(real(0).floor().to_integer()),
        BvToInt => Value::int(BigInt::from(args[0].to_biguint())),
        IntToBv(width) => Value::bits(wrap(int(0), width), width),
        FpToReal => Value::real(float::to_rational(sorts[0].format(), args[0].to_biguint().to_u128()?)?),
        FpFromReal(f) => {
            let mode = RoundingMode::from_code(args[0].to_u64()?);
            Value::bits(BigUint::from(float::from_rational(f, mode, real(1))), sort.bits()?)
        }
        FpToSigned(width) | FpToUnsigned(width) => {
            let mode = RoundingMode::from_code(args[0].to_u64()?);
            let int = float::to_int(sorts[1].format(), mode, args[1].to_biguint().to_u128()?);
            let fits = int.filter(|int| in_range(int, width, matches!(op, FpToSigned(_))));
            // Out of range: the documented total value.
            Value::bits(fits.map_or(BigUint::zero(), |int| wrap(&int, width)), width)
        }
        _ => return None,
    })
}

/// Quotient and remainder with 0 <= remainder < |divisor|.
fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = a.div_rem(b);
    if remainder.sign() != Sign::Minus {
        (quotient, remainder)
    } else if b.sign() == Sign::Plus {
        (quotient - 1, remainder + b)
    } else {
        (quotient + 1, remainder - b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::FloatFormat;

    /// Signed operations on wide vectors, computed on unbounded integers, where nothing overflows.
    #[test]
    fn wide_signed_operations() {
        const WIDTH: u32 = 100;
        let wide = |number: i128| Value::bits(wrap(&BigInt::from(number), WIDTH), WIDTH);
        let sort = Sort::Bv(WIDTH);
        let compute = |op: Op, a: i128, b: i128| general(op, sort, &[sort, sort], &[wide(a), wide(b)]);
        let numbers = [0, 1, -1, 2, 7, -7, i64::MAX as i128, i64::MIN as i128, 1 << 80, -(1 << 80) - 3];
        for a in numbers {
            for b in numbers {
                assert_eq!(compute(Op::BvAdd, a, b), Some(wide(a + b)), "{a} + {b}");
                assert_eq!(general(Op::BvSlt, Sort::Bool, &[sort, sort], &[wide(a), wide(b)]), Some(Value::bool(a < b)), "{a} < {b}");
                if b != 0 {
                    assert_eq!(compute(Op::BvSdiv, a, b), Some(wide(a / b)), "{a} / {b}");
                    assert_eq!(compute(Op::BvSrem, a, b), Some(wide(a % b)), "{a} % {b}");
                }
                if (0..WIDTH as i128).contains(&b) {
                    assert_eq!(compute(Op::BvAshr, a, b), Some(wide(a >> b)), "{a} >> {b}");
                }
            }
        }
    }

    #[test]
    fn integers_wider_than_any_float() {
        let format = FloatFormat::DOUBLE;
        let minus_one = Value::Bits((-1f64).to_bits());
        let sorts = [Sort::RoundingMode, Sort::Float(format)];
        let result = general(Op::FpToSigned(200), Sort::Bv(200), &sorts, &[Value::Bits(0), minus_one]);
        assert_eq!(result, Some(Value::bits((BigUint::one() << 200u32) - 1u8, 200)));
    }
}
