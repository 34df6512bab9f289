//! The answer to one property, as data.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer to one property. Reports have it as the word that `Display` gives.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answered {
    /// It holds for every input.
    #[serde(rename = "true")]
    Proved,
    /// It holds for inputs within the bounds that the ledger names.
    #[serde(rename = "true within bounds")]
    ProvedWithinBounds,
    /// A run violates it.
    #[serde(rename = "false")]
    Violated,
    /// Neither is known.
    #[default]
    #[serde(rename = "unknown")]
    Unknown,
}

impl Answered {
    /// Whether it was proved, for every input or within bounds.
    pub fn is_proved(self) -> bool {
        matches!(self, Answered::Proved | Answered::ProvedWithinBounds)
    }

    /// The answer of a proof.
    pub fn proved(is_bounded: bool) -> Self {
        if is_bounded { Answered::ProvedWithinBounds } else { Answered::Proved }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Answered::Proved => "true",
            Answered::ProvedWithinBounds => "true within bounds",
            Answered::Violated => "false",
            Answered::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_have_the_words() {
        for answered in [Answered::Proved, Answered::ProvedWithinBounds, Answered::Violated, Answered::Unknown] {
            let json = serde_json::to_string(&answered).unwrap();
            assert_eq!(json, format!("\"{answered}\""));
            assert_eq!(serde_json::from_str::<Answered>(&json).unwrap(), answered);
        }
    }
}
