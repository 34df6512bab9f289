//! Concrete runs whose inputs are chosen when the program asks for them, for engines that search for violations without
//! a solver. A run that ends in a violation becomes a trace, which is replayed like any other.

use crate::exec::compute::{FROM_ELSEWHERE, UNINITIALISED, UNSET};
use crate::exec::config::MachineConfig;
use crate::exec::machine::{Machine, Mode};
use crate::exec::value::Val;
use crate::replay::interpreter::run;
use crate::replay::recorder::Recorder;
use crate::replay::trace::{ReplayEnd, Trace, function_values};
use crate::search::coverage::Coverage;
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_term::{Sort, TermStore, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Chooses what a run gets.
pub trait Chooser {
    /// An input of this sort.
    fn value(&mut self, store: &TermStore, sort: Sort) -> Value;
    /// Chooses one of `among` ways.
    fn way(&mut self, among: usize) -> usize;
}

/// The inputs that a run was given so far.
pub struct Chosen {
    chooser: Box<dyn Chooser>,
    ways: Vec<u32>,
    /// The run depends on something that is not the program's input: a result of code that is not in the program, memory that
    /// was never written. Values for these can't be chosen freely.
    is_spoilt: bool,
    /// A local variable that was never assigned got a value. It may be any number, but no pointer that one could follow.
    took_unset: bool,
}

impl Chosen {
    pub(crate) fn choice(&mut self, among: usize) -> u32 {
        let way = self.chooser.way(among) as u32;
        self.ways.push(way);
        way
    }
}

/// A run on chosen inputs.
pub struct Sample {
    /// How the run ended.
    pub end: ReplayEnd,
    /// If the run ended in a violation that rests on inputs alone.
    pub trace: Option<Trace>,
    /// What it executed.
    pub coverage: Coverage,
    /// Whether the program asked for anything.
    pub asked: bool,
    /// Statements that it executed.
    pub statements: u64,
}

/// Runs the program once.
pub fn sample(
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    chooser: Box<dyn Chooser>,
    max_steps: u64,
    budget: &Budget,
) -> Sample {
    let mode = Mode::Replay {
        symbols: BTreeMap::new(),
        values: function_values(Vec::new()),
        choices: Vec::new().into_iter(),
        schedule: Default::default(),
        layout: Vec::new(),
        recorder: Recorder::default(),
        chosen: Some(Chosen { chooser, ways: Vec::new(), is_spoilt: false, took_unset: false }),
    };
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, budget.clone(), MachineConfig::default());
    let end = run(&mut machine, None, max_steps);
    let (coverage, statements) = (Coverage::of(&machine), machine.statistics.statements);
    let Mode::Replay { symbols, chosen: Some(chosen), .. } = machine.mode else {
        return Sample { end, trace: None, coverage, asked: true, statements };
    };
    let asked = !symbols.is_empty() || !chosen.ways.is_empty() || chosen.is_spoilt;
    let rests_on_unset = |trace: &Trace| chosen.took_unset && judges_pointers(trace.violation.property);
    let rests_on_inputs = |trace: &Trace| !chosen.is_spoilt && !rests_on_unset(trace);
    let found = machine.found.violations.pop().filter(rests_on_inputs);
    let trace = found.map(|trace| Trace { symbols, choices: chosen.ways, ..trace });
    Sample { end, trace, coverage, asked, statements }
}

fn judges_pointers(property: Property) -> bool {
    matches!(property, Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup | Property::Null)
}

impl Machine {
    /// Notes that the run reads memory that it did not write.
    pub(crate) fn spoil(&mut self) {
        if let Mode::Replay { chosen: Some(chosen), .. } = &mut self.mode {
            chosen.is_spoilt = true;
        }
    }

    /// The value of a symbol that the trace of a replay does not have.
    pub(crate) fn chosen_value(&mut self, name: &str, sort: Sort) -> Val {
        let value = match &mut self.mode {
            Mode::Replay { symbols, chosen: Some(chosen), .. } if !FROM_ELSEWHERE.iter().any(|prefix| name.starts_with(prefix)) => {
                let value = chosen.chooser.value(&self.store, sort);
                symbols.insert(name.to_string(), value.clone());
                value
            }
            Mode::Replay { symbols, chosen: Some(chosen), .. } if [UNSET, UNINITIALISED].iter().any(|kind| name.starts_with(kind)) => {
                chosen.took_unset = true;
                let value = Value::zero(sort, &self.store);
                symbols.insert(name.to_string(), value.clone());
                value
            }
            Mode::Replay { chosen: Some(chosen), .. } => {
                chosen.is_spoilt = true;
                Value::zero(sort, &self.store)
            }
            _ => Value::zero(sort, &self.store),
        };
        match value {
            Value::Bits(bits) if sort.is_small() => Val::Bits(bits),
            value => self.value_of(self.store.constant(&value, sort)),
        }
    }
}
