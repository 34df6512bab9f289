//! Which local variables may still be read where a block starts: states keep only those. Program variables are always
//! live.

use crate::context::Context;
use fathom_base::FxSet;
use fathom_flow::BodyAccesses;
use fathom_ir::{Body, Procedure};
use fathom_term::{Term, VarId};

/// The live variables of a procedure.
pub struct Live {
    all: FxSet<VarId>,
    locals: fathom_flow::Live<VarId>,
}

impl Live {
    /// Computes which variables of a procedure are live.
    pub fn of(context: &Context, procedure: &Procedure, body: &Body) -> Live {
        let all: FxSet<VarId> = procedure.locals.iter().map(|local| local.id).collect();
        let variables = |term: Term, access: &mut dyn FnMut(VarId)| {
            context.vars_of(term).iter().copied().filter(|var| all.contains(var)).for_each(access);
        };
        let locals = fathom_flow::Live::of(&BodyAccesses { body, results: &procedure.results, variables });
        Live { all, locals }
    }

    /// Whether a variable is live where a block starts.
    pub fn at_start(&self, block: u32, var: VarId) -> bool {
        self.locals.at_start(block).binary_search(&var).is_ok() || !self.all.contains(&var)
    }

    /// The locals that are live where a block starts, in order.
    pub fn locals(&self, block: u32) -> &[VarId] {
        self.locals.at_start(block)
    }
}
