//! The contract of engines.

use crate::capabilities::Capabilities;
use crate::known::Known;
use crate::outcome::Outcome;
use crate::progress::ProgressSink;
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_smt::{Backend, HornSolver};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A question to an engine: a program and the properties to decide.
pub struct Task {
    /// What is verified.
    pub program: Rc<Program>,
    /// The program in which calls do what contracts promise instead of running bodies, and every procedure is an entry:
    /// what holds there holds in the program; failures there mean nothing.
    pub by_contracts: Option<Rc<Program>>,
    /// What is to be decided of it.
    pub properties: BTreeSet<Property>,
}

/// What an engine may use.
pub struct Cx<'a> {
    /// When to stop.
    pub budget: Budget,
    /// Makes a fresh backend for the program's terms.
    pub backend: &'a dyn Fn() -> Box<dyn Backend>,
    /// Makes a solver of Horn clauses over the program's terms, if there is one.
    pub horn: &'a dyn Fn() -> Option<Box<dyn HornSolver>>,
    /// Where to report progress.
    pub progress: &'a dyn ProgressSink,
    /// For every random choice: the same seed gives the same answer.
    pub seed: u64,
    /// What other runs proved of this program: candidates like any others, so whoever relies on one proves it again.
    pub known: &'a Known,
}

/// A way to decide properties of programs.
pub trait Engine {
    /// The engine's name on the command line.
    fn name(&self) -> &'static str;

    /// Properties, languages and kinds of answers that the engine is capable of.
    fn capabilities(&self) -> Capabilities;

    /// Decides the properties of the task.
    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome;

    /// Whether it is worth its share of the time here, beside engines that are good at most.
    fn suits(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        self.capabilities().suffice_for(program, properties)
    }
}
