//! Answers as plain data. [`Answer`] has the results of one engine and of their checks, with everything that will be
//! shown or written. It can be sent through a pipe, from a member of the portfolio to the process that combines them.
//! [`Verified`] is what a caller gets.

use crate::error::Error;
use crate::files::{self, OutFile};
use crate::portfolio::combine::{in_order, undecided};
use crate::prepare::Prepared;
use crate::properties::{DEFAULT, SOUGHT};
use crate::write::write_whole;
use fathom_certify::Certified;
use fathom_engine::{Reason, Verdict};
use fathom_ir::{Assumption, Ledger, Property};
use fathom_passes::Divided;
use fathom_report::{
    Answered, CoverageReport, Described, HeldReport, PropertyReport, Report, RunInfo, ShareReport, TextOptions, UnknownKind, WitnessReport,
    WitnessStatus, describe, main_unknown, overall, render_html, render_json, render_junit, render_sarif, render_text, tree_dot, tree_html,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The answer of one engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// Everything that is reported, but for the assumptions, which come from `ledger` in the end.
    pub report: Report,
    /// What the answer rests on.
    pub ledger: Ledger,
    /// Properties that are beyond the engine, so that it was not asked about them.
    pub refused: BTreeSet<String>,
    /// Files that belong to the answer to one property.
    pub by_property: BTreeMap<String, Vec<OutFile>>,
    /// The invariants behind each property that holds, in C, if a witness was asked for.
    pub invariants: BTreeMap<String, Vec<fathom_witness::Invariant>>,
    /// Further files.
    pub files: Vec<OutFile>,
    /// The drawing of the engine's tree, if there is one and it was asked for.
    pub tree: Option<String>,
}

/// The answer to a question: what was decided, with all that there is to say about it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Verdicts, traces, assumptions, statistics.
    pub report: Report,
    /// Files that were asked for and could not be written, with the reason.
    pub unwritten: Vec<String>,
    /// Remarks about requested files, for people.
    pub remarks: Vec<String>,
}

/// One answer for all properties.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Every property holds.
    Proved,
    /// Every property holds for inputs within bounds.
    ProvedWithinBounds,
    /// A property is violated.
    Violated,
    /// Neither, for this kind of reason.
    Unknown(UnknownKind),
}

impl Verified {
    /// One answer for all properties.
    pub fn conclusion(&self) -> Conclusion {
        let properties = &self.report.properties;
        let is_open = self.leaves_witness_open();
        match main_unknown(properties) {
            _ if !is_open && properties.iter().any(|property| property.violation.is_some()) => Conclusion::Violated,
            Some(property) => Conclusion::Unknown(property.unknown.unwrap_or(UnknownKind::Other)),
            None if is_open || properties.is_empty() => Conclusion::Unknown(UnknownKind::Other),
            None if properties.iter().any(PropertyReport::is_bounded) => Conclusion::ProvedWithinBounds,
            None => Conclusion::Proved,
        }
    }

    /// Whether a witness was to be validated, and the result for the program does not decide that.
    fn leaves_witness_open(&self) -> bool {
        let is_confirmed = |witness: &WitnessReport| witness.status == WitnessStatus::Confirmed;
        self.report.witness.as_ref().is_some_and(|witness| !is_confirmed(witness)) && self.report.verdict.starts_with("unknown(")
    }
}

/// The properties that the engine was not asked about.
fn refused(verdicts: &BTreeMap<Property, Verdict>) -> BTreeSet<String> {
    let is_beyond = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Reason::BeyondEngine { .. }));
    verdicts.iter().filter(|(_, verdict)| is_beyond(verdict)).map(|(property, _)| property.to_string()).collect()
}

