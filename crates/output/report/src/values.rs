//! Bits as a C programmer would write them: signed and unsigned decimals, character literals, hexadecimal pointers,
//! floats in their shortest exact decimal form. The C type's name decides; what is not a scalar is shown as bytes.

use fathom_machine::{InputRecord, WatchedValue};
use fathom_term::{FloatFormat, Value};
use num_bigint::{BigInt, BigUint};

/// A variable's value.
pub fn c_value(watched: &WatchedValue) -> String {
    let bits = match &watched.value {
        Value::Bits(bits) => BigUint::from(*bits),
        Value::Wide(bits) => (**bits).clone(),
        Value::Int(int) => return int.to_string(),
        Value::Real(real) => return real.to_string(),
        Value::Array(_) => return plain_value(&watched.value),
    };
    // Types of Boogie.
    match watched.type_name.as_str() {
        "bool" if watched.width == 1 => return (bits != BigUint::ZERO).to_string(),
        name if name.strip_prefix("bv").is_some_and(|width| width.parse::<u32>().is_ok()) => return format!("{bits}{name}"),
        _ => {}
    }
    if watched.is_float || is_float_type(&watched.type_name) {
        return float(&bits, watched.width);
    }
    scalar(&bits, watched.width, &watched.type_name, watched.signed)
}

/// Entries of a map that are shown.
const MAX_ENTRIES: usize = 12;

/// A value without a C type: a number, or a map by its entries.
pub fn plain_value(value: &Value) -> String {
    match value {
        Value::Bits(bits) => bits.to_string(),
        Value::Wide(bits) => bits.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Real(real) => real.to_string(),
        Value::Array(array) => {
            let entries = array.entries.iter().take(MAX_ENTRIES);
            let mut parts: Vec<String> = entries.map(|(at, element)| format!("{} -> {}", plain_value(at), plain_value(element))).collect();
            if array.entries.size() > MAX_ENTRIES {
                parts.push(format!("{} more", array.entries.size() - MAX_ENTRIES));
            }
            parts.push(format!("else {}", plain_value(&array.default)));
            format!("[{}]", parts.join(", "))
        }
    }
}

/// What an input function returned or wrote.
pub fn c_input(input: &InputRecord) -> String {
    let bits = BigUint::from_bytes_le(&input.bytes);
    let type_name = &input.kind.type_name;
    if is_float_type(type_name) {
        return float(&bits, if input.width == 0 { input.bytes.len() as u32 * 8 } else { input.width });
    }
    if input.width == 0 || input.width > 128 {
        return bytes(&input.bytes);
    }
    scalar(&bits, input.width, type_name, input.kind.signed)
}

fn is_float_type(type_name: &str) -> bool {
    matches!(plain(type_name), "float" | "double" | "long double" | "_Float16" | "__float128" | "_Float128")
}

/// The type without its qualifiers in front.
fn plain(type_name: &str) -> &str {
    let mut rest = type_name.trim();
    while let Some(shorter) = ["const ", "volatile ", "_Atomic ", "restrict "].iter().find_map(|q| rest.strip_prefix(q)) {
        rest = shorter.trim_start();
    }
    rest
}

/// A number of this type and width.
pub(crate) fn scalar(bits: &BigUint, width: u32, type_name: &str, signed: bool) -> String {
    let name = plain(type_name);
    if name.contains('*') || name.ends_with(']') && width <= 64 {
        return if *bits == BigUint::ZERO { "NULL".into() } else { format!("{bits:#x}") };
    }
    if name.starts_with("struct ") || name.starts_with("union ") || width > 128 {
        let mut raw = bits.to_bytes_le();
        raw.resize(width.div_ceil(8) as usize, 0);
        return bytes(&raw);
    }
    let number = if signed { signed_value(bits, width) } else { BigInt::from(bits.clone()) };
    match name {
        "char" | "signed char" if width == 8 => character(&number),
        _ if signed || name.starts_with("enum ") || name == "_Bool" || name == "bool" || width < 32 => number.to_string(),
        _ => format!("{number}{}", if width > 32 { "ul" } else { "u" }),
    }
}

fn signed_value(bits: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from(bits.clone());
    if width > 0 && bits.bit(u64::from(width) - 1) { value - (BigInt::from(1) << width) } else { value }
}

fn character(number: &BigInt) -> String {
    let escape = match u8::try_from(number) {
        Ok(b'\0') => "'\\0'".to_string(),
        Ok(b'\n') => "'\\n'".to_string(),
        Ok(b'\t') => "'\\t'".to_string(),
        Ok(b'\r') => "'\\r'".to_string(),
        Ok(b'\'') => "'\\''".to_string(),
        Ok(b'\\') => "'\\\\'".to_string(),
        Ok(code @ 0x20..=0x7e) => format!("'{}'", code as char),
        _ => return number.to_string(),
    };
    format!("{number} {escape}")
}

