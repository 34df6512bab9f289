//! The report as plain data: strings and numbers, already in C notation, nothing left to look up. Its serialised form is
//! the JSON schema (version 1): fields may be added, never renamed or reused with another meaning.

use crate::answered::Answered;
use crate::claims::ProofReport;
use crate::coverage::CoverageReport;
use crate::failure::ErrorReport;
use crate::source::SourceText;
use crate::trace::{place_of, tell};
use crate::validation::WitnessReport;
use crate::values::{c_input, plain_value};
pub use crate::violation::{AccessReport, BytesReport, InputReport, LIFETIME, ObjectReport, PlaceReport, StepReport, ViolationReport};
use fathom_base::{SourceFiles, StopReason, hex};
use fathom_engine::{Books, Certificate, Outcome, Proof, Ranking, Reason, TargetFate, TargetNote, Verdict};
use fathom_ir::Property;
use fathom_machine::{ReplayLog, Trace};
use fathom_paths::{Prefix, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that is reported of a run, as plain data. `docs/schema` describes its JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The version of the format.
    pub schema: u32,
    /// What was run, and how.
    pub run: RunInfo,
    /// `true`, `true within bounds`, `false(<property>)` or `unknown(<reason>)`.
    pub verdict: String,
    /// One for each property that was asked for, in a fixed order.
    pub properties: Vec<PropertyReport>,
    /// The ledger, as sentences.
    pub assumptions: Vec<String>,
    /// What the user should know before trusting the verdict.
    pub warnings: Vec<String>,
    /// What each engine found, where all were waited for: `auto` fills it in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<String>,
    /// How long each engine of the portfolio was at work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberReport>,
    /// Counts by name, in the order in which they are printed.
    pub statistics: Vec<(String, u64)>,
    /// Which lines some path came to, where the engine follows paths and that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageReport>,
    /// How paths ended, if the engine follows paths.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Places that must not be reached, each with its own answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetReport>,
    /// What ended the run before there was an answer; then no property is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The witness that was to be validated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessReport>,
    /// What was done of an exploration that several share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartReport>,
    /// What was decided of checks that are divided among several runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareReport>,
}

/// A share of the checks that are divided among several runs. It says nothing of the whole program; all shares together do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShareReport {
    /// Which one it is, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
    /// How many checks it has.
    pub own: u64,
    /// How many all shares have.
    pub all: u64,
    /// What holds of its checks, where those of the other shares hold.
    pub held: Vec<HeldReport>,
}

/// A property that holds of a share of the checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldReport {
    /// The name of the property.
    pub property: String,
    /// Whether it holds within bounds only.
    pub bounded: bool,
    /// Whether the share has no check of it.
    pub nothing_to_check: bool,
    /// The engine that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How it was checked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assurance: Option<String>,
}

/// A part of an exploration that several share. It says nothing of the whole program; all parts together do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    /// The decisions that lead to where it begins.
    pub prefix: Prefix,
    /// What was done, and what was handed on.
    pub tree: Tree,
    /// What is not violated in it.
    pub properties: Vec<String>,
    /// Whether that holds within bounds only.
    pub bounded: bool,
    /// How it was checked again.
    pub assurance: String,
    /// What was seen.
    pub certificates: Vec<String>,
}

/// An engine of the portfolio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberReport {
    /// Its name.
    pub engine: String,
    /// How long it was at work: not the time in which others had their turn.
    pub seconds: f64,
    /// `answered`, `ended` (by the coordinator, before it had an answer) or `crashed`.
    pub status: String,
}

/// What is known of one error location.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TargetReport {
    /// Where it is.
    pub place: PlaceReport,
    /// What is violated there.
    pub property: String,
    /// `reachable` (a replay came there), `unreachable` or `open`.
    pub status: String,
    /// For a place that is reachable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputReport>,
}

