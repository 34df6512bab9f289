//! `fathom plan`, `fathom run` and `fathom merge`: from their flags to configurations, and the printing of their
//! results.

use crate::args::{Cli, Command, VerifyArgs};
use crate::colour;
use crate::command_line::CommandLine;
use crate::distribute_args::{MergeArgs, PerArg, PlanArgs, RunArgs, SplitArgs};
use crate::ending::Ending;
use crate::progress::ProgressLine;
use crate::running::{error_text, finish, work};
use crate::telling::Telling;
use crate::{Beginning, wrong_flags};
use clap::Parser;
use fathom_driver::supervise::{Limits, supervised};
use fathom_driver::{InputConfig, Merged, Per, PlanConfig, Planned, Ran, RunConfig, SplitConfig};
use std::ffi::OsString;
use std::time::Duration;

/// What the last lines of the commands begin with.
const PLAN: &str = "PLAN";
const RUN: &str = "RUN";
const SPLIT: &str = "SPLIT";
const MERGE: &str = "MERGE";

/// The limits are those of the tasks.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// Plans, tells and ends.
pub fn plan(args: &PlanArgs, Beginning { start, wish }: Beginning) -> ! {
    let telling = Telling::plain(PLAN);
    let config = config(args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
    let mut display = ProgressLine::new(wish, start, None);
    let ended = supervised(Limits { start, time: FOR_EVER, memory: u64::MAX }, false, &mut display, |leash, _| {
        work(&telling, start, leash, Vec::new(), |session| {
            let Planned { plan, written } = fathom_driver::plan(&config, session)?;
            let telling = &telling;
            Ok((Ending::Proved, move || {
                plan.left_out.iter().for_each(|left| colour::say(&format!("warning: {}: not planned: {}", left.name, left.why)));
                let body: String = written.iter().map(|path| format!("{}\n", path.display())).collect();
                let missing = match plan.left_out.len() {
                    0 => String::new(),
                    count => format!(", {count} not planned"),
                };
                telling.print(&body, &format!("{} tasks{missing}", plan.tasks.len()));
            }))
        })
    });
    finish(&telling, &ended)
}

fn config(args: &PlanArgs) -> Result<PlanConfig, String> {
    check_options(args)?;
    let input = InputConfig {
        compile_commands: args.build.compile_commands.clone(),
        target_files: args.build.target_files.clone(),
        target: args.build.target.clone(),
        entry: args.entry.clone(),
        model: args.model.chosen(),
        clang_args: args.clang_args.clone(),
        ..InputConfig::new(&args.files)
    };
    if args.entry.is_some() && args.per == PerArg::Function {
        return Err("--entry and --per function: name one function, or plan all".into());
    }
    Ok(PlanConfig {
        input,
        per: match args.per {
            PerArg::File => Per::File,
            PerArg::Function => Per::Function,
            PerArg::Program => Per::Program,
        },
        properties: args.properties.clone(),
        alarms: args.alarms.clone(),
        split_properties: args.split_properties,
        split_loops: args.split_loops,
        engines: args.engines.clone(),
        bounds: args.bounds.iter().map(|bound| bound.0).collect(),
        timeout: args.timeout,
        memory: args.memory,
        options: args.options.clone(),
        out: args.out.clone(),
        jobs: args.format.clone(),
    })
}

/// Flags for tasks must be flags of `fathom verify` that neither name files, which workers do not have, nor say what the plan says.
fn check_options(PlanArgs { options, bounds, .. }: &PlanArgs) -> Result<(), String> {
    let words = ["fathom", "verify", "program.c"].map(OsString::from).into_iter().chain(options.iter().map(OsString::from));
    let line = CommandLine::read(words.collect())?;
    if let Some(flag) = line.clang.first() {
        return Err(format!("{flag}: flags for clang stand in front of --"));
    }
    let Cli { command: Command::Verify(args), .. } = Cli::try_parse_from(line.words).map_err(|error| {
        let text = error.to_string();
        format!("behind --, for `fathom verify`: {}", text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })?
    else {
        return Err("behind -- there are flags of `fathom verify`".into());
    };
    let (unwinding, induction) = (&args.unwinding, &args.induction);
    let is_bounded = unwinding.unwind.is_some() || unwinding.unwinding.is_some() || induction.first_k.or(induction.max_k).is_some();
    if !bounds.is_empty() && is_bounded {
        return Err("--unwind, --unwinding, --first-k or --max-k can't stand behind --: --bound says it for each task".into());
    }
    match misplaced(&args) {
        None => Ok(()),
        Some(flag) => Err(format!("{flag} can't stand behind --: a task has its files, limits and question from the plan, and one report")),
    }
}

fn misplaced(args: &VerifyArgs) -> Option<&'static str> {
    let usual = |set: bool, flag| (!set).then_some(flag);
    let VerifyArgs { input, .. } = args;
    [
        usual(input.files.len() == 1, "a file"),
        usual(input.build.compile_commands.is_none(), "--compile-commands"),
        usual(input.config.is_none(), "--config"),
        usual(input.entry.is_none(), "--entry"),
        usual(!input.model.model_32 && !input.model.model_64, "--32 or --64"),
        usual(args.properties.is_empty(), "--property"),
        usual(args.engine == fathom_driver::AUTO, "--engine"),
        usual(args.portfolio.is_none(), "--portfolio"),
        usual(args.timeout == Duration::from_secs(60), "--timeout"),
        usual(args.memory == 4 << 30, "--memory"),
        usual(!args.json && args.format.is_empty(), "--json or --format"),
        usual(args.witness_out.is_empty(), "--witness-out"),
        usual(args.witness.is_none(), "--witness"),
        usual(args.tree.is_none(), "--tree"),
        usual(args.out.is_none(), "--out"),
        usual(args.dump_queries.is_none(), "--dump-queries"),
        usual(args.share.is_none(), "--share"),
        usual(args.facts.is_none(), "--facts"),
        usual(args.cores.is_none(), "--cores"),
        usual(args.share_of_checks.is_none(), "--share-of-checks"),
        usual(args.explore.start_with.is_none(), "--start-with"),
    ]
    .into_iter()
    .flatten()
    .next()
}

/// Does a task, tells and ends.
pub fn run(args: &RunArgs, Beginning { start, wish }: Beginning) -> ! {
    let telling = Telling::plain(RUN);
    let fathom = std::env::current_exe().unwrap_or_else(|why| wrong_flags(Some(&telling), format!("Fathom can't find itself: {why}")));
    let RunArgs { plan, task, results, facts, cores } = args.clone();
    let config = RunConfig { plan, task, results, facts, cores, fathom };
    let mut display = ProgressLine::new(wish, start, None);
    let ended = supervised(Limits { start, time: FOR_EVER, memory: u64::MAX }, false, &mut display, |leash, _| {
        work(&telling, start, leash, Vec::new(), |session| {
            let ran = fathom_driver::run_task(&config, session)?;
            let telling = &telling;
            Ok((ending_of(&ran), move || tell(telling, &ran)))
        })
    });
    finish(&telling, &ended)
}

fn ending_of(ran: &Ran) -> Ending {
    match ran {
        Ran::Finished { handed_on: 0, .. } => Ending::Proved,
        Ran::Finished { .. } => Ending::Split,
        Ran::Retry { .. } => Ending::Retry,
        Ran::Interrupted => Ending::Interrupted,
    }
}

fn tell(telling: &Telling, ran: &Ran) {
    match ran {
        Ran::Finished { name, verdict, path, was_done, handed_on } => {
            let done = if *was_done { " (done before)" } else { "" };
            let how = match handed_on {
                0 => format!("finished: {verdict}"),
                parts => format!("split: {parts} parts handed on"),
            };
            telling.print(&format!("{name}\n{}{done}\n", path.display()), &how);
        }
        Ran::Retry { why } => {
            colour::say(&format!("error: {why}"));
            telling.print("", &format!("retry: {why}"));
        }
        Ran::Interrupted => telling.print("", "interrupted"),
    }
}

/// Asks for parts, tells and ends.
pub fn split(args: &SplitArgs) -> ! {
    let telling = Telling::plain(SPLIT);
    let config = SplitConfig { plan: args.plan.clone(), task: args.task.clone(), parts: args.parts as usize };
    match fathom_driver::split(&config) {
        Ok(asked) => {
            let body: String = asked.iter().map(|name| format!("{name}\n")).collect();
            telling.print(&body, &format!("{} tasks were asked for {} parts each", asked.len(), config.parts));
            std::process::exit(if asked.is_empty() { Ending::OtherUnknown } else { Ending::Proved }.code())
        }
        Err(error) => {
            telling.error(&error, &error_text(&error));
            std::process::exit(Ending::from(&error).code())
        }
    }
}

/// Puts results together, tells and ends.
pub fn merge(args: &MergeArgs) -> ! {
    let telling = Telling::plain(MERGE);
    match fathom_driver::merge(&args.plan, &args.results) {
        Ok(merged) => {
            let ending = ending(&merged);
            match args.json {
                true => telling.print_document(&merged.to_json(), &merged.summary()),
                false => telling.print(&merged.to_text(), &merged.summary()),
            }
            std::process::exit(ending.code())
        }
        Err(error) => {
            telling.error(&error, &error_text(&error));
            std::process::exit(Ending::from(&error).code())
        }
    }
}

fn ending(merged: &Merged) -> Ending {
    match () {
        () if !merged.contradictions.is_empty() => Ending::InternalError,
        () if merged.count("false") > 0 => Ending::Violated,
        () if merged.count("unknown") > 0 || !merged.left_out.is_empty() => Ending::OtherUnknown,
        () if merged.count("true within bounds") > 0 => Ending::ProvedWithinBounds,
        () => Ending::Proved,
    }
}
