//! The explanation of a proof, as plain data: conditions at source locations, in the language of the source. Conditions
//! that cannot be expressed in it are counted, with the reason; nothing is dropped silently.

use crate::model::PlaceReport;
use crate::trace_text::short;
use fathom_base::name_in_source;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What a claim is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// Holds whenever control reaches the loop head.
    LoopInvariant,
    /// Holds whenever the loop is gone round once more, which is where the induction uses it.
    InductionHypothesis,
    /// Under this condition nothing fails from there on, and every state that comes there satisfies one of them.
    Interpolant,
    /// Written in the program: holds whenever control reaches the loop head.
    OwnInvariant,
    /// Written in the program: holds at every call.
    Precondition,
    /// Written in the program: holds at every return.
    Postcondition,
}

impl ClaimKind {
    /// What it says of the place, for people.
    pub fn words(self) -> &'static str {
        match self {
            ClaimKind::LoopInvariant => "always",
            ClaimKind::InductionHypothesis => "in every further iteration",
            ClaimKind::Interpolant => "one of",
            ClaimKind::OwnInvariant => "invariant of the program",
            ClaimKind::Precondition => "at every call",
            ClaimKind::Postcondition => "at every return",
        }
    }
}

/// Conditions at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClaimReport {
    /// What they are.
    pub kind: ClaimKind,
    /// The loop, or the procedure.
    pub place: PlaceReport,
    /// The function that the place is in.
    pub function: String,
    /// Where the condition comes from: the name of an engine's or an analysis's method.
    pub origin: String,
    /// In the language of the program. All of them hold; of interpolants one does.
    pub conditions: Vec<String>,
}

/// Conditions that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UntoldReport {
    /// How many.
    pub count: usize,
    /// What they are, and why they cannot be shown.
    pub reason: String,
}

/// What a proof rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofReport {
    /// How the proof goes, in a sentence or two.
    pub method: String,
    /// The language that conditions are written in: `C` or `Boogie`.
    pub language: String,
    /// In the order of their places.
    pub claims: Vec<ClaimReport>,
    /// What is missing among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untold: Vec<UntoldReport>,
}

/// The part of the text report that `--explain` adds.
pub(crate) fn proof_text(out: &mut String, proof: &ProofReport) {
    let _ = writeln!(out, "  Why it holds: {}", proof.method);
    let mut place = None;
    for claim in &proof.claims {
        if place != Some(&claim.place) {
            place = Some(&claim.place);
            let text = claim.place.text.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
            let _ = writeln!(out, "    {} in {}{text}", short(&claim.place), name_in_source(&claim.function));
        }
        let _ = writeln!(out, "      {} ({}):", claim.kind.words(), claim.origin);
        for condition in &claim.conditions {
            let _ = writeln!(out, "        {condition}");
        }
    }
    if proof.claims.is_empty() && proof.untold.is_empty() {
        let _ = writeln!(out, "    No invariants were needed.");
    }
    for untold in &proof.untold {
        let _ = writeln!(out, "    Not shown: {} {}", untold.count, untold.reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_dropped_silently() {
        let place = PlaceReport { file: Some("src/a.c".into()), line: 7, column: 3, text: Some("while (i < n)".into()) };
        let claim = |kind, origin: &str, conditions: &[&str]| ClaimReport {
            kind,
            place: place.clone(),
            function: "f".into(),
            origin: origin.into(),
            conditions: conditions.iter().map(|condition| condition.to_string()).collect(),
        };
        let proof = ProofReport {
            method: "by induction.".into(),
            language: "C".into(),
            claims: vec![claim(ClaimKind::LoopInvariant, "interval analysis", &["i >= 0", "i <= 10"])],
            untold: vec![UntoldReport { count: 2, reason: "conditions about memory".into() }],
        };
        let mut out = String::new();
        proof_text(&mut out, &proof);
        let expected = "  Why it holds: by induction.\n    a.c:7 in f: while (i < n)\n      always (interval analysis):\n        i >= 0\n        \
                        i <= 10\n    Not shown: 2 conditions about memory\n";
        assert_eq!(out, expected);
        let mut out = String::new();
        proof_text(&mut out, &ProofReport { method: "all paths ended.".into(), ..ProofReport::default() });
        assert!(out.contains("No invariants were needed"), "{out}");
    }
}