/// What was run, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RunInfo {
    /// `fathom`.
    pub tool: String,
    /// The version of Fathom.
    pub version: String,
    /// The input files, as the user named them.
    pub files: Vec<String>,
    /// The function that runs start in.
    pub entry: String,
    /// `ILP32` or `LP64`; empty for Boogie.
    pub data_model: String,
    /// The engine that was asked for.
    pub engine: String,
    /// The solver, with its version.
    pub solver: String,
    /// The seed of random choices.
    pub seed: u64,
    /// Wall time of the run.
    pub seconds: f64,
    /// The file that settings came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The properties that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<String>,
    /// What was looked for, if the user chose no properties, and is neither proved nor violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sought: Vec<String>,
    /// What was not checked, if the user chose no properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
}

/// What is reported of one property.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PropertyReport {
    /// The name of the property.
    pub property: String,
    /// The answer.
    pub verdict: Answered,
    /// Why, for people, if the verdict is `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The kind of reason for not knowing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownKind>,
    /// Whether it holds because nothing in the program can violate it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nothing_to_check: bool,
    /// The engine that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How the answer was checked again, in one word: `checked`, `recounted`, `replayed` or `replayed natively`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assurance: Option<String>,
    /// What that check saw.
    pub certificates: Vec<String>,
    /// The run that violates it, if the verdict is `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationReport>,
    /// What a proof rests on, in the language of the program, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
}

/// Why a property is neither proved nor violated, for programs; `reason` says it for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownKind {
    /// The time was over.
    Timeout,
    /// The memory was used up.
    OutOfMemory,
    /// The user interrupted the run.
    Interrupted,
    /// A bound cut at least one path.
    BoundReached,
    /// The program uses something that is not supported.
    Unsupported,
    /// The run stopped at the violation of another property.
    NotReached,
    /// An answer did not stand when it was checked: a fault in Fathom.
    NotConfirmed,
    /// Another reason.
    Other,
}

impl From<&Reason> for UnknownKind {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::Stopped(StopReason::Timeout) => UnknownKind::Timeout,
            Reason::Stopped(StopReason::OutOfMemory) => UnknownKind::OutOfMemory,
            Reason::Stopped(StopReason::Interrupted) => UnknownKind::Interrupted,
            Reason::BoundReached(_) => UnknownKind::BoundReached,
            Reason::Unsupported { .. } | Reason::BeyondEngine { .. } => UnknownKind::Unsupported,
            Reason::PartOnly => UnknownKind::Other,
            Reason::NotReached => UnknownKind::NotReached,
            Reason::NotConfirmed(_) => UnknownKind::NotConfirmed,
            Reason::Undefined { .. } | Reason::Solver(_) | Reason::Undecided(_) | Reason::NotAsked(_) => UnknownKind::Other,
        }
    }
}

/// The input of a report.
pub struct Described<'a> {
    /// What was run, and how.
    pub run: RunInfo,
    /// The checked outcome of the engine.
    pub outcome: &'a Outcome,
    /// The source files that locations refer to.
    pub files: &'a SourceFiles,
    /// The concrete replay of each violated property.
    pub replays: &'a BTreeMap<Property, ReplayLog>,
    /// What `certify` has to say about each property.
    pub certificates: &'a BTreeMap<Property, Certificate>,
    /// What it has to say about a part of an exploration.
    pub part: Option<&'a Certificate>,
    /// What the user should know before trusting the verdict.
    pub warnings: Vec<String>,
}

