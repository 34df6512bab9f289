//! The two processes of a command: the child works and reports the answer; the parent supervises it, and reports how it
//! ended if the child could not.

use crate::colour;
use crate::ending::Ending;
use crate::progress::Teller;
use crate::telling::Telling;
use fathom_driver::supervise::{Crash, Ended, Leash, Limit};
use fathom_driver::{Error, ErrorKind, Session};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The child's part of a supervised command: does the job, tells what came out and ends the process.
pub fn work<T: FnOnce()>(
    telling: &Telling,
    start: Instant,
    leash: Leash,
    notes: Vec<String>,
    job: impl FnOnce(&Session) -> Result<(Ending, T), Error>,
) {
    let leash = Arc::new(leash);
    let listener = Arc::new(Teller::new(leash.clone()));
    let session = Session { start, cancelled: leash.cancelled.clone(), listener, notes };
    let told = job(&session);
    leash.about_to_answer();
    match told {
        Ok((ending, tell)) => {
            tell();
            leash.end(ending.code())
        }
        Err(error) => {
            let ending = Ending::from(&error);
            telling.error(&error, &error_text(&error));
            leash.end(ending.code())
        }
    }
}

/// What the last panic said, and where.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Panics come back as errors; what they say is kept for the message, and not printed with a backtrace.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = format!("{message}{place}");
        }
    }));
}

/// What standard error says of an error.
pub fn error_text(error: &Error) -> String {
    let Error::Internal(what) = error else {
        let text = error.to_string();
        // What begins with its place is an error already.
        let is_placed = text.lines().next().is_some_and(|line| colour::placed(line, "error").is_some());
        return format!("{}{}", if is_placed { "" } else { "error: " }, text.trim_end());
    };
    let kept = PANIC.lock().map(|last| last.clone()).unwrap_or_default();
    format!(
        "error: an internal error of Fathom: {}\nThis is a bug in Fathom, not in your program. Please report it with the command and the \
         files.",
        if kept.is_empty() { what } else { &kept }
    )
}

/// The parent's part: tells how the child ended if it could not do so itself, and ends as it did.
pub fn finish(telling: &Telling, ended: &Ended) -> ! {
    let (message, reason, ending) = match *ended {
        Ended::Exited { code, answered: true } if Ending::from_code(code).is_some() => std::process::exit(code),
        Ended::Stopped { limit, answered: true } => std::process::exit(Ending::from(limit).code()),
        Ended::Stopped { limit, answered: false } => (String::new(), reason_of(limit).into(), Ending::from(limit)),
        Ended::Crashed(crash) if crash.for_want_of_memory() => {
            ("error: the system ran out of memory and killed Fathom".into(), "out of memory".into(), Ending::OutOfMemory)
        }
        Ended::Crashed(crash) if crash.is_kill() => killed(telling),
        Ended::Crashed(Crash { signal, .. }) => (
            format!("error: Fathom crashed (signal {signal}); please report this with the program that caused it"),
            format!("internal error: signal {signal}"),
            Ending::InternalError,
        ),
        Ended::Exited { .. } => {
            ("error: Fathom stopped without an answer; please report this".into(), "internal error".into(), Ending::InternalError)
        }
        Ended::NoProcess => {
            ("error: the system gives no further process".into(), "internal error: no process".to_string(), Ending::InternalError)
        }
    };
    telling.no_answer(ending, &message, &reason);
    std::process::exit(ending.code())
}

/// SIGKILL came from outside, and memory was not why.
fn killed(telling: &Telling) -> ! {
    let message = "error: the process that did the work was killed from outside (SIGKILL); it used less memory than it may";
    colour::say(message);
    telling.failed(ErrorKind::Killed, message, "killed");
    std::process::exit(Ending::OtherUnknown.code())
}

fn reason_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "timeout",
        Limit::Memory => "out of memory",
        Limit::Interrupt => "interrupted",
    }
}
