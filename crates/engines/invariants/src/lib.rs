//! A proof by the program's own loop invariants: loops are cut by what is asserted at their heads (`passes::cut_loops`)
//! and every path of the result is followed. That proves programs whose loops have no bound; it finds no violations, as
//! a failure may only say that the invariants are too weak.

use fathom_engine::{Capabilities, Cx, Engine, Explored, Language, Outcome, Reason, Statistics, Task, Verdict};
use fathom_ir::Transformed;
use fathom_passes::CutProgram;
use fathom_search::Explorer;
use std::rc::Rc;

/// Exploration with loops cut by their invariants.
pub struct Invariants(pub Explorer);

impl Engine for Invariants {
    fn name(&self) -> &'static str {
        "invariants"
    }

    /// Invariants that do not prove a property do not refute it either.
    fn capabilities(&self) -> Capabilities {
        let about = "exploration with loops cut by the invariants that are written at their heads";
        Capabilities { languages: &[Language::Boogie], refutes: false, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let Some(CutProgram { program, loops: 1.., added }) = fathom_passes::cut_loops(&task.program) else {
            let why = Reason::NotAsked("there is no loop that could be cut by invariants".into());
            let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(why.clone()))).collect();
            return Outcome { verdicts, ledger: Default::default(), statistics: Statistics::default() };
        };
        let program = Rc::new(program);
        let explored = Explored::CutLoops(Rc::new(Transformed { program: program.clone(), added }));
        let cut = Task { program, by_contracts: None, properties: task.properties.clone() };
        let mut outcome = self.0.about(explored).run(&cut, cx);
        for verdict in outcome.verdicts.values_mut() {
            if let Verdict::Violated(trace) = verdict {
                let why = format!("the loop invariants do not prove it: {}", trace.violation.message);
                *verdict = Verdict::Unknown(Reason::Undecided(why));
            }
        }
        outcome.statistics.summary = match outcome.statistics.summary.is_empty() {
            true => String::new(),
            false => format!("with loops cut by their invariants, {}", outcome.statistics.summary),
        };
        outcome
    }
}
