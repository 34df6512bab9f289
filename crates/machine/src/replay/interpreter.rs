//! The concrete interpreter: runs a trace's inputs through the same machine, without a solver.

use crate::exec::config::{MachineConfig, Pauses};
use crate::exec::machine::{Advance, Machine, Mode, PathEnd};
use crate::exec::state::State;
use crate::replay::recorder::Recorder;
use crate::replay::trace::{Cycle, InputRecord, PathRecord, ReplayEnd, ReplayLog, Trace, Violation, function_values};
use crate::search::coverage::{Coverage, Visits};
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_term::{FnId, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Statements between looks at the limits.
const SLICE: u64 = 10_000;
/// Slices between looks at the budget.
const LOOK_EVERY: u64 = 16;

/// Runs the program on the symbols and choices of a trace and tells what happened.
pub fn replay(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, max_steps: u64) -> ReplayLog {
    let recorder = Recorder::of_run(trace.branches);
    let (machine, end) = run_with(program, properties, trace, recorder, max_steps);
    let named = |((function, args), value): &((FnId, Vec<Value>), Value)| {
        let name = program.terms.theory_head(*function).unwrap_or_else(|| program.terms.function_name(*function));
        (name.to_string(), args.clone(), value.clone())
    };
    let functions = trace.functions.iter().map(named).collect();
    let (largest_object, used_layout) = (machine.counters.largest_object, machine.replay.used_layout.get());
    let read_unwritten = machine.replay.read_unwritten.get();
    match machine.mode {
        Mode::Replay { recorder, .. } => {
            let influences = recorder.influences();
            let Recorder { inputs, steps, scene, .. } = recorder;
            ReplayLog { inputs, steps, influences, functions, largest_object, used_layout, read_unwritten, scene, end }
        }
        Mode::Symbolic(_) => {
            let (inputs, steps, influences, scene) = Default::default();
            ReplayLog { inputs, steps, influences, functions, largest_object, used_layout, read_unwritten, scene, end }
        }
    }
}

/// Only how the run ends: fast, and without anything for people.
pub fn confirm(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, max_steps: u64) -> ReplayEnd {
    run_with(program, properties, trace, Recorder::default(), max_steps).1
}

/// How a run on other inputs ends, and after how many branches.
pub(crate) fn run_again(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, max_steps: u64) -> (ReplayEnd, u64) {
    let (machine, end) = run_with(program, properties, trace, Recorder::default(), max_steps);
    let branches = machine.found.violations.last().map_or(0, |found| found.branches);
    (end, branches)
}

fn mode_of(trace: &Trace, recorder: Recorder) -> Mode {
    Mode::Replay {
        symbols: trace.symbols.clone(),
        values: trace.function_values(),
        choices: trace.choices.clone().into_iter(),
        schedule: trace.schedule.iter().copied().collect(),
        layout: trace.layout.clone(),
        recorder,
        chosen: None,
    }
}

fn run_with(
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    trace: &Trace,
    recorder: Recorder,
    max_steps: u64,
) -> (Machine, ReplayEnd) {
    let mode = mode_of(trace, recorder);
    let pauses = Pauses { all_loop_heads: trace.cycle.is_some(), ..Pauses::default() };
    let config = MachineConfig { pauses, ..MachineConfig::default() };
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, Budget::unlimited(), config);
    if trace.violation.property == Property::NoDataRace
        && let Mode::Replay { schedule, .. } = &mut machine.mode
    {
        machine.replay.race = schedule.pop_back();
    }
    let end = run(&mut machine, trace.cycle.as_ref().map(|cycle| (cycle, &trace.violation)), max_steps);
    (machine, end)
}

/// A machine that replays a trace.
pub(crate) fn replaying(
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    path: PathRecord,
    budget: Budget,
    config: MachineConfig,
) -> Machine {
    let PathRecord { symbols, functions, choices, schedule, layout, .. } = path;
    let (values, choices, schedule) = (function_values(functions), choices.into_iter(), schedule.into());
    let mode = Mode::Replay { symbols, values, choices, schedule, layout, recorder: Recorder::default(), chosen: None };
    Machine::new(program.clone(), properties.clone(), mode, budget, config)
}

/// What running a path again showed.
pub struct Rerun {
    /// What the program asked for, in order.
    pub inputs: Vec<InputRecord>,
    /// What it executed.
    pub coverage: Coverage,
    /// How often it executed each block.
    pub visits: Visits,
    /// None where the path was left.
    pub end: Option<ReplayEnd>,
    /// Whether a run on these inputs covers exactly this: false if a limit ended it before it asked for more.
    pub is_exact: bool,
}

/// Runs a path again, for its inputs and what it covers. One that was left in the middle stops where it asks for the
/// first value that it had not asked for, or after as many statements, or when the budget is used up.
pub fn rerun(program: &Rc<Program>, properties: &BTreeSet<Property>, path: PathRecord, budget: Budget) -> Rerun {
    let (steps, left_after) = (path.steps, path.left_after);
    let config = MachineConfig { most_inputs: left_after, ..MachineConfig::default() };
    let mut machine = replaying(program, properties, path, budget, config);
    let end = run(&mut machine, None, if left_after.is_some() { steps } else { u64::MAX });
    let stuck = matches!(end, ReplayEnd::Stuck(_));
    let (coverage, visits) = (Coverage::of(&machine), Visits::of(&machine));
    let is_exact = !stuck || machine.replay.ran_dry;
    let inputs = match machine.mode {
        Mode::Replay { recorder, .. } => recorder.inputs,
        Mode::Symbolic(_) => Vec::new(),
    };
    Rerun { inputs, coverage, visits, is_exact, end: Some(end).filter(|_| left_after.is_none() || !stuck) }
}

