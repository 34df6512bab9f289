//! The arguments of the command line. Flags of C compilers never get here: `command_line` removes them first.

use crate::colour;
use crate::distribute_args::{MergeArgs, PlanArgs, RunArgs, SplitArgs};
use crate::ending;
use crate::format::FormatArg;
use crate::units;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_driver::{
    FloatEncoding, LoopBound, MemoryModel, Merging, Optimisation, Property, Purpose, Searcher, SeedInputs, Share, WhenBounded,
};
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
    /// Tell on standard error what is being done and how long each phase takes (-vv: more); FATHOM_LOG says it per crate
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// When messages and reports have colours
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
    /// Write the work for many machines: tasks, and every file that they need, into a directory
    #[command(after_help = ending::plan_codes_help())]
    Plan(Box<PlanArgs>),
    /// Do one task of a plan
    #[command(after_help = ending::run_codes_help())]
    Run(RunArgs),
    /// Ask tasks that run to hand on parts of their work, which become tasks of their own
    #[command(after_help = ending::split_codes_help())]
    Split(SplitArgs),
    /// Say what the results of a plan say together
    #[command(after_help = ending::merge_codes_help())]
    Merge(MergeArgs),
    /// Print a program as Fathom sees it
    Ir(Box<IrArgs>),
    /// Write a harness for a function, to be edited: C that makes arguments and calls it, with the skeleton of a contract
    Harness(Box<HarnessArgs>),
    /// List the solvers that were found
    Solvers,
    /// Serve an editor: speak the Language Server Protocol on standard input and output
    Lsp {
        /// Standard input and output, as always; editors say so
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Say what Fathom finds on this machine, what is missing, and how to install it
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
    /// Print what interval analysis finds to hold at the heads of loops instead
    #[arg(long)]
    pub invariants: bool,
}

