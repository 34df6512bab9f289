//! Integer operations on every pair of types. Rust's own arithmetic says what each does on each pair of values, so
//! constants that compilers fold before a sanitizer could look are no blind spot.

use crate::corner::Corner;
use crate::positions::{self, Expression, Position};
use crate::property::{Event, Property};
use crate::values::{Input, Int, any_int};
use fathom_randprog::Rng;

const BINARY: [&str; 16] = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">=", "==", "+", "-", "<<"];
const COMPOUND: [&str; 10] = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"];

/// What the operation does on these values that C leaves undefined.
fn undefined(op: &str, a: (Int, i128), b: (Int, i128), wide: bool) -> Option<Event> {
    if op == "<<" || op == ">>" {
        return undefined_shift(op, (a.0.promoted(), a.1), b.1);
    }
    let t = a.0.with(b.0, wide);
    let (x, y) = (t.convert(a.1), t.convert(b.1));
    if (op == "/" || op == "%") && y == 0 {
        return Some(Event::DivByZero);
    }
    if !t.signed {
        return None;
    }
    let exact = match op {
        "+" => x.checked_add(y),
        "-" => x.checked_sub(y),
        "*" => x.checked_mul(y),
        "/" | "%" => x.checked_div(y),
        _ => return None,
    };
    let fits = exact.is_some_and(|exact| (t.min()..=t.max()).contains(&exact));
    (!fits).then_some(Event::Overflow)
}

fn undefined_shift(op: &str, (t, x): (Int, i128), count: i128) -> Option<Event> {
    if count < 0 || count >= i128::from(t.bits) {
        return Some(Event::ShiftCount);
    }
    if op == ">>" || !t.signed {
        return None;
    }
    if x < 0 {
        return Some(Event::ShiftNegative);
    }
    let fits = x == 0 || (count < 127 && x.leading_zeros() > count as u32 && x << count <= t.max());
    (!fits).then_some(Event::ShiftResult)
}

/// Operands that are interesting for the operation: counts around the width, divisors around zero.
fn operand(rng: &mut Rng, op: &str, right: bool, t: Int, partner: Int) -> i128 {
    let count = [0, 1, i128::from(partner.promoted().bits) - 1, i128::from(partner.promoted().bits), -1, 8, 4, 31, 5];
    let value = match op {
        "<<" | ">>" if right => *rng.pick(&count),
        "/" | "%" if right => *rng.pick(&[0, 1, -1, 2, 3, 7]),
        _ => t.interesting(rng),
    };
    if (t.min()..=t.max()).contains(&value) { value } else { value.rem_euclid(4).min(t.max()) }
}

/// One operand: its values, and how the program gets them.
struct Operand {
    t: Int,
    values: Vec<i128>,
    text: String,
    constant: bool,
}

/// As an input, a literal, or a variable with a constant in it; `name` is `a` or `b`.
fn make_operand(rng: &mut Rng, corner: &mut Corner, name: &'static str, t: Int, mut draw: impl FnMut(&mut Rng) -> i128) -> Operand {
    if rng.chance(50) {
        let values: Vec<i128> = (0..3).map(|_| draw(rng)).collect();
        corner.inputs.push(Input::of_int(name, t, &values));
        return Operand { t, values, text: name.to_owned(), constant: false };
    }
    let value = draw(rng);
    let literal = t.literal(value);
    let (declaration, text) = match rng.below(5) {
        0 => (format!("{} {name} = {literal};", t.c), name.to_owned()),
        1 => (format!("const {} {name} = {literal};", t.c), name.to_owned()),
        2 => (format!("static const {} {name} = {literal};", t.c), name.to_owned()),
        3 => (format!("{} {name};\n{name} = {literal};", t.c), name.to_owned()),
        _ => (format!("{} {name} = {literal};\n(void){name};", t.c), literal),
    };
    corner.line(&declaration);
    Operand { t, values: vec![value], text, constant: true }
}

/// What the operation does on all values of its operands.
fn events(op: &str, a: &Operand, b: &Operand, wide: bool) -> Vec<Event> {
    let pairs = a.values.iter().flat_map(|&x| b.values.iter().map(move |&y| (x, y)));
    pairs.filter_map(|(x, y)| undefined(op, (a.t, x), (b.t, y), wide)).collect()
}

fn state(corner: &mut Corner, mut events: Vec<Event>) {
    events.sort();
    events.dedup();
    corner.state(&events, "computed exactly");
}

fn properties(op: &str) -> &'static [Property] {
    match op {
        "/" | "%" => &[Property::DivByZero, Property::NoOverflow],
        "<<" => &[Property::Shift, Property::NoOverflow],
        ">>" => &[Property::Shift],
        _ => &[Property::NoOverflow],
    }
}

/// Two literals and an operation that compilers take as a constant, whatever its value.
pub fn constant(rng: &mut Rng, wide: bool) -> Corner {
    // gcc takes no division by zero for a constant, and with its sanitizer no shift.
    let op = *rng.pick(&["+", "-", "*"]);
    let (ta, tb) = (any_int(rng, wide), any_int(rng, wide));
    let position = Position::any_of_constants(rng);
    let corner = Corner::new("constant", format!("constant {} {op} {} as {position:?}", ta.c, tb.c), wide);
    let mut literal = |t: Int, right: bool, partner: Int| {
        let value = operand(rng, op, right, t, partner);
        Operand { t, values: vec![value], text: t.literal(value), constant: true }
    };
    let (a, b) = (literal(ta, false, tb), literal(tb, true, ta));
    placed(corner, op, a, b, position)
}

