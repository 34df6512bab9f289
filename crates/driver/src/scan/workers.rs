//! Runs many jobs in separate processes, a few at a time: one that crashes, hangs or takes too much memory loses only
//! its own result. Results are sent through pipes as JSON. All of this happens on one thread, because forking is only
//! safe without other threads.

use crate::forking::{end_process, fork};
use crate::session::Session;
use crate::supervise::{cancel_by_signal, resident_bytes};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_parent_process_death_signal, waitpid};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{PipeReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long a job may go on after its time, to put things in order.
const GRACE: Duration = Duration::from_secs(20);

/// Why a job has no result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It took much longer than it was given.
    Time,
    /// It took too much memory.
    Memory,
    /// It crashed.
    Crash,
    /// The user interrupted the scan.
    Interrupt,
}

impl Lost {
    /// What the report says of it.
    pub fn reason(self) -> &'static str {
        match self {
            Lost::Time => "the process that worked on it took too long and was ended",
            Lost::Memory => "out of memory",
            Lost::Crash => "internal error: the process that worked on it crashed; please report this",
            Lost::Interrupt => "interrupted",
        }
    }
}

/// How many jobs run at a time, and what they may use.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Width {
    /// So many at a time.
    pub jobs: usize,
    /// Bytes for all together.
    pub memory: u64,
}

struct Worker {
    index: usize,
    pid: Pid,
    pipe: PipeReader,
    text: Vec<u8>,
    ends_by: Instant,
}

/// Does all jobs; `done` hears of each as soon as it is over.
pub(crate) fn in_processes<J, R: Serialize + DeserializeOwned>(
    jobs: &[J],
    width: Width,
    session: &Session,
    time: impl Fn(&J) -> Duration,
    work: impl Fn(&J) -> R,
    mut done: impl FnMut(usize, Result<R, Lost>),
) {
    let mut waiting = 0..jobs.len();
    let mut running: Vec<Worker> = Vec::new();
    loop {
        while running.len() < width.jobs.max(1)
            && !session.is_cancelled()
            && let Some(index) = waiting.next()
        {
            match start(index, session, || work(&jobs[index]), time(&jobs[index])) {
                Some(worker) => running.push(worker),
                None => done(index, Err(Lost::Crash)),
            }
        }
        if session.is_cancelled() {
            running.drain(..).for_each(|worker| {
                end(&worker);
                done(worker.index, Err(Lost::Interrupt));
            });
            waiting.by_ref().for_each(|index| done(index, Err(Lost::Interrupt)));
        }
        if running.is_empty() {
            return;
        }
        wait(&running);
        let each = width.memory / width.jobs.max(1) as u64;
        let mut left = Vec::new();
        for mut worker in running.drain(..) {
            match hear(&mut worker, each) {
                Some(result) => done(worker.index, result),
                None => left.push(worker),
            }
        }
        running = left;
    }
}

fn start<R: Serialize>(index: usize, session: &Session, work: impl FnOnce() -> R, time: Duration) -> Option<Worker> {
    let (pipe, mut result) = std::io::pipe().ok()?;
    // SAFETY: the other threads of this process wait for this one and hold no lock.
    let Some(pid) = unsafe { fork() }.ok()? else {
        drop(pipe);
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        cancel_by_signal(&session.cancelled);
        let job = || {
            let text = serde_json::to_vec(&work()).unwrap_or_default();
            result.write_all(&text).is_ok()
        };
        let is_done = catch_unwind(AssertUnwindSafe(job)).unwrap_or(false);
        end_process(i32::from(!is_done))
    };
    Some(Worker { index, pid, pipe, text: Vec::new(), ends_by: Instant::now() + time + GRACE })
}

/// Until one says something, or a moment has passed.
fn wait(running: &[Worker]) {
    let mut descriptors: Vec<PollFd<'_>> = running.iter().map(|worker| PollFd::new(&worker.pipe, PollFlags::IN)).collect();
    let moment = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let _ = poll(&mut descriptors, Some(&moment));
}

/// The result of a worker that is done, or has to be ended.
fn hear<R: DeserializeOwned>(worker: &mut Worker, memory: u64) -> Option<Result<R, Lost>> {
    loop {
        let at_once = Timespec::default();
        let is_ready = matches!(poll(&mut [PollFd::new(&worker.pipe, PollFlags::IN)], Some(&at_once)), Ok(ready) if ready > 0);
        if !is_ready {
            break;
        }
        let mut piece = [0u8; 65536];
        match worker.pipe.read(&mut piece) {
            Ok(0) | Err(_) => {
                let _ = waitpid(Some(worker.pid), WaitOptions::empty());
                return Some(serde_json::from_slice(&worker.text).map_err(|_| Lost::Crash));
            }
            Ok(length) => worker.text.extend(&piece[..length]),
        }
    }
    let lost = if Instant::now() > worker.ends_by {
        Lost::Time
    } else if resident_bytes(worker.pid) > memory {
        Lost::Memory
    } else {
        return None;
    };
    end(worker);
    Some(Err(lost))
}

fn end(worker: &Worker) {
    let _ = kill_process(worker.pid, Signal::KILL);
    let _ = waitpid(Some(worker.pid), WaitOptions::empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_costs_one_result() {
        let mut results = vec![None; 4];
        let width = Width { jobs: 2, memory: 8 << 30 };
        in_processes(
            &[1u32, 2, 3, 4],
            width,
            &Session::default(),
            |_| Duration::from_secs(10),
            |&number| {
                if number == 3 {
                    std::process::abort();
                }
                number * 10
            },
            |index, result| results[index] = Some(result),
        );
        assert_eq!(results, [Some(Ok(10)), Some(Ok(20)), Some(Err(Lost::Crash)), Some(Ok(40))]);
    }
}
