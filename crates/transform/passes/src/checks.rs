//! Keeps the assertions of the properties that were asked for; front ends write one for everything that can go wrong.
//! All others are removed, except for checks of operations at which the processor would trap: a division by zero ends
//! the program, so its check becomes an assumption. If memory is not checked, calls of C library functions that only
//! check memory are removed as well.

use fathom_base::FxSet;
use fathom_ir::{Assumption, Callee, ProcId, Program, Property, StatementKind};
use std::collections::BTreeSet;

/// Functions of this name do nothing but read what a library function would read.
const MEMORY_CHECKS: &str = "fathom_check_";

/// `violated` are known to be violated, and are no longer asked for: a run ends where it violates one of them, as it does
/// where they are asked for together with the others.
pub fn select(program: &mut Program, wanted: &BTreeSet<Property>, violated: &BTreeSet<Property>) {
    let mut ends = BTreeSet::new();
    let mut traps = false;
    let mut idle: FxSet<ProcId> = FxSet::default();
    let ends_at_accesses = violated.contains(&Property::ValidDeref);
    let asks_about_memory = wanted.contains(&Property::ValidDeref) || wanted.contains(&Property::Null) || ends_at_accesses;
    // What a library function reads may race with what another thread writes, or may never have been written.
    let asks_about_bytes = [Property::Uninitialised, Property::NoDataRace].iter().any(|property| wanted.contains(property));
    if !asks_about_memory && !asks_about_bytes {
        let named = program.procedures.iter().enumerate().filter(|(_, p)| p.name.starts_with(MEMORY_CHECKS));
        idle.extend(named.map(|(index, _)| ProcId(index as u32)));
    }
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else { continue };
        for block in &mut body.blocks {
            block.statements.retain_mut(|statement| {
                if let StatementKind::Call { callee: Callee::Direct(callee), .. } = &statement.kind {
                    return !idle.contains(callee);
                }
                if let StatementKind::Look { .. } = statement.kind {
                    return wanted.contains(&Property::Uninitialised);
                }
                let StatementKind::Assert { condition, property, .. } = &mut statement.kind else { return true };
                // A wait that never ends is a run that never ends.
                if *property == Property::Deadlock && !wanted.contains(property) {
                    *property = Property::Termination;
                }
                // A run that ends only, or never ends only, because a number overflowed shows nothing.
                let matters = match property {
                    Property::NoOverflow => wanted.contains(&Property::Termination),
                    // Nor does one that comes to a part of an object by an index into another.
                    Property::ValidDeref => true,
                    Property::Bounds => !asks_about_memory,
                    _ => false,
                };
                if wanted.contains(property) || matters && !violated.contains(property) {
                    return true;
                }
                if violated.contains(property) {
                    ends.insert(*property);
                    statement.kind = StatementKind::Assume(*condition);
                    return true;
                }
                if *property != Property::DivByZero {
                    return false;
                }
                statement.kind = StatementKind::Assume(*condition);
                traps = true;
                true
            });
        }
    }
    // These the machine checks as well. Where null pointers are still asked for, an access through one must not end silently.
    let accesses = (!wanted.contains(&Property::Null)).then_some(Property::ValidDeref);
    ends.extend(accesses.into_iter().chain([Property::ValidFree]).filter(|property| violated.contains(property)));
    program.assumptions.extend(ends.iter().map(|property| Assumption::EndsWhereViolated { property: property.to_string() }));
    if traps {
        program.assumptions.push(Assumption::DivisionByZeroEnds);
    }
}
