//! The circuits against the floats of the machine and its mathematical library: single and double precision, special and
//! random operands, the four rounding modes that hardware has (ties away from zero is not among them).

use super::tests::Subject;
use fathom_term::{FloatFormat, Op, RoundingMode, Sort};
use num_bigint::BigUint;
use std::ffi::{c_double, c_float, c_int, c_long};
use std::hint::black_box;

unsafe extern "C" {
    fn fesetround(mode: c_int) -> c_int;
    fn fma(a: c_double, b: c_double, c: c_double) -> c_double;
    fn fmaf(a: c_float, b: c_float, c: c_float) -> c_float;
    fn sqrt(a: c_double) -> c_double;
    fn sqrtf(a: c_float) -> c_float;
    fn rint(a: c_double) -> c_double;
    fn rintf(a: c_float) -> c_float;
    fn remainder(a: c_double, b: c_double) -> c_double;
    fn remainderf(a: c_float, b: c_float) -> c_float;
    fn lrint(a: c_double) -> c_long;
}

/// glibc's numbers on x86.
const MODES: [(RoundingMode, c_int); 4] = [
    (RoundingMode::NearestEven, 0),
    (RoundingMode::TowardNegative, 0x400),
    (RoundingMode::TowardPositive, 0x800),
    (RoundingMode::TowardZero, 0xc00),
];

/// Computes in a rounding mode and goes back to the usual one.
fn rounding<T>(mode: c_int, compute: impl Fn() -> T) -> T {
    // SAFETY: changes the mode of this thread only; the operands are hidden from the optimiser, and the mode is put back
    // before anything else is computed.
    unsafe { fesetround(mode) };
    let result = black_box(compute());
    unsafe { fesetround(0) };
    result
}

const SPECIAL: [f64; 14] = [
    0.0,
    1.0,
    3.0,
    0.1,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NAN,
    1.5,
    2.5,
    4503599627370496.5,
    1e-40,
    3.4028234663852886e38,
];

fn operand(random: &mut fastrand::Rng) -> f64 {
    let special = SPECIAL[random.u64(..) as usize % SPECIAL.len()];
    let sign = if random.u64(..) & 1 == 0 { 1.0 } else { -1.0 };
    match random.u64(..) % 4 {
        0 => sign * special,
        1 => sign * (random.u64(..) % 1000) as f64 / 8.0,
        2 => f64::from_bits(random.u64(..)),
        _ => sign * f64::from_bits((special.to_bits() & !0xffff) | (random.u64(..) & 0xffff)),
    }
}

/// One operation in both precisions.
struct Operation {
    op: Op,
    rounds: bool,
    operands: usize,
    double: fn(&[f64]) -> f64,
    single: fn(&[f32]) -> f32,
}

fn operations() -> Vec<Operation> {
    use Op::*;
    let make = |op, rounds, operands, double, single| Operation { op, rounds, operands, double, single };
    // SAFETY (all blocks): functions of numbers without side effects.
    vec![
        make(FpAdd, true, 2, |x| x[0] + x[1], |x| x[0] + x[1]),
        make(FpSub, true, 2, |x| x[0] - x[1], |x| x[0] - x[1]),
        make(FpMul, true, 2, |x| x[0] * x[1], |x| x[0] * x[1]),
        make(FpDiv, true, 2, |x| x[0] / x[1], |x| x[0] / x[1]),
        make(FpFma, true, 3, |x| unsafe { fma(x[0], x[1], x[2]) }, |x| unsafe { fmaf(x[0], x[1], x[2]) }),
        make(FpSqrt, true, 1, |x| unsafe { sqrt(x[0]) }, |x| unsafe { sqrtf(x[0]) }),
        make(FpRoundToIntegral, true, 1, |x| unsafe { rint(x[0]) }, |x| unsafe { rintf(x[0]) }),
        make(FpRem, false, 2, |x| unsafe { remainder(x[0], x[1]) }, |x| unsafe { remainderf(x[0], x[1]) }),
        make(FpNeg, false, 1, |x| -x[0], |x| -x[0]),
        make(FpAbs, false, 1, |x| x[0].abs(), |x| x[0].abs()),
    ]
}

