//! The history of a joined state. A replay counts inputs and allocations along a single path, while a joined state
//! continues with the larger of two counts. So each join records the counts and choices of both sides. The model of a
//! violation determines on which side it was: the selector is true on the first and false on the second. With that, the
//! symbols and addresses of a trace get the numbers that the concrete run will ask for.
//!
//! Sound because the trace is replayed: a wrong number here could prevent the confirmation of a violation, but never
//! confirm a false one.

use crate::exec::compute::NUMBERED;
use crate::exec::machine::Machine;
use crate::exec::state::{Choices, Counts, State};
use crate::memory::address::{Origin, Placed};
use crate::replay::trace::{PathRecord, Trace, Violation};
use fathom_term::{Evaluator, Term};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The joins on the way to a state, newest first; none for a state that is a single path.
#[derive(Clone, Default)]
pub struct History(Option<Rc<Join>>);

struct Join {
    selector: Term,
    /// Where the selector holds, and where it doesn't.
    sides: [Past; 2],
    /// The counts that the joined state went on with.
    inputs: u32,
    allocations: Counts,
}

#[derive(Clone)]
struct Past {
    history: History,
    inputs: u32,
    choices: Choices,
    allocations: Counts,
}

impl Past {
    fn of(state: &State) -> Past {
        Past {
            history: state.joins.history.clone(),
            inputs: state.path.inputs,
            choices: state.path.choices.clone(),
            allocations: state.allocations.clone(),
        }
    }
}

impl Drop for Join {
    /// Unlinks in a loop: a long history must not be dropped recursively.
    fn drop(&mut self) {
        let mut waiting: Vec<Rc<Join>> = self.sides.iter_mut().filter_map(|side| side.history.0.take()).collect();
        while let Some(join) = waiting.pop() {
            if let Some(mut join) = Rc::into_inner(join) {
                waiting.extend(join.sides.iter_mut().filter_map(|side| side.history.0.take()));
            }
        }
    }
}

impl History {
    fn is(&self, other: &History) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(two)) => Rc::ptr_eq(one, two),
            _ => false,
        }
    }
}

/// Gives `into`, a joined state, the counts and the history of both states.
pub(crate) fn join(selector: Term, a: &State, b: &State, into: &mut State) {
    let same_counts = a.path.inputs == b.path.inputs && a.allocations == b.allocations;
    if same_counts && a.joins.history.is(&b.joins.history) && a.path.choices == b.path.choices {
        return;
    }
    let mut allocations = a.allocations.clone();
    for (&site, &count) in b.allocations.iter() {
        if allocations.get(&site).is_none_or(|&known| known < count) {
            allocations.insert_mut(site, count);
        }
    }
    let inputs = a.path.inputs.max(b.path.inputs);
    let sides = [Past::of(a), Past::of(b)];
    into.path.inputs = inputs;
    into.allocations = allocations.clone();
    into.path.choices = Choices::default();
    into.joins.history = History(Some(Rc::new(Join { selector, sides, inputs, allocations })));
}

/// The numbers that a joined state used, in the order in which one of its paths asks for them.
#[derive(Default)]
struct Path {
    inputs: Vec<Range<u32>>,
    choices: Vec<u32>,
    allocations: BTreeMap<u32, Vec<Range<u32>>>,
}

/// The place of a number in these ranges; None if it is in none.
fn rank(ranges: &[Range<u32>], number: u32) -> Option<u32> {
    let mut before = 0;
    for range in ranges {
        if range.contains(&number) {
            return Some(before + number - range.start);
        }
        before += range.len() as u32;
    }
    None
}

impl Machine {
    /// A trace for the path of the state that this model takes.
    pub(crate) fn trace_of(&self, state: &State, model: &Evaluator, violation: Violation) -> Trace {
        let PathRecord { symbols, functions, choices, schedule, layout, .. } = self.record_of(state, model);
        Trace { symbols, functions, choices, schedule, cycle: None, layout, branches: state.search.branches, violation }
    }

    /// The path of a state that ended; or, if it was left in the middle, the way up to there.
    pub fn path_record(&self, state: &State, ended: bool) -> PathRecord {
        let record = self.record_of(state, &state.path.model);
        PathRecord { left_after: (!ended).then_some(state.path.inputs), ..record }
    }

    fn record_of(&self, state: &State, model: &Evaluator) -> PathRecord {
        let named = model.model().values.iter();
        let named = named.map(|(&var, value)| (self.store.var_name(var).to_string(), value.clone()));
        let mut functions: Vec<_> = model.model().functions.iter().map(|(at, value)| (at.clone(), value.clone())).collect();
        functions.sort();
        let (steps, left_after) = (state.search.steps, None);
        if state.joins.history.0.is_none() {
            let schedule = state.threads.as_ref().map_or(Vec::new(), |threads| threads.schedule());
            let (symbols, choices) = (named.collect(), state.path.choices.to_vec());
            return PathRecord { symbols, functions, choices, schedule, layout: self.layout_under(model), steps, left_after };
        }
        let path = self.path_of(state, model);
        let symbols = named.filter_map(|(name, value)| Some((path.renamed(&name)?, value))).collect();
        let layout =
            self.layout_under(model).into_iter().filter_map(|placed| Some(Placed { origin: path.origin(placed.origin)?, ..placed }));
        let (layout, choices) = (layout.collect(), path.choices);
        PathRecord { symbols, functions, layout, choices, schedule: Vec::new(), steps, left_after }
    }

    fn path_of(&self, state: &State, model: &Evaluator) -> Path {
        let mut pieces = vec![Past::of(state)];
        let mut starts = Vec::new();
        while let Some(join) = pieces.last().and_then(|piece| piece.history.0.clone()) {
            let side = model.holds(&self.store, join.selector) == Some(false);
            starts.push((join.inputs, join.allocations.clone()));
            pieces.push(join.sides[side as usize].clone());
        }
        let mut path = Path::default();
        while let Some(piece) = pieces.pop() {
            // The oldest piece starts from nothing.
            let start = if pieces.len() == starts.len() { None } else { starts.pop() };
            path.inputs.push(start.as_ref().map_or(0, |(inputs, _)| *inputs)..piece.inputs);
            path.choices.extend(piece.choices.to_vec());
            for (&site, &count) in piece.allocations.iter() {
                let from = start.as_ref().and_then(|(_, counts)| counts.get(&site).copied()).unwrap_or(0);
                path.allocations.entry(site).or_default().push(from..count);
            }
        }
        path
    }
}

impl Path {
    /// What the concrete run calls a symbol; None if it never asks for it.
    fn renamed(&self, name: &str) -> Option<String> {
        for kind in NUMBERED {
            if let Some((number, rest)) = name.strip_prefix(kind).and_then(number_in_front) {
                return rank(&self.inputs, number).map(|rank| format!("{kind}{rank}{rest}"));
            }
        }
        let memory = name.strip_prefix("mem").and_then(number_in_front);
        if let Some((site, rest)) = memory
            && let Some((occurrence, rest)) = rest.strip_prefix('.').and_then(number_in_front)
        {
            let origin = self.origin(Origin { site, occurrence })?;
            return Some(format!("mem{site}.{}{rest}", origin.occurrence));
        }
        Some(name.to_string())
    }

    fn origin(&self, origin: Origin) -> Option<Origin> {
        match self.allocations.get(&origin.site) {
            Some(ranges) => rank(ranges, origin.occurrence).map(|occurrence| Origin { site: origin.site, occurrence }),
            // Globals, and sites that this path never came to.
            None => Some(origin),
        }
    }
}

fn number_in_front(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
