//! Reports as text, JSON, SARIF, JUnit XML, GitHub annotations, GitLab Code Quality and HTML. `model` turns an outcome and
//! its replays into plain data, once; the other modules only format that data, so that all formats agree. `failure` makes
//! a report of a run without an answer.

mod answered;
mod claims;
mod columns;
mod coverage;
mod coverage_page;
mod failure;
mod github;
mod gitlab;
mod grouping;
mod html;
mod junit;
mod markup;
mod model;
mod palette;
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
mod violation;
mod visits;

pub use answered::Answered;
pub use claims::{ClaimKind, ClaimReport, ProofReport, UntoldReport};
pub use coverage::CoverageReport;
pub use coverage_page::coverage_page;
pub use failure::{ErrorKind, ErrorReport};
pub use github::render_github;
pub use gitlab::render_gitlab;
pub use html::render_html;
pub use junit::render_junit;
pub use markup::{html_text, xml_text};
pub use model::{
    AccessReport, BytesReport, Described, HeldReport, InputReport, MemberReport, ObjectReport, PartReport, PlaceReport, PropertyReport,
    Report, RunInfo, ShareReport, StepReport, TargetReport, UnknownKind, ViolationReport, describe, main_unknown, overall,
};
pub use palette::Palette;
pub use sarif::render_sarif;
pub use text::{TextOptions, Width, render_styled_text, render_text};
pub use tree::{tree_dot, tree_html};
pub use uri::uri;
pub use validation::{WitnessReport, WitnessStatus};
pub use values::{c_input, c_value};

/// The report as JSON: one object, fields in a fixed order, a newline at the end.
pub fn render_json(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    json.push('\n');
    json
}
