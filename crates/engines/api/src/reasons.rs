//! Why a run proved nothing: reasons are collected as they come up, and the most telling one is told.

use crate::outcome::Reason;
use fathom_base::{SourceFiles, StopReason};
use fathom_machine::Cut;

/// More different reasons than this help nobody.
const MOST: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct Reasons(Vec<Reason>);

impl Reasons {
    pub fn note(&mut self, reason: Reason) {
        if self.0.len() < MOST && !self.0.contains(&reason) {
            self.0.push(reason);
        }
    }

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

pub fn cut_reason(cut: &Cut, files: &SourceFiles) -> Reason {
    match cut {
        Cut::Unsupported { what, loc } => Reason::Unsupported { what: what.clone(), location: files.show(*loc) },
        Cut::Undefined { what, loc } => Reason::Undefined { what: what.clone(), location: files.show(*loc) },
        Cut::Solver(why) => Reason::Solver(why.clone()),
        Cut::Bound(bound) => Reason::BoundReached(bound.clone()),
    }
}
