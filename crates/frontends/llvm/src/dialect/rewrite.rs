//! The walk over a text's tokens that rewrites what a dialect has and C does not. `a ==> b` is `!a || b`; of a call of
//! an intrinsic only its name, or its form, changes. On the way down it is known whether an expression is what an
//! assertion or an assumption is about, because quantifiers are cheaper there (`quantifiers`).

use super::known;
use super::quantifiers::{self, Quantifier};
use super::threads::thread_statement;
use super::tokens::{Node, blanks, flat, parse, show, split, trim};
use std::collections::BTreeSet;

const ASSERTIONS: [&str; 5] =
    ["__CPROVER_assert", "__ESBMC_assert", "__CPROVER_precondition", "__CPROVER_postcondition", "__VERIFIER_assert"];
const ASSUMPTIONS: [&str; 3] = ["__CPROVER_assume", "__ESBMC_assume", "__VERIFIER_assume"];

/// What becomes of the value of an expression.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// It must be true: that is asked.
    Asserted,
    /// It is taken for true, or must be false.
    Assumed,
    /// Anything else.
    Value,
}

impl Demand {
    fn negated(self) -> Demand {
        match self {
            Demand::Asserted => Demand::Assumed,
            Demand::Assumed => Demand::Asserted,
            Demand::Value => Demand::Value,
        }
    }
}

/// A text in plain C.
pub struct Done {
    pub text: String,
    /// Whether anything was rewritten or declared.
    pub changes: bool,
    /// Whether clang's blocks are used.
    pub needs_blocks: bool,
}

#[derive(Default)]
pub struct Rewriter {
    /// Known names that occur.
    pub used: BTreeSet<String>,
    /// Quantifiers so far, for names.
    pub quantifiers: u32,
}

/// Rewrites a preprocessed text; None if its brackets don't match.
pub fn rewrite(text: &str) -> Option<Done> {
    let nodes = parse(text)?;
    let mut rewriter = Rewriter::default();
    let rewritten = rewriter.sequence(&nodes, Demand::Value);
    let declared = declared(&nodes);
    if text.contains("fathom_frame") || text.contains("fathom_apart") {
        rewriter.used.extend(known::OF_CONTRACTS.map(str::to_string));
    }
    let declarations: Vec<&str> =
        rewriter.used.iter().filter(|name| !declared.contains(*name)).filter_map(|name| known::declaration(name)).collect();
    let done = quantifiers::place_marks(&with_declarations(&show(&rewritten), &declarations));
    let changes = done != text;
    Some(Done { text: done, changes, needs_blocks: rewriter.used.contains("fathom_async") })
}

/// The declarations behind the first line, which names the file.
fn with_declarations(text: &str, declarations: &[&str]) -> String {
    if declarations.is_empty() {
        return text.to_string();
    }
    let (first, rest) = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with('#') => (first, rest),
        _ => ("# 1 \"source.c\"", text),
    };
    format!("{first}\n# 1 \"<intrinsics>\" 1 3\n{}\n{first} 2\n{rest}", declarations.join("\n"))
}

/// Functions that the text itself declares.
fn declared(nodes: &[Node]) -> BTreeSet<String> {
    let is_visible = |node: &&Node| !node.is_blank();
    let visible: Vec<&Node> = nodes.iter().filter(is_visible).collect();
    let pairs = visible.windows(2).filter_map(|pair| match (pair[0], pair[1]) {
        (Node::Word(name), Node::Group('(', _)) => Some(name.clone()),
        (Node::Word(name), Node::Other(end)) if end == ";" => Some(name.clone()),
        _ => None,
    });
    pairs.collect()
}

