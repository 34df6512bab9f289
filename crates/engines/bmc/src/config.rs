//! Settings of the engine.

use fathom_unroll::{Limits, LoopBound, Merging};
use std::str::FromStr;

/// What the run is for (section 3.7).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Violations only: whether everything was unwound is not checked, so there is no proof.
    Falsification,
    /// Only whether all loops are unwound completely; assertions are taken for granted.
    Termination,
    /// Both.
    Incremental,
}

impl FromStr for Purpose {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "falsification" => Ok(Purpose::Falsification),
            "termination" => Ok(Purpose::Termination),
            "incremental" => Ok(Purpose::Incremental),
            _ => Err(format!("`{name}` is none of falsification, termination, incremental")),
        }
    }
}

/// What a path beyond a fixed bound means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum WhenBounded {
    /// Nothing is known of it: no proof (an unwinding assertion).
    Assert,
    /// It is taken not to exist, and the ledger says so (an unwinding assumption).
    Assume,
}

impl FromStr for WhenBounded {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "assert" => Ok(WhenBounded::Assert),
            "assume" => Ok(WhenBounded::Assume),
            _ => Err(format!("`{name}` is neither assert nor assume")),
        }
    }
}

/// Settings of bounded model checking.
#[derive(Clone, Debug)]
pub struct BmcConfig {
    /// A fixed bound; without one it rises from 1.
    pub unwind: Option<u64>,
    /// Bounds of single loops, which go before `unwind`.
    pub loops: Vec<LoopBound>,
    /// What it means that a loop goes on beyond its bound.
    pub when_bounded: WhenBounded,
    /// What is looked for.
    pub purpose: Purpose,
    /// Which states are joined.
    pub merging: Merging,
    /// Of the walk over the unrolled program; the algorithm has none of its own.
    pub limits: Limits,
}

impl Default for BmcConfig {
    fn default() -> Self {
        BmcConfig {
            unwind: None,
            loops: Vec::new(),
            when_bounded: WhenBounded::Assert,
            purpose: Purpose::Incremental,
            merging: Merging::All,
            limits: Limits::default(),
        }
    }
}
