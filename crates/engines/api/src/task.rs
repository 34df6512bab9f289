//! The contract of engines.

use crate::outcome::Outcome;
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_smt::Backend;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is to be decided.
pub struct Task {
    pub program: Rc<Program>,
    /// The program in which calls do what contracts promise instead of running bodies, and every procedure is an entry:
    /// what holds there holds in the program; failures there mean nothing.
    pub by_contracts: Option<Rc<Program>>,
    pub properties: BTreeSet<Property>,
}

/// A snapshot for the progress line.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub paths: u64,
    pub states: u64,
    pub queries: u64,
}

pub trait ProgressSink {
    fn report(&self, progress: &Progress);
}

/// What an engine may use.
pub struct Cx<'a> {
    pub budget: Budget,
    /// Makes a fresh backend for the program's terms.
    pub backend: &'a dyn Fn() -> Box<dyn Backend>,
    pub progress: &'a dyn ProgressSink,
    pub seed: u64,
}

pub trait Engine {
    fn name(&self) -> &'static str;
    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome;

    /// Whether it is worth its share of the time here, beside engines that are good at most.
    fn suits(&self, _program: &Program, _properties: &BTreeSet<Property>) -> bool {
        true
    }

    /// Whether it interleaves threads and decides termination; otherwise nobody asks it about those.
    fn follows_threads_and_cycles(&self) -> bool {
        false
    }
}
