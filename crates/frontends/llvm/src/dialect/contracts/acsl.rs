//! The common part of ACSL (Baudin et al., ANSI/ISO C Specification Language): annotations in comments, `//@ ...` and `/*@ ... */`, become
//! clauses in CBMC's words where they stand, which is in front of what they are about. Other comments become white space.
//! Integers are those of C, so that a specification may overflow, which is checked as in any program; what is `\valid` is apart from
//! what else is, as `__CPROVER_is_fresh` has it.

use super::super::tokens::{Node, flat, parse, split, trim};
use super::clauses::next_visible;

/// The text without comments; what is wrong, and at which offset, if an annotation is not understood.
pub fn translated(text: &str) -> Result<String, (usize, String)> {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let length = match first {
            '"' | '\'' => literal(rest, first),
            '/' if rest.starts_with("//") => {
                let length = rest.find('\n').unwrap_or(rest.len());
                done.push_str(&comment(&rest[2..length]).map_err(|what| (at, what))?);
                rest = &rest[length..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let inner = rest[2..].find("*/").unwrap_or(rest.len() - 2);
                done.push_str(&comment(&rest[2..2 + inner]).map_err(|what| (at, what))?);
                rest = &rest[(inner + 4).min(rest.len())..];
                continue;
            }
            _ => first.len_utf8(),
        };
        done.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    Ok(done)
}

/// The length of a text or a character in quotes, or of what begins like one and does not end on its line.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    text.len()
}

fn comment(inner: &str) -> Result<String, String> {
    let breaks = "\n".repeat(inner.matches('\n').count());
    let Some(annotation) = inner.strip_prefix('@') else { return Ok(format!(" {breaks}")) };
    // Lines of such a comment begin with `@` by custom.
    let lines: Vec<&str> = annotation.lines().map(|line| line.trim().trim_start_matches('@')).collect();
    let without_end = lines.join(" ");
    let nodes = parse(without_end.trim_end_matches('@')).ok_or("the brackets of this annotation don't match")?;
    let mut text = String::from(" ");
    for clause in split(&nodes, ";").into_iter().map(trim).filter(|clause| !clause.is_empty()) {
        // A quantifier has a semicolon of its own, so clauses are put together again.
        text.push('\u{0}');
        text.push_str(&flat(clause));
    }
    let mut clauses: Vec<String> = Vec::new();
    for part in text.trim_start().split('\u{0}').filter(|part| !part.trim().is_empty()) {
        match clauses.last_mut().filter(|last| is_open(last)) {
            Some(last) => last.push_str(&format!("; {part}")),
            None => clauses.push(part.to_string()),
        }
    }
    let written: Result<Vec<String>, String> = clauses.iter().map(|clause| self::clause(clause)).collect();
    Ok(format!(" {} {breaks}", written?.join(" ")))
}

/// Whether a clause ends with the variables of a quantifier, so that the quantifier's body is still to come.
fn is_open(clause: &str) -> bool {
    let last = [r"\forall", r"\exists"].iter().filter_map(|word| clause.rfind(word)).max();
    last.is_some_and(|at| !clause[at..].contains(';'))
}

fn clause(text: &str) -> Result<String, String> {
    let text = text.trim();
    let (word, rest) = text.split_once(|c: char| c.is_whitespace() || c == '\\' || c == '(').unwrap_or((text, ""));
    let behind = text[word.len()..].trim();
    match word {
        "requires" => Ok(format!("__CPROVER_requires(({}))", predicate(behind)?)),
        "ensures" => Ok(format!("__CPROVER_ensures(({}))", predicate(behind)?)),
        "assigns" => Ok(format!("__CPROVER_assigns({})", places(behind)?)),
        "assert" | "check" => {
            let quoted = behind.replace('\\', "\\\\").replace('"', "\\\"");
            Ok(format!("__CPROVER_assert(({}), \"{quoted}\");", predicate(behind)?))
        }
        "loop" => {
            let (word, _) = behind.split_once(char::is_whitespace).unwrap_or((behind, rest));
            let inner = behind[word.len()..].trim();
            match word {
                "invariant" => Ok(format!("__CPROVER_loop_invariant(({}))", predicate(inner)?)),
                "assigns" => Ok(format!("__CPROVER_assigns({})", places(inner)?)),
                "variant" => Ok(format!("__CPROVER_decreases({})", predicate(inner)?)),
                _ => Err(format!("ACSL's `loop {word}` is not supported")),
            }
        }
        _ => Err(format!("ACSL's `{word}` is not supported")),
    }
}

fn predicate(text: &str) -> Result<String, String> {
    let nodes = parse(text).ok_or("the brackets of this annotation don't match")?;
    expression(&nodes)
}

/// What `assigns` names.
fn places(text: &str) -> Result<String, String> {
    let nodes = parse(text).ok_or("the brackets of this annotation don't match")?;
    let mut all = Vec::new();
    for part in split(&nodes, ",") {
        let part = trim(part);
        match part {
            [Node::Other(escape), Node::Word(word)] if escape == "\\" && word == "nothing" => {}
            [array @ .., Node::Group('[', index)] if has_range(index) => {
                let (low, high) = range(index)?;
                let array = expression(array)?;
                all.push(format!("__CPROVER_object_upto(&({array})[{low}], (({high}) - ({low}) + 1) * sizeof(({array})[0]))"));
            }
            _ => all.push(expression(part)?),
        }
    }
    Ok(all.join(", "))
}

