//! The arguments of the commands for many machines.

use crate::args::{BuildArgs, ModelArgs};
use crate::units;
use clap::{Args, ValueEnum};
use fathom_driver::JobFormat;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug, Clone)]
pub struct PlanArgs {
    /// C and C++ files, bitcode, LLVM assembly, Boogie, and tasks of SV-COMP (.yml); @FILE is replaced by the names in
    /// the file
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub build: BuildArgs,
    /// The program of a task
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub per: PerArg,
    /// The function where execution starts
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Properties to check, as for `fathom verify`; tasks of SV-COMP name their own
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// The JSON report of `fathom scan`: plan only functions with open alarms, and check only the properties of these
    /// alarms (with --per program: check the whole program for them)
    #[arg(long, value_name = "REPORT")]
    pub alarms: Option<PathBuf>,
    /// A task for each property, instead of one for all
    #[arg(long)]
    pub split_properties: bool,
    /// Divide the checks of a program among N tasks, by loops; for properties that statements check, such as
    /// unreach-call and no-overflow, and not with the engine explore
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub split_loops: Option<u64>,
    /// Make a task for each of these engines; may be repeated
    #[arg(long = "engine", value_name = "NAME", default_value = "auto")]
    pub engines: Vec<String>,
    /// With the engines bmc and kind, make a task for each of these loop bounds (kind: for each k): numbers, or none
    /// for a task whose bound rises; separated by commas, or repeated
    #[arg(long = "bound", value_name = "K", value_delimiter = ',', value_parser = bound)]
    pub bounds: Vec<BoundArg>,
    /// Time limit of each task
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Memory limit of each task
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    /// The directory for the plan
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Also write a job file: slurm (jobs.slurm), make (Makefile) or github-matrix (matrix.json); may be repeated
    #[arg(long, value_name = "FORM")]
    pub format: Vec<JobFormat>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Pass this flag to clang; the usual compiler flags can be given directly
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
    /// The folder for the result [default: results, next to the plan]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// Read facts that other tasks proved about the same program from this directory, prove them again, and write those
    /// that this task proves
    #[arg(long, value_name = "DIR")]
    pub facts: Option<PathBuf>,
    /// Leave all cores but so many to other tasks [default: use all of them]
    #[arg(long, value_name = "N")]
    pub cores: Option<NonZeroUsize>,
}

#[derive(Args, Debug, Clone)]
pub struct SplitArgs {
    /// The directory of the plan, or its plan.jsonl
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The task: its number from 1, or the beginning of its id [default: every running task]
    #[arg(value_name = "TASK")]
    pub task: Option<String>,
    /// The number of parts to hand on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub parts: u64,
}

#[derive(Args, Debug, Clone)]
pub struct MergeArgs {
    /// The directory of the plan, or its plan.jsonl
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Results, or folders of them [default: results, next to the plan]
    #[arg(value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
