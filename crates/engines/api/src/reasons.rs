//! Why a run proved nothing: reasons are collected as they come up, and the most informative one is reported.

use crate::outcome::Reason;
use fathom_base::{SourceFiles, StopReason};
use fathom_machine::Cut;

/// More different reasons than this are not worth reading.
const MOST: usize = 100;

/// The different reasons why paths were given up, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct Reasons(Vec<Reason>);

impl Reasons {
    /// Adds a reason, unless it is there already or there are very many.
    pub fn note(&mut self, reason: Reason) {
        if self.0.len() < MOST && !self.0.contains(&reason) {
            self.0.push(reason);
        }
    }

    /// Whether nothing was given up.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a limit of the run ended it.
    pub fn stopped(&self) -> bool {
        self.0.iter().any(|reason| matches!(reason, Reason::Stopped(_)))
    }

    /// A fault, which nothing may hide, then what stopped the run, then what cut paths.
    pub fn main(&self) -> Reason {
        let fault = self.0.iter().find(|reason| matches!(reason, Reason::NotConfirmed(_)));
        let stopped = || self.0.iter().find(|reason| matches!(reason, Reason::Stopped(_)));
        fault.or_else(stopped).or_else(|| self.0.first()).cloned().unwrap_or(Reason::Stopped(StopReason::Interrupted))
    }
}

/// What a user is told of a path that was given up.
pub fn cut_reason(cut: &Cut, files: &SourceFiles) -> Reason {
    match cut {
        Cut::Unsupported { what, loc } => Reason::Unsupported { what: what.clone(), location: files.show(*loc) },
        Cut::Undefined { what, loc } => Reason::Undefined { what: what.clone(), location: files.show(*loc) },
        Cut::Solver(why) => Reason::Solver(why.clone()),
        Cut::Bound(bound) => Reason::BoundReached(bound.clone()),
    }
}
