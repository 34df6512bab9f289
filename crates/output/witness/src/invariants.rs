//! The invariants of a proof as claims of a witness: those that can be expressed in C, of loops that begin with a
//! keyword and their condition.

use crate::model::{Invariant, InvariantKind, Location};
use fathom_explain::{Language, Texts, say};
use fathom_ir::{LoopHead, Program};
use std::collections::BTreeSet;

/// Of all that is known at loop heads, what can be said in C, in a fixed order.
pub fn loop_invariants<'a>(program: &Program, loops: impl IntoIterator<Item = (LoopHead, &'a [fathom_ir::Invariant])>) -> Vec<Invariant> {
    let mut texts = Texts::default();
    let mut found = BTreeSet::new();
    for (head, known) in loops {
        let said = say(program, Language::C, &mut texts, head, known);
        // The body of a `do` comes before the condition that its keyword would stand for.
        let Some(said) = said.filter(|said| matches!(said.site.keyword.as_str(), "for" | "while")) else { continue };
        let (file_name, line, column) = (said.site.file, said.site.line, Some(said.site.column));
        let location = Location { file_name, line, column, function: Some(said.site.function) };
        let (kind, format) = (InvariantKind::LoopInvariant, "c_expression".to_string());
        let claim = |value: String| Invariant { kind, location: location.clone(), value, format: format.clone() };
        found.extend(said.conditions.into_iter().flatten().map(claim));
    }
    found.into_iter().collect()
}
