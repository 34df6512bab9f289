//! Floating-point operations. Results are compared bit by bit, but for NaNs, whose sign and payload arithmetic leaves
//! open: those are all one.

use crate::corner::Corner;
use crate::values::{Input, Value};
use fathom_randprog::Rng;

pub struct Float {
    pub c: &'static str,
    suffix: &'static str,
    bits: u32,
}

pub const FLOATS: [Float; 3] = [
    Float { c: "float", suffix: "f", bits: 32 },
    Float { c: "double", suffix: "", bits: 64 },
    Float { c: "long double", suffix: "L", bits: 80 },
];

impl Float {
    /// The result's bits; a `long double` is cut to its nearest `double` and what is left.
    pub fn observe(&self, corner: &mut Corner, expression: &str) {
        let bits = |corner: &mut Corner, c: &str, unsigned: &str, value: &str| {
            corner.line(&format!("{{ {c} f = {value}; {unsigned} u; memcpy(&u, &f, sizeof u);"));
            corner.observe("f != f ? 1 : u");
            corner.line("}");
        };
        match self.bits {
            32 => bits(corner, "float", "unsigned", expression),
            64 => bits(corner, "double", "unsigned long long", expression),
            _ => bits(corner, "double", "unsigned long long", &format!("(double)({expression})")),
        }
    }
}

/// Values with the bits of a `double`; each is exact in `float`, too, unless the program says so with a suffix.
const VALUES: [(&str, f64); 18] = [
    ("0.0", 0.0),
    ("1.0", 1.0),
    ("-1.0", -1.0),
    ("0.5", 0.5),
    ("1.5", 1.5),
    ("2.5", 2.5),
    ("-2.5", -2.5),
    ("3.0", 3.0),
    ("16777216.0", 16_777_216.0),
    ("2147483648.0", 2_147_483_648.0),
    ("-2147483648.0", -2_147_483_648.0),
    ("4294967296.0", 4_294_967_296.0),
    ("9223372036854775808.0", 9_223_372_036_854_775_808.0),
    ("1e30", 1e30),
    ("INFINITY", f64::INFINITY),
    ("-INFINITY", f64::NEG_INFINITY),
    ("NAN", f64::NAN),
    ("255.0", 255.0),
];

/// An input with some of the interesting values. A guard can't tell the zeros apart, so both come or none.
pub fn float_input(rng: &mut Rng, corner: &mut Corner, name: &'static str, float: &Float, count: usize) {
    // There is no input of type long double; a double is converted.
    let (c, nondet, bits) = if float.bits == 32 { ("float", "float", 32) } else { ("double", "double", 64) };
    let encode = |v: f64| if bits == 32 { u128::from((v as f32).to_bits()) } else { u128::from(v.to_bits()) };
    let mut values: Vec<Value> = Vec::new();
    for _ in 0..count {
        let (text, value) = *rng.pick(&VALUES);
        let exact = bits == 64 || f64::from(value as f32) == value || value.is_nan();
        if !exact || values.iter().any(|v| v.text.trim_end_matches('f') == text) {
            continue;
        }
        let literal = if bits == 32 && !text.ends_with(['N', 'Y']) { format!("{text}f") } else { text.to_owned() };
        values.push(Value { text: literal, bits: encode(value) });
        if value == 0.0 {
            values.push(Value { text: "-0.0f".trim_end_matches(if bits == 32 { ' ' } else { 'f' }).to_owned(), bits: encode(-0.0) });
        }
    }
    if values.is_empty() {
        values.push(Value { text: if bits == 32 { "1.0f".into() } else { "1.0".into() }, bits: encode(1.0) });
    }
    let nan = values.iter().any(|v| v.text == "NAN");
    corner.inputs.push(Input { name, c, nondet, values, nan });
}

fn operand(rng: &mut Rng, corner: &mut Corner, name: &'static str, float: &Float) {
    if rng.chance(60) {
        let raw: &'static str = if float.bits == 80 { if name == "a" { "a0" } else { "b0" } } else { name };
        float_input(rng, corner, raw, float, 3);
        if float.bits == 80 {
            corner.line(&format!("long double {name} = {raw};"));
        }
        return;
    }
    let (text, _) = *rng.pick(&VALUES);
    let suffix = if text.ends_with(['N', 'Y']) { "" } else { float.suffix };
    corner.line(&format!("{}{} {name} = {text}{suffix};", if rng.chance(30) { "const " } else { "" }, float.c));
}

pub fn arithmetic(rng: &mut Rng, wide: bool) -> Corner {
    const FORMS: [&str; 20] = [
        "a + b",
        "a - b",
        "a * b",
        "a / b",
        "a + b - b",
        "(a * b) / b",
        "-a",
        "a < b",
        "a == b",
        "a != b",
        "!a",
        "a && b",
        "a ? b : a",
        "a > b ? a : b",
        "fabs(a)",
        "isnan(a)",
        "signbit(a) != 0",
        "isinf(a) != 0",
        "floor(a)",
        "a >= b",
    ];
    const DOUBLES: [&str; 12] = [
        "ceil(a)",
        "trunc(a)",
        "round(a)",
        "sqrt(a)",
        "fmin(a, b)",
        "fmax(a, b)",
        "copysign(a, b)",
        "fmod(a, b)",
        "fma(a, b, a)",
        "rint(a)",
        "fdim(a, b)",
        "remainder(a, b)",
    ];
    let float = rng.pick(&FLOATS);
    let form = if float.bits == 64 && rng.chance(30) { *rng.pick(&DOUBLES) } else { *rng.pick(&FORMS) };
    let mut corner = Corner::new("float", format!("{form} of {}", float.c), wide);
    operand(rng, &mut corner, "a", float);
    operand(rng, &mut corner, "b", float);
    let library = form.contains('(') && form.starts_with(|c: char| c.is_alphabetic());
    if library && form.contains("fm") && form.contains(", ") && !form.contains("fma") && !form.contains("fmod") {
        // Of two zeros fmin and fmax may return either.
        corner.values_open = true;
    }
    corner.line(&format!("__typeof__({form}) r = {form};"));
    if ["a < b", "a == b", "a != b", "!a", "a && b", "isnan(a)", "signbit(a) != 0", "isinf(a) != 0", "a >= b"].contains(&form) {
        corner.observe("r != 0");
    } else if library {
        FLOATS[1].observe(&mut corner, "(double)r");
    } else {
        float.observe(&mut corner, "r");
    }
    if form.starts_with("signbit") {
        // The sign of a NaN that arithmetic made or that is written NAN is whatever it is.
        corner.values_open = corner.body.contains("NAN") || corner.inputs.iter().any(|i| i.nan);
    }
    corner.state(&[], "floating-point arithmetic has no undefined results");
    corner
}
