//! The arguments of `fathom scan`.

use crate::args::{ModelArgs, share};
use crate::format::FormatArg;
use crate::units;
use clap::Args;
use fathom_driver::Share;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug, Clone)]
pub struct ScanArgs {
    /// C and C++ files [default: those of the compile_commands.json in this directory or in build/]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take files and flags from the compile_commands.json in this directory
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Decide the alarms in this SARIF 2.1.0 file as well (cppcheck, gcc -fanalyzer, CodeQL, Infer); may be repeated
    #[arg(long, value_name = "REPORT.sarif")]
    pub import: Vec<PathBuf>,
    /// Report only alarms that are not in this report of an earlier scan (JSON or SARIF)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Scan only functions that changed since this git revision, and those that depend on them
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Run this many processes at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1000))]
    pub jobs: Option<u64>,
    /// Time limit for each alarm
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    pub timeout_per_alarm: Duration,
    /// Time limit for each entry without alarms
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = units::duration, conflicts_with = "alarms_only")]
    pub timeout_per_function: Duration,
    /// Explore only entries that lead to alarms, instead of searching every entry for further violations
    #[arg(long)]
    pub alarms_only: bool,
    /// Treat all exported functions as entries, even if they are reachable from a main
    #[arg(long)]
    pub library: bool,
    /// The format of the report: text, json, sarif or html, on standard output or in a file; may be repeated
    #[arg(long, value_name = "FORM[=FILE]")]
    pub format: Vec<FormatArg>,
    /// List the evidence for each verdict, and the status of each function
    #[arg(long)]
    pub all: bool,
    /// Write the report in every format, and a driver for each confirmed alarm, into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Store results in this directory [default: .fathom next to compile_commands.json, or in the current directory]
    #[arg(long, value_name = "DIR", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Explore only this share, such as 1/4, of the entries that are not in the store yet; other machines with the same
    /// store explore the others, and a scan without --share reports all results
    #[arg(long, value_name = "N/M", value_parser = share, conflicts_with = "no_store")]
    pub share: Option<Share>,
    /// Neither store results nor use stored ones
    #[arg(long)]
    pub no_store: bool,
    /// Memory limit of all processes together
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub memory: u64,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print a progress line every ten seconds if standard error is not a terminal
    #[arg(long)]
    pub progress: bool,
    /// Pass this flag to clang; the usual compiler flags can be given directly
    #[arg(long = "clang-arg", value_name = "FLAG", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,
}
