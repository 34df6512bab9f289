//! Conditions as Boogie expressions over variables of the program. Brackets stand around everything that is not a name or a number,
//! but around the operands of one comparison.

use crate::untold::Untold;
use fathom_base::FxMap;
use fathom_ir::{Invariant, Procedure, Program};
use fathom_term::{Op, Sort, Term, TermStore, Value, VarId, VarSets};

/// Longer expressions are unreadable.
const LONGEST: usize = 2000;
const DEEPEST: u32 = 60;

/// What the variables that a procedure sees are called.
pub(crate) fn names(program: &Program, procedure: &Procedure) -> FxMap<VarId, String> {
    let known = program.globals.iter().chain(&procedure.locals).filter(|variable| is_word(&variable.name));
    known.map(|variable| (variable.id, variable.name.clone())).collect()
}

fn is_word(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.$#'`~^?@".contains(c))
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// A condition, or why it can't be written.
pub(crate) fn condition(store: &TermStore, names: &FxMap<VarId, String>, invariant: &Invariant) -> Result<String, Untold> {
    if !invariant.cells.is_empty() {
        return Err(Untold::Memory);
    }
    let is_named = |var: VarId| names.contains_key(&var);
    let written = Writer { store, names }.term(invariant.condition, 0).filter(|text| text.len() <= LONGEST);
    written.map(|text| outer(&text).to_string()).ok_or_else(|| {
        let all = VarSets::default().vars(store, invariant.condition).into_iter().all(is_named);
        if all { Untold::NoForm } else { Untold::Unnamed }
    })
}

/// Without the brackets around everything.
fn outer(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// A side of a comparison: sums and products bind tighter.
fn operand(text: &str) -> &str {
    if text.starts_with("(if ") { text } else { outer(text) }
}

struct Writer<'a> {
    store: &'a TermStore,
    names: &'a FxMap<VarId, String>,
}

impl Writer<'_> {
    fn term(&self, term: Term, depth: u32) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let (args, next) = (self.store.args(term), depth + 1);
        let joined = |sign: &str| {
            let parts = args.iter().map(|&part| self.term(part, next)).collect::<Option<Vec<_>>>()?;
            Some(format!("({})", parts.join(sign)))
        };
        let compared = |sign: &str| {
            let sides = args.iter().map(|&side| self.term(side, next)).collect::<Option<Vec<_>>>()?;
            Some(format!("({})", sides.iter().map(|side| operand(side)).collect::<Vec<_>>().join(sign)))
        };
        let called = |name: &str| {
            let parts = args.iter().map(|&part| self.term(part, next)).collect::<Option<Vec<_>>>()?;
            Some(format!("{name}({})", parts.join(", ")))
        };
        match self.store.op(term) {
            Op::Var(var) => self.names.get(&var).cloned(),
            Op::Const(_) | Op::BigConst(_) => self.constant(term),
            Op::Not => self.negated(args[0], next),
            Op::And => joined(" && "),
            Op::Or => joined(" || "),
            Op::Xor => joined(" != "),
            Op::Eq if self.store.sort(args[0]) == Sort::Bool => joined(" <==> "),
            Op::Eq => compared(" == "),
            Op::IntAdd | Op::RealAdd => self.sum(&args, next),
            Op::IntMul | Op::RealMul => joined(" * "),
            Op::IntNeg | Op::RealNeg => Some(format!("(-{})", self.term(args[0], next)?)),
            Op::IntDiv => joined(" div "),
            Op::IntMod => joined(" mod "),
            Op::RealDiv => joined(" / "),
            Op::IntLt | Op::RealLt => compared(" < "),
            Op::IntLe | Op::RealLe => compared(" <= "),
            Op::IntToReal => called("real"),
            Op::RealToInt => called("int"),
            Op::Select => Some(format!("{}[{}]", self.term(args[0], next)?, outer(&self.term(args[1], next)?))),
            Op::Store => {
                let (map, index, value) = (self.term(args[0], next)?, self.term(args[1], next)?, self.term(args[2], next)?);
                Some(format!("{map}[{} := {}]", outer(&index), outer(&value)))
            }
            Op::Ite => {
                let parts = args.iter().map(|&part| self.term(part, next)).collect::<Option<Vec<_>>>()?;
                Some(format!("(if {} then {} else {})", outer(&parts[0]), parts[1], parts[2]))
            }
            Op::Apply(function) => {
                called(&self.store.function_name(function)).filter(|text| is_word(text.split('(').next().unwrap_or_default()))
            }
            // Bit-vectors have operations of the program's own, floats and quantifiers no short form.
            _ => None,
        }
    }

    fn negated(&self, term: Term, depth: u32) -> Option<String> {
        let args = self.store.args(term);
        let (sign, turned) = match self.store.op(term) {
            Op::Eq if self.store.sort(args[0]) != Sort::Bool => ("!=", "!="),
            Op::IntLt | Op::RealLt => (">=", "<="),
            Op::IntLe | Op::RealLe => (">", "<"),
            _ => return Some(format!("!{}", self.term(term, depth)?)),
        };
        let (left, right) = (self.term(args[0], depth)?, self.term(args[1], depth)?);
        // A constant stands behind the sign.
        match self.store.op(args[1]).is_const() {
            true => Some(format!("({} {sign} {})", operand(&left), operand(&right))),
            false => Some(format!("({} {turned} {})", operand(&right), operand(&left))),
        }
    }

    /// With minus signs where a part is negative.
    fn sum(&self, args: &[Term], depth: u32) -> Option<String> {
        let mut text = String::new();
        for &part in args {
            let negated = self.negative(part);
            let shown = self.term(negated.unwrap_or(part), depth)?;
            match (text.is_empty(), negated.is_some(), shown.strip_prefix('-')) {
                (true, true, _) => text = format!("-{shown}"),
                (true, false, _) => text = shown,
                (false, true, _) => text += &format!(" - {shown}"),
                (false, false, Some(number)) => text += &format!(" - {number}"),
                (false, false, None) => text += &format!(" + {shown}"),
            }
        }
        Some(format!("({text})"))
    }

    /// What a part is the negation of, if it is one: `-x`, or `x * -1`.
    fn negative(&self, part: Term) -> Option<Term> {
        let args = self.store.args(part);
        let is_minus_one = |term: Term| self.constant(term).is_some_and(|text| text == "-1");
        match self.store.op(part) {
            Op::IntNeg | Op::RealNeg => Some(args[0]),
            Op::IntMul if args.len() == 2 && is_minus_one(args[1]) => Some(args[0]),
            Op::IntMul if args.len() == 2 && is_minus_one(args[0]) => Some(args[1]),
            _ => None,
        }
    }

    fn constant(&self, term: Term) -> Option<String> {
        let sort = self.store.sort(term);
        match (self.store.const_value(term)?, sort) {
            (Value::Bits(bits), Sort::Bool) => Some(if bits == 0 { "false" } else { "true" }.into()),
            (Value::Bits(bits), Sort::Bv(width)) => Some(format!("{bits}bv{width}")),
            (Value::Bits(bits), Sort::Int) => Some((bits as i64).to_string()),
            (Value::Int(number), Sort::Int) => Some(number.to_string()),
            (Value::Real(number), Sort::Real) if number.is_integer() => Some(format!("{}.0", number.to_integer())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_boogie() {
        let store = TermStore::new();
        let (x, y, b) = (store.var("x", Sort::Int), store.var("y", Sort::Int), store.var("b", Sort::Bool));
        let names =
            [(x, "x"), (y, "n$1"), (b, "b")].map(|(term, name)| (store.as_var(term).unwrap(), name.to_string())).into_iter().collect();
        let text = |condition| condition_text(&store, &names, condition);
        let number = |value: i64| store.int(value);
        assert_eq!(text(store.build(Op::IntLe, &[x, y])).unwrap(), "x <= n$1");
        assert_eq!(text(store.not(store.eq(x, number(3)))).unwrap().matches("!=").count(), 1);
        assert_eq!(text(store.and(store.build(Op::IntLt, &[number(-1), x]), b)).unwrap().matches(" && ").count(), 1);
        let hidden = store.var("hidden", Sort::Int);
        assert_eq!(text(store.eq(hidden, x)), Err(Untold::Unnamed));
    }

    fn condition_text(store: &TermStore, names: &FxMap<VarId, String>, condition: Term) -> Result<String, Untold> {
        super::condition(store, names, &Invariant { condition, cells: Vec::new() })
    }
}
