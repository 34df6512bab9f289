//! The YAML format 2.0: a list of entries, of which one is a `violation_sequence` or an `invariant_set`.

use crate::Malformed;
use crate::model::{Claims, Invariant, Task, Waypoint, Witness};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::SystemTime;

#[derive(Serialize, Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Content>,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    format_version: String,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: TaskEntry,
}

#[derive(Serialize, Deserialize)]
struct Producer {
    name: String,
    version: String,
}

#[derive(Serialize, Deserialize)]
struct TaskEntry {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: String,
    language: String,
}

/// A segment of a violation, or an invariant.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    segment: Option<Vec<Segment>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invariant: Option<Invariant>,
}

#[derive(Serialize, Deserialize)]
struct Segment {
    waypoint: Waypoint,
}

pub(crate) fn write(witness: &Witness) -> Result<String, String> {
    let Task { files, specification, data_model } = &witness.task;
    let task = TaskEntry {
        input_files: files.iter().map(|(name, _)| name.clone()).collect(),
        input_file_hashes: files.iter().cloned().collect(),
        specification: specification.clone(),
        data_model: data_model.clone(),
        language: "C".into(),
    };
    let metadata = Metadata {
        format_version: "2.0".into(),
        uuid: uuid::Uuid::new_v4().to_string(),
        creation_time: creation_time(),
        producer: Producer { name: "Fathom".into(), version: env!("CARGO_PKG_VERSION").into() },
        task,
    };
    let (entry_type, content) = match &witness.claims {
        Claims::Violation(segments) => {
            let segment = |waypoints: &Vec<Waypoint>| Content {
                segment: Some(waypoints.iter().map(|waypoint| Segment { waypoint: waypoint.clone() }).collect()),
                invariant: None,
            };
            ("violation_sequence", segments.iter().map(segment).collect())
        }
        Claims::Correctness(invariants) => {
            let content = |invariant: &Invariant| Content { segment: None, invariant: Some(invariant.clone()) };
            ("invariant_set", invariants.iter().map(content).collect())
        }
    };
    let entries = [Entry { entry_type: entry_type.into(), metadata, content }];
    serde_saphyr::to_string(&entries).map_err(|error| format!("the witness can't be written as YAML: {error}"))
}

/// Now, to the second.
pub(crate) fn creation_time() -> String {
    iso_8601(SystemTime::now())
}

/// A time in whole seconds and UTC, such as `2024-02-28T23:59:59Z`.
pub fn iso_8601(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    jiff::Timestamp::from_second(since.as_secs() as i64).unwrap_or_default().to_string()
}

/// What the parser says, without the place and the text that it shows itself.
fn malformed(error: &serde_saphyr::Error) -> Malformed {
    let place = error.location().map_or((1, 1), |at| (at.line() as usize, at.column() as usize));
    let said = error.without_snippet().to_string();
    let said = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let (line, column) = place;
    let bare = said.replace(&format!(" at line {line}, column {column}"), "").replace(&format!("line {line} column {column}: "), "");
    Malformed { place, what: format!("not a witness of the YAML format 2.0: {bare}") }
}

pub(crate) fn read(text: &str) -> Result<Witness, Malformed> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| malformed(&error))?;
    let known = |entry: &Entry| matches!(entry.entry_type.as_str(), "violation_sequence" | "invariant_set");
    let entry = entries
        .into_iter()
        .find(known)
        .ok_or_else(|| Malformed::whole("the witness has neither a violation_sequence nor an invariant_set"))?;
    let TaskEntry { input_files, input_file_hashes, specification, data_model, .. } = entry.metadata.task;
    let hash = |name: &String| input_file_hashes.get(name).cloned().unwrap_or_default();
    let files = input_files.iter().map(|name| (name.clone(), hash(name))).collect();
    let claims = if entry.entry_type == "invariant_set" {
        Claims::Correctness(entry.content.into_iter().filter_map(|content| content.invariant).collect())
    } else {
        let segments = entry.content.into_iter().filter_map(|content| content.segment);
        Claims::Violation(segments.map(|segment| segment.into_iter().map(|part| part.waypoint).collect()).collect())
    };
    Ok(Witness { task: Task { files, specification, data_model }, claims })
}
