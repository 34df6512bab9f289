//! Combines the results of a plan: for each program and property the strongest answer counts. A replayed violation and
//! a proof of the same property cannot both be right, so that is an error and not an answer. A task without a result
//! makes the answer unknown, by name: nothing becomes true because a part was lost.

use crate::joined::Joined;
use crate::plan::{LeftOut, Plan};
use crate::result::TaskResult;
use crate::shares::Shared;
use crate::task::Task;
use fathom_report::{Answered, PropertyReport, Report};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The answer about one property of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The property, or everything that was asked where no property was answered.
    pub property: String,
    /// The answer.
    pub verdict: Answered,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The engine that decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How the answer was checked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assurance: Option<String>,
    /// The task whose result says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The program has nothing that could violate it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nothing_to_check: bool,
}

/// A task without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Its id.
    pub task: String,
    /// What people call it.
    pub name: String,
}

/// What is known of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MergedProgram {
    /// What people call it.
    pub program: String,
    /// `true`, `true within bounds`, `false(...)`, `unknown(...)` or `contradiction(...)`.
    pub verdict: String,
    /// One for each property.
    pub answers: Vec<Answer>,
    /// What proofs of it rest on.
    pub assumptions: Vec<String>,
    /// How parts of an exploration cover its paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

/// What all results say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// The plan.
    pub plan: String,
    /// How many tasks it has.
    pub tasks: usize,
    /// One for each program, in the order of the plan.
    pub programs: Vec<MergedProgram>,
    /// Tasks without a result.
    pub missing: Vec<Missing>,
    /// What was never planned.
    pub left_out: Vec<LeftOut>,
    /// Results that can't all be right.
    pub contradictions: Vec<String>,
}

impl Merged {
    /// How many programs have a verdict that begins so.
    pub fn count(&self, verdict: &str) -> usize {
        self.programs.iter().filter(|program| program.verdict == verdict || program.verdict.starts_with(&format!("{verdict}("))).count()
    }

    /// The counts in a line.
    pub fn summary(&self) -> String {
        let counts = [
            (self.count(Answered::Proved.word()), "proved"),
            (self.count(Answered::ProvedWithinBounds.word()), "proved within bounds"),
            (self.count(Answered::Violated.word()), "violated"),
            (self.count(Answered::Unknown.word()), "unknown"),
            (self.contradictions.len(), "contradicted"),
            (self.left_out.len(), "not planned"),
        ];
        let told = counts.iter().filter(|(count, what)| *count > 0 || matches!(*what, "proved" | "violated" | "unknown"));
        let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
        format!("{}; {} of {} tasks done", told.join(", "), self.tasks - self.missing.len(), self.tasks)
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// As text for people, without the properties that nothing in the program could violate.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for program in &self.programs {
            text += &format!("{}: {}\n", program.program, program.verdict);
            for answer in program.answers.iter().filter(|answer| !answer.nothing_to_check) {
                let why = answer.reason.iter().map(|reason| format!(" ({reason})"));
                let by = answer.engine.iter().map(|engine| format!(" by {engine}"));
                let how = answer.assurance.iter().map(|assurance| format!(", {assurance}"));
                text += &format!("  {}: {}{}\n", answer.property, answer.verdict, why.chain(by).chain(how).collect::<String>());
            }
            program.parts.iter().for_each(|parts| text += &format!("  {parts}\n"));
            program.assumptions.iter().for_each(|assumption| text += &format!("  assumed: {assumption}\n"));
        }
        self.contradictions.iter().for_each(|what| text += &format!("contradiction: {what}\n"));
        self.left_out.iter().for_each(|left| text += &format!("{}: not planned: {}\n", left.name, left.why));
        text
    }
}

/// Puts results together. Each belongs to a task of the plan; there may be several of one task.
pub fn merge(plan: &Plan, results: &[TaskResult]) -> Merged {
    let mut by_task: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    results.iter().for_each(|result| by_task.entry(&result.task).or_default().push(&result.report));
    let mut order: Vec<String> = Vec::new();
    let mut programs: BTreeMap<String, Vec<&Task>> = BTreeMap::new();
    for task in &plan.tasks {
        let key = task.question.program_key();
        programs.entry(key.clone()).or_insert_with(|| {
            order.push(key);
            Vec::new()
        });
        programs.entry(task.question.program_key()).and_modify(|tasks| tasks.push(task));
    }
    let mut contradictions = Vec::new();
    let programs = order.iter().map(|key| program(&programs[key], &by_task, &mut contradictions)).collect();
    let (mut missing, mut tasks) = (Vec::new(), plan.tasks.len());
    for task in &plan.tasks {
        let lost = |task: &Task| Missing { task: task.id.clone(), name: task.name.clone() };
        match by_task.get(task.id.as_str()) {
            None => missing.push(lost(task)),
            Some(reports) => {
                let all = reports.iter().filter_map(|report| Joined::of(task, report, &by_task));
                if let Some(joined) = all.min_by_key(|joined| joined.missing.len()) {
                    tasks += joined.parts.len() + joined.missing.len() - 1;
                    missing.extend(joined.missing.iter().map(lost));
                }
            }
        }
    }
    Merged { plan: plan.id.clone(), tasks, programs, missing, left_out: plan.left_out.clone(), contradictions }
}

