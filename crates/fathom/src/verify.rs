//! `fathom verify`: the way of a program from its files to a verdict.

use crate::args::{ExploreArgs, InputArgs, IrArgs, Optimisation, VerifyArgs};
use crate::boogie::{self, EveryAxiom, LoadedBoogie};
use crate::compile_commands::{self, Sources};
use crate::ending::{Ending, print_last, print_verdict};
use crate::engines;
use crate::environment;
use crate::output::OutDir;
use crate::portfolio::{self, Beside};
use crate::progress::ProgressLine;
use crate::properties::{self, Wanted};
use crate::same_names::told_apart;
use crate::solvers::Solvers;
use crate::supervise::Leash;
use fathom_base::{Budget, NativeParts, SourceFiles};
use fathom_certify::{Certified, NativeMode, NativeSetup};
use fathom_engine::{Cx, Engine, Ledger, Outcome, Reason, Statistics, Task, TreeNote, Verdict};
use fathom_frontend_boogie::lower::LowerOptions;
use fathom_frontend_llvm::{Counter, DataModel, FrontendError, Loaded, Options};
use fathom_ir::{Program, Property};
use fathom_report::{Described, RunInfo, describe, render_json, render_text, tree_dot, tree_html};
use fathom_term::{Rules, Sort, TermStore};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Something that ends the run before an engine starts.
pub struct Failure {
    pub ending: Ending,
    /// For standard error.
    pub message: String,
    /// For the verdict line.
    pub reason: String,
}

impl Failure {
    pub fn usage(message: String) -> Self {
        Self { ending: Ending::UsageError, reason: format!("usage error: {}", first_line(&message)), message }
    }

    /// A file that is not what it should be.
    pub fn bad_file(message: String) -> Self {
        Self { ending: Ending::InputError, reason: format!("input error: {}", first_line(&message)), message }
    }

    pub fn input(error: &FrontendError) -> Self {
        let message = error.to_string();
        if let FrontendError::UnsupportedCpp { what, location, .. } = error {
            return Self { ending: Ending::Unsupported, reason: format!("unsupported {what} at {location}"), message };
        }
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
    pub entry: String,
    pub program: Rc<Program>,
    /// The program with calls replaced by contracts.
    by_contracts: Option<Rc<Program>>,
    /// Axioms, where some were left out of the program.
    every_axiom: Option<EveryAxiom>,
    pub properties: BTreeSet<Property>,
    pub out: Option<OutDir>,
    pub warnings: Vec<String>,
    sources: Sources,
    solvers: Solvers,
    /// Whether there is a native form of the program.
    pub compiled: bool,
    /// The program with every check, where properties are decided one by one.
    unselected: Option<Program>,
    /// Where the compiled program's profile counts, if that was asked for.
    pub counters: Vec<Counter>,
    /// What the front end knows for native runs.
    native: NativeParts,
}

/// Time for the second look where quantifiers and integers may keep another solver busy for ever.
const UNBOUNDED_RECHECK: Duration = Duration::from_secs(6);
/// Time to see that axioms contradict each other.
const AXIOM_TIME: Duration = Duration::from_secs(2);

/// The solver for programs of bits and bytes.
pub const C_SOLVER: &str = "bitwuzla";

/// What one engine found, checked again.
pub struct Answer {
    pub certified: Certified,
    pub ending: Ending,
    engine: &'static str,
}

/// Runs and ends the process. `note` is what to say before everything else.
pub fn verify(arguments: &VerifyArgs, note: Option<String>, start: Instant, leash: &Leash) {
    let decided = engines::chosen(arguments).map_err(Failure::usage).and_then(|engines| {
        let mut prepared = prepare(arguments, start, leash)?;
        prepared.warnings.splice(0..0, note);
        match engines.as_slice() {
            [engine] => {
                let answer = prepared.decide(engine.as_ref(), &ProgressLine::new());
                prepared.tell(&answer, Beside::default(), leash)
            }
            _ => portfolio::run(&prepared, &engines, leash),
        }
    });
    let Err(failure) = decided;
    fail("VERDICT", &failure, leash)
}

/// Says what is wrong and ends the process.
pub fn fail(label: &str, failure: &Failure, leash: &Leash) -> ! {
    leash.about_to_answer();
    eprintln!("error: {}", failure.message.trim_end());
    print_last(label, "", &format!("unknown({})", failure.reason));
    leash.end(failure.ending)
}

pub fn prepare<'a>(arguments: &'a VerifyArgs, start: Instant, leash: &Leash) -> Result<Prepared<'a>, Failure> {
    prepare_with(arguments, false, start, leash)
}

