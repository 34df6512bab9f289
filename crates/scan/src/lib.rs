//! Alarms and their verdicts, as plain data. An analyser reports suspected faults ([`Alarm`]); each gets a [`Verdict`];
//! a [`ScanReport`] lists both, in formats for people and for programs. Nothing here runs a program or asks a solver:
//! the driver decides alarms, following Algorithm 5.1 of the ESBMC thesis (an analyser raises alarms, a solver refutes
//! those whose path is infeasible).

mod alarm;
mod baseline;
mod functions;
mod html;
mod report;
mod rules;
mod sarif_in;
mod sarif_out;
mod store;
mod text;
mod verdict;

pub use alarm::{Alarm, FlowStep, INTERVALS, Place};
pub use baseline::known_fingerprints;
pub use functions::{FunctionRow, Known, function_rows, render_functions};
pub use html::render_html;
pub use report::{Finding, FunctionReport, ScanReport, StoreUse, Times, fingerprint, render_json};
pub use rules::{Class, class_of, class_of_property};
pub use sarif_in::read_sarif;
pub use sarif_out::render_sarif;
pub use store::{Store, digest};
pub use text::render_text;
pub use verdict::{Evidence, Verdict, VerdictKind};
