//! Answers, per property, with everything that they rest on.

use fathom_base::{Loc, StopReason};
use fathom_ir::Property;
use fathom_semantics::{Ledger, Trace};
use fathom_smt::Refutations;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

pub struct Outcome {
    pub verdicts: BTreeMap<Property, Verdict>,
    /// What was assumed on the way: printed beside every verdict.
    pub ledger: Ledger,
    pub statistics: Statistics,
}

pub enum Verdict {
    Holds(Proof),
    Violated(Box<Trace>),
    Unknown(Reason),
}

/// Why a property holds, in a form that `certify` can check again.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Symbolic execution followed every path to its end: how many were started (1 + forks) and how many ended, were
    /// infeasible or were discarded by an assumption. The numbers must agree and nothing may have been cut. `repeated`
    /// of the ended ones came to a state that is equal, up to the names of symbols, to one that was followed.
    AllPathsEnded { started: u64, ended: u64, repeated: u64, cut: u64 },
    /// The program was unwound completely within this bound: every state that was made ended or became part of another,
    /// and nothing was cut. `refutations` are the conjunctions that a solver called contradictory on the way.
    UnwindingComplete { bound: u64, started: u64, ended: u64, merged: u64, cut: u64, refutations: Refutations },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(StopReason),
    /// A bound of the engine (depth, loop iterations, states) cut at least one path.
    BoundReached(String),
    Unsupported { what: String, location: String },
    /// The program has undefined behaviour there that nobody asked to check; what it does from then on is unknown.
    Undefined { what: String, location: String },
    /// A solver gave no answer where one was needed.
    Solver(String),
    /// A violation was found but its replay did not show it.
    NotConfirmed(String),
    /// The run was not meant to decide this.
    NotAsked(String),
    /// Another property was violated first and the run stopped there.
    NotReached,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(StopReason::Timeout) => f.write_str("timeout"),
            Reason::Stopped(StopReason::OutOfMemory) => f.write_str("out of memory"),
            Reason::Stopped(StopReason::Interrupted) => f.write_str("interrupted"),
            Reason::BoundReached(bound) => write!(f, "bound reached: {bound}"),
            Reason::Unsupported { what, location } => write!(f, "unsupported {what} at {location}"),
            Reason::Undefined { what, location } => write!(f, "undefined behaviour: {what} at {location}"),
            Reason::Solver(why) => write!(f, "solver: {why}"),
            Reason::NotConfirmed(why) => write!(f, "not confirmed: {why}"),
            Reason::NotAsked(why) => f.write_str(why),
            Reason::NotReached => f.write_str("stopped at another violation"),
        }
    }
}

/// Counters for people and benchmarks: name and value, in the order they should be shown.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub counters: Vec<(String, u64)>,
    pub solver_time: Duration,
    /// How the paths of an exploration ended, for people; empty for engines without paths.
    pub summary: String,
    /// A record per path, if they were asked for.
    pub paths: Vec<PathNote>,
    /// Source positions of statements, and whether a path came there.
    pub coverage: Vec<(Loc, bool)>,
}

/// How one path went.
#[derive(Clone, Debug)]
pub struct PathNote {
    pub end: String,
    pub place: Loc,
    pub statements: u64,
    pub forks: u64,
    /// Nobody could tell whether the path is possible.
    pub speculative: bool,
}
