//! A scan as a single, self-contained HTML page: a table of alarms by verdict, each with its path and its evidence,
//! which can be unfolded.

use crate::report::{Finding, ScanReport};
use crate::verdict::VerdictKind;
use fathom_report::html_text;
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}\
    h2{margin-top:2em}details{border-bottom:1px solid #ddd;padding:.4em 0}summary{cursor:pointer}\
    code,pre{font:13px/1.4 ui-monospace,monospace}pre{background:#f6f6f6;padding:.7em;overflow:auto}\
    .confirmed{color:#b00020}.confirmed-for-a-caller{color:#b35900}.open{color:#555}.refuted{color:#1b6e2d}.refuted-within-bounds{color:#1b6e2d}\
    @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}details{border-color:#444}}";

/// The report as a page.
pub fn render_html(report: &ScanReport) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fathom scan</title><style>{STYLE}</style></head><body>\n\
         <h1>Fathom scan</h1>\n<p>{} files, {} alarms: {}.</p>\n",
        report.files.len(),
        report.findings.len(),
        html_text(&report.summary()),
    );
    for kind in VerdictKind::ALL {
        let found: Vec<&Finding> = report.findings.iter().filter(|finding| finding.verdict.kind == kind).collect();
        if found.is_empty() {
            continue;
        }
        let class = kind.name().replace(' ', "-");
        let _ = writeln!(page, "<h2 class=\"{class}\">{} {}</h2>\n<p>{}</p>", found.len(), kind.name(), kind.meaning());
        found.into_iter().for_each(|finding| tell(&mut page, report, finding));
    }
    list(&mut page, "Not scanned", report.failed.iter().map(|(file, why)| format!("{}: {why}", report.shown(file))));
    list(&mut page, "Warnings", report.warnings.iter().cloned());
    let functions = report.functions.iter();
    list(
        &mut page,
        "Functions as entries",
        functions.map(|f| format!("{}:{} {}: {} ({})", report.shown(&f.file), f.line, f.name, f.status, f.reason)),
    );
    page.push_str("</body></html>\n");
    page
}

fn tell(page: &mut String, report: &ScanReport, finding: &Finding) {
    let Finding { alarm, verdict, .. } = finding;
    let function = alarm.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
    let place = format!("{}:{}:{}{function}", report.shown(&alarm.place.file), alarm.place.line, alarm.place.column);
    let _ = write!(
        page,
        "<details><summary><code>{}</code> {} <small>{} {}</small></summary>\n<p>{}</p>\n",
        html_text(&place),
        html_text(&alarm.message),
        html_text(&alarm.tool),
        html_text(&alarm.rule),
        html_text(&verdict.reason),
    );
    if let Some(precondition) = &verdict.precondition {
        let _ = writeln!(page, "<p>Impossible if <code>{}</code>.</p>", html_text(precondition));
    }
    if let Some(evidence) = &verdict.evidence {
        let _ = writeln!(page, "<p>{}; {}</p>", html_text(&evidence.message), html_text(&evidence.native));
        let _ = writeln!(page, "<p>Inputs: {}</p>", html_text(&evidence.shown_inputs(usize::MAX)));
        let _ = writeln!(page, "<details><summary>Driver</summary><pre>{}</pre></details>", html_text(&evidence.driver));
    }
    if !alarm.flow.is_empty() {
        page.push_str("<ol>\n");
        for step in &alarm.flow {
            let place = format!("{}:{}", report.shown(&step.place.file), step.place.line);
            let _ = writeln!(page, "<li><code>{}</code> {}</li>", html_text(&place), html_text(&step.message));
        }
        page.push_str("</ol>\n");
    }
    list(page, "", verdict.assumptions.iter().map(|assumption| format!("assuming: {assumption}")));
    page.push_str("</details>\n");
}

fn list(page: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.map(|item| format!("<li>{}</li>", html_text(&item))).collect();
    if items.is_empty() {
        return;
    }
    if !title.is_empty() {
        let _ = writeln!(page, "<h2>{title}</h2>");
    }
    let _ = writeln!(page, "<ul>{}</ul>", items.join("\n"));
}
