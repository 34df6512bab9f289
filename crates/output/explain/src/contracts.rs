//! The annotations of a Boogie program that a proof uses: loop invariants, preconditions and postconditions, as written
//! in the source. They are assertions of the program that is proved; the assertions' messages have the text.

use fathom_base::Loc;
use fathom_ir::{Program, StatementKind};
use fathom_report::ClaimKind;
use std::collections::BTreeSet;

/// A condition of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Own {
    pub kind: ClaimKind,
    pub place: Loc,
    pub function: String,
    pub text: String,
}

/// The conditions that a program asserts of itself, each once.
pub(crate) fn own_conditions(program: &Program) -> BTreeSet<Own> {
    let mut found = BTreeSet::new();
    for procedure in &program.procedures {
        let statements = procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
        for statement in statements {
            let StatementKind::Assert { message, .. } = &statement.kind else { continue };
            let Some((kind, subject, text)) = parsed(message) else { continue };
            let (function, line) = subject.map_or((procedure.name.as_str(), None), named);
            // A precondition is asserted at the call.
            let place = line.map_or(statement.loc, |line| Loc { line, column: 1, ..statement.loc });
            found.insert(Own { kind, place, function: function.to_string(), text: text.to_string() });
        }
    }
    found
}

/// The kind, whose it is, and the text of a condition by the message of its assertion.
fn parsed(message: &str) -> Option<(ClaimKind, Option<&str>, &str)> {
    const KINDS: [(&str, ClaimKind); 3] = [
        ("loop invariant", ClaimKind::OwnInvariant),
        ("precondition of ", ClaimKind::Precondition),
        ("postcondition of ", ClaimKind::Postcondition),
    ];
    KINDS.iter().find_map(|&(start, kind)| {
        let (subject, text) = message.strip_prefix(start)?.split_once(": ")?;
        Some((kind, Some(subject).filter(|subject| !subject.is_empty()), text))
    })
}

/// The name and the line of `f (line 2)`.
fn named(subject: &str) -> (&str, Option<u32>) {
    match subject.split_once(" (line ") {
        Some((name, line)) => (name, line.trim_end_matches(')').parse().ok()),
        None => (subject, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_text() {
        assert_eq!(parsed("loop invariant: r <= n"), Some((ClaimKind::OwnInvariant, None, "r <= n")));
        assert_eq!(parsed("precondition of f (line 2): n >= 0"), Some((ClaimKind::Precondition, Some("f (line 2)"), "n >= 0")));
        assert_eq!((named("f (line 2)"), named("f")), (("f", Some(2)), ("f", None)));
        assert_eq!(parsed("postcondition of f: r == n"), Some((ClaimKind::Postcondition, Some("f"), "r == n")));
        assert_eq!(parsed("assertion: x"), None);
    }
}
