//! The last decisions of a path, for searchers: at which branch it forked and to which side. A path's last few decisions
//! are its *subpath* (Li, Su, Wang, Li: Steering symbolic execution to less traveled paths, OOPSLA 2013).

use crate::exec::state::State;
use std::hash::{Hash, Hasher};

/// Longer subpaths are not kept.
const LONGEST: usize = 32;

#[derive(Clone)]
pub(crate) struct Decisions {
    ring: [u32; LONGEST],
    count: usize,
    last: u32,
}

impl Default for Decisions {
    fn default() -> Self {
        Decisions { ring: [u32::MAX; LONGEST], count: 0, last: u32::MAX }
    }
}

impl Decisions {
    /// The cases of a switch are asked for one after the other: together they are one decision.
    pub fn push(&mut self, branch: u32, side: bool) {
        let so_far = if self.last == branch { self.ring[(self.count - 1) % LONGEST] } else { branch };
        if self.last != branch {
            self.count += 1;
        }
        self.last = branch;
        self.ring[(self.count - 1) % LONGEST] = so_far.wrapping_mul(0x9E37_79B1).wrapping_add(u32::from(side) + 1);
    }
}

impl State {
    /// Stands for the last decisions of the path, so many of them (at most 32).
    pub fn subpath(&self, length: usize) -> u64 {
        let mut hasher = fathom_base::FxHasher::default();
        let Decisions { ring, count, .. } = &self.search.decisions;
        for back in 1..=length.min(*count).min(LONGEST) {
            ring[(count - back) % LONGEST].hash(&mut hasher);
        }
        hasher.finish()
    }
}