/// With `for_tests` the program is compiled as the builds of tests are.
pub fn prepare_with<'a>(arguments: &'a VerifyArgs, for_tests: bool, start: Instant, leash: &Leash) -> Result<Prepared<'a>, Failure> {
    let Wanted { mut properties, entry, implied } = properties::wanted(&arguments.properties, &arguments.checks).map_err(Failure::usage)?;
    let out = arguments.out.as_deref().map(|path| OutDir::prepare("--out", path)).transpose().map_err(Failure::usage)?;
    let time = arguments.timeout.saturating_sub(start.elapsed());
    let budget = Budget::new(Some(time), Some(arguments.memory), leash.cancelled.clone());
    let store = Rc::new(TermStore::new());
    let effort = &arguments.explore;
    store.set_rules(Rules {
        simplify: effort.has(Optimisation::Simplification),
        maps_at_constants: effort.has(Optimisation::MapConstants),
        maps_at_offsets: effort.has(Optimisation::MapOffsets),
    });
    let progress = ProgressLine::new();
    progress.say("reading the program");
    let is_boogie = boogie::is_boogie(&arguments.input.files).map_err(Failure::usage)?;
    if !arguments.properties.is_empty() || !arguments.checks.is_empty() {
        properties::fit_language(&properties, is_boogie).map_err(Failure::usage)?;
    }
    if is_boogie {
        let properties = BTreeSet::from([Property::BoogieAssert]);
        let LoadedBoogie { program, by_contracts, entry, warnings, every_axiom } = boogie::load(&arguments.input, lowering(effort), store.clone())?;
        let solvers = Solvers::new(arguments, boogie::suitable_solver(&program), store).map_err(Failure::usage)?;
        solvers.literals_fit(&program).map_err(Failure::usage)?;
        progress.clear();
        let (program, by_contracts) = (Rc::new(solvers.restricted(program)), by_contracts.map(|program| Rc::new(solvers.restricted(program))));
        let sources = Sources { files: arguments.input.files.clone(), ..Sources::default() };
        let (counters, unselected, native) = (Vec::new(), None, NativeParts::default());
        let every_axiom = Some(every_axiom);
        return Ok(Prepared { arguments, start, budget, entry, program, by_contracts, every_axiom, properties, solvers, warnings, out, sources, compiled: false, unselected, counters, native });
    }
    let solvers = Solvers::new(arguments, C_SOLVER, store.clone()).map_err(Failure::usage)?;
    let entry = arguments.input.entry.clone().or(entry).unwrap_or_else(|| "main".into());
    let sources = compile_commands::sources(&arguments.input).map_err(Failure::bad_file)?;
    let Loaded { program, warnings, counters, mut native } = load(&arguments.input, &sources, &entry, Purpose { for_tests, checks: &properties }, store)?;
    properties.retain(|property| !implied.contains(property) || program.asserts(*property));
    let program = solvers.restricted(program);
    native.stand_ins.retain(|name, _| !fathom_passes::is_unmodelled(name));
    let unselected = arguments.each.then(|| program.clone());
    let program = Rc::new(fathom_passes::prepare(program, &properties, arguments.input.environment.undefined()));
    solvers.literals_fit(&program).map_err(Failure::usage)?;
    progress.clear();
    Ok(Prepared { arguments, start, budget, entry, program, by_contracts: None, every_axiom: None, properties, solvers, warnings, out, sources, compiled: true, unselected, counters, native })
}

