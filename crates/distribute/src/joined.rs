//! Combines the parts of one exploration. A part proves something only about its own paths: nothing is violated below
//! its prefix, except perhaps in subtrees that it handed on. A property holds for the program only if every part that
//! was handed on exists, was checked, and fits where it was handed on (`fathom_paths::cover`). A violation in a part is
//! a violation of the program.

use crate::merge::{Answer, answer, unknown};
use crate::task::Task;
use fathom_paths::{Covered, Gap, Prefix, Tree, cover};
use fathom_report::{Answered, PartReport, Report};
use std::collections::{BTreeMap, BTreeSet};

/// An exploration that was split.
pub(crate) struct Joined<'a> {
    whole: &'a Task,
    /// Each part that is there, the first one with it.
    pub parts: Vec<(Task, &'a Report)>,
    /// Parts that are not there.
    pub missing: Vec<Task>,
    /// What any result of a part says is violated, also if another result of the same part does not.
    violated: Vec<Answer>,
    covered: Result<Covered, String>,
}

impl<'a> Joined<'a> {
    /// If the report of this task handed something on.
    pub fn of(whole: &'a Task, first: &'a Report, by_task: &BTreeMap<&str, Vec<&'a Report>>) -> Option<Self> {
        let own = first.part.as_ref()?;
        let handed_on = own.tree.part(&own.prefix).map(|seen| seen.handed_on);
        // An inconsistent tree is reported later, where the parts are put together.
        if !whole.can_be_split() || handed_on.is_ok_and(|parts| parts.is_empty()) {
            return None;
        }
        let mut joined = Self { whole, parts: Vec::new(), missing: Vec::new(), violated: Vec::new(), covered: Err(String::new()) };
        joined.collect(first, by_task);
        joined.covered = joined.cover();
        Some(joined)
    }

    /// Everything that was handed on, by whomever.
    fn collect(&mut self, first: &'a Report, by_task: &BTreeMap<&str, Vec<&'a Report>>) {
        let mut todo = vec![(self.whole.clone(), first)];
        let mut known = BTreeSet::new();
        while let Some((task, report)) = todo.pop() {
            for prefix in crate::parts::Parts::handed_on(report) {
                let part = self.whole.part(&prefix);
                if !known.insert(part.id.clone()) {
                    continue;
                }
                let reports = by_task.get(part.id.as_str()).cloned().unwrap_or_default();
                let violated =
                    reports.iter().flat_map(|report| &report.properties).filter(|property| property.verdict == Answered::Violated);
                self.violated.extend(violated.map(|property| answer(property, &part)));
                match reports.iter().find(|report| report.part.is_some()).or(reports.first()) {
                    Some(report) => todo.push((part, report)),
                    None => self.missing.push(part),
                }
            }
            self.parts.push((task, report));
        }
    }

    fn cover(&self) -> Result<Covered, String> {
        let by_prefix: BTreeMap<&str, &Report> = self.parts.iter().map(|(task, report)| (task.id.as_str(), *report)).collect();
        let tree = |prefix: &Prefix| -> Result<&Tree, String> {
            let task = if prefix.is_empty() { self.whole.clone() } else { self.whole.part(prefix) };
            match by_prefix.get(task.id.as_str()) {
                None => Err(format!("part missing: {} ({})", task.name, task.id)),
                Some(Report { part: Some(part), .. }) => Ok(&part.tree),
                Some(report) => Err(format!("{}: {}", task.name, report.verdict)),
            }
        };
        cover(tree).map_err(|gap| match gap {
            Gap::Missing(why) => why,
            Gap::Broken { prefix, why } => format!("{} does not fit: {why}", self.whole.part(&prefix).name),
        })
    }

    /// What the parts say together, of each property that all of them speak of.
    pub fn answers(&self) -> Vec<Answer> {
        let mut answers = self.violated.clone();
        let books: Vec<&PartReport> = self.parts.iter().filter_map(|(_, report)| report.part.as_ref()).collect();
        let Some(first) = books.first() else { return answers };
        let of_all = first.properties.iter().filter(|property| books.iter().all(|part| part.properties.contains(property)));
        for property in of_all {
            answers.push(match &self.covered {
                Err(why) => Answer { reason: Some(why.clone()), ..unknown(property.clone()) },
                Ok(_) => {
                    let is_bounded = books.iter().any(|part| part.bounded);
                    let assurances = books.iter().map(|part| &part.assurance);
                    // The weakest assurance: any that is not `checked`.
                    let assurance = assurances.clone().find(|assurance| *assurance != CHECKED).or(assurances.clone().next());
                    Answer {
                        verdict: Answered::proved(is_bounded),
                        engine: Some(self.whole.question.engine.clone()),
                        assurance: assurance.cloned(),
                        task: Some(self.whole.id.clone()),
                        ..unknown(property.clone())
                    }
                }
            });
        }
        answers
    }

    /// For people.
    pub fn told(&self) -> String {
        match &self.covered {
            Ok(Covered { parts, paths, hash }) => format!("{parts} parts cover all {paths} paths (hash {hash})"),
            Err(why) => format!("the parts do not cover all paths: {why}"),
        }
    }
}

/// What certificates say if a second solver confirmed everything.
const CHECKED: &str = "checked";
