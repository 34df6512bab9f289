//! The path to a violation as waypoints: the result of each input function, then the location of the violation. That
//! determines the run of a program with one thread.

use crate::model::{Action, Constraint, Location, Waypoint, WaypointKind};
use fathom_explain::scan::Source;
use fathom_ir::sources;
use fathom_report::{InputReport, PlaceReport, ViolationReport};
use std::collections::BTreeMap;

/// A segment per input, and one for the target. The format knows places in the files of the program only, so inputs that a header
/// asks for are left out, and a violation there has no witness.
pub fn waypoints(violation: &ViolationReport, files: &[String], is_error_call: bool) -> Result<Vec<Vec<Waypoint>>, String> {
    let end = violation.place.file.as_deref().unwrap_or("an unknown file");
    if !files.iter().any(|file| file == end) {
        return Err(format!("there is no witness, because the violation is in {end}, which is none of the files of the program"));
    }
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut segments: Vec<Vec<Waypoint>> = Vec::new();
    for input in violation.inputs.iter().filter(|input| !input.source.is_empty()) {
        let Some(file) = input.place.file.as_ref().filter(|file| files.contains(file)) else { continue };
        let text = texts.entry(file.clone()).or_insert_with(|| std::fs::read_to_string(file).unwrap_or_default());
        // Functions without a body are told apart from those that are known to give inputs.
        let function = input.source.strip_prefix(sources::RESULT).unwrap_or(&input.source);
        let (Some(value), Some(column)) = (constant(input), closing_bracket(text, input, function)) else { continue };
        let constraint = Constraint { value: format!("\\result == {value}"), format: Some("acsl_expression".into()) };
        segments.push(vec![Waypoint {
            kind: WaypointKind::FunctionReturn,
            action: Action::Follow,
            constraint: Some(constraint),
            location: location(&input.place, column),
            result_of: Some(function.to_string()),
        }]);
    }
    // Where a call stands is where its statement begins; the place of another violation may be inside an expression.
    let column = Some(violation.place.column).filter(|&column| is_error_call && column > 0);
    let mut target = location(&violation.place, column);
    target.function = violation.stack.first().cloned();
    segments.push(vec![Waypoint {
        kind: WaypointKind::Target,
        action: Action::Follow,
        constraint: None,
        location: target,
        result_of: None,
    }]);
    Ok(segments)
}

fn location(place: &PlaceReport, column: Option<u32>) -> Location {
    Location { file_name: place.file.clone().unwrap_or_default(), line: place.line, column, function: None }
}

/// The column of the bracket that ends the call, as the format wants it, unless it is in another line; none if there is no such
/// call in the source.
fn closing_bracket(text: &str, input: &InputReport, function: &str) -> Option<Option<u32>> {
    let source = Source::new(text);
    let (_, _, close) = source.call_at(input.place.line, Some(input.place.column), Some(function))?;
    let close = source.tokens[close];
    Some((close.line == input.place.line).then_some(close.column))
}

/// The value as a constant of C; none for infinities and NaNs, which have no constant.
fn constant(input: &InputReport) -> Option<String> {
    let value = input.value.split_whitespace().next().unwrap_or_default();
    let digits = value.trim_start_matches('-');
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(value.to_string());
    }
    let is_float = ["float", "double", "_Float"].iter().any(|word| input.type_name.contains(word));
    if is_float { None } else { number(&input.bytes) }
}

/// Up to eight bytes as an unsigned number.
fn number(bytes: &str) -> Option<String> {
    if !bytes.is_ascii() || bytes.len() > 16 || bytes.is_empty() {
        return None;
    }
    let pairs = (0..bytes.len() / 2).rev().map(|i| &bytes[2 * i..2 * i + 2]);
    u64::from_str_radix(&pairs.collect::<String>(), 16).ok().map(|number| number.to_string())
}
