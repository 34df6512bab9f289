//! The engine `lists`: path by path, with rows of heap objects folded at loop heads (`fathom_machine`, chains), so that
//! loops that build and walk lists of any length come to states that were seen. It proves, and finds no violations: a
//! folded state stands for more than the program's states.

use crate::explore::Explore;
use fathom_engine::{Cx, Engine, Explored, Outcome, Task};
use fathom_ir::{Program, Property};
use std::collections::BTreeSet;

pub struct Lists(pub Explore);

impl Engine for Lists {
    fn name(&self) -> &'static str {
        "lists"
    }

    /// Where nothing is allocated there are no lists.
    fn suits(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        program.allocates_memory() && !program.uses_threads() && !properties.contains(&Property::Termination)
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        self.0.about(Explored::FoldedLists).run(task, cx)
    }
}
