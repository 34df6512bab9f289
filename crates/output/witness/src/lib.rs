//! Witnesses of the software verification competition, which let other tools check an answer. A violation witness
//! describes the path to the violation, a correctness witness the invariants of the proof. Both are written and read in
//! the YAML format 2.0 and in the older GraphML format 1.0.
//!
//! `model` is a witness as plain data, `yaml` and `graphml` are its two formats. `violation` extracts one from a
//! report, `invariants` from a proof. `instrument` inserts the claims of a witness into the program's source, so that
//! verifying that program validates the witness; `pure` decides which expressions may be inserted.

mod elements;
mod graphml;
mod instrument;
mod invariants;
mod model;
mod pure;
mod violation;
mod yaml;

pub use instrument::{Instrumented, inputs, instrument};
pub use invariants::loop_invariants;
pub use model::{Action, Claims, Constraint, Invariant, InvariantKind, Location, Task, Waypoint, WaypointKind, Witness, specification};
pub use violation::waypoints;
pub use yaml::iso_8601;

use fathom_base::snippet;
use std::path::Path;

/// The two forms of witnesses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Version 2.0.
    Yaml,
    /// Version 1.0.
    GraphMl,
}

impl Form {
    /// The form that a file name asks for.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "yml" | "yaml" => Some(Form::Yaml),
            "graphml" | "xml" => Some(Form::GraphMl),
            _ => None,
        }
    }
}

/// The text of a witness.
pub fn write(witness: &Witness, form: Form) -> Result<String, String> {
    match form {
        Form::Yaml => yaml::write(witness),
        Form::GraphMl => graphml::write(witness),
    }
}

/// Reads a witness of either form. An error names the file at this path and says what is wrong with it, and where.
pub fn read(path: &str, text: &str) -> Result<Witness, String> {
    parse(text).map_err(|Malformed { place: (line, column), what }| snippet::message_at(path, text, line, column, "error", &what))
}

/// Reads a witness of either form.
pub fn parse(text: &str) -> Result<Witness, Malformed> {
    if text.trim_start().starts_with('<') { graphml::read(text) } else { yaml::read(text) }
}

/// What is wrong with a witness.
#[derive(Debug)]
pub struct Malformed {
    /// Line and column, from 1.
    pub place: (usize, usize),
    /// In words.
    pub what: String,
}

impl Malformed {
    /// Something is missing in the whole of it.
    fn whole(what: &str) -> Self {
        Self { place: (1, 1), what: what.to_string() }
    }
}
