//! Float arithmetic against `rustc_apfloat`, an independent implementation: five formats, five rounding modes, random
//! operands and all pairs of special ones. Square roots, which it lacks, are checked by squaring.

use fathom_term::RoundingMode::{self, *};
use fathom_term::sample::Random;
use fathom_term::{FloatFormat, float};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

/// A format, and how the reference encodes it.
trait Reference: Float {
    const FORMAT: FloatFormat;

    fn decode(bits: u128) -> Self {
        Self::from_bits(bits)
    }

    fn encode(self) -> u128 {
        if self.is_nan() { float::nan(Self::FORMAT) } else { self.to_bits() }
    }
}

impl Reference for Half {
    const FORMAT: FloatFormat = FloatFormat::HALF;
}
impl Reference for Single {
    const FORMAT: FloatFormat = FloatFormat::SINGLE;
}
impl Reference for Double {
    const FORMAT: FloatFormat = FloatFormat::DOUBLE;
}
impl Reference for Quad {
    const FORMAT: FloatFormat = FloatFormat::QUAD;
}
impl Reference for X87DoubleExtended {
    const FORMAT: FloatFormat = FloatFormat::X87;

    /// The stored form spells out the integer bit.
    fn decode(bits: u128) -> Self {
        let (fraction, above) = (bits & ((1 << 63) - 1), bits >> 63);
        let integer_bit = (above & 0x7fff != 0) as u128;
        Self::from_bits(above << 64 | integer_bit << 63 | fraction)
    }

    fn encode(self) -> u128 {
        if self.is_nan() {
            return float::nan(Self::FORMAT);
        }
        let bits = self.to_bits();
        (bits >> 64) << 63 | bits & ((1 << 63) - 1)
    }
}

fn round_of(mode: RoundingMode) -> Round {
    match mode {
        NearestEven => Round::NearestTiesToEven,
        NearestAway => Round::NearestTiesToAway,
        TowardPositive => Round::TowardPositive,
        TowardNegative => Round::TowardNegative,
        TowardZero => Round::TowardZero,
    }
}

fn specials(f: FloatFormat) -> Vec<u128> {
    let (infinity, one) = (float::infinity(f, false), float::from_int(f, NearestEven, &BigInt::from(1)));
    let least_normal = 1u128 << (f.significand - 1);
    let positive = [
        0,
        1,
        2,
        least_normal - 1,
        least_normal,
        least_normal + 1,
        one - 1,
        one,
        one + 1,
        one + least_normal,
        one | least_normal >> 1,
        infinity - 1,
        infinity,
    ];
    let sign = float::signed_zero(f, true);
    positive.iter().flat_map(|&bits| [bits, bits | sign]).chain([float::nan(f)]).collect()
}

/// A random float, with exponents that often lie close to `near`.
fn random_float(random: &mut Random, f: FloatFormat, near: Option<u128>) -> u128 {
    let mask = u128::MAX >> (128 - f.width());
    let mut bits = ((random.bits() as u128) << 64 | random.bits() as u128) & mask;
    if random.chance(30) {
        // Few significant bits: exact results and ties.
        bits &= !((1u128 << (f.significand as u64 - 1 - random.below(f.significand as u64 - 1))) - 1);
    }
    if let Some(near) = near
        && random.chance(60)
    {
        let shift = f.significand - 1;
        let distance = random.below(2 * f.significand as u64 + 6) as i128 - f.significand as i128 - 3;
        let top = (1i128 << f.exponent) - 1;
        let exponent = (((near >> shift) as i128 & top) + distance).clamp(0, top - 1) as u128;
        bits = bits & !((top as u128) << shift) | exponent << shift;
    }
    float::canonical(f, bits)
}

