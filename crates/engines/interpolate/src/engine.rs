//! The search with interpolation, and what it is able to do.

use crate::config::InterpolateConfig;
use crate::interpolation::Interpolation;
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Task, is_usual};
use fathom_ir::Property;
use fathom_search::Explorer;

/// Symbolic execution with interpolation. What interpolants don't speak of it explores without them.
pub struct Interpolate {
    /// The search that it prunes.
    pub explorer: Explorer,
    /// How it was asked to work.
    pub config: InterpolateConfig,
}

impl Engine for Interpolate {
    fn name(&self) -> &'static str {
        "interpolate"
    }

    /// Interpolants speak of safety and of states with one thread; leaks are a matter of all memory.
    fn capabilities(&self) -> Capabilities {
        let decides = |property| is_usual(property) && !matches!(property, Property::ValidMemtrack | Property::ValidMemcleanup);
        let about = "symbolic execution that leaves out states which an interpolant of another path covers";
        Capabilities { decides, has_fallback: true, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        // A path that ends at a violation which is not reported has no interpolant.
        let ends_silently = !task.program.ends_where_violated().is_empty();
        if ends_silently || self.capabilities().beyond(&task.program, &task.properties).is_some() {
            return self.explorer.run(task, cx);
        }
        let is_bounded = self.explorer.is_bounded();
        self.explorer.run_pruned(task, cx, |machine| Box::new(Interpolation::new(&self.config, is_bounded, machine)))
    }
}
