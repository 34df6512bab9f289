//! How an answer was checked again before it was told.

use std::fmt;

/// The strength of a check, in one word. docs/certificates.md says what each promises.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// The numbers of a proof agree; what it rests on was not decided by a second solver, or not all of it.
    Recounted,
    /// Everything that the proof rests on was decided again, by a solver that the engine did not use.
    Checked,
    /// The interpreter ran the inputs into the violation.
    Replayed,
    /// The compiled program failed on the inputs as well.
    ReplayedNatively,
}

impl fmt::Display for Assurance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assurance::Recounted => "recounted",
            Assurance::Checked => "checked",
            Assurance::Replayed => "replayed",
            Assurance::ReplayedNatively => "replayed natively",
        })
    }
}

/// What `certify` says about an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub assurance: Assurance,
    /// What was seen, for people.
    pub notes: Vec<String>,
}
