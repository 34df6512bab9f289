//! Calls into libraries of others that survive a fault there: a solver that runs into a null pointer, overflows its
//! stack or gives itself up with `abort` costs the query that it was working on, not the run.
//!
//! The fault's signal handler jumps back to where the call began (`native/fault.c`). What the library was doing stays
//! undone: its memory is lost and its objects must never be touched again, not even to free them. That is the caller's
//! part. A fault that has spoilt the process beyond the library ends it soon after, and then the supervising process
//! still says the verdict.

use std::ffi::{c_int, c_void};

/// The signal that ended a call.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub c_int);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self.0 {
            libc::SIGSEGV => "segmentation fault",
            libc::SIGABRT => "abort",
            libc::SIGFPE => "arithmetic fault",
            libc::SIGILL => "illegal instruction",
            libc::SIGBUS => "bus error",
            other => return write!(f, "signal {other}"),
        };
        f.write_str(name)
    }
}

unsafe extern "C" {
    fn fathom_survive(work: unsafe extern "C" fn(*mut c_void), data: *mut c_void) -> c_int;
}

struct Job<F, R> {
    work: Option<F>,
    result: Option<R>,
}

/// Runs `work` in the frame that a fault unwinds to.
///
/// # Safety
/// A fault leaves `work` without running destructors, so it must consist of foreign calls alone: it owns nothing,
/// borrows nothing mutably that is looked at afterwards, and holds no lock. What it called must be given up on a fault.
pub unsafe fn survive<R>(work: impl FnOnce() -> R) -> Result<R, Fault> {
    unsafe extern "C" fn run<F: FnOnce() -> R, R>(data: *mut c_void) {
        // SAFETY: `survive` passes its own job, which lives until this returns and has no other user.
        let job = unsafe { &mut *data.cast::<Job<F, R>>() };
        job.result = job.work.take().map(|work| work());
    }
    fn runner<F: FnOnce() -> R, R>(_: &Job<F, R>) -> unsafe extern "C" fn(*mut c_void) {
        run::<F, R>
    }
    let mut job = Job { work: Some(work), result: None };
    let run = runner(&job);
    // SAFETY: the job outlives the call, and `run` takes what it is given.
    let signal = unsafe { fathom_survive(run, std::ptr::from_mut(&mut job).cast()) };
    job.result.ok_or(Fault(signal))
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn overflow(depth: u64) -> u64 {
        let big = std::hint::black_box([depth; 512]);
        // SAFETY: ends in the fault that is wanted.
        if depth == u64::MAX { 0 } else { unsafe { overflow(depth + 1) + big[7] } }
    }

    #[test]
    fn work_without_a_fault_gives_its_result() {
        // SAFETY: owns nothing.
        assert_eq!(unsafe { survive(|| 42) }, Ok(42));
    }

    #[test]
    fn faults_cost_the_call_alone_and_may_come_again() {
        for _ in 0..3 {
            // SAFETY: foreign calls only; the first is meant to fault.
            unsafe {
                assert_eq!(survive(|| std::ptr::null::<u8>().wrapping_add(8).read_volatile()), Err(Fault(libc::SIGSEGV)));
                assert_eq!(survive(|| libc::abort()), Err::<(), _>(Fault(libc::SIGABRT)));
                assert_eq!(survive(|| overflow(0)), Err(Fault(libc::SIGSEGV)));
            }
        }
    }

    #[test]
    fn an_inner_call_catches_its_own_fault() {
        // SAFETY: as above.
        let outer = unsafe { survive(|| survive(|| libc::abort())) };
        assert_eq!(outer, Ok(Err::<(), _>(Fault(libc::SIGABRT))));
    }
}
