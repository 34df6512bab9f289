//! Guarantees that a run ends in time, with a verdict line, whatever happens. Fathom forks: the child works, the parent
//! supervises. A child that overruns its limits without stopping by itself (a solver that hangs, a huge allocation) or
//! that crashes (a fault in a linked library, the kernel's out-of-memory killer) is killed, and the parent says how it
//! ended. Ctrl-C reaches the parent, which asks the child to stop with what it has; a second one ends both at once.
//! Everything temporary lies in one directory that the parent removes. The parent also shows the progress that the
//! child reports, so that the progress line is removed however the child ends.

use crate::forking::{end_process, fork, handle_signal, ignore_signal};
use crate::scratch::Scratch;
use fathom_base::process::{self, MemoryKills};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, set_parent_process_death_signal, waitpid};
use std::ffi::c_int;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How far beyond its limit a child may go before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// After hours some seconds more do not matter, and there is more to put in order.
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

/// Shows how a run goes, in the process that watches it.
pub trait Display {
    /// Whether anybody sees anything; otherwise the run keeps it to itself.
    fn is_on(&self) -> bool;
    /// Shows what the run says it is doing.
    fn show(&mut self, what: &str);
    /// Called every few milliseconds.
    fn tick(&mut self);
    /// Removes the progress line, because something else will be printed.
    fn clear(&mut self);
}

/// The first byte of what a child says: that it answers now, or what it does.
const ANSWERS: u8 = b'V';
const DOES: u8 = b'D';

/// The longest that a child says of what it does.
const LONGEST: usize = 500;

/// How long a child that answers waits for the display to be cleared.
const CLEARING: Duration = Duration::from_millis(200);

/// How long the parent sleeps before it looks at the child's limits again: short enough for a progress line to move evenly.
const MOMENT: Duration = Duration::from_millis(20);

/// The child's side of the leash: a socket that keeps messages apart.
pub struct Leash {
    socket: OwnedFd,
    /// Whether the child's progress is shown.
    pub is_shown: bool,
    /// Raised when the user interrupts.
    pub cancelled: Arc<AtomicBool>,
}

impl Leash {
    /// From now on the child says the verdict, and the parent neither does nor shows anything.
    pub fn about_to_answer(&self) {
        say(&self.socket, &[ANSWERS], SendFlags::empty());
        if self.is_shown && has_news(&self.socket, CLEARING) {
            let _ = recv(&self.socket, &mut [0u8; 1], RecvFlags::DONTWAIT);
        }
    }

    /// Lets the parent show what the child does. A parent that is too busy to listen misses it.
    pub fn tell(&self, what: &str) {
        let end = (0..=what.len().min(LONGEST)).rev().find(|end| what.is_char_boundary(*end)).unwrap_or(0);
        say(&self.socket, &[&[DOES], &what.as_bytes()[..end]].concat(), SendFlags::DONTWAIT);
    }

    /// Ends the process at once: nothing is torn down, the parent removes what lies around.
    pub fn end(&self, code: i32) -> ! {
        end_process(code)
    }
}

/// Sends a message to the other end of the leash, which may be gone.
fn say(socket: &OwnedFd, message: &[u8], flags: SendFlags) {
    let _ = send(socket, message, flags | SendFlags::NOSIGNAL);
}

/// Whether there is something to receive before this time has passed, the other end's closing included.
fn has_news(socket: &OwnedFd, time: Duration) -> bool {
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&time)).is_ok_and(|ready| ready > 0)
}

static INTERRUPTS: AtomicU32 = AtomicU32::new(0);
static CANCEL: AtomicPtr<AtomicBool> = AtomicPtr::new(std::ptr::null_mut());

extern "C" fn count_interrupt(_signal: c_int) {
    INTERRUPTS.fetch_add(1, Ordering::Relaxed);
}

extern "C" fn raise_flag(_signal: c_int) {
    let flag = CANCEL.load(Ordering::Acquire);
    if !flag.is_null() {
        // SAFETY: points into an Arc that was leaked for the life of the process.
        unsafe { (*flag).store(true, Ordering::Relaxed) };
    }
}

/// Runs `work` in a child under these limits; `work` has to end the child through the leash. If the child is ended by a
/// fault and `may_retry`, there is a second one for the time that is left, and its `work` is told the signal. To be called
/// while the process has one thread.
pub fn supervised(limits: Limits, may_retry: bool, display: &mut dyn Display, work: impl Fn(Leash, Option<Crash>)) -> Ended {
    let scratch = Scratch::make();
    let mut ended = attempt(&limits, display, &|leash| work(leash, None));
    if let Ended::Crashed(crash) = ended
        && may_retry
        && crash.is_fault()
        && INTERRUPTS.load(Ordering::Relaxed) == 0
        && limits.start.elapsed() < limits.time
    {
        ended = attempt(&limits, display, &|leash| work(leash, Some(crash)));
    }
    drop(scratch);
    ended
}

extern "C" fn ignore(_signal: c_int) {}

/// Tells where libclang is, unless the user does: it would be searched for in every directory of /usr/lib, which takes longer than
/// verifying a small program. To be called before other threads start.
pub fn find_libclang() {
    const NAMED: &str = "LIBCLANG_PATH";
    if std::env::var_os(NAMED).is_none()
        && let Some(directory) = fathom_clang::library_directory()
    {
        // SAFETY: no other thread is there that could read the environment.
        unsafe { std::env::set_var(NAMED, directory) };
    }
}

