//! The command line of Fathom: `args` says what can be asked, `configuration` hands it to the library, `ending` lists how a
//! run ends. What is asked is done in a supervised child, so that it ends with a last line whatever happens.

mod args;
mod configuration;
mod ending;
mod environment;
mod log;
mod progress;
mod units;

use args::{Cli, Command, IrArgs, TestArgs, VerifyArgs};
use clap::Parser;
use clap::error::ErrorKind;
use ending::{Ending, print_last};
use fathom_driver::supervise::{Crash, Ended, Leash, Limit, Limits, supervised};
use fathom_driver::{Error, Format, REPLAY_OVERHEAD, ReplayConfig, Session, TestConfig, VerifyConfig};
use progress::ProgressLine;
use std::ffi::OsString;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the last lines of the commands begin with.
const VERDICT: &str = "VERDICT";
const SUITE: &str = "SUITE";
const REPLAY: &str = "REPLAY";

fn main() {
    let start = Instant::now();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let label = arguments.get(1).and_then(|command| label_of(command.to_str()?));
    let (rest, clang) = args::split_clang_flags(arguments);
    let cli = match Cli::try_parse_from(rest) {
        Ok(cli) => cli,
        Err(error) => wrong_usage(&error, label),
    };
    keep_panics();
    log::start(cli.verbose);
    match cli.command {
        Command::Verify(mut args) => {
            args.input.clang_args.splice(0..0, clang);
            let config = configuration::verify(&args).unwrap_or_else(|why| wrong_flags(VERDICT, why));
            verify(&args, &config, start)
        }
        Command::Test(mut args) => {
            args.common.input.clang_args.splice(0..0, clang);
            let config = configuration::test(&args).unwrap_or_else(|why| wrong_flags(SUITE, why));
            test(&args, &config, start)
        }
        Command::Replay(mut args) => {
            args.input.clang_args.splice(0..0, clang);
            let config = configuration::replay(&args).unwrap_or_else(|why| wrong_flags(REPLAY, why));
            replay(&config, start)
        }
        Command::Ir(mut args) => {
            args.input.clang_args.splice(0..0, clang);
            print_ir(&args)
        }
        Command::Solvers => show(&fathom_driver::solver_list()),
    }
}

fn label_of(command: &str) -> Option<&'static str> {
    match command {
        "verify" => Some(VERDICT),
        "test" => Some(SUITE),
        "replay" => Some(REPLAY),
        _ => None,
    }
}

fn wrong_usage(error: &clap::Error, label: Option<&str>) -> ! {
    let _ = error.print();
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked_for {
        std::process::exit(Ending::Proved.code());
    }
    if let Some(label) = label {
        print_last(label, "", "unknown(usage error)");
    }
    std::process::exit(Ending::UsageError.code())
}

/// Flags that do not fit together.
fn wrong_flags(label: &str, why: String) -> ! {
    let error = Error::Usage(why);
    say_error(&error);
    print_last(label, "", &format!("unknown({})", error.reason()));
    std::process::exit(Ending::UsageError.code())
}

fn show(text: &str) -> ! {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    std::process::exit(Ending::Proved.code())
}

fn print_ir(args: &IrArgs) -> ! {
    let of = if args.invariants { fathom_driver::loop_invariants } else { fathom_driver::program_text };
    match configuration::input(&args.input).map_err(Error::Usage).and_then(|input| of(&input)) {
        Ok(text) => show(&text),
        Err(error) => {
            say_error(&error);
            std::process::exit(Ending::from(&error).code())
        }
    }
}

fn verify(args: &VerifyArgs, config: &VerifyConfig, start: Instant) -> ! {
    let limits = Limits { start, time: config.timeout, memory: config.memory };
    let may_retry = fathom_driver::with_other_solver(config, 0).is_some();
    let ended = supervised(limits, may_retry, |leash, crash| {
        let again = crash.and_then(|crash| fathom_driver::with_other_solver(config, crash.signal));
        let (config, note) = again.map_or((config.clone(), None), |(config, note)| (config, Some(note)));
        work(VERDICT, start, leash, note, |session| {
            let verified = fathom_driver::verify(&config, session)?;
            let format = if args.json { Format::Json } else { Format::Text { statistics: args.stats, full_trace: args.full_trace } };
            let mut before = fathom_driver::report(&verified, format);
            verified.unwritten.iter().for_each(|why| eprintln!("error: {why}"));
            verified.remarks.iter().for_each(|remark| before += &format!("{remark}\n"));
            Ok(Told { before, ending: Ending::from(&verified), line: verified.report.verdict })
        })
    });
    finish(VERDICT, &ended)
}

