//! Repeats tests of the flat form on the original program: the machine runs the program symbolically and follows the
//! blocks of the test; at forks, states that leave this path are dropped. This turns a failing test into a trace, with
//! the machine's own names for inputs. Before a proof is reported, some of its tests are repeated as well: if the
//! program cannot do what a test does, the flat form is wrong.

use crate::limits::Limits;
use crate::runs::Run;
use fathom_base::Budget;
use fathom_engine::{Cx, Reason, Task};
use fathom_flat::Flat;
use fathom_ir::Property;
use fathom_machine::{Advance, Machine, MachineConfig, Mode, State, Trace};
use fathom_smt::{Oracle, OracleConfig};

type Way = Vec<(u32, u32)>;

/// The trace of a failing test.
pub fn trace_of_run(flat: &Flat, run: &Run, property: Property, task: &Task, cx: &Cx<'_>, limits: &Limits) -> Result<Trace, Reason> {
    let mut way = Way::new();
    add_way(flat, run, run.steps.len(), limits.longest_failure, &mut way);
    let lost = || Reason::NotConfirmed("the program did not follow the failing test".to_string());
    follow(&way, Some(property), task, cx, &cx.budget, limits.guided_states)?.ok_or_else(lost)
}

/// Whether the program can do what these tests did, as far as a short time tells.
pub fn follows<'r>(flat: &Flat, runs: impl Iterator<Item = &'r Run>, task: &Task, cx: &Cx<'_>, limits: &Limits) -> Result<(), Reason> {
    let budget = cx.budget.at_most(limits.guided_time);
    for run in runs {
        // Where in its last block a test ended is not recorded.
        let mut way = Way::new();
        add_way(flat, run, run.steps.len() - 1, limits.guided_blocks, &mut way);
        match follow(&way, None, task, cx, &budget, limits.guided_states) {
            Ok(_) => {}
            Err(Reason::Stopped(_)) => return Ok(()),
            Err(reason) => return Err(reason),
        }
    }
    Ok(())
}

/// The blocks that the program enters, as far as there is room for them.
fn add_way(flat: &Flat, run: &Run, steps: usize, most: usize, way: &mut Way) {
    for (at, step) in run.steps[..steps].iter().enumerate() {
        if way.len() >= most {
            return way.truncate(most);
        }
        let entered = flat.blocks[step.block].origins.iter().filter(|origin| run.holds(flat, at as u32, origin.when) == Some(true));
        way.extend(entered.map(|origin| (origin.procedure.0, origin.block.0)));
        if let Some(inside) = &step.inside {
            add_way(flat, inside, inside.steps.len(), most, way);
        }
    }
    way.truncate(most);
}

/// Goes this way until the property is violated, or, without one, to its end.
fn follow(
    way: &Way,
    property: Option<Property>,
    task: &Task,
    cx: &Cx<'_>,
    budget: &Budget,
    most_states: usize,
) -> Result<Option<Trace>, Reason> {
    let oracle = Oracle::new(task.program.terms.clone(), (cx.backend)(), OracleConfig::default());
    let mode = Mode::Symbolic(Box::new(oracle));
    let mut machine = Machine::new(task.program.clone(), task.properties.clone(), mode, budget.clone(), MachineConfig::default());
    let lost = || Reason::NotConfirmed("the program did not follow a test of its flat form".to_string());
    let first = machine.initial_state().map_err(|_| lost())?;
    let mut waiting: Vec<(State, usize)> = vec![(first, 1)];
    // A run ends where it violates something else that was asked for, such as a use of an object that has ended, which the
    // flat form does not look for.
    let mut ended_before = None;
    while let Some((mut state, at)) = waiting.pop() {
        if property.is_none() && at >= way.len() {
            return Ok(None);
        }
        if let Some(stopped) = budget.exhausted() {
            return Err(Reason::Stopped(stopped));
        }
        let depth = state.frames.len();
        let advance = machine.advance(&mut state, 1);
        for found in machine.found.violations.drain(..) {
            if Some(found.violation.property) == property {
                return Ok(Some(found));
            }
            ended_before = Some(found.violation.property);
        }
        let mut next: Vec<State> = machine.forked.drain(..).collect();
        if !matches!(advance, Advance::Ended(_)) {
            next.push(state);
        }
        for state in next {
            let here = (state.frame().proc, state.frame().block);
            // A fork in the first statement of a block leaves a state where it was.
            let forked = matches!(advance, Advance::Forked) && state.frames.len() == depth;
            let stays = state.frame().index > 0 || forked && way.get(at - 1) == Some(&here);
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
        if waiting.len() > most_states {
            return Err(lost());
        }
    }
    match (budget.exhausted(), ended_before) {
        // A state that ran out of time is lost, too.
        (Some(stopped), _) => Err(Reason::Stopped(stopped)),
        (None, Some(_)) if property.is_none() => Ok(None),
        (None, Some(other)) => Err(Reason::Undecided(format!("the run violates {other} first"))),
        (None, None) => Err(lost()),
    }
}
