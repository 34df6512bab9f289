//! `--engine auto`: every engine of the portfolio on one program, each in a process of its own, forked when the program
//! has been read, so that reading it costs once. The first one starts at once and the others a moment later: most
//! programs are decided before they do. A member that is done sends a line with its verdicts and waits; the
//! coordinator lets the one speak whose answer is to be told and ends the others. Answers that contradict each other
//! are never told: that is a bug in an engine, and the user is asked to report it. Who waits for all of them (`--agree`) is
//! also told what each found, and warned of answers that did not stand when they were checked and of engines that crashed.
//!
//! The members share one limit of memory: while they use more together, the largest of them is ended.

use crate::ending::{Ending, print_verdict};
use crate::progress::ProgressLine;
use crate::supervise::{Leash, resident_bytes};
use crate::verify::{Answer, Failure, Prepared};
use fathom_engine::{Engine, Reason, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
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
    permission: PipeWriter,
    found: Option<Found>,
    /// The coordinator ended it.
    ended: bool,
}

/// What a member says about its answer, as a line of JSON.
#[derive(Default, Serialize, Deserialize)]
struct Found {
    /// Property to `true`, `false` or `unknown`.
    verdicts: BTreeMap<String, String>,
    /// Why what is unknown is, each reason once.
    reasons: Vec<String>,
    /// Those of them that are a fault in Fathom.
    faults: Vec<String>,
}

/// What the member that may speak says beside its answer, as a line of JSON.
#[derive(Default, Serialize, Deserialize)]
pub struct Beside {
    pub warnings: Vec<String>,
    /// What each engine found, if all were waited for.
    pub engines: Vec<String>,
}

impl Found {
    fn of(answer: &Answer) -> Self {
        let mut found = Found::default();
        for (property, verdict) in &answer.certified.outcome.verdicts {
            let word = match verdict {
                Verdict::Holds(_) => "true",
                Verdict::Violated(_) => "false",
                Verdict::Unknown(reason) => {
                    found.note(reason);
                    "unknown"
                }
            };
            found.verdicts.insert(property.to_string(), word.to_string());
        }
        found
    }

    fn note(&mut self, reason: &Reason) {
        let text = reason.to_string();
        if self.reasons.contains(&text) {
            return;
        }
        if matches!(reason, Reason::NotConfirmed(_)) {
            self.faults.push(text.clone());
        }
        self.reasons.push(text);
    }

    /// For people, in a line.
    fn summary(&self) -> String {
        let violated: Vec<&str> = self.verdicts.iter().filter(|(_, word)| *word == "false").map(|(property, _)| property.as_str()).collect();
        match (violated.is_empty(), self.reasons.is_empty()) {
            (false, _) => format!("false({})", violated.join(", ")),
            (true, true) => "true".to_string(),
            (true, false) => format!("unknown({})", self.reasons.join("; ")),
        }
    }

    /// Whether nothing better can come: something is violated, or everything holds.
    fn decides(&self) -> bool {
        let mut words = self.verdicts.values();
        !self.verdicts.is_empty() && (words.clone().any(|word| word == "false") || words.all(|word| word == "true"))
    }

    /// A property that holds here and is violated there.
    fn contradicts<'a>(&'a self, other: &Found) -> Option<&'a str> {
        let opposite = |(property, word): (&'a String, &String)| {
            let there = other.verdicts.get(property)?;
            (word != there && word != "unknown" && there != "unknown").then_some(property.as_str())
        };
        self.verdicts.iter().find_map(opposite)
    }
}

