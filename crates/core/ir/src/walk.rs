//! Visits every term of a statement, a terminator or a program.

use crate::program::{Initializer, Program};
use crate::statement::{StatementKind, TerminatorKind};
use fathom_term::{Term, VarId};

impl StatementKind {
    /// Calls `visit` with every term that the statement evaluates.
    pub fn for_each_term(&self, visit: &mut impl FnMut(Term)) {
        self.for_each_use(&mut |term, _| visit(term));
    }

    /// The variables that the statement changes.
    pub fn targets(&self) -> Vec<VarId> {
        let mut targets = Vec::new();
        self.for_each_target(&mut |target, _| targets.push(target));
        targets
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
            TerminatorKind::Goto(_) | TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
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