/// `a op b` at any position.
pub fn binary(rng: &mut Rng, wide: bool) -> Corner {
    let op = *rng.pick(&BINARY);
    let (ta, tb) = (any_int(rng, wide), any_int(rng, wide));
    let position = Position::any(rng);
    let mut corner = Corner::new("arithmetic", format!("{} {op} {} as {position:?}", ta.c, tb.c), wide);
    let a = make_operand(rng, &mut corner, "a", ta, |rng| operand(rng, op, false, ta, tb));
    let b = make_operand(rng, &mut corner, "b", tb, |rng| operand(rng, op, true, tb, ta));
    placed(corner, op, a, b, position)
}

fn placed(mut corner: Corner, op: &str, a: Operand, b: Operand, position: Position) -> Corner {
    let (ta, tb, wide) = (a.t, b.t, corner.wide);
    let result = if ["<", ">=", "=="].contains(&op) { "int".to_owned() } else { format!("__typeof__(({})1 {op} ({})1)", ta.c, tb.c) };
    let common = if op.len() == 2 && op != ">=" && op != "==" { ta.promoted() } else { ta.with(tb, wide) };
    let expression = Expression {
        text: format!("({} {op} {})", a.text, b.text),
        large: common.bits == 128 && result != "int",
        result,
        parameters: format!("{} a, {} b", ta.c, tb.c),
        arguments: "a, b".to_owned(),
    };
    positions::place(&mut corner, &expression, position);
    let mut events = if position.evaluates() { events(op, &a, &b, wide) } else { Vec::new() };
    events.retain(|&event| event != Event::ShiftResult || !position.takes_sign_bit());
    state(&mut corner, events);
    corner.class = match (a.constant && b.constant, position.folds_constants()) {
        (true, true) => "constant-array-size",
        (true, false) => "constant-operands",
        _ if !position.evaluates() => "unevaluated",
        _ => "arithmetic",
    };
    corner.ask(properties(op));
    corner
}

/// `a op= b`, which computes in the common type and converts back.
pub fn compound(rng: &mut Rng, wide: bool) -> Corner {
    let op = *rng.pick(&COMPOUND);
    let (ta, tb) = (any_int(rng, wide), any_int(rng, wide));
    let mut corner = Corner::new("compound", format!("{} {op}= {}", ta.c, tb.c), wide);
    let values: Vec<i128> = (0..if rng.chance(60) { 3 } else { 1 }).map(|_| operand(rng, op, false, ta, tb)).collect();
    let constant = values.len() == 1;
    if constant {
        corner.line(&format!("{} a = {};", ta.c, ta.literal(values[0])));
    } else {
        corner.inputs.push(Input::of_int("a", ta, &values));
    }
    let b = make_operand(rng, &mut corner, "b", tb, |rng| operand(rng, op, true, tb, ta));
    let a = Operand { t: ta, values, text: "a".to_owned(), constant };
    let place = match rng.below(4) {
        0 => "a".to_owned(),
        1 => {
            corner.line(&format!("{} *p = &a;", ta.c));
            "*p".to_owned()
        }
        2 => {
            corner.line(&format!("struct {{ char c; {} f; }} s = {{0, a}};", ta.c));
            "s.f".to_owned()
        }
        _ => {
            corner.line(&format!("{} v[3] = {{0, a, 0}};\nint i = 1;", ta.c));
            "v[i]".to_owned()
        }
    };
    corner.line(&format!("{place} {op}= {};", b.text));
    corner.observe(&place);
    let events = events(op, &a, &b, wide);
    state(&mut corner, events);
    corner.class = if constant && b.constant { "constant-operands" } else { "compound" };
    corner.ask(properties(op));
    corner
}

/// `++`, `--` and unary operators.
pub fn step(rng: &mut Rng, wide: bool) -> Corner {
    const FORMS: [&str; 8] = ["++x", "--x", "x++", "x--", "-x", "~x", "!x", "+x"];
    let form = *rng.pick(&FORMS);
    let t = any_int(rng, wide);
    let mut corner = Corner::new("step", format!("{form} of {}", t.c), wide);
    let values: Vec<i128> = (0..if rng.chance(60) { 3 } else { 1 }).map(|_| t.interesting(rng)).collect();
    if values.len() == 1 {
        corner.line(&format!("{} x = {};", t.c, t.literal(values[0])));
        corner.class = "constant-operands";
    } else {
        corner.inputs.push(Input::of_int("x", t, &values));
    }
    let result = if ["-x", "~x", "!x", "+x"].contains(&form) { format!("__typeof__(+({})1)", t.c) } else { t.c.to_owned() };
    corner.line(&format!("{result} r = {form};"));
    corner.observe("r");
    corner.observe("x");
    let signed = t.promoted().signed && t.rank >= 3;
    let overflows = |x: i128| match form {
        "++x" | "x++" => signed && x == t.max(),
        "--x" | "x--" | "-x" => signed && x == t.min(),
        _ => false,
    };
    let events = if values.iter().any(|&x| overflows(x)) { vec![Event::Overflow] } else { Vec::new() };
    corner.state(&events, "computed exactly");
    corner.ask(&[Property::NoOverflow]);
    corner
}
