//! A member of the portfolio: an engine at work in a process of its own, which sends its answer through a pipe, as a line
//! of JSON, and ends.

use crate::answer::Answer;
use crate::error::Error;
use crate::prepare::Prepared;
use crate::supervise::{cancel_by_signal, resident_bytes};
use fathom_engine::Engine;
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An engine at work, or done.
pub(crate) struct Member {
    pub engine: &'static str,
    pid: libc::pid_t,
    /// Until it has said what it found.
    result: Option<PipeReader>,
    pub found: Option<Answer>,
    /// The coordinator ended it.
    pub was_ended: bool,
    /// It has ended and was waited for; its number may be another's by now.
    gone: bool,
    /// The most memory that it was seen to use.
    pub most_bytes: u64,
}

impl Member {
    /// Starts the engine; the one that leads is heard of on its way.
    pub fn start(prepared: &Prepared<'_>, engine: &dyn Engine, leads: bool) -> Result<Self, Error> {
        let (result, mut found) = std::io::pipe().map_err(Error::NoProcess)?;
        // SAFETY: the other threads of this process wait for this one and hold no lock.
        let pid = unsafe { libc::fork() };
        if pid < 0 {
            return Err(Error::NoProcess(std::io::Error::last_os_error()));
        }
        if pid == 0 {
            // SAFETY: a plain system call: the member goes when the coordinator does.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            cancel_by_signal(&prepared.session.cancelled);
            drop(result);
            let job = || {
                let session = if leads { prepared.session.clone() } else { prepared.session.silent() };
                let answer = prepared.answer(engine.name(), &prepared.decide(engine, &session));
                let line = serde_json::to_string(&answer).unwrap_or_default();
                let _ = found.write_all(line.as_bytes()).and_then(|()| found.write_all(b"\n"));
            };
            let failed = catch_unwind(AssertUnwindSafe(job)).is_err();
            // SAFETY: ends the member; nothing is torn down.
            unsafe { libc::_exit(i32::from(failed)) }
        }
        Ok(Self { engine: engine.name(), pid, result: Some(result), found: None, was_ended: false, gone: false, most_bytes: 0 })
    }

    /// Whether it has neither answered nor gone.
    pub fn is_running(&self) -> bool {
        self.result.is_some()
    }

    /// Takes in what it has said, if it has said something or is gone; whether that was so.
    pub fn hear(&mut self) -> bool {
        let Some(pipe) = &self.result else { return false };
        let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one live descriptor.
        if unsafe { libc::poll(&mut poll, 1, 0) } <= 0 {
            return false;
        }
        let mut line = String::new();
        if let Some(pipe) = self.result.take()
            && BufReader::new(pipe).read_line(&mut line).is_ok()
        {
            // Whoever crashed on the way has no answer.
            self.found = serde_json::from_str(&line).ok();
        }
        true
    }

    /// Asks it to end with what it has.
    pub fn cancel(&self) {
        self.signal(libc::SIGUSR1);
    }

    /// Ends it without an answer.
    pub fn end(&mut self) {
        self.signal(libc::SIGKILL);
        (self.result, self.was_ended) = (None, true);
    }

    /// Its memory while it runs.
    pub fn bytes(&self) -> u64 {
        if self.is_running() { resident_bytes(self.pid) } else { 0 }
    }

    /// Looks how much memory it uses.
    pub fn weigh(&mut self) {
        self.most_bytes = self.most_bytes.max(self.bytes());
    }

    /// Waits for its end; whether it was killed.
    pub fn was_killed(&mut self) -> bool {
        let status = self.wait();
        libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL
    }

    fn signal(&self, signal: libc::c_int) {
        if !self.gone {
            // SAFETY: our own child, which has not been waited for.
            unsafe { libc::kill(self.pid, signal) };
        }
    }

    fn wait(&mut self) -> libc::c_int {
        let mut status = 0;
        if !std::mem::replace(&mut self.gone, true) {
            // SAFETY: waits for our own child into a live integer.
            unsafe { libc::waitpid(self.pid, &mut status, 0) };
        }
        status
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.signal(libc::SIGKILL);
        self.wait();
    }
}