/// Makes the report of an outcome.
pub fn describe(what: Described<'_>) -> Report {
    let mut text = SourceText::new(what.files);
    let mut properties = Vec::new();
    for (property, verdict) in &what.outcome.verdicts {
        let certificate = what.certificates.get(property);
        let mut entry = PropertyReport {
            property: property.name().to_string(),
            verdict: Answered::Unknown,
            reason: None,
            unknown: None,
            nothing_to_check: false,
            engine: None,
            assurance: certificate.map(|certificate| certificate.assurance.to_string()),
            certificates: certificate.map(|certificate| certificate.notes.clone()).unwrap_or_default(),
            violation: None,
            proof: None,
        };
        match verdict {
            Verdict::Holds(proof) => {
                entry.reason = Some(proof_text(proof, what.files));
                entry.nothing_to_check = matches!(**proof, Proof::NothingToCheck);
                let is_bounded = what.outcome.ledger.has_bounds() && !entry.nothing_to_check;
                entry.verdict = Answered::proved(is_bounded);
            }
            Verdict::Violated(trace) => {
                entry.verdict = Answered::Violated;
                entry.violation = Some(violation(trace, what.replays.get(property), what.files, &mut text));
            }
            Verdict::Unknown(reason) => {
                entry.unknown = Some(UnknownKind::from(reason));
                entry.reason = Some(one_line(&reason.to_string()));
            }
        }
        entry.engine = entry.unknown.is_none().then(|| what.run.engine.clone());
        properties.push(entry);
    }
    let mut statistics = what.outcome.statistics.counters.clone();
    let micros = u64::try_from(what.outcome.statistics.solver_time.as_micros()).unwrap_or(u64::MAX);
    statistics.push(("solver microseconds".into(), micros));
    Report {
        schema: 1,
        run: what.run,
        verdict: overall(&properties),
        properties,
        assumptions: what.outcome.ledger.sentences(),
        warnings: what.warnings.into_iter().chain(what.outcome.statistics.notes.iter().cloned()).collect(),
        engines: Vec::new(),
        members: Vec::new(),
        statistics,
        coverage: Vec::new(),
        summary: what.outcome.statistics.summary.clone(),
        targets: what.outcome.statistics.targets.iter().map(|target| target_report(target, what.files, &mut text)).collect(),
        error: None,
        witness: None,
        part: what.part.zip(what.outcome.statistics.part.as_ref()).map(|(certificate, part)| PartReport {
            prefix: part.prefix.clone(),
            tree: part.tree.clone(),
            properties: part.properties.iter().map(|property| property.name().to_string()).collect(),
            bounded: what.outcome.ledger.has_bounds(),
            assurance: certificate.assurance.to_string(),
            certificates: certificate.notes.clone(),
        }),
        share: None,
    }
}

fn target_report(target: &TargetNote, files: &SourceFiles, text: &mut SourceText<'_>) -> TargetReport {
    let (status, inputs) = match &target.fate {
        TargetFate::Reached(log) => ("reachable", input_reports(log, files, text)),
        TargetFate::Unreachable => ("unreachable", Vec::new()),
        TargetFate::Open => ("open", Vec::new()),
    };
    TargetReport { place: place_of(target.place, files, text), property: target.property.name().to_string(), status: status.into(), inputs }
}

fn input_reports(log: &ReplayLog, files: &SourceFiles, text: &mut SourceText<'_>) -> Vec<InputReport> {
    let mut report = |input: &fathom_machine::InputRecord| InputReport {
        source: input.kind.source.clone(),
        type_name: input.kind.type_name.clone(),
        value: c_input(input),
        bytes: hex(&input.bytes),
        place: place_of(input.loc, files, text),
    };
    log.inputs.iter().map(&mut report).collect()
}

/// One answer for the whole run: a violation takes precedence, then the most informative reason for `unknown`, then
/// `true`.
pub fn overall(properties: &[PropertyReport]) -> String {
    if let Some(violated) = properties.iter().find(|property| property.violation.is_some()) {
        return format!("false({})", violated.property);
    }
    match main_unknown(properties) {
        Some(property) => format!("unknown({})", property.reason.as_deref().unwrap_or_default()),
        None if properties.is_empty() => "unknown(no property was checked)".into(),
        None => Answered::proved(properties.iter().any(PropertyReport::is_bounded)).to_string(),
    }
}

