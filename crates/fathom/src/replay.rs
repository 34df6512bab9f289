//! `fathom replay`: one test on the compiled program, under sanitizers. Whoever made the test, the run is told as it was.

use crate::args::ReplayArgs;
use crate::compile_commands;
use crate::ending::{Ending, print_last};
use crate::supervise::Leash;
use crate::verify::{self, Failure, Purpose};
use fathom_base::Budget;
use fathom_certify::NativeSetup;
use fathom_certify::native::{is_of_unseen_code, Bench, BenchKind, RunLimits, TestRun, Told};
use fathom_suite::testcomp::program_hash;
use fathom_suite::{Input, Readable, driver, read_test};
use fathom_term::TermStore;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

pub const LABEL: &str = "REPLAY";
/// Time for everything but the run itself.
pub const LONGEST: Duration = Duration::from_secs(120);
const INPUTS_SHOWN: usize = 100;

/// Runs and ends the process.
pub fn replay(arguments: &ReplayArgs, leash: &Leash) {
    match run(arguments, leash) {
        Ok((text, line, ending)) => {
            leash.about_to_answer();
            print_last(LABEL, &text, &line);
            leash.end(ending)
        }
        Err(failure) => verify::fail(LABEL, &failure, leash),
    }
}

fn run(arguments: &ReplayArgs, leash: &Leash) -> Result<(String, String, Ending), Failure> {
    let pointer_bits = if arguments.input.model_32 { 32 } else { 64 };
    let test = read_test(&arguments.test, pointer_bits).map_err(|error| Failure::bad_file(error.to_string()))?;
    let sources = compile_commands::sources(&arguments.input).map_err(Failure::bad_file)?;
    if let Some(missing) = sources.files.iter().find(|file| !file.exists()) {
        return Err(Failure::bad_file(format!("{}: no such file", missing.display())));
    }
    let entry = arguments.input.entry.clone().unwrap_or_else(|| "main".into());
    let mut setup = verify::native_setup(&arguments.input, &sources, &entry, pointer_bits);
    let needs_parts = matches!(&test, Readable::Inputs { inputs, .. } if inputs.iter().any(|input| is_of_unseen_code(&input.source)));
    if entry != "main" || needs_parts || arguments.input.environment.malloc_may_fail {
        // Only the front end knows what the function's arguments are, and which functions have no body.
        setup.parts = verify::load(&arguments.input, &sources, &entry, Purpose { for_tests: false, checks: &BTreeSet::new() }, Rc::new(TermStore::new()))?.native;
    }
    let budget = Budget::new(Some(LONGEST + arguments.timeout), None, leash.cancelled.clone());
    let limits = RunLimits { time: arguments.timeout, memory_bytes: arguments.memory };
    let kind = BenchKind::Sanitizers { leaks: arguments.leaks };
    let mut text = String::new();
    let (given, bench) = match &test {
        Readable::Inputs { inputs, promise, form } => {
            let _ = writeln!(text, "{} is {form} with {} inputs.", arguments.test.display(), inputs.len());
            if let Some(promise) = promise {
                let _ = writeln!(text, "It promises: {promise}.");
            }
            inputs_text(&mut text, inputs);
            let given = inputs.iter().map(|input| fathom_certify::native::Given { source: input.source.clone(), bytes: input.bytes.clone() });
            (given.collect(), Bench::build(&setup, kind, limits, &budget))
        }
        Readable::Driver(c) => {
            let _ = writeln!(text, "{} is a C driver.", arguments.test.display());
            let c = with_shared(c, &arguments.test, &setup);
            (Vec::new(), Bench::build_with(&setup, &c, kind, limits, &budget))
        }
    };
    let bench = bench.map_err(|why| Failure::bad_file(format!("the program can't be built for a replay: {why}")))?;
    let run = bench.run(&given, &budget).map_err(|why| Failure { ending: Ending::OtherUnknown, reason: why.clone(), message: why })?;
    let _ = write!(text, "{}", run_text(&run));
    if let Some(note) = other_program(&arguments.test, &setup.files) {
        let _ = writeln!(text, "{note}");
    }
    Ok((text, run.told.to_string(), ending(&run.told)))
}

fn ending(told: &Told) -> Ending {
    match told {
        Told::Error(_) => Ending::Violated,
        Told::Ended { .. } | Told::Aborted | Told::AsksForMore(_) => Ending::Proved,
        Told::OtherFunction(_) | Told::UnusedInputs | Told::BrokenAssumption(_) => Ending::OtherProgram,
        Told::MissingFunction(_) => Ending::OtherUnknown,
        Told::Limit("memory") => Ending::OutOfMemory,
        Told::Limit(_) => Ending::Timeout,
    }
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

/// A suite says which program it is for.
fn other_program(test: &Path, files: &[std::path::PathBuf]) -> Option<String> {
    let text = std::fs::read_to_string(test.parent()?.join("metadata.xml")).ok()?;
    let (_, rest) = text.split_once("<programhash>")?;
    let (hash, _) = rest.split_once("</programhash>")?;
    (hash.len() == 64 && hash != program_hash(files)).then(|| "The suite was made for another program, or this one has changed since.".to_string())
}
