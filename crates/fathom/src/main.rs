//! The command line of Fathom: `args` says what can be asked, `configuration` hands it to the library, `ending` lists how a
//! run ends. What is asked is done in a supervised child, so that it ends with a last line whatever happens.

mod args;
mod command_line;
mod config_file;
mod configuration;
mod ending;
mod environment;
mod ignored;
mod log;
mod manual;
mod progress;
mod units;

use args::{Cli, Command, InputArgs, IrArgs, TestArgs, VerifyArgs};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches};
use command_line::{CommandLine, Piped};
use config_file::Settings;
use ending::{Ending, print_last};
use fathom_driver::supervise::{Crash, Ended, Leash, Limit, Limits, supervised};
use fathom_driver::{Error, Format, InputConfig, REPLAY_OVERHEAD, ReplayConfig, Session, TestConfig, VerifyConfig};
use progress::ProgressLine;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
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
    let line = CommandLine::read(arguments).unwrap_or_else(|why| wrong_flags(label, why));
    let parsed = Cli::command().try_get_matches_from(&line.words).and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = parsed.unwrap_or_else(|error| wrong_usage(&error, label));
    keep_panics();
    log::start(cli.verbose);
    let of_command = |name: &str| Some(matches.subcommand()?.1.value_source(name)? == ValueSource::CommandLine);
    let given = |name: &str| of_command(name) == Some(true);
    let read = |input: &InputArgs| Surroundings::read(input, &line).unwrap_or_else(|why| wrong_flags(label, why));
    match cli.command {
        Command::Verify(mut args) => {
            let around = read(&args.input);
            around.fill_in(&mut args, &given);
            let config = configuration::verify(&args).unwrap_or_else(|why| wrong_flags(label, why));
            verify(&args, &around.named(config), &around, ignored::ignored(&args.engine, &given), start)
        }
        Command::Test(mut args) => {
            let around = read(&args.common.input);
            around.fill_in(&mut args.common, &given);
            let config = configuration::test(&args).unwrap_or_else(|why| wrong_flags(label, why));
            test(&args, &config, &around, start)
        }
        Command::Replay(mut args) => {
            let around = read(&args.input);
            around.fill_in_input(&mut args.input, &given);
            let config = configuration::replay(&args).unwrap_or_else(|why| wrong_flags(label, why));
            replay(&config, &around, start)
        }
        Command::Ir(mut args) => {
            let around = read(&args.input);
            around.fill_in_input(&mut args.input, &given);
            print_ir(&args, &around)
        }
        Command::Solvers => show(&fathom_driver::solver_list()),
        Command::Doctor => {
            let diagnosis = fathom_driver::doctor();
            print(&diagnosis.text);
            std::process::exit(if diagnosis.is_healthy { Ending::Proved } else { Ending::InputError }.code())
        }
        Command::Init { directory } => match config_file::init(&directory) {
            Ok(path) => show(&format!("{} is written; everything in it is still a comment\n", path.display())),
            Err(why) => wrong_flags(None, why),
        },
        Command::Completions { shell } => show(&manual::completions(shell)),
        Command::Man { directory } => match manual::write_pages(&directory) {
            Ok(told) => show(&told),
            Err(why) => wrong_flags(None, why),
        },
    }
}

/// What a question gets from elsewhere than its flags: the settings of a project, flags for clang, a program on standard
/// input.
struct Surroundings<'a> {
    clang: &'a [String],
    settings: Option<Settings>,
    piped: Option<Piped>,
}

impl<'a> Surroundings<'a> {
    fn read(input: &InputArgs, line: &'a CommandLine) -> Result<Self, String> {
        let settings = Settings::find(input)?;
        Ok(Self { clang: &line.clang, settings, piped: Piped::read(&input.files, line.language.as_deref())? })
    }

    fn fill_in(&self, args: &mut VerifyArgs, given: &dyn Fn(&str) -> bool) {
        args.input.clang_args.splice(0..0, self.clang.iter().cloned());
        self.settings.iter().for_each(|settings| settings.apply_to_verify(args, given));
    }

