//! The report as SARIF 2.1.0 (OASIS): a result per violation, with the trace as its code flow, one thread flow per thread.
//! Only violations are results: viewers list every result as a finding. What was proved or could not be decided stands in
//! the properties of the run, and in notifications of the invocation.

use crate::answered::Answered;
use crate::model::{AccessReport, InputReport, PlaceReport, PropertyReport, Report, StepReport, UnknownKind, ViolationReport};
use crate::rules::rule;
use crate::uri::uri;
use serde_json::{Value, json};
use serde_sarif::sarif::{
    Artifact, ArtifactLocation, CodeFlow, Invocation, Location, LogicalLocation, Message, MultiformatMessageString, Notification,
    PhysicalLocation, PropertyBag, Region, ReportingConfiguration, ReportingDescriptor, Result, ResultKind, ResultLevel, Run,
    RunAutomationDetails, Sarif, Stack, StackFrame, ThreadFlow, ThreadFlowLocation, Tool, ToolComponent,
};
use std::collections::BTreeMap;

/// Where the standard's schema is published.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report as a SARIF log with one run.
pub fn render_sarif(report: &Report) -> String {
    let log = Sarif::builder().schema(SCHEMA).version(json!("2.1.0")).runs(vec![run(report)]).build();
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    text.push('\n');
    text
}

fn run(report: &Report) -> Run {
    let driver = ToolComponent::builder()
        .name("fathom")
        .version(report.run.version.clone())
        .rules(report.properties.iter().map(descriptor).collect::<Vec<_>>())
        .build();
    let verdicts: BTreeMap<&str, Answered> =
        report.properties.iter().map(|property| (property.property.as_str(), property.verdict)).collect();
    let about = [
        ("verdict", json!(report.verdict)),
        ("verdicts", json!(verdicts)),
        ("assumptions", json!(report.assumptions)),
        ("engine", json!(report.run.engine)),
        ("solver", json!(report.run.solver)),
        ("dataModel", json!(report.run.data_model)),
        ("entry", json!(report.run.entry)),
        ("seconds", json!(report.run.seconds)),
    ];
    let artifact = |file: &String| Artifact::builder().location(artifact_location(file)).roles(vec![json!("analysisTarget")]).build();
    Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation(report)])
        .artifacts(report.run.files.iter().map(artifact).collect::<Vec<_>>())
        .automation_details(RunAutomationDetails::builder().id(category(report)).build())
        .column_kind(json!("unicodeCodePoints"))
        .results((0..).zip(&report.properties).filter_map(|(index, property)| result(index, property)).collect::<Vec<_>>())
        .properties(bag(about))
        .build()
}

/// What tells this run from others of the same commit: code scanning keeps the newest run of each.
fn category(report: &Report) -> String {
    format!("fathom/{}/", report.run.files.first().map_or("", |file| file.trim_start_matches('/')))
}

fn bag<const N: usize>(entries: [(&str, Value); N]) -> PropertyBag {
    PropertyBag::builder()
        .additional_properties(entries.map(|(name, value)| (name.to_string(), value)).into_iter().collect::<BTreeMap<_, _>>())
        .build()
}

fn message(text: impl Into<String>) -> Message {
    Message::builder().text(text.into()).build()
}

fn descriptor(property: &PropertyReport) -> ReportingDescriptor {
    let rule = rule(&property.property);
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    ReportingDescriptor::builder()
        .id(property.property.clone())
        .short_description(text(rule.short))
        .full_description(text(rule.short))
        .help(text(rule.help))
        .default_configuration(ReportingConfiguration::builder().level(json!("error")).build())
        .build()
}

/// How the run went: whether it came to an end by itself, and what could not be decided.
fn invocation(report: &Report) -> Invocation {
    let note = |level: &str, text: String| Notification::builder().level(json!(level)).message(message(text)).build();
    let mut notes: Vec<Notification> = report.error.iter().map(|error| note("error", error.message.clone())).collect();
    let open = report.properties.iter().filter(|property| property.unknown.is_some_and(|kind| kind != UnknownKind::NotReached));
    notes.extend(open.map(|property| {
        note("warning", format!("{} was not decided: {}", property.property, property.reason.as_deref().unwrap_or("no reason is known")))
    }));
    notes.extend(report.warnings.iter().map(|warning| note("warning", warning.clone())));
    Invocation::builder().execution_successful(report.error.is_none()).tool_execution_notifications(notes).build()
}

fn result(index: i64, property: &PropertyReport) -> Option<Result> {
    let violation = property.violation.as_ref()?;
    let here = location(&violation.place, None, violation.stack.first());
    let about = [
        ("inputs", violation.inputs.iter().map(input).collect()),
        ("functions", json!(violation.functions)),
        ("engine", json!(property.engine)),
        ("assurance", json!(property.assurance)),
        ("certificates", json!(property.certificates)),
    ];
    let result = Result::builder()
        .rule_id(property.property.clone())
        .rule_index(index)
        .kind(ResultKind::Fail)
        .level(ResultLevel::Error)
        .message(message(summary(violation)))
        .locations(vec![here])
        .stacks(vec![stack(violation)])
        .properties(bag(about));
    let other = |access: &AccessReport| location(&access.place, Some(access.text.clone()), None);
    let related = (!violation.accesses.is_empty()).then(|| violation.accesses.iter().map(other).collect::<Vec<_>>());
    let result = result.opt_related_locations(related);
    let flows = thread_flows(violation);
    Some(match flows.is_empty() {
        true => result.build(),
        false => result.code_flows(vec![CodeFlow::builder().thread_flows(flows).build()]).build(),
    })
}

