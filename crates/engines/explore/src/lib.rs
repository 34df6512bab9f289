//! The engine `explore`: path-by-path symbolic execution (Symbooglix section III; KLEE) of the program as it is.

use fathom_engine::{Capabilities, Cx, Engine, Outcome, Task};
use fathom_search::Explorer;

/// Path-by-path symbolic execution.
pub struct Explore(pub Explorer);

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { decides: |_| true, threads: true, store_buffers: true, ..Capabilities::usual("symbolic execution, path by path") }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        self.0.run(task, cx)
    }
}
