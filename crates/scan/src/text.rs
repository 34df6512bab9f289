//! A scan as text: a line per alarm, by verdict and file, with the evidence below, then counts.

use crate::alarm::{Alarm, INTERVALS};
use crate::report::{Finding, ScanReport};
use crate::verdict::VerdictKind;
use std::collections::BTreeMap;
use std::fmt::Write;

/// More inputs than this are not worth a line.
const FEW_INPUTS: usize = 8;

/// The report as text. With `all`, also what verdicts rest on, and functions.
pub fn render_text(report: &ScanReport, all: bool) -> String {
    let mut out = String::new();
    for kind in VerdictKind::ALL {
        let found: Vec<&Finding> = report.findings.iter().filter(|finding| finding.verdict.kind == kind).collect();
        if found.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}: {}", capitalised(kind.name()), kind.meaning());
        let mut file = "";
        for group in grouped(&found, all) {
            let finding = group[0];
            if finding.alarm.place.file != file {
                file = &finding.alarm.place.file;
                let _ = writeln!(out, "  {}", report.shown(file));
            }
            match group.len() {
                1 => tell(&mut out, finding, all),
                _ => tell_group(&mut out, &group),
            }
        }
        out.push('\n');
    }
    for (file, why) in &report.failed {
        let _ = writeln!(out, "not scanned: {}: {}", report.shown(file), why.lines().next().unwrap_or_default());
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    functions(&mut out, report, all);
    let crate::report::Times { analyzer, paths, total } = report.times;
    let _ = writeln!(out, "{} files, {} alarms{}", report.files.len(), report.findings.len(), of_baseline(report));
    let _ = writeln!(out, "{} results from the store, {} new", report.store.taken, report.store.made);
    let _ = writeln!(out, "{total:.1} s; clang's analyzer {analyzer:.1} s, reported paths {paths:.1} s of computing time");
    out
}

fn of_baseline(report: &ScanReport) -> String {
    if report.known == 0 { String::new() } else { format!(" beside {} that the baseline knows", report.known) }
}

/// Alarms in their order. Those that are many, as nothing but intervals stands behind them, are told together, for each function and
/// property, unless everything is to be told.
fn grouped<'a>(found: &[&'a Finding], all: bool) -> Vec<Vec<&'a Finding>> {
    let key = |finding: &'a Finding| {
        let Alarm { tool, rule, place, function, .. } = &finding.alarm;
        (tool == INTERVALS && !all).then_some((place.file.as_str(), function.as_deref(), rule.as_str()))
    };
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut known = BTreeMap::new();
    for finding in found {
        let Some(key) = key(finding) else {
            groups.push(vec![finding]);
            continue;
        };
        match known.get(&key) {
            Some(&group) => Vec::push(&mut groups[group], *finding),
            None => {
                known.insert(key, groups.len());
                groups.push(vec![finding]);
            }
        }
    }
    groups
}

/// More lines than this are only counted.
const FEW_LINES: usize = 6;

fn tell_group(out: &mut String, group: &[&Finding]) {
    let Finding { alarm, verdict, .. } = group[0];
    let lines: Vec<String> = group.iter().take(FEW_LINES).map(|finding| finding.alarm.place.line.to_string()).collect();
    let more = match group.len().saturating_sub(FEW_LINES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let function = alarm.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
    let _ = writeln!(out, "    lines {}{more}{function}: {} [{}, {}]", lines.join(", "), alarm.message, alarm.tool, alarm.rule);
    let _ = writeln!(out, "      {}", verdict.reason);
}

fn tell(out: &mut String, finding: &Finding, all: bool) {
    let alarm = &finding.alarm;
    let function = alarm.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
    let (line, column) = (alarm.place.line, alarm.place.column);
    let _ = writeln!(out, "    {line}:{column}{function}: {} [{}, {}]", alarm.message, alarm.tool, alarm.rule);
    let _ = writeln!(out, "      {}", finding.verdict.reason);
    if let Some(evidence) = &finding.verdict.evidence {
        let inputs = evidence.shown_inputs(FEW_INPUTS);
        if !inputs.is_empty() {
            let _ = writeln!(out, "      with {inputs}");
        }
        if let Some(file) = &evidence.file {
            let _ = writeln!(out, "      driver: {file}");
        }
    }
    if let Some(precondition) = &finding.verdict.precondition {
        let _ = writeln!(out, "      impossible if {precondition}");
    }
    if all {
        for assumption in &finding.verdict.assumptions {
            let _ = writeln!(out, "      assuming: {assumption}");
        }
    }
}

fn functions(out: &mut String, report: &ScanReport, all: bool) {
    if report.functions.is_empty() {
        return;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    report.functions.iter().for_each(|function| *counts.entry(function.status.as_str()).or_default() += 1);
    let told: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    let _ = writeln!(out, "{} functions as entries: {}", report.functions.len(), told.join(", "));
    for function in report.functions.iter().filter(|_| all) {
        let file = report.shown(&function.file);
        let _ = writeln!(out, "  {file}:{} {}: {} ({})", function.line, function.name, function.status, function.reason);
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
