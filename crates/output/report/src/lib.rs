//! Reports as text, JSON, SARIF, JUnit XML and GitHub annotations. `model` turns an outcome and its replays into plain data,
//! once; the others only lay that data out, so all always say the same. `failure` makes a report of a run that came to no
//! answer.

mod coverage_page;
mod failure;
mod github;
mod grouping;
mod junit;
mod model;
mod rules;
mod sarif;
mod source;
mod text;
mod trace;
mod trace_text;
mod tree;
mod uri;
mod validation;
mod values;

pub use coverage_page::coverage_page;
pub use failure::{ErrorKind, ErrorReport};
pub use github::render_github;
pub use junit::render_junit;
pub use model::{
    Described, InputReport, PlaceReport, PropertyReport, Report, RunInfo, StepReport, TargetReport, UnknownKind, ViolationReport, describe,
    main_unknown, overall,
};
pub use sarif::render_sarif;
pub use text::{TextOptions, render_text};
pub use tree::{tree_dot, tree_html};
pub use validation::{WitnessReport, WitnessStatus};
pub use values::{c_input, c_value};

/// The report as JSON: one object, fields in a fixed order, a newline at the end.
pub fn render_json(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    json.push('\n');
    json
}