#[derive(Args, Debug, Clone)]
pub struct ScanArgs {
    /// C and C++ files [default: those of the compile_commands.json in this directory or in build/]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take files and flags from the compile_commands.json in this directory
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Decide the alarms in this SARIF 2.1.0 file as well (cppcheck, gcc -fanalyzer, CodeQL, Infer); given again, several
    #[arg(long, value_name = "REPORT.sarif")]
    pub import: Vec<PathBuf>,
    /// Tell only what this report of an earlier scan (JSON or SARIF) does not know
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Scan what changed since this revision of git, and what depends on it
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// So many processes at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1000))]
    pub jobs: Option<u64>,
    /// How long an alarm may take
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    pub timeout_per_alarm: Duration,
    /// How long an entry may take that no alarm is about
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = units::duration, conflicts_with = "alarms_only")]
    pub timeout_per_function: Duration,
    /// Explore only entries that lead to alarms, instead of looking for faults of Fathom's own in every entry
    #[arg(long)]
    pub alarms_only: bool,
    /// Exported functions are entries also where there is a main that leads to them
    #[arg(long)]
    pub library: bool,
    /// The form of the report: text, json, sarif or html, on standard output or in a file; given again, in several
    #[arg(long, value_name = "FORM[=FILE]")]
    pub format: Vec<FormatArg>,
    /// Say under each alarm what its verdict rests on, and of each function what is known
    #[arg(long)]
    pub all: bool,
    /// Write the report in every form and the drivers that show what was confirmed into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep results here [default: .fathom beside compile_commands.json, or here]
    #[arg(long, value_name = "DIR", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Of the entries that are not in the store, explore only this share, such as 1/4: other machines with the same store explore
    /// the others, and a scan without --share tells what all of them found
    #[arg(long, value_name = "N/M", value_parser = share, conflicts_with = "no_store")]
    pub share: Option<Share>,
    /// Keep nothing, and take nothing that was kept
    #[arg(long)]
    pub no_store: bool,
    /// Stop above this much memory, of all processes together
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// int, long and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "scan_model_64")]
    pub model_32: bool,
    /// long and pointers have 64 bits (the default)
    #[arg(long = "64", id = "scan_model_64")]
    pub model_64: bool,
    /// Say how far the scan is every ten seconds where standard error is no terminal
    #[arg(long)]
    pub progress: bool,
    /// Passed to clang; the usual flags of compilers need no such wrapping
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c, .i), C++ files without exceptions and RTTI (.cc, .cpp, .cxx, .ii), bitcode (.bc), LLVM assembly (.ll)
    /// or Boogie (.bpl); several make one program. - is standard input: C, or what -x c++ or -x boogie says. @FILE stands for the
    /// arguments in a file
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take files and flags from the compile_commands.json in this directory as well, and link them as one program
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Of compile_commands.json only the files that match, such as 'src/*.c' [default: all]
    #[arg(long, value_name = "PATTERN", requires = "compile_commands")]
    pub target_files: Vec<String>,
    /// Of compile_commands.json only the files of this target of CMake or Meson, with its flags
    #[arg(long, value_name = "NAME", requires = "compile_commands")]
    pub target: Option<String>,
    /// int, long and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "model_64")]
    pub model_32: bool,
    /// long and pointers have 64 bits (the default)
    #[arg(long = "64", id = "model_64")]
    pub model_64: bool,
    /// The function where execution starts [default: main; in Boogie {:entrypoint}, {:kernel}, ULTIMATE.start, main, or else every
    /// procedure with a body]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Boogie: start in every procedure with a body, whatever is marked
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
    /// Settings come from this file [default: the fathom.toml that is nearest above the first file]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no fathom.toml
    #[arg(long)]
    pub no_config: bool,
    /// Check every function that has a contract against it, for any call that the contract admits, and replace calls of it by
    /// the contract; cut loops that have one. Contracts are written with fathom.h, as for CBMC, or as ACSL in comments
    #[arg(long)]
    pub contracts: bool,
    /// Passed to clang; the usual flags of compilers (-I, -D, -std=, -f..., -W..., -m...) need no such wrapping, and those that say
    /// nothing about the program's meaning (-O2, -g, -lm, -o...) are left out
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Environment of the program")]
pub struct EnvironmentArgs {
    /// From MIN to MAX arguments of at most LEN arbitrary characters; given again, more of them follow
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], conflicts_with = "args")]
    pub sym_args: Vec<u32>,
    /// Standard input is N arbitrary bytes (then other files exist only if --sym-file names them)
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u64>,
    /// There is a file NAME of N arbitrary bytes
    #[arg(long, num_args = 2, value_names = ["NAME", "N"])]
    pub sym_file: Vec<String>,
    /// malloc, calloc and realloc may fail
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Pointer arguments of the --entry function may be null; otherwise they lead to fresh objects
    #[arg(long)]
    pub entry_null: bool,
    /// Pointers to objects of one type, in the arguments of the --entry function and inside of their objects, may lead to one object,
    /// also in circles; otherwise each leads to its own
    #[arg(long)]
    pub entry_alias: bool,
    /// Pointers to numbers and texts in the arguments of the --entry function lead to N elements; texts end at the last one at the
    /// latest
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
    /// Check only this: unreach-call, assertion, valid-memsafety (valid-deref, valid-free, valid-memtrack), valid-memcleanup,
    /// uninitialised, no-overflow, no-data-race, deadlock, stack-overflow, termination, the name of a check, all, none, or a .prp file
    /// of SV-COMP; several with commas, or given again [default: everything that is wrong in any program]
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// Check this as well (with --property none: this alone)
    #[arg(long = "check", value_name = "CHECK", value_parser = check_names())]
    pub checks: Vec<Property>,
    /// Explore every exported function as an entry, several at a time, and tell what is known of each in a table; --timeout is the limit of
    /// each function, and results are kept where `fathom scan` keeps its own (.fathom)
    #[arg(long, conflicts_with_all = ["properties", "checks", "witness", "contracts", "entry"])]
    pub all_functions: bool,
    /// How to decide: auto (several at once), explore, interpolate (explore --interpolate), bmc, kind, dash, horn, rank (termination), modular (threads), coarse, lists, random; for Boogie deduce and invariants as well
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: String,
    /// With `auto`: wait for every engine and compare their answers, instead of taking the first; an answer that did not stand when
    /// it was checked, or an engine that crashed, is a warning
    #[arg(long)]
    pub agree: bool,
    /// With `auto`: engines, their order and their turns as this file states them, in place of Fathom's own portfolio.toml
    #[arg(long, value_name = "FILE")]
    pub portfolio: Option<PathBuf>,
    /// Stop at the first violation, instead of deciding the other properties as well
    #[arg(long)]
    pub first: bool,
    /// Stop after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Stop above this much memory
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// The form of the report: text, json, sarif, junit, github (annotations), gitlab (Code Quality) or html (a page to look at), on
    /// standard output or in a file; given again, in several. Beside json, sarif, junit, gitlab and html nothing else is printed; then
    /// the verdict line goes to
    /// standard error
    #[arg(long, value_name = "FORM[=FILE]")]
    pub format: Vec<FormatArg>,
    /// Say how far the run is every ten seconds where standard error is no terminal; on a terminal there is a line anyway
    #[arg(long)]
    pub progress: bool,
    /// For continuous integration: no progress line, and annotations where a log of GitHub Actions reads along
    #[arg(long)]
    pub ci: bool,
    /// Write a witness of the answer, as the software verification competition has them: .yml (YAML 2.0) or .graphml (GraphML
    /// 1.0); given again, several
    #[arg(long, value_name = "FILE", conflicts_with = "witness")]
    pub witness_out: Vec<PathBuf>,
    /// Validate this witness: follow the run of a violation witness, or prove and use the invariants of a correctness witness
    #[arg(long, value_name = "FILE", conflicts_with = "compile_commands")]
    pub witness: Option<PathBuf>,
    /// Draw the execution tree of explore --interpolate, or the regions of dash, as Graphviz (.dot) or a page (.html)
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,
    /// Write the report (report.txt, report.json, report.html, report.sarif, junit.xml), the replay's driver, a record of each path
    /// (paths.tsv) and the lines that paths came to (coverage.info) into this directory
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
    /// Ask two solvers and stop where they contradict each other
    #[arg(long)]
    pub cross_check: bool,
    /// Give a solver no more than this time for one question [default: the engines decide]
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
    /// Show what proofs rest on: invariants of loops, interpolants and contracts, in the language of the program
    #[arg(long)]
    pub explain: bool,
    /// Show all steps of traces, also those that do not influence the failure
    #[arg(long)]
    pub full_trace: bool,
    /// For every choice that is made at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// With the engine explore: share the exploration with other processes through this directory; `fathom run` says how
    #[arg(long, value_name = "DIR", hide = true)]
    pub share: Option<PathBuf>,
    /// With the engine kind, also in the portfolio: take invariants that other runs proved of this program from this directory, prove
    /// them again, and leave there what this run proves
    #[arg(long, value_name = "DIR")]
    pub facts: Option<PathBuf>,
    /// Decide this share of the checks, such as 1/4, loop by loop; `fathom plan --split-loops` says how
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
    /// What the suite is to cover
    #[arg(long, value_name = "WHAT", default_value = "branch", help_heading = "Tests")]
    pub coverage: CoverageGoal,
    /// Drop tests that cover nothing that another test does not cover
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
    /// Memory that is still allocated when the program ends is an error
    #[arg(long)]
    pub leaks: bool,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine explore")]
