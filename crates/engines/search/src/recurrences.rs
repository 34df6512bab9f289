//! When a search for runs without end looks for sets of states that no run leaves (`fathom_machine::Recurrence`): at each loop head when a path
//! comes to it for the second time, the eighth, the 64th and so on, counted over all paths, and no longer than a part of the time.

use crate::limits::Limits;
use fathom_base::FxMap;
use fathom_machine::{Machine, State};
use std::time::{Duration, Instant};

/// What a search did of this so far.
pub(crate) struct Recurrences {
    began: Instant,
    used: Duration,
    /// Arrivals at each loop head.
    arrivals: FxMap<(u32, u32), u64>,
}

impl Default for Recurrences {
    fn default() -> Self {
        Recurrences { began: Instant::now(), used: Duration::ZERO, arrivals: FxMap::default() }
    }
}

impl Recurrences {
    /// Whether to look now. Counts the arrival.
    pub fn is_due(&mut self, machine: &Machine, state: &State, limits: &Limits) -> bool {
        let frame = state.frame();
        let arrivals = self.arrivals.entry((frame.proc, frame.block)).or_default();
        *arrivals += 1;
        let turn = (0..limits.recurrence_looks).any(|look| *arrivals == 2 << (3 * look));
        turn && machine.budget.exhausted().is_none()
            && self.used <= limits.recurrence_start + self.began.elapsed() / limits.recurrence_share
    }

    /// Notes the time that a look took.
    pub fn took(&mut self, time: Duration) {
        self.used += time;
    }
}