/// Whether an expression can't go on to the other side of this node; the braces of a quantifier are part of one.
fn is_boundary(nodes: &[Node], at: usize) -> bool {
    const OPERATORS: [&str; 15] = ["?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "return", "else"];
    let before = || nodes[..at].iter().rev().find(|node| !node.is_blank()).and_then(Node::word);
    match &nodes[at] {
        Node::Group('{', _) => !before().is_some_and(quantifiers::is_block),
        node => OPERATORS.iter().any(|operator| node.is(operator)),
    }
}

impl Rewriter {
    /// Statements, or expressions with commas between them.
    pub fn sequence(&mut self, nodes: &[Node], demand: Demand) -> Vec<Node> {
        let nodes = self.threads(nodes);
        let mut done = Vec::new();
        let mut start = 0;
        for at in 0..=nodes.len() {
            let is_end = nodes.get(at).is_none_or(|node| node.is(";") || node.is(","));
            if is_end {
                done.extend(self.expression(&nodes[start..at], demand));
                done.extend(nodes.get(at).cloned());
                start = at + 1;
            }
        }
        done
    }

    /// Statements with a thread's label become calls that start one.
    fn threads(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut done = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            match thread_statement(&nodes[at..]) {
                Some((statement, length)) => {
                    self.used.insert("fathom_async".into());
                    let body = Node::Group('{', statement.to_vec());
                    done.push(Node::Word("fathom_async".into()));
                    done.push(Node::Group('(', vec![Node::Other("^".into()), body]));
                    done.push(Node::Other(";".into()));
                    at += length;
                }
                None => {
                    done.push(nodes[at].clone());
                    at += 1;
                }
            }
        }
        done
    }

    pub fn expression(&mut self, nodes: &[Node], demand: Demand) -> Vec<Node> {
        let is_arrow = |node: &Node| node.is("==>") || node.is("<==>");
        let Some(first) = nodes.iter().position(is_arrow) else { return self.connective(nodes, demand) };
        let start = (0..first).rev().find(|&at| is_boundary(nodes, at)).map_or(0, |at| at + 1);
        let start = start.max(self.end_of_head(&nodes[..first]));
        let end = (first..nodes.len()).find(|&at| is_boundary(nodes, at)).unwrap_or(nodes.len());
        let is_whole = start == 0 && end == nodes.len();
        let mut done = self.connective(&nodes[..start], Demand::Value);
        done.push(Node::Blank(" ".into()));
        done.push(self.implication(&nodes[start..end], if is_whole { demand } else { Demand::Value }));
        done.extend(self.expression(&nodes[end..], Demand::Value));
        done
    }

    /// Behind the condition of a statement whose body starts with an expression.
    fn end_of_head(&self, nodes: &[Node]) -> usize {
        let mut end = 0;
        for (at, node) in nodes.iter().enumerate() {
            let is_head = matches!(node.word(), Some("if" | "while" | "for" | "switch"));
            if is_head && let Some(group) = nodes[at..].iter().position(|next| matches!(next, Node::Group('(', _))) {
                end = at + group + 1;
            }
        }
        end
    }

    fn implication(&mut self, nodes: &[Node], demand: Demand) -> Node {
        let sides = split(nodes, "<==>");
        let text = |text: &str| Node::Other(text.to_string());
        let mut parts = Vec::new();
        if sides.len() > 1 {
            for (number, side) in sides.iter().enumerate() {
                let value = Node::Group('(', self.expression(side, Demand::Value));
                if number > 0 {
                    parts = vec![Node::Group('(', parts), text(" == ")];
                }
                parts.extend([text("!"), value]);
                if number > 0 {
                    parts = vec![Node::Group('(', parts)];
                }
            }
            return Node::Group('(', parts);
        }
        let sides = split(nodes, "==>");
        let last = sides.len() - 1;
        for (number, side) in sides.into_iter().enumerate() {
            if number < last {
                parts.extend([text("!"), Node::Group('(', self.expression(side, demand.negated())), text(" || ")]);
            } else {
                parts.push(Node::Group('(', self.expression(side, demand)));
            }
        }
        Node::Group('(', parts)
    }

    /// An expression without arrows: where it is asserted or assumed, its parts are too.
    fn connective(&mut self, nodes: &[Node], demand: Demand) -> Vec<Node> {
        if demand == Demand::Value || (0..nodes.len()).any(|at| is_boundary(nodes, at)) {
            return self.primaries(nodes);
        }
        for operator in ["||", "&&"] {
            let parts = split(nodes, operator);
            if parts.len() > 1 {
                let mut done = Vec::new();
                for (number, part) in parts.into_iter().enumerate() {
                    if number > 0 {
                        done.push(Node::Other(operator.to_string()));
                    }
                    done.extend(self.connective(part, demand));
                }
                return done;
            }
        }
        let inner = trim(nodes);
        match inner {
            [Node::Other(not), rest @ ..] if not == "!" => {
                let mut done = vec![Node::Other("!".into())];
                done.extend(self.connective(rest, demand.negated()));
                done
            }
            [Node::Group('(', inside)] if !inside.iter().any(|node| node.is(",")) => {
                vec![Node::Group('(', self.expression(inside, demand))]
            }
            _ => match quantifiers::quantifier(inner) {
                Some(found) => self.quantified(&found, demand),
                None => self.primaries(nodes),
            },
        }
    }

    fn quantified(&mut self, found: &Quantifier, demand: Demand) -> Vec<Node> {
        quantifiers::rewrite(self, found, demand)
    }

    /// Everything that is no connective, from left to right.
    fn primaries(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut done = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let length = match &nodes[at] {
                Node::Word(word) => self.word(word, &nodes[at..], &mut done),
                Node::Group('(', inner) if guards_failure(&nodes[at + 1..]) => {
                    done.push(Node::Group('(', self.expression(inner, Demand::Asserted)));
                    1
                }
                Node::Group(open, inner) => {
                    done.push(Node::Group(*open, self.sequence(inner, Demand::Value)));
                    1
                }
                other => {
                    done.push(other.clone());
                    1
                }
            };
            at += length;
        }
        done
    }

    /// A word and what belongs to it; gives the number of nodes that this is.
    fn word(&mut self, word: &str, nodes: &[Node], done: &mut Vec<Node>) -> usize {
        let next = nodes.iter().skip(1).position(|node| !node.is_blank()).map_or(nodes.len(), |at| at + 1);
        let through = next + 1;
        let arguments = nodes.get(next).and_then(|node| node.inside('('));
        if let Some(found) = nodes.get(..through).and_then(quantifiers::quantifier) {
            done.extend(self.quantified(&found, Demand::Value));
            return through;
        }
        if let (true, Some(arguments)) = (known::CLAUSES.contains(&word), arguments) {
            done.extend(blanks(arguments));
            return through;
        }
        if let Some((ty, length)) = bit_vector(word, nodes, done) {
            done.push(Node::Word(ty));
            return length;
        }
        let name = known::canonical(word);
        let Some(arguments) = arguments else {
            if known::declaration(name).is_some() {
                self.used.insert(name.to_string());
            }
            done.push(Node::Word(name.to_string()));
            return 1;
        };
        let mut given = split(arguments, ",");
        // It takes a variable, or its address.
        if name == "__ESBMC_init_object"
            && let Some([first, object @ ..]) = given.first().map(|object| trim(object))
            && first.is("&")
        {
            given = vec![object];
        }
        if let Some(form) = known::form(name, given.len()) {
            let filled = self.fill(form, &given);
            done.push(Node::Group('(', filled));
            done.extend(blanks(arguments));
            return through;
        }
        if known::declaration(name).is_some() {
            self.used.insert(name.to_string());
        }
        done.push(Node::Word(name.to_string()));
        done.extend(nodes[1..next].iter().cloned());
        done.push(self.call_arguments(name, arguments));
        through
    }

    fn call_arguments(&mut self, name: &str, arguments: &[Node]) -> Node {
        let demand = match name {
            _ if ASSERTIONS.contains(&name) => Demand::Asserted,
            _ if ASSUMPTIONS.contains(&name) => Demand::Assumed,
            _ => return Node::Group('(', self.sequence(arguments, Demand::Value)),
        };
        let end = arguments.iter().position(|node| node.is(",")).unwrap_or(arguments.len());
        let mut inner = self.expression(&arguments[..end], demand);
        inner.extend(self.sequence(&arguments[end..], Demand::Value));
        Node::Group('(', inner)
    }

    /// A form with these arguments, on one line.
    fn fill(&mut self, form: &str, given: &[&[Node]]) -> Vec<Node> {
        let mut text = form.to_string();
        for (number, argument) in given.iter().enumerate() {
            let argument = flat(&self.expression(argument, Demand::Value));
            text = text.replace(&format!("${number}"), &format!("({argument})"));
        }
        for name in form.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if known::declaration(name).is_some() {
                self.used.insert(name.to_string());
            }
        }
        vec![Node::Other(text)]
    }
}

