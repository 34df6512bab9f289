//! Float literals must be values of their format: nothing is rounded.

use crate::ast::{FloatLit, FloatValue};

/// Whether the format exists and the literal is one of its values.
pub(super) fn is_exact(literal: &FloatLit) -> bool {
    // The format's largest exponent is computed in 64 bits.
    if literal.significand < 2 || literal.exponent < 2 || literal.exponent > 60 {
        return false;
    }
    let FloatValue::Hex { mantissa, fraction_digits, exponent, .. } = &literal.value else { return true };
    let Some(trailing) = mantissa.trailing_zeros() else { return true };
    // The number is odd * 2^lowest, with its highest bit at 2^highest.
    let lowest = 4 * (exponent - i64::from(*fraction_digits)) + trailing as i64;
    let highest = lowest + (mantissa.bits() - trailing) as i64 - 1;
    let largest = (1i64 << (literal.exponent - 1)) - 1;
    let digits = i64::from(literal.significand) - 1;
    highest <= largest && lowest >= highest - digits && lowest >= 1 - largest - digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(mantissa: u64, fraction_digits: u32, exponent: i64) -> bool {
        let value = FloatValue::Hex { negative: false, mantissa: mantissa.into(), fraction_digits, exponent };
        is_exact(&FloatLit { value, significand: 24, exponent: 8 })
    }

    #[test]
    fn values_of_single_precision() {
        assert!(single(0, 1, 0) && single(0x8, 1, 32) && single(0xffffff, 6, 0));
        assert!(!single(0x10, 1, 32), "2^128 overflows");
        assert!(!single(0x1ffffff, 6, 0), "25 digits");
        assert!(single(0x8, 6, -32) && !single(0x4, 6, -32), "the smallest subnormal and half of it");
    }
}