/// The message, and the inputs that lead there if they are few.
fn summary(violation: &ViolationReport) -> String {
    const FEW: usize = 8;
    let asked: Vec<String> = violation.inputs.iter().filter(|input| !input.source.is_empty()).map(|input| input.shown()).collect();
    match asked.len() {
        0 => violation.message.clone(),
        1..=FEW => format!("{} (with {})", violation.message, asked.join(", ")),
        many => format!("{} (with {} and {} more)", violation.message, asked[..FEW].join(", "), many - FEW),
    }
}

fn input(input: &InputReport) -> Value {
    json!({ "source": input.source, "type": input.type_name, "value": input.value, "bytes": input.bytes })
}

fn artifact_location(file: &str) -> ArtifactLocation {
    ArtifactLocation::builder().uri(uri(file)).build()
}

fn location(place: &PlaceReport, text: Option<String>, function: Option<&String>) -> Location {
    let logical = function.map(|name| vec![LogicalLocation::builder().name(name.clone()).kind("function").build()]);
    Location::builder().opt_physical_location(physical(place)).opt_message(text.map(message)).opt_logical_locations(logical).build()
}

/// A place in a file; none for what the compiler gave no line for.
fn physical(place: &PlaceReport) -> Option<PhysicalLocation> {
    let file = place.file.as_ref().filter(|_| place.line > 0)?;
    let region = Region::builder().start_line(place.line).opt_start_column((place.column > 0).then_some(i64::from(place.column))).build();
    Some(PhysicalLocation::builder().artifact_location(artifact_location(file)).region(region).build())
}

fn stack(violation: &ViolationReport) -> Stack {
    let frame = |(depth, function): (usize, &String)| {
        let place = if depth == 0 { violation.place.clone() } else { PlaceReport::default() };
        StackFrame::builder().location(location(&place, None, Some(function))).build()
    };
    Stack::builder().frames(violation.stack.iter().enumerate().map(frame).collect::<Vec<_>>()).build()
}

/// One thread's part of a trace, as it grows.
#[derive(Default)]
struct Flow {
    functions: Vec<String>,
    steps: Vec<ThreadFlowLocation>,
}

/// The steps of each thread, in the order of the whole trace by their execution order.
fn thread_flows(violation: &ViolationReport) -> Vec<ThreadFlow> {
    let mut flows: BTreeMap<u32, Flow> = BTreeMap::new();
    let (mut thread, mut order) = (1, 0i64);
    let mut add = |flows: &mut BTreeMap<u32, Flow>, thread, place: &PlaceReport, text: String, essential: bool| {
        if place.file.is_none() || place.line == 0 {
            return;
        }
        order += 1;
        let flow = flows.entry(thread).or_default();
        let step = ThreadFlowLocation::builder()
            .location(location(place, Some(text), flow.functions.last()))
            .execution_order(order)
            .nesting_level(flow.functions.len().saturating_sub(1) as i64)
            .importance(json!(if essential { "essential" } else { "important" }));
        flow.steps.push(step.build());
    };
    for step in &violation.steps {
        if let StepReport::Thread { number, .. } = step {
            thread = *number;
        }
        if let StepReport::Enter { function, .. } = step {
            flows.entry(thread).or_default().functions.push(function.clone());
        }
        if let Some((text, essential)) = told(step, violation) {
            add(&mut flows, thread, step.place(), text, essential);
        }
        if let StepReport::Leave { .. } = step {
            flows.entry(thread).or_default().functions.pop();
        }
    }
    add(&mut flows, thread, &violation.place, violation.message.clone(), true);
    flows
        .into_iter()
        .filter(|(_, flow)| !flow.steps.is_empty())
        .map(|(number, flow)| ThreadFlow::builder().id(format!("thread {number}")).locations(flow.steps).build())
        .collect()
}

/// The text of a step, and whether it is essential; branches can be seen from the lines that follow.
fn told(step: &StepReport, violation: &ViolationReport) -> Option<(String, bool)> {
    match step {
        StepReport::Enter { function, .. } => Some((format!("{function} starts"), false)),
        StepReport::Leave { function, .. } => Some((format!("{function} returns"), false)),
        StepReport::Value { variable, type_name, .. } if type_name == "sourceloc" => Some((variable.clone(), false)),
        StepReport::Value { variable, value, .. } => Some((format!("{variable} = {value}"), false)),
        StepReport::Input { number, .. } => {
            let input = violation.inputs.get(number.checked_sub(1)?).filter(|input| !input.source.is_empty())?;
            Some((input.shown(), true))
        }
        StepReport::Thread { number, function, .. } => Some((format!("thread {number} ({function}) goes on"), false)),
        StepReport::Branch { .. } => None,
    }
}
