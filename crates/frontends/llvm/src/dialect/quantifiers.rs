//! Quantifiers become expressions of GNU C. Where `forall` is asserted, or `exists` assumed, one arbitrary value stands
//! for all (Skolem): a variable without an initial value, on every path anew. Anywhere else a loop tries every value
//! between the bounds that the body itself states. These may include values that do not matter, because the whole body
//! is evaluated for each. Without such bounds all values are tried for a type of at most 16 bits; wider types are
//! unsupported. A quantifier must not cause violations, so clang's checks are off in it, and memory that it reads need
//! not exist: its lines get another file name (`WITHOUT_CHECKS`), by which the translation recognises them.

use super::rewrite::{Demand, Rewriter};
use super::tokens::{Node, blanks, flat, show, split, trim};
use super::unchecked::{Pragmas, Unchecked};

/// Where such a part begins and ends, until lines are counted.
const BEGIN: char = '\u{1}';
const END: char = '\u{2}';
/// How lines begin that switch checks off and on.
const PRAGMA: &str = "#pragma CPROVER check";

/// A quantifier over one variable.
pub struct Quantifier<'a> {
    is_forall: bool,
    ty: String,
    variable: String,
    body: &'a [Node],
}

/// A bound of the variable that the body names: an expression, which itself may belong or not.
#[derive(Debug, PartialEq, Eq)]
enum Bound {
    Least(String, bool),
    Most(String, bool),
}

/// Whether braces behind this word belong to an expression.
pub fn is_block(word: &str) -> bool {
    matches!(word, "__CPROVER_forall" | "__CPROVER_exists")
}

/// The quantifier that these nodes are: `__CPROVER_forall { T i; P }` or `__ESBMC_forall(&i, P)`.
pub fn quantifier(nodes: &[Node]) -> Option<Quantifier<'_>> {
    let (name, rest) = nodes.split_first()?;
    let [group] = trim(rest) else { return None };
    let (is_forall, is_block) = match name.word()? {
        "__CPROVER_forall" => (true, true),
        "__CPROVER_exists" => (false, true),
        "__ESBMC_forall" => (true, false),
        "__ESBMC_exists" => (false, false),
        _ => return None,
    };
    if is_block {
        let inner = group.inside('{')?;
        let end = inner.iter().position(|node| node.is(";"))?;
        let (declaration, body) = (trim(&inner[..end]), trim(&inner[end + 1..]));
        let (variable, ty) = declaration.split_last()?;
        if declaration.iter().any(|node| node.is(",")) {
            return None;
        }
        let body = body.strip_suffix(&[Node::Other(";".into())]).unwrap_or(body);
        return Some(Quantifier { is_forall, ty: flat(ty), variable: variable.word()?.to_string(), body });
    }
    let inner = group.inside('(')?;
    let end = inner.iter().position(|node| node.is(","))?;
    let [address, variable] = trim(&inner[..end]) else { return None };
    let variable = variable.word().filter(|_| address.is("&"))?;
    Some(Quantifier { is_forall, ty: format!("__typeof__({variable})"), variable: variable.to_string(), body: &inner[end + 1..] })
}

pub fn rewrite(rewriter: &mut Rewriter, found: &Quantifier, demand: Demand) -> Vec<Node> {
    rewriter.quantifiers += 1;
    let Quantifier { ty, variable, .. } = found;
    let one_stands_for_all = demand == if found.is_forall { Demand::Asserted } else { Demand::Assumed };
    if one_stands_for_all {
        let body = show(&rewriter.expression(found.body, demand));
        return vec![Node::Other(format!("({{{BEGIN} {ty} {variable}; (_Bool)({body}); {END}}})"))];
    }
    let number = rewriter.quantifiers;
    let bounds = bounds(found);
    let body = flat(&rewriter.expression(found.body, Demand::Value));
    let (start, stops) = if found.is_forall { ("1", "!") } else { ("0", "") };
    let end = if found.is_forall { "0" } else { "1" };
    let (low, high) = (low(ty, &bounds), high(ty, &bounds));
    if bounds.len() < 2 {
        rewriter.used.insert("fathom_unsupported".into());
    }
    let text = format!(
        "({{{BEGIN} _Bool fathom_holds_{number} = {start}; long long fathom_low_{number} = {low}; \
         long long fathom_high_{number} = {high}; \
         for (long long fathom_at_{number} = fathom_low_{number}; fathom_at_{number} <= fathom_high_{number}; fathom_at_{number}++) {{ \
         {ty} {variable} = ({ty})fathom_at_{number}; if ({stops}({body})) {{ fathom_holds_{number} = {end}; break; }} }} \
         fathom_holds_{number}; {END}}})"
    );
    let mut nodes = vec![Node::Other(text)];
    nodes.extend(blanks(found.body));
    nodes
}