fn has_range(nodes: &[Node]) -> bool {
    nodes.windows(2).any(|pair| pair[0].is(".") && pair[1].is("."))
        || nodes.iter().any(|node| flat(std::slice::from_ref(node)).contains(".."))
}

/// `low .. high`; the tokens of C take `0..n` for a number.
fn range(nodes: &[Node]) -> Result<(String, String), String> {
    let text = flat(nodes);
    let (low, high) = text.split_once("..").ok_or("a range needs two ends: `low .. high`")?;
    Ok((predicate(low)?, predicate(high)?))
}

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const BOUNDARIES: [&str; 8] = ["&&", "||", "==>", "<==>", "?", ":", ",", ";"];

/// An expression of ACSL in CBMC's words.
fn expression(nodes: &[Node]) -> Result<String, String> {
    let nodes = trim(nodes);
    if let Some(at) = quantifier(nodes) {
        return Ok(format!("{} {}", expression(&nodes[..at])?, quantified(&nodes[at..])?).trim().to_string());
    }
    if let Some(at) = nodes.iter().position(|node| BOUNDARIES.iter().any(|boundary| node.is(boundary))) {
        let (left, right) = (expression(&nodes[..at])?, expression(&nodes[at + 1..])?);
        return Ok(format!("{left} {} {right}", flat(&nodes[at..=at])));
    }
    let operators: Vec<usize> = (0..nodes.len()).filter(|&at| COMPARISONS.iter().any(|operator| nodes[at].is(operator))).collect();
    if operators.len() > 1 {
        return chain(nodes, &operators);
    }
    simple(nodes)
}

/// `a <= b < c` compares neighbours.
fn chain(nodes: &[Node], operators: &[usize]) -> Result<String, String> {
    let mut starts = vec![0];
    starts.extend(operators.iter().map(|at| at + 1));
    let ends: Vec<usize> = operators.iter().copied().chain([nodes.len()]).collect();
    let operands: Result<Vec<String>, String> = starts.iter().zip(&ends).map(|(&start, &end)| simple(&nodes[start..end])).collect();
    let operands = operands?;
    let pairs = operators
        .iter()
        .enumerate()
        .map(|(number, &at)| format!("{} {} {}", operands[number], flat(&nodes[at..=at]), operands[number + 1]));
    Ok(format!("({})", pairs.collect::<Vec<_>>().join(" && ")))
}

fn escaped(nodes: &[Node], at: usize) -> Option<&str> {
    nodes.get(at).filter(|node| node.is("\\")).and_then(|_| nodes.get(at + 1)).and_then(Node::word)
}

fn quantifier(nodes: &[Node]) -> Option<usize> {
    (0..nodes.len()).find(|&at| matches!(escaped(nodes, at), Some("forall" | "exists")))
}

/// `\forall integer i, j; P`, to the end.
fn quantified(nodes: &[Node]) -> Result<String, String> {
    let word = escaped(nodes, 0).unwrap_or_default();
    let end = nodes.iter().position(|node| node.is(";")).ok_or("a quantifier needs `;` behind its variables")?;
    let body = expression(&nodes[end + 1..])?;
    let mut ty = String::new();
    let mut variables = Vec::new();
    for part in split(&nodes[2..end], ",") {
        let part = trim(part);
        let (name, before) = part.split_last().ok_or("a quantifier needs variables")?;
        if !trim(before).is_empty() {
            ty = if flat(before) == "integer" { "long long".into() } else { flat(before) };
        }
        variables.push(name.word().ok_or("a quantifier needs variables")?.to_string());
    }
    let open = |name: &String| format!("__CPROVER_{word} {{ {ty} {name}; ");
    Ok(format!("{}{body}{}", variables.iter().map(open).collect::<String>(), " }".repeat(variables.len())))
}

/// What has no connective and no comparison that is not C's.
fn simple(nodes: &[Node]) -> Result<String, String> {
    let mut text = String::new();
    let mut at = 0;
    while at < nodes.len() {
        match (escaped(nodes, at), &nodes[at]) {
            (Some(word), _) => {
                let behind = next_visible(nodes, at + 2).filter(|&next| nodes[next].inside('(').is_some());
                let arguments = behind.and_then(|next| nodes[next].inside('('));
                text.push_str(&constant_or_call(word, arguments)?);
                at = match (behind, is_constant(word)) {
                    (Some(next), false) => next + 1,
                    _ => at + 2,
                };
                continue;
            }
            (None, Node::Group(open, inner)) => {
                text.push(*open);
                text.push_str(&expression(inner)?);
                text.push(super::super::tokens::closing(*open));
            }
            (None, Node::Word(word)) if word == "integer" => text.push_str("long long"),
            (None, node) => text.push_str(&flat_keeping_blanks(node)),
        }
        at += 1;
    }
    Ok(text.trim().to_string())
}

