//! A trace as visits: a source line with the values that changed on it, a call, a return, a switch to another thread.
//! There are many small steps, but people follow lines. The text report and the HTML report show the same visits.

use crate::model::{InputReport, LIFETIME, PlaceReport, StepReport, ViolationReport};
use fathom_base::name_in_source;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a visit is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VisitKind {
    /// Of a line.
    Line,
    /// A function starts.
    Call,
    /// A function returns.
    Return,
    /// Another thread continues.
    Switch,
    /// The middle of a long run is missing here.
    Gap,
}

/// A line of the source, or a call, with what happened there.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Visit<'a> {
    pub kind: VisitKind,
    pub thread: u32,
    /// How many calls it is in.
    pub depth: usize,
    pub place: &'a PlaceReport,
    /// For anything but a line: what happens.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What changed.
    pub notes: Vec<String>,
    /// Its first and its last step, counted from 0.
    pub steps: (usize, usize),
}

impl Visit<'_> {
    /// Whether both are of the same place.
    pub fn is_same_place(&self, other: &Visit<'_>) -> bool {
        (self.kind, self.thread, self.depth, self.place.line) == (other.kind, other.thread, other.depth, other.place.line)
            && self.place.file == other.place.file
            && self.title == other.title
    }
}

/// The visits of a trace without these steps.
pub(crate) fn visits<'a>(violation: &'a ViolationReport, without: &BTreeSet<usize>) -> Vec<Visit<'a>> {
    let mut walk = Walk { teller: Teller::new(violation), visits: Vec::new(), current: None };
    for (index, step) in violation.steps.iter().enumerate() {
        if violation.skipped_before == Some(index) {
            walk.flush();
            walk.push(VisitKind::Gap, step.place(), "the middle of the run is left out".into(), index);
        }
        walk.step(index, step, without.contains(&index));
    }
    walk.flush();
    walk.visits
}

struct Walk<'a> {
    teller: Teller<'a>,
    visits: Vec<Visit<'a>>,
    /// The line that the run is on.
    current: Option<Visit<'a>>,
}

impl<'a> Walk<'a> {
    fn visit(&self, kind: VisitKind, place: &'a PlaceReport, title: String, step: usize) -> Visit<'a> {
        Visit { kind, thread: self.teller.thread, depth: self.teller.depth(), place, title, notes: Vec::new(), steps: (step, step) }
    }

    fn push(&mut self, kind: VisitKind, place: &'a PlaceReport, title: String, step: usize) {
        let visit = self.visit(kind, place, title, step);
        self.visits.push(visit);
    }

    fn step(&mut self, index: usize, step: &'a StepReport, is_left_out: bool) {
        match step {
            StepReport::Enter { function, place, .. } => {
                self.flush();
                if !is_left_out {
                    self.push(VisitKind::Call, place, format!("{} starts", name_in_source(function)), index);
                }
                self.teller.known.push(BTreeMap::new());
            }
            StepReport::Leave { function, place } => {
                self.flush();
                self.teller.leave();
                if !is_left_out {
                    self.push(VisitKind::Return, place, format!("{} returns", name_in_source(function)), index);
                }
            }
            StepReport::Thread { number, function, place } => {
                self.flush();
                self.teller.switch(*number);
                self.push(VisitKind::Switch, place, format!("thread {number} ({}) goes on", name_in_source(function)), index);
            }
            StepReport::Value { .. } | StepReport::Input { .. } | StepReport::Branch { .. } if is_left_out => {}
            StepReport::Value { .. } | StepReport::Input { .. } | StepReport::Branch { .. } => self.change(index, step),
        }
    }

    fn change(&mut self, index: usize, step: &'a StepReport) {
        let place = step.place();
        let note = self.teller.note(step);
        // What the compiler gave no line for happened wherever we are.
        let stays = |at: &PlaceReport| at.line == place.line && at.file == place.file;
        let same = place.file.is_none() || self.current.as_ref().is_some_and(|at| stays(at.place));
        // A loop on one line comes round again.
        let again = note.as_ref().is_some_and(|note| self.current.as_ref().is_some_and(|at| has_same_name(&at.notes, note)));
        let at = match (same, again, &self.current) {
            (true, true, Some(current)) => current.place,
            _ => place,
        };
        if !same || again {
            self.flush();
        }
        let fresh = self.visit(VisitKind::Line, at, String::new(), index);
        let current = self.current.get_or_insert(fresh);
        current.notes.extend(note);
        current.steps.1 = index;
    }

    /// Ends the visit of a line; one without a place and without a note says nothing.
    fn flush(&mut self) {
        let visit = self.current.take().filter(|visit| visit.place.file.is_some() || !visit.notes.is_empty());
        self.visits.extend(visit);
    }
}

/// Whether one of the notes is about the same variable.
fn has_same_name(notes: &[String], note: &str) -> bool {
    let Some((name, _)) = note.split_once(" = ") else { return false };
    notes.iter().any(|known| known.split_once(" = ").is_some_and(|(known, _)| known == name))
}

/// Keeps track of the values that were already shown: a value is shown when it changes.
struct Teller<'a> {
    inputs: &'a [InputReport],
    /// The number of each input among those that people are shown.
    ranks: Vec<usize>,
    /// Variables and their values, a map for every active function.
    known: Vec<BTreeMap<&'a str, &'a str>>,
    /// The current thread, and the values shown in the others.
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
                Some(input.numbered(self.ranks[number - 1]))
            }
            StepReport::Enter { .. } | StepReport::Leave { .. } | StepReport::Thread { .. } | StepReport::Branch { .. } => None,
        }
    }
}
