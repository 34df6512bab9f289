//! A member of the portfolio: an engine in its own process, which sends its answer through a pipe (`message`) and ends.
//! If it continues after a violation, it sends its answers so far. While others have their turn it is suspended, and
//! that time does not count for it.

use crate::answer::Answer;
use crate::board::Board;
use crate::decide::Hearer;
use crate::error::Error;
use crate::forking::{end_process, fork};
use crate::portfolio::message::{Claim, Message, Speaker};
use crate::prepare::Prepared;
use crate::supervise::{cancel_by_signal, resident_bytes};
use fathom_base::count_suspension;
use fathom_base::process::computing_time;
use fathom_engine::Engine;
use fathom_report::MemberReport;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_parent_process_death_signal, waitpid};
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whether this engine decides what is only looked for.
pub(crate) fn seeks(prepared: &Prepared<'_>, engine: &dyn Engine) -> bool {
    prepared.asked(engine).iter().any(|property| prepared.sought().contains(property))
}

/// An engine at work, suspended or done.
pub(crate) struct Member {
    pub engine: &'static str,
    /// Whether it decides what is only looked for.
    pub seeks: bool,
    /// Whether it can prove something, and not only find violations.
    pub proves: bool,
    pid: Pid,
    /// Until it has ended.
    result: Option<BufReader<PipeReader>>,
    /// What it said last.
    pub found: Option<Answer>,
    /// What it is about to say, and since when it has been checking that.
    claim: Option<(Claim, Instant)>,
    /// The coordinator ended it.
    pub was_ended: bool,
    /// How often it was suspended.
    pub turns: u32,
    /// When its turn began.
    turn_began: Instant,
    /// How long its turns before that lasted together.
    worked: Duration,
    suspended_since: Option<Instant>,
    /// What it tells of itself.
    pub board: &'static Board,
    /// The signal that ended it, once it was waited for; its number may be another's by then.
    ended_by: Option<Option<i32>>,
    /// The most memory that it was seen to use.
    pub most_bytes: u64,
}

impl Member {
    /// Starts the engine.
    pub fn start(prepared: &Prepared<'_>, engine: &dyn Engine) -> Result<Self, Error> {
        let (result, found) = std::io::pipe().map_err(Error::NoProcess)?;
        let board = Board::new().map_err(Error::NoProcess)?;
        // SAFETY: the other threads of this process wait for this one and hold no lock.
        let Some(pid) = unsafe { fork() }.map_err(Error::NoProcess)? else {
            drop(result);
            count_suspension(&board.suspended);
            work(prepared, engine, board, found)
        };
        let turn_began = Instant::now();
        Ok(Self {
            engine: engine.name(),
            seeks: seeks(prepared, engine),
            proves: engine.capabilities().proves,
            pid,
            result: Some(BufReader::new(result)),
            found: None,
            claim: None,
            was_ended: false,
            turns: 0,
            turn_began,
            worked: Duration::ZERO,
            suspended_since: None,
            board,
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

    /// The answer that it is checking, and for how long it has been.
    pub fn claim(&self) -> Option<(&Claim, Duration)> {
        self.claim.as_ref().filter(|_| self.is_running()).map(|(claim, since)| (claim, since.elapsed()))
    }

    /// How long its turn has lasted.
    pub fn turn(&self) -> Duration {
        self.turn_began.elapsed()
    }

    /// Lets it wait until `resume`.
    pub fn suspend(&mut self) {
        self.signal(Signal::STOP);
        self.suspended_since = Some(Instant::now());
        self.worked += self.turn();
        self.turns += 1;
    }

    /// Ends a suspension.
    pub fn resume(&mut self) {
        if let Some(since) = self.suspended_since.take() {
            self.board.suspended.add(since.elapsed());
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
                match serde_json::from_str(&line) {
                    Ok(Message::Checks(claim)) => self.claim = Some((claim, Instant::now())),
                    Ok(Message::GoesOn) => self.claim = None,
                    Ok(Message::Knows(answer)) => self.found = Some(*answer),
                    Err(_) => (),
                }
            }
            Ok(0) | Err(_) => self.is_done(),
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
        self.is_done();
        self.was_ended = true;
    }

    fn is_done(&mut self) {
        if self.is_active() {
            self.worked += self.turn();
        }
        self.result = None;
    }

    /// The member's line in the report.
    pub fn report(&self) -> MemberReport {
        let status = match self.found {
            Some(_) => "answered",
            None if self.was_ended || self.is_running() => "ended",
            None => "crashed",
        };
        MemberReport { engine: self.engine.into(), seconds: self.worked().as_secs_f64(), status: status.into() }
    }

    /// The memory that it uses; 0 once it has ended.
    pub fn bytes(&self) -> u64 {
        if self.is_running() { resident_bytes(self.pid) } else { 0 }
    }

    /// How long its turns lasted together.
    pub fn worked(&self) -> Duration {
        self.worked + if self.is_active() { self.turn() } else { Duration::ZERO }
    }

    /// The computing time that it has used while it runs.
    pub fn computed(&self) -> Duration {
        let time = self.is_running().then(|| computing_time(self.pid.as_raw_pid().unsigned_abs()));
        time.flatten().unwrap_or_default()
    }

    /// Looks how much memory it uses.
    pub fn weigh(&mut self) {
        self.most_bytes = self.most_bytes.max(self.bytes());
    }

    /// Waits for its end; whether it was killed.
    pub fn was_killed(&mut self) -> bool {
        self.ended_by() == Some(Signal::KILL.as_raw())
    }

    /// Waits for its end; the signal that ended it, if one did.
    pub fn ended_by(&mut self) -> Option<i32> {
        self.wait()
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

/// The member's part: decides, sends its answer and ends the process.
fn work(prepared: &Prepared<'_>, engine: &dyn Engine, board: &'static Board, pipe: impl Write) -> ! {
    // The member goes when the coordinator does.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    cancel_by_signal(&prepared.session.cancelled);
    let job = || {
        let session = prepared.session.heard_by(Arc::new(board));
        let mut speaker = Speaker { prepared, engine: engine.name(), pipe };
        let certified = prepared.decide(engine, &session, &mut speaker);
        speaker.knows(&certified);
    };
    let failed = catch_unwind(AssertUnwindSafe(job)).is_err();
    end_process(i32::from(failed))
}
