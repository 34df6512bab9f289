//! The report as plain data: strings and numbers, already in C notation, nothing left to look up. Its serialised form is
//! the JSON schema (version 1): fields may be added, never renamed or reused with another meaning.

use crate::failure::ErrorReport;
use crate::source::SourceText;
use crate::trace::{place_of, tell};
use crate::validation::WitnessReport;
use crate::values::{c_input, plain_value};
use fathom_base::{SourceFiles, StopReason};
use fathom_engine::{Certificate, Outcome, Proof, Reason, TargetFate, TargetNote, Verdict};
use fathom_ir::Property;
use fathom_machine::{ReplayLog, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    pub run: RunInfo,
    /// `true`, `false(<property>)` or `unknown(<reason>)`.
    pub verdict: String,
    pub properties: Vec<PropertyReport>,
    pub assumptions: Vec<String>,
    pub warnings: Vec<String>,
    /// What each engine found, where all were waited for: `auto` fills it in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<String>,
    pub statistics: Vec<(String, u64)>,
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
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TargetReport {
    pub place: PlaceReport,
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
    pub tool: String,
    pub version: String,
    pub files: Vec<String>,
    pub entry: String,
    pub data_model: String,
    pub engine: String,
    pub solver: String,
    pub seed: u64,
    pub seconds: f64,
    /// The file that settings came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The properties that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<String>,
    /// What was not checked, if nobody chose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertyReport {
    pub property: String,
    /// `true`, `false` or `unknown`.
    pub verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The kind of reason for not knowing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownKind>,
    /// The engine that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How the answer was checked again, in one word: `checked`, `recounted`, `replayed` or `replayed natively`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assurance: Option<String>,
    /// What that check saw.
    pub certificates: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationReport>,
}

/// Why a property is neither proved nor violated, for programs; `reason` says it for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownKind {
    /// The time was over.
    Timeout,
    /// The memory was used up.
    OutOfMemory,
    /// Somebody interrupted the run.
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
            Reason::Unsupported { .. } => UnknownKind::Unsupported,
            Reason::NotReached => UnknownKind::NotReached,
            Reason::NotConfirmed(_) => UnknownKind::NotConfirmed,
            Reason::Undefined { .. } | Reason::Solver(_) | Reason::Undecided(_) | Reason::NotAsked(_) => UnknownKind::Other,
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ViolationReport {
    pub message: String,
    /// Why: the condition that does not hold with the values of its parts, or the object that was missed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cause: Vec<String>,
    pub place: PlaceReport,
    /// Active functions, innermost first.
    pub stack: Vec<String>,
    pub inputs: Vec<InputReport>,
    /// What uninterpreted functions give where it matters, such as `f(1) = 2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    pub steps: Vec<StepReport>,
    /// Steps, counted from 0, that do not influence the failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irrelevant: Vec<usize>,
    /// Steps of a long run are missing before this one, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_before: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceReport {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputReport {
    /// The function that the program called; empty for an uninitialised variable or object.
    pub source: String,
    pub type_name: String,
    pub value: String,
    /// Little-endian, two hexadecimal digits each.
    pub bytes: String,
    pub place: PlaceReport,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StepReport {
    Enter {
        function: String,
        place: PlaceReport,
    },
    Leave {
        function: String,
        place: PlaceReport,
    },
    Value {
        variable: String,
        type_name: String,
        value: String,
        /// It lies in memory, and other names may stand for the same place.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        memory: bool,
        place: PlaceReport,
    },
    /// Counts from 1 in the list of inputs.
    Input {
        number: usize,
        place: PlaceReport,
    },
    /// Another thread goes on; `function` is what it was started with.
    Thread {
        number: u32,
        function: String,
        place: PlaceReport,
    },
    /// Whether the compiler's condition held; that may be the opposite of the condition in the source.
    Branch {
        taken: bool,
        place: PlaceReport,
    },
}

/// The type of a `Value` that says what became of an object, not what it holds.
pub const LIFETIME: &str = "lifetime";

impl StepReport {
    /// The source position of a step.
    pub fn place(&self) -> &PlaceReport {
        match self {
            StepReport::Enter { place, .. }
            | StepReport::Leave { place, .. }
            | StepReport::Value { place, .. }
            | StepReport::Input { place, .. }
            | StepReport::Thread { place, .. }
            | StepReport::Branch { place, .. } => place,
        }
    }
}

/// The input of a report.
pub struct Described<'a> {
    pub run: RunInfo,
    pub outcome: &'a Outcome,
    pub files: &'a SourceFiles,
    /// The concrete replay of each violated property.
    pub replays: &'a BTreeMap<Property, ReplayLog>,
    /// What `certify` has to say about each property.
    pub certificates: &'a BTreeMap<Property, Certificate>,
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
            verdict: String::new(),
            reason: None,
            unknown: None,
            engine: None,
            assurance: certificate.map(|certificate| certificate.assurance.to_string()),
            certificates: certificate.map(|certificate| certificate.notes.clone()).unwrap_or_default(),
            violation: None,
        };
        match verdict {
            Verdict::Holds(proof) => {
                entry.verdict = "true".into();
                entry.reason = Some(proof_text(proof, what.files));
            }
            Verdict::Violated(trace) => {
                entry.verdict = "false".into();
                entry.violation = Some(violation(trace, what.replays.get(property), what.files, &mut text));
            }
            Verdict::Unknown(reason) => {
                entry.verdict = "unknown".into();
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
        statistics,
        summary: what.outcome.statistics.summary.clone(),
        targets: what.outcome.statistics.targets.iter().map(|target| target_report(target, what.files, &mut text)).collect(),
        error: None,
        witness: None,
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
        bytes: input.bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        place: place_of(input.loc, files, text),
    };
    log.inputs.iter().map(&mut report).collect()
}

/// One answer for the whole run: a violation wins; then the most telling reason for not knowing; then `true`.
pub fn overall(properties: &[PropertyReport]) -> String {
    if let Some(violated) = properties.iter().find(|property| property.violation.is_some()) {
        return format!("false({})", violated.property);
    }
    match main_unknown(properties) {
        Some(property) => format!("unknown({})", property.reason.as_deref().unwrap_or_default()),
        None if properties.is_empty() => "unknown(no property was checked)".into(),
        None => "true".into(),
    }
}

/// The property whose reason for not knowing is told for all: the first with a reason of its own.
pub fn main_unknown(properties: &[PropertyReport]) -> Option<&PropertyReport> {
    let mut unknown = properties.iter().filter(|property| property.unknown.is_some());
    let own = unknown.clone().find(|property| property.unknown != Some(UnknownKind::NotReached));
    own.or_else(|| unknown.next_back())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a property holds that nothing in the program can violate.
pub(crate) const NOTHING_TO_CHECK: &str = "there is nothing to check";

fn proof_text(proof: &Proof, files: &SourceFiles) -> String {
    match proof {
        Proof::NothingToCheck => NOTHING_TO_CHECK.into(),
        Proof::AllPathsEnded { started: 1, .. } | Proof::AllPathsEnd { started: 1, .. } => "the only path was followed to its end".into(),
        Proof::Inductive { k, loops, .. } => {
            let invariants: usize = loops.iter().map(|(_, invariants)| invariants.len()).sum();
            let heads = loops.len();
            format!("by induction with k = {k} over {heads} loops, with {invariants} proved invariants")
        }
        Proof::Partition { regions, summaries, .. } => {
            let count: usize = regions.iter().map(Vec::len).sum();
            let recursive =
                if summaries.is_empty() { String::new() } else { format!(", with {} summaries of recursive procedures", summaries.len()) };
            format!(
                "no test can get there: {count} regions at {} blocks contain every state and no step out of them{recursive}",
                regions.len()
            )
        }
        Proof::Deduced { formulas, loops, contracts, .. } => {
            let by_contracts = if *contracts { " and contracts" } else { "" };
            format!("by the invariants of {loops} loops{by_contracts}: no assertion can fail in {formulas} formulas")
        }
        Proof::Interpolated { started, covered, room, .. } => {
            let room = match room {
                Some((place, room)) if !room.is_empty() => format!("; at {}: {}", files.show(*place), room.join("; ")),
                _ => String::new(),
            };
            format!("all {started} paths were followed to their ends or, {covered} of them, to a state that an interpolant covers{room}")
        }
        Proof::UnwindingComplete { bound, repeated: 0, .. } => {
            format!("all loops end within {bound} iterations, or a constant number of them")
        }
        Proof::UnwindingComplete { bound, repeated, .. } => {
            format!("within {bound} iterations all loops end or meet one of {repeated} states that they had before")
        }
        Proof::AllPathsEnded { started, .. } | Proof::AllPathsEnd { started, .. } => {
            format!("all {started} paths were followed to their ends")
        }
    }
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
    report.stack = told.stack;
    for (index, place) in told.input_places {
        if let Some(input) = report.inputs.get_mut(index) {
            input.place = place;
        }
    }
    (report.irrelevant, report.skipped_before) = (told.irrelevant, told.skipped_before);
    report
}
