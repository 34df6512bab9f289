//! The arguments of the command line. Flags of C compilers never get here: `command_line` removes them first.

use crate::colour;
use crate::distribute_args::{MergeArgs, PlanArgs, RunArgs, SplitArgs};
use crate::ending;
use crate::engine_args::{DashArgs, ExploreArgs, InductionArgs, UnwindingArgs};
use crate::format::FormatArg;
use crate::scan_args::ScanArgs;
use crate::units;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_driver::{DataModel, FloatEncoding, MemoryModel, Property, Share};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Parser, Debug)]
#[command(
    name = "fathom",
    version,
    styles = colour::STYLES,
    about = "Can this program go wrong? Answers with a checked proof, a replayed trace, or the reason for not knowing."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Log phases and their times on standard error (-vv: in more detail); FATHOM_LOG selects crates
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Use colours in messages and reports
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: colour::When,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide properties of a program
    #[command(after_help = ending::exit_codes_help())]
    Verify(Box<VerifyArgs>),
    /// Write a test suite that covers a program, with a test for every error found
    #[command(after_help = ending::test_codes_help())]
    Test(Box<TestArgs>),
    /// Compile a program, run it on one test and say what happens
    #[command(after_help = ending::replay_codes_help())]
    Replay(Box<ReplayArgs>),
    /// Scan a code base: every alarm of clang's analyzer and of other tools is confirmed, refuted or open
    #[command(after_help = ending::scan_codes_help())]
    Scan(Box<ScanArgs>),
    /// Plan work for many machines: write tasks, and every file that they need, into a directory
    #[command(after_help = ending::plan_codes_help())]
    Plan(Box<PlanArgs>),
    /// Do one task of a plan
    #[command(after_help = ending::run_codes_help())]
    Run(RunArgs),
    /// Ask running tasks to hand on parts of their work as new tasks
    #[command(after_help = ending::split_codes_help())]
    Split(SplitArgs),
    /// Combine the results of a plan
    #[command(after_help = ending::merge_codes_help())]
    Merge(MergeArgs),
    /// Print a program as Fathom sees it
    Ir(Box<IrArgs>),
    /// Write a harness for a function, to be edited: C code that creates arguments and calls it, with the skeleton of a
    /// contract
    Harness(Box<HarnessArgs>),
    /// List the solvers that were found
    Solvers,
    /// Run the language server for editors (LSP on standard input and output)
    Lsp {
        /// Accepted because editors pass it; the server always uses standard input and output
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Check what Fathom needs on this machine, and how to install what is missing
    #[command(after_help = ending::doctor_codes_help())]
    Doctor,
    /// Write a fathom.toml with every setting explained
    Init {
        /// Where it goes
        #[arg(value_name = "DIR", default_value = ".")]
        directory: PathBuf,
    },
    /// Print a script that completes the command line in a shell
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Write man pages
    Man {
        /// Where they go
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

#[derive(Args, Debug, Clone)]
pub struct HarnessArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Write it to this file, which must not exist [default: standard output]
    #[arg(long, value_name = "FILE.c")]
    pub out: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct IrArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Print the invariants that interval analysis finds at loop heads instead
    #[arg(long)]
    pub invariants: bool,
}

/// The files that a build names.
#[derive(Args, Debug, Clone)]
pub struct BuildArgs {
    /// Add the files of the compile_commands.json in this directory, with their flags, and link them as one program
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Take only matching files from compile_commands.json, such as 'src/*.c' [default: all]
    #[arg(long, value_name = "PATTERN", requires = "compile_commands")]
    pub target_files: Vec<String>,
    /// Take only the files of this CMake or Meson target from compile_commands.json
    #[arg(long, value_name = "NAME", requires = "compile_commands")]
    pub target: Option<String>,
}

/// The data model of a program.
#[derive(Args, Debug, Clone)]
pub struct ModelArgs {
    /// int, long and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "model_64")]
    pub model_32: bool,
    /// long and pointers have 64 bits (the default)
    #[arg(long = "64", id = "model_64")]
    pub model_64: bool,
}

impl ModelArgs {
    /// What was chosen.
    pub fn chosen(&self) -> DataModel {
        if self.model_32 { DataModel::Ilp32 } else { DataModel::Lp64 }
    }
}

#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c, .i), C++ files without exceptions and RTTI (.cc, .cpp, .cxx, .ii), bitcode (.bc), LLVM assembly
    /// (.ll) or Boogie (.bpl); several files make one program. - is standard input (C, or the language that -x c++ or
    /// -x boogie names). @FILE is replaced by the arguments in the file
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub model: ModelArgs,
    /// The function where execution starts [default: main; in Boogie {:entrypoint}, {:kernel}, ULTIMATE.start, main, or else every
    /// procedure with a body]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Boogie: start in every procedure with a body, even if some are marked as entry points
    #[arg(long, conflicts_with = "entry")]
    pub all: bool,
    /// Boogie: a global that is assigned without a modifies clause is an error
    #[arg(long)]
    pub strict: bool,
    /// Every read of a volatile object gives an arbitrary value
    #[arg(long)]
    pub volatile_arbitrary: bool,
    /// When other threads see a store: sc (at once), tso (stores of a thread wait in a queue, as on x86) or pso (in a queue for each
    /// location)
    #[arg(long, value_name = "MODEL", default_value = "sc", value_parser = memory_model)]
    pub memory_model: MemoryModel,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    /// Read settings from this file [default: the fathom.toml nearest above the first file]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no fathom.toml
    #[arg(long)]
    pub no_config: bool,
    /// Check each function that has a contract, for every call that the contract allows, and replace its calls by the
    /// contract; cut loops that have a contract. Contracts are written with fathom.h, as for CBMC, or as ACSL comments
    #[arg(long)]
    pub contracts: bool,
    /// Pass this flag to clang; the usual compiler flags (-I, -D, -std=, -f..., -W..., -m...) can be given directly,
    /// and those that do not change the program's meaning (-O2, -g, -lm, -o...) are ignored
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Environment of the program")]
pub struct EnvironmentArgs {
    /// From MIN to MAX arguments of at most LEN arbitrary characters; repeat the flag for more
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], conflicts_with = "args")]
    pub sym_args: Vec<u32>,
    /// Standard input is N arbitrary bytes (other files then exist only if --sym-file names them)
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u64>,
    /// There is a file NAME of N arbitrary bytes
    #[arg(long, num_args = 2, value_names = ["NAME", "N"])]
    pub sym_file: Vec<String>,
    /// malloc, calloc and realloc may fail
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Pointer arguments of the --entry function may be null; otherwise they point to fresh objects
    #[arg(long)]
    pub entry_null: bool,
    /// Pointers of the same type, in the arguments of the --entry function and inside of their objects, may point to
    /// the same object, even in cycles; otherwise each points to its own
    #[arg(long)]
    pub entry_alias: bool,
    /// Pointers to numbers and strings in the arguments of the --entry function point to N elements, including a
    /// string's terminating null character
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub entry_elements: u64,
    /// What a function without a body does: `havoc` gives an arbitrary result and writes arbitrary bytes through its
    /// pointer arguments that are not const, `zero` gives zero and writes nothing, `error` makes reaching it `unknown`
    #[arg(long, value_name = "WHAT", default_value = "havoc")]
    pub undefined: UndefinedArg,
    /// The program's arguments: everything that follows
    #[arg(long, num_args = 0.., allow_hyphen_values = true, value_name = "ARG")]
    pub args: Option<Vec<String>>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum UndefinedArg {
    Error,
    Havoc,
    Zero,
}