fn arithmetic<F: Reference>(a: u128, b: u128, c: u128) {
    let f = F::FORMAT;
    let (x, y, z) = (F::decode(a), F::decode(b), F::decode(c));
    for mode in RoundingMode::ALL {
        let round = round_of(mode);
        let case = |op: &str| format!("{op} {f:?} {mode:?} {a:#x} {b:#x} {c:#x}");
        assert_eq!(float::add(f, mode, a, b), x.add_r(y, round).value.encode(), "{}", case("add"));
        assert_eq!(float::sub(f, mode, a, b), x.sub_r(y, round).value.encode(), "{}", case("sub"));
        assert_eq!(float::mul(f, mode, a, b), x.mul_r(y, round).value.encode(), "{}", case("mul"));
        assert_eq!(float::div(f, mode, a, b), x.div_r(y, round).value.encode(), "{}", case("div"));
        assert_eq!(float::fma(f, mode, a, b, c), x.mul_add_r(y, z, round).value.encode(), "{}", case("fma"));
        let integral = float::round_to_integral(f, mode, a);
        assert_eq!(integral, x.round_to_integral(round).value.encode(), "{}", case("integral"));
        square_root(f, mode, a);
        integers::<F>(mode, a);
        if f.exponent < 15 {
            rationals(f, mode, a, b);
        }
    }
    assert_eq!(float::lt(f, a, b), x < y, "lt {a:#x} {b:#x}");
    assert_eq!(float::le(f, a, b), x <= y, "le {a:#x} {b:#x}");
    assert_eq!(float::eq(f, a, b), x == y, "eq {a:#x} {b:#x}");
    assert_eq!(float::is_normal(f, a), x.is_normal());
    assert_eq!(float::is_subnormal(f, a), x.is_denormal());
    assert_eq!(float::is_zero(f, a), x.is_zero());
    assert_eq!(float::is_infinite(f, a), x.is_infinite());
    assert_eq!(float::neg(f, a), (-x).encode());
    assert_eq!(float::abs(f, a), x.abs().encode());
    if !(x.is_zero() && y.is_zero()) {
        assert_eq!(float::min(f, a, b), x.min(y).encode());
        assert_eq!(float::max(f, a, b), x.max(y).encode());
    }
}

fn integers<F: Reference>(mode: RoundingMode, a: u128) {
    let (f, round) = (F::FORMAT, round_of(mode));
    let x = F::decode(a);
    let exact = float::to_int(f, mode, a);
    for width in [2, 8, 31, 64, 100] {
        let mut is_exact = false;
        let signed = x.to_i128_r(width, round, &mut is_exact);
        let limit = BigInt::from(1) << (width - 1);
        if let Some(int) = exact.clone().filter(|int| *int >= -&limit && *int < limit) {
            assert_eq!(int, BigInt::from(signed.value), "to_int {f:?} {mode:?} {a:#x} {width}");
        } else {
            assert!(signed.status.intersects(rustc_apfloat::Status::INVALID_OP), "range {f:?} {mode:?} {a:#x} {width}");
        }
    }
    let number = (a ^ a << 40) as i128 >> (a % 120);
    let from = float::from_int(f, mode, &BigInt::from(number));
    assert_eq!(from, F::from_i128_r(number, round).value.encode(), "from_int {f:?} {mode:?} {number}");
}

fn rationals(f: FloatFormat, mode: RoundingMode, a: u128, b: u128) {
    let (Some(x), Some(y)) = (float::to_rational(f, a), float::to_rational(f, b)) else { return };
    if !float::is_zero(f, a) {
        assert_eq!(float::from_rational(f, mode, &x), a, "{f:?} {a:#x}");
    }
    if !float::is_zero(f, b) && !float::is_zero(f, a) {
        assert_eq!(float::from_rational(f, mode, &(x / y)), float::div(f, mode, a, b), "{f:?} {mode:?} {a:#x} {b:#x}");
    }
}

fn square_root(f: FloatFormat, mode: RoundingMode, a: u128) {
    let root = float::sqrt(f, mode, a);
    if float::is_nan(f, a) || (float::is_negative(f, a) && !float::is_zero(f, a)) {
        return assert_eq!(root, float::nan(f));
    }
    if float::is_zero(f, a) || float::is_infinite(f, a) {
        return assert_eq!(root, a);
    }
    let number = |bits: u128| float::to_rational(f, bits).unwrap();
    let square = |x: &BigRational| x * x;
    let exact = number(a);
    let found = number(root);
    let half_way = |other: u128| (number(other) + &found) / BigInt::from(2);
    let fits = match mode {
        TowardPositive => square(&found) >= exact && square(&number(root - 1)) < exact,
        TowardNegative | TowardZero => square(&found) <= exact && square(&number(root + 1)) > exact,
        // A root is never half-way between two floats.
        NearestEven | NearestAway => square(&half_way(root - 1)) < exact && square(&half_way(root + 1)) > exact,
    };
    assert!(fits, "sqrt {f:?} {mode:?} {a:#x} gave {root:#x}");
}