fn flat_keeping_blanks(node: &Node) -> String {
    if node.is_blank() { " ".into() } else { flat(std::slice::from_ref(node)) }
}

fn is_constant(word: &str) -> bool {
    matches!(word, "result" | "null" | "true" | "false")
}

fn constant_or_call(word: &str, arguments: Option<&[Node]>) -> Result<String, String> {
    let constant = match word {
        "result" => "__CPROVER_return_value",
        "null" => "((void *)0)",
        "true" => "1",
        "false" => "0",
        _ => "",
    };
    if !constant.is_empty() {
        return Ok(constant.to_string());
    }
    let Some(arguments) = arguments else { return Err(format!("ACSL's `\\{word}` is not supported")) };
    let given = split(arguments, ",");
    match (word, &given[..]) {
        ("old", _) => Ok(format!("__CPROVER_old({})", expression(arguments)?)),
        ("at", [value, label]) if flat(label) == "Pre" || flat(label) == "Old" => Ok(format!("__CPROVER_old({})", expression(value)?)),
        ("at", [value, label]) if flat(label) == "LoopEntry" => Ok(format!("__CPROVER_loop_entry({})", expression(value)?)),
        ("valid" | "valid_read", _) => valid(&given),
        ("fresh", [pointer, count]) => Ok(format!("__CPROVER_is_fresh({}, {})", expression(pointer)?, expression(count)?)),
        ("separated", [one, other]) => Ok(format!("!__CPROVER_same_object({}, {})", expression(one)?, expression(other)?)),
        _ => Err(format!("ACSL's `\\{word}` is not supported here")),
    }
}

/// The number of elements up to the last; of `n - 1` that is `n`, which overflows nowhere.
fn one_more(last: &str) -> String {
    let is_plain = !last.contains(['?', ':', ',', '<', '>', '&', '|', '^', '=']);
    match last.strip_suffix('1').and_then(|rest| rest.trim_end().strip_suffix('-')).filter(|_| is_plain) {
        Some(count) if count.trim_end().ends_with(|c: char| c.is_alphanumeric() || ")]_".contains(c)) => {
            format!("((__SIZE_TYPE__)({}))", count.trim())
        }
        _ => format!("((__SIZE_TYPE__)({last}) + 1)"),
    }
}

/// `\valid(p)`, `\valid(p + (0 .. n - 1))`, and several with commas between them.
fn valid(pointers: &[&[Node]]) -> Result<String, String> {
    let mut all = Vec::new();
    for pointer in pointers {
        let pointer = trim(pointer);
        let (base, count) = match pointer {
            [base @ .., Node::Group(_, index)] if has_range(index) => {
                let base = trim(base);
                let base = base.strip_suffix(&[Node::Other("+".into())]).unwrap_or(base);
                let (low, high) = range(index)?;
                if low != "0" {
                    return Err("a range of \\valid begins at 0".into());
                }
                (expression(base)?, one_more(&high))
            }
            _ => (expression(pointer)?, "1".to_string()),
        };
        all.push(format!("__CPROVER_is_fresh({base}, {count} * sizeof(*({base})))"));
    }
    Ok(format!("({})", all.join(" && ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses() {
        let of = |text: &str| translated(text).unwrap().trim().to_string();
        assert_eq!(of("//@ requires 0 <= n < 10;"), "__CPROVER_requires(((0 <= n && n < 10)))");
        assert_eq!(
            of("/*@ ensures \\result == \\old(x) + 1;\n @ assigns \\nothing; */"),
            "__CPROVER_ensures((__CPROVER_return_value == __CPROVER_old(x) + 1)) __CPROVER_assigns()"
        );
        assert_eq!(
            of("//@ assigns a[0 .. n - 1], *p;"),
            "__CPROVER_assigns(__CPROVER_object_upto(&(a)[0], ((n - 1) - (0) + 1) * sizeof((a)[0])), *p)"
        );
        assert_eq!(
            of("//@ loop invariant \\forall integer i; 0 <= i < n ==> a[i] == 0; loop variant n - i;"),
            "__CPROVER_loop_invariant((__CPROVER_forall { long long i; (0 <= i && i < n) ==> a[i] == 0 })) __CPROVER_decreases(n - i)"
        );
        assert_eq!(
            of("//@ requires \\valid(p + (0 .. 3));"),
            "__CPROVER_requires(((__CPROVER_is_fresh(p, ((__SIZE_TYPE__)(3) + 1) * sizeof(*(p))))))"
        );
        assert_eq!(
            (one_more("n - 1"), one_more("a ? b : c - 1")),
            ("((__SIZE_TYPE__)(n))".into(), "((__SIZE_TYPE__)(a ? b : c - 1) + 1)".into())
        );
        assert!(translated("//@ behavior x: ensures 1;").is_err());
    }

    #[test]
    fn other_comments_are_white_space() {
        assert_eq!(translated("a /* it's \n(b */ c \"//@ x\" '\"' // d").unwrap(), "a  \n c \"//@ x\" '\"'  ");
    }
}
