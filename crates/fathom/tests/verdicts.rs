//! Every program of tests/verdicts under every engine and with two solvers, through the built binary. A verdict that
//! contradicts the file fails, and so does an answer that the certifier refused. `unknown` fails too unless
//! tests/verdicts/expected-unknown.txt lists it as `file property engine solver`;
//! `INSTA_UPDATE=always cargo test -p fathom --test verdicts` writes that list anew.
//! Engines that are only held to say nothing wrong, and the second solver, get a third of the cases; `FATHOM_VERDICTS=all` gives them
//! all. `FATHOM_SAMPLE=23` runs every 23rd case only.

mod common;

use common::Bench;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const ENGINES: [&str; 10] = ["explore", "bmc", "kind", PROVER, LISTS, TESTER, INTERPOLATION, HORN, RANKER, MODULAR];
const SOLVERS: [&str; 2] = [SOLVER_WITH_NATIVE, SECOND_SOLVER];
/// Boogie programs run with the solver that suits them, and with all of their portfolio, since some need invariants.
const BOOGIE_ENGINES: [&str; 7] = ["explore", "bmc", "kind", DEDUCER, "auto", TESTER, HORN];
const SUITABLE: &str = "suitable";
/// Proofs of these engines are put to the other solver by the certifier, refutation by refutation: one run is enough.
const RECHECKED: [&str; 9] = ["bmc", "kind", PROVER, LISTS, TESTER, INTERPOLATION, HORN, RANKER, MODULAR];
/// Leaves out too much to decide most programs: here it is only held to say nothing wrong.
const PROVER: &str = "coarse";
/// The same for this one, which is about programs that allocate memory.
const LISTS: &str = "lists";
/// Says which programs are right, never which are wrong.
const DEDUCER: &str = "deduce";
/// Refines for ever where the others have better ideas; the same holds for it, in less time.
const TESTER: &str = "dash";
const TESTER_TIMEOUT: &str = "1s";
/// Invariants of loops without a bound are what it is for.
const HORN: &str = "horn";
/// `explore` with interpolation, which must not contradict it, nor its own audit.
const INTERPOLATION: &str = "explore --interpolate --audit";
/// Proves termination, and nothing else.
const RANKER: &str = "rank";
/// Proves assertions about threads; what it must prove is in tests/modular.rs.
const MODULAR: &str = "modular";
/// Only held to say nothing wrong.
const ONLY_SOUND: [&str; 7] = [PROVER, LISTS, DEDUCER, TESTER, INTERPOLATION, HORN, MODULAR];
/// The native replay is the same whatever the solver and the engine: once is enough.
const SOLVER_WITH_NATIVE: &str = "bitwuzla";
const SECOND_SOLVER: &str = "z3";
const TIMEOUT: &str = "20s";
/// For what is known not to be decided: enough to see a contradiction, if there is one.
const SHORT_TIMEOUT: &str = "3s";

fn directory() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts");
    path.canonicalize().unwrap_or(path)
}

fn list_path() -> PathBuf {
    directory().join("expected-unknown.txt")
}

/// What a file says about itself.
struct Header {
    /// Property and verdict as Fathom prints it.
    expected: Vec<(String, String)>,
    flags: Vec<String>,
}

fn header(text: &str) -> Header {
    let mut header = Header { expected: Vec::new(), flags: Vec::new() };
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        let Some((name, value)) = line.split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        match value {
            _ if name == "flags" => header.flags.extend(value.split_whitespace().map(str::to_string)),
            "false" => header.expected.push((name.into(), format!("false({name})"))),
            _ => header.expected.push((name.into(), value.into())),
        }
    }
    header
}

fn programs(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|e| e.path())) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp" || e == "bpl") {
            found.push(path);
        }
    }
    found.sort();
}

/// Shared by all trials.
struct Known {
    expected_unknown: BTreeSet<String>,
    seen_unknown: Mutex<BTreeSet<String>>,
    bless: bool,
}

struct Case {
    path: PathBuf,
    name: String,
    property: String,
    expected: String,
    flags: Vec<String>,
    engine: &'static str,
    solver: &'static str,
}