    fn fill_in_input(&self, input: &mut InputArgs, given: &dyn Fn(&str) -> bool) {
        input.clang_args.splice(0..0, self.clang.iter().cloned());
        self.settings.iter().for_each(|settings| settings.apply_to_input(input, given));
    }

    /// The question with the name of the file that the settings come from.
    fn named(&self, config: VerifyConfig) -> VerifyConfig {
        VerifyConfig { config_file: self.settings.as_ref().map(|settings| settings.path.clone()), ..config }
    }

    /// Puts what came from standard input into a file, among everything else that is temporary.
    fn settle(&self, input: &mut InputConfig, directory: &Path) -> Result<(), Error> {
        let Some(piped) = &self.piped else { return Ok(()) };
        piped
            .put_into(directory, &mut input.files)
            .map_err(|message| Error::Failed { reason: "standard input can't be kept".into(), message })
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
fn wrong_flags(label: Option<&str>, why: String) -> ! {
    let error = Error::Usage(why);
    say_error(&error);
    if let Some(label) = label {
        print_last(label, "", &format!("unknown({})", error.reason()));
    }
    std::process::exit(Ending::UsageError.code())
}

/// Prints; a reader who has gone away is no reason to fail.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn show(text: &str) -> ! {
    print(text);
    std::process::exit(Ending::Proved.code())
}

fn print_ir(args: &IrArgs, around: &Surroundings<'_>) -> ! {
    let of = if args.invariants { fathom_driver::loop_invariants } else { fathom_driver::program_text };
    let text = || {
        let directory = tempfile::tempdir().map_err(|error| Error::Usage(format!("no temporary directory can be made: {error}")))?;
        let mut input = configuration::input(&args.input).map_err(Error::Usage)?;
        around.settle(&mut input, directory.path())?;
        of(&input)
    };
    match text() {
        Ok(text) => show(&text),
        Err(error) => {
            say_error(&error);
            std::process::exit(Ending::from(&error).code())
        }
    }
}

fn verify(args: &VerifyArgs, config: &VerifyConfig, around: &Surroundings<'_>, warnings: Vec<String>, start: Instant) -> ! {
    let limits = Limits { start, time: config.timeout, memory: config.memory };
    let may_retry = fathom_driver::with_other_solver(config, 0).is_some();
    let ended = supervised(limits, may_retry, |leash, crash| {
        let again = crash.and_then(|crash| fathom_driver::with_other_solver(config, crash.signal));
        let (mut config, note) = again.map_or((config.clone(), None), |(config, note)| (config, Some(note)));
        let notes = note.into_iter().chain(warnings.iter().cloned()).collect();
        work(VERDICT, start, leash, notes, |session| {
            around.settle(&mut config.input, &std::env::temp_dir())?;
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

fn test(args: &TestArgs, config: &TestConfig, around: &Surroundings<'_>, start: Instant) -> ! {
    let limits = Limits { start, time: config.common.timeout, memory: config.common.memory };
    let ended = supervised(limits, false, |leash, _| {
        work(SUITE, start, leash, Vec::new(), |session| {
            let mut config = config.clone();
            around.settle(&mut config.common.input, &std::env::temp_dir())?;
            let suite = fathom_driver::test(&config, session)?;
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

fn replay(config: &ReplayConfig, around: &Surroundings<'_>, start: Instant) -> ! {
    let limits = Limits { start, time: REPLAY_OVERHEAD + config.timeout, memory: u64::MAX };
    let ended = supervised(limits, false, |leash, _| {
        work(REPLAY, start, leash, Vec::new(), |session| {
            let mut config = config.clone();
            around.settle(&mut config.input, &std::env::temp_dir())?;
            let replayed = fathom_driver::replay(&config, session)?;
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
fn work(label: &str, start: Instant, leash: Leash, notes: Vec<String>, job: impl FnOnce(&Session) -> Result<Told, Error>) {
    let leash = Arc::new(leash);
    let listener = Arc::new(ProgressLine::new(leash.clone()));
    let session = Session { start, cancelled: leash.cancelled.clone(), listener, notes };
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