fn test(args: &TestArgs, config: &TestConfig, start: Instant) -> ! {
    let limits = Limits { start, time: config.common.timeout, memory: config.common.memory };
    let ended = supervised(limits, false, |leash, _| {
        work(SUITE, start, leash, None, |session| {
            let suite = fathom_driver::test(config, session)?;
            let ending = match () {
                () if suite.interrupted => Ending::Interrupted,
                () if suite.tests == 0 => Ending::OtherUnknown,
                () if suite.shows_errors => Ending::Violated,
                () => Ending::Proved,
            };
            let before = if args.common.json { format!("{:#}\n", suite.summary) } else { suite.text };
            Ok(Told { before, line: suite.line, ending })
        })
    });
    finish(SUITE, &ended)
}

fn replay(config: &ReplayConfig, start: Instant) -> ! {
    let limits = Limits { start, time: REPLAY_OVERHEAD + config.timeout, memory: u64::MAX };
    let ended = supervised(limits, false, |leash, _| {
        work(REPLAY, start, leash, None, |session| {
            let replayed = fathom_driver::replay(config, session)?;
            Ok(Told { before: replayed.text, line: replayed.told.to_string(), ending: Ending::from(&replayed.told) })
        })
    });
    finish(REPLAY, &ended)
}

/// What a command prints.
struct Told {
    before: String,
    /// The last line, without its label.
    line: String,
    ending: Ending,
}

/// The child's part of a supervised command: does the job, prints and ends the process.
fn work(label: &str, start: Instant, leash: Leash, note: Option<String>, job: impl FnOnce(&Session) -> Result<Told, Error>) {
    let leash = Arc::new(leash);
    let listener = Arc::new(ProgressLine::new(leash.clone()));
    let session = Session { start, cancelled: leash.cancelled.clone(), listener, notes: note.into_iter().collect() };
    let told = job(&session);
    leash.about_to_answer();
    match told {
        Ok(Told { before, line, ending }) => {
            print_last(label, &before, &line);
            leash.end(ending.code())
        }
        Err(error) => {
            session.listener.quiet();
            say_error(&error);
            print_last(label, "", &format!("unknown({})", error.reason()));
            leash.end(Ending::from(&error).code())
        }
    }
}

/// What the last panic said, and where.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Panics come back as errors; what they say is kept for the message, and not printed with a backtrace.
fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = format!("{message}{place}");
        }
    }));
}

fn say_error(error: &Error) {
    let Error::Internal(what) = error else {
        eprintln!("error: {}", error.to_string().trim_end());
        return;
    };
    let kept = PANIC.lock().map(|last| last.clone()).unwrap_or_default();
    eprintln!("error: an internal error of Fathom: {}", if kept.is_empty() { what } else { &kept });
    eprintln!("This is a bug in Fathom, not in your program. Please report it with the command and the files.");
}

/// The parent's part: says the last line if the child could not, and ends as it did.
fn finish(label: &str, ended: &Ended) -> ! {
    let (message, line, ending) = match *ended {
        Ended::Exited { code, answered: true } if Ending::from_code(code).is_some() => std::process::exit(code),
        Ended::Stopped { limit, answered: true } => std::process::exit(Ending::from(limit).code()),
        Ended::Stopped { limit, answered: false } => (String::new(), reason_of(limit).into(), Ending::from(limit)),
        Ended::Crashed(crash) if crash.is_kill() => {
            ("error: the system ended Fathom, most likely for want of memory".into(), "out of memory".into(), Ending::OutOfMemory)
        }
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
    if !message.is_empty() {
        eprintln!("{message}");
    }
    print_last(label, "", &format!("unknown({line})"));
    std::process::exit(ending.code())
}

fn reason_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "timeout",
        Limit::Memory => "out of memory",
        Limit::Interrupt => "interrupted",
    }
}