fn remainder<F: Reference>(a: u128, b: u128) {
    let f = F::FORMAT;
    let expected = F::decode(a).ieee_rem(F::decode(b)).value.encode();
    assert_eq!(float::rem(f, a, b), expected, "rem {f:?} {a:#x} {b:#x}");
}

fn conversion<F: Reference + FloatConvert<T>, T: Reference>(a: u128) {
    for mode in RoundingMode::ALL {
        let expected: T = F::decode(a).convert_r(round_of(mode), &mut false).value;
        let found = float::convert(F::FORMAT, T::FORMAT, mode, a);
        assert_eq!(found, expected.encode(), "{:?} to {:?} {mode:?} {a:#x}", F::FORMAT, T::FORMAT);
    }
}

fn all<F>(seed: u64, rounds: u32)
where
    F: Reference + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
{
    let f = F::FORMAT;
    let corners = specials(f);
    for &a in &corners {
        for &b in &corners {
            let c = corners[(a ^ b) as usize % corners.len()];
            arithmetic::<F>(a, b, c);
            remainder::<F>(a, b);
        }
    }
    let mut random = Random::new(seed);
    for _ in 0..rounds {
        let a = random_float(&mut random, f, None);
        let b = random_float(&mut random, f, Some(a));
        let product = float::mul(f, NearestEven, a, b);
        let c = random_float(&mut random, f, Some(product));
        arithmetic::<F>(a, b, c);
        remainder::<F>(a, b);
        conversion::<F, Half>(a);
        conversion::<F, Single>(a);
        conversion::<F, Double>(a);
        conversion::<F, X87DoubleExtended>(a);
        conversion::<F, Quad>(a);
    }
}

#[test]
fn half() {
    all::<Half>(31, 3000);
}

#[test]
fn single() {
    all::<Single>(32, 2000);
}

#[test]
fn double() {
    all::<Double>(33, 1500);
}

#[test]
fn x87() {
    all::<X87DoubleExtended>(34, 600);
}

#[test]
fn quad() {
    all::<Quad>(35, 500);
}

/// Every value of a tiny format through every conversion and root; every pair through the machine's arithmetic.
#[test]
fn halves_exhaustively_against_the_machine() {
    let f = FloatFormat::HALF;
    for bits in 0..=u16::MAX {
        let a = float::canonical(f, bits as u128);
        let wide = float::convert(f, FloatFormat::DOUBLE, NearestEven, a);
        assert_eq!(float::convert(FloatFormat::DOUBLE, f, TowardZero, wide), a);
        // A double has more than twice the bits of a half, so rounding twice is rounding once.
        let root = f64::from_bits(wide as u64).sqrt().to_bits();
        let expected = float::convert(FloatFormat::DOUBLE, f, NearestEven, float::canonical(FloatFormat::DOUBLE, root as u128));
        assert_eq!(float::sqrt(f, NearestEven, a), expected, "{bits:#x}");
    }
}

#[test]
fn wide_exponents_need_no_wide_memory() {
    use num_bigint::BigUint;
    let f = FloatFormat { exponent: 60, significand: 24 };
    let power = |exponent: i64| float::from_parts(f, NearestEven, false, &BigUint::from(1u8), exponent);
    let (huge, one, tiny) = (power(1 << 58), power(0), power(-(1 << 58)));
    for mode in RoundingMode::ALL {
        let up = mode == TowardPositive;
        assert_eq!(float::add(f, mode, huge, tiny) != huge, up, "{mode:?}");
        let down = matches!(mode, TowardNegative | TowardZero);
        assert_eq!(float::sub(f, mode, one, tiny) != one, down, "{mode:?}");
    }
    assert_eq!(float::mul(f, NearestEven, huge, tiny), one);
    assert_eq!(float::round_to_integral(f, NearestEven, huge), huge);
    // 2^n modulo 3 alternates between 1 and 2, that is -1.
    let three = float::from_parts(f, NearestEven, false, &BigUint::from(3u8), 0);
    assert_eq!(float::rem(f, huge, three), one);
    assert_eq!(float::rem(f, power((1 << 58) + 1), three), float::neg(f, one));
    assert_eq!(float::rem(f, tiny, three), tiny);
}
