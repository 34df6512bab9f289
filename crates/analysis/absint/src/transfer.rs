//! The abstract meaning of every operation of terms. On constants it is the one that `term::fold` gives; elsewhere the
//! result contains every concrete result (`tests/operations.rs` tries random members of random sets).

use crate::value::{Abs, Bits, Points};
use fathom_domains::float_conversions;
use fathom_domains::floats::{FpSet, Modes};
use fathom_domains::num::{MAX_WIDTH, Num, wrap};
use fathom_domains::unbounded::Range;
use fathom_term::{Op, Sort, Value, fold};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use smallvec::SmallVec;

/// The values of `op` on these sets. `sorts` are the sorts of the arguments.
pub fn apply(op: Op, sort: Sort, sorts: &[Sort], args: &[&Abs]) -> Abs {
    let result = match constant_result(op, sort, sorts, args) {
        Some(value) => Abs::constant(&value, sort),
        None => abstract_result(op, sort, args).unwrap_or_else(|| Abs::top(sort)),
    };
    with_provenance(op, result, args)
}

fn constant_result(op: Op, sort: Sort, sorts: &[Sort], args: &[&Abs]) -> Option<Value> {
    let values: SmallVec<[Value; 3]> = args.iter().map(|arg| arg.as_constant()).collect::<Option<_>>()?;
    // A choice keeps what its arms carry besides their numbers.
    if matches!(op, Op::Ite | Op::Store | Op::ConstArray(_) | Op::Select) || matches!(sort, Sort::Array(_) | Sort::Opaque(_)) {
        return None;
    }
    fold::general(op, sort, sorts, &values)
}

fn bit_op(args: &[&Abs], op: impl Fn(&Num, &Num) -> Num) -> Option<Abs> {
    Some(Abs::Bits(Bits::number(op(args[0].num()?, args[1].num()?))))
}

fn bit_truth(args: &[&Abs], op: impl Fn(&Num, &Num) -> Option<bool>) -> Option<Abs> {
    Some(Abs::truth(op(args[0].num()?, args[1].num()?)))
}

fn abstract_result(op: Op, sort: Sort, args: &[&Abs]) -> Option<Abs> {
    use Op::*;
    let narrow = |width: u32| (width <= MAX_WIDTH).then_some(width);
    let bits = |num: Num| Some(Abs::Bits(Bits::number(num)));
    match op {
        Not | And | Or | Xor => boolean(op, args),
        Eq => Some(Abs::truth(equals(args[0], args[1]))),
        Ite => Some(chosen(args[0], args[1], args[2])),
        BvAdd => bit_op(args, Num::add),
        BvMul => bit_op(args, Num::mul),
        BvUdiv => bit_op(args, Num::udiv),
        BvUrem => bit_op(args, Num::urem),
        BvSdiv => bit_op(args, Num::sdiv),
        BvSrem => bit_op(args, Num::srem),
        BvAnd => bit_op(args, Num::and),
        BvOr => bit_op(args, Num::or),
        BvXor => bit_op(args, Num::xor),
        BvShl => bit_op(args, Num::shl),
        BvLshr => bit_op(args, Num::lshr),
        BvAshr => bit_op(args, Num::ashr),
        BvNeg => bits(args[0].num()?.neg()),
        BvNot => bits(args[0].num()?.not()),
        BvUlt => bit_truth(args, Num::ult),
        BvSlt => bit_truth(args, Num::slt),
        BvSmulOverflow => bit_truth(args, Num::smul_overflows),
        BvUmulOverflow => bit_truth(args, Num::umul_overflows),
        BvConcat => {
            narrow(sort.width())?;
            bit_op(args, Num::concat)
        }
        BvExtract { high, low } => bits(args[0].num()?.extract(high, low)),
        BvZeroExtend(width) => bits(args[0].num()?.zero_extend(narrow(width)?)),
        BvSignExtend(width) => bits(args[0].num()?.sign_extend(narrow(width)?)),
        IntToBv(width) => bits(int_to_bits(ints(args[0])?, narrow(width)?)),
        BvToInt => {
            let num = args[0].num()?;
            Some(Abs::Int(Range::new(Some(BigInt::from(num.umin)), Some(BigInt::from(num.umax)))))
        }
        FpToBits => {
            let set = float(args[0])?;
            let num = if set.format.width() <= MAX_WIDTH { float_conversions::encoding(set) } else { return None };
            Some(Abs::Bits(Bits { float: Some(Box::new(set.clone())), ..Bits::number(num) }))
        }
        FpToSigned(width) | FpToUnsigned(width) => {
            let is_signed = matches!(op, FpToSigned(_));
            bits(float_conversions::to_bits(float(args[1])?, modes(args[0])?, narrow(width)?, is_signed))
        }
        FpAdd | FpSub | FpMul | FpDiv | FpFma | FpSqrt | FpRoundToIntegral | FpRem | FpMin | FpMax | FpAbs | FpNeg | FpFromBits(_)
        | FpToFp(_) | FpFromSigned(_) | FpFromUnsigned(_) | FpFromReal(_) => float_result(op, args).map(Abs::Float),
        FpEq | FpLt | FpLe => {
            let (a, b) = (float(args[0])?, float(args[1])?);
            Some(Abs::truth(match op {
                FpEq => a.ieee_equals(b),
                FpLt => a.less(b, false),
                _ => a.less(b, true),
            }))
        }
        FpIsNan | FpIsInfinite | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive => {
            Some(Abs::truth(class(op, float(args[0])?)))
        }
        IntAdd => Some(Abs::Int(ints(args[0])?.add(ints(args[1])?))),
        IntMul => Some(Abs::Int(ints(args[0])?.mul(ints(args[1])?))),
        IntNeg => Some(Abs::Int(ints(args[0])?.neg())),
        IntDiv => Some(Abs::Int(ints(args[0])?.div(ints(args[1])?))),
        IntMod => Some(Abs::Int(ints(args[0])?.rem(ints(args[1])?))),
        IntLt => Some(Abs::truth(ints(args[0])?.less(ints(args[1])?))),
        IntLe => Some(Abs::truth(ints(args[1])?.less(ints(args[0])?).map(|less| !less))),
        RealAdd => Some(Abs::Real(reals(args[0])?.add(reals(args[1])?))),
        RealMul => Some(Abs::Real(reals(args[0])?.mul(reals(args[1])?))),
        RealNeg => Some(Abs::Real(reals(args[0])?.neg())),
        RealDiv => {
            let divisor = reals(args[1])?.as_constant().filter(|c| !c.is_zero())?;
            Some(Abs::Real(reals(args[0])?.mul(&Range::constant(divisor.recip()))))
        }
        RealLt => Some(Abs::truth(reals(args[0])?.less(reals(args[1])?))),
        RealLe => Some(Abs::truth(reals(args[1])?.less(reals(args[0])?).map(|less| !less))),
        IntToReal => {
            let range = ints(args[0])?;
            let up = |bound: &Option<BigInt>| bound.clone().map(BigRational::from_integer);
            Some(Abs::Real(Range::new(up(&range.low), up(&range.high))))
        }
        RealToInt => {
            let range = reals(args[0])?;
            let down = |bound: &Option<BigRational>| bound.as_ref().map(|bound| bound.floor().to_integer());
            Some(Abs::Int(Range::new(down(&range.low), down(&range.high))))
        }
        FpToReal => Some(Abs::Real(float_conversions::to_real(float(args[0])?))),
        Select | Apply(_) | Var(_) | Const(_) | BigConst(_) | Store | ConstArray(_) | Forall(_) | Exists(_) => None,
    }
}

