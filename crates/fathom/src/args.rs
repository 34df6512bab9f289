//! The command line. Flags that clang would understand (-I, -D, -std=...) go to clang as they are; they are taken out
//! before clap sees the rest, because clap has no flags with one dash and many letters.

use crate::ending;
use crate::units;
use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_engine_explore::Searcher;
use fathom_ir::Property;
use fathom_smt::FixedPoint;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Parser, Debug)]
#[command(name = "fathom", version, about = "Can this program go wrong? Answers with a checked proof, a replayed trace, or the reason for not knowing.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide properties of a program
    #[command(after_help = ending::exit_codes_help())]
    Verify(Box<VerifyArgs>),
    /// Print a program as Fathom sees it
    Ir(InputArgs),
    /// List the solvers that were found
    Solvers,
}

#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c, .i), bitcode (.bc) or LLVM assembly (.ll); several make one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// int, long and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "model_64")]
    pub model_32: bool,
    /// long and pointers have 64 bits (the default)
    #[arg(long = "64", id = "model_64")]
    pub model_64: bool,
    /// The function where execution starts [default: main]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Every read of a volatile object gives an arbitrary value
    #[arg(long)]
    pub volatile_arbitrary: bool,
    /// Passed to clang; -I, -D, -U, -std=, -include, -isystem, -f..., -W... and -m... need no such wrapping
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// unreach-call, assertion, valid-memsafety (valid-deref, valid-free, valid-memtrack), no-overflow, or a .prp file
    /// [default: unreach-call and assertion]
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// Check this as well
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<Check>,
    /// How to decide: explore, or auto for all of them at once
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: String,
    /// With `auto`: wait for every engine and compare their answers, instead of taking the first
    #[arg(long)]
    pub agree: bool,
    /// Stop after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Stop above this much memory
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// Print the report as JSON (the verdict line still follows)
    #[arg(long)]
    pub json: bool,
    /// Write report.txt, report.json and the replay's driver into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// bitwuzla, z3, or an installed solver that speaks SMT-LIB (`fathom solvers` lists them)
    #[arg(long, value_name = "NAME", default_value = "bitwuzla")]
    pub solver: String,
    /// Floats for the solver: native (its own theory, where it has one), bv (translated to bit-vectors), or fixed:I.F
    /// (approximated with I bits before the point and F after it)
    #[arg(long, value_name = "HOW", default_value = "native", value_parser = float_encoding)]
    pub fp: FloatEncoding,
    /// Ask two solvers and stop where they contradict each other
    #[arg(long)]
    pub cross_check: bool,
    /// Write every query that reaches a solver into this directory
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Do not compile and run the program to confirm a violation
    #[arg(long)]
    pub no_native: bool,
    /// Print counters
    #[arg(long)]
    pub stats: bool,
    /// For every choice that is made at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub explore: ExploreArgs,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine explore")]
pub struct ExploreArgs {
    /// Which path to follow next: dfs, bfs, random-path, coverage, loop-escape, mixed [default: mixed]
    #[arg(long, value_name = "NAME")]
    pub searcher: Option<Searcher>,
    /// Cut paths after this many branches
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Cut paths after this many iterations of a loop
    #[arg(long, value_name = "N")]
    pub max_loop: Option<u64>,
    /// Cut paths when more than this many are open
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
}

/// What solvers get in place of floats.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FloatEncoding {
    Native,
    Bv,
    Fixed(FixedPoint),
}

fn float_encoding(text: &str) -> Result<FloatEncoding, String> {
    match text.split_once(':') {
        None if text == "native" => Ok(FloatEncoding::Native),
        None if text == "bv" => Ok(FloatEncoding::Bv),
        None if text == "fixed" => Ok(FloatEncoding::Fixed(FixedPoint::default())),
        Some(("fixed", widths)) => widths.parse().map(FloatEncoding::Fixed),
        _ => Err("known are: native, bv, fixed and fixed:I.F".into()),
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Check {
    DivByZero,
    Shift,
    Null,
}

impl Check {
    pub fn property(self) -> Property {
        match self {
            Check::DivByZero => Property::DivByZero,
            Check::Shift => Property::Shift,
            Check::Null => Property::Null,
        }
    }
}

/// clang flags whose value is the next argument when it is not glued on.
const WITH_VALUE: [&str; 8] = ["-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-iquote", "-imacros"];
const GLUED: [&str; 10] = ["-I", "-D", "-U", "-std=", "-f", "-W", "-m", "-isystem", "-idirafter", "-iquote"];
const ALONE: [&str; 4] = ["-ansi", "-pthread", "-trigraphs", "-w"];

/// The arguments without the clang flags, and those. File names need not be UTF-8; clang flags are taken as text.
pub fn split_clang_flags(arguments: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let (mut rest, mut clang) = (Vec::new(), Vec::new());
    let text = |argument: OsString| argument.to_string_lossy().into_owned();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let word = argument.to_str().unwrap_or_default();
        if word == "--" {
            rest.push(argument);
            rest.extend(arguments);
            break;
        }
        if word == "--clang-arg" {
            rest.push(argument);
            rest.extend(arguments.next());
        } else if WITH_VALUE.contains(&word) {
            clang.push(text(argument));
            clang.extend(arguments.next().map(text));
        } else if ALONE.contains(&word) || GLUED.iter().any(|flag| word.starts_with(flag) && word.len() > flag.len()) {
            clang.push(text(argument));
        } else {
            rest.push(argument);
        }
    }
    (rest, clang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clang_flags_are_taken_out() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (rest, clang) = split_clang_flags(words("fathom verify -I inc -DX=1 -std=c99 a.c -fwrapv --stats -Wall --32 -- -odd.c"));
        assert_eq!(rest, words("fathom verify a.c --stats --32 -- -odd.c"));
        assert_eq!(clang.join(" "), "-I inc -DX=1 -std=c99 -fwrapv -Wall");
        let (rest, clang) = split_clang_flags(words("fathom verify a.c --clang-arg -DY"));
        assert_eq!((rest.len(), clang.len()), (5, 0));
    }

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
