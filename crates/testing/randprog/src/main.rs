//! `fathom-randprog threads|locked SEED` prints a program with threads and, in a comment, whether it can fail.
//! `fathom-randprog native|inputs|concrete|safe|unsafe|symbolic SEED [CHECKSUM]` prints a variant of the program of a seed.

use std::process::ExitCode;

use fathom_randprog::{Options, generate, generate_locked_threads, generate_threads};

/// States that are looked at before a program with threads is given up.
const MOST_STATES: usize = 1_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match source(&arguments) {
        Some(source) => {
            print!("{source}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("usage: fathom-randprog threads|locked|native|inputs SEED | concrete|safe|unsafe|symbolic SEED CHECKSUM");
            ExitCode::from(2)
        }
    }
}

fn source(arguments: &[String]) -> Option<String> {
    let (variant, seed, rest) = (arguments.first()?, arguments.get(1)?.parse().ok()?, &arguments[2..]);
    let threads = match variant.as_str() {
        "threads" => Some(generate_threads(seed)),
        "locked" => Some(generate_locked_threads(seed)),
        _ => None,
    };
    if let Some(program) = threads {
        return Some(format!("// can fail: {:?}\n{}", program.can_fail(MOST_STATES), program.source()));
    }
    let program = generate(seed, &Options::default());
    match (variant.as_str(), rest) {
        ("native", []) => Some(program.native_source()),
        ("inputs", []) => Some(program.inputs_source()),
        ("symbolic", [checksum]) => Some(program.symbolic_source(checksum.parse().ok()?)),
        ("concrete", [checksum]) => Some(program.concrete_source(checksum.parse().ok()?)),
        ("safe", [checksum]) => Some(program.safe_source(checksum.parse().ok()?)),
        ("unsafe", [checksum]) => Some(program.unsafe_source(checksum.parse().ok()?)),
        _ => None,
    }
}