/// Runs all of these; never returns unless no process can be made.
pub fn run(prepared: &Prepared<'_>, engines: &[Box<dyn Engine>], leash: &Leash) -> Result<Infallible, Failure> {
    let begin = Instant::now();
    let engines: Vec<&dyn Engine> = engines.iter().map(Box::as_ref).filter(|engine| engine.suits(&prepared.program, &prepared.properties)).collect();
    let mut waiting = engines.iter().copied();
    let mut members: Vec<Member> = Vec::new();
    let mut beside = Beside::default();
    let mut told_to_stop = false;
    loop {
        let all_started = members.len() == engines.len();
        let due = HEAD_START * members.len() as u32;
        let idle = members.iter().all(|member| member.result.is_none());
        if !all_started && (idle || begin.elapsed() >= due) && !told_to_stop {
            let leads = members.is_empty();
            members.extend(waiting.next().map(|engine| start(prepared, engine, leads, leash)).transpose()?);
        }
        members.iter_mut().for_each(hear);
        if let Some(property) = contradiction(&members) {
            contradict(&members, property, leash);
        }
        let answer = members.iter().position(|member| member.found.as_ref().is_some_and(Found::decides));
        let done = (all_started || told_to_stop) && members.iter().all(|member| member.result.is_none());
        if done || (answer.is_some() && !prepared.arguments.agree) {
            let told = answer.or_else(|| members.iter().position(|member| member.found.is_some()));
            let Some(told) = told else { nobody(&mut members, leash) };
            if prepared.arguments.agree {
                compare(&members, &mut beside);
            }
            let_speak(&mut members, told, &beside, leash);
        }
        if !told_to_stop && leash.cancelled.load(Ordering::Relaxed) {
            told_to_stop = true;
            members.iter().for_each(|member| signal(member.pid, libc::SIGUSR1));
        }
        relieve_memory(&mut members, prepared.arguments.memory, &mut beside.warnings);
        std::thread::sleep(PAUSE);
    }
}

fn start(prepared: &Prepared<'_>, engine: &dyn Engine, leads: bool, leash: &Leash) -> Result<Member, Failure> {
    let no_process = |error: std::io::Error| Failure {
        ending: Ending::InternalError,
        message: format!("the system gives no further process: {error}"),
        reason: "internal error: no process".into(),
    };
    let (result, mut found) = std::io::pipe().map_err(no_process)?;
    let (permitted, permission) = std::io::pipe().map_err(no_process)?;
    // SAFETY: the only other thread of this process waits for this one and holds no lock.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(no_process(std::io::Error::last_os_error()));
    }
    if pid == 0 {
        // SAFETY: a plain system call: the member goes when the coordinator does.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        drop((result, permission));
        let job = || {
            let progress = if leads { ProgressLine::new() } else { ProgressLine::hidden() };
            let answer = prepared.decide(engine, &progress);
            let _ = found.write_all(line_of(&Found::of(&answer)).as_bytes());
            let mut line = String::new();
            let _ = BufReader::new(&permitted).read_line(&mut line);
            prepared.tell(&answer, serde_json::from_str(&line).unwrap_or_default(), leash)
        };
        let _ = catch_unwind(AssertUnwindSafe(job));
        leash.end(Ending::InternalError)
    }
    Ok(Member { engine: engine.name(), pid, result: Some(result), permission, found: None, ended: false })
}

fn line_of(message: &impl Serialize) -> String {
    serde_json::to_string(message).map_or_else(|_| "\n".to_string(), |text| text + "\n")
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
        && BufReader::new(pipe).read_line(&mut line).is_ok_and(|length| length > 0)
    {
        member.found = serde_json::from_str(&line).ok();
    }
}

fn contradiction(members: &[Member]) -> Option<&str> {
    let found: Vec<&Found> = members.iter().filter_map(|member| member.found.as_ref()).collect();
    let pairs = found.iter().enumerate().flat_map(|(at, one)| found[at + 1..].iter().map(move |two| (one, two)));
    pairs.into_iter().find_map(|(one, two)| one.contradicts(two))
}

fn contradict(members: &[Member], property: &str, leash: &Leash) -> ! {
    let word = |member: &Member| Some(format!("{} says {}", member.engine, member.found.as_ref()?.verdicts.get(property)?));
    let said: Vec<String> = members.iter().filter_map(word).collect();
    members.iter().for_each(|member| signal(member.pid, libc::SIGKILL));
    leash.about_to_answer();
    eprintln!("error: the engines contradict each other about {property}: {}; please report this with the program", said.join(", "));
    print_verdict("", &format!("unknown(internal error: the engines contradict each other about {property})"));
    leash.end(Ending::InternalError)
}