/// The first value that is tried.
fn low(ty: &str, bounds: &[Bound]) -> String {
    let least = format!("(({ty})-1 < ({ty})0 ? -(1LL << (8 * sizeof({ty}) - 2)) * 2 : 0)");
    let found = bounds.iter().find_map(|bound| match bound {
        Bound::Least(value, belongs) => Some((value, belongs)),
        Bound::Most(..) => None,
    });
    match found {
        // A comparison of unsigned numbers says nothing of a negative one.
        Some((value, belongs)) => {
            let common = format!("__typeof__(({ty})0 + ({value}))");
            let limit = limit(&common, value);
            let next = if *belongs { "" } else { " + 1" };
            format!("((({ty})-1 < ({ty})0 && !(({common})-1 < ({common})0)) || {limit} < {least} ? {least} : {limit}{next})")
        }
        None => format!("(({ty})-1 < ({ty})0 && sizeof({ty}) > 2 ? (fathom_unsupported(\"an unbounded quantifier\"), 0) : {least})"),
    }
}

/// The last value that is tried.
fn high(ty: &str, bounds: &[Bound]) -> String {
    let found = bounds.iter().find_map(|bound| match bound {
        Bound::Most(value, belongs) => Some((value, belongs)),
        Bound::Least(..) => None,
    });
    let small = |bits: &str| format!("(sizeof({ty}) > 4 ? 0x7fffffffffffffffLL : (1LL << (8 * sizeof({ty}){bits} & 63)) - 1)");
    let most = format!("(({ty})-1 < ({ty})0 ? {} : {})", small(" - 1"), small(""));
    match found {
        Some((value, belongs)) => {
            let limit = limit(&format!("__typeof__(({ty})0 + ({value}))"), value);
            let before = if *belongs { "" } else { " - 1" };
            format!("({limit} > {most} ? {most} : {limit}{before})")
        }
        None => format!("(sizeof({ty}) > 2 ? (fathom_unsupported(\"an unbounded quantifier\"), 0) : {most})"),
    }
}

/// The value as a signed number; what is too large for one is the largest.
fn limit(ty: &str, value: &str) -> String {
    format!(
        "(({ty})({value}) > 0 && (unsigned long long)({ty})({value}) > 0x7fffffffffffffffULL ? 0x7fffffffffffffffLL : (long long)({ty})({value}))"
    )
}

fn bounds(found: &Quantifier) -> Vec<Bound> {
    let mut all = Vec::new();
    match found.is_forall {
        true => alternatives(found.body, &found.variable, &mut all),
        false => conditions(found.body, &found.variable, false, &mut all),
    }
    let least = all.iter().position(|bound| matches!(bound, Bound::Least(..)));
    let most = all.iter().position(|bound| matches!(bound, Bound::Most(..)));
    let mut chosen: Vec<usize> = least.into_iter().chain(most).collect();
    chosen.sort_unstable();
    all.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, bound)| bound).collect()
}

/// What a value must fulfil for the body to be false: the body is a disjunction or an implication.
fn alternatives(body: &[Node], variable: &str, all: &mut Vec<Bound>) {
    let body = trim(body);
    if let [Node::Group('(', inner)] = body {
        return alternatives(inner, variable, all);
    }
    let sides = split(body, "==>");
    if let [left @ .., right] = &sides[..]
        && !left.is_empty()
    {
        left.iter().for_each(|side| conditions(side, variable, false, all));
        return alternatives(right, variable, all);
    }
    if body.iter().any(|node| node.is("?")) {
        return;
    }
    for part in split(body, "||") {
        match trim(part) {
            [not, Node::Group('(', inner)] if not.is("!") => conditions(inner, variable, false, all),
            [Node::Group('(', inner)] => alternatives(inner, variable, all),
            part => conditions(part, variable, true, all),
        }
    }
}

