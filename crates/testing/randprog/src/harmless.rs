//! Inputs, and uses of unconstrained inputs that cannot change the result.
//!
//! A `Free` input may have any value, a `Range` input one of three. The statements made here involve such an input in
//! arithmetic, branches, switches, indices and loop bounds, yet leave the same state whatever its value is.

use crate::rng::Rng;
use crate::types::{I8, I16, I32, I64, Ty, U8, U16, U32, U64};

#[derive(Clone, Copy, PartialEq)]
pub enum Freedom {
    /// Assumed to have the value.
    Fixed,
    /// Assumed to lie between the value and the value plus two.
    Range,
    /// Nothing is assumed.
    Free,
}

pub struct Input {
    pub name: String,
    /// The X of `__VERIFIER_nondet_X`.
    pub source: &'static str,
    /// What that function returns.
    pub c_type: &'static str,
    /// The type of the variable that keeps the input.
    pub ty: Ty,
    /// As a C expression of type `ty`.
    pub value: String,
    /// The last value of a range.
    pub last: String,
    pub freedom: Freedom,
}

/// Name, C type, type of the variable, bits that the value may use.
const SOURCES: [(&str, &str, Ty, Ty); 11] = [
    ("int", "int", I32, I32),
    ("uint", "unsigned int", U32, U32),
    ("char", "char", I8, I8),
    ("uchar", "unsigned char", U8, U8),
    ("short", "short", I16, I16),
    ("ushort", "unsigned short", U16, U16),
    // `long` has 32 bits under ILP32: the value must fit there too.
    ("long", "long", I64, I32),
    ("ulong", "unsigned long", U64, U32),
    ("longlong", "long long", I64, I64),
    ("ulonglong", "unsigned long long", U64, U64),
    ("int", "int", I32, I16),
];

impl Input {
    pub fn random(rng: &mut Rng, index: usize, freedom: Freedom, floats: bool) -> Input {
        let name = format!("in{index}");
        if freedom == Freedom::Fixed && rng.chance(8) {
            let value = rng.below(2).to_string();
            return Input { name, source: "bool", c_type: "_Bool", ty: U8, last: value.clone(), value, freedom };
        }
        if freedom == Freedom::Fixed && floats && rng.chance(15) {
            // Not zero: an assumption x == 0 would admit both zeros.
            let (source, ty) = *rng.pick(&[("float", Ty::Float), ("double", Ty::Double)]);
            let value = format!("{}.{}f", rng.between(1, 50), rng.pick(&["0", "5", "25"]));
            return Input { name, source, c_type: source, ty, last: value.clone(), value, freedom };
        }
        let (source, c_type, ty, limit) = *rng.pick(&SOURCES);
        let mut value = limit.random_value(rng);
        if limit.wrap(value + 2) != value + 2 {
            value = limit.wrap(value - 2);
        }
        let (value, last) = (ty.literal(value), ty.literal(value + 2));
        Input { name, source, c_type, ty, value, last, freedom }
    }

    /// One of the values that a verifier must consider for this input.
    pub fn allowed_value(&self, rng: &mut Rng) -> String {
        match self.freedom {
            Freedom::Fixed => self.value.clone(),
            Freedom::Range => rng.pick(&[self.value.clone(), format!("{} + 1", self.value), self.last.clone()]).clone(),
            Freedom::Free => self.ty.random_literal(rng),
        }
    }
}

/// Statements that keep `acc`, a `u32`, independent of the input, and by how much they multiply the paths.
pub fn use_harmlessly(rng: &mut Rng, input: &Input, acc: &str, e: &str, branches: bool) -> (String, usize) {
    match input.freedom {
        Freedom::Fixed => (format!("{acc} += (u32){} + {e};", input.name), 1),
        Freedom::Range if branches && rng.chance(50) => ranged_branch(rng, input, acc, e),
        Freedom::Range => (ranged_value(rng, input, acc, e), 1),
        Freedom::Free if branches && rng.chance(60) => free_branch(rng, input, acc, e),
        Freedom::Free => (free_value(rng, input, acc, e), 1),
    }
}

fn free_value(rng: &mut Rng, input: &Input, acc: &str, e: &str) -> String {
    let x = format!("(u32){}", input.name);
    match rng.below(7) {
        0 => format!("{acc} += ({x} & 0u) + {e};"),
        1 => format!("{acc} ^= ({x} ^ {x}) | {e};"),
        2 => format!("{acc} += (({x} | 1u) & 1u) + {e};"),
        3 => format!("{acc} += ({x} * 2u) & 1u;"),
        4 => format!("{acc} = ({acc} + {x}) - {x};"),
        5 => format!("{{ u32 same[4] = {{ 9, 9, 9, 9 }}; {acc} += same[{x} & 3]; }}"),
        _ => format!("{{ u8 cell[8] = {{ 0 }}; cell[{x} & 7] = 5; {acc} += cell[{x} & 7]; }}"),
    }
}

fn free_branch(rng: &mut Rng, input: &Input, acc: &str, e: &str) -> (String, usize) {
    let x = &input.name;
    let k = input.ty.random_literal(rng);
    match rng.below(5) {
        0 => (format!("if ({x} > {k}) {acc} += {e}; else {acc} = {acc} - (0u - {e});"), 2),
        1 => (format!("if ({x} & 1) {acc} = {acc} * 4u; else {acc} <<= 2;"), 2),
        2 => (
            format!(
                "switch ({x} & 3) {{\n  case 1: {acc} += 3u; break;\n  case 2: {acc} += 1u;\n  default: {acc} += 2u; \
                 break;\n  case 0: {acc} += 3u;\n  }}\n  if (({x} & 3) == 3) {acc} += 1u;"
            ),
            4,
        ),
        3 => (format!("{{ u32 rounds = 0; while (rounds < ((u32){x} & 3)) rounds++; {acc} += rounds / 4u; }}"), 4),
        _ => (
            format!(
                "{{ {t} a = {x}, b = {k}; {acc} ^= (u32)(a < b ? a : b) + (u32)(a < b ? b : a) - (u32)a - (u32)b; }}",
                t = input.ty.name()
            ),
            2,
        ),
    }
}

fn ranged_value(rng: &mut Rng, input: &Input, acc: &str, e: &str) -> String {
    let (x, v, last) = (&input.name, &input.value, &input.last);
    match rng.below(4) {
        0 => format!("{acc} += (u32)({x} - {v}) / 3u + {e};"),
        1 => format!("{acc} += (u32)({x} == {v}) + (u32)({x} == {last}) + (u32)({x} - {v} == 1);"),
        2 => format!("{{ u16 three[3] = {{ 7, 7, 7 }}; {acc} += three[{x} - {v}]; }}"),
        _ => format!("{acc} += (u32)({x} >= {v}) * {e};"),
    }
}

fn ranged_branch(rng: &mut Rng, input: &Input, acc: &str, e: &str) -> (String, usize) {
    let (x, v, last) = (&input.name, &input.value, &input.last);
    match rng.below(3) {
        0 => (format!("if ({x} < {v} || {x} > {last}) {acc} = 0; else {acc} += {e};"), 1),
        1 => (
            format!(
                "switch ((int)({x} - {v})) {{ case 0: case 1: {acc} += 8u; break; case 2: {acc} += 8u; break; \
                 default: {acc} = 1; }}"
            ),
            3,
        ),
        _ => (format!("if ({x} == {last}) {acc} ^= 12u; else {acc} = ({acc} | 12u) - ({acc} & 12u);"), 2),
    }
}
