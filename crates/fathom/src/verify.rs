//! `fathom verify`: the way of a program from its files to a verdict.

use crate::args::{InputArgs, VerifyArgs};
use crate::ending::{Ending, print_verdict};
use crate::engines;
use crate::output::OutDir;
use crate::portfolio;
use crate::progress::ProgressLine;
use crate::properties::{self, Wanted};
use crate::solvers::Solvers;
use crate::supervise::Leash;
use fathom_base::Budget;
use fathom_certify::{Certified, NativeMode, NativeSetup};
use fathom_engine::{Cx, Engine, Outcome, Reason, Task, Verdict};
use fathom_frontend_llvm::{DataModel, FrontendError, Loaded, Options};
use fathom_ir::{Program, Property};
use fathom_report::{Described, RunInfo, describe, render_json, render_text};
use fathom_term::{Sort, TermStore};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

/// Something that ends the run before an engine starts.
pub struct Failure {
    pub ending: Ending,
    /// For standard error.
    pub message: String,
    /// For the verdict line.
    pub reason: String,
}

impl Failure {
    fn usage(message: String) -> Self {
        Self { ending: Ending::UsageError, reason: format!("usage error: {}", first_line(&message)), message }
    }

    pub fn input(error: &FrontendError) -> Self {
        let message = error.to_string();
        let reason = match error {
            FrontendError::CompileError { path, .. } => format!("{} does not compile", path.display()),
            _ => first_line(&message),
        };
        Self { ending: Ending::InputError, reason: format!("input error: {reason}"), message }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end_matches(':').to_string()
}

/// A program that is ready for engines, and everything that the flags say about how it is to be decided.
pub struct Prepared<'a> {
    pub arguments: &'a VerifyArgs,
    pub start: Instant,
    pub budget: Budget,
    entry: String,
    program: Rc<Program>,
    properties: BTreeSet<Property>,
    solvers: Solvers,
    warnings: Vec<String>,
    out: Option<OutDir>,
}

/// What one engine found, checked again.
pub struct Answer {
    pub certified: Certified,
    pub ending: Ending,
    engine: &'static str,
}

/// Runs and ends the process.
pub fn verify(arguments: &VerifyArgs, start: Instant, leash: &Leash) {
    let decided = engines::chosen(arguments).map_err(Failure::usage).and_then(|engines| {
        let prepared = prepare(arguments, start, leash)?;
        match engines.as_slice() {
            [engine] => {
                let answer = prepared.decide(engine.as_ref(), &ProgressLine::new());
                prepared.tell(&answer, &[], leash)
            }
            _ => portfolio::run(&prepared, &engines, leash),
        }
    });
    let Err(failure) = decided;
    leash.about_to_answer();
    eprintln!("error: {}", failure.message.trim_end());
    print_verdict("", &format!("unknown({})", failure.reason));
    leash.end(failure.ending)
}

fn prepare<'a>(arguments: &'a VerifyArgs, start: Instant, leash: &Leash) -> Result<Prepared<'a>, Failure> {
    let checks: Vec<_> = arguments.checks.iter().map(|check| check.property()).collect();
    let Wanted { properties, entry } = properties::wanted(&arguments.properties, &checks).map_err(Failure::usage)?;
    let out = arguments.out.as_deref().map(|path| OutDir::prepare("--out", path)).transpose().map_err(Failure::usage)?;
    let time = arguments.timeout.saturating_sub(start.elapsed());
    let budget = Budget::new(Some(time), Some(arguments.memory), leash.cancelled.clone());
    let store = Rc::new(TermStore::new());
    let solvers = Solvers::new(arguments, store.clone()).map_err(Failure::usage)?;
    let progress = ProgressLine::new();
    progress.say("reading the program");
    let entry = arguments.input.entry.clone().or(entry).unwrap_or_else(|| "main".into());
    let Loaded { program, warnings } = load(&arguments.input, &entry, store)?;
    let program = Rc::new(fathom_passes::prepare(program, &properties));
    progress.clear();
    Ok(Prepared { arguments, start, budget, entry, program, properties, solvers, warnings, out })
}