/// The bounds in a conjunction; of a single comparison that must fail if `fails`.
fn conditions(body: &[Node], variable: &str, fails: bool, all: &mut Vec<Bound>) {
    let body = trim(body);
    if body.iter().any(|node| ["||", "?", "==>", "<==>", "="].iter().any(|operator| node.is(operator))) {
        return;
    }
    let parts = split(body, "&&");
    if let ([Node::Group('(', inner)], false) = (body, fails) {
        return conditions(inner, variable, fails, all);
    }
    if parts.len() > 1 {
        if !fails {
            parts.iter().for_each(|part| conditions(part, variable, false, all));
        }
        return;
    }
    let Some(at) = body.iter().position(|node| ["<", "<=", ">", ">="].iter().any(|operator| node.is(operator))) else { return };
    let (left, right) = (trim(&body[..at]), trim(&body[at + 1..]));
    let is_variable = |side: &[Node]| matches!(side, [Node::Word(word)] if word == variable);
    let mentions = |side: &[Node]| flat(side).split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == variable);
    let is_comparison = |side: &[Node]| side.iter().any(|node| ["<", "<=", ">", ">=", "==", "!="].iter().any(|other| node.is(other)));
    let is_less = body[at].is("<") || body[at].is("<=");
    let belongs = (body[at].is("<=") || body[at].is(">=")) != fails;
    let bound = match (is_variable(left), is_variable(right)) {
        (true, _) if mentions(right) || is_comparison(right) => return,
        (_, true) if mentions(left) || is_comparison(left) => return,
        (true, _) if is_less != fails => Bound::Most(flat(right), belongs),
        (true, _) => Bound::Least(flat(right), belongs),
        (_, true) if is_less != fails => Bound::Least(flat(left), belongs),
        (_, true) => Bound::Most(flat(left), belongs),
        _ => return,
    };
    all.push(bound);
}

/// Line markers in place of the marks, with the lines where they stand, and behind pragmas that switch checks off.
pub fn place_marks(text: &str) -> String {
    if !text.contains(BEGIN) && !text.contains(PRAGMA) {
        return text.to_string();
    }
    let mut placed = String::new();
    let (mut line, mut file) = (1, "source.c\"".to_string());
    let (mut depth, mut pragmas) = (0, Pragmas::default());
    for row in text.split_inclusive('\n') {
        let mark = row.strip_prefix("# ").and_then(|rest| rest.split_once(" \""));
        if let Some((number, name)) = mark.and_then(|(number, name)| Some((number.parse::<u32>().ok()?, name))) {
            line = number;
            file = name.rsplit_once('"').map_or(name.to_string(), |(start, _)| format!("{start}\""));
            placed.push_str(&format!("# {line} \"{}{name}", pragmas.state().prefix()));
            continue;
        }
        if pragmas.read(row) {
            line += 1;
            placed.push_str(&format!("# {line} \"{}{file}\n", pragmas.state().prefix()));
            continue;
        }
        for c in row.chars() {
            match c {
                BEGIN => depth += 1,
                END => depth -= 1,
                _ => {
                    placed.push(c);
                    continue;
                }
            }
            let state = if depth > 0 { Unchecked::Everything } else { pragmas.state() };
            placed.push_str(&format!("\n# {line} \"{}{file}\n", state.prefix()));
        }
        line += 1;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::super::tokens::parse;
    use super::*;

    fn bounds_of(text: &str) -> Vec<Bound> {
        bounds(&quantifier(&parse(text).unwrap()).unwrap())
    }

    #[test]
    fn bounds_are_found() {
        let (zero, n) = (|| "0".to_string(), || "n".to_string());
        let within = [Bound::Least(zero(), true), Bound::Most(n(), false)];
        assert_eq!(bounds_of("__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }"), within);
        assert_eq!(bounds_of("__ESBMC_forall(&i, i < 0 || i >= n || a[i] == 0)"), within);
        assert_eq!(bounds_of("__CPROVER_forall { int i; !(i >= 0 && i < n) || a[i] }"), within);
        assert_eq!(bounds_of("__CPROVER_exists { int i; (0 <= i && i < n) && a[i] }"), within);
        assert_eq!(bounds_of("__CPROVER_exists { int i; (0 <= i || i < n) && a[i] }"), []);
        assert_eq!(bounds_of("__CPROVER_forall { int i; (0 <= i && i < i + 1) ==> a[i] == 0 }"), [Bound::Least(zero(), true)]);
        assert_eq!(bounds_of("__CPROVER_exists { int i; i > 0 && i <= n }"), [Bound::Least(zero(), false), Bound::Most(n(), true)]);
    }

    #[test]
    fn marks_name_lines() {
        let text = place_marks("# 7 \"a.c\" 2\nx\n\u{1}y\u{2} z\n");
        assert_eq!(text, "# 7 \"a.c\" 2\nx\n\n# 8 \"<without checks>a.c\"\ny\n# 8 \"a.c\"\n z\n");
        let text = place_marks("# 7 \"a.c\"\n#pragma CPROVER check disable \"bounds\"\nx;\n# 3 \"b.h\" 1\ny;\n");
        assert_eq!(text, "# 7 \"a.c\"\n# 8 \"<without bounds>a.c\"\nx;\n# 3 \"<without bounds>b.h\" 1\ny;\n");
    }
}
