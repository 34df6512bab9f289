//! Many reachability targets in one run (TracerX, section 6.1): every error location of the program is a question of
//! its own. A path that reaches one ends there and the exploration continues, so when every path has ended or was
//! subsumed, the locations that were not reached are unreachable; if something was cut they stay undecided.
//!
//! Interpolants stay sound: a target below a node was reported when it was reached, so the node's label claims for
//! other states only that they reach no target that is not already known to be reachable.

use fathom_engine::{REPLAY_STEPS, TargetFate, TargetNote, Task, Trace};
use fathom_ir::StatementKind;
use fathom_machine::{ReplayEnd, replay};
use std::rc::Rc;

/// What became of each target, in the order of the program.
pub fn judge(task: &Task, reached: &[Trace], is_complete: bool) -> Vec<TargetNote> {
    let program = &task.program;
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
    let statements = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    let mut targets: Vec<TargetNote> = Vec::new();
    for statement in statements {
        let StatementKind::Assert { condition, property, message } = &statement.kind else { continue };
        if program.terms.const_bool(*condition) != Some(false) || !task.properties.contains(property) {
            continue;
        }
        if targets.iter().any(|known| known.place == statement.loc && known.property == *property) {
            continue;
        }
        let way = reached.iter().find(|trace| trace.violation.loc == statement.loc && trace.violation.property == *property);
        let fate = match way {
            Some(trace) => replayed(task, trace),
            None if is_complete => TargetFate::Unreachable,
            None => TargetFate::Open,
        };
        targets.push(TargetNote { place: statement.loc, property: *property, message: message.clone(), fate });
    }
    targets
}

/// A target counts as reached where the interpreter comes to it.
fn replayed(task: &Task, trace: &Trace) -> TargetFate {
    let log = replay(&task.program, &task.properties, trace, REPLAY_STEPS);
    match &log.end {
        ReplayEnd::Violated(seen) if seen.loc == trace.violation.loc && seen.property == trace.violation.property => {
            TargetFate::Reached(Rc::new(log))
        }
        _ => TargetFate::Open,
    }
}
