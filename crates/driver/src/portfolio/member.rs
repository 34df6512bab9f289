//! A member of the portfolio: an engine at work in a process of its own, which sends its answer through a pipe, as a line
//! of JSON, and ends. Where it goes on after a violation it sends what it knows by then. While others have their turn it is
//! suspended; the time does not count for it then.

use crate::answer::Answer;
use crate::error::Error;
use crate::prepare::Prepared;
use crate::supervise::{cancel_by_signal, resident_bytes};
use fathom_base::{SuspendedTime, count_suspension};
use fathom_certify::Certified;
use fathom_engine::Engine;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_parent_process_death_signal, waitpid};
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// An engine at work, suspended or done.
pub(crate) struct Member {
    pub engine: &'static str,
    pid: Pid,
    /// Until it has ended.
    result: Option<BufReader<PipeReader>>,
    /// What it said last.
    pub found: Option<Answer>,
    /// The coordinator ended it.
    pub was_ended: bool,
    /// How often it was suspended.
    pub turns: u32,
    /// When its turn began.
    turn_began: Instant,
    suspended_since: Option<Instant>,
    suspended: &'static SuspendedTime,
    /// The signal that ended it, once it was waited for; its number may be another's by then.
    ended_by: Option<Option<i32>>,
    /// The most memory that it was seen to use.
    pub most_bytes: u64,
}

impl Member {
    /// Starts the engine; the one that leads is heard of on its way.
    pub fn start(prepared: &Prepared<'_>, engine: &dyn Engine, leads: bool) -> Result<Self, Error> {
        let (result, found) = std::io::pipe().map_err(Error::NoProcess)?;
        let suspended = shared_clock().map_err(Error::NoProcess)?;
        // SAFETY: the other threads of this process wait for this one and hold no lock.
        let pid = unsafe { libc::fork() };
        if pid < 0 {
            return Err(Error::NoProcess(std::io::Error::last_os_error()));
        }
        let Some(pid) = Pid::from_raw(pid) else {
            drop(result);
            count_suspension(suspended);
            work(prepared, engine, leads, found)
        };
        let turn_began = Instant::now();
        Ok(Self {
            engine: engine.name(),
            pid,
            result: Some(BufReader::new(result)),
            found: None,
            was_ended: false,
            turns: 0,
            turn_began,
            suspended_since: None,
            suspended,
            ended_by: None,
            most_bytes: 0,
        })
    }

    /// Whether it has not ended.
    pub fn is_running(&self) -> bool {
        self.result.is_some()
    }

    /// Whether it waits for its next turn.
    pub fn is_suspended(&self) -> bool {
        self.is_running() && self.suspended_since.is_some()
    }

    /// Whether it has a core.
    pub fn is_active(&self) -> bool {
        self.is_running() && self.suspended_since.is_none()
    }

    /// How long its turn has lasted.
    pub fn turn(&self) -> Duration {
        self.turn_began.elapsed()
    }

    /// Lets it wait until `resume`.
    pub fn suspend(&mut self) {
        self.signal(Signal::STOP);
        self.suspended_since = Some(Instant::now());
        self.turns += 1;
    }

    /// Lets it go on.
    pub fn resume(&mut self) {
        if let Some(since) = self.suspended_since.take() {
            self.suspended.add(since.elapsed());
            self.turn_began = Instant::now();
            self.signal(Signal::CONT);
        }
    }

    /// Takes in what it has said, if it has said something or is gone; whether that was so.
    pub fn hear(&mut self) -> bool {
        let Some(pipe) = &self.result else { return false };
        let at_once = Timespec::default();
        let has_more = || matches!(poll(&mut [PollFd::new(pipe.get_ref(), PollFlags::IN)], Some(&at_once)), Ok(ready) if ready > 0);
        if pipe.buffer().is_empty() && !has_more() {
            return false;
        }
        // It may have been suspended in the middle of its answer.
        self.resume();
        let mut line = String::new();
        let Some(pipe) = &mut self.result else { return false };
        match pipe.read_line(&mut line) {
            Ok(1..) => {
                // A member that crashes has no answer but the last one.
                if let Ok(answer) = serde_json::from_str(&line) {
                    self.found = Some(answer);
                }
            }
            Ok(0) | Err(_) => self.result = None,
        }
        true
    }

    /// Asks it to end with what it has.
    pub fn cancel(&mut self) {
        self.resume();
        self.signal(Signal::USR1);
    }

    /// Ends it without an answer.
    pub fn end(&mut self) {
        self.signal(Signal::KILL);
        (self.result, self.was_ended) = (None, true);
    }

    /// Its memory while it runs.
    pub fn bytes(&self) -> u64 {
        if self.is_running() { resident_bytes(self.pid.as_raw_pid()) } else { 0 }
    }

    /// Looks how much memory it uses.
    pub fn weigh(&mut self) {
        self.most_bytes = self.most_bytes.max(self.bytes());
    }

    /// Waits for its end; whether it was killed.
    pub fn was_killed(&mut self) -> bool {
        self.wait() == Some(Signal::KILL.as_raw())
    }

    fn signal(&self, signal: Signal) {
        if self.ended_by.is_none() {
            // It may have ended by itself.
            let _ = kill_process(self.pid, signal);
        }
    }

    /// The signal that ended it, if one did.
    fn wait(&mut self) -> Option<i32> {
        let wait = || waitpid(Some(self.pid), WaitOptions::empty()).ok().flatten();
        *self.ended_by.get_or_insert_with(|| wait().and_then(|(_, status)| status.terminating_signal()))
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        self.wait();
    }
}

/// Memory that a member shares with the coordinator; it stays for the life of the process.
fn shared_clock() -> std::io::Result<&'static SuspendedTime> {
    let size = size_of::<SuspendedTime>();
    // SAFETY: a fresh mapping of enough zero bytes, aligned to a page and never unmapped; zero is a valid value.
    unsafe {
        let memory = mmap_anonymous(std::ptr::null_mut(), size, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED)?;
        Ok(&*memory.cast::<SuspendedTime>())
    }
}

/// The member's part: decides, sends its answer and ends the process.
fn work(prepared: &Prepared<'_>, engine: &dyn Engine, leads: bool, mut found: impl Write) -> ! {
    // The member goes when the coordinator does.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    cancel_by_signal(&prepared.session.cancelled);
    let job = || {
        let session = if leads { prepared.session.clone() } else { prepared.session.silent() };
        let mut tell = |certified: &Certified| {
            let line = serde_json::to_string(&prepared.answer(engine.name(), certified)).unwrap_or_default();
            let _ = found.write_all(line.as_bytes()).and_then(|()| found.write_all(b"\n"));
        };
        let certified = prepared.decide(engine, &session, &mut tell);
        tell(&certified);
    };
    let failed = catch_unwind(AssertUnwindSafe(job)).is_err();
    // SAFETY: ends the member; nothing is torn down.
    unsafe { libc::_exit(i32::from(failed)) }
}
