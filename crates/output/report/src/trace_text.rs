//! A trace as lines of text: one source line at a time with the values that changed on it, indented by calls. Steps
//! that do not influence the failure are folded, and of iterations that pass the same lines only the first and the last
//! are shown. With several threads, each has its own column (`columns`), or a label if there is no room.

use crate::columns::Columns;
use crate::model::{PlaceReport, StepReport, ViolationReport};
use crate::visits::{Visit, VisitKind, visits};
use std::collections::BTreeSet;

/// The longest loop body that is recognised, in lines of the trace.
const LONGEST_PERIOD: usize = 24;
/// Iterations at either end that are shown.
const TOLD: usize = 2;
/// Fewer iterations are all shown.
const LEAST_ITERATIONS: usize = 6;

/// The lines of a trace, at most so many characters wide if it has columns; with those of steps that do not matter if it is to be
/// full.
pub fn trace_lines(violation: &ViolationReport, full: bool, width: usize) -> Vec<String> {
    let folded: BTreeSet<usize> = if full { BTreeSet::new() } else { violation.irrelevant.iter().copied().collect() };
    let visits = visits(violation, &folded);
    let layout = Layout::new(violation, &visits, width);
    let mut lines = layout.title();
    match full {
        true => visits.iter().for_each(|visit| lines.extend(layout.lines(visit))),
        false => summarise(&visits, &layout, &mut lines),
    }
    if !folded.is_empty() {
        let count = if folded.len() == 1 { "1 irrelevant step is".into() } else { format!("{} irrelevant steps are", folded.len()) };
        lines.push(format!("({count} folded; --full-trace shows them)"));
    }
    lines
}

/// How visits become lines.
enum Layout {
    /// There is one thread.
    Plain,
    /// Each line begins with the number of its thread.
    Labels,
    Columns(Columns),
}

impl Layout {
    fn new(violation: &ViolationReport, visits: &[Visit<'_>], width: usize) -> Self {
        if !violation.steps.iter().any(|step| matches!(step, StepReport::Thread { .. })) {
            return Layout::Plain;
        }
        Columns::new(violation, visits, width).map_or(Layout::Labels, Layout::Columns)
    }

    fn title(&self) -> Vec<String> {
        if let Layout::Columns(columns) = self { columns.title() } else { Vec::new() }
    }

    fn lines(&self, visit: &Visit<'_>) -> Vec<String> {
        match self {
            Layout::Plain => own_lines(visit),
            Layout::Labels => own_lines(visit).into_iter().map(|line| format!("[{}] {line}", visit.thread)).collect(),
            // That another thread goes on can be seen by its column.
            Layout::Columns(_) if visit.kind == VisitKind::Switch => Vec::new(),
            Layout::Columns(columns) => columns.place(visit.thread, own_lines(visit)),
        }
    }

    /// That iterations are left out, below these lines of one of them.
    fn alike(&self, visit: &Visit<'_>, text: String) -> Vec<String> {
        let line = format!("{}{text}", indent(visit.depth));
        match self {
            Layout::Plain => vec![line],
            Layout::Labels => vec![format!("[{}] {line}", visit.thread)],
            Layout::Columns(columns) => columns.place(visit.thread, vec![line]),
        }
    }
}

/// A visit by itself.
fn own_lines(visit: &Visit<'_>) -> Vec<String> {
    let pad = indent(visit.depth);
    match visit.kind {
        VisitKind::Call | VisitKind::Return => return vec![format!("{pad}{}", visit.title)],
        VisitKind::Switch => return vec![format!("-- {}", visit.title)],
        VisitKind::Gap => return vec![format!("... {}", visit.title)],
        VisitKind::Line => {}
    }
    let mut lines = Vec::new();
    match (&visit.place.file, &visit.place.text) {
        (None, _) => {}
        (_, Some(text)) => lines.push(format!("{pad}{}: {text}", short(visit.place))),
        (_, None) => lines.push(format!("{pad}{}:", short(visit.place))),
    }
    lines.extend(visit.notes.iter().map(|note| format!("{pad}    {note}")));
    lines
}

/// Iterations that pass the same lines, in short.
fn summarise(visits: &[Visit<'_>], layout: &Layout, lines: &mut Vec<String>) {
    let gap = visits.iter().position(|visit| visit.kind == VisitKind::Gap).unwrap_or(visits.len());
    let mut at = 0;
    while at < visits.len() {
        let Some((period, count)) = iterations(&visits[at..]) else {
            lines.extend(layout.lines(&visits[at]));
            at += 1;
            continue;
        };
        // Behind a gap nobody knows which iteration is the first.
        let alike = match at < gap {
            true => format!("... iterations {}..{} alike", TOLD + 1, count - TOLD),
            false => format!("... {} iterations alike", count - 2 * TOLD),
        };
        let told = |iteration: usize| iteration < TOLD || iteration >= count - TOLD;
        for iteration in 0..count {
            let visits = &visits[at + iteration * period..at + (iteration + 1) * period];
            if told(iteration) {
                visits.iter().for_each(|visit| lines.extend(layout.lines(visit)));
            } else if iteration == TOLD {
                lines.extend(layout.alike(&visits[period - 1], alike.clone()));
            }
        }
        at += period * count;
    }
}

/// The length of a loop body that begins here and how often it runs, if that is often.
fn iterations(visits: &[Visit<'_>]) -> Option<(usize, usize)> {
    (1..=LONGEST_PERIOD.min(visits.len() / LEAST_ITERATIONS)).find_map(|period| {
        let same = (period..visits.len()).take_while(|&at| visits[at].is_same_place(&visits[at - period])).count();
        let count = 1 + same / period;
        (count >= LEAST_ITERATIONS).then_some((period, count))
    })
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
