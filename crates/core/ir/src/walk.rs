//! Visits every term of a statement, a terminator or a program.

use crate::program::{Initializer, Program};
use crate::statement::{Callee, Fill, StatementKind, TerminatorKind, ThreadOperation};
use fathom_term::{Term, VarId};

impl StatementKind {
    /// Calls `visit` with every term that the statement evaluates.
    pub fn for_each_term(&self, visit: &mut impl FnMut(Term)) {
        match self {
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(_, value)| visit(value)),
            StatementKind::Havoc { .. } | StatementKind::EndScope { .. } | StatementKind::Unsupported(_) => {}
            StatementKind::Assume(condition) | StatementKind::Assert { condition, .. } => visit(*condition),
            StatementKind::Alloc { size, .. } => visit(*size),
            StatementKind::Free { pointer, .. }
            | StatementKind::Forget { pointer }
            | StatementKind::Use { pointer }
            | StatementKind::Load { pointer, .. }
            | StatementKind::ObjectSize { pointer, .. } => visit(*pointer),
            StatementKind::Store { pointer, value } => [*pointer, *value].into_iter().for_each(visit),
            StatementKind::Copy { target, source, length } => [*target, *source, *length].into_iter().for_each(visit),
            StatementKind::Set { pointer, fill, length } => {
                visit(*pointer);
                visit(*length);
                if let Fill::Byte(byte) = fill {
                    visit(*byte);
                }
            }
            StatementKind::Call { callee, args, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    visit(*pointer);
                }
                args.iter().copied().for_each(visit);
            }
            StatementKind::Thread(operation) => match operation {
                ThreadOperation::Start { function, argument, .. } => [*function, *argument].into_iter().for_each(visit),
                ThreadOperation::Join { thread: term, .. }
                | ThreadOperation::Exit { result: term }
                | ThreadOperation::Local { object: term, .. } => visit(*term),
                ThreadOperation::Current { .. } | ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd => {}
            },
            StatementKind::Watch(watch) => visit(watch.value),
        }
    }

    /// The variables that the statement changes.
    pub fn targets(&self) -> Vec<VarId> {
        match self {
            StatementKind::Assign(pairs) => pairs.iter().map(|&(target, _)| target).collect(),
            StatementKind::Havoc { vars, .. } => vars.clone(),
            StatementKind::Call { targets, .. } => targets.clone(),
            StatementKind::EndScope { variable } => vec![*variable],
            StatementKind::Alloc { target, .. } | StatementKind::Load { target, .. } | StatementKind::ObjectSize { target, .. } => {
                vec![*target]
            }
            StatementKind::Thread(
                ThreadOperation::Start { target, .. }
                | ThreadOperation::Join { target, .. }
                | ThreadOperation::Current { target }
                | ThreadOperation::Local { target, .. },
            ) => vec![*target],
            _ => Vec::new(),
        }
    }
}

impl TerminatorKind {
    /// Calls `visit` with every term that the terminator evaluates.
    pub fn for_each_term(&self, visit: &mut impl FnMut(Term)) {
        match self {
            TerminatorKind::Branch { condition, .. } => visit(*condition),
            TerminatorKind::Switch(switch) => {
                visit(switch.value);
                switch.cases.iter().for_each(|&(case, _)| visit(case));
            }
            _ => {}
        }
    }
}

impl Program {
    /// Calls `visit` with every term of the program.
    pub fn for_each_term(&self, visit: &mut impl FnMut(Term)) {
        self.axioms.iter().copied().for_each(&mut *visit);
        for object in &self.objects {
            visit(object.address);
            if let Initializer::Bytes { relocations, .. } = &object.init {
                relocations.iter().for_each(|relocation| visit(relocation.value));
            }
        }
        for procedure in &self.procedures {
            procedure.address.into_iter().for_each(&mut *visit);
            for block in procedure.body.iter().flat_map(|body| &body.blocks) {
                block.statements.iter().for_each(|statement| statement.kind.for_each_term(visit));
                block.terminator.kind.for_each_term(visit);
            }
        }
    }
}