/// Runs until the program ends or does something wrong; or, where a cycle is claimed, until its second visit of the
/// state, which must then be the same as at the first.
pub(crate) fn run(machine: &mut Machine, cycle: Option<(&Cycle, &Violation)>, max_steps: u64) -> ReplayEnd {
    machine.note_globals();
    let mut state = match machine.initial_state() {
        Ok(state) => state,
        Err(end) => return ended(end),
    };
    let end = run_state(machine, &mut state, cycle, max_steps);
    machine.note_end(&state);
    end
}

fn run_state(machine: &mut Machine, state: &mut State, cycle: Option<(&Cycle, &Violation)>, max_steps: u64) -> ReplayEnd {
    let mut slices = 0u64;
    let mut remembered = None;
    let mut heads = 0;
    loop {
        if let Some((cycle, _)) = cycle {
            let next = match cycle {
                Cycle::Returns { first, second } => {
                    if heads < *first {
                        *first
                    } else {
                        *second
                    }
                }
                Cycle::Stays(set) => set.visit,
            };
            machine.replay.unseen_heads = next.saturating_sub(heads + machine.replay.passed_heads + 1);
        }
        let advance = machine.advance(state, SLICE);
        if let Some(found) = machine.found.violations.last() {
            return ReplayEnd::Violated(found.violation.clone());
        }
        match advance {
            Advance::LoopHead => {
                heads += 1 + std::mem::take(&mut machine.replay.passed_heads);
                match cycle {
                    Some((Cycle::Returns { first, .. }, _)) if heads == *first => {
                        state.comparison.lowest = state.frames.len();
                        remembered = Some(state.clone());
                    }
                    Some((Cycle::Returns { second, .. }, claimed)) if heads == *second => {
                        return came_back(machine, remembered.as_ref(), state, claimed);
                    }
                    Some((Cycle::Stays(set), claimed)) if heads == set.visit => {
                        return match machine.is_in_set(state, set) {
                            true => ReplayEnd::Violated(Violation { loc: machine.loop_location(state), ..claimed.clone() }),
                            false => ReplayEnd::Stuck("the run did not come into the set of states that it should stay in".to_string()),
                        };
                    }
                    _ => {}
                }
            }
            Advance::Running | Advance::Join | Advance::AtBound => {}
            Advance::Forked => return ReplayEnd::Stuck("a replay forked".to_string()),
            Advance::Ended(end) => return ended(end),
        }
        if state.search.steps > max_steps {
            return ReplayEnd::Stuck(format!("no end after {max_steps} statements"));
        }
        if slices.is_multiple_of(LOOK_EVERY) && machine.budget.exhausted().is_some() {
            return ReplayEnd::Stuck("no end within the limits".to_string());
        }
        slices += 1;
    }
}

/// The run of a trace up to so many loop heads; None if it ends before.
pub(crate) fn at_head(
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    trace: &Trace,
    visit: u64,
    budget: &Budget,
) -> Option<(Machine, State)> {
    let pauses = Pauses { all_loop_heads: true, ..Pauses::default() };
    let config = MachineConfig { pauses, ..MachineConfig::default() };
    let mode = mode_of(trace, Recorder::default());
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, budget.clone(), config);
    machine.note_globals();
    let mut state = machine.initial_state().ok()?;
    let mut heads = 0;
    while heads < visit {
        machine.replay.unseen_heads = visit.saturating_sub(heads + machine.replay.passed_heads + 1);
        match machine.advance(&mut state, SLICE) {
            Advance::LoopHead => heads += 1 + std::mem::take(&mut machine.replay.passed_heads),
            Advance::Running | Advance::Join | Advance::AtBound => {}
            Advance::Forked | Advance::Ended(_) => return None,
        }
        if !machine.found.violations.is_empty() || machine.budget.exhausted().is_some() {
            return None;
        }
    }
    (heads == visit).then_some((machine, state))
}

fn came_back(machine: &mut Machine, earlier: Option<&State>, state: &State, claimed: &Violation) -> ReplayEnd {
    let same = earlier.and_then(|earlier| machine.same_state(earlier, state));
    match same.and_then(|same| machine.store.const_bool(same)) {
        Some(true) => ReplayEnd::Violated(Violation { loc: machine.loop_location(state), ..claimed.clone() }),
        _ => ReplayEnd::Stuck("the run did not come back to the same state".to_string()),
    }
}

fn ended(end: PathEnd) -> ReplayEnd {
    match end {
        PathEnd::Finished => ReplayEnd::Ended,
        PathEnd::Discarded => ReplayEnd::Stuck("an assumption does not hold".to_string()),
        PathEnd::Violated => ReplayEnd::Stuck("a violation without a report".to_string()),
        PathEnd::Cut(cut) => ReplayEnd::Stuck(cut.to_string()),
    }
}
