//! A text that scanf converts into given values: the literal parts of the format, and each value in the notation of its
//! conversion. Only conversions that the front end models are here; strings are read character by character.

use std::fmt::Write;

/// What no conversion of a number takes.
pub const NOTHING: u8 = b'?';

/// A text for `scanf`.
pub struct Scanned {
    pub bytes: Vec<u8>,
    /// Whether the whole format was used.
    pub is_whole: bool,
}

/// `count` of the items are converted; `before` is the last character of the input so far.
pub fn text(format: &str, count: usize, items: &[&[u8]], before: Option<u8>) -> Option<Scanned> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut items = items.iter();
    let (mut left, mut rest) = (count, format.chars().peekable());
    while let Some(c) = rest.next() {
        if c == ' ' {
            bytes.push(b' ');
            continue;
        }
        if c != '%' || rest.next_if_eq(&'%').is_some() {
            bytes.extend(c.to_string().as_bytes());
            continue;
        }
        let is_skipped = rest.next_if_eq(&'*').is_some();
        let mut width = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            width.push(digit);
        }
        while rest.next_if(|c| "hlLjzt".contains(*c)).is_some() {}
        let kind = rest.next()?;
        if !is_skipped && left == 0 {
            return Some(Scanned { bytes, is_whole: false });
        }
        // Numbers may have space in front of them, and need it behind another number.
        let last = bytes.last().copied().or(before);
        if kind != 'c' && last.is_some_and(|last| last.is_ascii_alphanumeric() || last == b'.') {
            bytes.push(b' ');
        }
        if is_skipped {
            bytes.push(b'0');
            continue;
        }
        left -= 1;
        let item = notation(kind, items.next()?)?;
        if width.parse::<usize>().is_ok_and(|most| item.len() > most) {
            return None;
        }
        bytes.extend(item);
    }
    Some(Scanned { bytes, is_whole: true })
}

fn notation(kind: char, item: &[u8]) -> Option<Vec<u8>> {
    let mut wide = [0; 8];
    wide.get_mut(..item.len())?.copy_from_slice(item);
    let unsigned = u64::from_le_bytes(wide);
    let shift = 64 - 8 * item.len() as u32;
    let signed = ((unsigned << shift) as i64) >> shift;
    let mut text = String::new();
    match kind {
        'c' => return Some(item.to_vec()),
        'd' | 'i' => write!(text, "{signed}").ok()?,
        'u' => write!(text, "{unsigned}").ok()?,
        'x' | 'X' => write!(text, "{unsigned:x}").ok()?,
        'o' => write!(text, "{unsigned:o}").ok()?,
        'a' | 'e' | 'f' | 'g' | 'E' | 'G' => match item.len() {
            4 => write!(text, "{:?}", f32::from_le_bytes(item.try_into().ok()?)).ok()?,
            8 => write!(text, "{:?}", f64::from_le_bytes(item.try_into().ok()?)).ok()?,
            _ => return None,
        },
        _ => return None,
    }
    Some(text.to_lowercase().into_bytes())
}