/// What an engine is not asked: most follow one thread, and look for what goes wrong rather than for what never ends.
fn refused(engine: &dyn Engine, task: &Task) -> Option<Outcome> {
    if engine.follows_threads_and_cycles() {
        return None;
    }
    let what = match task.properties.contains(&Property::Termination) {
        true => "termination",
        false if task.program.uses_threads() => "threads",
        false => return None,
    };
    let (what, location) = (format!("{what} in the engine {}", engine.name()), "the whole program".to_string());
    let unknown = |&property: &Property| {
        (property, Verdict::Unknown(Reason::Unsupported { what: what.clone(), location: location.clone() }))
    };
    let verdicts = task.properties.iter().map(unknown).collect();
    Some(Outcome { verdicts, ledger: Ledger::default(), statistics: Statistics::default() })
}

fn lowering(effort: &ExploreArgs) -> LowerOptions {
    LowerOptions {
        remove_dead: effort.has(Optimisation::DeadDeclarations) && !effort.check_assumptions,
        number_unique: effort.has(Optimisation::UniqueNumbers),
    }
}

impl Prepared<'_> {
    /// What this engine says within this budget, unchecked.
    pub fn run(&self, engine: &dyn Engine, progress: &ProgressLine, budget: &Budget) -> Outcome {
        let task = Task { program: self.program.clone(), by_contracts: self.by_contracts.clone(), properties: self.properties.clone() };
        self.run_task(&task, engine, progress, budget)
    }

    fn run_task(&self, task: &Task, engine: &dyn Engine, progress: &ProgressLine, budget: &Budget) -> Outcome {
        let make = || self.solvers.make();
        let cx = Cx { budget: budget.clone(), backend: &make, progress, seed: self.arguments.seed };
        if let Some(outcome) = refused(engine, task) {
            return outcome;
        }
        let mut outcome = attribute(engine.run(task, &cx), budget);
        self.solvers.approximation().into_iter().for_each(|what| outcome.ledger.note(what));
        outcome
    }

    pub fn decide(&self, engine: &dyn Engine, progress: &ProgressLine) -> Answer {
        let certified = match self.arguments.each && self.properties.len() > 1 {
            true => self.decide_each(engine, progress),
            false => self.decide_together(engine, progress, &self.program, &self.properties, &self.budget),
        };
        Answer { ending: Ending::of(&certified.outcome), certified, engine: engine.name() }
    }

    /// One property after the other, each with the program as it is when nobody asked for the others.
    fn decide_each(&self, engine: &dyn Engine, progress: &ProgressLine) -> Certified {
        let mut all = Certified::default();
        for (number, &property) in self.properties.iter().enumerate() {
            let left = (self.properties.len() - number) as u32;
            let budget = self.budget.remaining().map_or(self.budget.clone(), |time| self.budget.at_most(time / left));
            let properties = BTreeSet::from([property]);
            let program = self.unselected.clone().map(|program| Rc::new(fathom_passes::prepare(program, &properties, self.arguments.input.environment.undefined())));
            let program = program.unwrap_or_else(|| self.program.clone());
            all.add(self.decide_together(engine, progress, &program, &properties, &budget));
        }
        all
    }

    fn decide_together(
        &self,
        engine: &dyn Engine,
        progress: &ProgressLine,
        program: &Rc<Program>,
        properties: &BTreeSet<Property>,
        budget: &Budget,
    ) -> Certified {
        let task = Task { program: program.clone(), by_contracts: self.by_contracts.clone(), properties: properties.clone() };
        let mut outcome = self.run_task(&task, engine, progress, budget);
        if outcome.verdicts.values().any(|verdict| matches!(verdict, Verdict::Violated(_))) && self.nothing_starts() {
            let why = "the axioms contradict each other: there is no execution".to_string();
            outcome.verdicts.values_mut().for_each(|verdict| *verdict = Verdict::Unknown(Reason::Undecided(why.clone())));
        }
        progress.say("checking the answer again");
        let setup = self.native_setup();
        let mode = match self.arguments.no_native {
            _ if !self.compiled => NativeMode::Skip("there is no native form of a Boogie program".into()),
            true => NativeMode::Skip("switched off by --no-native".into()),
            false => NativeMode::Run(&setup),
        };
        let second = self.solvers.another().map(Rc::from);
        let limited = budget.at_most(UNBOUNDED_RECHECK);
        let budget = if self.solvers.is_unbounded() { &limited } else { budget };
        let certified = fathom_certify::check(outcome, program, properties, &mode, second.as_ref(), budget);
        progress.clear();
        certified
    }

    /// Whether axioms that have nothing to do with the program, and so were left out of it, contradict each other: then
    /// the program has no executions, and a violation means nothing. Only what a solver sees soon is seen.
    fn nothing_starts(&self) -> bool {
        let Some(axioms) = self.every_axiom.as_ref().map(|every_axiom| every_axiom()) else { return false };
        if axioms.len() <= self.program.axioms.len() {
            return false;
        }
        let contradictory = |backend: &dyn fathom_smt::Backend| {
            let Ok(mut solver) = backend.new_solver() else { return false };
            solver.only_refute();
            let asserted = axioms.iter().all(|&axiom| solver.assert(axiom).is_ok());
            asserted && solver.check(&[], &self.budget.at_most(AXIOM_TIME)) == fathom_smt::Answer::Unsat
        };
        let second = || self.solvers.another().filter(|_| !self.solvers.is_unbounded());
        contradictory(&*self.solvers.make()) || second().is_some_and(|second| contradictory(&*second))
    }

    /// Says the answer, with what else there is to say, and ends the process.
    pub fn tell(&self, answer: &Answer, beside: Beside, leash: &Leash) -> ! {
        let Certified { outcome, replays, certificates, .. } = &answer.certified;
        let warnings = self.warnings.iter().cloned().chain(self.solvers.log_note()).chain(beside.warnings).collect();
        let run = self.run_info(answer.engine);
        let report = describe(Described { run, outcome, files: &self.program.files, replays, certificates, warnings, engines: beside.engines });
        let mut text = if self.arguments.json { render_json(&report) } else { render_text(&report, self.arguments.stats) };
        leash.about_to_answer();
        let setup = self.compiled.then(|| self.native_setup());
        if let Some(out) = &self.out
            && let Err(why) = out
                .save(&report, replays, setup.as_ref())
                .and_then(|()| out.save_targets(&outcome.statistics.targets, setup.as_ref()))
                .and_then(|()| out.save_paths(&outcome.statistics, &self.program.files))
        {
            eprintln!("error: {why}");
            text += "The report could not be written.\n";
        }
        if let Some(path) = &self.arguments.tree {
            let tree = &outcome.statistics.tree;
            if tree.is_empty() {
                text += "This engine keeps no tree.\n";
            } else if let Err(why) = save_tree(path, tree, &self.program.files) {
                eprintln!("error: {}: {why}", path.display());
                text += "The tree could not be written.\n";
            }
        }
        print_verdict(&text, &report.verdict);
        leash.end(answer.ending)
    }

    fn run_info(&self, engine: &str) -> RunInfo {
        RunInfo {
            tool: "fathom".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            files: self.sources.files.iter().map(|file| file.display().to_string()).collect(),
            entry: self.entry.clone(),
            data_model: if self.program.layout.pointer_bits == 32 { "ILP32".into() } else { "LP64".into() },
            engine: engine.into(),
            solver: self.solvers.describe(),
            seed: self.arguments.seed,
            seconds: self.start.elapsed().as_secs_f64(),
        }
    }

    pub fn native_setup(&self) -> NativeSetup {
        let mut setup = native_setup(&self.arguments.input, &self.sources, &self.entry, self.program.layout.pointer_bits);
        // A program that changes the rounding mode was read like this, too: constants are left to the run.
        if self.program.globals.iter().any(|variable| variable.sort == Sort::RoundingMode) {
            setup.clang_args.push("-frounding-math".into());
        }
        setup.parts = self.native.clone();
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

/// What a C program is read for.
#[derive(Copy, Clone)]
pub struct Purpose<'a> {
    /// It is compiled as the builds of tests are.
    pub for_tests: bool,
    /// The properties that it is asked about.
    pub checks: &'a BTreeSet<Property>,
}

