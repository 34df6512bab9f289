//! The promise that a run ends in time, with a verdict line, whatever happens. Fathom forks: the child works, the parent
//! watches. A child that overruns its limits without stopping by itself (a solver that hangs, a huge allocation) or that
//! crashes (a fault in a linked library, the kernel's out-of-memory killer) is killed and the parent says the verdict.
//! Ctrl-C reaches the parent, which asks the child to stop with what it has; a second one ends both at once. Everything
//! temporary lies in one directory that the parent removes.

use crate::ending::{Ending, print_last};
use fathom_base::process;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How far beyond its limit a child may go before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// After hours nobody minds some seconds, and there is more to put in order.
const LONGEST_GRACE: Duration = Duration::from_secs(20);
/// How long a child that was interrupted may take to say what it found.
const INTERRUPT_GRACE: Duration = Duration::from_secs(3);
/// How long a child may take to print its answer once it has begun to.
const PRINTING_GRACE: Duration = Duration::from_secs(20);

pub struct Limits {
    /// In front of the last line.
    pub label: &'static str,
    pub start: Instant,
    pub time: Duration,
    pub memory: u64,
}

/// The child's side of the leash.
pub struct Leash {
    pipe: OwnedFd,
    /// Raised when the user interrupts.
    pub cancelled: Arc<AtomicBool>,
}

impl Leash {
    /// From now on the child says the verdict, and the parent does not.
    pub fn about_to_answer(&self) {
        // SAFETY: one byte from a live buffer to an open descriptor.
        unsafe { libc::write(self.pipe.as_raw_fd(), b"V".as_ptr().cast(), 1) };
    }

    /// Ends the process at once: nothing is torn down, the parent removes what lies around.
    pub fn end(&self, ending: Ending) -> ! {
        // SAFETY: ends the process; output was flushed by whoever wrote it.
        unsafe { libc::_exit(ending.code()) }
    }
}

static INTERRUPTS: AtomicU32 = AtomicU32::new(0);
static CANCEL: AtomicPtr<AtomicBool> = AtomicPtr::new(std::ptr::null_mut());

extern "C" fn count_interrupt(_signal: libc::c_int) {
    INTERRUPTS.fetch_add(1, Ordering::Relaxed);
}

extern "C" fn raise_flag(_signal: libc::c_int) {
    let flag = CANCEL.load(Ordering::Acquire);
    if !flag.is_null() {
        // SAFETY: points into an Arc that was leaked for the life of the process.
        unsafe { (*flag).store(true, Ordering::Relaxed) };
    }
}

/// Runs `work` in a child under these limits; never returns. If the child is ended by a fault and `may_retry`, there is
/// a second one for the time that is left, and its `work` is told the signal.
pub fn supervised(limits: Limits, may_retry: bool, work: impl Fn(Leash, Option<Crash>)) -> ! {
    let scratch = make_scratch();
    let crash = attempt(&limits, &scratch, may_retry, &|leash| work(leash, None));
    attempt(&limits, &scratch, false, &|leash| work(leash, Some(crash)));
    finish(limits.label, &scratch, "", "unknown(internal error)", Ending::InternalError)
}

/// The signal that ended a child.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Crash(pub libc::c_int);

impl Crash {
    /// What a fault in a library does to its process.
    fn is_fault(self) -> bool {
        [libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGILL, libc::SIGFPE].contains(&self.0)
    }
}

/// One child. Returns only if that crashed and may be tried again.
fn attempt(limits: &Limits, scratch: &Option<PathBuf>, may_retry: bool, work: &dyn Fn(Leash)) -> Crash {
    let mut ends = [0; 2];
    // SAFETY: fills a live array with two descriptors.
    let child = if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } == 0 {
        // SAFETY: the process has one thread so far. Whoever the child leaves behind becomes ours, to be ended.
        unsafe {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
            libc::fork()
        }
    } else {
        -1
    };
    if child < 0 {
        finish(limits.label, scratch, "error: the system gives no further process", "unknown(internal error: no process)", Ending::InternalError);
    }
    // SAFETY: both descriptors were just made and belong to nobody else.
    let [read_end, write_end] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    if child == 0 {
        drop(read_end);
        let cancelled = prepare_child();
        let leash = Leash { pipe: write_end, cancelled };
        work(leash);
        // SAFETY: ends the child; `work` ends it itself unless something went very wrong.
        unsafe { libc::_exit(Ending::InternalError.code()) }
    }
    drop(write_end);
    watch(child, &read_end, limits, scratch, may_retry)
}

/// A directory for everything temporary, told to children and libraries through TMPDIR.
fn make_scratch() -> Option<PathBuf> {
    let directory = tempfile::Builder::new().prefix("fathom-").tempdir().ok()?.keep();
    // SAFETY: the process has one thread so far.
    unsafe { std::env::set_var("TMPDIR", &directory) };
    Some(directory)
}

fn prepare_child() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    CANCEL.store(Arc::into_raw(cancelled.clone()).cast_mut(), Ordering::Release);
    // SAFETY: plain system calls; the handler only stores to an atomic.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The terminal sends Ctrl-C to the child as well; only the parent's word counts.
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::signal(libc::SIGTERM, libc::SIG_IGN);
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
        libc::signal(libc::SIGUSR1, raise_flag as *const () as libc::sighandler_t);
    }
    cancelled
}

/// What the parent knows of its child.
struct Watch {
    child: libc::pid_t,
    answering: Option<Instant>,
    interrupted: Option<Instant>,
    over_memory: Option<Instant>,
}

