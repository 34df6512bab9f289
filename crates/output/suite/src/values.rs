//! Values of C's scalar types as text, and back. What has no decimal notation (memory, long double) is written as the
//! hexadecimal digits of its bits.

use num_bigint::{BigInt, BigUint, Sign};

/// Decimal where the type has it.
pub fn print(bytes: &[u8], type_name: &str) -> String {
    match (Kind::of(type_name), bytes.len()) {
        (Kind::Float, 4) => float(f64::from(f32_of(bytes)), format!("{:?}", f32_of(bytes))),
        (Kind::Float, 8) => float(f64_of(bytes), format!("{:?}", f64_of(bytes))),
        (Kind::Signed, 1..=16) => BigInt::from_signed_bytes_le(bytes).to_string(),
        (Kind::Unsigned, 1..=16) => BigUint::from_bytes_le(bytes).to_string(),
        _ if bytes.is_empty() => "0x0".into(),
        _ => format!("0x{}", bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>()),
    }
}

/// NaN has a sign and a payload that no decimal shows; most programs can't tell.
fn float(value: f64, text: String) -> String {
    match (value.is_nan(), value.is_infinite(), value > 0.0) {
        (true, ..) => "nan".into(),
        (_, true, true) => "inf".into(),
        (_, true, false) => "-inf".into(),
        _ => text,
    }
}

fn f32_of(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes.try_into().unwrap_or_default())
}

fn f64_of(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(bytes.try_into().unwrap_or_default())
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
    /// Memory, pointers, long double: bits.
    Other,
}

impl Kind {
    fn of(type_name: &str) -> Kind {
        match type_name {
            "float" | "double" => Kind::Float,
            "_Bool" | "bool" | "__SIZE_TYPE__" | "size_t" | "unsigned" => Kind::Unsigned,
            name if name.contains(['[', '*']) || name == "long double" => Kind::Other,
            name if name.starts_with("unsigned ") => Kind::Unsigned,
            "__PTRDIFF_TYPE__" | "ssize_t" | "__int128" => Kind::Signed,
            name if name.ends_with("char") || name.ends_with("short") || name.ends_with("int") || name.ends_with("long") => Kind::Signed,
            _ => Kind::Other,
        }
    }
}

/// Bytes of a type, where the name tells.
fn size_of(type_name: &str, pointer_bits: u32) -> Option<usize> {
    let word = pointer_bits as usize / 8;
    let name = type_name.strip_prefix("unsigned ").or(type_name.strip_prefix("signed ")).unwrap_or(type_name);
    match name {
        "_Bool" | "bool" | "char" => Some(1),
        "short" => Some(2),
        "int" | "unsigned" | "float" => Some(4),
        "long long" | "double" => Some(8),
        "long" | "__SIZE_TYPE__" | "size_t" | "__PTRDIFF_TYPE__" | "ssize_t" => Some(word),
        "__int128" => Some(16),
        "long double" => Some(if pointer_bits == 32 { 12 } else { 16 }),
        name if name.contains('*') => Some(word),
        name => name.rsplit_once('[').and_then(|(_, count)| count.trim_end_matches(']').parse().ok()),
    }
}

/// Largest input that a text can describe, so that a wrong file can't ask for all memory.
const LARGEST: usize = 1 << 20;

/// The bytes that a text stands for. Without a type an integer fills 16 bytes, so that any function can take it.
pub fn parse(text: &str, type_name: &str, pointer_bits: u32) -> Result<Vec<u8>, String> {
    let text = text.trim().trim_end_matches(';').trim();
    let size = size_of(type_name, pointer_bits).filter(|size| *size <= LARGEST);
    let is_float = Kind::of(type_name) == Kind::Float;
    if let Some(bits) = hexadecimal(text) {
        let mut bytes = bits?;
        bytes.resize(size.unwrap_or(bytes.len().max(16)), 0);
        return Ok(bytes);
    }
    if is_float {
        let number = text.trim_end_matches(['f', 'F', 'l', 'L']);
        let number = if number.ends_with("in") || number.eq_ignore_ascii_case("in") { text } else { number };
        let value: f64 = number.parse().map_err(|_| format!("`{text}` is not a number"))?;
        return Ok(match size {
            Some(4) => number.parse::<f32>().unwrap_or(value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        });
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let number: BigInt = match digits.parse() {
        Ok(number) => number,
        Err(_) if digits.parse::<f64>().is_ok() => {
            return Err(format!("`{text}` has a fraction, but its type is not said; add type=\"float\" or type=\"double\""));
        }
        Err(_) => return Err(format!("`{text}` is not a number")),
    };
    let mut bytes = number.to_signed_bytes_le();
    let filler = if number.sign() == Sign::Minus { 0xff } else { 0 };
    let size = size.unwrap_or(16);
    if bytes.len() > size && !(bytes.len() == size + 1 && bytes[size] == 0) {
        return Err(format!("`{text}` does not fit into {}", if type_name.is_empty() { "any type" } else { type_name }));
    }
    bytes.resize(size, filler);
    Ok(bytes)
}

/// `0x...` as bytes, if it is that.
fn hexadecimal(text: &str) -> Option<Result<Vec<u8>, String>> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"))?;
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = BigUint::parse_bytes(digits.as_bytes(), 16);
    Some(match number {
        Some(number) if digits.len() <= 2 * LARGEST => Ok(number.to_bytes_le()),
        _ => Err(format!("`{text}` is not a hexadecimal number")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let cases: [(&[u8], &str, &str); 10] = [
            (&[0xff, 0xff, 0xff, 0xff], "int", "-1"),
            (&[0xff, 0xff, 0xff, 0xff], "unsigned int", "4294967295"),
            (&[200], "unsigned char", "200"),
            (&[200], "char", "-56"),
            (&[1], "_Bool", "1"),
            (&[0, 0, 0, 0, 0, 0, 0xf8, 0x3f], "double", "1.5"),
            (&[0, 0, 0x80, 0x7f], "float", "inf"),
            (&[1, 2, 3], "unsigned char[3]", "0x030201"),
            (&[0, 0, 0, 0, 0, 0, 0, 0x80], "long", "-9223372036854775808"),
            (&[8, 7, 6, 5, 4, 3, 2, 1], "void *", "0x0102030405060708"),
        ];
        for (bytes, type_name, text) in cases {
            assert_eq!(print(bytes, type_name), text, "{type_name}");
            assert_eq!(parse(text, type_name, 64).as_deref(), Ok(bytes), "{type_name} {text}");
        }
    }

    #[test]
    fn texts_that_are_no_values() {
        for (text, type_name) in [("x", "int"), ("", "int"), ("1.5", ""), ("300", "unsigned char"), ("0xzz", "int"), ("1e", "double")] {
            assert!(parse(text, type_name, 64).is_err(), "{text} as {type_name}");
        }
        assert_eq!(parse("-2", "", 64).map(|bytes| bytes.len()), Ok(16));
        assert_eq!(parse("7u", "unsigned int", 32), Ok(vec![7, 0, 0, 0]));
    }
}
