//! `scanf` of arbitrary input with a constant format: how many items are converted is arbitrary, each of these gets an
//! arbitrary value of its type, the others stay as they were. Where the program does not look at the number of items,
//! all of them are converted: an arbitrary value may be the one that was there. (Where somebody asks for values that were never written,
//! the value that was there stays, without a branch.) Nothing is read character by character,
//! except for strings and inputs of a known length: those go through the library's own scanf. The first input that is
//! recorded names the format, so that a native run can be given a text that scans like this.

use super::Translated;
use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use crate::llvm::{Opcode, Value};
use fathom_ir::{InputKind, Property, StatementKind, TerminatorKind};
use fathom_term::{Op, Sort, Term};
use smallvec::smallvec;

/// What a conversion stores.
struct Conversion {
    kind: char,
    bytes: u64,
    type_name: &'static str,
    signed: bool,
    /// Most characters that are read.
    width: Option<u32>,
}

impl FunctionTranslator<'_, '_> {
    /// `first` is the position of the format among the arguments.
    pub fn scanf(&mut self, request: &Request, first: usize, looks_at_result: bool) -> Translated<Option<Leaves>> {
        if self.options.environment.has_files() {
            return Ok(None);
        }
        let text = request.operands.get(first).and_then(|&format| self.constant_text(format));
        let Some(text) = text else { return Ok(None) };
        let Some(conversions) = conversions(&text, self.pointer_bits) else { return Ok(None) };
        let keeps_values = !looks_at_result && self.options.checks.contains(&Property::Uninitialised);
        let is_stdin = first == 0 || request.operands.first().is_some_and(|&stream| is_standard_input(stream));
        let name = if is_stdin { "scanf" } else { "fscanf" };
        let count = self.number_of_items(format!("{name}(\"{}\")", one_line(&text)), conversions.len(), looks_at_result || keeps_values);
        let after = looks_at_result.then(|| self.new_block("scanned".to_string()));
        for (index, conversion) in conversions.iter().enumerate() {
            let pointer = request.arg(first + 1 + index)?;
            let is_converted = self.terms.bv_slt(self.terms.bv(index as u64, 32), count);
            if let Some(after) = after {
                let item = self.new_block(format!("item {index}"));
                self.terminate(TerminatorKind::Branch { condition: is_converted, then: item, otherwise: after });
                self.switch_to(item);
            }
            self.scan_item(name, conversion, pointer, is_converted, keeps_values);
        }
        if let Some(after) = after {
            self.terminate(TerminatorKind::Goto(vec![after]));
            self.switch_to(after);
        }
        Ok(Some(smallvec![count]))
    }

    /// From -1 (end of input) up to the number of conversions; all of them where the result is not used.
    fn number_of_items(&mut self, source: String, conversions: usize, looks_at_result: bool) -> Term {
        let input = InputKind { source, type_name: "int".to_string(), signed: true };
        let count = self.arbitrary("items", Scalar::Int(32), input);
        let t = self.terms.clone();
        let all = conversions as u64;
        let within = match looks_at_result {
            true => t.bv_ult(t.bv_add(count, t.bv(1, 32)), t.bv(all + 2, 32)),
            false => t.eq(count, t.bv(all, 32)),
        };
        self.assume(within);
        count
    }

    fn scan_item(&mut self, function: &str, conversion: &Conversion, pointer: Term, is_converted: Term, keeps_value: bool) {
        let bits = conversion.bytes as u32 * 8;
        let type_name = conversion.type_name.to_string();
        let input = InputKind { source: function.to_string(), type_name, signed: conversion.signed };
        let value = self.arbitrary("scanned", Scalar::Int(bits), input);
        if let (Some(width), true) = (conversion.width, conversion.signed) {
            let t = self.terms.clone();
            let limit = |digits: u32| 10u64.checked_pow(digits).filter(|limit| *limit < 1 << (bits - 1).min(63));
            if let Some(above) = limit(width) {
                let below = limit(width - 1).unwrap_or(1);
                self.assume(t.bv_slt(value, t.bv(above, bits)));
                self.assume(t.bv_slt(t.build(Op::BvNeg, &[t.bv(below, bits)]), value));
            }
        }
        let value = match keeps_value {
            true => {
                let old = self.local("kept", Sort::Bv(bits));
                self.emit(StatementKind::Load { target: old, pointer, volatile: false });
                self.terms.ite(is_converted, value, self.terms.var_term(old))
            }
            false => value,
        };
        self.emit(StatementKind::Store { pointer, value });
    }
}

/// Whether a stream is what the variable `stdin` holds.
fn is_standard_input(stream: Value) -> bool {
    stream.opcode() == Opcode::LLVMLoad && stream.operand(0).as_global().is_some_and(|global| global.name() == "stdin")
}

/// Any white space of a format means the same.
fn one_line(format: &str) -> String {
    format.chars().map(|c| if c.is_ascii_whitespace() { ' ' } else { c }).collect()
}

/// The stores of a format; None if it reads strings, something unknown, or a character right behind a number, which can't
/// be just any.
fn conversions(format: &str, pointer_bits: u32) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut is_behind_number = false;
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        let is_literal = c != '%' || rest.next_if_eq(&'%').is_some();
        if is_literal {
            is_behind_number = false;
            continue;
        }
        let is_skipped = rest.next_if_eq(&'*').is_some();
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let mut length = String::new();
        while let Some(l) = rest.next_if(|c| "hlLjzt".contains(*c)) {
            length.push(l);
        }
        let mut conversion = conversion(rest.next()?, &length, pointer_bits as u64 / 8)?;
        let is_character = conversion.kind == 'c';
        if !digits.is_empty() {
            conversion.width = Some(digits.parse().ok().filter(|width| *width > 0)?);
        }
        // A width limits the value; that is easy to say of signed numbers only.
        let is_number = matches!(conversion.kind, 'd' | 'i');
        if conversion.width.is_some() && !is_number || is_behind_number && is_character {
            return None;
        }
        is_behind_number = !is_character;
        if !is_skipped {
            found.push(conversion);
        }
    }
    Some(found)
}

fn conversion(kind: char, length: &str, word: u64) -> Option<Conversion> {
    let (bytes, type_name, signed) = match (kind, length) {
        ('d' | 'i', "") => (4, "int", true),
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
        ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "") => (4, "float", true),
        ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "l") => (8, "double", true),
        _ => return None,
    };
    Some(Conversion { kind, bytes, type_name, signed, width: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let sizes = |format| conversions(format, 64).map(|c| c.iter().map(|c| c.bytes).collect::<Vec<_>>());
        assert_eq!(sizes("%d %lld"), Some(vec![4, 8]));
        assert_eq!(sizes("%*d%hhu, 100%% %lf"), Some(vec![1, 8]));
        assert_eq!(sizes("%3d:%2d"), Some(vec![4, 4]));
        assert_eq!(sizes("%d %c"), Some(vec![4, 1]));
        assert_eq!(sizes("%d%c"), None);
        assert_eq!(sizes("%4u"), None);
        assert_eq!(sizes("%s"), None);
        assert_eq!(sizes("%10[a-z]"), None);
        assert_eq!(sizes("%"), None);
    }
}
