//! What became of an alarm.

use serde::{Deserialize, Serialize};

/// What became of an alarm, in a word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// A run from an entry that users have shows it, natively.
    Confirmed,
    /// A native run of the function itself shows it, with arguments that some caller could pass.
    ConfirmedForCaller,
    /// It was not decided.
    Open,
    /// It cannot happen for arguments and environments within bounds.
    RefutedWithinBounds,
    /// It can't happen.
    Refuted,
}

impl VerdictKind {
    /// In the order of reports.
    pub const ALL: [VerdictKind; 5] = [
        VerdictKind::Confirmed,
        VerdictKind::ConfirmedForCaller,
        VerdictKind::Open,
        VerdictKind::RefutedWithinBounds,
        VerdictKind::Refuted,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Confirmed => "confirmed",
            VerdictKind::ConfirmedForCaller => "confirmed for a caller",
            VerdictKind::Open => "open",
            VerdictKind::RefutedWithinBounds => "refuted within bounds",
            VerdictKind::Refuted => "refuted",
        }
    }

    /// The verdict in a few words, for people who see it for the first time.
    pub fn meaning(self) -> &'static str {
        match self {
            VerdictKind::Confirmed => "a native run from an entry shows it",
            VerdictKind::ConfirmedForCaller => {
                "a native run of the function shows it; no caller in the code base was seen to pass such arguments"
            }
            VerdictKind::Open => "not decided",
            VerdictKind::RefutedWithinBounds => "impossible for the bounded arguments that were looked at",
            VerdictKind::Refuted => "impossible",
        }
    }
}

/// The evidence that an alarm is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The function that the run starts in.
    pub entry: String,
    /// The property that is violated.
    pub property: String,
    /// What is wrong, with values.
    pub message: String,
    /// What the native run showed.
    pub native: String,
    /// The inputs that are not zero, as `name = value`.
    pub inputs: Vec<String>,
    /// How many other inputs there are.
    #[serde(default)]
    pub zeros: usize,
    /// The program that gives them to the analysed one.
    pub driver: String,
    /// The command that builds it.
    pub build: String,
    /// Where the driver was written, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Evidence {
    /// The first `most` inputs, and how many there are beside them.
    pub fn shown_inputs(&self, most: usize) -> String {
        let few = self.inputs[..self.inputs.len().min(most)].join(", ");
        let more = match self.inputs.len().saturating_sub(most) {
            0 => String::new(),
            left => format!(" and {left} more"),
        };
        match (self.inputs.is_empty(), self.zeros) {
            (_, 0) => few + &more,
            (true, _) => "inputs that are all 0".into(),
            (false, _) => format!("{few}{more}; all others are 0"),
        }
    }
}

/// What became of an alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// In a word.
    pub kind: VerdictKind,
    /// Why: the reason for not knowing, what was proved, or what a run showed.
    pub reason: String,
    /// What shows that it is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Under this condition on the arguments it can't happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    /// What the verdict rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

impl Verdict {
    /// Not decided, for this reason.
    pub fn open(reason: impl Into<String>) -> Verdict {
        Verdict { kind: VerdictKind::Open, reason: reason.into(), evidence: None, precondition: None, assumptions: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_only_mentioned() {
        let evidence =
            |inputs: &[&str], zeros| Evidence { inputs: inputs.iter().map(|i| i.to_string()).collect(), zeros, ..Evidence::default() };
        assert_eq!(evidence(&[], 0).shown_inputs(2), "");
        assert_eq!(evidence(&["n = 1"], 0).shown_inputs(2), "n = 1");
        assert_eq!(evidence(&["n = 1", "m = 2", "k = 3"], 4).shown_inputs(2), "n = 1, m = 2 and 1 more; all others are 0");
        assert_eq!(evidence(&[], 4).shown_inputs(2), "inputs that are all 0");
    }
}
