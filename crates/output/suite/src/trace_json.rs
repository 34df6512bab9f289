//! The inputs of a violation out of the JSON report of `fathom verify --json`, with or without the verdict line behind it.

use crate::case::{Input, Promise};
use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    property: String,
    violation: Option<Violation>,
}

#[derive(Deserialize)]
struct Violation {
    message: String,
    place: Place,
    inputs: Vec<Given>,
}

#[derive(Deserialize)]
struct Place {
    file: Option<String>,
    line: u32,
    column: u32,
}

#[derive(Deserialize)]
struct Given {
    source: String,
    type_name: String,
    bytes: String,
}

/// The inputs of the violation in a JSON report, and what its run promises.
pub fn read(text: &str) -> Result<(Vec<Input>, Promise), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Report>();
    let report =
        values.next().ok_or("there is no JSON in it")?.map_err(|error| format!("not a report of `fathom verify --json`: {error}"))?;
    let violated = report.properties.into_iter().find_map(|p| Some((p.property, p.violation?)));
    let (property, violation) = violated.ok_or("the report has no violation in it, so there is nothing to replay")?;
    let mut inputs = Vec::new();
    for (index, given) in violation.inputs.into_iter().enumerate() {
        // Uninitialised memory can't be set from outside.
        if given.source.is_empty() {
            continue;
        }
        let bytes = bytes(&given.bytes).ok_or_else(|| format!("the bytes of input {} are not hexadecimal digits", index + 1))?;
        inputs.push(Input { source: given.source, type_name: given.type_name, variable: String::new(), bytes });
    }
    let Place { file, line, column } = violation.place;
    let place = format!("{}:{line}:{column}", file.unwrap_or_default());
    Ok((inputs, Promise::Fails { property, message: violation.message, place }))
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).ok()).collect()
}
