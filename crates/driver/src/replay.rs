//! Replay: one test on the compiled program, under sanitizers. The run is reported as it was, whichever tool made the test.

use crate::compile_commands;
use crate::config::ReplayConfig;
use crate::error::Error;
use crate::load::{self, Purpose};
use crate::session::Session;
use crate::stack::on_large_stack;
use fathom_base::Budget;
use fathom_machine::SeedInputs;
use fathom_native::{Bench, BenchKind, NativeSetup, RunLimits, RunOutcome, TestRun, is_of_unseen_code};
use fathom_suite::testcomp::program_hash;
use fathom_suite::{Input, Readable, driver, read_test};
use fathom_term::TermStore;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Time for everything but the run itself.
pub const REPLAY_OVERHEAD: Duration = Duration::from_secs(120);
const INPUTS_SHOWN: usize = 100;

/// What a test did to the program.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What there is to say of the test and the run, for people.
    pub text: String,
    /// How the run ended.
    pub told: RunOutcome,
}

/// Compiles the program, runs it on the test and says what happens.
pub fn replay(config: &ReplayConfig, session: &Session) -> Result<Replayed, Error> {
    on_large_stack(|| run(config, session))
}

/// The inputs of a test, for [`ExploreOptions::start_with`](crate::ExploreOptions::start_with).
pub fn inputs_of_test(path: &Path) -> Result<SeedInputs, Error> {
    match read_test(path, 64).map_err(|error| Error::bad_file(error.to_string()))? {
        Readable::Inputs { inputs, .. } => Ok(inputs.into_iter().map(|input| (input.source, input.bytes)).collect()),
        Readable::Driver(_) => Err(Error::bad_file("a C driver can only be run; the same test as .xml or .ktest will do".into())),
    }
}

fn run(config: &ReplayConfig, session: &Session) -> Result<Replayed, Error> {
    let pointer_bits = config.input.pointer_bits();
    let test = read_test(&config.test, pointer_bits).map_err(|error| Error::bad_file(error.to_string()))?;
    let sources = compile_commands::sources(&config.input).map_err(Error::bad_file)?;
    if let Some(missing) = sources.files.iter().find(|file| !file.exists()) {
        return Err(Error::bad_file(format!("{}: no such file", missing.display())));
    }
    let entry = config.input.entry.clone().unwrap_or_else(|| "main".into());
    let mut setup = load::native_setup(&config.input, &sources, &entry, pointer_bits);
    let needs_parts = matches!(&test, Readable::Inputs { inputs, .. } if inputs.iter().any(|input| is_of_unseen_code(&input.source)));
    if entry != "main" || needs_parts || config.input.malloc_may_fail {
        // Only the front end knows what the function's arguments are, and which functions have no body.
        setup.parts = load::load_c(
            &config.input,
            &sources,
            &entry,
            Purpose { for_tests: false, checks: &BTreeSet::new() },
            Rc::new(TermStore::new()),
        )?
        .native;
    }
    let budget = Budget::new(Some(REPLAY_OVERHEAD + config.timeout), None, session.cancelled.clone());
    let limits = RunLimits { time: config.timeout, memory_bytes: config.memory };
    let kind = BenchKind::Sanitizers { leaks: config.leaks };
    let mut text = String::new();
    let (given, bench) = match &test {
        Readable::Inputs { inputs, promise, form } => {
            let _ = writeln!(text, "{} is {form} with {} inputs.", config.test.display(), inputs.len());
            if let Some(promise) = promise {
                let _ = writeln!(text, "It promises: {promise}.");
            }
            inputs_text(&mut text, inputs);
            let given = inputs.iter().map(|input| fathom_native::Given { source: input.source.clone(), bytes: input.bytes.clone() });
            (given.collect(), Bench::build(&setup, kind, limits, &budget))
        }
        Readable::Driver(c) => {
            let _ = writeln!(text, "{} is a C driver.", config.test.display());
            let c = with_shared(c, &config.test, &setup);
            (Vec::new(), Bench::build_with(&setup, &c, kind, limits, &budget))
        }
    };
    let bench = bench.map_err(|why| Error::bad_file(format!("the program can't be built for a replay: {why}")))?;
    let run = bench.run(&given, &budget).map_err(|why| Error::Failed { reason: why.clone(), message: why })?;
    let _ = write!(text, "{}", run_text(&run));
    if let Some(note) = other_program(&config.test, &setup.files) {
        let _ = writeln!(text, "{note}");
    }
    session.listener.answering();
    Ok(Replayed { text, told: run.told })
}

fn inputs_text(text: &mut String, inputs: &[Input]) {
    for (index, input) in inputs.iter().take(INPUTS_SHOWN).enumerate() {
        let name = [&input.source, &input.variable, &input.type_name].into_iter().find(|name| !name.is_empty());
        let _ = writeln!(text, "  {}. {} = {}", index + 1, name.map_or("input", String::as_str), input.value());
    }
    if inputs.len() > INPUTS_SHOWN {
        let _ = writeln!(text, "  ... and {} more", inputs.len() - INPUTS_SHOWN);
    }
}

fn run_text(run: &TestRun) -> String {
    const LINES: usize = 40;
    let lines: Vec<&str> = run.stderr.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut text = String::from("The program said on standard error:\n");
    lines.iter().take(LINES).for_each(|line| text += &format!("  {line}\n"));
    if lines.len() > LINES {
        text += &format!("  ... and {} more lines\n", lines.len() - LINES);
    }
    text
}

/// The driver of a suite includes a file beside it; it is compiled elsewhere, so the file's text goes in.
fn with_shared(c: &str, path: &Path, setup: &NativeSetup) -> String {
    let include = format!("#include \"{}\"\n", driver::SHARED);
    if !c.contains(&include) {
        return c.to_string();
    }
    let beside = path.parent().map(|directory| directory.join(driver::SHARED));
    let shared = beside.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_else(|| driver::shared(setup));
    c.replace(&include, &format!("{shared}\n"))
}

/// A warning if the suite that the test belongs to was made for another program.
fn other_program(test: &Path, files: &[std::path::PathBuf]) -> Option<String> {
    let text = std::fs::read_to_string(test.parent()?.join("metadata.xml")).ok()?;
    let (_, rest) = text.split_once("<programhash>")?;
    let (hash, _) = rest.split_once("</programhash>")?;
    (hash.len() == 64 && hash != program_hash(files))
        .then(|| "The suite was made for another program, or this one has changed since.".to_string())
}
