//! The applications of uninterpreted functions below the assertions of one solver; their values belong into a model.
//! Levels are forgotten when they are popped. Parts of terms without applications are not walked, and nothing is
//! walked twice.

use crate::translate::Translator;
use fathom_base::FxSet;
use fathom_term::{Op, Term};

#[derive(Default)]
pub(crate) struct Applications {
    seen: FxSet<Term>,
    /// `seen` in order, so that a level can be taken back.
    order: Vec<Term>,
    /// Length of `order` where each level began.
    levels: Vec<usize>,
}

impl Applications {
    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.order.len());
    }

    /// Closes levels.
    pub fn pop(&mut self, levels: u32) {
        for _ in 0..levels {
            let Some(start) = self.levels.pop() else { return };
            for term in self.order.drain(start..) {
                self.seen.remove(&term);
            }
        }
    }

    /// Adds a translated term to the current level.
    pub fn add(&mut self, translator: &Translator, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if translator.has_applications(term) && self.seen.insert(term) {
                self.order.push(term);
                stack.extend(translator.store.args(term));
            }
        }
    }

    /// The applications of all open levels.
    pub fn iter<'a>(&'a self, translator: &'a Translator) -> impl Iterator<Item = Term> + 'a {
        self.order.iter().copied().filter(|&term| matches!(translator.store.op(term), Op::Apply(_)))
    }
}
