//! The command line of Fathom: `args` defines the arguments, `configuration` translates them for the library, `ending`
//! lists the ways in which a run can end. The work is done in a supervised child process, so that there is a verdict
//! line whatever happens.

mod args;
mod colour;
mod command_line;
mod config_file;
mod configuration;
mod distribute_args;
mod distributing;
mod ending;
mod engine_args;
mod environment;
mod format;
mod ignored;
mod log;
mod manual;
mod progress;
mod running;
mod scan_args;
mod scanning;
mod telling;
mod units;

use args::{Cli, Command, HarnessArgs, InputArgs, IrArgs, VerifyArgs};
use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches};
use command_line::{CommandLine, Piped};
use config_file::Settings;
use ending::Ending;
use fathom_driver::supervise::{Limits, find_libclang, supervised, survive_large_files};
use fathom_driver::{Error, InputConfig, REPLAY_OVERHEAD, ReplayConfig, TestConfig, VerifyConfig};
use progress::{ProgressLine, Wish};
use running::{error_text, finish, keep_panics, work};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
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
    survive_large_files();
    find_libclang();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let colours = colour::choose(&arguments);
    let label = arguments.get(1).and_then(|command| label_of(command.to_str()?));
    let guess = label.map(|label| Telling::guess(label, &arguments));
    let line = CommandLine::read(arguments).unwrap_or_else(|why| wrong_flags(guess.as_ref(), why));
    let or_wrong = |why| wrong_flags(guess.as_ref(), why);
    let parsed =
        Cli::command().color(colours).try_get_matches_from(&line.words).and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = parsed.unwrap_or_else(|error| wrong_usage(&error, guess.as_ref()));
    keep_panics();
    let logs = log::start(cli.verbose);
    let of_command = |name: &str| Some(matches.subcommand()?.1.value_source(name)? == ValueSource::CommandLine);
    let given = |name: &str| of_command(name) == Some(true);
    let read = |input: &InputArgs| Surroundings::read(input, &line).unwrap_or_else(|why| wrong_flags(guess.as_ref(), why));
    let begin = |args: &VerifyArgs| Beginning { start, wish: Wish { in_logs: args.progress, not_on_terminals: args.ci || logs } };
    match cli.command {
        Command::Verify(mut args) => {
            let around = read(&args.input);
            around.fill_in(&mut args, &given);
            if args.all_functions {
                scanning::all_functions(&args, begin(&args))
            }
            let annotate = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
            let telling = Telling::new(VERDICT, &args, annotate).unwrap_or_else(or_wrong);
            let mut config = configuration::verify(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            config.explain |= telling.has_page();
            let warnings = ignored::ignored(&args.engine, &given);
            verify(&args, &telling, &around.named(config), &around, &warnings, begin(&args))
        }
        Command::Test(mut args) => {
            let around = read(&args.common.input);
            around.fill_in(&mut args.common, &given);
            let telling = Telling::new(SUITE, &args.common, false).and_then(Telling::only_text_and_json).unwrap_or_else(or_wrong);
            let config = configuration::test(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            test(&telling, &config, &around, begin(&args.common))
        }
        Command::Replay(mut args) => {
            let around = read(&args.input);
            around.fill_in_input(&mut args.input, &given);
            let telling = Telling::plain(REPLAY);
            let config = configuration::replay(&args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
            replay(&telling, &config, &around, Beginning { start, wish: Wish { in_logs: false, not_on_terminals: logs } })
        }
        Command::Scan(mut args) => {
            args.clang_args.splice(0..0, line.clang.iter().cloned());
            scanning::scan(&args, Beginning { start, wish: Wish { in_logs: args.progress, not_on_terminals: logs } })
        }
        Command::Plan(mut args) => {
            args.clang_args.splice(0..0, line.clang.iter().cloned());
            distributing::plan(&args, Beginning { start, wish: Wish { in_logs: false, not_on_terminals: logs } })
        }
        Command::Run(args) => distributing::run(&args, Beginning { start, wish: Wish { in_logs: false, not_on_terminals: logs } }),
        Command::Split(args) => distributing::split(&args),
        Command::Merge(args) => distributing::merge(&args),
        Command::Ir(mut args) => {
            let around = read(&args.input);
            around.fill_in_input(&mut args.input, &given);
            print_ir(&args, &around)
        }
        Command::Harness(mut args) => {
            let around = read(&args.input);
            around.fill_in_input(&mut args.input, &given);
            print_harness(&args, &around)
        }
        Command::Solvers => show(&fathom_driver::solver_list()),
        Command::Lsp { stdio: _ } => serve_editor(),
        Command::Doctor => {
            let diagnosis = fathom_driver::doctor();
            print(&if colour::on_output() { colour::painted_findings(&diagnosis.text) } else { diagnosis.text });
            std::process::exit(if diagnosis.is_healthy { Ending::Proved } else { Ending::InputError }.code())
        }
        Command::Init { directory } => match config_file::init(&directory) {
            Ok(path) => show(&format!("Wrote {}. All settings in it are comments; remove the # of those to change.\n", path.display())),
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

/// When a run began, and who wants to see how it goes.
#[derive(Copy, Clone)]
struct Beginning {
    start: Instant,
    wish: Wish,
}

/// Whether the last line of a command begins with this.
fn is_label(word: &str) -> bool {
    [VERDICT, SUITE, REPLAY].contains(&word)
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
    if let Some(file) = forgotten_command(error) {
        colour::say(&format!("tip: to verify this file: fathom verify {file}"));
    }
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked_for {
        std::process::exit(Ending::Proved.code());
    }
    if let Some(telling) = telling {
        telling.failed(Ending::UsageError.into(), &error.render().to_string(), "usage error");
    }
    std::process::exit(Ending::UsageError.code())
}

/// The file that stands where a command is expected.
fn forgotten_command(error: &clap::Error) -> Option<String> {
    let word = error.get(ContextKind::InvalidSubcommand)?.to_string();
    Path::new(&word).is_file().then_some(word)
}

/// Flags that do not fit together.
fn wrong_flags(telling: Option<&Telling>, why: String) -> ! {
    let error = Error::Usage(why);
    match telling {
        Some(telling) => telling.no_answer(Ending::UsageError, &error_text(&error), &error.reason()),
        None => colour::say(&error_text(&error)),
    }
    std::process::exit(Ending::UsageError.code())
}

/// Prints what was asked for. Where that can't be done the command failed; a reader who has gone away has seen enough.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Some(error) = printed.err().filter(|error| error.kind() != std::io::ErrorKind::BrokenPipe) {
        colour::say(&format!("error: standard output can't be written to: {error}"));
        std::process::exit(Ending::OtherUnknown.code())
    }
}

fn show(text: &str) -> ! {
    print(text);
    std::process::exit(Ending::Proved.code())
}

fn serve_editor() -> ! {
    match std::env::current_exe().and_then(fathom_lsp::serve) {
        Ok(code) => std::process::exit(code),
        Err(error) => {
            colour::say(&format!("error: the language server can't start: {error}"));
            std::process::exit(Ending::InternalError.code())
        }
    }
}

/// Prints a harness, or writes it to a file that is not there yet: an edited one is not overwritten.
fn print_harness(args: &HarnessArgs, around: &Surroundings<'_>) -> ! {
    let written = || {
        let directory = tempfile::tempdir().map_err(|error| Error::Usage(format!("no temporary directory can be made: {error}")))?;
        let mut input = configuration::input(&args.input).map_err(Error::Usage)?;
        around.settle(&mut input, directory.path())?;
        let text = fathom_driver::harness(&input)?;
        let Some(out) = &args.out else { return Ok(text) };
        if out.exists() {
            return Err(Error::Usage(format!("--out {}: the file exists; it is not overwritten", out.display())));
        }
        fathom_driver::write_whole(out, text).map_err(Error::Usage)?;
        Ok(format!("Wrote {}. Edit it, then: fathom verify {}\n", out.display(), out.display()))
    };
    match written() {
        Ok(text) => show(&text),
        Err(error) => {
            colour::say(&error_text(&error));
            std::process::exit(Ending::from(&error).code())
        }
    }
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
            colour::say(&error_text(&error));
            std::process::exit(Ending::from(&error).code())
        }
    }
}

fn verify(
    args: &VerifyArgs,
    telling: &Telling,
    config: &VerifyConfig,
    around: &Surroundings<'_>,
    warnings: &[String],
    Beginning { start, wish }: Beginning,
) -> ! {
    let limits = Limits { start, time: config.timeout, memory: config.memory };
    let may_retry = fathom_driver::with_other_solver(config, 0).is_some();
    let mut display = ProgressLine::new(wish, start, Some(config.timeout));
    let ended = supervised(limits, may_retry, &mut display, |leash, crash| {
        let again = crash.and_then(|crash| fathom_driver::with_other_solver(config, crash.signal));
        let (mut config, note) = again.map_or((config.clone(), None), |(config, note)| (config, Some(note)));
        let notes = note.into_iter().chain(warnings.iter().cloned()).collect();
        work(telling, start, leash, notes, |session| {
            around.settle(&mut config.input, &std::env::temp_dir())?;
            let verified = match &args.witness {
                None => fathom_driver::verify(&config, session)?,
                Some(witness) => fathom_driver::validate(&config, witness, session)?,
            };
            let ending = Ending::from(&verified);
            let tell = move || {
                verified.unwritten.iter().for_each(|why| colour::say(&format!("error: {why}")));
                telling.answer(&verified.report, &verified.remarks);
            };
            Ok((ending, tell))
        })
    });
    config.out.iter().for_each(|out| fathom_driver::remove_unfinished(out));
    fathom_driver::remove_parts(telling.files().chain(&config.tree).chain(&config.witness_out));
    finish(telling, &ended)
}

fn test(telling: &Telling, config: &TestConfig, around: &Surroundings<'_>, Beginning { start, wish }: Beginning) -> ! {
    let limits = Limits { start, time: config.common.timeout, memory: config.common.memory };
    let mut display = ProgressLine::new(wish, start, Some(config.common.timeout));
    let ended = supervised(limits, false, &mut display, |leash, _| {
        work(telling, start, leash, Vec::new(), |session| {
            let mut config = config.clone();
            around.settle(&mut config.common.input, &std::env::temp_dir())?;
            let suite = fathom_driver::test(&config, session)?;
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

fn replay(telling: &Telling, config: &ReplayConfig, around: &Surroundings<'_>, Beginning { start, wish }: Beginning) -> ! {
    let limits = Limits { start, time: REPLAY_OVERHEAD + config.timeout, memory: u64::MAX };
    let mut display = ProgressLine::new(wish, start, None);
    let ended = supervised(limits, false, &mut display, |leash, _| {
        work(telling, start, leash, Vec::new(), |session| {
            let mut config = config.clone();
            around.settle(&mut config.input, &std::env::temp_dir())?;
            let replayed = fathom_driver::replay(&config, session)?;
            Ok((Ending::from(&replayed.told), move || telling.print(&replayed.text, &replayed.told.to_string())))
        })
    });
    finish(telling, &ended)
}
