//! The report as text, for a reader who knows C but not Fathom: what went wrong and where, the inputs that lead there,
//! then the trace (`trace_text`). Long traces are shortened in the middle; the JSON form keeps every step.

use crate::answered::Answered;
use crate::claims::proof_text;
use crate::grouping::{grouped, scope_text};
use crate::model::{InputReport, PlaceReport, PropertyReport, Report, TargetReport, ViolationReport};
use crate::palette::Palette;
use crate::trace_text::{short, trace_lines};
use fathom_base::name_in_source;
use std::fmt::Write;

const FIRST_LINES: usize = 60;
const LAST_LINES: usize = 140;
const INPUTS_SHOWN: usize = 200;
const TRACE_INDENT: &str = "    ";
/// How the procedure ends that calls an entry other than main.
const CALLER: &str = ".caller";
/// Recursive calls that are listed one by one.
const MANY_CALLS: usize = 10;

/// What is shown in addition to the answers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Counters and times.
    pub statistics: bool,
    /// Steps of traces that do not influence the failure, and every iteration.
    pub full_trace: bool,
    /// What proofs rest on.
    pub explain: bool,
    /// Characters of a line, for what can be laid out in columns.
    pub width: Width,
}

/// How many characters fit on a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Width(pub usize);

impl Default for Width {
    /// What most readers of files and logs have.
    fn default() -> Self {
        Width(120)
    }
}

/// Everything but the verdict line, which the command line prints last.
pub fn render_text(report: &Report, options: TextOptions) -> String {
    render_styled_text(report, options, &Palette::default())
}

/// The same in these styles.
pub fn render_styled_text(report: &Report, options: TextOptions, palette: &Palette) -> String {
    let mut out = String::new();
    let (open, strong) = (palette.open, palette.strong);
    for warning in &report.warnings {
        let _ = writeln!(out, "{open}warning{open:#}: {warning}");
    }
    for (names, property) in grouped(report) {
        property_text(&mut out, &names, property, &report.run.engine, options, palette);
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
        let _ = writeln!(out, "{strong}This answer assumes:{strong:#}");
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
fn property_text(out: &mut String, names: &str, property: &PropertyReport, engines: &str, options: TextOptions, palette: &Palette) {
    let (strong, bad) = (palette.strong, palette.bad);
    let by = property.engine.as_deref().filter(|engine| *engine != engines).map(|engine| format!(" [{engine}]")).unwrap_or_default();
    match (&property.violation, &property.reason) {
        (Some(violation), _) => {
            let _ = writeln!(out, "{strong}{}{strong:#}: {bad}violated{bad:#}{by}", property.property);
            violation_text(out, violation, property, options, palette);
        }
        (None, reason) => {
            let word = match (property.verdict, names.contains(',')) {
                (Answered::Proved, true) => "hold",
                (Answered::Proved, false) => "holds",
                (Answered::ProvedWithinBounds, true) => "hold within bounds",
                (Answered::ProvedWithinBounds, false) => "holds within bounds",
                (Answered::Violated | Answered::Unknown, _) => "unknown",
            };
            let reason = reason.as_deref().map(|r| format!(": {r}")).unwrap_or_default();
            let style = palette.of_verdict(property.verdict.word());
            let _ = writeln!(out, "{strong}{names}{strong:#}: {style}{word}{style:#}{by}{reason}");
            certificate_text(out, property);
            if let Some(proof) = property.proof.as_ref().filter(|_| options.explain) {
                proof_text(out, proof);
            }
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

fn violation_text(out: &mut String, violation: &ViolationReport, property: &PropertyReport, options: TextOptions, palette: &Palette) {
    let full = options.full_trace;
    let (strong, place) = (palette.strong, palette.place);
    let _ = writeln!(out, "  {strong}{}{strong:#}", violation.message);
    for line in &violation.cause {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "  at {place}{}{place:#}", where_text(&violation.place));
    if let Some(text) = &violation.place.text {
        let _ = writeln!(out, "     {text}");
    }
    if !violation.stack.is_empty() {
        let _ = writeln!(out, "  in {}", calls_text(&violation.stack));
    }
    certificate_text(out, property);
    inputs_text(out, &violation.inputs, palette);
    if !violation.functions.is_empty() {
        let _ = writeln!(out, "  Functions, where it matters:");
        for function in violation.functions.iter().take(INPUTS_SHOWN) {
            let _ = writeln!(out, "    {function}");
        }
    }
    let lines = trace_lines(violation, full, options.width.0.saturating_sub(TRACE_INDENT.len()));
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "  {strong}Trace:{strong:#}");
    let cut = !full && lines.len() > FIRST_LINES + LAST_LINES;
    for (index, line) in lines.iter().enumerate() {
        if cut && index == FIRST_LINES {
            let left_out = lines.len() - FIRST_LINES - LAST_LINES;
            let _ = writeln!(out, "{TRACE_INDENT}... {left_out} lines left out; --full-trace shows them all");
        }
        if !cut || index < FIRST_LINES || index >= lines.len() - LAST_LINES {
            let _ = writeln!(out, "{TRACE_INDENT}{line}");
        }
    }
}

fn inputs_text(out: &mut String, inputs: &[InputReport], palette: &Palette) {
    let strong = palette.strong;
    let asked: Vec<&InputReport> = inputs.iter().filter(|input| !input.source.is_empty()).collect();
    if asked.is_empty() {
        let _ = writeln!(out, "  It needs no input.");
        return;
    }
    let _ = writeln!(out, "  {strong}Inputs, in order:{strong:#}");
    for (index, input) in asked.iter().take(INPUTS_SHOWN).enumerate() {
        let place = if input.place.line == 0 { String::new() } else { format!("   ({})", short(&input.place)) };
        let _ = writeln!(out, "    {}. {}{place}", index + 1, input.shown());
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

/// The functions that are active, innermost first. Where one calls itself again and again, that is said once.
fn calls_text(stack: &[String]) -> String {
    // It is not the user's.
    let stack = match stack.split_last() {
        Some((outermost, rest)) if outermost.ends_with(CALLER) => rest,
        _ => stack,
    };
    let parts = stack.chunk_by(|one, other| one == other).flat_map(|same| {
        let name = name_in_source(&same[0]);
        match same.len() {
            0..MANY_CALLS => vec![name; same.len()],
            _ => vec![name.clone(), format!("{name} again and again")],
        }
    });
    parts.collect::<Vec<String>>().join(", called from ")
}
