//! Values in memory as the source would write them, by their types: members of structures by name, enumerations by name,
//! arrays of characters as text, pointers by what they point to.

use super::names::Names;
use crate::values::{float_text, scalar};
use fathom_ir::{Member, Shape, TypeId};
use fathom_machine::{MemoryBytes, WatchedValue};
use fathom_term::Value;
use num_bigint::BigUint;

/// Elements and members that are shown of one value.
const MOST_ELEMENTS: usize = 8;
/// Characters that are shown of a text.
const MOST_CHARACTERS: usize = 40;
/// How deep structures are shown.
const DEEPEST: u32 = 3;

impl Names<'_> {
    /// The value of a variable that is not in memory.
    pub fn watched(&self, watched: &WatchedValue) -> String {
        if let Some(pointer) = watched.pointer {
            let target = watched.ty.and_then(|ty| self.target(ty));
            return self.pointer(pointer, target);
        }
        let bits = match &watched.value {
            Value::Bits(bits) => *bits,
            _ => return crate::values::c_value(watched),
        };
        match watched.ty.map(|ty| &self.scene.debug.get(ty).shape) {
            Some(Shape::Enumeration { names, .. }) => enumerated(names, bits, watched.width),
            Some(Shape::Character { .. }) => character(crate::values::c_value(watched)),
            _ if watched.is_float => float_text(&BigUint::from(bits), watched.width),
            _ => crate::values::c_value(watched),
        }
    }

    /// What a pointer of this type points to.
    pub fn target(&self, ty: TypeId) -> Option<TypeId> {
        match self.scene.debug.get(ty).shape {
            Shape::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// A value of this type that begins at `offset` of these bytes.
    pub fn value(&self, ty: TypeId, bytes: &MemoryBytes, offset: u64, size: u64) -> String {
        self.value_at(ty, bytes, offset, size, 0)
    }

    fn value_at(&self, ty: TypeId, bytes: &MemoryBytes, offset: u64, size: u64, depth: u32) -> String {
        let source = self.scene.debug.get(ty);
        match &source.shape {
            Shape::Array { element, .. } => self.array(*element, bytes, offset, size, depth),
            Shape::Record { members, is_union } => {
                if depth == DEEPEST {
                    return "{...}".into();
                }
                let shown = members.iter().take(if *is_union { 1 } else { MOST_ELEMENTS });
                let mut parts: Vec<String> = shown
                    .map(|member| {
                        let value = self.member_at(member, bytes, offset * 8 + member.offset, depth);
                        if member.name.is_empty() { value } else { format!(".{} = {value}", member.name) }
                    })
                    .collect();
                if members.len() > MOST_ELEMENTS && !is_union {
                    parts.push("...".into());
                }
                format!("{{{}}}", parts.join(", "))
            }
            Shape::Pointer(target) => match bytes.pointers.iter().find(|(at, _)| *at == offset) {
                Some((_, place)) => self.pointer(*place, Some(*target)),
                None => match number(bytes, offset, size) {
                    Some(bits) if bits == BigUint::ZERO => "NULL".into(),
                    Some(bits) => format!("{bits:#x}"),
                    None => UNSET.into(),
                },
            },
            _ => match number(bytes, offset, size) {
                Some(bits) => self.number(ty, &bits, size as u32 * 8),
                None => match bytes.pointers.iter().find(|(at, _)| *at == offset) {
                    Some((_, place)) => self.pointer(*place, None),
                    None => UNSET.into(),
                },
            },
        }
    }

    /// A member that begins at this bit of the bytes.
    pub fn member(&self, member: &Member, bytes: &MemoryBytes, start: u64) -> String {
        self.member_at(member, bytes, start, 0)
    }

    fn member_at(&self, member: &Member, bytes: &MemoryBytes, start: u64, depth: u32) -> String {
        match member.bits {
            Some(width) => self.bit_field(member.ty, bytes, start, width),
            None => self.value_at(member.ty, bytes, start / 8, self.scene.debug.get(member.ty).size, depth + 1),
        }
    }

    fn number(&self, ty: TypeId, bits: &BigUint, width: u32) -> String {
        let source = self.scene.debug.get(ty);
        let low = bits.iter_u64_digits().next().unwrap_or(0);
        match &source.shape {
            Shape::Enumeration { names, .. } => enumerated(names, low, width),
            Shape::Float => float_text(bits, width),
            Shape::Bool => if low != 0 { "true" } else { "false" }.into(),
            Shape::Character { signed } => character(scalar(bits, width, &source.name, *signed)),
            Shape::Integer { signed } => scalar(bits, width, &source.name, *signed),
            _ => scalar(bits, width, "", false),
        }
    }

    fn bit_field(&self, ty: TypeId, bytes: &MemoryBytes, start: u64, width: u32) -> String {
        let (first, last) = (start / 8, (start + u64::from(width)).div_ceil(8));
        let Some(bits) = number(bytes, first, last - first) else { return UNSET.into() };
        let bits = (bits >> (start % 8)) & ((BigUint::from(1u8) << width) - 1u8);
        self.number(ty, &bits, width)
    }

    fn array(&self, element: TypeId, bytes: &MemoryBytes, offset: u64, size: u64, depth: u32) -> String {
        let each = self.scene.debug.get(element).size.max(1);
        let is_text = |text: &str| self.scene.debug.get(element).name == "char" || !text.starts_with("\"\"");
        if matches!(self.scene.debug.get(element).shape, Shape::Character { .. })
            && let Some(text) = text(bytes, offset, size).filter(|text| is_text(text))
        {
            return text;
        }
        if depth == DEEPEST {
            return "{...}".into();
        }
        let count = size / each;
        let shown = count.min(MOST_ELEMENTS as u64);
        let mut parts: Vec<String> =
            (0..shown).map(|index| self.value_at(element, bytes, offset + index * each, each, depth + 1)).collect();
        if count > shown {
            parts.push(format!("... {count} in all"));
        }
        format!("{{{}}}", parts.join(", "))
    }
}

/// A character without its number, if it has a form of its own.
fn character(text: String) -> String {
    match text.split_once(' ') {
        Some((_, character)) => character.to_string(),
        None => text,
    }
}

/// The contents of memory that was never written.
pub const UNSET: &str = "(uninitialised)";

fn number(bytes: &MemoryBytes, offset: u64, size: u64) -> Option<BigUint> {
    let raw: Option<Vec<u8>> = (offset..offset + size).map(|at| bytes.bytes.get(at as usize).copied().flatten()).collect();
    raw.map(|raw| BigUint::from_bytes_le(&raw))
}

fn enumerated(names: &[(String, i64)], bits: u64, width: u32) -> String {
    let value = if width < 64 && bits >> (width - 1) & 1 == 1 { bits as i64 - (1i64 << width) } else { bits as i64 };
    match names.iter().find(|(_, known)| *known == value || *known as u64 == bits) {
        Some((name, _)) => name.clone(),
        None => value.to_string(),
    }
}

/// Behind a text that no zero ends.
pub const UNENDED: &str = " without an end";

/// Bytes as a string, if they are one: printable up to a zero, or to the end.
pub fn text(bytes: &MemoryBytes, offset: u64, size: u64) -> Option<String> {
    text_of((offset..offset + size).map(|at| bytes.bytes.get(at as usize).copied().flatten()))
}

/// The same of bytes of which some may be unknown.
pub fn text_of(bytes: impl Iterator<Item = Option<u8>>) -> Option<String> {
    let mut out = String::from("\"");
    let mut ended = false;
    for byte in bytes {
        match byte {
            Some(0) => {
                ended = true;
                break;
            }
            Some(b'"') => out += "\\\"",
            Some(b'\\') => out += "\\\\",
            Some(b'\n') => out += "\\n",
            Some(b'\t') => out += "\\t",
            Some(byte @ 0x20..=0x7e) => out.push(byte as char),
            _ => return None,
        }
        if out.len() > MOST_CHARACTERS {
            return Some(out + "\"...");
        }
    }
    Some(if ended { out + "\"" } else { out + "\"" + UNENDED })
}
