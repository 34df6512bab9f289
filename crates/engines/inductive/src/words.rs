//! Measures for people: variables by the names that the source gives them, widths left out, `n - i` for a sum with a negation.

use fathom_term::{Op, Sort, Term, TermStore, Value};
use num_bigint::{BigInt, Sign};

/// More nodes than this are not readable.
const MOST_NODES: usize = 40;
/// Larger numbers are taken for addresses.
const PLACE_BITS: u64 = 41;

/// The term in the notation of C, without casts.
pub fn words(store: &TermStore, term: Term) -> String {
    if store.subterms([term]).nth(MOST_NODES).is_some() {
        return "a term of the flat program".to_string();
    }
    text(store, term)
}

/// Measures are small (see `words`), so this is not deep.
fn text(store: &TermStore, term: Term) -> String {
    let args = store.args(term);
    let arg = |at: usize| text(store, args[at]);
    let nested = |at: usize| match store.op(args[at]) {
        Op::BvAdd | Op::BvMul | Op::IntAdd | Op::IntMul | Op::BvNeg | Op::IntNeg => format!("({})", text(store, args[at])),
        _ => text(store, args[at]),
    };
    match store.op(term) {
        Op::Var(var) => name(&store.var_name(var)),
        op if op.is_const() => number(store, term),
        Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvToInt => arg(0),
        Op::BvConcat if store.const_bits(args[0]) == Some(0) => arg(1),
        Op::BvExtract { low: 0, .. } => arg(0),
        Op::BvAdd | Op::IntAdd => sum(store, &args),
        Op::BvMul | Op::IntMul => args.iter().enumerate().map(|(at, _)| nested(at)).collect::<Vec<_>>().join(" * "),
        Op::BvNeg | Op::IntNeg => format!("-{}", nested(0)),
        Op::BvSlt | Op::BvUlt | Op::IntLt => format!("{} < {}", nested(0), nested(1)),
        Op::IntLe => format!("{} <= {}", nested(0), nested(1)),
        Op::Eq => format!("{} == {}", nested(0), nested(1)),
        Op::Not => format!("!({})", arg(0)),
        Op::And => args.iter().map(|&arg| text(store, arg)).collect::<Vec<_>>().join(" && "),
        Op::Or => args.iter().map(|&arg| text(store, arg)).collect::<Vec<_>>().join(" || "),
        // `a < b ? b : a` is the larger of the two.
        Op::Ite if store.op(args[0]) == Op::BvSlt && compared(store, args[0]) == [arg(2), arg(1)] => {
            format!("max({}, {})", arg(2), arg(1))
        }
        Op::Ite => format!("({} ? {} : {})", arg(0), arg(1), arg(2)),
        Op::Select => format!("{}[{}]", arg(0), arg(1)),
        op => {
            let args: Vec<String> = args.iter().map(|&arg| text(store, arg)).collect();
            format!("{op:?}({})", args.join(", "))
        }
    }
}

/// The sides of a comparison, which may be written in fewer bits than what is chosen by it.
fn compared(store: &TermStore, comparison: Term) -> [String; 2] {
    [0, 1].map(|at| text(store, store.arg(comparison, at)))
}

fn sum(store: &TermStore, args: &[Term]) -> String {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for &arg in args {
        match store.op(arg) {
            Op::BvNeg | Op::IntNeg => minus.push(text(store, store.arg(arg, 0))),
            op if op.is_const() => match number(store, arg).strip_prefix('-') {
                Some(positive) => minus.push(positive.to_string()),
                None => plus.push(number(store, arg)),
            },
            _ => plus.push(text(store, arg)),
        }
    }
    let mut all = plus.join(" + ");
    for part in minus {
        let part = if part.contains(' ') && !part.starts_with("max(") { format!("({part})") } else { part };
        all += &if all.is_empty() { format!("-{part}") } else { format!(" - {part}") };
    }
    all
}

/// In two's complement. A number as large as those at which objects lie says nothing to a reader.
fn number(store: &TermStore, term: Term) -> String {
    let value = match (store.sort(term), store.const_value(term)) {
        (Sort::Bv(width), Some(value @ (Value::Bits(_) | Value::Wide(_)))) => {
            let bits = BigInt::from(value.to_biguint());
            let whole = BigInt::from(1) << width;
            if &bits * 2 >= whole { bits - whole } else { bits }
        }
        (_, Some(Value::Int(value))) => (*value).clone(),
        _ => return "a constant".to_string(),
    };
    match value.magnitude().bits() > PLACE_BITS && value.magnitude().count_ones() > 1 {
        true if value.sign() == Sign::Minus => "-its object".to_string(),
        true => "its object".to_string(),
        false => value.to_string(),
    }
}

/// Copies of a procedure's variables have numbers behind their names.
fn name(full: &str) -> String {
    let name = full.split(['@', '#', '!']).next().unwrap_or(full);
    let name = name.rsplit(['.', ':']).find(|part| part.starts_with(|first: char| first.is_alphabetic() || first == '_')).unwrap_or(name);
    if name.is_empty() { full.to_string() } else { name.to_string() }
}
