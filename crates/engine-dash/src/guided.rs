//! From a failing test to a trace of the program itself: the machine runs the program symbolically and follows the
//! blocks that the test went through; where it forks, states that went elsewhere are dropped. What it reports at the end
//! has its own names for inputs, and everything that the flat form left out.

use crate::runs::Run;
use fathom_engine::{Cx, Reason, Task};
use fathom_flat::Flat;
use fathom_ir::Property;
use fathom_semantics::{Advance, Machine, Mode, State, Trace};
use fathom_smt::{Oracle, OracleConfig};

/// States that may follow the test side by side, where forks inside a block leave it open which of them does.
const MOST_STATES: usize = 16;

pub fn trace_of_run(flat: &Flat, run: &Run, property: Property, task: &Task, cx: &Cx<'_>) -> Result<Trace, Reason> {
    let way: Vec<(u32, u32)> =
        run.steps.iter().flat_map(|step| &flat.blocks[step.block].origins).map(|(procedure, block)| (procedure.0, block.0)).collect();
    let oracle = Oracle::new(task.program.terms.clone(), (cx.backend)(), OracleConfig::default());
    let mode = Mode::Symbolic(Box::new(oracle));
    let mut machine = Machine::new(task.program.clone(), task.properties.clone(), mode, cx.budget.clone());
    let lost = || Reason::NotConfirmed("the program did not follow the failing test".to_string());
    let first = machine.initial_state().map_err(|_| lost())?;
    let mut waiting: Vec<(State, usize)> = vec![(first, 1)];
    while let Some((mut state, at)) = waiting.pop() {
        if let Some(stopped) = cx.budget.exhausted() {
            return Err(Reason::Stopped(stopped));
        }
        let depth = state.frames.len();
        let advance = machine.advance(&mut state, 1);
        if let Some(found) = machine.violations.drain(..).find(|trace| trace.violation.property == property) {
            return Ok(found);
        }
        let mut next: Vec<State> = machine.forked.drain(..).collect();
        if !matches!(advance, Advance::Ended(_)) {
            next.push(state);
        }
        for state in next {
            let here = (state.frame().proc, state.frame().block);
            // A fork in the first statement of a block leaves a state where it was.
            let stays = state.frame().index > 0 || (matches!(advance, Advance::Forked) && state.frames.len() == depth && way.get(at - 1) == Some(&here));
            let goes_on = state.frame().index == 0 && way.get(at) == Some(&here);
            if stays && goes_on {
                waiting.push((state.clone(), at));
            } else if stays {
                waiting.push((state, at));
                continue;
            }
            if goes_on {
                waiting.push((state, at + 1));
            }
        }
        if waiting.len() > MOST_STATES {
            return Err(lost());
        }
    }
    Err(lost())
}
