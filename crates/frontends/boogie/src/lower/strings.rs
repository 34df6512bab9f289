//! Built-in functions of strings (`str.++`, `str.len`, ...) on literals, by the definitions of SMT-LIB. Other strings are the
//! solver's.

use super::Lowerer;
use fathom_term::{Sort, Term, Value};
use num_bigint::BigInt;

/// An argument that is known.
enum KnownArgument {
    Text(String),
    Number(BigInt),
}

enum Computed {
    Text(String),
    Number(BigInt),
    Truth(bool),
}

impl Lowerer<'_> {
    /// The value of a built-in function of strings, if the arguments are known.
    pub(super) fn string_function(&mut self, name: &str, args: &[Term], result: Sort) -> Option<Term> {
        let known: Vec<KnownArgument> = args.iter().map(|&arg| self.known(arg)).collect::<Option<_>>()?;
        let term = match compute(name, &known)? {
            Computed::Text(text) if matches!(result, Sort::Opaque(_)) => self.string(&text.into(), result),
            Computed::Number(number) => self.store.int(number),
            Computed::Truth(truth) => self.store.bool(truth),
            Computed::Text(_) => return None,
        };
        (self.store.sort(term) == result).then_some(term)
    }

    fn known(&self, arg: Term) -> Option<KnownArgument> {
        // Escapes and characters beyond ASCII are read differently by different solvers.
        let text = self.strings.iter().find(|(_, term)| **term == arg).map(|(text, _)| text);
        if let Some(text) = text {
            return (text.is_ascii() && !text.contains('\\')).then(|| KnownArgument::Text(text.to_string()));
        }
        match self.store.const_value(arg)? {
            Value::Int(number) => Some(KnownArgument::Number((*number).clone())),
            _ => None,
        }
    }
}

fn compute(name: &str, args: &[KnownArgument]) -> Option<Computed> {
    use KnownArgument::{Number, Text};
    Some(match (name, args) {
        ("str.++", [Text(a), Text(b)]) => Computed::Text(format!("{a}{b}")),
        ("str.len", [Text(a)]) => Computed::Number(a.len().into()),
        ("str.substr", [Text(a), Number(from), Number(length)]) => Computed::Text(part(a, from, length)),
        ("str.at", [Text(a), Number(at)]) => Computed::Text(part(a, at, &1.into())),
        ("str.indexof", [Text(a), Text(b)]) => Computed::Number(position(a, b, &0.into())),
        ("str.indexof", [Text(a), Text(b), Number(from)]) => Computed::Number(position(a, b, from)),
        ("str.contains", [Text(a), Text(b)]) => Computed::Truth(a.contains(b.as_str())),
        ("str.prefixof", [Text(a), Text(b)]) => Computed::Truth(b.starts_with(a.as_str())),
        ("str.suffixof", [Text(a), Text(b)]) => Computed::Truth(b.ends_with(a.as_str())),
        ("str.replace", [Text(a), Text(b), Text(c)]) => Computed::Text(a.replacen(b.as_str(), c, 1)),
        ("str.to.int" | "str.to_int", [Text(a)]) => {
            let digits = !a.is_empty() && a.bytes().all(|byte| byte.is_ascii_digit());
            Computed::Number(a.parse().ok().filter(|_| digits).unwrap_or_else(|| (-1).into()))
        }
        ("int.to.str" | "str.from_int", [Number(number)]) => {
            Computed::Text(if number.sign() == num_bigint::Sign::Minus { String::new() } else { number.to_string() })
        }
        ("str.<", [Text(a), Text(b)]) => Computed::Truth(a < b),
        ("str.<=", [Text(a), Text(b)]) => Computed::Truth(a <= b),
        _ => return None,
    })
}

/// At most `length` characters from a place on; none if the place is outside.
fn part(text: &str, from: &BigInt, length: &BigInt) -> String {
    let (Ok(from), Ok(length)) = (usize::try_from(from), usize::try_from(length.min(&text.len().into()))) else {
        return String::new();
    };
    text.get(from..).map(|rest| rest.chars().take(length).collect()).unwrap_or_default()
}

/// Where a text first occurs from a place on; -1 if nowhere.
fn position(text: &str, what: &str, from: &BigInt) -> BigInt {
    let found = usize::try_from(from).ok().and_then(|from| Some(from + text.get(from..)?.find(what)?));
    found.map_or_else(|| (-1).into(), BigInt::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_the_definitions() {
        let number = |n: i64| BigInt::from(n);
        assert_eq!(part("abcd", &number(1), &number(2)), "bc");
        assert_eq!(part("abcd", &number(3), &number(9)), "d");
        assert_eq!(part("abcd", &number(4), &number(1)), "");
        assert_eq!(part("abcd", &number(-1), &number(2)), "");
        assert_eq!(part("abcd", &number(1), &number(-2)), "");
        assert_eq!(position("abcdabcd", "cd", &number(3)), number(6));
        assert_eq!(position("abcd", "", &number(4)), number(4));
        assert_eq!(position("abcd", "a", &number(5)), number(-1));
        assert_eq!(position("abcd", "dc", &number(0)), number(-1));
    }
}