/// The property whose reason is shown in the verdict: the first one with a reason of its own.
pub fn main_unknown(properties: &[PropertyReport]) -> Option<&PropertyReport> {
    let mut unknown = properties.iter().filter(|property| property.unknown.is_some());
    let own = unknown.clone().find(|property| property.unknown != Some(UnknownKind::NotReached));
    own.or_else(|| unknown.next_back())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn proof_text(proof: &Proof, files: &SourceFiles) -> String {
    match proof {
        Proof::NothingToCheck => "there is nothing to check".into(),
        Proof::AllPathsEnded { books: Books { started: 1, .. }, .. } | Proof::AllPathsEnd { books: Books { started: 1, .. }, .. } => {
            "the only path was followed to its end".into()
        }
        Proof::Inductive { k, loops, .. } => {
            let invariants: usize = loops.iter().map(|(_, invariants)| invariants.len()).sum();
            let heads = loops.len();
            format!("by induction with k = {k} over {heads} loops, with {invariants} proved invariants")
        }
        Proof::Partition { regions, summaries, .. } => {
            let count: usize = regions.iter().map(Vec::len).sum();
            let recursive =
                if summaries.is_empty() { String::new() } else { format!(", with {} summaries of recursive procedures", summaries.len()) };
            format!("no error location is reachable: {count} regions at {} blocks contain every reachable state{recursive}", regions.len())
        }
        Proof::Ranked(ranking) => ranked_text(ranking, files),
        Proof::Interference(interference) => {
            let facts: usize = interference.cuts.iter().map(|(_, facts)| facts.len()).sum();
            format!("by {facts} invariants of each thread that hold wherever it may be interrupted, whatever the others do")
        }
        Proof::Deduced { formulas, loops, contracts, .. } => {
            let by_contracts = if *contracts { " and contracts" } else { "" };
            format!("by the invariants of {loops} loops{by_contracts}: no assertion can fail in {formulas} formulas")
        }
        Proof::Interpolated { books: Books { started, repeated, .. }, slack, .. } => {
            let slack = match slack {
                Some((place, slack)) if !slack.is_empty() => format!("; at {}: {}", files.show(*place), slack.join("; ")),
                _ => String::new(),
            };
            format!("all {started} paths were followed to their ends or, {repeated} of them, to a state that an interpolant covers{slack}")
        }
        Proof::UnwindingComplete { bound, books: Books { repeated: 0, .. }, .. } => {
            format!("all loops end within {bound} iterations, or a constant number of them")
        }
        Proof::UnwindingComplete { bound, books: Books { repeated, .. }, .. } => {
            format!("within {bound} iterations all loops end or return to one of {repeated} earlier states")
        }
        Proof::AllPathsEnded { books, .. } | Proof::AllPathsEnd { books, .. } => {
            format!("all {} paths were followed to their ends", books.started)
        }
    }
}

/// More ranking functions are not shown.
const MOST_MEASURES: usize = 6;

/// What decreases in each loop.
fn ranked_text(ranking: &Ranking, files: &SourceFiles) -> String {
    if ranking.phases.is_empty() {
        return "no run returns to an earlier state".into();
    }
    let told = ranking.told.iter().take(MOST_MEASURES).map(|(place, what)| format!("; at {}: {what}", files.show(*place)));
    let more = ranking.told.len().saturating_sub(MOST_MEASURES);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("every loop and recursion ends, by ranking functions{}{more}", told.collect::<String>())
}

fn violation(trace: &Trace, log: Option<&ReplayLog>, files: &SourceFiles, text: &mut SourceText<'_>) -> ViolationReport {
    let mut report = ViolationReport {
        message: trace.violation.message.clone(),
        place: place_of(trace.violation.loc, files, text),
        stack: trace.violation.stack.iter().rev().cloned().collect(),
        ..ViolationReport::default()
    };
    let Some(log) = log else { return report };
    report.inputs = input_reports(log, files, text);
    report.functions = log
        .functions
        .iter()
        .map(|(name, args, value)| {
            let args: Vec<String> = args.iter().map(plain_value).collect();
            format!("{name}({}) = {}", args.join(", "), plain_value(value))
        })
        .collect();
    let told = tell(&trace.violation, log, files, text);
    (report.steps, report.cause, report.place) = (told.steps, told.cause, told.place);
    (report.stack, report.objects, report.accesses) = (told.stack, told.objects, told.accesses);
    for (index, place) in told.input_places {
        if let Some(input) = report.inputs.get_mut(index) {
            input.place = place;
        }
    }
    (report.irrelevant, report.skipped_before, report.skipped_stack) = (told.irrelevant, told.skipped_before, told.skipped_stack);
    report
}