/// Says what each found, and warns of what points to a fault although another engine's answer is told.
fn compare(members: &[Member], beside: &mut Beside) {
    for Member { engine, found, ended, .. } in members {
        match found {
            Some(found) => {
                beside.engines.push(format!("{engine}: {}", found.summary()));
                let warned = found.faults.iter().map(|fault| format!("what {engine} found did not stand ({fault}); please report this with the program"));
                beside.warnings.extend(warned);
            }
            None if *ended => beside.engines.push(format!("{engine}: ended")),
            None => {
                beside.engines.push(format!("{engine}: crashed"));
                beside.warnings.push(format!("{engine} crashed; please report this with the program"));
            }
        }
    }
}

/// No member has an answer: each crashed or was ended for want of memory.
fn nobody(members: &mut [Member], leash: &Leash) -> ! {
    let mut ending = (Ending::InternalError, "internal error: every engine crashed");
    for member in members {
        if ended_by(member.pid) == Some(libc::SIGKILL) {
            ending = (Ending::OutOfMemory, "out of memory");
        }
    }
    leash.about_to_answer();
    print_verdict("", &format!("unknown({})", ending.1));
    leash.end(ending.0)
}

/// Ends the others, lets this member say its answer, and ends as it does.
fn let_speak(members: &mut [Member], told: usize, beside: &Beside, leash: &Leash) -> ! {
    for (at, member) in members.iter().enumerate() {
        if at != told {
            signal(member.pid, libc::SIGKILL);
        }
    }
    let _ = members[told].permission.write_all(line_of(beside).as_bytes());
    let mut status = 0;
    // SAFETY: waits for our own child into a live integer.
    unsafe { libc::waitpid(members[told].pid, &mut status, 0) };
    let ending = if libc::WIFEXITED(status) { Ending::from_code(libc::WEXITSTATUS(status)) } else { None };
    leash.end(ending.unwrap_or(Ending::InternalError))
}

/// While the members use more than there is together, the largest one is ended.
fn relieve_memory(members: &mut [Member], limit: u64, notes: &mut Vec<String>) {
    let used = |member: &Member| if member.result.is_some() { resident_bytes(member.pid) } else { 0 };
    let total: u64 = members.iter().map(used).sum();
    if total <= limit - limit / 20 || members.iter().filter(|member| member.result.is_some()).count() < 2 {
        return;
    }
    if let Some(largest) = members.iter_mut().max_by_key(|member| used(member)) {
        signal(largest.pid, libc::SIGKILL);
        (largest.result, largest.ended) = (None, true);
        notes.push(format!("{} was ended for want of memory", largest.engine));
    }
}

fn signal(pid: libc::pid_t, signal: libc::c_int) {
    // SAFETY: our own child, which has not been waited for.
    unsafe { libc::kill(pid, signal) };
}

/// The signal that ended this child, if one did.
fn ended_by(pid: libc::pid_t) -> Option<libc::c_int> {
    let mut status = 0;
    // SAFETY: waits for our own child into a live integer.
    unsafe { libc::waitpid(pid, &mut status, 0) };
    libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_and_what_contradicts() {
        let found = |unreach: &str, assertion: &str| Found {
            verdicts: [("unreach-call", unreach), ("assertion", assertion)].map(|(property, word)| (property.into(), word.into())).into(),
            ..Found::default()
        };
        let (proved, violated, half) = (found("true", "true"), found("unknown", "false"), found("true", "unknown"));
        assert!(proved.decides() && violated.decides() && !half.decides());
        assert!(!Found::default().decides());
        assert_eq!(proved.contradicts(&violated), Some("assertion"));
        assert_eq!(violated.contradicts(&half), None);
        assert_eq!(proved.contradicts(&half), None);
    }
}