#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Check only these properties: unreach-call, assertion, valid-memsafety (valid-deref, valid-free, valid-memtrack),
    /// valid-memcleanup, uninitialised, no-overflow, no-data-race, deadlock, stack-overflow, termination, the name of a
    /// check, all, none, or a .prp file of SV-COMP; separated by commas, or repeated [default: everything that is wrong
    /// in any program]
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// Check this as well (with --property none: only this)
    #[arg(long = "check", value_name = "CHECK", value_parser = check_names())]
    pub checks: Vec<Property>,
    /// Explore every exported function as an entry, several at a time, and list the result of each in a table;
    /// --timeout is the limit of each function, and results are stored like those of `fathom scan` (in .fathom)
    #[arg(long, conflicts_with_all = ["properties", "checks", "witness", "contracts", "entry"])]
    pub all_functions: bool,
    /// How to decide: auto (several at once), explore, interpolate (explore --interpolate), bmc, kind, dash, horn, rank (termination), modular (threads), coarse, lists, random; for Boogie deduce and invariants as well
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: String,
    /// With `auto`: wait for every engine and compare their answers, instead of taking the first; warn about rejected
    /// answers and crashed engines
    #[arg(long)]
    pub agree: bool,
    /// With `auto`: take the engines, their order and their turns from this file instead of Fathom's own portfolio.toml
    #[arg(long, value_name = "FILE")]
    pub portfolio: Option<PathBuf>,
    /// With `auto`: so many engines work at a time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub cores: Option<NonZeroUsize>,
    /// Stop at the first violation, instead of deciding the other properties as well
    #[arg(long)]
    pub first: bool,
    /// Time limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Memory limit
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// The format of the report: text, json, sarif, junit, github (annotations), gitlab (Code Quality) or html, on
    /// standard output or in a file; may be repeated. With json, sarif, junit, gitlab or html on standard output
    /// nothing else is printed there, and the verdict line goes to standard error
    #[arg(long, value_name = "FORM[=FILE]")]
    pub format: Vec<FormatArg>,
    /// Print a progress line every ten seconds if standard error is not a terminal (on a terminal there always is one)
    #[arg(long)]
    pub progress: bool,
    /// For continuous integration: no progress line, and annotations in GitHub Actions
    #[arg(long)]
    pub ci: bool,
    /// Write a witness of the answer in a format of the software verification competition: .yml (YAML 2.0) or .graphml
    /// (GraphML 1.0); may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "witness")]
    pub witness_out: Vec<PathBuf>,
    /// Validate this witness: follow the run of a violation witness, or prove and use the invariants of a correctness witness
    #[arg(long, value_name = "FILE", conflicts_with = "compile_commands")]
    pub witness: Option<PathBuf>,
    /// Draw the execution tree of explore --interpolate, or the regions of dash, as Graphviz (.dot) or HTML (.html)
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,
    /// Write the report (report.txt, report.json, report.html, report.sarif, junit.xml), the replay's driver, a record
    /// of each path (paths.tsv) and the covered lines (coverage.info) into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// bitwuzla, z3, or an installed solver that speaks SMT-LIB (`fathom solvers` lists them) [default: bitwuzla; z3 for
    /// Boogie programs with mathematical numbers or quantifiers]
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Floats for the solver: native (its own theory, where it has one), bv (translated to bit-vectors), or fixed:I.F
    /// (approximated with I bits before the point and F after it)
    #[arg(long, value_name = "HOW", default_value = "native")]
    pub fp: FloatEncoding,
    /// Ask two solvers each time, and stop if they contradict each other
    #[arg(long)]
    pub cross_check: bool,
    /// Time limit for each solver query [default: the engines decide]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub query_timeout: Option<Duration>,
    /// Write every query that reaches a solver into this directory
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Do not compile and run the program to confirm a violation
    #[arg(long)]
    pub no_native: bool,
    /// Print counters
    #[arg(long)]
    pub stats: bool,
    /// Explain why proofs hold: loop invariants, interpolants and contracts, in the language of the program
    #[arg(long)]
    pub explain: bool,
    /// Show all steps of traces, including those that do not influence the failure
    #[arg(long)]
    pub full_trace: bool,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// With the engine explore: share the exploration with other processes through this directory (see `fathom run`)
    #[arg(long, value_name = "DIR", hide = true)]
    pub share: Option<PathBuf>,
    /// With the engine kind, also in the portfolio: read invariants that other runs proved about this program from this
    /// directory, prove them again, and write those that this run proves
    #[arg(long, value_name = "DIR")]
    pub facts: Option<PathBuf>,
    /// Decide only this share of the checks, such as 1/4, divided by loops (see `fathom plan --split-loops`)
    #[arg(long, value_name = "N/M", value_parser = share, hide = true)]
    pub share_of_checks: Option<Share>,
    #[command(flatten)]
    pub explore: ExploreArgs,
    #[command(flatten)]
    pub unwinding: UnwindingArgs,
    #[command(flatten)]
    pub induction: InductionArgs,
    #[command(flatten)]
    pub dash: DashArgs,
}

