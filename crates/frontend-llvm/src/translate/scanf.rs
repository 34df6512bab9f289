//! `scanf` of arbitrary input with a constant format: every conversion stores an arbitrary value of its type, so that
//! nothing forks. A real input may convert fewer items and leave the rest as they were, which arbitrary values include.
//! Strings and inputs of a known length go through the library's own scanf, character by character.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::Translated;
use fathom_ir::{Fill, InputKind, StatementKind};
use smallvec::smallvec;

/// What a conversion stores.
struct Conversion {
    bytes: u64,
    type_name: &'static str,
    signed: bool,
}

impl FunctionTranslator<'_, '_> {
    /// `first` is the position of the format among the arguments.
    pub fn scanf(&mut self, request: &Request, first: usize) -> Translated<Option<Leaves>> {
        if self.options.environment.has_files() {
            return Ok(None);
        }
        let text = request.operands.get(first).and_then(|&format| self.constant_text(format));
        let conversions = text.and_then(|text| conversions(&text, self.pointer_bits));
        let Some(conversions) = conversions else { return Ok(None) };
        for (index, conversion) in conversions.iter().enumerate() {
            let pointer = request.arg(first + 1 + index)?;
            let input = InputKind {
                source: "scanf".to_string(),
                type_name: conversion.type_name.to_string(),
                signed: conversion.signed,
            };
            let length = self.terms.bv(conversion.bytes, self.pointer_bits);
            self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(input), length });
        }
        // -1 (end of input) up to the number of items.
        let input = InputKind { source: "scanf".to_string(), type_name: "int".to_string(), signed: true };
        let count = self.arbitrary("items", super::types::Scalar::Int(32), input);
        let t = self.terms.clone();
        let within = t.bv_ult(t.bv_add(count, t.bv(1, 32)), t.bv(conversions.len() as u64 + 2, 32));
        self.assume(within);
        Ok(Some(smallvec![count]))
    }
}

/// The stores of a format; None if it reads strings or something unknown.
fn conversions(format: &str, pointer_bits: u32) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        if rest.peek() == Some(&'%') {
            rest.next();
            continue;
        }
        let is_skipped = rest.next_if_eq(&'*').is_some();
        let mut has_width = false;
        while rest.next_if(char::is_ascii_digit).is_some() {
            has_width = true;
        }
        let mut length = String::new();
        while let Some(l) = rest.next_if(|c| "hlLjzt".contains(*c)) {
            length.push(l);
        }
        let conversion = conversion(rest.next()?, &length, pointer_bits as u64 / 8)?;
        if has_width && conversion.type_name == "char" {
            return None;
        }
        if !is_skipped {
            found.push(conversion);
        }
    }
    Some(found)
}

fn conversion(kind: char, length: &str, word: u64) -> Option<Conversion> {
    let long_double = if word == 8 { 16 } else { 12 };
    let (bytes, type_name, signed) = match (kind, length) {
        ('d' | 'i', "") | ('n', "") => (4, "int", true),
        ('d' | 'i', "hh") => (1, "signed char", true),
        ('d' | 'i', "h") => (2, "short", true),
        ('d' | 'i', "l") => (word, "long", true),
        ('d' | 'i', "ll" | "L" | "j") => (8, "long long", true),
        ('d' | 'i', "z" | "t") => (word, "long", true),
        ('u' | 'x' | 'X' | 'o', "") => (4, "unsigned int", false),
        ('u' | 'x' | 'X' | 'o', "hh") => (1, "unsigned char", false),
        ('u' | 'x' | 'X' | 'o', "h") => (2, "unsigned short", false),
        ('u' | 'x' | 'X' | 'o', "l" | "z" | "t") => (word, "unsigned long", false),
        ('u' | 'x' | 'X' | 'o', "ll" | "L" | "j") => (8, "unsigned long long", false),
        ('c', "") => (1, "char", true),
        ('p', "") => (word, "void *", false),
        ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "") => (4, "float", true),
        ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "l") => (8, "double", true),
        ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "L") => (long_double, "long double", true),
        _ => return None,
    };
    Some(Conversion { bytes, type_name, signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let sizes = |format| conversions(format, 64).map(|c| c.iter().map(|c| c.bytes).collect::<Vec<_>>());
        assert_eq!(sizes("%d %lld"), Some(vec![4, 8]));
        assert_eq!(sizes("%*d%hhu, 100%% %lf"), Some(vec![1, 8]));
        assert_eq!(sizes("%s"), None);
        assert_eq!(sizes("%10[a-z]"), None);
        assert_eq!(sizes("%"), None);
    }
}
