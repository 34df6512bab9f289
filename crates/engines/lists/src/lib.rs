//! The engine `lists`: path by path, with list segments folded at loop heads (`fathom_machine`, chains), so that
//! loops that build and walk lists of any length come to states that were seen. It proves, and finds no violations: a
//! folded state stands for more than the program's states.

use fathom_engine::{Capabilities, Cx, Engine, Explored, Language, Outcome, Task};
use fathom_ir::{Program, Property};
use fathom_search::Explorer;
use std::collections::BTreeSet;

/// Exploration with folded lists.
pub struct Lists(pub Explorer);

impl Engine for Lists {
    fn name(&self) -> &'static str {
        "lists"
    }

    /// A folded list stands for more than the program may build, so a violation means nothing.
    fn capabilities(&self) -> Capabilities {
        let about = "exploration in which linked lists of any length are one object";
        Capabilities { languages: &[Language::C], refutes: false, ..Capabilities::usual(about) }
    }

    /// Where nothing is allocated there are no lists.
    fn suits(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        program.allocates_memory() && self.capabilities().suffice_for(program, properties)
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        self.0.about(Explored::FoldedLists).run(task, cx)
    }
}
