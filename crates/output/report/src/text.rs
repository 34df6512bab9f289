//! The report for a reader who knows C and nothing of Fathom: what went wrong and where, the inputs that make it happen,
//! then the trace, one source line at a time with the values that changed on it. Long traces are shortened in the
//! middle; the JSON form keeps every step.

use crate::grouping::{grouped, scope_text};
use crate::model::{InputReport, PlaceReport, PropertyReport, Report, StepReport, TargetReport, ViolationReport};
use fathom_base::name_in_source;
use std::collections::BTreeMap;
use std::fmt::Write;

const FIRST_LINES: usize = 60;
const LAST_LINES: usize = 140;
const INPUTS_SHOWN: usize = 200;

/// Everything but the verdict line, which the command line prints last.
pub fn render_text(report: &Report, with_statistics: bool) -> String {
    let mut out = String::new();
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    for (names, property) in grouped(report) {
        property_text(&mut out, &names, property, &report.run.engine);
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
    if with_statistics {
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
fn property_text(out: &mut String, names: &str, property: &PropertyReport, engines: &str) {
    let by = property.engine.as_deref().filter(|engine| *engine != engines).map(|engine| format!(" [{engine}]")).unwrap_or_default();
    match (&property.violation, &property.reason) {
        (Some(violation), _) => {
            let _ = writeln!(out, "{}: violated{by}", property.property);
            violation_text(out, violation, property);
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

fn violation_text(out: &mut String, violation: &ViolationReport, property: &PropertyReport) {
    let _ = writeln!(out, "  {}", violation.message);
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
    let lines = trace_lines(violation);
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "  The way there:");
    let cut = lines.len() > FIRST_LINES + LAST_LINES;
    for (index, line) in lines.iter().enumerate() {
        if cut && index == FIRST_LINES {
            let left_out = lines.len() - FIRST_LINES - LAST_LINES;
            let _ = writeln!(out, "    ... {left_out} lines left out; --json has them all");
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

/// One line per visit of a source line, with everything that happened on it.
struct Visit<'a> {
    place: &'a PlaceReport,
    depth: usize,
    notes: Vec<String>,
}

fn trace_lines(violation: &ViolationReport) -> Vec<String> {
    let mut lines = Vec::new();
    let mut visit: Option<Visit<'_>> = None;
    let mut teller = Teller::new(violation);
    for step in &violation.steps {
        match step {
            StepReport::Enter { function, .. } => {
                flush(&mut lines, visit.take());
                lines.push(format!("{}{} starts", indent(teller.depth()), name_in_source(function)));
                teller.known.push(BTreeMap::new());
            }
            StepReport::Leave { function, .. } => {
                flush(&mut lines, visit.take());
                teller.leave();
                lines.push(format!("{}{} returns", indent(teller.depth()), name_in_source(function)));
            }
            StepReport::Thread { number, function, .. } => {
                flush(&mut lines, visit.take());
                teller.switch(*number);
                lines.push(format!("-- thread {number} ({}) goes on", name_in_source(function)));
            }
            StepReport::Value { .. } | StepReport::Input { .. } | StepReport::Branch { .. } => {
                let place = step.place();
                let note = teller.note(step);
                // What the compiler gave no line for happened wherever we are.
                let same = place.file.is_none() || visit.as_ref().is_some_and(|v| v.place.line == place.line && v.place.file == place.file);
                if !same {
                    flush(&mut lines, visit.take());
                }
                let current = visit.get_or_insert(Visit { place, depth: teller.depth(), notes: Vec::new() });
                current.notes.extend(note);
            }
        }
    }
    flush(&mut lines, visit);
    lines
}

/// Keeps track of the values that were already printed: a value is printed when it changes.
struct Teller<'a> {
    inputs: &'a [InputReport],
    /// The number of each input among those that people are shown.
    ranks: Vec<usize>,
    /// Variables and their values, a map for every active function.
    known: Vec<BTreeMap<&'a str, &'a str>>,
    /// The current thread, and the values printed in the others.
    thread: u32,
    others: BTreeMap<u32, Vec<BTreeMap<&'a str, &'a str>>>,
}

impl<'a> Teller<'a> {
    fn new(violation: &'a ViolationReport) -> Self {
        let count = |asked: &mut usize, input: &InputReport| {
            *asked += usize::from(!input.source.is_empty());
            Some(*asked)
        };
        let ranks = violation.inputs.iter().scan(0, count).collect();
        Self { inputs: &violation.inputs, ranks, known: vec![BTreeMap::new()], thread: 1, others: BTreeMap::new() }
    }

    fn switch(&mut self, thread: u32) {
        let known = self.others.remove(&thread).unwrap_or_else(|| vec![BTreeMap::new()]);
        let left = std::mem::replace(&mut self.known, known);
        self.others.insert(std::mem::replace(&mut self.thread, thread), left);
    }

    fn depth(&self) -> usize {
        self.known.len() - 1
    }

    fn leave(&mut self) {
        if self.known.len() > 1 {
            self.known.pop();
        }
    }

    /// A branch has no note: the lines that follow show which way it went, and the compiler may have turned the
    /// condition round.
    fn note(&mut self, step: &'a StepReport) -> Option<String> {
        match step {
            StepReport::Value { variable, type_name, .. } if type_name == "sourceloc" => Some(format!("({variable})")),
            StepReport::Value { variable, value, .. } => {
                let before = self.known.last_mut()?.insert(variable, value);
                (before != Some(value)).then(|| format!("{variable} = {value}"))
            }
            StepReport::Input { number, .. } => {
                let input = self.inputs.get(number - 1).filter(|input| !input.source.is_empty())?;
                Some(format!("input {} = {}", self.ranks[number - 1], input.value))
            }
            StepReport::Enter { .. } | StepReport::Leave { .. } => None,
            StepReport::Thread { .. } | StepReport::Branch { .. } => None,
        }
    }
}

fn flush(lines: &mut Vec<String>, visit: Option<Visit<'_>>) {
    let Some(visit) = visit else { return };
    let pad = indent(visit.depth);
    match (&visit.place.file, &visit.place.text) {
        (None, _) => {}
        (_, Some(text)) => lines.push(format!("{pad}{}: {text}", short(visit.place))),
        (_, None) => lines.push(format!("{pad}{}:", short(visit.place))),
    }
    for note in visit.notes {
        lines.push(format!("{pad}    {note}"));
    }
}

/// Recursion a thousand calls deep must not push the text off the page.
fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(12))
}

fn where_text(place: &PlaceReport) -> String {
    match &place.file {
        Some(file) => format!("{file}:{}:{}", place.line, place.column),
        None => "an unknown place".into(),
    }
}

fn short(place: &PlaceReport) -> String {
    match &place.file {
        Some(file) => {
            let name = std::path::Path::new(file).file_name().map(|n| n.to_string_lossy().into_owned());
            format!("{}:{}", name.unwrap_or_else(|| file.clone()), place.line)
        }
        None => "?".into(),
    }
}