fn float(value: &Abs) -> Option<&FpSet> {
    match value {
        Abs::Float(set) => Some(set),
        _ => None,
    }
}

fn modes(value: &Abs) -> Option<Modes> {
    match value {
        Abs::Mode(modes) => Some(*modes),
        _ => None,
    }
}

fn ints(value: &Abs) -> Option<&Range<BigInt>> {
    match value {
        Abs::Int(range) => Some(range),
        _ => None,
    }
}

fn reals(value: &Abs) -> Option<&Range<BigRational>> {
    match value {
        Abs::Real(range) => Some(range),
        _ => None,
    }
}

fn float_result(op: Op, args: &[&Abs]) -> Option<FpSet> {
    use Op::*;
    Some(match op {
        FpAdd => float(args[1])?.add(float(args[2])?, modes(args[0])?),
        FpSub => float(args[1])?.sub(float(args[2])?, modes(args[0])?),
        FpMul => float(args[1])?.mul(float(args[2])?, modes(args[0])?),
        FpDiv => float(args[1])?.div(float(args[2])?, modes(args[0])?),
        FpSqrt => float(args[1])?.sqrt(modes(args[0])?),
        FpRoundToIntegral => float(args[1])?.round_to_integral(modes(args[0])?),
        FpRem => float(args[0])?.rem(float(args[1])?),
        FpMin => float(args[0])?.min(float(args[1])?),
        FpMax => float(args[0])?.max(float(args[1])?),
        FpAbs => float(args[0])?.abs(),
        FpNeg => float(args[0])?.neg(),
        FpFromBits(format) => match args[0] {
            Abs::Bits(bits) => bits.as_float(format),
            _ => return None,
        },
        FpToFp(format) => float(args[1])?.convert(format, modes(args[0])?),
        FpFromSigned(format) => float_conversions::from_signed(format, modes(args[0])?, args[1].num()?),
        FpFromUnsigned(format) => float_conversions::from_unsigned(format, modes(args[0])?, args[1].num()?),
        FpFromReal(format) => float_conversions::from_real(format, modes(args[0])?, reals(args[1])?),
        _ => return None,
    })
}

