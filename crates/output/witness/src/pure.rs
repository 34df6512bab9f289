//! Decides whether a text may be inserted into a program as a condition. A witness may come from anywhere, and its text
//! could close the surrounding expression, call `exit`, divide by zero or assign to a variable; then a verdict about
//! the instrumented program would say nothing about the original. So only expressions without calls, assignments,
//! statements and comments are accepted, whose divisors are constants.

use fathom_explain::scan::Source;

/// Words of types: what may stand in brackets before another bracket.
const TYPE_WORDS: [&str; 13] =
    ["unsigned", "signed", "char", "short", "int", "long", "_Bool", "float", "double", "const", "struct", "enum", "__int128"];

/// Signs that mean another thing together: increments, comments, digraphs and trigraphs.
const REFUSED: [&str; 10] = ["++", "--", "//", "/*", "<%", "%>", "<:", ":>", "%:", "??"];

/// Whether this is one expression without side effects.
pub(crate) fn is_pure(text: &str) -> bool {
    let is_plain = text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) && !text.contains(['\\', ';', '{', '}', '#', '"', '@', '`', '$']);
    if !is_plain || REFUSED.iter().any(|pair| text.contains(pair)) {
        return false;
    }
    let source = Source::new(text);
    !source.tokens.is_empty() && (0..source.tokens.len()).all(|at| is_harmless(&source, at))
}

fn is_harmless(source: &Source<'_>, at: usize) -> bool {
    let touches = |one: usize, other: usize| source.tokens.get(other).is_some_and(|next| source.tokens[one].end() == next.start);
    let before = at.checked_sub(1).filter(|&before| touches(before, at)).map_or("", |before| source.text(before));
    match source.text(at) {
        // A closing bracket without an opening one would end what is around the expression.
        "(" | "[" if source.partner(at).is_none() => false,
        ")" | "]" if source.partner(at).is_none() => false,
        "(" => !is_call(source, at),
        "/" | "%" => is_constant_but_zero(source, at + 1),
        "=" => match before {
            "=" | "!" => true,
            // Not <<= and >>=.
            "<" | ">" => at < 2 || source.text(at - 2) != before || !touches(at - 2, at - 1),
            _ => touches(at, at + 1) && source.text(at + 1) == "=",
        },
        _ => true,
    }
}

/// Whether the operand that begins here is a number other than zero. A division by zero ends the program, so whatever is asserted
/// behind it would hold.
fn is_constant_but_zero(source: &Source<'_>, at: usize) -> bool {
    let number = source.text(at);
    let is_not_zero = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) => digits.contains(|c: char| c.is_ascii_hexdigit() && c != '0'),
        None => number.starts_with(|c: char| c.is_ascii_digit()) && number.contains(|c: char| matches!(c, '1'..='9')),
    };
    // 2[a] is an element of an array.
    is_not_zero && source.text(at + 1) != "["
}

/// Whether this bracket opens the arguments of a call: behind a name, or behind brackets that hold no type.
fn is_call(source: &Source<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    match source.text(before) {
        "sizeof" => false,
        "]" => true,
        ")" => {
            let inside = source.partner(before).map_or(0..0, |open| open + 1..before);
            inside.is_empty() || !inside.into_iter().all(|index| TYPE_WORDS.contains(&source.text(index)) || source.text(index) == "*")
        }
        word => word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_told_from_other_code() {
        for text in [
            "x == y",
            "(unsigned int)x <= 5U && !(y != 3)",
            "a[i] >= -1 || (long long)(x + 1) < 2",
            "p->next == 0 ? x : *p",
            "x << 2 == 4",
            "x % 2 == 0 && n / 0x10u == 1",
            "sizeof(int) == 4",
            "(-2147483647 - 1) <= x",
        ] {
            assert!(is_pure(text), "{text}");
        }
        for text in [
            "",
            "x = 5",
            "x += 5",
            "x <<= 5",
            "x >>=1",
            "x++ < 5",
            "1) || (1",
            "exit(0)",
            "(exit)(0)",
            "(*f)(0)",
            "t[0](1)",
            "({ x; })",
            "(<% x %>)",
            "1 // ",
            "1 /* ",
            "x; y",
            "x == \\\n 1",
            "((x == 1)",
            "\"a\"[0]",
            "1 / x == 5",
            "1 % 0 == 5",
            "1 / 0x0UL == 5",
            "1 / 2[a] == 5",
            "1 / (x - x) == 5",
            "1 / ",
        ] {
            assert!(!is_pure(text), "{text}");
        }
    }
}
