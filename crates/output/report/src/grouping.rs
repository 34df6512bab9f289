//! Groups properties with the same result, since a run has many properties and most of them hold for the same reason.
//! Properties that were not reached because the run stopped at another violation are not mentioned.

use crate::answered::Answered;
use crate::model::{PropertyReport, Report, UnknownKind};
use std::fmt::Write;

/// Commas between more names than a reader of a headline goes through.
const MANY_NAMES: usize = 6;

/// What there is to say of the properties, with the names of all that it is said of: violations first, then what is not
/// known, then what holds.
pub(crate) fn grouped(report: &Report) -> Vec<(String, &PropertyReport)> {
    let mut groups: Vec<(String, &PropertyReport)> = Vec::new();
    let is_told = |property: &&PropertyReport| property.unknown != Some(UnknownKind::NotReached) && !is_in_scope_text(report, property);
    for property in report.properties.iter().filter(is_told) {
        let same = |(_, known): &&mut (String, &PropertyReport)| property.violation.is_none() && is_same(known, property);
        match groups.iter_mut().find(same) {
            Some((names, _)) => *names += &format!(", {}", property.property),
            None => groups.push((property.property.clone(), property)),
        }
    }
    groups.sort_by_key(|(_, property)| (property.violation.is_none(), property.unknown.is_none()));
    shorten(report, &mut groups);
    groups
}

/// In a run for everything, whose properties are listed at its end, the longest group needs no names if the others have theirs.
fn shorten(report: &Report, groups: &mut [(String, &PropertyReport)]) {
    let is_listed = !report.run.unchecked.is_empty();
    if !is_listed || report.properties.iter().any(|property| property.unknown == Some(UnknownKind::NotReached)) {
        return;
    }
    let rest = if groups.len() > 1 { " else" } else { "" };
    let longest = groups.iter_mut().max_by_key(|(names, _)| names.matches(',').count());
    if let Some((names, _)) = longest.filter(|(names, _)| names.matches(',').count() >= MANY_NAMES) {
        *names = format!("everything{rest} that was checked");
    }
}

/// In a run for everything, what holds for want of such code is only listed at the end.
fn is_in_scope_text(report: &Report, property: &PropertyReport) -> bool {
    !report.run.unchecked.is_empty() && property.nothing_to_check
}

impl PropertyReport {
    /// Whether it holds only for inputs within bounds.
    pub fn is_bounded(&self) -> bool {
        self.verdict == Answered::ProvedWithinBounds
    }

    /// Whether it holds for every input.
    pub fn holds(&self) -> bool {
        self.verdict == Answered::Proved
    }
}

/// Whether there is the same to say of both.
fn is_same(one: &PropertyReport, other: &PropertyReport) -> bool {
    let said = |property: &PropertyReport| (property.verdict, property.reason.clone(), property.engine.clone());
    said(one) == said(other) && one.certificates == other.certificates && one.assurance == other.assurance && one.proof == other.proof
}

/// What a run for everything checked, and what it did not.
pub(crate) fn scope_text(out: &mut String, report: &Report) {
    if let Some(path) = &report.run.config {
        let _ = writeln!(out, "Settings: {path}.");
    }
    if report.run.unchecked.is_empty() {
        return;
    }
    let (idle, checked): (Vec<&PropertyReport>, Vec<&PropertyReport>) =
        report.properties.iter().partition(|property| property.nothing_to_check);
    let names =
        |properties: &[&PropertyReport]| properties.iter().map(|property| property.property.as_str()).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "Checked: {}.", names(&checked));
    if !idle.is_empty() {
        let _ = writeln!(out, "Nothing in the program can violate: {}.", names(&idle));
    }
    if !report.run.sought.is_empty() {
        let _ = writeln!(out, "Neither found nor proved (--property asks for an answer): {}.", report.run.sought.join(", "));
    }
    let _ = writeln!(out, "Not checked (--property all checks these, too): {}.", report.run.unchecked.join(", "));
}
