//! Everything that a page shows, put together: the report as in JSON, its sources, and the visits of each trace.

use super::sources::SourceFile;
use crate::model::{InputReport, PlaceReport, Report, StepReport, ViolationReport};
use crate::visits::{Visit, visits};
use fathom_base::{LIBRARY, name_in_source};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The data of a page.
#[derive(Serialize)]
pub struct PageData<'a> {
    pub report: &'a Report,
    pub sources: Vec<SourceFile>,
    /// The visits of each property's trace; empty without a violation.
    pub traces: Vec<Vec<PageVisit<'a>>>,
    /// What each input of a violation is, and its value, in words.
    pub inputs: Vec<Vec<(String, String)>>,
    /// What people call functions whose names are mangled.
    pub names: BTreeMap<&'a str, String>,
}

/// A visit, and whether it makes a difference.
#[derive(Serialize)]
pub struct PageVisit<'a> {
    #[serde(flatten)]
    visit: Visit<'a>,
    matters: bool,
}

impl<'a> PageData<'a> {
    /// The data of a report; `read` gives the bytes of a file.
    pub fn new(report: &'a Report, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> Self {
        let trace = |property: &'a crate::PropertyReport| property.violation.as_ref().map(page_visits).unwrap_or_default();
        let inputs = |property: &crate::PropertyReport| {
            property.violation.iter().flat_map(|violation| &violation.inputs).map(InputReport::parts).collect()
        };
        Self {
            report,
            sources: sources(report, read),
            traces: report.properties.iter().map(trace).collect(),
            inputs: report.properties.iter().map(inputs).collect(),
            names: names(report),
        }
    }
}

fn names(report: &Report) -> BTreeMap<&str, String> {
    let mut functions: BTreeSet<&str> = BTreeSet::new();
    for property in &report.properties {
        functions.extend(property.proof.iter().flat_map(|proof| &proof.claims).map(|claim| claim.function.as_str()));
        functions.extend(property.violation.iter().flat_map(|violation| &violation.steps).filter_map(|step| match step {
            StepReport::Enter { function, .. } | StepReport::Thread { function, .. } => Some(function.as_str()),
            _ => None,
        }));
    }
    let named = functions.into_iter().map(|function| (function, name_in_source(function)));
    named.filter(|(function, name)| function != name).collect()
}

fn page_visits(violation: &ViolationReport) -> Vec<PageVisit<'_>> {
    let irrelevant: BTreeSet<usize> = violation.irrelevant.iter().copied().collect();
    let matters = |visit: &Visit<'_>| (visit.steps.0..=visit.steps.1).any(|step| !irrelevant.contains(&step));
    visits(violation, &BTreeSet::new()).into_iter().map(|visit| PageVisit { matters: matters(&visit), visit }).collect()
}

/// The files of the program and all others that the report mentions, those of the program first.
fn sources(report: &Report, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> Vec<SourceFile> {
    let mut mentioned: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for place in places(report) {
        if let Some(file) = place.file.as_ref().filter(|file| !Path::new(file).starts_with(LIBRARY)) {
            mentioned.entry(file).or_default().insert(place.line);
        }
    }
    let mut names: Vec<&str> = report.run.files.iter().map(String::as_str).collect();
    let covered = report.coverage.iter().filter(|file| !file.reached.is_empty()).map(|file| file.file.as_str());
    names.extend(mentioned.keys().copied().chain(covered));
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    // The same file may have been named in two ways; the report's places say which way counts.
    names.sort_by_key(|name| !mentioned.contains_key(name));
    let same = |name: &str| std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
    names.retain(|name| seen.insert(same(name)));
    names.sort_by_key(|name| !report.run.files.iter().any(|file| same(file) == same(name)));
    let none = BTreeSet::new();
    names.into_iter().map(|name| SourceFile::new(name, read(name).as_deref(), mentioned.get(name).unwrap_or(&none))).collect()
}

/// All places that the report mentions.
fn places(report: &Report) -> Vec<&PlaceReport> {
    let mut places = Vec::new();
    for property in &report.properties {
        if let Some(violation) = &property.violation {
            places.push(&violation.place);
            places.extend(violation.steps.iter().map(|step| step.place()));
            places.extend(violation.inputs.iter().map(|input| &input.place));
        }
        places.extend(property.proof.iter().flat_map(|proof| proof.claims.iter().map(|claim| &claim.place)));
    }
    places.extend(report.targets.iter().map(|target| &target.place));
    places
}
