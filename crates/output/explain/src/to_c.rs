//! Conditions as C expressions over variables of the source. Bit-vectors become unsigned arithmetic of their width, so that
//! nothing overflows and every operation means what it meant; a term that has no such form is left out.

use fathom_base::FxMap;
use fathom_term::{Op, Sort, Term, TermStore, VarId};

/// A variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub name: String,
    pub signed: bool,
}

/// An expression of a type of this many bits.
#[derive(Clone)]
struct Expression {
    text: String,
    width: u32,
    signed: bool,
    binding: Binding,
}

/// Where an expression needs no brackets.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Binding {
    /// Everywhere.
    Atom,
    /// Beside a comparison.
    Arithmetic,
    Loose,
}

/// Longer expressions are not worth reading.
const LONGEST: usize = 2000;
const DEEPEST: u32 = 40;

/// Writes terms over these variables.
pub(crate) struct Writer<'a> {
    pub store: &'a TermStore,
    pub names: &'a FxMap<VarId, Named>,
}

fn c_type(width: u32, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, false) => "unsigned char",
        (8, true) => "signed char",
        (16, false) => "unsigned short",
        (16, true) => "short",
        (32, false) => "unsigned int",
        (32, true) => "int",
        (64, false) => "unsigned long long",
        (64, true) => "long long",
        _ => return None,
    })
}

impl Expression {
    fn bracketed(&self) -> String {
        if self.binding == Binding::Atom { self.text.clone() } else { format!("({})", self.text) }
    }

    fn beside_comparison(&self) -> String {
        if self.binding == Binding::Arithmetic { self.text.clone() } else { self.bracketed() }
    }

    fn to(&self, width: u32, signed: bool) -> Option<Expression> {
        if (self.width, self.signed) == (width, signed) {
            return Some(self.clone());
        }
        let text = format!("({}){}", c_type(width, signed)?, self.bracketed());
        Some(Expression { text, width, signed, binding: Binding::Atom })
    }
}

/// A constant of a type.
fn literal(bits: u64, width: u32, signed: bool) -> Option<Expression> {
    c_type(width, signed)?;
    let text = match (signed, width) {
        (false, 64) => format!("{bits}ULL"),
        (false, 32) => format!("{bits}U"),
        (false, _) => bits.to_string(),
        (true, _) => {
            let value = ((bits << (64 - width)) as i64) >> (64 - width);
            let suffix = if width == 64 { "LL" } else { "" };
            match value {
                i64::MIN => "(-9223372036854775807LL - 1)".into(),
                value if width == 32 && value == i64::from(i32::MIN) => "(-2147483647 - 1)".into(),
                value if value < 0 => format!("({value}{suffix})"),
                value => format!("{value}{suffix}"),
            }
        }
    };
    Some(Expression { text, width, signed, binding: Binding::Atom })
}