#[test]
fn arithmetic_is_that_of_the_machine() {
    let mut random = fastrand::Rng::with_seed(11);
    for operation in operations() {
        for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
            let mut sorts = if operation.rounds { vec![Sort::RoundingMode] } else { vec![] };
            sorts.extend(vec![Sort::Float(format); operation.operands]);
            let subject = Subject::new(operation.op, &sorts);
            let modes = if operation.rounds { &MODES[..] } else { &MODES[..1] };
            // The circuit of a remainder has thousands of steps.
            let count = if operation.op == Op::FpRem { 15 } else { 60 };
            for &(mode, code) in modes {
                for _ in 0..count {
                    let doubles: Vec<f64> = (0..operation.operands).map(|_| operand(&mut random)).collect();
                    let singles: Vec<f32> = doubles.iter().map(|&x| x as f32).collect();
                    let (bits, expected): (Vec<u64>, u64) = match format {
                        FloatFormat::SINGLE => {
                            let result = rounding(code, || (operation.single)(black_box(&singles)));
                            (singles.iter().map(|x| x.to_bits().into()).collect(), result.to_bits().into())
                        }
                        _ => {
                            let result = rounding(code, || (operation.double)(black_box(&doubles)));
                            (doubles.iter().map(|x| x.to_bits()).collect(), result.to_bits())
                        }
                    };
                    let mode = operation.rounds.then_some(BigUint::from(mode as u8));
                    let args: Vec<BigUint> = mode.into_iter().chain(bits.into_iter().map(BigUint::from)).collect();
                    subject.expect(&args, expected.into());
                }
            }
        }
    }
}

#[test]
fn conversions_are_those_of_the_machine() {
    let (mode_sort, double) = (Sort::RoundingMode, Sort::Float(FloatFormat::DOUBLE));
    let narrow = Subject::new(Op::FpToFp(FloatFormat::SINGLE), &[mode_sort, double]);
    let widen = Subject::new(Op::FpToFp(FloatFormat::DOUBLE), &[mode_sort, Sort::Float(FloatFormat::SINGLE)]);
    let signed = Subject::new(Op::FpFromSigned(FloatFormat::DOUBLE), &[mode_sort, Sort::Bv(64)]);
    let unsigned = Subject::new(Op::FpFromUnsigned(FloatFormat::SINGLE), &[mode_sort, Sort::Bv(32)]);
    let to_signed = Subject::new(Op::FpToSigned(64), &[mode_sort, double]);
    let mut random = fastrand::Rng::with_seed(5);
    for (mode, code) in MODES {
        let mode = BigUint::from(mode as u8);
        for _ in 0..100 {
            let x = operand(&mut random);
            let short = rounding(code, || black_box(x) as f32);
            narrow.expect(&[mode.clone(), x.to_bits().into()], u64::from(short.to_bits()).into());
            widen.expect(&[mode.clone(), u64::from(short.to_bits()).into()], f64::from(short).to_bits().into());
            let integer = random.u64(..) as i64 >> (random.u64(..) % 60);
            let converted = rounding(code, || black_box(integer) as f64);
            signed.expect(&[mode.clone(), (integer as u64).into()], converted.to_bits().into());
            let converted = rounding(code, || black_box(integer as u32) as f32);
            unsigned.expect(&[mode.clone(), u64::from(integer as u32).into()], u64::from(converted.to_bits()).into());
            if x.abs() < 9e18 {
                // SAFETY: a function of a number in range.
                let whole = rounding(code, || unsafe { lrint(black_box(x)) });
                to_signed.expect(&[mode.clone(), x.to_bits().into()], (whole as u64).into());
            }
        }
    }
}
