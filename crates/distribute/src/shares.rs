//! Combines the shares of a program's checks that were divided among tasks (`fathom_passes::share_checks`). A share
//! proves something only about its own checks, in runs in which those of the others hold. A property holds for the
//! program only if every share has a result, and together they have all checks. A violation in a share is a violation
//! of the program.

use crate::merge::{Answer, answer, unknown};
use crate::task::{Question, Task};
use fathom_report::{Answered, PropertyReport, Report, ShareReport};
use std::collections::{BTreeMap, BTreeSet};

/// Tasks that are shares of one question, in the order of their numbers.
pub(crate) struct Shared<'a> {
    shares: Vec<(&'a Task, Vec<&'a Report>)>,
}

impl<'a> Shared<'a> {
    /// The shares among these tasks, by the questions that they are shares of.
    pub fn among(tasks: &[&'a Task], by_task: &BTreeMap<&str, Vec<&'a Report>>) -> Vec<Self> {
        let mut questions: BTreeMap<String, Self> = BTreeMap::new();
        for task in tasks.iter().filter(|task| task.question.share.is_some()) {
            let whole = Task::new("", "", Question { share: task.question.share.map(|(_, of)| (0, of)), ..task.question.clone() });
            let reports = by_task.get(task.id.as_str()).cloned().unwrap_or_default();
            questions.entry(whole.id).or_insert_with(|| Self { shares: Vec::new() }).shares.push((task, reports));
        }
        questions.into_values().collect()
    }

    /// What the shares say together, of each property that one of them speaks of.
    pub fn answers(&self) -> Vec<Answer> {
        let told = || self.shares.iter().flat_map(|(_, reports)| reports).flat_map(|report| &report.properties);
        let mut answers: Vec<Answer> = Vec::new();
        for (task, reports) in &self.shares {
            answers.extend(
                reports
                    .iter()
                    .flat_map(|report| &report.properties)
                    .filter(|one| one.verdict == Answered::Violated)
                    .map(|one| answer(one, task)),
            );
            // Two results of one share that say different things.
            let held = reports.iter().filter_map(|report| report.share.as_ref()).flat_map(|share| &share.held);
            let both = held.filter(|held| reports.iter().flat_map(|report| &report.properties).any(|one| is_false(one, &held.property)));
            answers.extend(both.map(|held| Answer {
                verdict: Answered::Proved,
                task: Some(task.id.clone()),
                ..unknown(held.property.clone())
            }));
        }
        let names: BTreeSet<&str> = told().map(|one| one.property.as_str()).collect();
        for name in names.into_iter().filter(|name| !told().any(|one| is_false(one, name))) {
            answers.push(self.together(name).unwrap_or_else(|why| Answer { reason: Some(why), ..unknown(name.into()) }));
        }
        answers
    }

    /// That a property holds of all shares, or what is missing.
    fn together(&self, name: &str) -> Result<Answer, String> {
        let mut held: Vec<(&Task, &ShareReport)> = Vec::new();
        for (task, reports) in &self.shares {
            let shares = reports.iter().filter_map(|report| report.share.as_ref());
            match shares.into_iter().find(|share| share.held.iter().any(|held| held.property == name)) {
                Some(share) => held.push((task, share)),
                None => return Err(open(task, reports, name)),
            }
        }
        let of = self.shares.first().and_then(|(task, _)| task.question.share).map_or(0, |(_, of)| of);
        let numbers: BTreeSet<u64> = held.iter().map(|(_, share)| share.number).collect();
        let fits =
            |(task, share): &(&Task, &ShareReport)| task.question.share == Some((share.number, share.of)) && share.all == held[0].1.all;
        let own: u64 = held.iter().map(|(_, share)| share.own).sum();
        if !numbers.iter().copied().eq(1..=of) || numbers.len() != held.len() || !held.iter().all(fits) || own != held[0].1.all {
            return Err(format!("the shares do not have all checks: {own} of {}", held.first().map_or(0, |(_, share)| share.all)));
        }
        let all = || held.iter().flat_map(|(_, share)| &share.held).filter(|held| held.property == name);
        let weakest = all().filter_map(|held| held.assurance.clone()).min_by_key(|assurance| assurance == "checked");
        Ok(Answer {
            verdict: Answered::proved(all().any(|held| held.bounded)),
            engine: all().find_map(|held| held.engine.clone()),
            assurance: weakest,
            task: held.first().map(|(task, _)| task.id.clone()),
            nothing_to_check: all().all(|held| held.nothing_to_check),
            ..unknown(name.into())
        })
    }
}

fn is_false(property: &PropertyReport, name: &str) -> bool {
    property.property == name && property.verdict == Answered::Violated
}

/// Why a property is open in a share.
fn open(task: &Task, reports: &[&Report], name: &str) -> String {
    let Some(report) = reports.first() else { return format!("part missing: {} ({})", task.name, task.id) };
    let own = report.properties.iter().find(|property| property.property == name).and_then(|property| property.reason.clone());
    format!("{}: {}", task.name, own.unwrap_or_else(|| report.verdict.clone()))
}
