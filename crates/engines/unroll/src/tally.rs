//! What a walk has seen: the books that a proof is recounted from.

use fathom_engine::Reasons;

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
    pub reasons: Reasons,
    pub most_states: usize,
    /// Joins that were refused.
    pub apart: u64,
}

impl Tally {
    /// Whether every state is accounted for and none was cut, given how many wait at bounds.
    pub fn is_complete(&self, waiting: u64) -> bool {
        waiting == 0 && self.cut == 0 && self.reasons.is_empty() && self.started == self.ended + self.merged
    }
}
