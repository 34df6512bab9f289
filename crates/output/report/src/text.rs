//! The report for a reader who knows C and nothing of Fathom: what went wrong and where, the inputs that make it happen,
//! then the trace (`trace_text`). Long traces are shortened in the middle; the JSON form keeps every step.

use crate::grouping::{grouped, scope_text};
use crate::model::{InputReport, PlaceReport, PropertyReport, Report, TargetReport, ViolationReport};
use crate::trace_text::{short, trace_lines};
use fathom_base::name_in_source;
use std::fmt::Write;

const FIRST_LINES: usize = 60;
const LAST_LINES: usize = 140;
const INPUTS_SHOWN: usize = 200;

/// What is told beside the answers.
#[derive(Copy, Clone, Debug, Default)]
pub struct TextOptions {
    /// Counters and times.
    pub statistics: bool,
    /// Steps of traces that do not influence the failure, and every iteration.
    pub full_trace: bool,
}

/// Everything but the verdict line, which the command line prints last.
pub fn render_text(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    for (names, property) in grouped(report) {
        property_text(&mut out, &names, property, (&report.run.engine, options.full_trace));
    }
    scope_text(&mut out, report);
    if !report.summary.is_empty() {
        let _ = writeln!(out, "Paths: {}.", report.summary);
    }
    if !report.engines.is_empty() {
        let _ = writeln!(out, "The engines found:");
        for engine in &report.engines {
            let _ = writeln!(out, "  {engine}");
        }
    }
    if !report.assumptions.is_empty() {
        let _ = writeln!(out, "This answer assumes:");
        for assumption in &report.assumptions {
            let _ = writeln!(out, "  - {assumption}");
        }
    }
    targets_text(&mut out, &report.targets);
    if options.statistics {
        let run = &report.run;
        let _ = writeln!(out, "Statistics ({} with {}, {:.2} s):", run.engine, run.solver, run.seconds);
        for (name, value) in &report.statistics {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    out
}

fn targets_text(out: &mut String, targets: &[TargetReport]) {
    if targets.is_empty() {
        return;
    }
    let count = |status: &str| targets.iter().filter(|target| target.status == status).count();
    let _ = writeln!(out, "Targets: {} reachable, {} unreachable, {} open", count("reachable"), count("unreachable"), count("open"));
    for (number, target) in (1..).zip(targets) {
        let values: Vec<&str> = target.inputs.iter().filter(|input| !input.source.is_empty()).map(|input| input.value.as_str()).collect();
        let shown = values.len().min(INPUTS_SHOWN);
        let more = if values.len() > shown { ", ..." } else { "" };
        let inputs = match target.status == "reachable" {
            true if values.is_empty() => ", replayed without input".to_string(),
            true => format!(", replayed with {}{more}", values[..shown].join(", ")),
            false => String::new(),
        };
        let _ = writeln!(out, "  {number}. {}:{}: {}{inputs}", short(&target.place), target.place.column, target.status);
    }
}

/// Where several engines decided, each answer says whose it is.
fn property_text(out: &mut String, names: &str, property: &PropertyReport, (engines, full): (&str, bool)) {
    let by = property.engine.as_deref().filter(|engine| *engine != engines).map(|engine| format!(" [{engine}]")).unwrap_or_default();
    match (&property.violation, &property.reason) {
        (Some(violation), _) => {
            let _ = writeln!(out, "{}: violated{by}", property.property);
            violation_text(out, violation, property, full);
        }
        (None, reason) => {
            let word = match (property.verdict.as_str(), names.contains(',')) {
                ("true", true) => "hold",
                ("true", false) => "holds",
                _ => "unknown",
            };
            let reason = reason.as_deref().map(|r| format!(": {r}")).unwrap_or_default();
            let _ = writeln!(out, "{names}: {word}{by}{reason}");
            certificate_text(out, property);
        }
    }
}

fn certificate_text(out: &mut String, property: &PropertyReport) {
    if let Some(assurance) = &property.assurance {
        let _ = writeln!(out, "  assurance: {assurance}");
    }
    for certificate in &property.certificates {
        let _ = writeln!(out, "  {certificate}");
    }
}

fn violation_text(out: &mut String, violation: &ViolationReport, property: &PropertyReport, full: bool) {
    let _ = writeln!(out, "  {}", violation.message);
    for line in &violation.cause {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "  at {}", where_text(&violation.place));
    if let Some(text) = &violation.place.text {
        let _ = writeln!(out, "     {text}");
    }
    if !violation.stack.is_empty() {
        let stack: Vec<String> = violation.stack.iter().map(|function| name_in_source(function)).collect();
        let _ = writeln!(out, "  in {}", stack.join(", called from "));
    }
    certificate_text(out, property);
    inputs_text(out, &violation.inputs);
    if !violation.functions.is_empty() {
        let _ = writeln!(out, "  Functions, where it matters:");
        for function in violation.functions.iter().take(INPUTS_SHOWN) {
            let _ = writeln!(out, "    {function}");
        }
    }
    let lines = trace_lines(violation, full);
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "  The way there:");
    let cut = !full && lines.len() > FIRST_LINES + LAST_LINES;
    for (index, line) in lines.iter().enumerate() {
        if cut && index == FIRST_LINES {
            let left_out = lines.len() - FIRST_LINES - LAST_LINES;
            let _ = writeln!(out, "    ... {left_out} lines left out; --full-trace shows them all");
        }
        if !cut || index < FIRST_LINES || index >= lines.len() - LAST_LINES {
            let _ = writeln!(out, "    {line}");
        }
    }
}

fn inputs_text(out: &mut String, inputs: &[InputReport]) {
    let asked: Vec<&InputReport> = inputs.iter().filter(|input| !input.source.is_empty()).collect();
    if asked.is_empty() {
        let _ = writeln!(out, "  It needs no input.");
        return;
    }
    let _ = writeln!(out, "  Inputs, in order:");
    for (index, input) in asked.iter().take(INPUTS_SHOWN).enumerate() {
        let _ = writeln!(out, "    {}. {}() = {}   ({})", index + 1, input.source, input.value, short(&input.place));
    }
    if asked.len() > INPUTS_SHOWN {
        let _ = writeln!(out, "    ... and {} more; --json has them all", asked.len() - INPUTS_SHOWN);
    }
}

fn where_text(place: &PlaceReport) -> String {
    match &place.file {
        Some(file) => format!("{file}:{}:{}", place.line, place.column),
        None => "an unknown place".into(),
    }
}
