//! How an answer was checked before it was reported.

use std::fmt;

/// The strength of a check, in one word. docs/certificates.md says what each promises.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// The numbers of a proof agree; what it rests on was not decided by a second solver, or not all of it, or it rests on
    /// something that is not checked at all (folded lists, termination).
    Recounted,
    /// The numbers agree, a solver that the engine did not use gave the same answer to every question that the proof keeps, and a
    /// transformed program was compared with the original. Still taken on trust are the machine, comparison and merging of
    /// states, and that the kept questions are all that the proof needs.
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
    /// How much the check is worth.
    pub assurance: Assurance,
    /// What was seen, for people.
    pub notes: Vec<String>,
}