#[derive(Args, Debug, Clone)]
pub struct TestArgs {
    #[command(flatten)]
    pub common: VerifyArgs,
    /// The goal of the suite
    #[arg(long, value_name = "WHAT", default_value = "branch", help_heading = "Tests")]
    pub coverage: CoverageGoal,
    /// Drop tests that cover nothing new
    #[arg(long, help_heading = "Tests")]
    pub min: bool,
    /// Write at most this many tests; those that cover something new and those of errors come first
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Tests")]
    pub max_tests: u64,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageGoal {
    /// Both sides of every branch
    Branch,
    /// Every line
    Line,
    /// A call of reach_error or __VERIFIER_error: one test is enough
    ErrorCall,
}

#[derive(Args, Debug, Clone)]
pub struct ReplayArgs {
    /// A Test-Comp test case (.xml), a .ktest file, a C driver, a report of `fathom verify --json` or a GraphML witness
    #[arg(value_name = "TEST")]
    pub test: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Stop the program after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Stop the program above this much memory
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = units::bytes)]
    pub memory: u64,
    /// Report memory that is still allocated when the program ends as an error
    #[arg(long)]
    pub leaks: bool,
}

/// Which share of how many.
pub fn share(text: &str) -> Result<Share, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let share = parts.map(|(number, of)| Share { number, of }).filter(|share| (1..=share.of).contains(&share.number));
    share.ok_or_else(|| format!("`{text}` is not N/M with N from 1 to M"))
}

/// The names that `--check` takes.
fn check_names() -> impl TypedValueParser<Value = Property> {
    PossibleValuesParser::new(Property::CHECKS.map(Property::name)).try_map(|name| name.parse::<Property>())
}

fn memory_model(name: &str) -> Result<MemoryModel, String> {
    let known = MemoryModel::ALL.map(MemoryModel::name).join(", ");
    let found = MemoryModel::ALL.into_iter().find(|model| model.name() == name);
    found.ok_or_else(|| match name {
        "c11" => format!("the memory model of C11 is not supported as a whole; there are {known}"),
        _ => format!("there is no such memory model; there are {known}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
