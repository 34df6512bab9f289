//! The contract of engines.

use crate::capabilities::Capabilities;
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

/// A way to decide properties of programs.
pub trait Engine {
    /// The name by which it is asked for.
    fn name(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Decides the properties of the task.
    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome;

    /// Whether it is worth its share of the time here, beside engines that are good at most.
    fn suits(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        self.capabilities().cover(program, properties)
    }
}
