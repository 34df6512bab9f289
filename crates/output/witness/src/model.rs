//! A witness as plain data.

use fathom_base::sha256;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a witness says, and about which program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The program and the question.
    pub task: Task,
    /// What it claims.
    pub claims: Claims,
}

/// The program that a witness is about, and the question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The files, and the SHA-256 of each.
    pub files: Vec<(String, String)>,
    /// Lines of a property file.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

impl Task {
    /// The task of these files as they are now.
    pub fn new(files: &[String], specification: String, data_model: &str) -> Result<Self, String> {
        let hashed = |file: &String| {
            let content = std::fs::read(Path::new(file)).map_err(|error| format!("{file} can't be read: {error}"))?;
            Ok((file.clone(), sha256(content)))
        };
        let files = files.iter().map(hashed).collect::<Result<_, String>>()?;
        Ok(Self { files, specification, data_model: data_model.into() })
    }
}

/// What a witness claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claims {
    /// There is a violation, along these segments: lists of waypoints, the last of each to be followed.
    Violation(Vec<Vec<Waypoint>>),
    /// There is none, and these conditions hold.
    Correctness(Vec<Invariant>),
}

/// A place in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// From 1.
    pub line: u32,
    /// From 1; without it the first place in the line that is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// What has to happen at a waypoint.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaypointKind {
    /// The condition holds before the statement there.
    Assumption,
    /// The violation happens there.
    Target,
    /// The function whose call ends there is entered.
    FunctionEnter,
    /// The function whose call ends there returns a value of which the condition holds.
    FunctionReturn,
    /// The condition of the statement there is `true` or `false`.
    Branching,
}

/// Whether a waypoint is to be passed or must not be.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is passed.
    Follow,
    /// It is not passed before the segment's waypoint to follow.
    Avoid,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// The expression.
    pub value: String,
    /// `c_expression` or `acsl_expression`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// A point on the way to a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waypoint {
    /// What has to happen.
    #[serde(rename = "type")]
    pub kind: WaypointKind,
    /// Whether it has to.
    pub action: Action,
    /// The condition, for all but targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    /// Where.
    pub location: Location,
    /// The function whose result it is about. It has no place in the YAML format, where the location says it.
    #[serde(skip)]
    pub result_of: Option<String>,
}

/// Where a condition holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvariantKind {
    /// Whenever the condition of the loop there is about to be evaluated.
    LoopInvariant,
    /// Whenever control is before the statement there.
    LocationInvariant,
}

/// A condition that holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Invariant {
    /// Where exactly.
    #[serde(rename = "type")]
    pub kind: InvariantKind,
    /// The place.
    pub location: Location,
    /// A C expression.
    pub value: String,
    /// `c_expression`.
    pub format: String,
}

/// Properties as lines of a property file.
pub fn specification<'a>(entry: &str, properties: impl IntoIterator<Item = &'a str>) -> String {
    let formula = |property: &str| match property {
        "unreach-call" => "G ! call(reach_error())".to_string(),
        "no-overflow" => "G ! overflow".to_string(),
        "no-data-race" => "G ! data-race".to_string(),
        "termination" => "F end".to_string(),
        "assertion" => "G assert".to_string(),
        name => format!("G {name}"),
    };
    let lines: Vec<String> =
        properties.into_iter().map(|property| format!("CHECK( init({entry}()), LTL({}) )", formula(property))).collect();
    lines.join("\n")
}
