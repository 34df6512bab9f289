//! A trace as lines of text: one source line at a time with the values that changed on it, indented by calls. Steps that do not
//! influence the failure are folded, and iterations that pass the same lines are told by the first and the last of them.

use crate::model::{InputReport, LIFETIME, PlaceReport, StepReport, ViolationReport};
use fathom_base::name_in_source;
use std::collections::{BTreeMap, BTreeSet};

/// The longest loop body that is recognised, in lines of the trace.
const LONGEST_PERIOD: usize = 24;
/// Iterations at either end that are told.
const TOLD: usize = 2;
/// Fewer iterations are all told.
const LEAST_ITERATIONS: usize = 6;

/// A line of the source, or a call, with what happened there.
struct Visit {
    /// Equal for visits of the same place.
    key: String,
    lines: Vec<String>,
}

/// The lines of a trace; with those of steps that do not matter if it is to be full.
pub fn trace_lines(violation: &ViolationReport, full: bool) -> Vec<String> {
    let folded: BTreeSet<usize> = if full { BTreeSet::new() } else { violation.irrelevant.iter().copied().collect() };
    let mut writer = Writer::new(violation);
    for (index, step) in violation.steps.iter().enumerate() {
        if violation.skipped_before == Some(index) {
            writer.flush();
            writer.push("...".into(), vec!["... the middle of the run is left out".into()]);
        }
        writer.step(step, folded.contains(&index));
    }
    writer.flush();
    let visits = writer.visits;
    let mut lines = if full { visits.into_iter().flat_map(|visit| visit.lines).collect() } else { summarised(visits) };
    if !folded.is_empty() {
        let count = if folded.len() == 1 {
            "1 step that makes no difference is".into()
        } else {
            format!("{} steps that make no difference are", folded.len())
        };
        lines.push(format!("({count} folded; --full-trace shows them)"));
    }
    lines
}

/// Iterations that pass the same lines, in short.
fn summarised(visits: Vec<Visit>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < visits.len() {
        let Some((period, count)) = iterations(&visits[at..]) else {
            lines.extend(visits[at].lines.iter().cloned());
            at += 1;
            continue;
        };
        let told = |iteration: usize| iteration < TOLD || iteration >= count - TOLD;
        for iteration in 0..count {
            let visits = &visits[at + iteration * period..at + (iteration + 1) * period];
            if told(iteration) {
                lines.extend(visits.iter().flat_map(|visit| visit.lines.iter().cloned()));
            } else if iteration == TOLD {
                let pad: String = lines.last().map_or("", String::as_str).chars().take_while(|c| *c == ' ').collect();
                lines.push(format!("{pad}... iterations {}..{} alike", TOLD + 1, count - TOLD));
            }
        }
        at += period * count;
    }
    lines
}

/// The length of a loop body that begins here and how often it runs, if that is often.
fn iterations(visits: &[Visit]) -> Option<(usize, usize)> {
    (1..=LONGEST_PERIOD.min(visits.len() / LEAST_ITERATIONS)).find_map(|period| {
        let same = (period..visits.len()).take_while(|&at| visits[at].key == visits[at - period].key).count();
        let count = 1 + same / period;
        (count >= LEAST_ITERATIONS).then_some((period, count))
    })
}

struct Writer<'a> {
    teller: Teller<'a>,
    visits: Vec<Visit>,
    /// The line that the run is on.
    current: Option<(&'a PlaceReport, usize, Vec<String>)>,
    has_threads: bool,
}

impl<'a> Writer<'a> {
    fn new(violation: &'a ViolationReport) -> Self {
        let has_threads = violation.steps.iter().any(|step| matches!(step, StepReport::Thread { .. }));
        Writer { teller: Teller::new(violation), visits: Vec::new(), current: None, has_threads }
    }

    /// Each line says whose it is where there are several threads.
    fn push(&mut self, key: String, lines: Vec<String>) {
        let lines = match self.has_threads {
            true => lines.into_iter().map(|line| format!("[{}] {line}", self.teller.thread)).collect(),
            false => lines,
        };
        self.visits.push(Visit { key, lines });
    }

    fn call(&mut self, function: &str, what: &str) {
        let line = format!("{}{} {what}", indent(self.teller.depth()), name_in_source(function));
        self.push(line.clone(), vec![line]);
    }

    fn step(&mut self, step: &'a StepReport, is_folded: bool) {
        match step {
            StepReport::Enter { function, .. } => {
                self.flush();
                if !is_folded {
                    self.call(function, "starts");
                }
                self.teller.known.push(BTreeMap::new());
            }
            StepReport::Leave { function, .. } => {
                self.flush();
                self.teller.leave();
                if !is_folded {
                    self.call(function, "returns");
                }
            }
            StepReport::Thread { number, function, .. } => {
                self.flush();
                self.teller.switch(*number);
                let line = format!("-- thread {number} ({}) goes on", name_in_source(function));
                self.push(line.clone(), vec![line]);
            }
            StepReport::Value { .. } | StepReport::Input { .. } | StepReport::Branch { .. } if is_folded => {}
            StepReport::Value { .. } | StepReport::Input { .. } | StepReport::Branch { .. } => {
                let place = step.place();
                let note = self.teller.note(step);
                // What the compiler gave no line for happened wherever we are.
                let stays = |at: &PlaceReport| at.line == place.line && at.file == place.file;
                let same = place.file.is_none() || self.current.as_ref().is_some_and(|(at, ..)| stays(at));
                // A loop on one line comes round again.
                let again = note.as_ref().is_some_and(|note| self.current.as_ref().is_some_and(|(_, _, notes)| has_same_name(notes, note)));
                let at = match (same, again, &self.current) {
                    (true, true, Some((at, ..))) => *at,
                    _ => place,
                };
                if !same || again {
                    self.flush();
                }
                let depth = self.teller.depth();
                let (_, _, notes) = self.current.get_or_insert((at, depth, Vec::new()));
                notes.extend(note);
            }
        }
    }

    fn flush(&mut self) {
        let Some((place, depth, notes)) = self.current.take() else { return };
        let pad = indent(depth);
        let mut lines = Vec::new();
        match (&place.file, &place.text) {
            (None, _) => {}
            (_, Some(text)) => lines.push(format!("{pad}{}: {text}", short(place))),
            (_, None) => lines.push(format!("{pad}{}:", short(place))),
        }
        lines.extend(notes.into_iter().map(|note| format!("{pad}    {note}")));
        if !lines.is_empty() {
            self.push(format!("{depth} {}", short(place)), lines);
        }
    }
}

/// Whether one of the notes is about the same variable.
fn has_same_name(notes: &[String], note: &str) -> bool {
    let Some((name, _)) = note.split_once(" = ") else { return false };
    notes.iter().any(|known| known.split_once(" = ").is_some_and(|(known, _)| known == name))
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
            StepReport::Value { variable, type_name, value, .. } if type_name == LIFETIME => Some(format!("{variable} {value}")),
            // Another function, or another name, may have changed it in between.
            StepReport::Value { variable, value, memory: true, .. } => Some(format!("{variable} = {value}")),
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

/// Recursion a thousand calls deep must not push the text off the page.
fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(12))
}

/// `list.c:14`.
pub fn short(place: &PlaceReport) -> String {
    match &place.file {
        Some(file) => {
            let name = std::path::Path::new(file).file_name().map(|n| n.to_string_lossy().into_owned());
            format!("{}:{}", name.unwrap_or_else(|| file.clone()), place.line)
        }
        None => "?".into(),
    }
}
