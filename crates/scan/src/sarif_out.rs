//! A scan as SARIF 2.1.0 with a result per alarm: those that were refuted are suppressed, so that viewers hide them; those that
//! are open are for review. Fingerprints keep results together from scan to scan.

use crate::alarm::{Alarm, FlowStep, Place};
use crate::baseline::FINGERPRINT;
use crate::report::{Finding, ScanReport};
use crate::verdict::VerdictKind;
use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactLocation, CodeFlow, Invocation, Location, LogicalLocation, Message, Notification, PhysicalLocation, PropertyBag, Region,
    ReportingDescriptor, Result, ResultKind, ResultLevel, Run, RunAutomationDetails, Sarif, Suppression, ThreadFlow, ThreadFlowLocation,
    Tool, ToolComponent,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where the standard's schema is published.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report as a SARIF log with one run.
pub fn render_sarif(report: &ScanReport) -> String {
    let log = Sarif::builder().schema(SCHEMA).version(json!("2.1.0")).runs(vec![run(report)]).build();
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    text.push('\n');
    text
}

/// A rule with the tool that it is of: two tools may use one name.
fn rule_id(alarm: &Alarm) -> String {
    if alarm.tool == "fathom" { alarm.rule.clone() } else { format!("{}/{}", alarm.tool, alarm.rule) }
}

fn run(report: &ScanReport) -> Run {
    let rules: BTreeSet<String> = report.findings.iter().map(|finding| rule_id(&finding.alarm)).collect();
    let descriptor = |rule: &String| ReportingDescriptor::builder().id(rule.clone()).build();
    let driver = ToolComponent::builder()
        .name("fathom")
        .version(report.version.clone())
        .rules(rules.iter().map(descriptor).collect::<Vec<_>>())
        .build();
    let rules: BTreeMap<&String, i64> = rules.iter().zip(0..).collect();
    let counts: BTreeMap<&str, usize> = VerdictKind::ALL.iter().map(|kind| (kind.name(), report.count(*kind))).collect();
    Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation(report)])
        .automation_details(RunAutomationDetails::builder().id("fathom-scan/").build())
        .column_kind(json!("unicodeCodePoints"))
        .results(report.findings.iter().map(|finding| result(report, finding, rules[&rule_id(&finding.alarm)])).collect::<Vec<_>>())
        .properties(bag([("counts", json!(counts)), ("times", json!(report.times)), ("functions", json!(report.functions))]))
        .build()
}

fn bag<const N: usize>(entries: [(&str, Value); N]) -> PropertyBag {
    let entries = entries.map(|(name, value)| (name.to_string(), value));
    PropertyBag::builder().additional_properties(entries.into_iter().collect::<BTreeMap<_, _>>()).build()
}

fn message(text: impl Into<String>) -> Message {
    Message::builder().text(text.into()).build()
}

fn invocation(report: &ScanReport) -> Invocation {
    let note = |level: &str, text: String| Notification::builder().level(json!(level)).message(message(text)).build();
    let failed = report.failed.iter().map(|(file, why)| note("error", format!("{} was not scanned: {why}", report.shown(file))));
    let notes: Vec<Notification> = failed.chain(report.warnings.iter().map(|warning| note("warning", warning.clone()))).collect();
    Invocation::builder().execution_successful(!report.interrupted).tool_execution_notifications(notes).build()
}

fn result(report: &ScanReport, finding: &Finding, rule: i64) -> Result {
    let Finding { alarm, verdict, fingerprint } = finding;
    let (kind, level) = match verdict.kind {
        VerdictKind::Confirmed => (ResultKind::Fail, ResultLevel::Error),
        VerdictKind::ConfirmedForCaller => (ResultKind::Fail, ResultLevel::Warning),
        // A kind other than `fail` has no level of its own, and viewers leave it out.
        VerdictKind::Open | VerdictKind::RefutedWithinBounds | VerdictKind::Refuted => (ResultKind::Fail, ResultLevel::Note),
    };
    let is_refuted = matches!(verdict.kind, VerdictKind::Refuted | VerdictKind::RefutedWithinBounds);
    // Bounds are no proof: somebody has to accept such a suppression.
    let status = if verdict.kind == VerdictKind::Refuted { "accepted" } else { "underReview" };
    let suppression = || {
        let justification = format!("{}: {}", verdict.kind.name(), verdict.reason);
        vec![Suppression::builder().kind(json!("external")).status(json!(status)).justification(justification).build()]
    };
    let about = [
        ("verdict", json!(verdict.kind)),
        ("class", json!(alarm.class)),
        ("reason", json!(verdict.reason)),
        ("precondition", json!(verdict.precondition)),
        ("evidence", json!(verdict.evidence)),
        ("assumptions", json!(verdict.assumptions)),
    ];
    let step = |step: &FlowStep| ThreadFlowLocation::builder().location(location(report, &step.place, Some(&step.message), None)).build();
    let steps: Vec<ThreadFlowLocation> = alarm.flow.iter().map(step).collect();
    let flows = || vec![CodeFlow::builder().thread_flows(vec![ThreadFlow::builder().locations(steps.clone()).build()]).build()];
    let prints = BTreeMap::from([(FINGERPRINT.to_string(), fingerprint.clone())]);
    Result::builder()
        .rule_id(rule_id(alarm))
        .rule_index(rule)
        .kind(kind)
        .level(level)
        .message(message(format!("{} ({}: {})", alarm.message, verdict.kind.name(), verdict.reason)))
        .locations(vec![location(report, &alarm.place, None, alarm.function.as_ref())])
        .partial_fingerprints(prints)
        .opt_suppressions(is_refuted.then(suppression))
        .opt_code_flows((!steps.is_empty()).then(flows))
        .properties(bag(about))
        .build()
}

fn location(report: &ScanReport, place: &Place, text: Option<&String>, function: Option<&String>) -> Location {
    let artifact = ArtifactLocation::builder().uri(fathom_report::uri(report.shown(&place.file))).build();
    let column = (place.column > 0).then_some(i64::from(place.column));
    let region = (place.line > 0).then(|| Region::builder().start_line(place.line).opt_start_column(column).build());
    let physical = PhysicalLocation::builder().artifact_location(artifact).opt_region(region).build();
    let logical = function.map(|name| vec![LogicalLocation::builder().name(name.clone()).kind("function").build()]);
    Location::builder().physical_location(physical).opt_message(text.map(message)).opt_logical_locations(logical).build()
}
