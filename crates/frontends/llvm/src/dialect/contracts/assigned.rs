//! The variables that a loop assigns by name: `x = ...`, `x += ...`, `x++`. They must become arbitrary, and users
//! should not have to list them. Soundness does not depend on finding all of them, because a write to any other
//! location violates the contract when it happens.

use super::super::tokens::{Node, split};
use std::collections::BTreeSet;

const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
const STATEMENTS: [&str; 12] = ["return", "goto", "else", "do", "case", "default", "sizeof", "break", "continue", "while", "for", "switch"];

/// Variables that the head or the body of a loop assigns and that the body does not declare.
pub fn assigned(head: &[Node], body: &[Node]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // What the first part of a `for` declares is there before the loop begins.
    collect(head, &mut names);
    collect(body, &mut names);
    let mut own = BTreeSet::new();
    declared(body, &mut own);
    names.difference(&own).cloned().collect()
}

fn collect(nodes: &[Node], names: &mut BTreeSet<String>) {
    let visible: Vec<&Node> = nodes.iter().filter(|node| !node.is_blank()).collect();
    for (at, node) in visible.iter().enumerate() {
        let is = |position: Option<usize>, texts: &[&str]| {
            position.and_then(|position| visible.get(position)).is_some_and(|node| texts.iter().any(|text| node.is(text)))
        };
        let (before, behind) = (at.checked_sub(1), Some(at + 1));
        match node {
            Node::Group(_, inner) => collect(inner, names),
            Node::Word(name) if !is(before, &[".", "->"]) => {
                let is_part = is(behind, &[".", "->"]) || visible.get(at + 1).is_some_and(|next| next.inside('[').is_some());
                let is_assigned = is(behind, &ASSIGNMENTS) && !is(before, &["*"]);
                let is_counted = is(behind, &["++", "--"]) || (is(before, &["++", "--"]) && !is_part);
                if is_assigned || is_counted {
                    names.insert(name.clone());
                }
            }
            _ => {}
        }
    }
}

fn declared(nodes: &[Node], names: &mut BTreeSet<String>) {
    let mut start = 0;
    for at in 0..=nodes.len() {
        let is_block = nodes.get(at).is_some_and(|node| node.inside('{').is_some());
        if nodes.get(at).is_none_or(|node| node.is(";") || node.is(":")) || is_block {
            declared_by(&nodes[start..at], names);
            start = at + 1;
        }
    }
    for node in nodes {
        if let Node::Group(_, inner) = node {
            declared(inner, names);
        }
    }
}

/// The names of one statement, if it is a declaration: a type in front, then names with initial values.
fn declared_by(statement: &[Node], names: &mut BTreeSet<String>) {
    for (number, part) in split(statement, ",").into_iter().enumerate() {
        let visible: Vec<&Node> = part.iter().filter(|node| !node.is_blank()).collect();
        let end = visible.iter().position(|node| node.is("=") || node.inside('[').is_some()).unwrap_or(visible.len());
        let (words, others): (Vec<&Node>, Vec<&Node>) = visible[..end].iter().copied().partition(|node| node.word().is_some());
        let is_plain = others.iter().all(|node| node.is("*"));
        let starts_statement = words.first().and_then(|word| word.word()).is_some_and(|word| STATEMENTS.contains(&word));
        if !is_plain || starts_statement || (number == 0 && words.len() < 2) {
            return;
        }
        let Some(name) = words.last().and_then(|word| word.word()) else { return };
        names.insert(name.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tokens::parse;
    use super::*;

    fn names(head: &str, body: &str) -> Vec<String> {
        assigned(&parse(head).unwrap(), &parse(body).unwrap()).into_iter().collect()
    }

    #[test]
    fn assignments_by_name() {
        assert_eq!(names("int i = 0; i < n; i++", "{ sum += a[i]; *p++ = x; *q = 2; s.f = 1; t->g--; ++h->i; }"), ["i", "p", "sum"]);
        assert_eq!(names("i < n", "{ int x = 1, y; unsigned long z = 2; T *w = p; x = y = 3; for (int j = 0; j < x; j++) k = j; }"), ["k"]);
        assert_eq!(names("1", "{ if (a) b = 1; else c = 2; return d; }"), ["b", "c"]);
    }
}
