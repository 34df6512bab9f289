//! Reports as text and JSON. `model` turns an outcome and its replays into plain data, once; `text` and the JSON printer
//! below only lay that data out, so both always say the same.

mod grouping;
mod model;
mod source;
mod text;
mod trace;
mod trace_text;
mod tree;
mod values;

pub use model::{
    Described, InputReport, PlaceReport, PropertyReport, Report, RunInfo, StepReport, TargetReport, UnknownKind, ViolationReport, describe,
    main_unknown, overall,
};
pub use text::{TextOptions, render_text};
pub use tree::{tree_dot, tree_html};
pub use values::{c_input, c_value};

/// The report as JSON: one object, fields in a fixed order, a newline at the end.
pub fn render_json(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    json.push('\n');
    json
}
