//! The engine `coarse`: path by path over a coarser program, in which memory that pointers reach is arbitrary, and with
//! states compared wherever paths join. It proves what does not depend on such memory, however much of it there is
//! (drivers above all), and finds no violations: one of the coarser program may be none of the program.

use crate::explore::Explore;
use fathom_engine::{Cx, Engine, Outcome, Reason, Statistics, Task, Verdict};
use std::rc::Rc;

pub struct Coarse(pub Explore);

impl Engine for Coarse {
    fn name(&self) -> &'static str {
        "coarse"
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        if let Some(&property) = task.properties.iter().find(|&&property| !fathom_passes::preserves(property)) {
            let what = format!("{property} with memory left out");
            let reason = Reason::Unsupported { what, location: "engine coarse".to_string() };
            let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
            return Outcome { verdicts, ledger: Default::default(), statistics: Statistics::default() };
        }
        let program = Rc::new(fathom_passes::coarsen(&task.program));
        let mut outcome = self.0.run(&Task { program, by_contracts: None, properties: task.properties.clone() }, cx);
        outcome.ledger.note("accesses to memory are valid (--property valid-memsafety checks that)");
        outcome.ledger.note("a function is called through a pointer with values of its parameters' types");
        for verdict in outcome.verdicts.values_mut() {
            // Whether a replay of the coarser program shows the violation or not, it says nothing about this one.
            if matches!(verdict, Verdict::Violated(_) | Verdict::Unknown(Reason::NotReached | Reason::NotConfirmed(_))) {
                let why = "the coarser program can be violated: memory that it leaves out decides";
                *verdict = Verdict::Unknown(Reason::Undecided(why.to_string()));
            }
        }
        outcome
    }
}
