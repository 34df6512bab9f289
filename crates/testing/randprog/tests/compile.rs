//! The generated programs compile, run without undefined behaviour, and give the same checksum with and without
//! optimisation. Needs clang-19 with sanitizers; without it these tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::Command;

use fathom_randprog::{Options, TestProgram, generate};

const STUBS: &str = "
#include <stdio.h>
#include <stdlib.h>
void reach_error(void) { puts(\"error\"); exit(0); }
void __VERIFIER_assume(int c) { if (!c) { puts(\"cut\"); exit(0); } }
";

fn clang() -> Option<Command> {
    let found = Command::new("clang-19").arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: no clang-19");
    }
    found.then(|| Command::new("clang-19"))
}

/// Compiles and runs; returns what the program printed.
fn run(directory: &Path, name: &str, source: &str, flags: &[&str]) -> Option<String> {
    let (file, binary) = (directory.join(format!("{name}.c")), directory.join(name));
    std::fs::write(&file, source).expect("the temporary directory can be written");
    let built = clang()?.args(["-w", "-o"]).arg(&binary).args(flags).arg(&file).output().expect("clang runs");
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the program starts");
    std::fs::remove_file(&binary).expect("the program was there");
    assert!(ran.status.success(), "{name} {flags:?}: {}", String::from_utf8_lossy(&ran.stderr));
    Some(String::from_utf8(ran.stdout).expect("digits").trim().to_owned())
}

fn check(seed: u64, directory: &Path) -> Option<()> {
    let program: TestProgram = generate(seed, &Options::default());
    let source = program.native_source();
    let sanitize = ["-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
    let checked = run(directory, &format!("checked{seed}"), &source, &sanitize)?;
    let fast = run(directory, &format!("fast{seed}"), &source, &["-O2"])?;
    assert_eq!(checked, fast, "seed {seed}");
    let checksum: u32 = checked.parse().expect("a checksum");
    for name in ["safe", "unsafe"] {
        let source = if name == "safe" { program.safe_source(checksum) } else { program.unsafe_source(checksum) };
        let syntax = directory.join(format!("{name}{seed}.c"));
        std::fs::write(&syntax, &source).expect("the temporary directory can be written");
        let status = clang()?.args(["-w", "-fsyntax-only"]).arg(&syntax).status().expect("clang runs");
        assert!(status.success(), "{name} variant of seed {seed}");
    }
    Some(())
}

/// Loose inputs do not change the checksum: the verifier variant is run with other values for them.
fn vary(seed: u64, directory: &Path) -> Option<()> {
    let program = generate(seed, &Options::default());
    let checksum = run(directory, &format!("native{seed}"), &program.native_source(), &["-O0"])?;
    let checksum: u32 = checksum.parse().expect("a checksum");
    for variation in 0..4 {
        let stubs = program.input_stubs(variation * 1000 + seed);
        // The stubs repeat the typedefs, which C11 allows.
        let source = format!("{STUBS}{stubs}{}", program.unsafe_source(checksum));
        let printed = run(directory, &format!("varied{seed}_{variation}"), &source, &["-O0"])?;
        assert_eq!(printed, "error", "seed {seed}, variation {variation}");
    }
    Some(())
}

fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).expect("the temporary directory can be made");
    directory
}

/// How many seeds are tried; `FATHOM_SEEDS=200` takes minutes.
fn seeds() -> std::ops::Range<u64> {
    0..std::env::var("FATHOM_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

#[test]
fn programs_compile_and_run_clean() {
    let directory = directory("clean");
    seeds().for_each(|seed| _ = check(seed, &directory));
}

#[test]
fn loose_inputs_are_harmless() {
    let directory = directory("loose");
    seeds().for_each(|seed| _ = vary(seed, &directory));
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let (a, b) = (generate(7, &Options::default()), generate(7, &Options::default()));
    assert_eq!(a.native_source(), b.native_source());
    assert_ne!(a.native_source(), generate(8, &Options::default()).native_source());
}
