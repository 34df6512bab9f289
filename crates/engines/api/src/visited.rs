//! States that were explored already: a state that equals one of them, up to renaming of symbols, need not be explored
//! again. Comparing costs time, so it is done only as long as it pays off.
//!
//! For termination that is not enough: the equal state may be on the same path. A path that returns to one of its own
//! states continues, so that the cycle is detected, and `steps` records which states follow each other on every path,
//! for a proof that there is no cycle. With threads there is no search for cycles, and the path ends there; the cycle
//! is then visible in `steps`.

use fathom_base::{FxMap, Loc};
use fathom_machine::{Machine, State};
use std::collections::BTreeSet;

/// Work on fingerprints (in nanoseconds) that is always allowed, and that a hit earns.
const FREE_WORK: u64 = 50_000_000;
const WORK_PER_HIT: u64 = 10_000_000;

/// States that were met before, by their fingerprints.
#[derive(Default)]
pub struct Visited {
    /// Numbered from 1.
    fingerprints: FxMap<u128, u32>,
    /// How often a state was met again.
    pub repeated: u64,
    /// Where a state was met again for the first time.
    pub first_repeated: Option<Loc>,
    /// When termination is asked for: steps between the numbers, 0 being the start.
    pub steps: BTreeSet<(u32, u32)>,
}

impl Visited {
    /// Whether an equal state was here before. States that cost more to compare than it brings are left alone.
    pub fn is_repeated(&mut self, machine: &mut Machine, state: &mut State) -> bool {
        let for_termination = machine.config().pauses.all_loop_heads;
        let has_threads = state.threads.is_some();
        if for_termination && !has_threads && !state.comparison.idle_visits.is_power_of_two() {
            return false;
        }
        let queries = machine.oracle().map_or(0, |oracle| oracle.statistics().queries());
        let earned = (machine.statistics.statements * 50 + queries * 20_000) / 4 + self.repeated * WORK_PER_HIT;
        if machine.counters.fingerprint_work > FREE_WORK + earned {
            return false;
        }
        let Some(fingerprint) = machine.fingerprint(state) else { return false };
        let fresh = self.fingerprints.len() as u32 + 1;
        let number = *self.fingerprints.entry(fingerprint).or_insert(fresh);
        if for_termination {
            if number != fresh && !has_threads && state.search.landmarks.newest_first().any(|known| known == number) {
                return false;
            }
            self.steps.insert((state.search.landmarks.newest_first().next().unwrap_or(0), number));
            state.search.landmarks.push(number);
        }
        let is_repeated = number != fresh;
        if is_repeated {
            self.repeated += 1;
            self.first_repeated.get_or_insert(machine.place(state));
        }
        is_repeated
    }
}
