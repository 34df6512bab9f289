//! Combines the members' answers: each property is answered by the first member that decided it. So if one proves the
//! first property and another the second, the answer has both. The assumptions are those of the members whose answers
//! are used.

use crate::answer::Answer;
use fathom_ir::Property;
use fathom_report::{Answered, CoverageReport, PropertyReport, UnknownKind, overall};
use std::collections::BTreeSet;

/// Whether something is proved or violated.
fn is_decided(property: &PropertyReport) -> bool {
    property.unknown.is_none()
}

/// The report of this answer on a property.
fn said<'a>(answer: &'a Answer, property: &str) -> Option<&'a PropertyReport> {
    answer.report.properties.iter().find(|said| said.property == property)
}

/// Whether the answer is final: everything is decided, or one violation is enough and there is one.
pub(crate) fn decides(answer: &Answer, one_is_enough: bool) -> bool {
    let properties = &answer.report.properties;
    let all = !properties.is_empty() && properties.iter().all(is_decided);
    all || (one_is_enough && properties.iter().any(|property| property.violation.is_some()))
}

/// Whether this answer decides the property.
pub(crate) fn decides_one(answer: &Answer, property: Property) -> bool {
    said(answer, property.name()).is_some_and(is_decided)
}

/// Whether everything is decided except for best-effort properties.
pub(crate) fn leaves_only(answer: &Answer, sought: &[Property]) -> bool {
    let is_sought = |property: &PropertyReport| sought.iter().any(|sought| sought.name() == property.property);
    let properties = &answer.report.properties;
    properties.iter().all(|property| is_decided(property) || is_sought(property)) && !properties.iter().all(is_sought)
}

/// The reasons for which answers failed their check, each once.
pub(crate) fn faults(answer: &Answer) -> BTreeSet<&str> {
    let refused = answer.report.properties.iter().filter(|property| property.unknown == Some(UnknownKind::NotConfirmed));
    refused.filter_map(|property| property.reason.as_deref()).collect()
}

/// A property that one engine proves and another one refutes, with the answer of each.
pub(crate) fn contradiction(answers: &[&Answer]) -> Option<(String, String)> {
    let properties: BTreeSet<&str> =
        answers.iter().flat_map(|answer| &answer.report.properties).map(|said| said.property.as_str()).collect();
    properties.into_iter().find_map(|property| {
        let verdicts: Vec<(&str, Answered)> = answers
            .iter()
            .filter_map(|answer| Some((answer.report.run.engine.as_str(), said(answer, property).filter(|said| is_decided(said))?.verdict)))
            .collect();
        let differ = verdicts.iter().any(|(_, verdict)| *verdict != verdicts[0].1);
        let words: Vec<String> = verdicts.iter().map(|(engine, verdict)| format!("{engine} says {verdict}")).collect();
        differ.then(|| (property.to_string(), words.join(", ")))
    })
}

/// Combines the answers, which are in the order in which the members started; none if there are none.
pub(crate) fn combine(answers: &[&Answer]) -> Option<Answer> {
    // An engine whose answer is final on its own comes first, also for the reasons why the rest is unknown.
    let first = answers.iter().position(|answer| decides(answer, true)).unwrap_or(0);
    let mut order = answers.to_vec();
    order.get_mut(..=first)?.rotate_right(1);
    let mut properties: Vec<(usize, PropertyReport)> = Vec::new();
    for answer in &order {
        for property in answer.report.properties.iter().map(|said| said.property.as_str()) {
            if properties.iter().all(|(_, known)| known.property != property) {
                properties.extend(best(&order, property));
            }
        }
    }
    let used: BTreeSet<usize> = properties.iter().map(|(at, _)| *at).collect();
    let mut parts = used.iter().map(|&at| order[at]);
    let mut all = parts.next().or(order.first().copied())?.clone();
    parts.for_each(|part| add(&mut all, part));
    all.refused = properties
        .iter()
        .map(|(at, said)| (order[*at], &said.property))
        .filter(|(answer, name)| answer.refused.contains(*name))
        .map(|(_, name)| name.clone())
        .collect();
    all.by_property.clear();
    all.invariants.clear();
    for (at, property) in &properties {
        let files = order[*at].by_property.get(&property.property);
        all.by_property.extend(files.map(|files| (property.property.clone(), files.clone())));
        let invariants = order[*at].invariants.get(&property.property);
        all.invariants.extend(invariants.map(|invariants| (property.property.clone(), invariants.clone())));
    }
    let mut properties: Vec<PropertyReport> = properties.into_iter().map(|(_, property)| property).collect();
    in_order(&mut properties);
    all.report.verdict = overall(&properties);
    all.report.properties = properties;
    CoverageReport::add_violations(&mut all.report.coverage, &all.report.properties);
    Some(all)
}