/// Whether this follows on the condition of the C library's `assert`.
fn guards_failure(behind: &[Node]) -> bool {
    let visible: Vec<&Node> = behind.iter().filter(|node| !node.is_blank()).collect();
    let fails = |at: usize| visible.get(at).is_some_and(|node| node.word().is_some_and(|word| word.starts_with("__assert")));
    match visible.first() {
        Some(first) if first.is(";") => visible.get(1).is_some_and(|node| node.is("else")) && fails(2),
        Some(first) if first.is("?") => visible.iter().position(|node| node.is(":")).is_some_and(|at| fails(at + 1)),
        _ => false,
    }
}

/// A type with a width in brackets, and the number of nodes that it is.
fn bit_vector(word: &str, nodes: &[Node], done: &mut [Node]) -> Option<(String, usize)> {
    let is_signed = match word {
        "__CPROVER_bitvector" | "__CPROVER_unsignedbv" => false,
        "__CPROVER_signedbv" => true,
        "__CPROVER_floatbv" => {
            let (bits, fraction) = (nodes.get(1)?.inside('[')?, nodes.get(2)?.inside('[')?);
            return Some((known::float_type(&flat(bits), &flat(fraction))?.to_string(), 3));
        }
        _ => return None,
    };
    let width = flat(nodes.get(1)?.inside('[')?);
    let sign = done.iter().rev().find(|node| !node.is_blank()).and_then(Node::word);
    let text = match (sign, is_signed) {
        (Some("signed" | "unsigned"), _) | (_, true) => format!("_BitInt({width})"),
        _ => format!("unsigned _BitInt({width})"),
    };
    Some((text, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        rewrite(text).unwrap().text.lines().filter(|line| !line.starts_with('#') && !line.contains("__CPROVER_assert(_Bool")).collect()
    }

    #[test]
    fn arrows() {
        assert_eq!(rewritten("x = a ==> b && c;"), "x = (!( a ) || ( b && c));");
        assert_eq!(rewritten("f(a ==> b ==> c, d)"), "f( (!(a ) || !( b ) || ( c)), d)");
        assert_eq!(rewritten("if (a) return b ==> c;"), "if (a) return (!( b ) || ( c));");
    }

    #[test]
    fn arrows_beside_quantifiers() {
        let text = rewritten("__CPROVER_assert(__CPROVER_forall { char i; a[i] } ==> b, \"\");");
        assert!(text.contains("fathom_at_1") && text.contains("(!(") && text.ends_with("|| ( b)), \"\");"), "{text}");
        let text = rewritten("__CPROVER_assert(b || __CPROVER_forall { int i; a[i] }, \"\");");
        assert!(!text.contains("fathom_at"), "{text}");
    }

    #[test]
    fn clauses_say_nothing() {
        assert_eq!(rewritten("int f(int x) __CPROVER_requires(x > 0) { return x; }"), "int f(int x)    { return x; }");
    }

    #[test]
    fn types() {
        assert_eq!(rewritten("__CPROVER_bitvector[3] x; signed __CPROVER_bitvector[4] y;"), "unsigned _BitInt(3) x; signed _BitInt(4) y;");
        assert_eq!(rewritten("__CPROVER_floatbv[32][23] x;"), "float x;");
    }
}
