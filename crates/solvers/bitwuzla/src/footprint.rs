//! Which terms that need attention lie below the assertions of one solver: those with definitions, which the solver
//! must assert too, and applications of uninterpreted functions, whose values belong into a model. Levels are
//! forgotten when they are popped. Parts of terms that contain neither are not walked, and nothing is walked twice.

use crate::translate::Translator;
use fathom_base::FxSet;
use fathom_term::{Op, Term};

#[derive(Default)]
pub(crate) struct Footprint {
    seen: FxSet<Term>,
    /// `seen` in order, so that a level can be taken back.
    order: Vec<Term>,
    applications: Vec<Term>,
    /// Lengths of `order` and `applications` where each level began.
    levels: Vec<(usize, usize)>,
}

impl Footprint {
    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push((self.order.len(), self.applications.len()));
    }

    /// Closes levels.
    pub fn pop(&mut self, levels: u32) {
        for _ in 0..levels {
            let Some((order, applications)) = self.levels.pop() else { return };
            for term in self.order.drain(order..) {
                self.seen.remove(&term);
            }
            self.applications.truncate(applications);
        }
    }

    /// The applications of uninterpreted functions of all open levels.
    pub fn applications(&self) -> &[Term] {
        &self.applications
    }

    /// Adds a translated term to the current level; returns the terms newly found whose definitions are now needed.
    pub fn add(&mut self, translator: &Translator, root: Term) -> Vec<Term> {
        let mut defined = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let below = translator.below(term);
            if !(below.definitions || below.applications) || !self.seen.insert(term) {
                continue;
            }
            self.order.push(term);
            if translator.definition(term).is_some() {
                defined.push(term);
            }
            match translator.store.op(term) {
                // Translation refuses definitions below quantifiers, and applications there have no value.
                Op::Forall(_) | Op::Exists(_) => continue,
                Op::Apply(_) => self.applications.push(term),
                _ => {}
            }
            stack.extend(translator.store.args(term));
        }
        defined
    }
}
