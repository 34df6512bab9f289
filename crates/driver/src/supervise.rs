//! The promise that a run ends in time, with a verdict line, whatever happens. Fathom forks: the child works, the parent
//! watches. A child that overruns its limits without stopping by itself (a solver that hangs, a huge allocation) or that
//! crashes (a fault in a linked library, the kernel's out-of-memory killer) is killed, and the parent says how it ended.
//! Ctrl-C reaches the parent, which asks the child to stop with what it has; a second one ends both at once. Everything
//! temporary lies in one directory that the parent removes.

use fathom_base::process::{self, MemoryKills};
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

/// What a supervised run may use.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// From when on the time counts.
    pub start: Instant,
    /// The time; beyond it there is a short grace.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// A limit that a run was stopped at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time was over.
    Time,
    /// The memory was used up.
    Memory,
    /// The user interrupted it.
    Interrupt,
}

/// How a supervised run ended.
#[derive(Debug)]
pub enum Ended {
    /// The child ended by itself with this code; `answered` if it had said that it does.
    Exited {
        /// Its exit code.
        code: i32,
        /// Whether it had begun to answer.
        answered: bool,
    },
    /// It was stopped; `answered` if it had begun to answer.
    Stopped {
        /// What it ran into.
        limit: Limit,
        /// Whether it had begun to answer.
        answered: bool,
    },
    /// It was ended by a signal.
    Crashed(Crash),
    /// The system gives no further process.
    NoProcess,
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
    pub fn end(&self, code: i32) -> ! {
        // SAFETY: ends the process; output was flushed by whoever wrote it.
        unsafe { libc::_exit(code) }
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

/// Runs `work` in a child under these limits; `work` has to end the child through the leash. If the child is ended by a
/// fault and `may_retry`, there is a second one for the time that is left, and its `work` is told the signal. To be called
/// while the process has one thread.
pub fn supervised(limits: Limits, may_retry: bool, work: impl Fn(Leash, Option<Crash>)) -> Ended {
    let scratch = make_scratch();
    let mut ended = attempt(&limits, &|leash| work(leash, None));
    if let Ended::Crashed(crash) = ended
        && may_retry
        && crash.is_fault()
        && INTERRUPTS.load(Ordering::Relaxed) == 0
        && limits.start.elapsed() < limits.time
    {
        ended = attempt(&limits, &|leash| work(leash, Some(crash)));
    }
    if let Some(directory) = scratch {
        let _ = std::fs::remove_dir_all(directory);
    }
    ended
}

/// The exit code of a child that did not end itself.
const NO_ENDING: i32 = 70;

/// The signal that ended a child.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The signal's number.
    pub signal: i32,
    /// Whether the child had begun to answer.
    answered: bool,
    /// Whether the kernel ended a process for want of memory meanwhile, or the child had come near its limit.
    short_of_memory: bool,
}

impl Crash {
    /// Whether a fault in a library does this to its process, before there was an answer.
    pub fn is_fault(self) -> bool {
        !self.answered && [libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGILL, libc::SIGFPE].contains(&self.signal)
    }

    /// Whether somebody ended it.
    pub fn is_kill(self) -> bool {
        self.signal == libc::SIGKILL
    }

    /// Whether it was the system that ended it, for want of memory.
    pub fn for_want_of_memory(self) -> bool {
        self.is_kill() && self.short_of_memory
    }
}

/// One child.
fn attempt(limits: &Limits, work: &dyn Fn(Leash)) -> Ended {
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
        return Ended::NoProcess;
    }
    // SAFETY: both descriptors were just made and belong to nobody else.
    let [read_end, write_end] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    if child == 0 {
        drop(read_end);
        let cancelled = prepare_child();
        work(Leash { pipe: write_end, cancelled });
        // SAFETY: ends the child; `work` ends it itself unless something went very wrong.
        unsafe { libc::_exit(NO_ENDING) }
    }
    drop(write_end);
    watch(child, &read_end, limits)
}

/// A directory for everything temporary, told to children and libraries through TMPDIR.
fn make_scratch() -> Option<PathBuf> {
    let directory = tempfile::Builder::new().prefix("fathom-").tempdir().ok()?.keep();
    // SAFETY: the process has one thread so far.
    unsafe { std::env::set_var("TMPDIR", &directory) };
    Some(directory)
}

