//! The command line of Fathom: `args` says what can be asked, `configuration` hands it to the library, `ending` lists how a
//! run ends. What is asked is done in a supervised child, so that it ends with a last line whatever happens.

mod args;
mod configuration;
mod ending;
mod environment;
mod format;
mod log;
mod progress;
mod running;
mod telling;
mod units;

use args::{Cli, Command, IrArgs, TestArgs, VerifyArgs};
use clap::Parser;
use clap::error::ErrorKind;
use ending::Ending;
use fathom_driver::supervise::{Limits, supervised};
use fathom_driver::{Error, REPLAY_OVERHEAD, ReplayConfig, TestConfig, VerifyConfig};
use running::{error_text, finish, keep_panics, work};
use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;
use telling::Telling;

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
    let guess = label.map(|label| Telling::guess(label, &arguments));
    let (rest, clang) = args::split_clang_flags(arguments);
    let cli = match Cli::try_parse_from(rest) {
        Ok(cli) => cli,
        Err(error) => wrong_usage(&error, guess.as_ref()),
    };
    keep_panics();
    log::start(cli.verbose);
    let annotate = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let or_wrong = |why| wrong_flags(guess.as_ref(), why);
    match cli.command {
        Command::Verify(mut args) => {
            args.input.clang_args.splice(0..0, clang);
            let telling = Telling::new(VERDICT, &args, annotate).unwrap_or_else(or_wrong);
            let config = configuration::verify(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            verify(&args, &telling, &config, start)
        }
        Command::Test(mut args) => {
            args.common.input.clang_args.splice(0..0, clang);
            let telling = Telling::new(SUITE, &args.common, false).and_then(Telling::only_text_and_json).unwrap_or_else(or_wrong);
            let config = configuration::test(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            test(&args, &telling, &config, start)
        }
        Command::Replay(mut args) => {
            args.input.clang_args.splice(0..0, clang);
            let telling = Telling::plain(REPLAY);
            let config = configuration::replay(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            replay(&telling, &config, start)
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

fn wrong_usage(error: &clap::Error, telling: Option<&Telling>) -> ! {
    let _ = error.print();
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked_for {
        std::process::exit(Ending::Proved.code());
    }
    if let Some(telling) = telling {
        telling.failed(Ending::UsageError.into(), &error.render().to_string(), "usage error");
    }
    std::process::exit(Ending::UsageError.code())
}

/// Flags that do not fit together.
fn wrong_flags(telling: Option<&Telling>, why: String) -> ! {
    let error = Error::Usage(why);
    match telling {
        Some(telling) => telling.no_answer(Ending::UsageError, &error_text(&error), &error.reason()),
        None => eprintln!("{}", error_text(&error)),
    }
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
            eprintln!("{}", error_text(&error));
            std::process::exit(Ending::from(&error).code())
        }
    }
}

fn verify(args: &VerifyArgs, telling: &Telling, config: &VerifyConfig, start: Instant) -> ! {
    let limits = Limits { start, time: config.timeout, memory: config.memory };
    let may_retry = fathom_driver::with_other_solver(config, 0).is_some();
    let ended = supervised(limits, may_retry, |leash, crash| {
        let again = crash.and_then(|crash| fathom_driver::with_other_solver(config, crash.signal));
        let (config, note) = again.map_or((config.clone(), None), |(config, note)| (config, Some(note)));
        work(telling, start, leash, !args.ci, note, |session| {
            let verified = match &args.witness {
                None => fathom_driver::verify(&config, session)?,
                Some(witness) => fathom_driver::validate(&config, witness, session)?,
            };
            let ending = Ending::from(&verified);
            let tell = move || {
                verified.unwritten.iter().for_each(|why| eprintln!("error: {why}"));
                telling.answer(&verified.report, &verified.remarks);
            };
            Ok((ending, tell))
        })
    });
    config.out.iter().for_each(|out| fathom_driver::remove_unfinished(out));
    fathom_driver::remove_parts(telling.files().chain(&config.tree).chain(&config.witness_out));
    finish(telling, &ended)
}

fn test(args: &TestArgs, telling: &Telling, config: &TestConfig, start: Instant) -> ! {
    let limits = Limits { start, time: config.common.timeout, memory: config.common.memory };
    let ended = supervised(limits, false, |leash, _| {
        work(telling, start, leash, !args.common.ci, None, |session| {
            let suite = fathom_driver::test(config, session)?;
            let ending = match () {
                () if suite.interrupted => Ending::Interrupted,
                () if suite.tests == 0 => Ending::OtherUnknown,
                () if suite.shows_errors => Ending::Violated,
                () => Ending::Proved,
            };
            let body = if telling.is_json() { format!("{:#}\n", suite.summary) } else { suite.text };
            Ok((ending, move || telling.print(&body, &suite.line)))
        })
    });
    config.common.out.iter().for_each(|out| fathom_driver::remove_unfinished(out));
    finish(telling, &ended)
}

fn replay(telling: &Telling, config: &ReplayConfig, start: Instant) -> ! {
    let limits = Limits { start, time: REPLAY_OVERHEAD + config.timeout, memory: u64::MAX };
    let ended = supervised(limits, false, |leash, _| {
        work(telling, start, leash, true, None, |session| {
            let replayed = fathom_driver::replay(config, session)?;
            Ok((Ending::from(&replayed.told), move || telling.print(&replayed.text, &replayed.told.to_string())))
        })
    });
    finish(telling, &ended)
}
