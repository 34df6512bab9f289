//! The results of a walk: the books from which a proof is recounted.

use fathom_engine::{Books, Reasons};

/// The books of a walk over the unrolled program.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// States that were made: the first one, and one per fork.
    pub started: u64,
    /// States that came to their end, in whatever way.
    pub ended: u64,
    /// States that became part of another one.
    pub merged: u64,
    /// Of those that ended: equal to one that was followed.
    pub repeated: u64,
    /// Of those that ended: not followed to the end, so that nothing may be concluded; and parts of states.
    pub cut: u64,
    /// Why states were given up.
    pub reasons: Reasons,
    /// The largest number of states that waited at once.
    pub most_states: usize,
    /// Joins that were refused.
    pub apart: u64,
}

impl Tally {
    /// What a proof is recounted from.
    pub fn books(&self) -> Books {
        let Tally { started, ended, merged, repeated, cut, .. } = *self;
        Books { started, ended, merged, repeated, cut }
    }

    /// Whether every state is accounted for and none was cut, given how many wait at bounds.
    pub fn is_complete(&self, waiting: u64) -> bool {
        waiting == 0 && self.cut == 0 && self.reasons.is_empty() && self.started == self.ended + self.merged
    }
}
