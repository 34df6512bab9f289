//! Claims are proved again, one by one, without what the engine knew: a state like the node's in which everything is
//! arbitrary but for what the label says is run by the machine, with another solver, until it comes to where states are
//! compared. Nothing may fail on the way, and what arrives must satisfy the label of a child that stands there. The
//! engine computed labels backwards, from terms over slots; here they are used forwards, by plain symbolic execution.

use crate::graph::{Claim, ClaimGraph};
use crate::interpolant::{Interpolant, Subsumption};
use crate::point::point_of;
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_machine::{Advance, Cut, Machine, MachineConfig, Mode, PathEnd, Pauses, State, Val};
use fathom_smt::Oracle;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Statements that a state runs before the limits are looked at, and those of one claim.
const SLICE: u64 = 20_000;
const MOST_STATEMENTS: u64 = 4_000_000;
/// States of one claim that are run further than to where states are compared.
const MOST_FURTHER: u32 = 16;

/// The result of checking all claims.
#[derive(Clone, Debug, Default)]
pub struct Rechecked {
    /// Claims that hold.
    pub proved: u64,
    /// Neither proved nor refuted: no time, or beyond the solver.
    pub open: u64,
    /// What is wrong with a claim that does not hold.
    pub wrong: Option<String>,
}

/// Why a claim was not proved.
enum Failure {
    Wrong(String),
    Open,
}

type Done = Result<(), Failure>;

/// Proves each claim of the graph again, as far as the budget allows.
pub fn recheck(graph: &ClaimGraph, program: &Rc<Program>, properties: &BTreeSet<Property>, oracle: Oracle, budget: &Budget) -> Rechecked {
    let mode = Mode::Symbolic(Box::new(oracle));
    let pauses = Pauses { loop_heads: true, where_paths_meet: true, ..Pauses::default() };
    let config = MachineConfig {
        pauses,
        look_ahead: graph.look_ahead,
        max_loop: graph.max_loop,
        assumes_max_loop: graph.assumes_max_loop,
        ..MachineConfig::default()
    };
    let mut machine = Machine::with_naming(program.clone(), properties.clone(), mode, budget.clone(), config, &graph.naming);
    machine.nothing_is_new();
    let mut seen = Rechecked::default();
    for claim in &graph.claims {
        if budget.exhausted().is_some() {
            seen.open = graph.claims.len() as u64 - seen.proved;
            return seen;
        }
        match prove(&mut machine, graph, claim) {
            Ok(()) => seen.proved += 1,
            Err(Failure::Open) => seen.open += 1,
            Err(Failure::Wrong(why)) => {
                let place = program.files.show(machine.place_of(&claim.start));
                seen.wrong.get_or_insert(format!("{why} behind {place}"));
            }
        }
    }
    seen
}

fn prove(machine: &mut Machine, graph: &ClaimGraph, claim: &Claim) -> Done {
    // A label that was lost in the end claims nothing.
    let Some(label) = claim.label.borrow().clone() else { return Ok(()) };
    let mut state = machine.arbitrary_like(&claim.start, &graph.root);
    impose(machine, &mut state, claim, &label)?;
    let mut open = vec![state];
    let mut more = MOST_FURTHER;
    while let Some(state) = open.pop() {
        for mut arrived in stretch(machine, state)? {
            match arrive(machine, &mut arrived, claim) {
                Ok(()) => {}
                // What no solver decided here does not become wrong further on, where no label stands any more.
                Err(Failure::Open) => return Err(Failure::Open),
                // Where it is compared is not always where the first run was: going on proves as much.
                Err(failure) => {
                    more = more.checked_sub(1).ok_or(failure)?;
                    open.push(arrived);
                }
            }
        }
    }
    Ok(())
}

/// Runs to where states are compared; what arrives there.
fn stretch(machine: &mut Machine, mut state: State) -> Result<Vec<State>, Failure> {
    let end = run(machine, &mut state);
    let mut arrived = std::mem::take(&mut machine.forked);
    let cuts = std::mem::take(&mut machine.found.cuts);
    if let Some(trace) = std::mem::take(&mut machine.found.violations).pop() {
        return Err(Failure::Wrong(format!("{} is violated", trace.violation.property)));
    }
    cuts.into_iter().try_for_each(|cut| Err(missing(&cut)))?;
    match end? {
        Some(PathEnd::Finished | PathEnd::Discarded) => {}
        Some(PathEnd::Violated) => return Err(Failure::Wrong("a property is violated".into())),
        Some(PathEnd::Cut(cut)) => return Err(missing(&cut)),
        None => arrived.push(state),
    }
    Ok(arrived)
}

/// A part of the runs that the machine did not follow.
fn missing(cut: &Cut) -> Failure {
    match cut {
        Cut::Undefined { what, .. } => Failure::Wrong(what.clone()),
        Cut::Unsupported { .. } | Cut::Solver(_) | Cut::Bound(_) => Failure::Open,
    }
}

/// Restricts an arbitrary state to what the label says.
fn impose(machine: &mut Machine, state: &mut State, claim: &Claim, label: &Interpolant) -> Done {
    let mut start = (*claim.start).clone();
    // What it demands as a whole is there, but for some bytes.
    for (&key, whole) in &label.whole {
        machine.restore_contents(state, key, &whole.object, &whole.except);
    }
    // A slot with one value has it: known values, addresses above all, are what execution needs to go on.
    for (&slot, set) in &label.sets {
        let Some(only) = set.single() else { continue };
        let sort = machine.slot_sort(&start, slot).ok_or(Failure::Open)?;
        let own = machine.slot_value(&mut start, slot).ok_or(Failure::Open)?;
        let known = machine.grounded(own, sort);
        let value = if machine.store.const_bits(known) == Some(only) { own } else { Val::Bits(only) };
        machine.set_slot(state, slot, value);
    }
    let condition = label.condition(machine, state, false).map_err(|_| Failure::Open)?;
    machine.suppose(state, condition).map_err(|_| Failure::Open)
}

/// Runs to where states are compared, or to the end.
fn run(machine: &mut Machine, state: &mut State) -> Result<Option<PathEnd>, Failure> {
    let first = state.search.steps;
    loop {
        match machine.advance(state, SLICE) {
            Advance::Ended(end) => return Ok(Some(end)),
            Advance::LoopHead | Advance::Join | Advance::Forked => return Ok(None),
            Advance::AtBound => return Err(Failure::Open),
            Advance::Running if machine.budget.exhausted().is_some() || state.search.steps - first > MOST_STATEMENTS => {
                return Err(Failure::Open);
            }
            Advance::Running => {}
        }
    }
}

fn arrive(machine: &mut Machine, state: &mut State, claim: &Claim) -> Done {
    let point = point_of(state);
    // A state whose path condition may be unsatisfiable shows nothing.
    let is_real = state.is_certain() && state.path.verified;
    let mut result = if is_real { Failure::Wrong("a state arrives that no label is satisfied by".into()) } else { Failure::Open };
    for (_, label) in claim.ways.iter().filter(|(place, _)| *place == point) {
        let Some(label) = label.borrow().clone() else { continue };
        match label.subsumption(machine, state) {
            Subsumption::Always(_) => return Ok(()),
            Subsumption::Unknown => result = Failure::Open,
            Subsumption::NotAlways => {}
        }
    }
    Err(result)
}