pub fn load(input: &InputArgs, sources: &Sources, entry: &str, purpose: Purpose<'_>, store: Rc<TermStore>) -> Result<Loaded, Failure> {
    let Purpose { for_tests, checks } = purpose;
    let options = Options {
        model: if input.model_32 { DataModel::Ilp32 } else { DataModel::Lp64 },
        clang_args: input.clang_args.clone(),
        entry: entry.to_string(),
        volatile_arbitrary: input.volatile_arbitrary,
        units: if for_tests { told_apart(&sources.files, &sources.units) } else { sources.units.clone() },
        malloc_may_fail: input.environment.malloc_may_fail,
        entry_null: input.environment.entry_null,
        undefined_writes: input.environment.undefined() == fathom_passes::Undefined::Havoc,
        environment: environment::environment(&input.environment).map_err(Failure::usage)?,
        for_tests,
        checks: checks.clone(),
    };
    fathom_frontend_llvm::load(&sources.files, &options, store).map_err(|error| Failure::input(&error))
}

/// `fathom ir`: the text, or what is wrong.
pub fn ir_text(arguments: &IrArgs) -> Result<String, Failure> {
    let input = &arguments.input;
    let store = Rc::new(TermStore::new());
    let program = if boogie::is_boogie(&input.files).map_err(Failure::usage)? {
        boogie::load(input, LowerOptions::default(), store)?.program
    } else {
        let entry = input.entry.clone().unwrap_or_else(|| "main".into());
        let sources = compile_commands::sources(input).map_err(Failure::bad_file)?;
        load(input, &sources, &entry, Purpose { for_tests: false, checks: &BTreeSet::new() }, store)?.program
    };
    if arguments.invariants { invariants_text(program, input) } else { Ok(fathom_ir::print_program(&program)) }
}

