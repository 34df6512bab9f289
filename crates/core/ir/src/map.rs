//! Changes the terms, the written variables and the jumps of a statement or terminator in place: the counterpart of the
//! visitors in `walk`, and complete in the same way, so that a copy of a program's part is `clone` and `map`.

use crate::program::BlockId;
use crate::statement::{Callee, Fill, StatementKind, TerminatorKind, ThreadOperation};
use fathom_term::{Term, VarId};

impl StatementKind {
    /// Replaces every term that the statement evaluates.
    pub fn map_terms(&mut self, map: &mut impl FnMut(Term) -> Term) {
        let mut change = |term: &mut Term| *term = map(*term);
        match self {
            StatementKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| change(value)),
            StatementKind::Havoc { .. } | StatementKind::EndScope { .. } | StatementKind::Unsupported(_) => {}
            StatementKind::Assume(condition) | StatementKind::Assert { condition, .. } => change(condition),
            StatementKind::Alloc { size, .. } => change(size),
            StatementKind::Free { pointer, .. }
            | StatementKind::Forget { pointer }
            | StatementKind::Use { pointer }
            | StatementKind::Load { pointer, .. }
            | StatementKind::ObjectSize { pointer, .. } => change(pointer),
            StatementKind::Store { pointer, value } => [pointer, value].into_iter().for_each(change),
            StatementKind::Copy { target, source, length } => [target, source, length].into_iter().for_each(change),
            StatementKind::Set { pointer, fill, length } => {
                change(pointer);
                change(length);
                if let Fill::Byte(byte) = fill {
                    change(byte);
                }
            }
            StatementKind::Call { callee, args, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    change(pointer);
                }
                args.iter_mut().for_each(change);
            }
            StatementKind::Thread(operation) => match operation {
                ThreadOperation::Start { function, argument, .. } => [function, argument].into_iter().for_each(change),
                ThreadOperation::Join { thread: term, .. }
                | ThreadOperation::Exit { result: term }
                | ThreadOperation::Local { object: term, .. } => change(term),
                ThreadOperation::Current { .. } | ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd => {}
            },
            StatementKind::Watch(watch) => change(&mut watch.value),
        }
    }

    /// Replaces the variables that the statement changes.
    pub fn map_targets(&mut self, map: &mut impl FnMut(VarId) -> VarId) {
        let mut change = |var: &mut VarId| *var = map(*var);
        match self {
            StatementKind::Assign(pairs) => pairs.iter_mut().for_each(|(target, _)| change(target)),
            StatementKind::Havoc { vars: targets, .. } | StatementKind::Call { targets, .. } => targets.iter_mut().for_each(change),
            StatementKind::EndScope { variable: target }
            | StatementKind::Alloc { target, .. }
            | StatementKind::Load { target, .. }
            | StatementKind::ObjectSize { target, .. }
            | StatementKind::Thread(
                ThreadOperation::Start { target, .. }
                | ThreadOperation::Join { target, .. }
                | ThreadOperation::Current { target }
                | ThreadOperation::Local { target, .. },
            ) => change(target),
            StatementKind::Assume(_) | StatementKind::Assert { .. } | StatementKind::Watch(_) | StatementKind::Unsupported(_) => {}
            StatementKind::Free { .. } | StatementKind::Forget { .. } | StatementKind::Use { .. } => {}
            StatementKind::Store { .. } | StatementKind::Copy { .. } | StatementKind::Set { .. } => {}
            StatementKind::Thread(ThreadOperation::Exit { .. } | ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd) => {}
        }
    }
}

impl TerminatorKind {
    /// Replaces every term that the terminator evaluates.
    pub fn map_terms(&mut self, map: &mut impl FnMut(Term) -> Term) {
        match self {
            TerminatorKind::Branch { condition, .. } => *condition = map(*condition),
            TerminatorKind::Switch(switch) => {
                switch.value = map(switch.value);
                switch.cases.iter_mut().for_each(|(case, _)| *case = map(*case));
            }
            TerminatorKind::Goto(_) | TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
        }
    }

    /// Replaces the targets of jumps one by one; their order and number stay (see `redirect`, which merges equal ones).
    pub fn map_targets(&mut self, map: &mut impl FnMut(BlockId) -> BlockId) {
        let mut change = |target: &mut BlockId| *target = map(*target);
        match self {
            TerminatorKind::Goto(targets) => targets.iter_mut().for_each(change),
            TerminatorKind::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(change),
            TerminatorKind::Switch(switch) => {
                switch.cases.iter_mut().for_each(|(_, target)| change(target));
                change(&mut switch.default);
            }
            TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
        }
    }
}
