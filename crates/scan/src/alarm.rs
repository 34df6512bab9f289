//! An alarm of an analyser: a suspected fault, its location, and the path to it.

use crate::rules::Class;
use serde::{Deserialize, Serialize};

/// What Fathom's abstract interpretation is called as an analyser.
pub const INTERVALS: &str = "fathom-intervals";

/// A position in a file, by its absolute path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Absolute, without `.` and `..`.
    pub file: String,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
}

/// A step on the way to a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowStep {
    /// Where it is.
    pub place: Place,
    /// The last line and column of what is meant there; the place's own if the analyser gave none.
    pub end: (u32, u32),
    /// What the analyser says of it.
    pub message: String,
}

/// A fault that an analyser suspects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// The analyser.
    pub tool: String,
    /// Its name for the kind of fault.
    pub rule: String,
    /// What kind of fault that is.
    pub class: Class,
    /// Where it is.
    pub place: Place,
    /// The function that it is in, if that is known.
    pub function: Option<String>,
    /// What the analyser says of it.
    pub message: String,
    /// How control gets there, in order; empty if the analyser does not say.
    pub flow: Vec<FlowStep>,
}

impl Alarm {
    /// Whether two analysers, or one in two translation units, mean the same.
    pub fn is_same(&self, other: &Alarm) -> bool {
        self.place == other.place && self.rule == other.rule && self.tool == other.tool
    }
}
