//! The arguments of the commands for many machines.

use crate::units;
use clap::{Args, ValueEnum};
use fathom_driver::JobFormat;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug, Clone)]
pub struct PlanArgs {
    /// C and C++ files, bitcode, LLVM assembly, Boogie, and tasks of SV-COMP (.yml); @FILE stands for the names in a file
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take files and flags from the compile_commands.json in this directory
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Of compile_commands.json only the files that match, such as 'src/*.c' [default: all]
    #[arg(long, value_name = "PATTERN", requires = "compile_commands")]
    pub target_files: Vec<String>,
    /// Of compile_commands.json only the files of this target of CMake or Meson
    #[arg(long, value_name = "NAME", requires = "compile_commands")]
    pub target: Option<String>,
    /// What the program of a task is
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub per: PerArg,
    /// The function where execution starts
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// What is asked, as for `fathom verify`; tasks of SV-COMP bring their own question
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// The JSON report of `fathom scan`: plan only the functions in which it left alarms open, and ask what these are about (with --per
    /// program: ask this of the whole program)
    #[arg(long, value_name = "REPORT")]
    pub alarms: Option<PathBuf>,
    /// A task for each property, instead of one for all
    #[arg(long)]
    pub split_properties: bool,
    /// Divide the checks of a program among so many tasks, loop by loop; for properties that are checked by statements, such as
    /// unreach-call and no-overflow, and not with the engine explore
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub split_loops: Option<u64>,
    /// A task for each of these engines; given again, several
    #[arg(long = "engine", value_name = "NAME", default_value = "auto")]
    pub engines: Vec<String>,
    /// With the engines bmc and kind, a task for each of these bounds of loops (of kind: for each k): numbers, or none for a task in
    /// which the bound rises; given again, or with commas, several
    #[arg(long = "bound", value_name = "K", value_delimiter = ',', value_parser = bound)]
    pub bounds: Vec<BoundArg>,
    /// The time for each task
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub timeout: Duration,
    /// The memory for each task
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// The directory for the plan
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Write what starts the jobs as well: slurm (jobs.slurm), make (Makefile) or github-matrix (matrix.json); given again, several
    #[arg(long, value_name = "FORM")]
    pub format: Vec<JobFormat>,
    /// int, long and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "plan_model_64")]
    pub model_32: bool,
    /// long and pointers have 64 bits (the default)
    #[arg(long = "64", id = "plan_model_64")]
    pub model_64: bool,
    /// Passed to clang; the usual flags of compilers need no such wrapping
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
    /// Further flags of `fathom verify`, for every task
    #[arg(last = true, value_name = "FLAG")]
    pub options: Vec<String>,
}

/// A bound of loops, or none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BoundArg(pub Option<u64>);

fn bound(text: &str) -> Result<BoundArg, String> {
    match text.parse() {
        Ok(0) => Err("a bound is at least 1".into()),
        Ok(bound) => Ok(BoundArg(Some(bound))),
        Err(_) if text == "none" => Ok(BoundArg(None)),
        Err(_) => Err("neither a number nor none".into()),
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum PerArg {
    /// Each file
    File,
    /// Each function that a file exports, with the file
    Function,
    /// All files together
    Program,
}

#[derive(Args, Debug, Clone)]
pub struct RunArgs {
    /// The directory of the plan, or its plan.jsonl
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The task: its number from 1, or the beginning of its id
    #[arg(value_name = "TASK")]
    pub task: String,
    /// The folder for the result [default: results beside the plan]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// Take what other tasks proved of the same program from this directory, prove it again, and leave there what this one proves
    #[arg(long, value_name = "DIR")]
    pub facts: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct SplitArgs {
    /// The directory of the plan, or its plan.jsonl
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The task: its number from 1, or the beginning of its id [default: every task that runs]
    #[arg(value_name = "TASK")]
    pub task: Option<String>,
    /// So many parts are to be handed on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub parts: u64,
}

#[derive(Args, Debug, Clone)]
pub struct MergeArgs {
    /// The directory of the plan, or its plan.jsonl
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Results, or folders of them [default: results beside the plan]
    #[arg(value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
