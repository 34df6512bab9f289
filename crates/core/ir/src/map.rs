//! Changes the terms, the written variables and the jumps of a statement or terminator in place: the counterpart of the
//! visitors in `walk`, and complete in the same way, so that a copy of a program's part is `clone` and `map`.

use crate::description::PartMut;
use crate::program::BlockId;
use crate::statement::{StatementKind, TerminatorKind};
use fathom_term::{Term, VarId};

impl StatementKind {
    /// Replaces every term that the statement evaluates.
    pub fn map_terms(&mut self, map: &mut impl FnMut(Term) -> Term) {
        self.parts_mut(&mut |part| {
            if let PartMut::Term(term, ..) = part {
                *term = map(*term);
            }
        });
    }

    /// Replaces the variables that the statement changes.
    pub fn map_targets(&mut self, map: &mut impl FnMut(VarId) -> VarId) {
        self.parts_mut(&mut |part| {
            if let PartMut::Target(target, ..) = part {
                *target = map(*target);
            }
        });
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
