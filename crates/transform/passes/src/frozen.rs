//! Marks global objects that are never written as read-only, such as a table of numbers without a `const`. The contents
//! of a read-only object are the same in every state, so engines need not store or compare them.
//!
//! Sound because such an object's address is used for nothing but reads at that object; a pointer to another object that
//! leads there is out of bounds, with a write or without.

use crate::coarsen::{base_of, exact_bases};
use fathom_base::FxSet;
use fathom_ir::{AccessKind, Program};
use fathom_term::VarId;

/// Marks the objects that no statement writes.
pub fn freeze(program: &mut Program) {
    let exact = exact_bases(program);
    let mut written: FxSet<VarId> = FxSet::default();
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
    for statement in bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements) {
        statement.kind.for_each_access(&mut |access| {
            if access.kind != AccessKind::Read {
                written.extend(base_of(&program.terms, &exact, access.pointer));
            }
        });
    }
    for (address, object) in &program.object_addresses {
        if exact.contains(address) && !written.contains(address) {
            program.objects[object.0 as usize].read_only = true;
        }
    }
}
