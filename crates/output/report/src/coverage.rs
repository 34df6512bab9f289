//! The source lines that some path reached, as plain data.

use crate::model::PropertyReport;
use fathom_base::{FileId, LIBRARY, Loc, SourceFiles};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The lines of a file that have code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageReport {
    /// Its name.
    pub file: String,
    /// Lines that a path came to.
    pub reached: Vec<u32>,
    /// Lines that none came to.
    pub missed: Vec<u32>,
}

impl CoverageReport {
    /// Of positions and whether a path came there; a line is reached if one of its positions is.
    pub fn of(places: &[(Loc, bool)], files: &SourceFiles) -> Vec<Self> {
        let mut lines: BTreeMap<FileId, BTreeMap<u32, bool>> = BTreeMap::new();
        for (loc, covered) in places.iter().filter(|(loc, _)| loc.is_known()) {
            *lines.entry(loc.file).or_default().entry(loc.line).or_default() |= covered;
        }
        let report = |(file, lines): (FileId, BTreeMap<u32, bool>)| {
            let of = |wanted: bool| lines.iter().filter(|(_, covered)| **covered == wanted).map(|(line, _)| *line).collect();
            let path = files.path(file).filter(|path| !path.starts_with(LIBRARY))?;
            Some(Self { file: path.display().to_string(), reached: of(true), missed: of(false) })
        };
        lines.into_iter().filter_map(report).collect()
    }

    /// With what another run came to.
    pub fn merge(all: &mut Vec<Self>, other: &[Self]) {
        for part in other {
            match all.iter_mut().find(|known| known.file == part.file) {
                None => all.push(part.clone()),
                Some(known) => {
                    let both = |one: &[u32], two: &[u32]| {
                        let mut lines: Vec<u32> = one.iter().chain(two).copied().collect();
                        lines.sort_unstable();
                        lines.dedup();
                        lines
                    };
                    known.reached = both(&known.reached, &part.reached);
                    known.missed = both(&known.missed, &part.missed);
                    known.missed.retain(|line| !known.reached.contains(line));
                }
            }
        }
    }

    /// The lines on the way to a violation were reached, too, whichever engine found it: not all keep account of where they come to.
    pub fn add_violations(all: &mut Vec<Self>, properties: &[PropertyReport]) {
        if all.is_empty() {
            return;
        }
        let mut lines: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for violation in properties.iter().filter_map(|property| property.violation.as_ref()) {
            for place in violation.steps.iter().map(|step| step.place()).chain([&violation.place]) {
                if let Some(file) = place.file.as_deref().filter(|file| !Path::new(file).starts_with(LIBRARY)) {
                    lines.entry(file).or_default().insert(place.line);
                }
            }
        }
        let passed = |(file, lines): (&str, BTreeSet<u32>)| Self {
            file: file.to_string(),
            reached: lines.into_iter().collect(),
            missed: Vec::new(),
        };
        let passed: Vec<Self> = lines.into_iter().map(passed).collect();
        Self::merge(all, &passed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::{PlaceReport, ViolationReport};

    #[test]
    fn lines_on_the_way_to_a_violation_are_reached() {
        let place = PlaceReport { file: Some("a.c".into()), line: 3, ..PlaceReport::default() };
        let violation = ViolationReport { place, ..ViolationReport::default() };
        let violated = PropertyReport { violation: Some(violation), ..PropertyReport::default() };
        let mut all = Vec::new();
        CoverageReport::add_violations(&mut all, std::slice::from_ref(&violated));
        assert!(all.is_empty(), "no engine kept account");
        all.push(CoverageReport { file: "a.c".into(), reached: vec![1], missed: vec![2, 3] });
        CoverageReport::add_violations(&mut all, &[violated]);
        assert_eq!(all, [CoverageReport { file: "a.c".into(), reached: vec![1, 3], missed: vec![2] }]);
    }

    #[test]
    fn a_line_is_reached_if_one_of_its_parts_is() {
        let mut files = SourceFiles::default();
        let file = files.add("a.c".as_ref());
        let at = |line, column| Loc { file, line, column };
        let places = [(at(1, 1), true), (at(1, 9), false), (at(2, 1), false), (at(3, 1), false), (Loc::UNKNOWN, true)];
        let mut all = CoverageReport::of(&places, &files);
        assert_eq!(all, [CoverageReport { file: "a.c".into(), reached: vec![1], missed: vec![2, 3] }]);
        CoverageReport::merge(&mut all, &[CoverageReport { file: "a.c".into(), reached: vec![3], missed: vec![1] }]);
        assert_eq!((all[0].reached.as_slice(), all[0].missed.as_slice()), (&[1, 3][..], &[2][..]));
    }
}
