//! The engine `coarse`: explores a coarser program, in which memory reached through pointers is arbitrary, and compares
//! states wherever paths join. It proves properties that do not depend on such memory, however much of it there is
//! (mainly of device drivers). It finds no violations, because one of the coarser program may not exist in the
//! original.

use fathom_engine::{Capabilities, Cx, Engine, Explored, Language, Outcome, Reason, Task, Verdict};
use fathom_flow::{CallGraph, PointerCalls};
use fathom_ir::{Assumption, Program};
use fathom_search::Explorer;
use std::rc::Rc;

/// Exploration of a coarser program.
pub struct Coarse(pub Explorer);

impl Engine for Coarse {
    fn name(&self) -> &'static str {
        "coarse"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "exploration of a coarser program: memory that pointers reach is arbitrary, loops that only compute are havocked";
        Capabilities {
            decides: fathom_passes::preserves,
            languages: &[Language::C],
            refutes: false,
            sees_faults: false,
            ..Capabilities::usual(about)
        }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let coarser = Rc::new(fathom_passes::coarsen(&task.program));
        let program = coarser.program.clone();
        let explorer = self.0.about(Explored::Coarser(coarser));
        let mut outcome = explorer.run(&Task { program: program.clone(), by_contracts: None, properties: task.properties.clone() }, cx);
        unseen_functions(&task.program, &program).into_iter().for_each(|assumption| outcome.ledger.note(assumption));
        outcome.ledger.note(Assumption::ValidMemory);
        outcome.ledger.note(Assumption::MatchingCalls);
        for verdict in outcome.verdicts.values_mut() {
            // Whether a replay of the coarser program shows the violation or not, it says nothing about this one.
            if matches!(verdict, Verdict::Violated(_) | Verdict::Unknown(Reason::NotReached | Reason::NotConfirmed(_))) {
                let why = "the over-approximation, in which memory behind pointers is arbitrary, can be violated";
                *verdict = Verdict::Unknown(Reason::Undecided(why.to_string()));
            }
        }
        outcome
    }
}

/// Functions without a body that only the original calls: the exploration doesn't come to them, but rests on what is assumed
/// of them.
fn unseen_functions(original: &Program, coarser: &Program) -> Vec<Assumption> {
    let called = CallGraph::of(original, PointerCalls::AnyAddress).reached(original.entry);
    let still_called = CallGraph::of(coarser, PointerCalls::LeftOut).reached(coarser.entry);
    let procedures = original.procedures.iter().zip(called.iter().zip(&still_called));
    let unseen = procedures.filter(|(procedure, (called, still_called))| procedure.body.is_none() && **called && !**still_called);
    unseen.map(|(procedure, _)| Assumption::FunctionWithoutBody { name: procedure.name.clone() }).collect()
}