/// What a class of floats says of a set: certain if the set lies inside or outside of it.
fn class(op: Op, set: &FpSet) -> Option<bool> {
    use Op::*;
    let inside = |part: Option<FpSet>| match part {
        Some(part) if set.is_within(&part) => Some(true),
        Some(part) if set.meet(&part).is_none() => Some(false),
        _ => None,
    };
    let f = set.format;
    match op {
        FpIsNan => inside(Some(FpSet::only_nan(f))),
        FpIsZero => inside(FpSet::between(f, -1, 0, false)),
        FpIsNegative => inside(FpSet::between(f, i128::MIN, -1, false)),
        FpIsPositive => inside(FpSet::between(f, 0, i128::MAX, false)),
        FpIsInfinite => {
            let infinities = [true, false].map(|negative| FpSet::constant(f, fathom_term::float::infinity(f, negative)));
            if infinities.iter().all(|infinity| set.meet(infinity).is_none()) {
                Some(false)
            } else if infinities.iter().any(|infinity| set.is_within(infinity)) {
                Some(true)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn boolean(op: Op, args: &[&Abs]) -> Option<Abs> {
    let pair = |value: &Abs| match value {
        Abs::Bool { no, yes } => Some((*no, *yes)),
        _ => None,
    };
    let (no, yes) = pair(args[0])?;
    if op == Op::Not {
        return Some(Abs::Bool { no: yes, yes: no });
    }
    let (other_no, other_yes) = pair(args[1])?;
    Some(match op {
        Op::And => Abs::Bool { no: no || other_no, yes: yes && other_yes },
        Op::Or => Abs::Bool { no: no && other_no, yes: yes || other_yes },
        _ => Abs::Bool { no: no && other_no || yes && other_yes, yes: no && other_yes || yes && other_no },
    })
}

fn equals(a: &Abs, b: &Abs) -> Option<bool> {
    match (a, b) {
        (Abs::Bool { .. }, Abs::Bool { .. }) => match (a.as_constant(), b.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => None,
        },
        (Abs::Bits(a), Abs::Bits(b)) => a.num.equals(&b.num),
        (Abs::Float(a), Abs::Float(b)) => a.identical(b),
        (Abs::Int(a), Abs::Int(b)) => a.equals(b),
        (Abs::Real(a), Abs::Real(b)) => a.equals(b),
        (Abs::Mode(a), Abs::Mode(b)) => (a.0 & b.0 == 0).then_some(false),
        _ => None,
    }
}

fn chosen(condition: &Abs, then: &Abs, otherwise: &Abs) -> Abs {
    match condition {
        Abs::Bool { no: false, .. } => then.clone(),
        Abs::Bool { yes: false, .. } => otherwise.clone(),
        _ => then.join(otherwise),
    }
}

fn int_to_bits(range: &Range<BigInt>, width: u32) -> Num {
    let bound = |bound: &Option<BigInt>| bound.as_ref().and_then(|b| b.to_i128()).filter(|b| b.unsigned_abs() < 1 << 125);
    let (Some(low), Some(high)) = (bound(&range.low), bound(&range.high)) else { return Num::top(width) };
    let size = 1i128 << width;
    let unsigned =
        if low.div_euclid(size) == high.div_euclid(size) { Num::unsigned(width, wrap(low, width), wrap(high, width)) } else { None };
    let half = size / 2;
    let turn = (low + half).div_euclid(size);
    let signed = if turn == (high + half).div_euclid(size) { Num::signed(width, low - turn * size, high - turn * size) } else { None };
    match (unsigned, signed) {
        (Some(a), Some(b)) => a.meet(&b).unwrap_or(a),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => Num::top(width),
    }
}

/// Offsets have the width of pointers; a sum of another width says nothing about them.
fn moved_by(offset: &Num, number: &Num) -> Num {
    if offset.width == number.width { offset.add(number) } else { Num::top(offset.width) }
}

/// Adds where the result may point: sums move offsets, a choice keeps them, anything else may have made any offset.
fn with_provenance(op: Op, result: Abs, args: &[&Abs]) -> Abs {
    let Abs::Bits(mut bits) = result else { return result };
    use Op::*;
    // `chosen` has joined the arms with all they carry. What these others make of an address is a number, to the machine
    // as well: it leads nowhere in particular, so anywhere.
    if matches!(op, Ite | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | FpToBits) {
        return Abs::Bits(bits);
    }
    let mut pointers = args.iter().filter_map(|arg| match arg {
        Abs::Bits(bits) if !bits.points.is_number() => Some(&bits.points),
        _ => None,
    });
    let Some(first) = pointers.next() else { return Abs::Bits(bits) };
    let only = pointers.next().is_none();
    if op == BvAdd && only {
        let number = args.iter().find_map(|arg| match arg {
            Abs::Bits(bits) if bits.points.is_number() => Some(&bits.num),
            _ => None,
        });
        if let Some(number) = number {
            let moved = first.targets.iter().map(|(object, offset)| (*object, moved_by(offset, number))).collect();
            bits.points = Points { targets: moved, ..*first };
            return Abs::Bits(bits);
        }
    }
    let all = args.iter().filter_map(|arg| match arg {
        Abs::Bits(bits) => Some(bits.points.blurred()),
        _ => None,
    });
    bits.points = all.fold(bits.points, |known, points| known.union(&points));
    Abs::Bits(bits)
}
