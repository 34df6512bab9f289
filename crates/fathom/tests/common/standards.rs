//! What reports are held against: the published schema of SARIF, and schemas of our own.

use serde_json::Value;
use std::path::{Path, PathBuf};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn json_of(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What the schema has to say against a document.
pub fn complaints(schema: &Value, document: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The published schema of SARIF 2.1.0, which the crate that builds our logs brings along.
pub fn sarif_schema() -> Value {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(repository().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let mut schema = json_of(&Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src").join("schema.json"));
    without_broken_patterns(&mut schema);
    schema
}

/// The pattern for languages has a bracket too many, and no validator that reads patterns strictly takes it.
fn without_broken_patterns(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut() {
        object.retain(|key, value| key != "pattern" || !value.as_str().is_some_and(|pattern| pattern.contains("{2}]?$")));
        object.values_mut().for_each(without_broken_patterns);
    }
    schema.as_array_mut().into_iter().flatten().for_each(without_broken_patterns);
}