/// Marks properties that no engine has decided as timeouts, even if no engine has answered yet.
pub(crate) fn time_is_over(answer: &mut Answer, asked: &BTreeSet<Property>) {
    let properties = &mut answer.report.properties;
    for property in asked.iter().map(|property| property.name()) {
        let at = properties.iter().position(|said| said.property == property);
        if at.is_some_and(|at| is_decided(&properties[at])) {
            continue;
        }
        let unknown = undecided(property, "timeout", UnknownKind::Timeout);
        match at {
            Some(at) => properties[at] = unknown,
            None => properties.push(unknown),
        }
    }
    in_order(properties);
    answer.report.verdict = overall(properties);
}

/// A property without an answer.
pub(crate) fn undecided(property: &str, reason: &str, kind: UnknownKind) -> PropertyReport {
    PropertyReport {
        property: property.into(),
        verdict: Answered::Unknown,
        reason: Some(reason.into()),
        unknown: Some(kind),
        ..PropertyReport::default()
    }
}

/// Sorts properties into the order of their list.
pub(crate) fn in_order(properties: &mut [PropertyReport]) {
    properties.sort_by_key(|property| property.property.parse::<Property>().ok());
}

/// The first answer that decides the property, or else the first that gives a reason; with its index.
fn best(order: &[&Answer], property: &str) -> Option<(usize, PropertyReport)> {
    let mut all = order.iter().enumerate().filter_map(|(at, answer)| Some((at, said(answer, property)?)));
    let decided = all.clone().find(|(_, said)| is_decided(said));
    // That an engine stopped at another violation, or was not asked, is the least useful reason.
    let has_reason =
        |&(at, said): &(usize, &PropertyReport)| said.unknown != Some(UnknownKind::NotReached) && !order[at].refused.contains(property);
    decided.or_else(|| all.clone().find(has_reason)).or_else(|| all.next()).map(|(at, said)| (at, said.clone()))
}

/// Adds the assumptions, warnings and statistics of a further part of the answer.
fn add(all: &mut Answer, part: &Answer) {
    let (report, other) = (&mut all.report, &part.report);
    report.run.engine += &format!(", {}", other.run.engine);
    all.ledger.merge(&part.ledger);
    let new: Vec<String> = other.warnings.iter().filter(|line| !report.warnings.contains(line)).cloned().collect();
    report.warnings.extend(new);
    for (name, value) in &other.statistics {
        match report.statistics.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += value,
            None => report.statistics.push((name.clone(), *value)),
        }
    }
    CoverageReport::merge(&mut report.coverage, &other.coverage);
    if report.summary.is_empty() {
        report.summary = other.summary.clone();
    }
    if report.targets.is_empty() {
        report.targets = other.targets.clone();
    }
    let new = part.files.iter().filter(|file| all.files.iter().all(|known| known.name != file.name)).cloned();
    let new: Vec<_> = new.collect();
    all.files.extend(new);
    all.tree = all.tree.take().or_else(|| part.tree.clone());
}

#[cfg(test)]
mod tests {
    use super::*;
    use Answered::{Proved, Unknown, Violated};
    use fathom_ir::{Assumption, Ledger};
    use fathom_report::{Report, RunInfo, ViolationReport};

    fn property(name: &str, verdict: Answered, engine: &str) -> PropertyReport {
        let is_open = verdict == Unknown;
        PropertyReport {
            property: name.into(),
            verdict,
            reason: is_open.then(|| format!("{engine} gave up")),
            unknown: is_open.then_some(UnknownKind::Other),
            engine: (!is_open).then(|| engine.into()),
            violation: (verdict == Violated).then(ViolationReport::default),
            ..PropertyReport::default()
        }
    }

