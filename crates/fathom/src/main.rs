//! The command line of Fathom. `args` says what can be asked, `verify` does it, `supervise` keeps the promise that it
//! ends with a verdict, `ending` lists how.

mod args;
mod boogie;
mod collect;
mod compile_commands;
mod ending;
mod engines;
mod environment;
mod fixed_inputs;
mod log;
mod measure;
mod native_runs;
mod output;
mod portfolio;
mod progress;
mod properties;
mod replay;
mod same_names;
mod solvers;
mod suite;
mod supervise;
mod units;
mod verify;

use args::{Cli, Command, IrArgs, VerifyArgs};
use clap::Parser;
use clap::error::ErrorKind;
use ending::{Ending, print_last};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;
use supervise::{Crash, Leash, Limits};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Virtual memory for the stack of the thread that works; only what is used costs anything.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

fn main() {
    let start = Instant::now();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let label = arguments.get(1).and_then(|command| label_of(command.to_str()?));
    let (rest, clang) = args::split_clang_flags(arguments);
    let cli = match Cli::try_parse_from(rest) {
        Ok(cli) => cli,
        Err(error) => wrong_usage(&error, label),
    };
    log::start(cli.verbose);
    match cli.command {
        Command::Verify(mut verify) => {
            verify.input.clang_args.splice(0..0, clang);
            let limits = Limits { label: VERDICT, start, time: verify.timeout, memory: verify.memory };
            let may_retry = linked_solver(&verify).and_then(|solver| solvers::other_linked(&solver)).is_some();
            supervise::supervised(limits, may_retry, |leash, crash| {
                let (verify, note) = after_crash(&verify, crash);
                work(VERDICT, leash, move |leash| verify::verify(&verify, note, start, leash))
            })
        }
        Command::Test(mut test) => {
            test.common.input.clang_args.splice(0..0, clang);
            let limits = Limits { label: suite::LABEL, start, time: test.common.timeout, memory: test.common.memory };
            supervise::supervised(limits, false, |leash, _| {
                let test = test.clone();
                work(suite::LABEL, leash, move |leash| suite::write(&test, start, leash))
            })
        }
        Command::Replay(mut replay) => {
            replay.input.clang_args.splice(0..0, clang);
            let limits = Limits { label: replay::LABEL, start, time: replay::LONGEST + replay.timeout, memory: u64::MAX };
            supervise::supervised(limits, false, |leash, _| {
                let replay = replay.clone();
                work(replay::LABEL, leash, move |leash| replay::replay(&replay, leash))
            })
        }
        Command::Ir(mut ir) => {
            ir.input.clang_args.splice(0..0, clang);
            print_ir(&ir)
        }
        Command::Solvers => show(&solvers::list()),
    }
}

const VERDICT: &str = "VERDICT";

/// What the last line of a command begins with.
fn label_of(command: &str) -> Option<&'static str> {
    match command {
        "verify" => Some(VERDICT),
        "test" => Some(suite::LABEL),
        "replay" => Some(replay::LABEL),
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

fn show(text: &str) -> ! {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    std::process::exit(Ending::Proved.code())
}

fn print_ir(arguments: &IrArgs) -> ! {
    let arguments = arguments.clone();
    let result = guarded(move || verify::ir_text(&arguments).map_err(|failure| (failure.message, failure.ending)));
    match result {
        Ok(Ok(text)) => show(&text),
        Ok(Err((message, ending))) => {
            eprintln!("error: {}", message.trim_end());
            std::process::exit(ending.code())
        }
        Err(what) => {
            internal_error(&what);
            std::process::exit(Ending::InternalError.code())
        }
    }
}

/// The solver that a run asks, as far as that is known before it starts: for Boogie the program decides.
fn linked_solver(arguments: &VerifyArgs) -> Option<String> {
    let is_c = !boogie::is_boogie(&arguments.input.files).unwrap_or(true);
    arguments.solver.clone().or_else(|| is_c.then(|| verify::C_SOLVER.to_string()))
}

/// What to run: as asked, or after a crash, which a solver library is the likeliest to have caused, with the other one.
fn after_crash(arguments: &VerifyArgs, crash: Option<Crash>) -> (VerifyArgs, Option<String>) {
    let mut arguments = arguments.clone();
    if let (Some(Crash(signal)), Some(solver)) = (crash, linked_solver(&arguments))
        && let Some(other) = solvers::other_linked(&solver)
    {
        let note = format!("the run with {solver} crashed (signal {signal}) and was started again with {other}");
        arguments.solver = Some(other.to_string());
        return (arguments, Some(note));
    }
    (arguments, None)
}

/// The child's part of a supervised command.
fn work(label: &str, leash: Leash, job: impl FnOnce(&Leash) + Send + 'static) {
    let leash = std::sync::Arc::new(leash);
    let own = leash.clone();
    if let Err(what) = guarded(move || job(&own)) {
        leash.about_to_answer();
        internal_error(&what);
        print_last(label, "", "unknown(internal error)");
        leash.end(Ending::InternalError)
    }
}

fn internal_error(what: &str) {
    eprintln!("error: an internal error of Fathom: {what}");
    eprintln!("This is a bug in Fathom, not in your program. Please report it with the command and the files.");
}

/// Runs on a thread with a large stack; a panic comes back as what it said and where, without a backtrace.
fn guarded<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    static LAST: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut last) = LAST.lock() {
            *last = format!("{message}{place}");
        }
    }));
    let said = || LAST.lock().map(|last| last.clone()).unwrap_or_default();
    let job = Mutex::new(Some(job));
    std::thread::scope(|scope| {
        for size in STACK_SIZES {
            let run = || job.lock().ok().and_then(|mut job| job.take()).map(|job| catch_unwind(AssertUnwindSafe(job)));
            let Ok(thread) = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run) else { continue };
            return match thread.join() {
                Ok(Some(Ok(value))) => Ok(value),
                _ => Err(said()),
            };
        }
        Err("no thread could be started".into())
    })
}
