//! Symbols. A name that SMT-LIB can't spell (it holds `|` or `\`), that a theory owns (a C variable may well be called
//! `select`) or that looks like a `let` name of the printer is escaped: `|esc:...|` with percent codes. The reader
//! undoes that, so every name survives printing and reading back.

use std::borrow::Cow;

const ESCAPE: &str = "esc:";

/// Names that theories define. A user's symbol may not be called like this.
const THEORY: &[&str] = &[
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    "=>",
    ">",
    ">=",
    "Array",
    "BitVec",
    "Bool",
    "Float128",
    "Float16",
    "Float32",
    "Float64",
    "FloatingPoint",
    "Int",
    "NaN",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "Real",
    "RoundingMode",
    "String",
    "abs",
    "and",
    "bv2int",
    "bv2nat",
    "bvadd",
    "bvand",
    "bvashr",
    "bvcomp",
    "bvlshr",
    "bvmul",
    "bvnand",
    "bvneg",
    "bvnego",
    "bvnor",
    "bvnot",
    "bvor",
    "bvsaddo",
    "bvsdiv",
    "bvsdivo",
    "bvsge",
    "bvsgt",
    "bvshl",
    "bvsle",
    "bvslt",
    "bvsmod",
    "bvsmulo",
    "bvsrem",
    "bvssubo",
    "bvsub",
    "bvuaddo",
    "bvudiv",
    "bvuge",
    "bvugt",
    "bvule",
    "bvult",
    "bvumulo",
    "bvurem",
    "bvusubo",
    "bvxnor",
    "bvxor",
    "concat",
    "const",
    "distinct",
    "div",
    "divisible",
    "extract",
    "false",
    "fp",
    "int2bv",
    "int_to_bv",
    "is_int",
    "ite",
    "lambda",
    "mod",
    "not",
    "or",
    "pi",
    "repeat",
    "rotate_left",
    "rotate_right",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "sbv_to_int",
    "select",
    "sign_extend",
    "store",
    "to_fp",
    "to_fp_unsigned",
    "to_int",
    "to_real",
    "true",
    "ubv_to_int",
    "xor",
    "zero_extend",
];

/// Words of the language itself; between bars they are ordinary symbols.
const RESERVED: &[&str] = &[
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "as",
    "exists",
    "forall",
    "let",
    "match",
    "par",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

pub(super) fn is_theory(name: &str) -> bool {
    THEORY.contains(&name) || name.starts_with("fp.")
}

fn is_let_name(name: &str) -> bool {
    name.strip_prefix('?').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Characters of symbols that need no bars.
pub(super) fn is_symbol_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

/// How SMT-LIB spells a user's symbol.
pub fn symbol(name: &str) -> Cow<'_, str> {
    let unspeakable = |c: char| c == '|' || c == '\\' || c.is_control();
    if is_theory(name) || is_let_name(name) || name.starts_with(ESCAPE) || name.contains(unspeakable) {
        let mut text = format!("|{ESCAPE}");
        for c in name.chars() {
            if unspeakable(c) || c == '%' {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| text.push_str(&format!("%{byte:02x}")));
            } else {
                text.push(c);
            }
        }
        text.push('|');
        return Cow::Owned(text);
    }
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(is_symbol_char) && !RESERVED.contains(&name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("|{name}|"))
    }
}

/// The user's name behind an escaped symbol; None for any other symbol.
pub(super) fn unescape(symbol: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = symbol.strip_prefix(ESCAPE)?.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|b| (b as char).to_digit(16));
        bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_survives_its_spelling() {
        let cases = [
            ("x", "x"),
            ("x.addr", "x.addr"),
            ("", "||"),
            ("a b", "|a b|"),
            ("1st", "|1st|"),
            ("let", "|let|"),
            ("select", "|esc:select|"),
            ("fp.add", "|esc:fp.add|"),
            ("a|b\\c%", "|esc:a%7cb%5cc%25|"),
            ("?12", "|esc:?12|"),
            ("esc:x", "|esc:esc:x|"),
            ("größe", "|größe|"),
        ];
        for (name, spelled) in cases {
            assert_eq!(symbol(name), spelled);
            let inner = spelled.trim_matches('|');
            assert_eq!(unescape(inner).unwrap_or(inner.to_string()), name);
        }
    }
}