pub struct ExploreArgs {
    /// Which path to follow next: dfs, bfs, random-path, coverage, loop-escape, mixed,
    /// coverage-random, closing [default: mixed; for tests coverage-random; with --interpolate closing]
    #[arg(long, value_name = "NAME")]
    pub searcher: Option<Searcher>,
    /// Cut paths after this many branches
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Cut paths after this many iterations of a loop
    #[arg(long, value_name = "N")]
    pub max_loop: Option<u64>,
    /// Cut paths on which threads were interrupted more often than this; changes of threads that wait or end cost nothing
    #[arg(long, value_name = "K")]
    pub context_bound: Option<u32>,
    /// Cut paths when more than this many are open
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Follow the path of this test before all others: any file that `fathom replay` takes, but a C driver
    #[arg(long, value_name = "TEST", value_parser = run_to_start_with)]
    pub start_with: Option<SeedInputs>,
    /// Keep the condition under which nothing fails below each state, and follow no state that satisfies one
    #[arg(long)]
    pub interpolate: bool,
    /// With --interpolate: follow a sample of the pruned states after all, to see whether something fails there
    #[arg(long)]
    pub audit: bool,
    /// With --interpolate: say how large the table of conditions was over time
    #[arg(long)]
    pub table_series: bool,
    /// Decide for each place that must not be reached whether it can be, instead of stopping at the first
    #[arg(long)]
    pub targets: bool,
    /// With --interpolate: megabytes that the conditions may take
    #[arg(long, value_name = "MB", default_value_t = 512)]
    pub interpolant_memory: usize,
    /// Say `unknown` instead of `true` if axioms and preconditions contradict each other, so that nothing is executed
    #[arg(long)]
    pub check_assumptions: bool,
    /// Switch an optimisation off, to see what it is worth
    #[arg(long, value_name = "OPTIMISATION", value_parser = optimisations())]
    pub without: Vec<Optimisation>,
}

