//! Decisions of paths, and prefixes of paths.

use serde::{Deserialize, Serialize};

/// A step of a path that could have gone another way.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "(u64, u32, u32)", into = "(u64, u32, u32)")]
pub struct Decision {
    /// Stands for what is decided: the place in the program, and the condition or the choice. Who follows a path somebody else found
    /// must come to the same decisions, or it is another path.
    pub what: u64,
    /// How many sides there are.
    pub sides: u32,
    /// Which one the path takes.
    pub side: u32,
}

impl From<(u64, u32, u32)> for Decision {
    fn from((what, sides, side): (u64, u32, u32)) -> Self {
        Self { what, sides, side }
    }
}

impl From<Decision> for (u64, u32, u32) {
    fn from(Decision { what, sides, side }: Decision) -> Self {
        (what, sides, side)
    }
}

/// The beginning that all paths of a part share.
pub type Prefix = Vec<Decision>;
