//! The result of validating a witness.

use serde::{Deserialize, Serialize};

/// The answer about a witness.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WitnessStatus {
    /// Its run was replayed, or its invariants were proved and the properties with them.
    Confirmed,
    /// It claims something that is not so.
    Refuted,
    /// Neither could be shown.
    Open,
}

/// A witness that was validated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WitnessReport {
    /// Its file.
    pub file: String,
    /// `violation` or `correctness`.
    pub kind: String,
    /// What became of it.
    pub status: WitnessStatus,
    /// Why, and what else there is to say, for people.
    pub notes: Vec<String>,
}
