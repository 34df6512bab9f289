//! Conversions between arithmetic types, in the ways in which C converts without being asked.

use crate::corner::Corner;
use crate::floats::{FLOATS, float_input};
use crate::property::Property;
use crate::values::{Input, any_int};
use fathom_randprog::Rng;

/// How a value comes from one type to another.
fn convert(rng: &mut Rng, corner: &mut Corner, from: &str, to: &str) -> &'static str {
    match rng.below(8) {
        0 => corner.line(&format!("{to} r = ({to})a;")),
        1 => corner.line(&format!("{to} r = a;")),
        2 => {
            corner.file_scope += &format!("static {to} pass@({to} x) {{ return x; }}\n");
            corner.line(&format!("{to} r = pass@(a);"));
        }
        3 => {
            corner.file_scope += &format!("static {to} give@({from} x) {{ return x; }}\n");
            corner.line(&format!("{to} r = give@(a);"));
        }
        4 => corner.line(&format!("{to} t[2] = {{1, a}};\n{to} r = t[1];")),
        5 => corner.line(&format!("struct {{ {to} f; char c; }} s = {{a, 1}};\n{to} r = s.f;")),
        6 => {
            corner.file_scope += &format!("static {to} old@(x) {from} x; {{ return x; }}\n");
            corner.line(&format!("{to} r = old@(a);"));
        }
        _ => corner.line(&format!("{to} r = 0;\n{to} *p = &r;\n*p = a;")),
    }
    "r"
}

pub fn integers(rng: &mut Rng, wide: bool) -> Corner {
    let (from, to) = (any_int(rng, wide), any_int(rng, wide));
    let mut corner = Corner::new("conversion", format!("{} to {}", from.c, to.c), wide);
    if rng.chance(70) {
        let values: Vec<i128> = (0..4).map(|_| from.interesting(rng)).collect();
        corner.inputs.push(Input::of_int("a", from, &values));
    } else {
        let value = from.interesting(rng);
        corner.line(&format!("{} a = {};", from.c, from.literal(value)));
    }
    let r = convert(rng, &mut corner, from.c, to.c);
    corner.observe(r);
    if to.bits == 128 {
        corner.observe("(unsigned __int128)r >> 64");
    }
    corner.state(&[], "conversions between integers are always defined here");
    corner.ask(&[Property::NoOverflow]);
    corner
}

/// Between integers and floats: what does not fit is undefined, and then nothing is asked about the value.
pub fn floats(rng: &mut Rng, wide: bool) -> Corner {
    let integer = any_int(rng, wide);
    let float = rng.pick(&FLOATS);
    if rng.chance(50) {
        let mut corner = Corner::new("float-to-int", format!("{} to {}", float.c, integer.c), wide);
        if float.c == "long double" {
            float_input(rng, &mut corner, "given", float, 3);
            corner.line("long double a = given;");
        } else {
            float_input(rng, &mut corner, "a", float, 3);
        }
        let r = convert(rng, &mut corner, float.c, integer.c);
        corner.observe(r);
        corner.ask(&[Property::NoOverflow]);
        return corner;
    }
    let mut corner = Corner::new("int-to-float", format!("{} to {}", integer.c, float.c), wide);
    let values: Vec<i128> = (0..3).map(|_| integer.interesting(rng)).collect();
    corner.inputs.push(Input::of_int("a", integer, &values));
    let r = convert(rng, &mut corner, integer.c, float.c);
    float.observe(&mut corner, r);
    corner.state(&[], "every integer here is in the range of every float");
    corner
}