fn program(tasks: &[&Task], by_task: &BTreeMap<&str, Vec<&Report>>, contradictions: &mut Vec<String>) -> MergedProgram {
    let mut answers: BTreeMap<String, Answer> = BTreeMap::new();
    let mut assumptions = BTreeSet::new();
    let subject = tasks.first().map(|task| task.subject.clone()).unwrap_or_default();
    let mut contradicted = BTreeSet::new();
    let mut questions: Vec<&[String]> = tasks.iter().map(|task| task.question.properties.as_slice()).collect();
    questions.sort_unstable();
    questions.dedup();
    for question in questions {
        for answer in answers_to(question, tasks, by_task) {
            let property = answer.property.clone();
            let known = answers.remove(&property);
            if let Some(known) = &known
                && [known, &answer].iter().any(|one| one.verdict == Answered::Violated)
                && [known, &answer].iter().any(|one| one.verdict.is_proved())
            {
                let who = |answer: &Answer| format!("{} ({})", answer.verdict, answer.task.as_deref().unwrap_or("no task"));
                contradictions.push(format!("{subject}: {property}: {} and {}", who(known), who(&answer)));
                contradicted.insert(property.clone());
            }
            let stronger = match known {
                Some(known) if strength(known.verdict) >= strength(answer.verdict) => known,
                _ => answer,
            };
            answers.insert(property, stronger);
        }
    }
    let mut covered = Vec::new();
    for (task, reports) in tasks.iter().filter_map(|task| Some((task, by_task.get(task.id.as_str())?))) {
        for report in reports {
            assumptions.extend(report.assumptions.iter().cloned());
            if let Some(joined) = Joined::of(task, report, by_task) {
                assumptions.extend(joined.parts.iter().flat_map(|(_, report)| report.assumptions.iter().cloned()));
                covered.push(joined.told());
            }
        }
    }
    for property in &contradicted {
        let reason = Some("the results contradict each other; please report this".to_string());
        let answer = Answer { reason, ..unknown(property.clone()) };
        answers.insert(property.clone(), answer);
    }
    let answers: Vec<Answer> = answers.into_values().collect();
    let verdict = match contradicted.is_empty() {
        true => overall(&answers),
        false => format!("contradiction({})", contradicted.into_iter().collect::<Vec<_>>().join(", ")),
    };
    MergedProgram { program: subject, verdict, answers, assumptions: assumptions.into_iter().collect(), parts: covered }
}

/// Everything that was answered to one question about a program. What is open although not every part is there is open for that reason.
fn answers_to(question: &[String], tasks: &[&Task], by_task: &BTreeMap<&str, Vec<&Report>>) -> Vec<Answer> {
    let parts: Vec<&Task> = tasks.iter().copied().filter(|task| task.question.properties == question).collect();
    let reports = |task: &Task| by_task.get(task.id.as_str()).cloned().unwrap_or_default();
    let missing = parts.iter().find(|task| reports(task).is_empty());
    let lost = missing.map(|task| format!("part missing: {} ({})", task.name, task.id));
    let mut told: Vec<Answer> = Vec::new();
    let mut failed = None;
    for task in &parts {
        for report in reports(task) {
            // What the parts say together comes first: of two reasons that is the telling one.
            told.extend(Joined::of(task, report, by_task).into_iter().flat_map(|joined| joined.answers()));
            if task.question.share.is_none() {
                told.extend(report.properties.iter().map(|property| answer(property, task)));
            }
            if report.properties.is_empty() {
                failed = Some(report.verdict.trim_start_matches("unknown(").trim_end_matches(')').to_string());
            }
        }
    }
    told.extend(Shared::among(&parts, by_task).iter().flat_map(Shared::answers));
    if told.is_empty() {
        let asked = parts.first().map(|task| task.question.asked()).unwrap_or_default();
        return vec![Answer { reason: lost.or(failed), ..unknown(asked) }];
    }
    for answer in told.iter_mut().filter(|answer| answer.verdict == Answered::Unknown) {
        answer.reason = lost.clone().or(answer.reason.take());
    }
    told
}

pub(crate) fn unknown(property: String) -> Answer {
    Answer { property, verdict: Answered::Unknown, reason: None, engine: None, assurance: None, task: None, nothing_to_check: false }
}

pub(crate) fn answer(property: &PropertyReport, task: &Task) -> Answer {
    Answer {
        property: property.property.clone(),
        verdict: property.verdict,
        reason: property.reason.clone(),
        engine: property.engine.clone(),
        assurance: property.assurance.clone(),
        task: Some(task.id.clone()),
        nothing_to_check: property.nothing_to_check,
    }
}

fn strength(verdict: Answered) -> u8 {
    match verdict {
        Answered::Violated => 3,
        Answered::Proved => 2,
        Answered::ProvedWithinBounds => 1,
        Answered::Unknown => 0,
    }
}

