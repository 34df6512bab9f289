//! Numbers: integers, decimals, bit-vectors and floats.

use super::Lexer;
use crate::ast::{Decimal, FloatLit, FloatValue};
use crate::token::TokenKind;
use num_bigint::BigUint;
use num_traits::Num;

impl<'a> Lexer<'a> {
    fn digits(&mut self) -> &'a str {
        let start = self.at;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    pub(super) fn number(&mut self) {
        if self.bytes[self.at] == b'0' && self.float() {
            return;
        }
        let start = self.at;
        let whole = self.digits();
        if self.peek(0) == b'b' && self.peek(1) == b'v' && self.peek(2).is_ascii_digit() {
            self.at += 2;
            let width = self.digits();
            return match width.parse::<u32>() {
                Ok(width) if width <= crate::MAX_WIDTH => self.push(start, TokenKind::BitVec { value: natural(whole), width }),
                _ => self.error(start, "this bit-vector is too wide"),
            };
        }
        let mut fraction = "";
        let mut decimal = false;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            fraction = self.digits();
            decimal = true;
        }
        let sign = usize::from(self.peek(1) == b'-');
        let mut exponent = 0;
        if self.peek(0) == b'e' && self.peek(1 + sign).is_ascii_digit() {
            self.at += 1 + sign;
            let Ok(value) = self.digits().parse::<i32>() else {
                return self.error(start, "this number's exponent is too large");
            };
            exponent = if sign == 1 { -i64::from(value) } else { i64::from(value) };
            decimal = true;
        }
        if !decimal {
            return self.push(start, TokenKind::Int(natural(whole)));
        }
        let mantissa = natural(&format!("{whole}{fraction}"));
        self.push(start, TokenKind::Decimal(Decimal { mantissa, exponent: exponent - fraction.len() as i64 }));
    }

    /// A float literal, if one begins here: `[-]0xH.HeEf24e8`, `0NaN24e8`, `0nan24e8`, `0+oo24e8`, `0-oo24e8`.
    pub(super) fn float(&mut self) -> bool {
        let start = self.at;
        let value = match &self.bytes[start..] {
            [b'0', b'N', b'a', b'N', b'0'..=b'9', ..] | [b'0', b'n', b'a', b'n', b'0'..=b'9', ..] => {
                self.at += 4;
                Some(FloatValue::NaN)
            }
            [b'0', sign @ (b'+' | b'-'), b'o', b'o', b'0'..=b'9', ..] => {
                self.at += 4;
                Some(FloatValue::Infinity { negative: *sign == b'-' })
            }
            [b'-', b'0', b'x', ..] | [b'0', b'x', ..] => self.hex_float(),
            _ => None,
        };
        let Some(value) = value else {
            self.at = start;
            return false;
        };
        let significand = self.digits();
        if self.peek(0) != b'e' || !self.peek(1).is_ascii_digit() {
            self.at = start;
            return false;
        }
        self.at += 1;
        let exponent = self.digits();
        match (significand.parse(), exponent.parse()) {
            (Ok(significand), Ok(exponent)) => self.push(start, TokenKind::Float(FloatLit { value, significand, exponent })),
            _ => self.error(start, "this float's format is too large"),
        }
        true
    }

    fn hex_float(&mut self) -> Option<FloatValue> {
        let negative = self.peek(0) == b'-';
        self.at += 2 + usize::from(negative);
        let whole = self.hex_digits(false);
        if self.peek(0) != b'.' || whole.is_empty() {
            return None;
        }
        self.at += 1;
        let fraction = self.hex_digits(true);
        if fraction.is_empty() || self.peek(0) != b'e' {
            return None;
        }
        let sign = self.peek(1) == b'-';
        self.at += 1 + usize::from(sign);
        let exponent = self.digits().parse::<i64>().ok().filter(|e| *e < 1 << 60)?;
        if self.peek(0) != b'f' {
            return None;
        }
        self.at += 1;
        let mantissa = BigUint::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
        let exponent = if sign { -exponent } else { exponent };
        Some(FloatValue::Hex { negative, mantissa, fraction_digits: fraction.len() as u32, exponent })
    }

    /// Hexadecimal digits. The exponent's `e` is one as well: in a fraction the last `e` that is followed by an exponent
    /// and a format begins the exponent.
    fn hex_digits(&mut self, fraction: bool) -> &'a str {
        let start = self.at;
        while self.peek(0).is_ascii_hexdigit() {
            self.at += 1;
        }
        if fraction {
            // `8e1f24e8` is one run of hexadecimal digits, and its last `e` may begin the exponent.
            let run = &self.text[start..self.at];
            let cut = exponent_start(run, self.peek(0) == b'-');
            self.at = start + cut.unwrap_or(run.len());
        }
        &self.text[start..self.at]
    }
}

/// Where in a run of hexadecimal digits the exponent `eEf24e8` begins. `minus` says that a minus sign follows the run.
fn exponent_start(run: &str, minus: bool) -> Option<usize> {
    if minus {
        return run.ends_with('e').then(|| run.len() - 1);
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let fits = |tail: &str| {
        let mut parts = tail.splitn(2, 'f');
        let (exponent, format) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let mut format = format.splitn(2, 'e');
        digits(exponent)
            && digits(format.next().unwrap_or_default())
            && digits(format.next().unwrap_or_default().get(..1).unwrap_or_default())
    };
    run.char_indices().filter(|(_, c)| *c == 'e').map(|(at, _)| at).find(|at| fits(&run[at + 1..]))
}

fn natural(digits: &str) -> BigUint {
    // One machine word is the common case and needs no general conversion.
    match digits.parse::<u64>() {
        Ok(small) => BigUint::from(small),
        Err(_) => BigUint::from_str_radix(digits, 10).unwrap_or_default(),
    }
}
