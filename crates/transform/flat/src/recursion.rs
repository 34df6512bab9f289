//! Which procedures may come to call themselves, through any number of others. A call through a pointer may be one of any
//! procedure whose address is taken.

use fathom_ir::{Callee, ProcId, Program, StatementKind};
use std::collections::BTreeSet;

/// Whether some procedure that the entry may come to is recursive.
pub fn is_recursive(program: &Program) -> bool {
    let recursive = recursive_procedures(program);
    let addressed: BTreeSet<ProcId> =
        (0..program.procedures.len() as u32).map(ProcId).filter(|&id| program.procedure(id).address.is_some()).collect();
    let (mut seen, mut open) = (BTreeSet::new(), vec![program.entry]);
    while let Some(id) = open.pop() {
        if recursive.contains(&id) {
            return true;
        }
        if seen.insert(id) {
            open.extend(calls_of(program, id, &addressed));
        }
    }
    false
}

pub(crate) fn recursive_procedures(program: &Program) -> BTreeSet<ProcId> {
    let all = || (0..program.procedures.len() as u32).map(ProcId);
    let addressed: BTreeSet<ProcId> = all().filter(|&id| program.procedure(id).address.is_some()).collect();
    let calls: Vec<BTreeSet<ProcId>> = all().map(|id| calls_of(program, id, &addressed)).collect();
    let may_call_itself = |&start: &ProcId| {
        let mut seen: BTreeSet<ProcId> = BTreeSet::new();
        let mut open: Vec<ProcId> = calls[start.0 as usize].iter().copied().collect();
        while let Some(next) = open.pop() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                open.extend(&calls[next.0 as usize]);
            }
        }
        false
    };
    all().filter(may_call_itself).collect()
}

fn calls_of(program: &Program, id: ProcId, addressed: &BTreeSet<ProcId>) -> BTreeSet<ProcId> {
    let mut calls = BTreeSet::new();
    let blocks = program.procedure(id).body.iter().flat_map(|body| &body.blocks);
    for statement in blocks.flat_map(|block| &block.statements) {
        let StatementKind::Call { callee, args, .. } = &statement.kind else { continue };
        match callee {
            Callee::Direct(callee) => _ = calls.insert(*callee),
            Callee::Indirect(pointer) => match program.terms.as_var(*pointer).and_then(|var| program.procedure_addresses.get(&var)) {
                Some(&callee) => _ = calls.insert(callee),
                None => calls.extend(addressed.iter().filter(|id| program.procedure(**id).params.len() == args.len())),
            },
        }
    }
    calls
}