impl Prepared<'_> {
    /// Turns what an engine found into a report and files to write.
    pub fn answer(&self, engine: &str, certified: &Certified) -> Answer {
        let Certified { outcome, replays, certificates, .. } = certified;
        let warnings = self.warnings.iter().cloned().chain(self.solvers.log_note()).collect();
        let program_files = &self.program.files;
        let mut report = describe(Described {
            run: self.run_info(engine),
            outcome,
            files: program_files,
            replays,
            certificates,
            part: certified.part.as_ref(),
            warnings,
        });
        if self.wants_explanations() {
            self.explain(outcome, &mut report);
            report.coverage = CoverageReport::of(&outcome.statistics.coverage, program_files);
            CoverageReport::add_violations(&mut report.coverage, &report.properties);
        }
        let mut answer = Answer {
            ledger: outcome.ledger.clone(),
            report,
            refused: refused(&outcome.verdicts),
            by_property: BTreeMap::new(),
            invariants: self.invariants(outcome),
            files: Vec::new(),
            tree: None,
        };
        if self.out.is_some() {
            let setup = self.compiled.then(|| self.native_setup());
            for (&property, log) in replays {
                let files = files::of_run(&property.to_string(), property, log, setup.as_ref());
                answer.by_property.insert(property.to_string(), files);
            }
            answer.files = files::of_targets(&outcome.statistics.targets, setup.as_ref());
            answer.files.extend(files::of_paths(&outcome.statistics, program_files));
        }
        if let Some(path) = &self.config.tree
            && let tree = &outcome.statistics.tree
            && !tree.is_empty()
        {
            let is_page = path.extension().is_some_and(|extension| extension == "html");
            answer.tree = Some(if is_page { tree_html(tree, program_files) } else { tree_dot(tree, program_files) });
        }
        answer
    }

    /// Whether the report explains proofs.
    pub(crate) fn wants_explanations(&self) -> bool {
        self.config.explain || self.out.is_some()
    }

    fn run_info(&self, engine: &str) -> RunInfo {
        RunInfo {
            tool: "fathom".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            files: self.sources.files.iter().map(|file| file.display().to_string()).collect(),
            entry: self.entry.clone(),
            data_model: if self.program.layout.pointer_bits == 32 { "ILP32".into() } else { "LP64".into() },
            engine: engine.into(),
            solver: self.solvers.describe(),
            seed: self.config.seed,
            seconds: self.session.start.elapsed().as_secs_f64(),
            config: self.config.config_file.as_ref().map(|path| path.display().to_string()),
            checked: self.properties.union(&self.nothing_to_check).map(|property| property.to_string()).collect(),
            unchecked: self.unchecked(),
            sought: Vec::new(),
        }
    }

    /// The properties that a default run does not check.
    fn unchecked(&self) -> Vec<String> {
        if !self.is_default {
            return Vec::new();
        }
        let is_left = |property: &Property| {
            let is_part = matches!(property, Property::Null | Property::BoogieAssert);
            !is_part && !DEFAULT.contains(property) && !self.properties.contains(property) && !self.nothing_to_check.contains(property)
        };
        Property::ALL.into_iter().filter(is_left).map(|property| property.to_string()).collect()
    }

    /// Best-effort properties of a default run; none of them has to be decided.
    pub fn sought(&self) -> &'static [Property] {
        if self.is_default { &SOUGHT } else { &[] }
    }

    /// Lists best-effort properties that are neither proved nor violated separately: the verdict is about the rest.
    fn set_apart_sought(&self, report: &mut Report) {
        let is_open =
            |property: &PropertyReport| property.unknown.is_some() && self.sought().iter().any(|sought| sought.name() == property.property);
        if report.properties.iter().all(is_open) {
            return;
        }
        let open: Vec<String> = report.properties.iter().filter(|property| is_open(property)).map(|open| open.property.clone()).collect();
        report.properties.retain(|property| !open.contains(&property.property));
        report.run.checked.retain(|property| !open.contains(property));
        report.run.sought = open;
        report.verdict = overall(&report.properties);
    }

    /// Lists what holds for a share of the checks separately: the property is open until the other shares are decided.
    fn set_apart_share(&self, report: &mut Report) {
        let Some((share, Divided { own, all })) = self.config.share_of_checks.zip(self.divided) else { return };
        let mut held = Vec::new();
        for property in report.properties.iter_mut().filter(|property| property.holds() || property.is_bounded()) {
            let (bounded, nothing_to_check) = (property.is_bounded(), property.nothing_to_check);
            let (engine, assurance) = (property.engine.take(), property.assurance.take());
            held.push(HeldReport { property: property.property.clone(), bounded, nothing_to_check, engine, assurance });
            let why = format!("it holds of share {} of {} of the checks: `fathom merge` puts the shares together", share.number, share.of);
            (property.verdict, property.reason, property.unknown) = (Answered::Unknown, Some(why), Some(UnknownKind::Other));
            property.nothing_to_check = false;
        }
        report.verdict = overall(&report.properties);
        report.share = Some(ShareReport { number: share.number, of: share.of, own, all, held });
    }

    /// Adds missing properties as unknown: a property without an answer is not proved.
    fn account_for_all(&self, report: &mut Report) {
        let asked = self.properties.union(&self.nothing_to_check).map(|property| property.name());
        let is_missing = |property: &&str| report.properties.iter().all(|said| said.property != *property);
        let missing: Vec<&str> = asked.filter(is_missing).collect();
        if !missing.is_empty() {
            report.properties.extend(missing.iter().map(|property| undecided(property, "no engine answered", UnknownKind::Other)));
            in_order(&mut report.properties);
            report.verdict = overall(&report.properties);
        }
    }

    /// Writes what was asked for.
    pub fn finish(&self, mut answer: Answer) -> Result<Verified, Error> {
        self.session.listener.answering();
        self.account_for_all(&mut answer.report);
        self.set_apart_sought(&mut answer.report);
        note_ends(&answer.report, &mut answer.ledger);
        answer.report.assumptions = answer.ledger.sentences();
        self.set_apart_share(&mut answer.report);
        let (mut unwritten, mut remarks) = (Vec::new(), Vec::new());
        if let Err(why) = self.write_out(&answer) {
            unwritten.push(why);
            remarks.push("The report could not be written.".to_string());
        }
        if let Err(why) = self.write_witnesses(&answer) {
            unwritten.push(why);
            remarks.push("The witness could not be written.".to_string());
        }
        match (&self.config.tree, &answer.tree) {
            (Some(_), None) => remarks.push("This engine keeps no tree.".to_string()),
            (Some(path), Some(tree)) => {
                if let Err(why) = write_whole(path, tree) {
                    unwritten.push(why);
                    remarks.push("The tree could not be written.".to_string());
                }
            }
            (None, _) => {}
        }
        Ok(Verified { report: answer.report, unwritten, remarks })
    }

    /// Writes the report in the forms that were asked for, and the other files.
    fn write_out(&self, answer: &Answer) -> Result<(), String> {
        let Some(out) = &self.out else { return Ok(()) };
        let report = &answer.report;
        let options = TextOptions { statistics: true, explain: true, ..TextOptions::default() };
        out.write("report.txt", format!("{}VERDICT {}\n", render_text(report, options), report.verdict))?;
        out.write("report.json", render_json(report))?;
        out.write("report.html", render_html(report))?;
        out.write("report.sarif", render_sarif(report))?;
        out.write("junit.xml", render_junit(report))?;
        let mut files = answer.by_property.values().flatten().chain(&answer.files);
        files.try_for_each(|file| out.write(&file.name, &file.content))
    }
}

/// When there is a violation, the other properties hold for runs that end there. That assumption is added here, because
/// an engine that decides properties one by one, or another engine, does not know of the violation.
fn note_ends(report: &Report, ledger: &mut Ledger) {
    let ends_runs = |property: &Property| {
        property.is_asserted() || matches!(property, Property::ValidDeref | Property::ValidFree | Property::Null | Property::Dangling)
    };
    let violated = report.properties.iter().filter(|property| property.violation.is_some());
    let violated: Vec<Property> = violated.filter_map(|property| property.property.parse().ok()).filter(ends_runs).collect();
    let rests_on_runs = |property: &PropertyReport| (property.holds() || property.is_bounded()) && !property.nothing_to_check;
    if !report.properties.iter().any(rests_on_runs) {
        return;
    }
    ledger.extend(violated.into_iter().map(|property| Assumption::EndsWhereViolated { property: property.to_string() }));
}