/// From now on SIGUSR1 raises this flag.
pub(crate) fn cancel_by_signal(cancelled: &Arc<AtomicBool>) {
    CANCEL.store(Arc::into_raw(cancelled.clone()).cast_mut(), Ordering::Release);
    // SAFETY: a plain system call; the handler only stores to an atomic.
    unsafe { libc::signal(libc::SIGUSR1, raise_flag as *const () as libc::sighandler_t) };
}

fn prepare_child() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    cancel_by_signal(&cancelled);
    // SAFETY: plain system calls.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The terminal sends Ctrl-C to the child as well; only the parent's word counts.
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::signal(libc::SIGTERM, libc::SIG_IGN);
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
    cancelled
}

/// What the parent knows of its child.
struct Watch {
    child: libc::pid_t,
    answering: Option<Instant>,
    interrupted: Option<Instant>,
    over_memory: Option<Instant>,
    /// The most memory that it was seen to use.
    most_memory: u64,
}

/// Waits for the child to end, and ends it where it goes too far.
fn watch(child: libc::pid_t, pipe: &OwnedFd, limits: &Limits) -> Ended {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only adds to an atomic.
        unsafe { libc::signal(signal, count_interrupt as *const () as libc::sighandler_t) };
    }
    let mut watch = Watch { child, answering: None, interrupted: None, over_memory: None, most_memory: 0 };
    let memory_kills = MemoryKills::now();
    loop {
        wait_for_news(pipe, &mut watch);
        let mut status = 0;
        // SAFETY: waits for our own child into a live integer.
        if unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == child {
            // Its last word may have come since.
            wait_for_news(pipe, &mut watch);
            end_orphans();
            let answered = watch.answering.is_some();
            if libc::WIFEXITED(status) {
                return Ended::Exited { code: libc::WEXITSTATUS(status), answered };
            }
            let signal = if libc::WIFSIGNALED(status) { libc::WTERMSIG(status) } else { 0 };
            let short_of_memory = is_near(watch.most_memory, limits.memory) || MemoryKills::happened_since(memory_kills);
            return Ended::Crashed(Crash { signal, answered, short_of_memory });
        }
        if let Some(limit) = overrun(&mut watch, limits) {
            // SAFETY: our own child, which has not been waited for yet.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &mut status, 0);
            }
            end_orphans();
            return Ended::Stopped { limit, answered: watch.answering.is_some() };
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

/// A hundredth of the limit.
fn grace(limit: Duration) -> Duration {
    (limit / 100).clamp(GRACE, LONGEST_GRACE)
}

/// Why the child must be killed now, if it must.
fn overrun(watch: &mut Watch, limits: &Limits) -> Option<Limit> {
    let interrupts = INTERRUPTS.load(Ordering::Relaxed);
    if interrupts > 0 && watch.interrupted.is_none() {
        watch.interrupted = Some(Instant::now());
        // SAFETY: our own child, which has not been waited for yet.
        unsafe { libc::kill(watch.child, libc::SIGUSR1) };
    }
    if interrupts > 1 || watch.interrupted.is_some_and(|since| since.elapsed() > INTERRUPT_GRACE) {
        return Some(Limit::Interrupt);
    }
    if let Some(since) = watch.answering {
        return (since.elapsed() > PRINTING_GRACE).then_some(Limit::Time);
    }
    if limits.start.elapsed() > limits.time + grace(limits.time) {
        return Some(Limit::Time);
    }
    let used = resident_bytes(watch.child);
    watch.most_memory = watch.most_memory.max(used);
    if used <= limits.memory {
        watch.over_memory = None;
        return None;
    }
    let since = *watch.over_memory.get_or_insert_with(Instant::now);
    let far = used > limits.memory + limits.memory / 100 * 15;
    (far || since.elapsed() > Duration::from_secs(10)).then_some(Limit::Memory)
}

/// Whether this much memory is near the limit.
pub(crate) fn is_near(used: u64, limit: u64) -> bool {
    used > limit / 5 * 4
}

/// Resident memory of a process; 0 if it is gone.
pub(crate) fn resident_bytes(pid: libc::pid_t) -> u64 {
    process::resident_bytes(pid.unsigned_abs()).unwrap_or(0)
}
