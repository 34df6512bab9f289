//! Where a statement with a thread's label ends: `__CPROVER_ASYNC_1: if (x) y; else z;`.

use super::tokens::Node;

/// A statement with such a label runs in a thread of its own.
const THREAD_LABEL: &str = "__CPROVER_ASYNC_";

/// The statement of a thread, and the number of nodes with its label.
pub fn thread_statement(nodes: &[Node]) -> Option<(&[Node], usize)> {
    let label = nodes.first()?.word()?;
    if !label.starts_with(THREAD_LABEL) {
        return None;
    }
    let colon = 1 + nodes[1..].iter().position(|node| !node.is_blank())?;
    if !nodes[colon].is(":") {
        return None;
    }
    let start = colon + 1 + nodes[colon + 1..].iter().position(|node| !node.is_blank())?;
    let end = end_of_statement(nodes, start)?;
    Some((&nodes[start..end], end))
}

/// The position behind the statement that starts here.
pub fn end_of_statement(nodes: &[Node], start: usize) -> Option<usize> {
    let next = |from: usize| (from..nodes.len()).find(|&at| !nodes[at].is_blank());
    let start = next(start)?;
    let behind_head = || next(start + 1).filter(|&at| nodes[at].inside('(').is_some()).map(|at| at + 1);
    match &nodes[start] {
        Node::Group('{', _) => Some(start + 1),
        Node::Word(word) if word == "if" => {
            let end = end_of_statement(nodes, behind_head()?)?;
            match next(end).filter(|&at| nodes[at].is("else")) {
                Some(at) => end_of_statement(nodes, at + 1),
                None => Some(end),
            }
        }
        Node::Word(word) if matches!(word.as_str(), "while" | "for" | "switch") => end_of_statement(nodes, behind_head()?),
        Node::Word(word) if word == "do" => {
            let body = end_of_statement(nodes, start + 1)?;
            Some(body + nodes[body..].iter().position(|node| node.is(";"))? + 1)
        }
        // A jump out of the thread.
        Node::Word(word) if matches!(word.as_str(), "return" | "goto" | "break" | "continue") => None,
        _ => Some(start + nodes[start..].iter().position(|node| node.is(";"))? + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::parse;
    use super::*;

    #[test]
    fn threads() {
        assert_eq!(thread_statement(&parse("__CPROVER_ASYNC_1: g = 1; h").unwrap()).unwrap().1, 9);
        let whole =
            |text: &str| thread_statement(&parse(text).unwrap()).is_some_and(|(_, length)| length + 1 == parse(text).unwrap().len());
        assert!(whole("__CPROVER_ASYNC_1: if (x) y; else { z; }\n") && whole("__CPROVER_ASYNC_1: do x; while (1);\n"));
        assert!(whole("__CPROVER_ASYNC_1: for (;;) while (x) y;\n"));
        assert!(thread_statement(&parse("__CPROVER_ASYNC_1: goto x;").unwrap()).is_none());
    }
}
