//! Hashes of a path, and of a set of paths.

use crate::decision::Decision;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::fmt;
use std::hash::Hash;

/// 128 bits of a hash of the decisions of a path. Of a set of paths it is the sum, so that the order does not matter and the sum
/// over parts is that of the whole.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathHash(u128);

impl PathHash {
    /// Of the path without decisions.
    pub fn start() -> Self {
        Self(SipHasher13::new().finish128().as_u128())
    }

    /// Of the path that goes on with this decision.
    pub fn then(self, decision: Decision) -> Self {
        let mut hasher = SipHasher13::new();
        (self.0, decision.what, decision.sides, decision.side).hash(&mut hasher);
        Self(hasher.finish128().as_u128())
    }

    /// Of both sets together.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl fmt::Debug for PathHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for PathHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<PathHash> for String {
    fn from(hash: PathHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for PathHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u128::from_str_radix(&text, 16).map(Self).map_err(|error| format!("`{text}` is no hash of paths: {error}"))
    }
}
