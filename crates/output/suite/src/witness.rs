//! The inputs of a violation witness: the results of input functions that it names, as assumptions of the form `\result == 5`.
//! A witness that names none can't be replayed.

use crate::case::Input;
use crate::values;
use fathom_native as native;
use fathom_witness::Claims;

/// The inputs that a witness names, in order.
pub fn inputs(text: &str, pointer_bits: u32) -> Result<Vec<Input>, String> {
    let witness = fathom_witness::parse(text).map_err(|malformed| malformed.what)?;
    let segments = match witness.claims {
        Claims::Violation(segments) => segments,
        Claims::Correctness(_) => Vec::new(),
    };
    let mut inputs = Vec::new();
    for waypoint in segments.iter().flatten() {
        if let (Some(constraint), Some(function)) = (&waypoint.constraint, &waypoint.result_of) {
            inputs.extend(result(&constraint.value, function, pointer_bits)?);
        }
    }
    if inputs.is_empty() {
        return Err("it names no result of an input function (assumption.resultfunction), so there is nothing to replay".into());
    }
    Ok(inputs)
}

/// The value that `\result` is assumed to have.
fn result(assumption: &str, function: &str, pointer_bits: u32) -> Result<Option<Input>, String> {
    let Some((_, value)) = assumption.split_once("\\result") else { return Ok(None) };
    let value = value.trim_start().trim_start_matches('=').split([';', '&']).next().unwrap_or_default().trim();
    let value = value.trim_matches(|c| c == '(' || c == ')').trim();
    let type_name = native::c_type_of(function).unwrap_or_default().to_string();
    let bytes = values::parse(value, &type_name, pointer_bits).map_err(|why| format!("{function}: {why}"))?;
    Ok(Some(Input { source: function.to_string(), type_name, variable: String::new(), bytes }))
}
