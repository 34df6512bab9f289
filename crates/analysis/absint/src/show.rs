//! Invariants as text for people: one loop head after the other, a condition per line, cells by the address they are at.

use fathom_base::Loc;
use fathom_ir::{Invariants, Program};
use fathom_term::Substitution;
use fathom_term::smtlib::print_term;
use std::fmt::Write;

/// The invariants at each loop head as text, for golden files.
pub fn show(program: &Program, invariants: &Invariants) -> String {
    let mut text = String::new();
    let store = &program.terms;
    for (head, known) in &invariants.at {
        let procedure = program.procedure(head.procedure);
        let Some(block) = procedure.body.as_ref().map(|body| body.block(head.block)) else { continue };
        // Values that meet at the head have no place of their own.
        let placed = block.statements.iter().map(|statement| statement.loc).find(|&loc| loc != Loc::UNKNOWN);
        let loc = placed.unwrap_or(block.terminator.loc);
        let position = program.files.show(loc);
        let _ = writeln!(text, "loop {} b{} \"{}\" ; {position}", procedure.name, head.block.0, block.label);
        for invariant in known {
            let named = invariant.cells.iter().map(|cell| {
                let address = print_term(store, cell.pointer);
                let name = format!("mem[{address},{}]", cell.bytes);
                (cell.var, store.var(&name, store.var_sort(cell.var)))
            });
            let condition = Substitution::new(named.collect::<Vec<_>>()).apply(store, invariant.condition);
            let _ = writeln!(text, "  {}", print_term(store, condition));
        }
    }
    text
}
