//! Decides whether a condition holds whenever a loop is entered, for all values: because of the assignments on the way
//! in. Induction over iterations may use conditions that hold only after the first iteration; a witness must not
//! contain those.

use fathom_ir::{BlockId, Body, LoopHead, Program, StatementKind};
use fathom_term::{Substitution, Term};
use std::collections::BTreeSet;

/// Whether the condition is true on every way into the loop.
pub fn holds_on_entry(program: &Program, head: LoopHead, condition: Term) -> bool {
    let Some(body) = &program.procedure(head.procedure).body else { return false };
    let ways = ways_in(body, head.block);
    !ways.is_empty() && ways.into_iter().all(|from| program.terms.const_bool(before(program, body, from, condition)) == Some(true))
}

/// The blocks from which control comes to the head without having been there: those that the head does not dominate.
fn ways_in(body: &Body, head: BlockId) -> BTreeSet<BlockId> {
    let (mut seen, mut ways) = (BTreeSet::from([body.entry]), BTreeSet::new());
    let mut open = vec![body.entry];
    while let Some(at) = open.pop().filter(|&at| at != head) {
        for next in body.block(at).terminator.kind.successors() {
            if next == head {
                ways.insert(at);
            } else if seen.insert(next) {
                open.push(next);
            }
        }
    }
    ways
}

/// What must hold before the block's assignments for the condition to hold after them; what else changes a variable ends the
/// search, and leaves it arbitrary.
fn before(program: &Program, body: &Body, block: BlockId, condition: Term) -> Term {
    let mut condition = condition;
    for statement in body.block(block).statements.iter().rev() {
        match &statement.kind {
            StatementKind::Assign(pairs) => condition = Substitution::new(pairs.iter().copied()).apply(&program.terms, condition),
            other if other.targets().is_empty() => {}
            _ => break,
        }
    }
    condition
}