impl Prepared<'_> {
    pub fn decide(&self, engine: &dyn Engine, progress: &ProgressLine) -> Answer {
        let task = Task { program: self.program.clone(), properties: self.properties.clone() };
        let make = || self.solvers.make();
        let cx = Cx { budget: self.budget.clone(), backend: &make, progress, seed: self.arguments.seed };
        let mut outcome = attribute(engine.run(&task, &cx), &self.budget);
        self.solvers.approximation().into_iter().for_each(|what| outcome.ledger.note(what));
        progress.say("checking the answer again");
        let setup = self.native_setup();
        let mode = match self.arguments.no_native {
            true => NativeMode::Skip("switched off by --no-native".into()),
            false => NativeMode::Run(&setup),
        };
        let certified = fathom_certify::check(outcome, &self.program, &self.properties, &mode, &self.budget);
        progress.clear();
        Answer { ending: Ending::of(&certified.outcome), certified, engine: engine.name() }
    }

    /// Says the answer, with notes beside it, and ends the process.
    pub fn tell(&self, answer: &Answer, notes: &[String], leash: &Leash) -> ! {
        let Certified { outcome, replays, certificates, .. } = &answer.certified;
        let warnings = self.warnings.iter().cloned().chain(self.solvers.log_note()).chain(notes.iter().cloned()).collect();
        let run = self.run_info(answer.engine);
        let report = describe(Described { run, outcome, files: &self.program.files, replays, certificates, warnings });
        let mut text = if self.arguments.json { render_json(&report) } else { render_text(&report, self.arguments.stats) };
        leash.about_to_answer();
        if let Some(out) = &self.out
            && let Err(why) = out.save(&report, replays, Some(&self.native_setup()))
        {
            eprintln!("error: {why}");
            text += "The report could not be written.\n";
        }
        print_verdict(&text, &report.verdict);
        leash.end(answer.ending)
    }

    fn run_info(&self, engine: &str) -> RunInfo {
        RunInfo {
            tool: "fathom".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            files: self.arguments.input.files.iter().map(|file| file.display().to_string()).collect(),
            entry: self.entry.clone(),
            data_model: if self.program.layout.pointer_bits == 32 { "ILP32".into() } else { "LP64".into() },
            engine: engine.into(),
            solver: self.solvers.describe(),
            seed: self.arguments.seed,
            seconds: self.start.elapsed().as_secs_f64(),
        }
    }

    fn native_setup(&self) -> NativeSetup {
        let mut setup = native_setup(&self.arguments.input, &self.entry, self.program.layout.pointer_bits);
        // A program that changes the rounding mode was read like this, too: constants are left to the run.
        if self.program.globals.iter().any(|variable| variable.sort == Sort::RoundingMode) {
            setup.clang_args.push("-frounding-math".into());
        }
        setup
    }
}

/// A solver that was cut short because the whole run was is not the reason; the limit of the run is.
fn attribute(mut outcome: Outcome, budget: &Budget) -> Outcome {
    if let Some(stop) = budget.exhausted() {
        for verdict in outcome.verdicts.values_mut() {
            if matches!(verdict, Verdict::Unknown(Reason::Solver(_))) {
                *verdict = Verdict::Unknown(Reason::Stopped(stop));
            }
        }
    }
    outcome
}

fn load(input: &InputArgs, entry: &str, store: Rc<TermStore>) -> Result<Loaded, Failure> {
    let options = Options {
        model: if input.model_32 { DataModel::Ilp32 } else { DataModel::Lp64 },
        clang_args: input.clang_args.clone(),
        entry: entry.to_string(),
        volatile_arbitrary: input.volatile_arbitrary,
    };
    fathom_frontend_llvm::load(&input.files, &options, store).map_err(|error| Failure::input(&error))
}

/// `fathom ir`: the text, or what is wrong.
pub fn ir_text(input: &InputArgs) -> Result<String, Failure> {
    let entry = input.entry.clone().unwrap_or_else(|| "main".into());
    let Loaded { program, .. } = load(input, &entry, Rc::new(TermStore::new()))?;
    Ok(fathom_ir::print_program(&program))
}

fn native_setup(input: &InputArgs, entry: &str, pointer_bits: u32) -> NativeSetup {
    let files = input.files.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())).collect();
    NativeSetup::new(PathBuf::from("clang-19"), files, input.clang_args.clone(), pointer_bits, entry.to_string())
}
