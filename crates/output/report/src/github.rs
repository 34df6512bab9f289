//! The report as annotations of GitHub Actions: lines in the log that GitHub shows next to the source. A violation is
//! an error at its location, an undecided property a warning.

use crate::model::{PropertyReport, Report, UnknownKind};

/// A line per violation and per property that was not decided.
pub fn render_github(report: &Report) -> String {
    let mut lines: String = report.properties.iter().filter_map(annotation).collect();
    if let Some(error) = &report.error {
        lines += &line("error", &[("title", "fathom")], &format!("{}: {}", report.verdict, error.message));
    }
    lines
}

fn annotation(property: &PropertyReport) -> Option<String> {
    let title = format!("fathom: {}", property.property);
    let Some(violation) = &property.violation else {
        let told = property.unknown.filter(|&kind| kind != UnknownKind::NotReached)?;
        let reason = property.reason.clone().unwrap_or_else(|| format!("{told:?}"));
        return Some(line("warning", &[("title", &title)], &format!("{} was not decided: {reason}", property.property)));
    };
    let mut message = violation.message.clone();
    for input in violation.inputs.iter().filter(|input| !input.source.is_empty()) {
        message += &format!("\n{}", input.shown());
    }
    let (row, column) = (violation.place.line.to_string(), violation.place.column.to_string());
    let mut about: Vec<(&str, &str)> = Vec::new();
    if let Some(file) = violation.place.file.as_deref().filter(|_| violation.place.line > 0) {
        about.extend([("file", file), ("line", row.as_str())]);
        about.extend((violation.place.column > 0).then_some(("col", column.as_str())));
    }
    about.push(("title", &title));
    Some(line("error", &about, &message))
}

/// `::error file=a.c,line=3::message`, escaped as the runner's toolkit does.
fn line(command: &str, about: &[(&str, &str)], message: &str) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let about: Vec<String> =
        about.iter().map(|(name, value)| format!("{name}={}", escaped(value).replace(':', "%3A").replace(',', "%2C"))).collect();
    format!("::{command} {}::{}\n", about.join(","), escaped(message.trim_end()))
}
