//! Budgets: a deadline, a memory limit, and a cancellation flag that is set by Ctrl-C or by the portfolio. Nothing is
//! interrupted from outside: work calls `exhausted` from time to time, which is cheap enough for inner loops to do so every
//! few thousand steps.
//!
//! The whole run has a deadline by the clock on the wall. The parts of it that `at_most` makes are measured by the clock of
//! `running`, which stands still while the process is suspended: a query that may take two seconds has not used them up
//! because other processes had their turn meanwhile.

use crate::running::running_time;
use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const MEASURE_EVERY_MS: u64 = 10;

/// Why work had to stop before it was finished.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time limit has passed.
    Timeout,
    /// The memory limit was reached.
    OutOfMemory,
    /// The user or another process asked the run to end.
    Interrupted,
}

/// Limits that a run, or a part of it, must respect. Clones share the cancellation flag.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    /// The running time of the process at which the budget is used up.
    part_ends: Option<Duration>,
    memory_bytes: Option<u64>,
    /// The CPU time of the process at which the budget is used up.
    computed: Option<Duration>,
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// A budget without limits.
    pub fn unlimited() -> Self {
        Self::new(None, None, Arc::new(AtomicBool::new(false)))
    }

    /// A budget with these limits that ends, too, when the flag is set.
    pub fn new(time: Option<Duration>, memory_bytes: Option<u64>, cancelled: Arc<AtomicBool>) -> Self {
        let deadline = time.and_then(|t| Instant::now().checked_add(t));
        Self { deadline, part_ends: None, memory_bytes, computed: None, cancelled }
    }

    /// The same budget, ending at the latest after the process has run for `time` more.
    pub fn at_most(&self, time: Duration) -> Self {
        let end = running_time().checked_add(time);
        Self { part_ends: self.part_ends.into_iter().chain(end).min(), ..self.clone() }
    }

    /// The same budget, ending after `time` more of CPU time. Where several processes share the machine, wall-clock time says
    /// little about how much was computed.
    pub fn computing_at_most(&self, time: Duration) -> Self {
        let end = processor_time() + time;
        Self { computed: Some(self.computed.map_or(end, |known| known.min(end))), ..self.clone() }
    }

    /// The time that is left, if the process is not suspended meanwhile; None without a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        let whole = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let part = self.part_ends.map(|end| end.saturating_sub(running_time()));
        whole.into_iter().chain(part).min()
    }

    /// The memory limit in bytes.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// The cancellation flag, which clones share.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// The reason to stop now, if there is one.
    pub fn exhausted(&self) -> Option<StopReason> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(StopReason::Timeout);
        }
        if self.part_ends.is_some_and(|end| running_time() >= end) {
            return Some(StopReason::Timeout);
        }
        if self.computed.is_some_and(|limit| processor_time() >= limit) {
            return Some(StopReason::Timeout);
        }
        if let Some(limit) = self.memory_bytes
            && memory_in_use().is_some_and(|used| used > limit)
        {
            return Some(StopReason::OutOfMemory);
        }
        None
    }
}

/// The CPU time that this process has used.
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Resident memory of this process, as of the last reading: /proc is read at intervals only.
fn memory_in_use() -> Option<u64> {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    static MEASURED_AT: AtomicU64 = AtomicU64::new(0);
    static MEASURED: AtomicU64 = AtomicU64::new(0);
    let now = START.elapsed().as_millis() as u64 + 1;
    let then = MEASURED_AT.load(Ordering::Relaxed);
    if then == 0 || now >= then + MEASURE_EVERY_MS {
        MEASURED.store(crate::process::own_resident_bytes()?, Ordering::Relaxed);
        MEASURED_AT.store(now, Ordering::Relaxed);
    }
    Some(MEASURED.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_never_outlives_the_whole() {
        let whole = Budget::new(Some(Duration::from_secs(5)), None, Default::default());
        assert!(whole.at_most(Duration::from_secs(50)).remaining().unwrap() <= Duration::from_secs(5));
        assert_eq!(whole.at_most(Duration::ZERO).exhausted(), Some(StopReason::Timeout));
        assert_eq!(whole.exhausted(), None);
    }

    #[test]
    fn computing_is_counted() {
        let part = Budget::unlimited().computing_at_most(Duration::from_millis(20));
        assert_eq!(part.exhausted(), None);
        let begin = Instant::now();
        while part.exhausted().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(20), "no end");
        }
        assert_eq!(part.exhausted(), Some(StopReason::Timeout));
        assert_eq!(Budget::unlimited().computing_at_most(Duration::from_secs(100)).exhausted(), None);
    }

    #[test]
    fn cancelling_reaches_every_clone() {
        let whole = Budget::unlimited();
        let part = whole.at_most(Duration::from_secs(1));
        whole.cancel_flag().store(true, Ordering::Relaxed);
        assert_eq!(part.exhausted(), Some(StopReason::Interrupted));
    }

    #[test]
    fn memory_above_the_limit_is_noticed() {
        let tight = Budget::new(None, Some(1), Default::default());
        assert_eq!(tight.exhausted(), Some(StopReason::OutOfMemory));
    }
}
