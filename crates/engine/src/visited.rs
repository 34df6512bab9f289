//! States that were followed already: one that is equal to such a state, up to the names of its symbols, needs not be
//! followed again. Comparing costs time, so it is done as long as it pays.

use fathom_base::FxSet;
use fathom_semantics::{Machine, State};

/// Work on fingerprints (in nanoseconds) that is always allowed, and that a hit earns.
const FREE_WORK: u64 = 50_000_000;
const WORK_PER_HIT: u64 = 10_000_000;

#[derive(Default)]
pub struct Visited {
    fingerprints: FxSet<u128>,
    pub repeated: u64,
}

impl Visited {
    /// Whether an equal state was here before. States that cost more to compare than it brings are left alone.
    pub fn is_repeated(&mut self, machine: &mut Machine, state: &State) -> bool {
        let queries = machine.oracle().map_or(0, |oracle| oracle.statistics().queries());
        let earned = (machine.statistics.statements * 50 + queries * 20_000) / 4 + self.repeated * WORK_PER_HIT;
        if machine.fingerprint_work > FREE_WORK + earned {
            return false;
        }
        let is_known = machine.fingerprint(state).is_some_and(|fingerprint| !self.fingerprints.insert(fingerprint));
        self.repeated += is_known as u64;
        is_known
    }
}
