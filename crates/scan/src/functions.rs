//! A table of the functions of a library with the result for each: proved, proved within bounds, needs a precondition,
//! violated or open. It shows by function what the findings show by location.

use crate::report::{FunctionReport, ScanReport};
use crate::verdict::VerdictKind;

/// What is known of a function.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// A run violates a property, and no condition on the arguments was found that makes that impossible.
    Violated,
    /// The same, and under a condition on the arguments it can't happen.
    NeedsPrecondition,
    /// Not decided.
    Open,
    /// Proved for the arguments within bounds.
    ProvedWithinBounds,
    /// Right.
    Proved,
}

impl Known {
    /// In the order of the table.
    pub const ALL: [Known; 5] = [Known::Violated, Known::NeedsPrecondition, Known::Open, Known::ProvedWithinBounds, Known::Proved];

    /// So many functions of this kind, in words.
    fn counted(self, count: usize) -> String {
        match self {
            Known::NeedsPrecondition if count != 1 => format!("{count} need a precondition"),
            other => format!("{count} {}", other.text()),
        }
    }

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Known::Violated => "violated",
            Known::NeedsPrecondition => "needs a precondition",
            Known::Open => "open",
            Known::ProvedWithinBounds => "proved within bounds",
            Known::Proved => "proved",
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRow {
    /// What is known.
    pub known: Known,
    /// The function.
    pub name: String,
    /// Where it begins, as `file:line`.
    pub place: String,
    /// What goes wrong where, under which condition it can't, or why it is open.
    pub details: Vec<String>,
    /// Properties that are violated.
    pub properties: Vec<String>,
}

/// All functions that were entries, those first that need attention.
pub fn function_rows(report: &ScanReport) -> Vec<FunctionRow> {
    let mut rows: Vec<FunctionRow> = report.functions.iter().map(|function| row(report, function)).collect();
    rows.sort_by(|a, b| (a.known, &a.place, &a.name).cmp(&(b.known, &b.place, &b.name)));
    rows
}

fn row(report: &ScanReport, function: &FunctionReport) -> FunctionRow {
    let place = format!("{}:{}", shown(report, &function.file), function.line);
    let mut row = FunctionRow { known: Known::Open, name: function.name.clone(), place, details: Vec::new(), properties: Vec::new() };
    let mut all_have_conditions = true;
    for finding in &report.findings {
        let Some(evidence) = &finding.verdict.evidence else { continue };
        let is_shown = matches!(finding.verdict.kind, VerdictKind::Confirmed | VerdictKind::ConfirmedForCaller);
        if evidence.entry != function.name || !is_shown {
            continue;
        }
        let place = format!("{}:{}", shown(report, &finding.alarm.place.file), finding.alarm.place.line);
        let what = format!("{}: {} at {place}", evidence.property, evidence.message);
        row.details.push(match &finding.verdict.precondition {
            Some(condition) => format!("{condition}; otherwise {what}"),
            None => what,
        });
        all_have_conditions &= finding.verdict.precondition.is_some();
        row.properties.push(evidence.property.clone());
    }
    row.known = match function.status.as_str() {
        _ if !row.details.is_empty() && all_have_conditions => Known::NeedsPrecondition,
        _ if !row.details.is_empty() => Known::Violated,
        "proved" => Known::Proved,
        "proved within bounds" => Known::ProvedWithinBounds,
        // Another entry shows the same place: the finding names that one.
        "violated" => Known::Violated,
        _ => Known::Open,
    };
    if row.details.is_empty() && !matches!(row.known, Known::Proved | Known::ProvedWithinBounds) {
        row.details.push(function.reason.clone());
    }
    row
}

fn shown<'a>(report: &ScanReport, file: &'a str) -> &'a str {
    file.strip_prefix(&report.root).map_or(file, |rest| rest.trim_start_matches('/'))
}

/// The table as text.
pub fn render_functions(report: &ScanReport) -> String {
    let rows = function_rows(report);
    let width = |cell: fn(&FunctionRow) -> usize| rows.iter().map(cell).max().unwrap_or(0);
    let (status, name) = (width(|row| row.known.text().len()), width(|row| row.name.len()));
    let mut text = String::new();
    for row in &rows {
        text.push_str(&format!("{:status$}  {:name$}  {}\n", row.known.text(), row.name, row.place));
        row.details.iter().for_each(|detail| text.push_str(&format!("{:status$}    {detail}\n", "")));
    }
    for (file, why) in &report.failed {
        text.push_str(&format!("could not be read: {file}: {why}\n"));
    }
    let counts: Vec<String> = Known::ALL
        .into_iter()
        .map(|known| (known, rows.iter().filter(|row| row.known == known).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(known, count)| known.counted(count))
        .collect();
    let taken = report.store.taken;
    let store = if taken > 0 { format!("; {taken} results from the store") } else { String::new() };
    text.push_str(&format!("\n{} functions: {} in {:.1} s{store}\n", rows.len(), counts.join(", "), report.times.total));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alarm::Alarm;
    use crate::{Class, Evidence, Finding, Place, Verdict};

    fn function(name: &str, status: &str) -> FunctionReport {
        FunctionReport { name: name.into(), file: "/r/a.c".into(), line: 3, status: status.into(), reason: "time".into() }
    }

    fn finding(entry: &str, precondition: Option<&str>) -> Finding {
        let evidence = Evidence { entry: entry.into(), property: "no-overflow".into(), message: "overflow".into(), ..Evidence::default() };
        let verdict = Verdict {
            kind: VerdictKind::ConfirmedForCaller,
            evidence: Some(evidence),
            precondition: precondition.map(str::to_string),
            ..Verdict::open("")
        };
        let alarm = Alarm {
            tool: "fathom".into(),
            rule: "no-overflow".into(),
            class: Class::Other,
            place: Place::default(),
            function: None,
            message: String::new(),
            flow: Vec::new(),
        };
        Finding { alarm, verdict, fingerprint: String::new() }
    }

    #[test]
    fn rows_say_what_findings_say() {
        let functions =
            ["proved", "violated", "violated", "open"].iter().zip(["a", "b", "c", "d"]).map(|(status, name)| function(name, status));
        let report = ScanReport {
            root: "/r".into(),
            functions: functions.collect(),
            findings: vec![finding("b", Some("x > 0")), finding("c", Some("x > 0")), finding("c", None)],
            ..ScanReport::default()
        };
        let rows = function_rows(&report);
        let told: Vec<(&str, Known)> = rows.iter().map(|row| (row.name.as_str(), row.known)).collect();
        assert_eq!(told, [("c", Known::Violated), ("b", Known::NeedsPrecondition), ("d", Known::Open), ("a", Known::Proved)]);
        let text = render_functions(&report);
        assert!(
            text.contains("a.c:3") && text.contains("x > 0; otherwise no-overflow: overflow") && text.contains("1 needs a precondition")
        );
    }
}
