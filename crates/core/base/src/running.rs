//! The time for which this process has been running: wall-clock time without the stretches for which it was suspended.
//!
//! A process cannot tell for how long it was suspended. The process that suspends it writes that to shared memory
//! before it resumes it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// For how long a process has been suspended so far, in memory that it shares with the process that suspends it.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct SuspendedTime(AtomicU64);

impl SuspendedTime {
    /// Adds a stretch for which the process was suspended; to be called before it goes on.
    pub fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    fn total(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

static SUSPENDED: OnceLock<&'static SuspendedTime> = OnceLock::new();

/// From now on this process does not count the time for which it is suspended. Once per process.
pub fn count_suspension(suspended: &'static SuspendedTime) {
    let _ = SUSPENDED.set(suspended);
}

/// The time for which this process has been running, from an arbitrary beginning.
pub(crate) fn running_time() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let elapsed = BEGIN.get_or_init(Instant::now).elapsed();
    elapsed.saturating_sub(SUSPENDED.get().map_or(Duration::ZERO, |suspended| suspended.total()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    #[test]
    fn parts_of_a_budget_stand_still_while_the_process_is_suspended() {
        static CELL: SuspendedTime = SuspendedTime(AtomicU64::new(0));
        count_suspension(&CELL);
        let part = Budget::unlimited().at_most(Duration::from_millis(200));
        std::thread::sleep(Duration::from_millis(210));
        CELL.add(Duration::from_millis(210));
        assert!(part.exhausted().is_none(), "as far as the process knows, no time has passed");
        std::thread::sleep(Duration::from_millis(210));
        assert!(part.exhausted().is_some());
    }
}
