//! Random C programs with the compiler as oracle: what the compiled program computes, Fathom must find, and nothing else.
//! `FATHOM_RANDOM=1000` (or `FATHOM_RANDOM=200..300`) runs the tests that have no fixed seeds on so many programs instead
//! of a few. Programs with threads have an oracle of their own: no run of theirs tells what others do.
//! A program that fails is kept under the build directory's `tmp/random` with its seed, for minimising.

mod common;

use common::Bench;
use fathom_randprog::{Options, ThreadProgram, generate, generate_locked_threads, generate_ordered_threads, generate_threads};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

const SEEDS: Range<u64> = 0..16;
/// One after the other, seed by seed.
const ENGINES: [&str; 4] = ["explore", "bmc", "kind", "explore --interpolate --audit"];

/// Flags of clang for each word size. Floats are rounded to their type after each operation, as Fathom has it.
const MODELS: [(&str, &[&str]); 2] = [
    ("--64", &["-m64"]),
    ("--32", &["-m32", "-msse2", "-mfpmath=sse", "-idirafter", "/usr/include/x86_64-linux-gnu", "--rtlib=compiler-rt", "--unwindlib=none"]),
];

/// The seeds of a campaign: what the environment asks for, or the usual few.
fn campaign(usual: Range<u64>) -> Range<u64> {
    let Ok(wanted) = std::env::var("FATHOM_RANDOM") else { return usual };
    let (from, to) = wanted.split_once("..").unwrap_or(("0", &wanted));
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("FATHOM_RANDOM={wanted}: a number, or two with .. between"));
    number(from)..number(to)
}