/// Bytes in order; repeated bytes are shown once, and at most 32 such parts are shown.
fn bytes(raw: &[u8]) -> String {
    const SHOWN: usize = 32;
    const REPEATED: usize = 4;
    let mut parts = Vec::new();
    for run in raw.chunk_by(|a, b| a == b) {
        if run.len() > REPEATED {
            parts.push(format!("{} times {:#04x}", run.len(), run[0]));
        } else {
            parts.extend(run.iter().map(|byte| format!("{byte:#04x}")));
        }
    }
    if parts.len() > SHOWN {
        parts.truncate(SHOWN);
        parts.push(format!("... {} bytes in all", raw.len()));
    }
    format!("{{{}}}", parts.join(", "))
}

fn float(bits: &BigUint, width: u32) -> String {
    let low = bits.iter_u64_digits().next().unwrap_or(0);
    match width {
        32 => special(f64::from(f32::from_bits(low as u32)), || format!("{:?}f", f32::from_bits(low as u32))),
        64 => special(f64::from_bits(low), || format!("{:?}", f64::from_bits(low))),
        16 => approximate(bits, FloatFormat::HALF, false),
        79 => approximate(bits, FloatFormat::X87, false),
        80 | 96 => approximate(bits, FloatFormat::X87, true),
        // clang stores x87 numbers in 12 or 16 bytes; a quad has its exponent in the top bytes.
        128 if bits.bits() <= 80 => approximate(bits, FloatFormat::X87, true),
        _ => approximate(bits, FloatFormat::QUAD, false),
    }
}

/// A float in its shortest form and, where that is not the exact number, exactly: a significand times a power of two.
pub(crate) fn float_text(bits: &BigUint, width: u32) -> String {
    let short = float(bits, width);
    let low = bits.iter_u64_digits().next().unwrap_or(0);
    let (value, digits, exponent): (f64, usize, i64) = match width {
        32 => (f64::from(f32::from_bits(low as u32)), 23, (low >> 23 & 0xff) as i64 - 127),
        64 => (f64::from_bits(low), 52, (low >> 52 & 0x7ff) as i64 - 1023),
        _ => return short,
    };
    let exactly = format!("{value:.1100}");
    let is_exact = exactly.trim_end_matches('0').len() <= 20;
    let is_subnormal = exponent == if width == 32 { -127 } else { -1023 };
    if !value.is_normal() || is_subnormal || is_exact {
        return short;
    }
    // Hexadecimal digits hold four bits each: those of a float are 23.
    let mantissa = low & ((1 << digits) - 1);
    let (mantissa, nibbles) = (mantissa << ((4 - digits % 4) % 4), digits.div_ceil(4));
    let hex = format!("{mantissa:0nibbles$x}");
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{short} (exactly {sign}0x1.{}p{exponent})", hex.trim_end_matches('0'))
}

fn special(value: f64, otherwise: impl FnOnce() -> String) -> String {
    if value.is_nan() {
        return "NAN".into();
    }
    match (value.is_infinite(), value > 0.0) {
        (true, true) => "INFINITY".into(),
        (true, false) => "-INFINITY".into(),
        _ => otherwise(),
    }
}

/// Formats that the host language lacks, shown through the nearest double.
fn approximate(bits: &BigUint, format: FloatFormat, explicit_bit: bool) -> String {
    let fraction_bits = u64::from(format.significand) - 1 + u64::from(explicit_bit);
    let fraction = bits & ((BigUint::from(1u8) << fraction_bits) - 1u8);
    let exponent_mask = (1u64 << format.exponent) - 1;
    let top: u64 = (bits >> fraction_bits).iter_u64_digits().next().unwrap_or(0);
    let (exponent, negative) = (top & exponent_mask, top >> format.exponent & 1 == 1);
    let sign = if negative { "-" } else { "" };
    let hidden = fraction_bits - u64::from(explicit_bit);
    let tail = &fraction & ((BigUint::from(1u8) << hidden) - 1u8);
    if exponent == exponent_mask {
        return if tail == BigUint::ZERO { format!("{sign}INFINITY") } else { "NAN".into() };
    }
    let bias = (exponent_mask >> 1) as i64;
    let implicit = exponent != 0 && !explicit_bit;
    let significand = if implicit { fraction + (BigUint::from(1u8) << hidden) } else { fraction };
    let scale = (exponent.max(1) as i64) - bias - hidden as i64;
    match scaled(&significand, scale) {
        Some(value) => format!("{sign}{value:?}{}", if format == FloatFormat::HALF { "" } else { "L" }),
        None => format!("{sign}{significand:#x}p{scale}L"),
    }
}