/// A file that may not grow further (`ulimit -f`) is an error of that file, not the end. Programs that are started get the
/// signal as they know it, which they would not if it were ignored.
pub fn survive_large_files() {
    // SAFETY: the handler does nothing.
    unsafe { handle_signal(Signal::XFSZ, ignore) };
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
        let faults = [Signal::SEGV, Signal::ABORT, Signal::BUS, Signal::ILL, Signal::FPE];
        !self.answered && faults.iter().any(|fault| fault.as_raw() == self.signal)
    }

    /// Whether a signal from outside ended it.
    pub fn is_kill(self) -> bool {
        self.signal == Signal::KILL.as_raw()
    }

    /// Whether it was the system that ended it, for want of memory.
    pub fn for_want_of_memory(self) -> bool {
        self.is_kill() && self.short_of_memory
    }
}

/// Runs `work` in one child.
fn attempt(limits: &Limits, display: &mut dyn Display, work: &dyn Fn(Leash)) -> Ended {
    let ends = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
    let Ok((parents, childs)) = ends else { return Ended::NoProcess };
    // Processes that the child leaves behind become ours, to be ended.
    let _ = set_child_subreaper(Some(getpid()));
    // SAFETY: the process has one thread so far.
    let child = match unsafe { fork() } {
        Err(_) => return Ended::NoProcess,
        Ok(Some(child)) => child,
        Ok(None) => {
            drop(parents);
            let cancelled = prepare_child();
            work(Leash { socket: childs, is_shown: display.is_on(), cancelled });
            // `work` ends the child itself unless something went very wrong.
            end_process(NO_ENDING)
        }
    };
    drop(childs);
    let ended = watch(child, &parents, limits, display);
    display.clear();
    ended
}

/// From now on SIGUSR1 raises this flag.
pub(crate) fn cancel_by_signal(cancelled: &Arc<AtomicBool>) {
    CANCEL.store(Arc::into_raw(cancelled.clone()).cast_mut(), Ordering::Release);
    // SAFETY: the handler only stores to an atomic.
    unsafe { handle_signal(Signal::USR1, raise_flag) };
}

fn prepare_child() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    cancel_by_signal(&cancelled);
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // The terminal sends Ctrl-C to the child as well; only the parent's word counts.
    [Signal::INT, Signal::TERM, Signal::HUP].into_iter().for_each(ignore_signal);
    cancelled
}

/// The parent's record of its child.
struct Watch {
    child: Pid,
    answering: Option<Instant>,
    interrupted: Option<Instant>,
    over_memory: Option<Instant>,
    /// The most memory that it was seen to use.
    most_memory: u64,
}

/// Waits for the child to end, and ends it where it goes too far.
fn watch(child: Pid, socket: &OwnedFd, limits: &Limits, display: &mut dyn Display) -> Ended {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        // SAFETY: the handler only adds to an atomic.
        unsafe { handle_signal(signal, count_interrupt) };
    }
    let mut watch = Watch { child, answering: None, interrupted: None, over_memory: None, most_memory: 0 };
    let memory_kills = MemoryKills::now();
    loop {
        wait_for_news(socket, &mut watch, display);
        if let Ok(Some((_, status))) = waitpid(Some(child), WaitOptions::NOHANG) {
            // Messages that the child sent before it ended are still read.
            while wait_for_news(socket, &mut watch, display) {}
            end_orphans();
            let answered = watch.answering.is_some();
            if let Some(code) = status.exit_status() {
                return Ended::Exited { code, answered };
            }
            let signal = status.terminating_signal().unwrap_or(0);
            let short_of_memory = is_near(watch.most_memory, limits.memory) || MemoryKills::happened_since(memory_kills);
            return Ended::Crashed(Crash { signal, answered, short_of_memory });
        }
        if let Some(limit) = overrun(&mut watch, limits) {
            kill_and_wait(child);
            end_orphans();
            return Ended::Stopped { limit, answered: watch.answering.is_some() };
        }
    }
}

/// Ends a child of this process that has not been waited for.
fn kill_and_wait(child: Pid) {
    let _ = kill_process(child, Signal::KILL);
    let _ = waitpid(Some(child), WaitOptions::empty());
}

/// Ends what the child had started and did not end itself: a compiler, a solver.
fn end_orphans() {
    for _ in 0..100 {
        let orphans = process::children(std::process::id());
        if orphans.is_empty() {
            return;
        }
        orphans.into_iter().filter_map(Pid::from_raw).for_each(kill_and_wait);
    }
}

/// Sleeps until the child says something, ends, or a moment has passed; whether it said something.
fn wait_for_news(socket: &OwnedFd, watch: &mut Watch, display: &mut dyn Display) -> bool {
    let mut message = [0u8; LONGEST + 1];
    let has_news = has_news(socket, MOMENT);
    let received = if has_news { recv(socket, &mut message, RecvFlags::DONTWAIT) } else { Ok((0, 0)) };
    let length = received.map_or(0, |(length, _)| length);
    match &message[..length] {
        [ANSWERS, ..] => {
            watch.answering.get_or_insert_with(Instant::now);
            display.clear();
            say(socket, &[ANSWERS], SendFlags::DONTWAIT);
        }
        [DOES, what @ ..] if watch.answering.is_none() => display.show(&String::from_utf8_lossy(what)),
        [] if has_news => {
            // The other end is closed: the child is about to be gone.
            std::thread::sleep(Duration::from_millis(1));
            return false;
        }
        _ => {}
    }
    if watch.answering.is_none() {
        display.tick();
    }
    length > 0
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
        let _ = kill_process(watch.child, Signal::USR1);
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
pub(crate) fn resident_bytes(pid: Pid) -> u64 {
    process::resident_bytes(pid.as_raw_pid().unsigned_abs()).unwrap_or(0)
}