impl Writer<'_> {
    /// A condition; none if it can't be written.
    pub fn condition(&self, term: Term) -> Option<String> {
        // `true` and `false` need not be told.
        self.store.const_bool(term).is_none().then(|| self.boolean(term, 0)).flatten().filter(|text| text.len() <= LONGEST)
    }

    fn boolean(&self, term: Term, depth: u32) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let (args, next) = (self.store.args(term), depth + 1);
        let joined = |sign: &str| -> Option<String> {
            let parts = args.iter().map(|&part| self.boolean(part, next)).collect::<Option<Vec<_>>>()?;
            Some(parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(sign))
        };
        match self.store.op(term) {
            Op::Const(bits) => Some(bits.to_string()),
            Op::Var(var) => self.names.get(&var).map(|named| format!("{} != 0", named.name)),
            Op::Not => self.negated(args[0], next),
            Op::And => joined(" && "),
            Op::Or => joined(" || "),
            Op::Xor => joined(" != "),
            Op::Eq if self.store.sort(args[0]) == Sort::Bool => joined(" == "),
            Op::Eq => self.compared(args[0], args[1], "==", None, next),
            Op::BvUlt => self.within(args[0], args[1], false).or_else(|| self.compared(args[0], args[1], "<", Some(false), next)),
            Op::BvSlt => self.compared(args[0], args[1], "<", Some(true), next),
            Op::Ite => {
                let parts = args.iter().map(|&part| self.boolean(part, next)).collect::<Option<Vec<_>>>()?;
                Some(format!("({}) ? ({}) : ({})", parts[0], parts[1], parts[2]))
            }
            _ => None,
        }
    }

    fn negated(&self, term: Term, depth: u32) -> Option<String> {
        let args = self.store.args(term);
        match self.store.op(term) {
            Op::Var(var) => self.names.get(&var).map(|named| format!("{} == 0", named.name)),
            Op::Eq if self.store.sort(args[0]) != Sort::Bool => self.compared(args[0], args[1], "!=", None, depth),
            Op::BvUlt => self.within(args[0], args[1], true).or_else(|| self.compared(args[1], args[0], "<=", Some(false), depth)),
            Op::BvSlt => self.compared(args[1], args[0], "<=", Some(true), depth),
            _ => Some(format!("!({})", self.boolean(term, depth)?)),
        }
    }

    /// `left < right`, or its opposite, as what it says of a variable: `x - 3 <= 4` is `x >= 3 && x <= 7`.
    fn within(&self, left: Term, right: Term, is_negated: bool) -> Option<String> {
        let constant = |term| self.store.const_bits(term);
        let (shifted, (first, last)) = match (self.shifted(left), self.shifted(right)) {
            (Some(shifted), None) => {
                let bound = constant(right)?;
                (shifted, if is_negated { (bound, u64::MAX) } else { (0, bound.checked_sub(1)?) })
            }
            (None, Some(shifted)) => {
                let bound = constant(left)?;
                (shifted, if is_negated { (0, bound) } else { (bound.checked_add(1)?, u64::MAX) })
            }
            _ => return None,
        };
        let (named, offset, width) = shifted;
        let mask = u64::MAX >> (64 - width);
        let (first, last) = ((first & mask).wrapping_sub(offset) & mask, (last & mask).wrapping_sub(offset) & mask);
        // All values, or none.
        if last.wrapping_add(1) & mask == first {
            return None;
        }
        let number = |bits: u64| literal(bits & mask, width, named.signed).map(|constant| constant.text);
        let name = &named.name;
        // Maps the order of the type to that of unsigned numbers.
        let order = |bits: u64| if named.signed { bits ^ (mask ^ (mask >> 1)) } else { bits };
        let (low, high) = (order(first), order(last));
        Some(match () {
            () if first == last => format!("{name} == {}", number(first)?),
            () if last.wrapping_add(2) & mask == first => format!("{name} != {}", number(last.wrapping_add(1))?),
            () if low <= high && low == 0 => format!("{name} <= {}", number(last)?),
            () if low <= high && high == mask => format!("{name} >= {}", number(first)?),
            () if low <= high => format!("{name} >= {} && {name} <= {}", number(first)?, number(last)?),
            () => format!("{name} <= {} || {name} >= {}", number(last)?, number(first)?),
        })
    }

    /// A variable with a constant added to it.
    fn shifted(&self, term: Term) -> Option<(&Named, u64, u32)> {
        let args = self.store.args(term);
        let Sort::Bv(width @ (8 | 16 | 32 | 64)) = self.store.sort(term) else { return None };
        if self.store.op(term) != Op::BvAdd || args.len() != 2 {
            return None;
        }
        let pair = |var: Term, constant: Term| Some((self.names.get(&self.store.as_var(var)?)?, self.store.const_bits(constant)?, width));
        pair(args[0], args[1]).or_else(|| pair(args[1], args[0]))
    }

    /// A comparison, of signed numbers or not; equality takes them as they come.
    fn compared(&self, left: Term, right: Term, sign: &str, signed: Option<bool>, depth: u32) -> Option<String> {
        let Sort::Bv(width) = self.store.sort(left) else { return None };
        let balanced = if signed.is_none() { self.balanced(left, right, width) } else { None };
        let (left, right) = balanced.unwrap_or((left, right));
        let constant = |term| self.store.const_bits(term);
        let (left, right) = match (constant(left), constant(right)) {
            (None, None) => {
                let (a, b) = (self.number(left, depth)?, self.number(right, depth)?);
                let signed = signed.unwrap_or(a.signed && b.signed);
                (a.to(width, signed)?, b.to(width, signed)?)
            }
            (None, Some(bits)) => {
                let a = self.number(left, depth)?;
                let signed = signed.unwrap_or(a.signed);
                (a.to(width, signed)?, literal(bits, width, signed)?)
            }
            (Some(bits), None) => {
                let b = self.number(right, depth)?;
                let signed = signed.unwrap_or(b.signed);
                (literal(bits, width, signed)?, b.to(width, signed)?)
            }
            (Some(_), Some(_)) => return None,
        };
        // People expect the constant behind the sign: `i < 10`, not `10 > i`.
        if constant_first(&left, &right) {
            let turned = match sign {
                "<" => ">",
                "<=" => ">=",
                other => other,
            };
            return Some(format!("{} {turned} {}", right.beside_comparison(), left.beside_comparison()));
        }
        Some(format!("{} {sign} {}", left.beside_comparison(), right.beside_comparison()))
    }

    /// The two sides of an equation with what is subtracted on the other side: `y - 2 * x == 0` is `y == 2 * x`. None where nothing is
    /// subtracted. Right for numbers of a fixed width, which are a ring.
    fn balanced(&self, left: Term, right: Term, width: u32) -> Option<(Term, Term)> {
        if width > 64 {
            return None;
        }
        let mask = u64::MAX >> (64 - width);
        // Half of all numbers is its own negation.
        let is_negative = |factor: u64| factor > (mask >> 1) + 1;
        let mut parts = self.multiples(left, mask);
        let mut others = self.multiples(right, mask);
        let subtracts = |parts: &[(u64, Option<Term>)]| parts.iter().any(|&(factor, term)| term.is_some() && is_negative(factor));
        if !subtracts(&parts) && !subtracts(&others) {
            return None;
        }
        others.iter_mut().for_each(|(factor, _)| *factor = factor.wrapping_neg() & mask);
        parts.extend(others);
        let all_negative = parts.iter().all(|&(factor, term)| term.is_none() || is_negative(factor));
        if all_negative {
            parts.iter_mut().for_each(|(factor, _)| *factor = factor.wrapping_neg() & mask);
        }
        let store = self.store;
        let mut sides = [store.bv(0, width), store.bv(0, width)];
        let mut constant = 0_u64;
        for (factor, term) in parts {
            let Some(term) = term else {
                constant = constant.wrapping_add(factor) & mask;
                continue;
            };
            let (side, factor) = if is_negative(factor) { (1, factor.wrapping_neg() & mask) } else { (0, factor) };
            sides[side] = store.bv_add(sides[side], store.bv_mul(store.bv(factor, width), term));
        }
        // A constant that stands alone on the right may be negative; beside other terms it would be a subtraction.
        let is_alone = store.const_bits(sides[1]).is_some();
        let (side, constant) = if is_negative(constant) || is_alone { (1, constant.wrapping_neg() & mask) } else { (0, constant) };
        sides[side] = store.bv_add(sides[side], store.bv(constant, width));
        Some((sides[0], sides[1]))
    }

    /// The parts of a sum with their factors; what has no term is a constant.
    fn multiples(&self, term: Term, mask: u64) -> Vec<(u64, Option<Term>)> {
        let args = self.store.args(term);
        let scaled = |by: u64, term: Term| -> Vec<_> {
            self.multiples(term, mask).into_iter().map(|(factor, term)| (factor.wrapping_mul(by) & mask, term)).collect()
        };
        match self.store.op(term) {
            Op::Const(bits) => vec![(bits, None)],
            Op::BvAdd => args.iter().flat_map(|&part| self.multiples(part, mask)).collect(),
            Op::BvNeg => scaled(mask, args[0]),
            Op::BvMul if args.len() == 2 => match (self.store.const_bits(args[0]), self.store.const_bits(args[1])) {
                (Some(by), _) => scaled(by, args[1]),
                (_, Some(by)) => scaled(by, args[0]),
                _ => vec![(1, Some(term))],
            },
            _ => vec![(1, Some(term))],
        }
    }

    /// The two sides of a difference.
    fn difference(&self, term: Term) -> Option<(Term, Term)> {
        let args = self.store.args(term);
        if self.store.op(term) != Op::BvAdd || args.len() != 2 {
            return None;
        }
        let negated = |term: Term| (self.store.op(term) == Op::BvNeg).then(|| self.store.arg(term, 0));
        negated(args[1]).map(|b| (args[0], b)).or_else(|| negated(args[0]).map(|b| (args[1], b)))
    }

    fn number(&self, term: Term, depth: u32) -> Option<Expression> {
        let Sort::Bv(width) = self.store.sort(term) else { return None };
        c_type(width, false).filter(|_| depth <= DEEPEST)?;
        let (args, next) = (self.store.args(term), depth + 1);
        if let Some((a, b)) = self.difference(term) {
            return self.arithmetic(&[a, b], "-", width, next);
        }
        match self.store.op(term) {
            Op::Var(var) => {
                let named = self.names.get(&var)?;
                Some(Expression { text: named.name.clone(), width, signed: named.signed, binding: Binding::Atom })
            }
            Op::Const(bits) => literal(bits, width, false),
            Op::BvAdd => self.arithmetic(&args, "+", width, next),
            // C would multiply two shorts as signed numbers, which may overflow.
            Op::BvMul if width != 16 => self.arithmetic(&args, "*", width, next),
            Op::BvAnd => self.arithmetic(&args, "&", width, next),
            Op::BvOr => self.arithmetic(&args, "|", width, next),
            Op::BvXor => self.arithmetic(&args, "^", width, next),
            Op::BvNeg => self.prefixed("-", args[0], width, next),
            Op::BvNot => self.prefixed("~", args[0], width, next),
            Op::BvUdiv if self.store.const_bits(args[1]).is_some_and(|bits| bits != 0) => self.arithmetic(&args, "/", width, next),
            Op::BvUrem if self.store.const_bits(args[1]).is_some_and(|bits| bits != 0) => self.arithmetic(&args, "%", width, next),
            Op::BvZeroExtend(_) => {
                let Sort::Bv(inner) = self.store.sort(args[0]) else { return None };
                self.number(args[0], next)?.to(inner, false)?.to(width, false)
            }
            Op::BvSignExtend(_) => {
                let Sort::Bv(inner) = self.store.sort(args[0]) else { return None };
                self.number(args[0], next)?.to(inner, true)?.to(width, true)
            }
            Op::BvExtract { low: 0, .. } => self.number(args[0], next)?.to(width, false),
            Op::Ite => {
                let (then, otherwise) = (self.number(args[1], next)?.to(width, false)?, self.number(args[2], next)?.to(width, false)?);
                let text = format!("({}) ? {} : {}", self.boolean(args[0], next)?, then.bracketed(), otherwise.bracketed());
                Some(Expression { text, width, signed: false, binding: Binding::Loose })
            }
            _ => None,
        }
    }

    /// Unsigned arithmetic, cut to the width where C would compute with more.
    fn arithmetic(&self, args: &[Term], sign: &str, width: u32, depth: u32) -> Option<Expression> {
        let operand = |&term: &Term| Some(self.number(term, depth)?.to(width, false)?.bracketed());
        let text = args.iter().map(operand).collect::<Option<Vec<_>>>()?.join(&format!(" {sign} "));
        let binding = if matches!(sign, "&" | "|" | "^") { Binding::Loose } else { Binding::Arithmetic };
        Expression { text, width: width.max(32), signed: width < 32, binding }.to(width, false)
    }

    fn prefixed(&self, sign: &str, arg: Term, width: u32, depth: u32) -> Option<Expression> {
        let text = format!("{sign}{}", self.number(arg, depth)?.to(width, false)?.bracketed());
        Expression { text, width: width.max(32), signed: width < 32, binding: Binding::Arithmetic }.to(width, false)
    }
}

