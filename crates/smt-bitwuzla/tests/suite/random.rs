//! Reproducible random values that favour the corners of their sorts.

use fathom_term::{FloatFormat, Sort, TermStore, Value, float};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

/// The splitmix64 generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn bits(&mut self, width: u32) -> BigUint {
        let digits: Vec<u32> = (0..width.div_ceil(32)).map(|_| self.next() as u32).collect();
        BigUint::new(digits) % (BigUint::from(1u8) << width)
    }

    pub fn value(&mut self, sort: Sort, store: &TermStore) -> Value {
        match sort {
            Sort::Bool => Value::bool(self.below(2) == 1),
            Sort::RoundingMode => Value::Bits(self.below(5)),
            Sort::Bv(width) => self.bit_vector(width),
            Sort::Float(format) => self.float(format),
            Sort::Int => Value::int(self.integer()),
            Sort::Real => {
                let denominator = BigInt::from(1 + self.below(9));
                Value::real(BigRational::new(self.integer(), denominator))
            }
            Sort::Array(_) | Sort::Opaque(_) => Value::zero(sort, store),
        }
    }

    fn bit_vector(&mut self, width: u32) -> Value {
        let ones = (BigUint::from(1u8) << width) - 1u8;
        let corner = match self.below(8) {
            0 => BigUint::default(),
            1 => ones,
            2 => BigUint::from(1u8) << (width - 1),
            3 => BigUint::from(self.below(2 * width as u64)),
            4 => &ones - self.below(4).min(u64::from(width) / 2),
            _ => self.bits(width),
        };
        Value::bits(corner, width)
    }

    fn float(&mut self, f: FloatFormat) -> Value {
        let negative = self.below(2) == 1;
        let one_exponent = (1u128 << (f.exponent - 1)) - 1;
        let fraction = u32::from(f.significand) - 1;
        let bits: u128 = match self.below(12) {
            0 => float::signed_zero(f, negative),
            1 => float::infinity(f, negative),
            2 => float::nan(f),
            3 => float::infinity(f, negative) - 1,
            4 => float::signed_zero(f, negative) | 1,
            // Near one and near small integers, where rounding has work to do.
            5..=8 => {
                let exponent = one_exponent + u128::from(self.below(4)) - 1;
                let exponent = exponent.clamp(1, 2 * one_exponent);
                let fraction_bits = u128::try_from(self.bits(fraction)).unwrap();
                float::signed_zero(f, negative) | exponent << fraction | fraction_bits
            }
            _ => u128::try_from(self.bits(f.width())).unwrap(),
        };
        Value::bits(float::canonical(f, bits).into(), f.width())
    }

    fn integer(&mut self) -> BigInt {
        match self.below(4) {
            0 => BigInt::from(0),
            1 => BigInt::from(self.next() as i64) * BigInt::from(self.next() as i64),
            _ => BigInt::from(self.below(41) as i64 - 20),
        }
    }
}
