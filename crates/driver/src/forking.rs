//! System calls that rustix leaves to the C library, because they concern state that the library keeps for a process:
//! `fork`, `_exit`, resource usage of children, and signal handlers.

use rustix::process::{Pid, Signal};
use std::ffi::c_int;
use std::io;
use std::time::Duration;

/// Goes on as two processes: the parent gets the child's number, the child none.
///
/// # Safety
/// No other thread of this process may hold a lock that the child comes to need.
pub(crate) unsafe fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: promised by the caller.
    match unsafe { libc::fork() } {
        ..=-1 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child)),
    }
}

/// Ends this process at once: nothing is torn down, and nothing is flushed.
pub(crate) fn end_process(code: i32) -> ! {
    // SAFETY: there is nothing that it could harm.
    unsafe { libc::_exit(code) }
}

/// The time that ended children of this process, and theirs, have computed.
pub(crate) fn time_of_children() -> Duration {
    // SAFETY: the structure is plain numbers, which the call fills in; where it fails they stay zero.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let of = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    of(usage.ru_utime) + of(usage.ru_stime)
}

/// Has this signal call a function from now on.
///
/// # Safety
/// The function may come in the middle of anything, so it may only do what is safe in a signal handler, such as using atomics.
pub(crate) unsafe fn handle_signal(signal: Signal, handler: extern "C" fn(c_int)) {
    // SAFETY: promised by the caller.
    unsafe { libc::signal(signal.as_raw(), handler as *const () as libc::sighandler_t) };
}

/// Has this signal do nothing from now on, here and in programs that are started.
pub(crate) fn ignore_signal(signal: Signal) {
    // SAFETY: nothing is called.
    unsafe { libc::signal(signal.as_raw(), libc::SIG_IGN) };
}