/// The inputs of a test.
fn run_to_start_with(path: &str) -> Result<SeedInputs, String> {
    fathom_driver::inputs_of_test(path.as_ref()).map_err(|error| error.to_string())
}

/// The names that `--without` takes.
fn optimisations() -> impl TypedValueParser<Value = Optimisation> {
    let values = Optimisation::ALL.iter().map(|(_, name, what)| PossibleValue::new(name).help(what.trim()));
    let by_name = |name: String| Optimisation::ALL.iter().find(|(_, known, _)| *known == name).map(|(optimisation, ..)| *optimisation);
    PossibleValuesParser::new(values).try_map(move |name| by_name(name).ok_or("no such optimisation"))
}

/// Which share of how many.
fn share(text: &str) -> Result<Share, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let share = parts.map(|(number, of)| Share { number, of }).filter(|share| (1..=share.of).contains(&share.number));
    share.ok_or_else(|| format!("`{text}` is not N/M with N from 1 to M"))
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine bmc")]
pub struct UnwindingArgs {
    /// Unwind loops and recursion this often [default: more and more often, until nothing is left]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub unwind: Option<u64>,
    /// A bound for one loop: FUNCTION.N=K (the N-th of the function, from 0) or FILE:LINE=K
    #[arg(long, value_name = "LOOP=K")]
    pub unwind_loop: Vec<LoopBound>,
    /// What a path beyond --unwind or --max-loop means: assert (no proof), assume (taken not to exist) [default: assert]
    #[arg(long, value_name = "HOW")]
    pub unwinding: Option<WhenBounded>,
    /// falsification (violations only), termination (do all loops end?), incremental (both) [default: incremental]
    #[arg(long, value_name = "MODE")]
    pub bmc_mode: Option<Purpose>,
    /// Where paths that meet become one state, in bmc and explore: none, regions (inside loop-free code), all [default: all
    /// in bmc, none in explore]
    #[arg(long, value_name = "WHERE")]
    pub merge: Option<Merging>,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine kind")]
pub struct InductionArgs {
    /// Begin the inductive step with this k [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub first_k: Option<u64>,
    /// The largest k, and the largest bound of the base case [default: no limit]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_k: Option<u64>,
    /// Plain k-induction: counterexamples of the inductive step are no targets of the base case
    #[arg(long)]
    pub no_bkind: bool,
    /// No invariants: neither from interval analysis nor guessed
    #[arg(long)]
    pub no_invariants: bool,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine dash")]
pub struct DashArgs {
    /// DASH as first published: impossible exits stay until they are split away, predicates are whole preconditions
    #[arg(long)]
    pub plain: bool,
    /// Give up after this many refinements of the abstraction [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_refinements: Option<u64>,
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