impl Case {
    fn run(&self, known: &Known) -> Result<(), Failed> {
        let bench = Bench::new();
        let path = self.path.to_string_lossy();
        let boogie = self.path.extension().is_some_and(|e| e == "bpl");
        let mut arguments: Vec<&str> = vec![&path, "--engine"];
        arguments.extend(self.engine.split(' '));
        if !boogie {
            arguments.extend(["--property", &self.property, "--solver", self.solver]);
        }
        let entry = format!("{} {} {} {}", self.name, self.property, self.engine, self.solver);
        let listed = known.expected_unknown.contains(&entry);
        let timeout = match self.engine {
            TESTER | LISTS | HORN => TESTER_TIMEOUT,
            PROVER | DEDUCER | INTERPOLATION | MODULAR => SHORT_TIMEOUT,
            _ if listed => SHORT_TIMEOUT,
            _ => TIMEOUT,
        };
        arguments.extend(["--timeout", timeout]);
        if self.solver != SOLVER_WITH_NATIVE || RECHECKED.contains(&self.engine) {
            arguments.push("--no-native");
        }
        arguments.extend(self.flags.iter().map(String::as_str));
        let run = bench.verify(&arguments);
        let verdict = run.verdict();
        if verdict == self.expected {
            return Ok(());
        }
        let told = format!("{verdict} instead of {}\n{}{}", self.expected, run.stdout, run.stderr);
        if !verdict.starts_with("unknown(") {
            return Err(format!("CONTRADICTION: {told}").into());
        }
        // What an engine finds has to stand when it is checked, whatever else it does not find.
        if verdict.contains("not confirmed: ") && !listed {
            return Err(format!("REFUSED: {told}").into());
        }
        // Threads and termination are not every engine's business.
        let proves_only = self.engine == RANKER && self.expected != "true";
        if verdict.contains(" in the engine ") || proves_only || ONLY_SOUND.contains(&self.engine) {
            return Ok(());
        }
        if let Ok(mut seen) = known.seen_unknown.lock() {
            seen.insert(entry);
        }
        if listed || known.bless { Ok(()) } else { Err(format!("new unknown: {told}").into()) }
    }
}

fn is_wanted(engine: &str, solver: &str) -> bool {
    solver == SOLVER_WITH_NATIVE || !RECHECKED.contains(&engine)
}

/// Whether a case belongs to the usual tests, which should take minutes: those from which a verdict is expected, and one in three of
/// the others, chosen by name, so that every run and every machine takes the same.
fn is_usual(title: &str, engine: &str, solver: &str) -> bool {
    let decides = !ONLY_SOUND.contains(&engine) && solver != SECOND_SOLVER;
    decides || title.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 3 == 0
}

fn installed_solvers() -> Vec<&'static str> {
    let listed = Bench::new().run(&["solvers"]).stdout;
    let linked = |name: &str| listed.lines().any(|line| line.starts_with(name) && line.contains("linked in"));
    let (found, missing): (Vec<&str>, Vec<&str>) = SOLVERS.into_iter().partition(|name| linked(name));
    for name in missing {
        eprintln!("skipped: this build has no {name}");
    }
    found
}

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let sample: Option<usize> = std::env::var("FATHOM_SAMPLE").ok().and_then(|step| step.parse().ok()).filter(|step| *step > 0);
    let list = std::fs::read_to_string(list_path()).unwrap_or_default();
    let known = Arc::new(Known {
        expected_unknown: list.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect(),
        seen_unknown: Mutex::new(BTreeSet::new()),
        // A part of the cases would leave a part of the list.
        bless: std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") && sample.is_none(),
    });
    let all = known.bless || sample.is_some() || std::env::var("FATHOM_VERDICTS").is_ok_and(|which| which == "all");
    let mut files = Vec::new();
    programs(&directory(), &mut files);
    let solvers = if arguments.list { SOLVERS.to_vec() } else { installed_solvers() };
    let mut trials = Vec::new();
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
        let name = path.strip_prefix(directory()).unwrap_or(&path).to_string_lossy().into_owned();
        let header = header(&text);
        for (property, expected) in &header.expected {
            let boogie = path.extension().is_some_and(|e| e == "bpl");
            let ways: Vec<(&'static str, &'static str)> = match boogie {
                true => BOOGIE_ENGINES.map(|engine| (engine, SUITABLE)).to_vec(),
                false => ENGINES
                    .into_iter()
                    .flat_map(|e| solvers.iter().map(move |s| (e, *s)))
                    .filter(|(engine, solver)| is_wanted(engine, solver))
                    .collect(),
            };
            let is_for_few = matches!(property.as_str(), "uninitialised" | "stack-overflow");
            let speaks_of = |engine: &str| match engine {
                _ if is_for_few => matches!(engine, "explore" | "bmc"),
                HORN => name.contains("unbounded") || boogie,
                TESTER => !(property.starts_with("valid-") || property == "termination"),
                RANKER => property == "termination",
                MODULAR => text.contains("thread") && property == "unreach-call",
                LISTS => text.contains("alloc") && property != "termination",
                _ => true,
            };
            for (engine, solver) in ways.into_iter().filter(|(engine, _)| speaks_of(engine)) {
                let (path, name, flags) = (path.clone(), name.clone(), header.flags.clone());
                let case = Case { path, name, property: property.clone(), expected: expected.clone(), flags, engine, solver };
                let known = known.clone();
                let title = format!("{}::{property}::{engine}::{solver}", case.name);
                if !all && !is_usual(&title, engine, solver) {
                    continue;
                }
                trials.push(Trial::test(title, move || case.run(&known)));
            }
        }
    }
    if let Some(step) = sample {
        trials = trials.into_iter().step_by(step).collect();
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if known.bless
        && let Ok(seen) = known.seen_unknown.lock()
    {
        let text: String = seen.iter().map(|entry| format!("{entry}\n")).collect();
        if let Err(error) = std::fs::write(list_path(), text) {
            eprintln!("the list of unknowns can't be written: {error}");
        }
    }
    conclusion.exit()
}
