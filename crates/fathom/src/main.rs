//! The command line of Fathom. `args` says what can be asked, `verify` does it, `supervise` keeps the promise that it
//! ends with a verdict, `ending` lists how.

mod args;
mod ending;
mod engines;
mod output;
mod portfolio;
mod progress;
mod properties;
mod solvers;
mod supervise;
mod units;
mod verify;

use args::{Cli, Command, InputArgs, VerifyArgs};
use clap::Parser;
use clap::error::ErrorKind;
use ending::{Ending, print_verdict};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;
use supervise::{Leash, Limits};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Virtual memory for the stack of the thread that works; only what is used costs anything.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

fn main() {
    let start = Instant::now();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let verifying = arguments.get(1).is_some_and(|command| command == "verify");
    let (rest, clang) = args::split_clang_flags(arguments);
    let cli = match Cli::try_parse_from(rest) {
        Ok(cli) => cli,
        Err(error) => wrong_usage(&error, verifying),
    };
    match cli.command {
        Command::Verify(mut verify) => {
            verify.input.clang_args.splice(0..0, clang);
            let limits = Limits { start, time: verify.timeout, memory: verify.memory };
            supervise::supervised(limits, |leash| work(&verify, start, leash))
        }
        Command::Ir(mut input) => {
            input.clang_args.splice(0..0, clang);
            print_ir(&input)
        }
        Command::Solvers => show(&solvers::list()),
    }
}

fn wrong_usage(error: &clap::Error, verifying: bool) -> ! {
    let _ = error.print();
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked_for {
        std::process::exit(Ending::Proved.code());
    }
    if verifying {
        print_verdict("", "unknown(usage error)");
    }
    std::process::exit(Ending::UsageError.code())
}

fn show(text: &str) -> ! {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    std::process::exit(Ending::Proved.code())
}

fn print_ir(input: &InputArgs) -> ! {
    let input = input.clone();
    let result = guarded(move || verify::ir_text(&input).map_err(|failure| (failure.message, failure.ending)));
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

/// The child's part of `fathom verify`.
fn work(arguments: &VerifyArgs, start: Instant, leash: Leash) {
    let arguments = arguments.clone();
    let leash = std::sync::Arc::new(leash);
    let own = leash.clone();
    if let Err(what) = guarded(move || verify::verify(&arguments, start, &own)) {
        leash.about_to_answer();
        internal_error(&what);
        print_verdict("", "unknown(internal error)");
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
