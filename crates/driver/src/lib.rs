//! Fathom as a library: everything that the command line does apart from reading arguments and printing.
//!
//! A question is a configuration ([`VerifyConfig`], [`TestConfig`], [`ReplayConfig`]), an answer is plain data. Nothing
//! here prints, reads the environment or ends the process; progress is reported to the [`Listener`] of the [`Session`].
//!
//! ```no_run
//! use fathom_driver::{Conclusion, InputConfig, Session, VerifyConfig, report, verify};
//! use std::time::Duration;
//!
//! fn main() -> Result<(), fathom_driver::Error> {
//!     let mut config = VerifyConfig::new(InputConfig::new(["account.c"]));
//!     config.properties = vec!["unreach-call".into(), "no-overflow".into()];
//!     config.timeout = Duration::from_secs(30);
//!     let verified = verify(&config, &Session::default())?;
//!     match verified.conclusion() {
//!         Conclusion::Proved => println!("every property holds"),
//!         Conclusion::ProvedWithinBounds => println!("every property holds for small inputs"),
//!         Conclusion::Violated => println!("a property is violated"),
//!         Conclusion::Unknown(kind) => println!("not decided: {kind:?}"),
//!     }
//!     for property in &verified.report.properties {
//!         println!("{}: {} (by {:?})", property.property, property.verdict, property.engine);
//!     }
//!     // The whole report, with the trace of a violation, as `fathom verify` prints it.
//!     print!("{}", report(&verified, fathom_driver::Format::Text, Default::default()));
//!     Ok(())
//! }
//! ```
//!
//! The steps from question to answer: [`load`] reads the program, `prepare` makes a task of it, `decide` lets one
//! engine answer and `certify` check, `portfolio` does so with several engines at once, `answer` makes plain data of
//! the result and writes the requested files. `supervise` keeps a run within its limits whatever happens; it forks, and
//! is meant for programs that do nothing but this run.

mod answer;
mod board;
mod boogie;
pub mod clang_flags;
mod collect;
mod compile_commands;
mod config;
mod decide;
mod distribute;
mod doctor;
mod engine_table;
mod engines;
mod error;
mod explain;
mod facts;
mod files;
mod fixed_inputs;
mod forking;
mod format;
mod load;
mod measure;
mod native_runs;
mod output;
mod portfolio;
mod prepare;
mod properties;
mod query_time;
mod replay;
mod same_names;
mod scan;
mod scratch;
mod session;
mod share;
mod solvers;
mod stack;
mod suite;
mod suite_text;
pub mod supervise;
mod verify;
mod witness;
mod witness_check;
mod write;

pub use answer::{Conclusion, Verified};
pub use config::{
    AUTO, DashOptions, ExploreOptions, FloatEncoding, InductionOptions, InputConfig, Optimisation, ReplayConfig, TestConfig,
    UnwindingOptions, VerifyConfig,
};
pub use distribute::{Per, PlanConfig, Planned, Ran, RunConfig, SplitConfig, merge, plan, run_task, split};
pub use doctor::{Diagnosis, doctor};
pub use engine_table::engine_table;
pub use engines::check_engine;
pub use error::Error;
pub use fathom_base::{did_you_mean, snippet};
pub use fathom_distribute::{JobFormat, Merged, PlanError};
pub use fathom_engine::Progress;
pub use fathom_engine_bmc::{Purpose, WhenBounded};
pub use fathom_frontend_llvm::{Arguments, DataModel, Environment, SymbolicTexts};
pub use fathom_ir::{MemoryModel, Program, Property};
pub use fathom_machine::SeedInputs;
pub use fathom_native::RunOutcome;
pub use fathom_passes::{Share, Undefined};
pub use fathom_report::{ErrorKind, ErrorReport, Palette, Report, RunInfo, TextOptions, UnknownKind, Width, WitnessReport, WitnessStatus};
pub use fathom_scan::{
    FunctionRow, Known, ScanReport, VerdictKind, function_rows, render_functions, render_html as scan_html, render_json as scan_json,
    render_sarif as scan_sarif, render_text as scan_text,
};
pub use fathom_search::Searcher;
pub use fathom_smt::FixedPoint;
pub use fathom_suite::testcomp::Goal;
pub use fathom_unroll::{LoopBound, Merging};
pub use fathom_witness::Form as WitnessForm;
pub use format::Format;
pub use load::{harness, load, loop_invariants, program_text};
pub use output::remove_unfinished;
pub use properties::check_property;
pub use replay::{REPLAY_OVERHEAD, Replayed, inputs_of_test, replay};
pub use scan::{ScanConfig, scan};
pub use session::{Listener, Session, Standing};
pub use solvers::solver_list;
pub use suite::{TestSuite, test};
pub use verify::{verify, with_other_solver};
pub use witness_check::validate;
pub use write::{remove_parts, write_whole};

/// The report about an answer; `options` are for text.
pub fn report(verified: &Verified, format: Format, options: TextOptions) -> String {
    render(&verified.report, format, options)
}

/// A report as text for a terminal, in these styles.
pub fn render_styled(report: &Report, options: TextOptions, palette: &Palette) -> String {
    fathom_report::render_styled_text(report, options, palette)
}

/// A report in one of its formats; `options` are for text.
pub fn render(report: &Report, format: Format, options: TextOptions) -> String {
    match format {
        Format::Text => fathom_report::render_text(report, options),
        Format::Json => fathom_report::render_json(report),
        Format::Sarif => fathom_report::render_sarif(report),
        Format::Junit => fathom_report::render_junit(report),
        Format::Github => fathom_report::render_github(report),
        Format::Gitlab => fathom_report::render_gitlab(report),
        Format::Html => fathom_report::render_html(report),
    }
}