/// `significand * 2^scale` as a double, unless that leaves its range.
fn scaled(significand: &BigUint, scale: i64) -> Option<f64> {
    let excess = significand.bits().saturating_sub(53);
    let top = (significand >> excess).iter_u64_digits().next().unwrap_or(0) as f64;
    if top == 0.0 {
        return Some(0.0);
    }
    let power = i32::try_from(scale + excess as i64).ok().filter(|p| (-1000..=970).contains(p))?;
    Some(top * 2f64.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_base::Loc;
    use fathom_ir::InputKind;
    use std::rc::Rc;

    fn shown(type_name: &str, signed: bool, width: u32, bits: u64) -> String {
        let value = Value::Bits(bits);
        c_value(&WatchedValue {
            variable: "v".into(),
            type_name: type_name.into(),
            signed,
            ty: None,
            value,
            pointer: None,
            width,
            is_float: false,
        })
    }

    #[test]
    fn scalars_read_like_c() {
        let cases: &[(&str, bool, u32, u64, &str)] = &[
            ("int", true, 32, 0xffff_fffb, "-5"),
            ("unsigned int", false, 32, 0xffff_ffff, "4294967295u"),
            ("unsigned long", false, 64, u64::MAX, "18446744073709551615ul"),
            ("long", true, 64, 1 << 63, "-9223372036854775808"),
            ("unsigned short", false, 16, 65535, "65535"),
            ("unsigned char", false, 8, 200, "200"),
            ("char", true, 8, 97, "97 'a'"),
            ("const char", true, 8, 10, "10 '\\n'"),
            ("char", true, 8, 0x80, "-128"),
            ("_Bool", false, 8, 1, "1"),
            ("enum colour", false, 32, 2, "2"),
            ("int *", false, 64, 0, "NULL"),
            ("struct node *", false, 64, 0x1000, "0x1000"),
            ("struct pair", false, 16, 0x0201, "{0x01, 0x02}"),
            ("float", true, 32, 0x3fc0_0000, "1.5f"),
            ("double", true, 64, 0x8000_0000_0000_0000, "-0.0"),
            ("double", true, 64, 0x7ff0_0000_0000_0000, "INFINITY"),
            ("const double", true, 64, 0x7ff8_0000_0000_0000, "NAN"),
            ("_Float16", true, 16, 0x3c00, "1.0"),
        ];
        for (type_name, signed, width, bits, expected) in cases {
            assert_eq!(shown(type_name, *signed, *width, *bits), *expected, "{type_name} {bits:#x}");
        }
    }

    #[test]
    fn floats_are_exact_where_their_short_form_is_not() {
        let single = |value: f32| float_text(&BigUint::from(value.to_bits()), 32);
        let double = |value: f64| float_text(&BigUint::from(value.to_bits()), 64);
        assert_eq!(single(1.5), "1.5f");
        assert_eq!(single(0.1), "0.1f (exactly 0x1.99999ap-4)");
        assert_eq!(double(-0.1), "-0.1 (exactly -0x1.999999999999ap-4)");
        assert_eq!(double(1.0 - f64::EPSILON / 2.0), "0.9999999999999999 (exactly 0x1.fffffffffffffp-1)");
        assert_eq!(double(5e-324), "5e-324");
    }

    #[test]
    fn long_double_in_both_encodings() {
        let one_stored = (BigUint::from(0x3fffu32) << 64) + (BigUint::from(1u8) << 63);
        assert_eq!(float(&one_stored, 80), "1.0L");
        assert_eq!(float(&one_stored, 128), "1.0L");
        let one_interchange = BigUint::from(0x3fffu32) << 63;
        assert_eq!(float(&one_interchange, 79), "1.0L");
        let quad_two = BigUint::from(0x4000u32) << 112;
        assert_eq!(float(&quad_two, 128), "2.0L");
        let huge = (BigUint::from(0x7ffeu32) << 64) + (BigUint::from(1u8) << 63);
        assert_eq!(float(&huge, 80), "0x8000000000000000p16320L");
    }

    #[test]
    fn inputs_by_type_and_by_bytes() {
        let kind = InputKind { source: "klee_make_symbolic".into(), type_name: String::new(), signed: false };
        let input = InputRecord { kind, bytes: vec![1, 0xff], width: 0, loc: Loc::UNKNOWN };
        assert_eq!(c_input(&input), "{0x01, 0xff}");
        assert_eq!(bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 2, 2]), "{0x01, 7 times 0x00, 0x02, 0x02}");
        let kind = InputKind { source: "__VERIFIER_nondet_float".into(), type_name: "float".into(), signed: true };
        let input = InputRecord { kind, bytes: vec![0, 0, 0x80, 0x3f], width: 32, loc: Loc::UNKNOWN };
        assert_eq!(c_input(&input), "1.0f");
    }

    #[test]
    fn wide_integers_are_decimal() {
        let value = Value::Wide(Rc::new((BigUint::from(1u8) << 128) - 1u8));
        let (variable, type_name, width) = ("w".into(), "__int128".into(), 128);
        let watched = WatchedValue { variable, type_name, signed: true, ty: None, value, pointer: None, width, is_float: false };
        assert_eq!(c_value(&watched), "-1");
    }
}