fn constant_first(left: &Expression, right: &Expression) -> bool {
    let is_number = |text: &str| text.trim_start_matches(['(', '-']).starts_with(|c: char| c.is_ascii_digit());
    is_number(&left.text) && !is_number(&right.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_c() {
        let store = TermStore::new();
        let (x, y, c) = (store.var("x!1", Sort::Bv(32)), store.var("y!1", Sort::Bv(32)), store.var("c!1", Sort::Bv(8)));
        let names = [(x, "x", true), (y, "y", false), (c, "c", true)];
        let names =
            names.into_iter().map(|(term, name, signed)| (store.as_var(term).unwrap(), Named { name: name.into(), signed })).collect();
        let writer = Writer { store: &store, names: &names };
        let text = |term| writer.condition(term).unwrap();
        let number = |value: u64| store.bv(value, 32);
        assert_eq!(text(store.bv_slt(x, number(5))), "x < 5");
        assert_eq!(text(store.bv_ult(x, number(5))), "(unsigned int)x < 5U");
        assert_eq!(text(store.not(store.bv_slt(x, number(0xffff_fffe)))), "x >= (-2)");
        assert_eq!(text(store.eq(x, y)), "(unsigned int)x == y");
        let minus = |factor: u64, term| store.bv_mul(number(u64::from(u32::MAX) + 1 - factor), term);
        let zero = number(0);
        assert_eq!(text(store.eq(store.bv_add(x, minus(2, y)), zero)), "(unsigned int)x == y * 2U");
        assert_eq!(text(store.eq(store.bv_add(minus(1, x), minus(1, y)), number(7))), "(unsigned int)x + y == 4294967289U");
        assert_eq!(text(store.eq(store.bv_add(store.bv_add(x, minus(3, y)), number(5)), zero)), "(unsigned int)x + 5U == y * 3U");
        assert_eq!(text(store.eq(store.bv_mul(number(1 << 31), y), zero)), "y * 2147483648U == 0U");
        assert_eq!(text(store.eq(store.bv_add(y, number(3)), x)).matches("y + 3U").count(), 1);
        assert_eq!(text(store.bv_ult(store.bv_mul(c, c), store.bv(7, 8))), "(unsigned char)((unsigned char)c * (unsigned char)c) < 7");
        let minus_three = store.bv_add(x, number(3u32.wrapping_neg().into()));
        assert_eq!(text(store.bv_ule(minus_three, number(4))), "x >= 3 && x <= 7");
        assert_eq!(text(store.bv_ult(number(4), minus_three)), "x <= 2 || x >= 8");
        assert_eq!(text(store.bv_ult(number(4), store.bv_add(y, number(1)))), "y >= 4U && y <= 4294967294U");
        assert_eq!(text(store.bv_ule(store.bv_add(x, number(0xffff_ffff)), number(0xffff_fffe))), "x != 0");
        assert_eq!(text(store.bv_ule(store.bv_add(x, number(1 << 31)), number((1 << 31) + 4))), "x <= 4");
        assert_eq!(writer.condition(store.bool(true)), None);
        let hidden = store.var("hidden", Sort::Bv(32));
        assert_eq!(writer.condition(store.eq(hidden, x)), None);
    }
}