/// What interval analysis finds at loop heads when the usual properties are asked for.
fn invariants_text(program: Program, input: &InputArgs) -> Result<String, Failure> {
    let Wanted { mut properties, .. } = properties::wanted(&[], &[]).map_err(Failure::usage)?;
    properties.insert(Property::BoogieAssert);
    let program = Rc::new(fathom_passes::prepare(program, &properties, input.environment.undefined()));
    match fathom_absint::invariants(&program, &Budget::unlimited()) {
        Ok(found) => Ok(fathom_absint::show(&program, &found)),
        Err(_) => Ok("the analysis gave up\n".into()),
    }
}

pub fn native_setup(input: &InputArgs, sources: &Sources, entry: &str, pointer_bits: u32) -> NativeSetup {
    let files = sources.files.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())).collect();
    let setup = NativeSetup::new(PathBuf::from("clang-19"), files, input.clang_args.clone(), pointer_bits, entry.to_string());
    NativeSetup { units: sources.units.clone(), arguments: input.environment.args.clone().unwrap_or_default(), ..setup }
}

/// The tree in the form that the file's name asks for.
fn save_tree(path: &Path, tree: &[TreeNote], files: &SourceFiles) -> std::io::Result<()> {
    let is_page = path.extension().is_some_and(|extension| extension == "html");
    std::fs::write(path, if is_page { tree_html(tree, files) } else { tree_dot(tree, files) })
}