/// What the compiled program prints; none where a system can't link programs of this word size.
fn native_output(bench: &Bench, source: &str, flags: &[&str]) -> Option<String> {
    let file = bench.write("native.c", source);
    let binary = bench.path().join("native");
    let built = Command::new("clang-19").args(["-w", "-O1"]).args(flags).arg("-o").arg(&binary).arg(&file).output().expect("clang-19 runs");
    if !built.status.success() && flags.contains(&"-m32") {
        eprintln!("no 32-bit program: {}", String::from_utf8_lossy(&built.stderr));
        return None;
    }
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the program runs");
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn native_checksum(bench: &Bench, source: &str, flags: &[&str]) -> Option<u32> {
    native_output(bench, source, flags).map(|text| text.trim().parse().expect("a checksum"))
}

/// With its inputs baked in, the interpreter computes what the compiled program computes, at either word size.
#[test]
fn the_interpreter_computes_the_same() {
    let mut wrong = Vec::new();
    for seed in campaign(SEEDS.end..SEEDS.end + 10) {
        let program = generate(seed, &Options::default());
        for (model, flags) in MODELS {
            let bench = Bench::new();
            let Some(checksum) = native_checksum(&bench, &program.native_source(), flags) else { continue };
            let source = program.concrete_source(checksum);
            bench.write("concrete.c", &source);
            let run = bench.verify(&["concrete.c", model, "--property", "unreach-call", "--engine", "explore"]);
            if run.verdict() != "true" {
                wrong.push(format!("seed {seed} {model}: {}; kept as {}", run.verdict(), keep(seed, "concrete", &source)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With all inputs arbitrary, exploration that is told to begin with the inputs of the compiled program finds its run.
#[test]
fn exploration_contains_the_concrete_run() {
    let (mut wrong, mut slow) = (Vec::new(), Vec::new());
    let seeds = campaign(100..104);
    for seed in seeds.clone() {
        let program = generate(seed, &Options::default());
        for (model, flags) in MODELS {
            let bench = Bench::new();
            let Some(checksum) = native_checksum(&bench, &program.native_source(), flags) else { continue };
            let Some(inputs) = native_output(&bench, &program.inputs_source(), flags) else { continue };
            let source = program.symbolic_source(checksum);
            bench.write("symbolic.c", &source);
            bench.write("inputs.xml", &inputs);
            let flags = "test symbolic.c --property unreach-call --coverage error-call --start-with inputs.xml --timeout 30s --no-native --out suite";
            let run = bench.run(&flags.split(' ').chain([model]).collect::<Vec<_>>());
            if run.code != 10 && run.stdout.contains("the time was over") {
                // Not every solver can be interrupted while it looks at a side that the run does not take.
                eprintln!("seed {seed} {model}: the time was over");
                slow.push((seed, model));
            } else if run.code != 10 {
                let kept = keep(seed, "symbolic", &source);
                wrong.push(format!("seed {seed} {model}: {}; kept as {kept}", run.stdout.lines().last().unwrap_or_default()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(slow.len() <= 1 + seeds.count() / 10, "these runs took too long: {slow:?}");
}

fn keep(seed: u64, variant: &str, source: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    let path = directory.join(format!("{seed}-{variant}.c"));
    let _ = std::fs::create_dir_all(&directory).and_then(|()| std::fs::write(&path, source));
    path.display().to_string()
}

/// What went wrong with this seed, and how many of its two variants were decided.
fn check(seed: u64, engine: &str, timeout: &str) -> (Vec<String>, u32) {
    let bench = Bench::new();
    let program = generate(seed, &Options::default());
    let Some(checksum) = native_checksum(&bench, &program.native_source(), MODELS[0].1) else { return (Vec::new(), 0) };
    let variants = [("safe", program.safe_source(checksum), "true"), ("unsafe", program.unsafe_source(checksum), "false(unreach-call)")];
    let (mut wrong, mut decided) = (Vec::new(), 0);
    for (variant, source, expected) in variants {
        let name = format!("{variant}.c");
        bench.write(&name, &source);
        let flags = format!("{name} --property unreach-call --timeout {timeout} --engine {engine}");
        let run = bench.verify(&flags.split(' ').collect::<Vec<_>>());
        let verdict = run.verdict();
        if verdict == expected {
            decided += 1;
        } else if !verdict.starts_with("unknown(") || verdict.contains("not confirmed") || run.code == 70 {
            let kept = keep(seed, variant, &source);
            wrong.push(format!("seed {seed}, {engine}, {variant}: {verdict} instead of {expected}; kept as {kept}"));
        } else {
            eprintln!("seed {seed}, {engine}, {variant}: {verdict}");
        }
    }
    (wrong, decided)
}

#[test]
fn the_compiler_agrees() {
    let (even, odd): (Vec<u64>, Vec<u64>) = SEEDS.partition(|seed| seed % 2 == 0);
    let check = |seed: u64| check(seed, ENGINES[seed as usize % ENGINES.len()], "20s");
    let workers = [even, odd].map(|seeds| std::thread::spawn(move || seeds.into_iter().map(check).collect::<Vec<_>>()));
    let results: Vec<(Vec<String>, u32)> = workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect();
    let decided: u32 = results.iter().map(|(_, decided)| decided).sum();
    let wrong: Vec<String> = results.into_iter().flat_map(|(wrong, _)| wrong).collect();
    eprintln!("{decided} of {} variants decided", 2 * SEEDS.count());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = 2 * SEEDS.count() as u32;
    assert!(decided + all / 16 >= all, "only {decided} of {all} variants were decided");
}

/// Whole computations are not what `dash` is good at; what it says must still be right, and it must say something.
#[test]
fn regions_agree_with_the_compiler() {
    let results: Vec<(Vec<String>, u32)> = campaign(300..305).map(|seed| check(seed, "dash", "2s")).collect();
    let wrong: Vec<String> = results.iter().flat_map(|(wrong, _)| wrong.clone()).collect();
    eprintln!("{} variants decided", results.iter().map(|(_, decided)| decided).sum::<u32>());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

type Generate = fn(u64) -> ThreadProgram;

/// Each seed with each of these.
fn both(seeds: Range<u64>, generators: [Generate; 2]) -> impl Iterator<Item = (u64, Generate)> {
    seeds.flat_map(move |seed| generators.map(|generate| (seed, generate)))
}

/// Vector clocks over interleavings that are run one by one show a data race exactly where exploration finds one.
#[test]
fn races_agree_with_vector_clocks() {
    const MOST_STATES: usize = 30_000;
    let (mut wrong, mut counts) = (Vec::new(), [0; 2]);
    let seeds = campaign(0..20);
    for (seed, generate) in both(seeds.clone(), [generate_ordered_threads, generate_locked_threads]) {
        let program = generate(seed);
        let Some(races) = program.can_race(MOST_STATES) else { continue };
        let bench = Bench::new();
        let source = program.source();
        bench.write("races.c", &source);
        let run = bench.verify(&["races.c", "--property", "no-data-race", "--engine", "explore", "--no-native", "--timeout", "20s"]);
        let verdict = run.verdict();
        let expected = if races { "false(no-data-race)" } else { "true" };
        if verdict == expected {
            counts[usize::from(races)] += 1;
        } else if !verdict.starts_with("unknown(") || verdict.contains("not confirmed") {
            wrong.push(format!("seed {seed}: {verdict} instead of {expected}; kept as {}", keep(seed, "races", &source)));
        } else {
            eprintln!("seed {seed}: {verdict}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("{} programs without a race and {} with one", counts[0], counts[1]);
    assert!(counts.iter().all(|&count| count * 6 >= seeds.clone().count()), "only {counts:?} programs were decided");
}

/// Interleavings that are run one by one contain a failure exactly where exploration finds one.
#[test]
fn threads_agree_with_every_interleaving() {
    const MOST_STATES: usize = 300_000;
    let (mut wrong, mut decided) = (Vec::new(), 0);
    let seeds = campaign(0..20);
    for (seed, generate) in both(seeds.clone(), [generate_threads, generate_locked_threads]) {
        let program = generate(seed);
        let Some(fails) = program.can_fail(MOST_STATES) else { continue };
        let bench = Bench::new();
        let source = program.source();
        bench.write("threads.c", &source);
        let run = bench.verify(&["threads.c", "--property", "unreach-call", "--engine", "explore", "--no-native", "--timeout", "20s"]);
        let verdict = run.verdict();
        let expected = if fails { "false(unreach-call)" } else { "true" };
        if verdict == expected {
            decided += 1;
        } else if !verdict.starts_with("unknown(") || verdict.contains("not confirmed") {
            wrong.push(format!("seed {seed}: {verdict} instead of {expected}; kept as {}", keep(seed, "threads", &source)));
        } else {
            eprintln!("seed {seed}: {verdict}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided * 10 >= seeds.count() * 18, "only {decided} programs were decided");
}
