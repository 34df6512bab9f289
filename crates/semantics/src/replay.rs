//! The concrete interpreter: runs a trace's inputs through the same machine, without a solver.

use crate::machine::{Advance, Machine, Mode, PathEnd};
use crate::recorder::Recorder;
use crate::coverage::Coverage;
use crate::trace::{InputRecord, PathRecord, ReplayEnd, ReplayLog, Trace, function_values};
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
    let (machine, end) = run_with(program, properties, mode_of(trace, recorder), max_steps);
    let named = |((function, args), value): &((FnId, Vec<Value>), Value)| {
        (program.terms.function_name(*function).to_string(), args.clone(), value.clone())
    };
    let functions = trace.functions.iter().map(named).collect();
    match machine.mode {
        Mode::Replay { recorder, .. } => ReplayLog { inputs: recorder.inputs, steps: recorder.steps, functions, end },
        Mode::Symbolic(_) => ReplayLog { inputs: Vec::new(), steps: Vec::new(), functions, end },
    }
}

/// Only how the run ends: fast, and without anything for people.
pub fn confirm(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, max_steps: u64) -> ReplayEnd {
    run_with(program, properties, mode_of(trace, Recorder::default()), max_steps).1
}

fn mode_of(trace: &Trace, recorder: Recorder) -> Mode {
    Mode::Replay {
        symbols: trace.symbols.clone(),
        values: trace.function_values(),
        choices: trace.choices.clone().into_iter(),
        layout: trace.layout.clone(),
        recorder,
    }
}

fn run_with(program: &Rc<Program>, properties: &BTreeSet<Property>, mode: Mode, max_steps: u64) -> (Machine, ReplayEnd) {
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, Budget::unlimited());
    let end = run(&mut machine, max_steps);
    (machine, end)
}

/// What running a path again showed.
pub struct Rerun {
    pub inputs: Vec<InputRecord>,
    pub coverage: Coverage,
    /// None where the path was left.
    pub end: Option<ReplayEnd>,
}

/// Runs a path again, for its inputs and what it covers. One that was left in the middle stops where it asks for the
/// first value that it had not asked for, or after as many statements, or when the budget is used up.
pub fn rerun(program: &Rc<Program>, properties: &BTreeSet<Property>, path: PathRecord, budget: Budget) -> Rerun {
    let PathRecord { symbols, functions, choices, layout, steps, left_after } = path;
    let mode = Mode::Replay { symbols, values: function_values(functions), choices: choices.into_iter(), layout, recorder: Recorder::default() };
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, budget);
    machine.most_inputs = left_after;
    let end = run(&mut machine, if left_after.is_some() { steps } else { u64::MAX });
    let stuck = matches!(end, ReplayEnd::Stuck(_));
    let coverage = Coverage::of(&machine);
    let inputs = match machine.mode {
        Mode::Replay { recorder, .. } => recorder.inputs,
        Mode::Symbolic(_) => Vec::new(),
    };
    Rerun { inputs, coverage, end: Some(end).filter(|_| left_after.is_none() || !stuck) }
}

fn run(machine: &mut Machine, max_steps: u64) -> ReplayEnd {
    let mut state = match machine.initial_state() {
        Ok(state) => state,
        Err(end) => return ended(end),
    };
    let mut slices = 0u64;
    loop {
        let advance = machine.advance(&mut state, SLICE);
        if let Some(found) = machine.violations.pop() {
            return ReplayEnd::Violated(found.violation);
        }
        match advance {
            Advance::Running | Advance::LoopHead | Advance::Join | Advance::AtBound => {}
            Advance::Forked => return ReplayEnd::Stuck("a replay forked".to_string()),
            Advance::Ended(end) => return ended(end),
        }
        if state.steps > max_steps {
            return ReplayEnd::Stuck(format!("no end after {max_steps} statements"));
        }
        if slices.is_multiple_of(LOOK_EVERY) && machine.budget.exhausted().is_some() {
            return ReplayEnd::Stuck("no end within the limits".to_string());
        }
        slices += 1;
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
