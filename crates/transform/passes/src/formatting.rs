//! Calls of the run-time library's formatted output and input. They read and write memory through pointers, which is
//! arbitrary after `coarsen`: a format could be any string, and following all its possible conversions is useless. So
//! such a call is replaced by an arbitrary result, unless it may change an exact object.

use crate::coarsen::{base_of, preserves};
use fathom_base::FxSet;
use fathom_flow::{CallGraph, PointerCalls};
use fathom_ir::{AccessKind, Callee, Procedure, Program, Statement, StatementKind, TerminatorKind};
use fathom_term::{TermStore, VarId};

/// The files of the run-time library that do nothing else.
const FILES: [&str; 3] = ["fathom-runtime/format.c", "fathom-runtime/scan.c", "fathom-runtime/decimal.c"];

/// Drops calls of functions that only format text, and makes their results arbitrary.
pub fn forget_formatting(program: &mut Program, exact: &FxSet<VarId>) {
    let harmless = harmless_procedures(program, exact);
    let formats: Vec<bool> = program
        .procedures
        .iter()
        .zip(&harmless)
        .map(|(procedure, &harmless)| harmless && procedure.body.is_some() && is_formatting(program, procedure))
        .collect();
    let bodies = program.procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut());
    for statement in bodies.flat_map(|body| &mut body.blocks).flat_map(|block| &mut block.statements) {
        if let StatementKind::Call { targets, callee: Callee::Direct(callee), .. } = &statement.kind
            && formats[callee.0 as usize]
        {
            statement.kind = StatementKind::Havoc { vars: targets.clone(), input: None };
        }
    }
}

fn is_formatting(program: &Program, procedure: &Procedure) -> bool {
    program.files.path(procedure.loc.file).is_some_and(|path| FILES.iter().any(|file| path.ends_with(file)))
}

/// Procedures that check nothing and change nothing that is exact, themselves or by calls. What formatting can't do counts as
/// nothing: it would only write something else.
fn harmless_procedures(program: &Program, exact: &FxSet<VarId>) -> Vec<bool> {
    let shared: FxSet<VarId> = program.object_addresses.keys().copied().chain(program.globals.iter().map(|global| global.id)).collect();
    let does_harm = |procedure: &Procedure| {
        let formats = is_formatting(program, procedure);
        procedure.body.iter().flat_map(|body| &body.blocks).any(|block| {
            let ends = formats || !matches!(block.terminator.kind, TerminatorKind::Unsupported(_));
            !ends || !block.statements.iter().all(|statement| does_no_harm(&program.terms, statement, exact, &shared, formats))
        })
    };
    let mut harmful: Vec<bool> = program.procedures.iter().map(does_harm).collect();
    let calls = CallGraph::of(program, PointerCalls::LeftOut);
    calls.accumulate(&mut harmful, |caller, callee| std::mem::replace(caller, *caller || *callee) != *caller);
    harmful.into_iter().map(|harmful| !harmful).collect()
}

/// Whether a statement does no harm by itself; calls of procedures are judged by the procedures.
fn does_no_harm(store: &TermStore, statement: &Statement, exact: &FxSet<VarId>, shared: &FxSet<VarId>, formats: bool) -> bool {
    if statement.kind.targets().iter().any(|target| shared.contains(target)) {
        return false;
    }
    let mut writes_shared = false;
    statement.kind.for_each_access(&mut |access| {
        let is_shared = || base_of(store, exact, access.pointer).is_some_and(|base| shared.contains(&base));
        writes_shared |= access.kind == AccessKind::Write && is_shared();
    });
    match &statement.kind {
        _ if writes_shared => false,
        StatementKind::Assert { property, .. } => !preserves(*property),
        StatementKind::Call { callee: Callee::Indirect(_), .. } | StatementKind::Thread(_) => false,
        StatementKind::Unsupported(_) => formats,
        _ => true,
    }
}
