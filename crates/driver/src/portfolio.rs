//! `auto`: every engine of the portfolio on one program, each in a process of its own, forked when the program has been
//! read, so that reading it costs once. The first one starts at once and the others a moment later: most programs are
//! decided before they do. A member that is done sends its answer, serialised, and ends. Answers that contradict each
//! other are never told: that is a bug in an engine, and the user is asked to report it.
//!
//! The members share one limit of memory: while they use more together, the largest of them is ended.

use crate::answer::Answer;
use crate::error::Error;
use crate::prepare::Prepared;
use crate::supervise::{cancel_by_signal, resident_bytes};
use fathom_engine::Engine;
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long the members before this one run without it.
const HEAD_START: Duration = Duration::from_millis(300);
/// How long the coordinator sleeps between looks.
const PAUSE: Duration = Duration::from_millis(10);

/// An engine at work.
struct Member {
    engine: &'static str,
    pid: libc::pid_t,
    /// Until it has said what it found.
    result: Option<PipeReader>,
    found: Option<Answer>,
    /// It has ended and was waited for; its number may be another's by now.
    gone: bool,
}

impl Member {
    /// Waits for its end; the signal that ended it, if one did.
    fn wait(&mut self) -> Option<libc::c_int> {
        let mut status = 0;
        if self.gone {
            return None;
        }
        self.gone = true;
        // SAFETY: waits for our own child into a live integer.
        unsafe { libc::waitpid(self.pid, &mut status, 0) };
        libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
    }

    fn signal(&self, signal: libc::c_int) {
        if !self.gone {
            // SAFETY: our own child, which has not been waited for.
            unsafe { libc::kill(self.pid, signal) };
        }
    }
}

impl Drop for Member {
    /// Ends it, if it has not ended by itself.
    fn drop(&mut self) {
        self.signal(libc::SIGKILL);
        self.wait();
    }
}

/// Whether nothing better can come: something is violated, or everything holds.
fn decides(answer: &Answer) -> bool {
    let properties = &answer.report.properties;
    let all = !properties.is_empty() && properties.iter().all(|property| property.unknown.is_none());
    all || properties.iter().any(|property| property.violation.is_some())
}

/// A property that holds here and is violated there.
fn contradicts<'a>(one: &'a Answer, two: &Answer) -> Option<&'a str> {
    let opposite = |here: &&fathom_report::PropertyReport| {
        let there = two.report.properties.iter().find(|there| there.property == here.property);
        there.is_some_and(|there| here.unknown.is_none() && there.unknown.is_none() && here.verdict != there.verdict)
    };
    one.report.properties.iter().find(opposite).map(|here| here.property.as_str())
}

/// Runs all of these and gives the answer that is to be told.
pub(crate) fn run(prepared: &Prepared<'_>, engines: &[Box<dyn Engine>]) -> Result<Answer, Error> {
    let begin = Instant::now();
    let engines: Vec<&dyn Engine> = engines.iter().map(Box::as_ref).filter(|engine| engine.suits(&prepared.program, &prepared.properties)).collect();
    let mut waiting = engines.iter().copied();
    let mut members: Vec<Member> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut told_to_stop = false;
    loop {
        let all_started = members.len() == engines.len();
        let due = HEAD_START * members.len() as u32;
        let idle = members.iter().all(|member| member.result.is_none());
        if !all_started && (idle || begin.elapsed() >= due) && !told_to_stop {
            let leads = members.is_empty();
            members.extend(waiting.next().map(|engine| start(prepared, engine, leads)).transpose()?);
        }
        members.iter_mut().for_each(hear);
        if let Some(property) = contradiction(&members) {
            return Err(contradict(&members, property));
        }
        let answer = members.iter().position(|member| member.found.as_ref().is_some_and(decides));
        let done = (all_started || told_to_stop) && members.iter().all(|member| member.result.is_none());
        if done || (answer.is_some() && !prepared.config.agree) {
            let told = answer.or_else(|| members.iter().position(|member| member.found.is_some()));
            let Some(mut answer) = told.and_then(|told| members[told].found.take()) else { return Err(nobody(&mut members)) };
            answer.report.warnings.extend(notes);
            // Large processes take a moment to end.
            prepared.session.listener.answering();
            return Ok(answer);
        }
        if !told_to_stop && prepared.session.is_cancelled() {
            told_to_stop = true;
            members.iter().for_each(|member| member.signal(libc::SIGUSR1));
        }
        relieve_memory(&mut members, prepared.config.memory, &mut notes);
        std::thread::sleep(PAUSE);
    }
}

fn start(prepared: &Prepared<'_>, engine: &dyn Engine, leads: bool) -> Result<Member, Error> {
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
    Ok(Member { engine: engine.name(), pid, result: Some(result), found: None, gone: false })
}

/// Takes in what the member has said, if it has said something or is gone.
fn hear(member: &mut Member) {
    let Some(pipe) = &member.result else { return };
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one live descriptor.
    if unsafe { libc::poll(&mut poll, 1, 0) } <= 0 {
        return;
    }
    let mut line = String::new();
    if let Some(pipe) = member.result.take()
        && BufReader::new(pipe).read_line(&mut line).is_ok()
    {
        member.found = serde_json::from_str(&line).ok();
    }
}

fn contradiction(members: &[Member]) -> Option<&str> {
    let found: Vec<&Answer> = members.iter().filter_map(|member| member.found.as_ref()).collect();
    let pairs = found.iter().enumerate().flat_map(|(at, one)| found[at + 1..].iter().map(move |two| (one, two)));
    pairs.into_iter().find_map(|(one, two)| contradicts(one, two))
}

fn contradict(members: &[Member], property: &str) -> Error {
    let word = |member: &Member| {
        let mut properties = member.found.as_ref()?.report.properties.iter();
        Some(format!("{} says {}", member.engine, properties.find(|said| said.property == property)?.verdict))
    };
    let said: Vec<String> = members.iter().filter_map(word).collect();
    Error::Contradiction { property: property.to_string(), said: said.join(", ") }
}

/// No member has an answer: each crashed or was ended for want of memory.
fn nobody(members: &mut [Member]) -> Error {
    match members.iter_mut().any(|member| member.wait() == Some(libc::SIGKILL)) {
        true => Error::OutOfMemory,
        false => Error::EveryEngineCrashed,
    }
}

/// While the members use more than there is together, the largest one is ended.
fn relieve_memory(members: &mut [Member], limit: u64, notes: &mut Vec<String>) {
    let used = |member: &Member| if member.result.is_some() { resident_bytes(member.pid) } else { 0 };
    let total: u64 = members.iter().map(used).sum();
    if total <= limit - limit / 20 || members.iter().filter(|member| member.result.is_some()).count() < 2 {
        return;
    }
    if let Some(largest) = members.iter_mut().max_by_key(|member| used(member)) {
        largest.signal(libc::SIGKILL);
        largest.result = None;
        notes.push(format!("{} was ended for want of memory", largest.engine));
    }
}