fn overall(answers: &[Answer]) -> String {
    let with = |verdict: Answered| answers.iter().filter(move |answer| answer.verdict == verdict);
    let violated: Vec<&str> = with(Answered::Violated).map(|answer| answer.property.as_str()).collect();
    let open = with(Answered::Unknown).next();
    match () {
        () if !violated.is_empty() => format!("false({})", violated.join(", ")),
        () if open.is_some() => {
            format!("unknown({})", open.and_then(|open| open.reason.clone()).unwrap_or_else(|| "no reason was told".into()))
        }
        () if answers.is_empty() => "unknown(nothing was answered)".into(),
        () => Answered::proved(with(Answered::ProvedWithinBounds).next().is_some()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Tool;
    use crate::task::Question;

    fn task(engine: &str, property: &str) -> Task {
        let question = Question {
            files: Vec::new(),
            program: vec!["a.c".into()],
            properties: vec![property.into()],
            engine: engine.into(),
            timeout_ms: 1,
            memory: 1,
            bound: None,
            share: None,
            part: Vec::new(),
        };
        Task::new("a.c", format!("a.c {property} {engine}"), question)
    }

    fn result(task: &Task, verdicts: &[(&str, &str)]) -> TaskResult {
        let properties: Vec<_> = verdicts
            .iter()
            .map(|(property, verdict)| serde_json::json!({ "property": property, "verdict": verdict, "certificates": [] }))
            .collect();
        let run = fathom_report::RunInfo::default();
        let report = serde_json::json!({ "schema": 1, "run": run, "verdict": "unknown(broken)", "properties": properties,
            "assumptions": ["malloc never fails"], "warnings": [], "statistics": [] });
        TaskResult { task: task.id.clone(), report: serde_json::from_value(report).unwrap() }
    }

    fn merged(tasks: &[&Task], results: &[TaskResult]) -> Merged {
        let plan = Plan::new(&Tool("1".into()), tasks.iter().map(|task| (*task).clone()).collect(), Vec::new());
        merge(&plan, results)
    }

    #[test]
    fn the_strongest_answer_counts_however_often_it_comes() {
        let (kind, bmc) = (task("kind", "unreach-call"), task("bmc", "unreach-call"));
        let (open, proved) = (result(&kind, &[("unreach-call", "unknown")]), result(&bmc, &[("unreach-call", "true")]));
        for results in [vec![open.clone(), proved.clone()], vec![proved.clone(), open.clone(), proved.clone(), open.clone()]] {
            let both = merged(&[&kind, &bmc], &results);
            assert_eq!(both.programs[0].verdict, "true");
            assert_eq!(both.programs[0].answers.len(), 1);
            assert_eq!(both.programs[0].assumptions, ["malloc never fails"]);
        }
        // The other engine has answered: what it said is not lost with the other's result.
        assert_eq!(merged(&[&kind, &bmc], &[proved]).programs[0].verdict, "true");
        let only_open = merged(&[&kind, &bmc], &[open]);
        assert_eq!(only_open.programs[0].verdict, format!("unknown(part missing: a.c unreach-call bmc ({}))", bmc.id));
        assert_eq!(only_open.missing.len(), 1);
    }

    #[test]
    fn a_lost_property_is_unknown_by_name() {
        let (reach, overflow) = (task("auto", "unreach-call"), task("auto", "no-overflow"));
        let found = merged(&[&reach, &overflow], &[result(&reach, &[("unreach-call", "true")])]);
        assert_eq!(found.programs[0].verdict, format!("unknown(part missing: a.c no-overflow auto ({}))", overflow.id));
        assert_eq!(found.summary(), "0 proved, 0 violated, 1 unknown; 1 of 2 tasks done");
        let nothing = merged(&[&reach], &[result(&reach, &[])]);
        assert_eq!(nothing.programs[0].verdict, "unknown(broken)");
    }

    #[test]
    fn a_proof_and_a_violation_contradict_each_other() {
        let (kind, bmc) = (task("kind", "unreach-call"), task("bmc", "unreach-call"));
        for proof in ["true", "true within bounds"] {
            let results = [result(&kind, &[("unreach-call", proof)]), result(&bmc, &[("unreach-call", "false")])];
            let both = merged(&[&kind, &bmc], &results);
            assert_eq!(both.programs[0].verdict, "contradiction(unreach-call)");
            assert_eq!(both.contradictions.len(), 1);
            assert_eq!(both.programs[0].answers[0].verdict, Answered::Unknown);
        }
        let weaker =
            merged(&[&kind, &bmc], &[result(&kind, &[("unreach-call", "true within bounds")]), result(&bmc, &[("unreach-call", "true")])]);
        assert_eq!(weaker.programs[0].verdict, "true");
        let other = task("kind", "no-overflow");
        let two = merged(&[&kind, &other], &[result(&kind, &[("unreach-call", "false")]), result(&other, &[("no-overflow", "true")])]);
        assert_eq!(two.programs[0].verdict, "false(unreach-call)");
    }
}