/// Returns only if the child crashed and may be tried again.
fn watch(child: libc::pid_t, pipe: &OwnedFd, limits: &Limits, scratch: &Option<PathBuf>, may_retry: bool) -> Crash {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only adds to an atomic.
        unsafe { libc::signal(signal, count_interrupt as *const () as libc::sighandler_t) };
    }
    let mut watch = Watch { child, answering: None, interrupted: None, over_memory: None };
    loop {
        wait_for_news(pipe, &mut watch);
        let mut status = 0;
        // SAFETY: waits for our own child into a live integer.
        if unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == child {
            // Its last word may have come since.
            wait_for_news(pipe, &mut watch);
            end_orphans();
            let crash = Crash(if libc::WIFSIGNALED(status) { libc::WTERMSIG(status) } else { 0 });
            let is_silent = watch.answering.is_none() && watch.interrupted.is_none();
            if may_retry && crash.is_fault() && is_silent && limits.start.elapsed() < limits.time {
                return crash;
            }
            ended(status, &watch, limits.label, scratch);
        }
        if let Some((message, verdict, ending)) = overrun(&mut watch, limits) {
            // SAFETY: our own child, which has not been waited for yet.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &mut status, 0);
            }
            end_orphans();
            if watch.answering.is_some() {
                remove(scratch);
                std::process::exit(ending.code());
            }
            finish(limits.label, scratch, message, verdict, ending);
        }
    }
}

/// Ends what the child had started and did not end itself: a compiler, a solver.
fn end_orphans() {
    for _ in 0..100 {
        let orphans = process::children(std::process::id());
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            // SAFETY: a child of this process, which only it can wait for.
            unsafe {
                libc::kill(orphan, libc::SIGKILL);
                libc::waitpid(orphan, std::ptr::null_mut(), 0);
            }
        }
    }
}

/// Sleeps until the child says something, ends, or a moment has passed.
fn wait_for_news(pipe: &OwnedFd, watch: &mut Watch) {
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one live descriptor; then one byte into a live buffer.
    unsafe {
        if libc::poll(&mut poll, 1, 20) <= 0 {
            return;
        }
        let mut byte = 0u8;
        match libc::read(pipe.as_raw_fd(), (&raw mut byte).cast(), 1) {
            1 => {
                watch.answering.get_or_insert_with(Instant::now);
            }
            // The other end is closed: the child is about to be gone.
            _ => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

type Overrun = (&'static str, &'static str, Ending);

/// A hundredth of the limit.
fn grace(limit: Duration) -> Duration {
    (limit / 100).clamp(GRACE, LONGEST_GRACE)
}

/// Why the child must be killed now, if it must.
fn overrun(watch: &mut Watch, limits: &Limits) -> Option<Overrun> {
    let interrupts = INTERRUPTS.load(Ordering::Relaxed);
    if interrupts > 0 && watch.interrupted.is_none() {
        watch.interrupted = Some(Instant::now());
        // SAFETY: our own child, which has not been waited for yet.
        unsafe { libc::kill(watch.child, libc::SIGUSR1) };
    }
    if interrupts > 1 || watch.interrupted.is_some_and(|since| since.elapsed() > INTERRUPT_GRACE) {
        return Some(("", "unknown(interrupted)", Ending::Interrupted));
    }
    let timeout: Overrun = ("", "unknown(timeout)", Ending::Timeout);
    if let Some(since) = watch.answering {
        return (since.elapsed() > PRINTING_GRACE).then_some(timeout);
    }
    if limits.start.elapsed() > limits.time + grace(limits.time) {
        return Some(timeout);
    }
    let used = resident_bytes(watch.child);
    if used <= limits.memory {
        watch.over_memory = None;
        return None;
    }
    let since = *watch.over_memory.get_or_insert_with(Instant::now);
    let far = used > limits.memory + limits.memory / 100 * 15;
    (far || since.elapsed() > Duration::from_secs(10)).then_some(("", "unknown(out of memory)", Ending::OutOfMemory))
}

/// Resident memory of a process; 0 if it is gone.
pub fn resident_bytes(pid: libc::pid_t) -> u64 {
    process::resident_bytes(pid.unsigned_abs()).unwrap_or(0)
}

fn ended(status: libc::c_int, watch: &Watch, label: &str, scratch: &Option<PathBuf>) -> ! {
    if libc::WIFEXITED(status)
        && let Some(ending) = Ending::from_code(libc::WEXITSTATUS(status))
    {
        if watch.answering.is_some() {
            remove(scratch);
            std::process::exit(ending.code());
        }
        finish(label, scratch, "error: Fathom stopped without an answer; please report this", "unknown(internal error)", Ending::InternalError);
    }
    let signal = if libc::WIFSIGNALED(status) { libc::WTERMSIG(status) } else { 0 };
    if signal == libc::SIGKILL {
        finish(label, scratch, "error: the system ended Fathom, most likely for want of memory", "unknown(out of memory)", Ending::OutOfMemory);
    }
    let message = format!("error: Fathom crashed (signal {signal}); please report this with the program that caused it");
    finish(label, scratch, &message, &format!("unknown(internal error: signal {signal})"), Ending::InternalError)
}

fn finish(label: &str, scratch: &Option<PathBuf>, message: &str, verdict: &str, ending: Ending) -> ! {
    remove(scratch);
    if !message.is_empty() {
        eprintln!("{message}");
    }
    print_last(label, "", verdict);
    std::process::exit(ending.code())
}

fn remove(scratch: &Option<PathBuf>) {
    if let Some(directory) = scratch {
        let _ = std::fs::remove_dir_all(directory);
    }
}