    /// An assumption that names each engine.
    fn ledger(engines: &[&str]) -> Ledger {
        engines.iter().map(|engine| Assumption::FunctionWithoutBody { name: engine.to_string() }).collect()
    }

    fn answer(engine: &str, reach: Answered, assertion: Answered) -> Answer {
        let properties = vec![property("unreach-call", reach, engine), property("assertion", assertion, engine)];
        let report = Report {
            schema: 1,
            run: RunInfo { engine: engine.into(), ..RunInfo::default() },
            verdict: overall(&properties),
            properties,
            assumptions: Vec::new(),
            warnings: Vec::new(),
            engines: Vec::new(),
            members: Vec::new(),
            coverage: Vec::new(),
            statistics: vec![("queries".into(), 1)],
            summary: String::new(),
            targets: Vec::new(),
            error: None,
            witness: None,
            part: None,
            share: None,
        };
        // As it comes out of the pipe.
        let answer = Answer {
            ledger: ledger(&[engine]),
            report,
            refused: BTreeSet::new(),
            by_property: Default::default(),
            invariants: Default::default(),
            files: Vec::new(),
            tree: None,
        };
        serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap()
    }

    #[test]
    fn a_property_each_is_both() {
        let (explore, kind, bmc) = (answer("explore", Unknown, Unknown), answer("kind", Proved, Unknown), answer("bmc", Unknown, Proved));
        let both = combine(&[&explore, &kind, &bmc]).unwrap();
        assert!(decides(&both, false) && !decides(&kind, false) && contradiction(&[&explore, &kind, &bmc]).is_none());
        assert_eq!((both.report.verdict.as_str(), both.report.run.engine.as_str()), ("true", "kind, bmc"));
        assert_eq!(both.ledger, ledger(&["kind", "bmc"]));
        assert_eq!(both.report.statistics, [("queries".to_string(), 2)]);
        let engines: Vec<_> = both.report.properties.iter().filter_map(|property| property.engine.as_deref()).collect();
        assert_eq!(engines, ["kind", "bmc"]);
        let half = combine(&[&explore, &kind]).unwrap();
        assert_eq!((half.report.verdict.as_str(), half.report.run.engine.as_str()), ("unknown(explore gave up)", "explore, kind"));
    }

    #[test]
    fn whoever_decides_alone_is_heard_first() {
        let (explore, random) = (answer("explore", Proved, Unknown), answer("random", Unknown, Violated));
        let told = combine(&[&explore, &random]).unwrap();
        assert!(decides(&told, false) && decides(&random, true) && !decides(&random, false));
        assert_eq!(told.report.verdict, "false(assertion)");
        assert_eq!(told.report.properties[0].engine.as_deref(), Some("explore"));
        assert!(combine(&[]).is_none());
    }

    #[test]
    fn what_is_open_at_the_end_of_the_time_is_a_timeout() {
        let mut told = answer("kind", Proved, Unknown);
        time_is_over(&mut told, &BTreeSet::from([Property::UnreachCall, Property::Assertion, Property::ValidDeref]));
        assert_eq!(told.report.verdict, "unknown(timeout)");
        let verdicts: Vec<Answered> = told.report.properties.iter().map(|property| property.verdict).collect();
        assert_eq!(verdicts, [Proved, Unknown, Unknown]);
    }

    #[test]
    fn who_was_not_asked_gives_no_reason() {
        let (mut coarse, explore) = (answer("coarse", Proved, Unknown), answer("explore", Unknown, Unknown));
        coarse.refused.insert("assertion".into());
        let told = combine(&[&coarse, &explore]).unwrap();
        assert_eq!(told.report.verdict, "unknown(explore gave up)");
    }

    #[test]
    fn contradictions_are_seen() {
        let (yes, no) = (answer("kind", Proved, Unknown), answer("random", Violated, Unknown));
        let (property, said) = contradiction(&[&yes, &no]).unwrap();
        assert_eq!((property.as_str(), said.as_str()), ("unreach-call", "kind says true, random says false"));
        assert!(contradiction(&[&yes, &yes]).is_none());
    }
}
