//! Detects runs that never end. A run that returns to an earlier state can repeat itself for ever, with the same inputs
//! each time. Along a path, one state at a loop head is kept and the states at later visits are compared with it. The
//! kept state is replaced at visits 1, 2, 4, 8 and so on (Brent's algorithm, which finds a cycle with one remembered
//! state), so any cycle is detected eventually. In long concrete loops, states are compared only for a while after each
//! replacement, which is enough for short cycles, such as a float that no longer changes after millions of iterations.
//! Each symbolic state stands for many concrete ones; a model of the path condition under which all values of the two
//! states are equal gives a run with a cycle, and the replay compares the two concrete states again.
//!
//! Recursion can be endless, too: when a call leads to an identical nested call. The frames below the first call cannot
//! be accessed until it returns, and with the same inputs it never does. So two states may be compared by their
//! innermost frames alone, if the first state's frame has been active all the time; the start of a recursive procedure
//! counts as a loop head.
//!
//! Compared are call stacks, live variables, and all live objects, byte by byte. The numbers of inputs and allocations
//! so far are not compared: they only affect addresses of future objects, on which no C program may depend.

use crate::exec::code::Action;
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::Base;
use crate::replay::trace::{Cycle, Violation};
use crate::threads::table::Thread;
use fathom_base::Loc;
use fathom_ir::Property;
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Sort, Term};
use std::rc::Rc;

/// Larger objects that have changed are not compared.
const MAX_BYTES: u64 = 1 << 16;
/// Visits after the remembered one of which each is worth a query.
const CLOSE: u64 = 16;

/// Visits before a concrete loop is a long one, and visits after the remembered one at which it is looked at.
const LONG: u64 = 1 << 14;
const WINDOW: u64 = 1 << 10;

/// What a path remembers of itself.
#[derive(Clone, Default)]
pub struct CycleWatch {
    /// Loop heads so far.
    visits: u64,
    /// A state at an earlier visit, and which that was.
    remembered: Option<(Rc<State>, u64)>,
}

impl CycleWatch {
    /// Loop heads so far.
    pub(crate) fn visits(&self) -> u64 {
        self.visits
    }

    /// Loop heads to come at which states need not be compared.
    fn unseen(&self) -> u64 {
        let since = self.remembered.as_ref().map_or(0, |(_, visit)| self.visits - visit);
        if self.visits < LONG || since < WINDOW {
            return 0;
        }
        (self.visits + 1).next_power_of_two() - self.visits - 1
    }
}

/// Whether two states have the same threads, of which one alone has not ended: what others do in between is not known.
fn same_threads(one: &State, two: &State) -> bool {
    let (first, second) = match (&one.threads, &two.threads) {
        (None, None) => return true,
        (Some(first), Some(second)) => (first, second),
        _ => return false,
    };
    let is_alike = |(one, two): (&Thread, &Thread)| (one.result, one.sections, one.ended) == (two.result, two.sections, two.ended);
    let is_alone = !one.has_company() && !two.has_company();
    is_alone && first.running == second.running && first.all.len() == second.all.len() && first.all.iter().zip(&second.all).all(is_alike)
}

impl Machine {
    /// Loop heads to come that a sprint may pass, though each of them would be looked at.
    pub(crate) fn heads_unseen(&self, state: &State) -> u64 {
        match &self.mode {
            _ if !self.config.pauses.all_loop_heads => u64::MAX,
            Mode::Replay { .. } => self.replay.unseen_heads,
            Mode::Symbolic(_) => state.comparison.watch.as_ref().map_or(0, CycleWatch::unseen),
        }
    }

    /// Notes that a sprint passed so many.
    pub(crate) fn pass_heads(&mut self, state: &mut State, count: u64) {
        self.replay.passed_heads += count;
        self.replay.unseen_heads = self.replay.unseen_heads.saturating_sub(count);
        if let Some(watch) = &mut state.comparison.watch {
            watch.visits += count;
        }
    }

    /// At a loop head: reports a violation of termination if the path can have come back to where it was.
    pub fn look_for_cycle(&mut self, state: &mut State) {
        let mut watch = state.comparison.watch.take().unwrap_or_default();
        watch.visits += 1;
        if let Some((earlier, visit)) = watch.remembered.clone() {
            let since = watch.visits - visit;
            if (since <= CLOSE || since.is_power_of_two() || self.is_concrete_top(state))
                && let Some(same) = self.same_state(&earlier, state)
                && let Some(model) = self.model_of(state, same)
            {
                self.report_cycle(state, &model, (visit, watch.visits), earlier.frames.len() < state.frames.len());
            }
        }
        if watch.visits.is_power_of_two() {
            watch.remembered = Some((Rc::new(state.clone()), watch.visits));
            state.comparison.lowest = state.frames.len();
        }
        state.comparison.watch = Some(watch);
    }

    /// Comparing costs no query as long as the innermost variables are numbers.
    fn is_concrete_top(&self, state: &State) -> bool {
        !state.frame().locals.iter().any(|value| matches!(value, Val::Term(_)))
    }

    fn model_of(&mut self, state: &State, condition: Term) -> Option<Rc<Evaluator>> {
        match self.store.const_bool(condition) {
            // A speculative state has no model.
            Some(true) => return (!state.path.speculative).then(|| state.path.model.clone()),
            Some(false) => return None,
            None => {}
        }
        if state.path.speculative {
            return None;
        }
        let budget = self.budget.clone();
        match self.oracle()?.check(&state.path.constraints, condition, Some(&state.path.model), &budget) {
            Verdict::Sat(model) => Some(model),
            Verdict::Unsat | Verdict::Unknown(_) => None,
        }
    }

    /// Where a loop is, in the eyes of people and alike in programs compiled for them and not: what is watched is computed
    /// in front of a block's own actions.
    pub(crate) fn loop_location(&self, state: &State) -> Loc {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        let own = block.actions.iter().position(|action| !matches!(action, Action::Watch { .. }));
        match own {
            Some(index) if block.end_loc == Loc::UNKNOWN => block.locs[index],
            _ => block.end_loc,
        }
    }

    fn report_cycle(&mut self, state: &State, model: &Rc<Evaluator>, visits: (u64, u64), is_recursion: bool) {
        let message = match is_recursion {
            true => "the call comes to a call inside it that is the same, and so never returns".to_string(),
            false => "the loop comes back to a state in which it was before, and so goes on for ever".to_string(),
        };
        let mut trace = self.trace_of(state, model, self.endless(state, message));
        trace.cycle = Some(Cycle::Returns { first: visits.0, second: visits.1 });
        self.found.violations.push(trace);
    }

    /// That runs which come here as this state do not end.
    pub(crate) fn endless(&self, state: &State, message: String) -> Violation {
        let stack = state.frames.iter().map(|f| self.code.procs[f.proc as usize].name.clone()).collect();
        Violation { property: Property::Termination, message, loc: self.loop_location(state), stack }
    }

    /// The condition under which two states of a path are the same; None where that is never so.
    pub(crate) fn same_state(&mut self, one: &State, two: &State) -> Option<Term> {
        let place = |f: &Frame| (f.proc, f.block, f.index, f.stack_objects.clone());
        let (depth, inside) = (one.frames.len(), two.frames.len().checked_sub(one.frames.len())?);
        let levels = if inside == 0 { 0..depth } else { depth - 1..depth };
        let is_inside = inside == 0 || two.comparison.lowest >= depth;
        let mut frames = one.frames[levels.clone()].iter().zip(&two.frames[levels.start + inside..]);
        if !same_threads(one, two) || !is_inside || !frames.all(|(first, second)| place(first) == place(second)) {
            return None;
        }
        let code = self.code.clone();
        let mut same = self.store.bool(true);
        for level in levels.rev() {
            let (first, second) = (&one.frames[level], &two.frames[level + inside]);
            for slot in self.live_locals(&one.frames, level) {
                let sort = code.procs[first.proc as usize].local_sorts[slot as usize];
                let values = (first.locals[slot as usize], second.locals[slot as usize]);
                same = self.also_equal(one, same, values, sort)?;
            }
        }
        for (slot, (&first, &second)) in one.globals.iter().zip(two.globals.iter()).enumerate() {
            same = self.also_equal(one, same, (first, second), code.global_sorts[slot])?;
        }
        let differences = one.memory.differences(&two.memory);
        if !differences.left_only.is_empty() || !differences.right_only.is_empty() {
            return None;
        }
        let (mut one, mut two) = (one.clone(), two.clone());
        for object in differences.changed {
            same = self.also_same_contents(same, &mut one, &mut two, object)?;
        }
        Some(same)
    }

    fn also_equal(&mut self, state: &State, so_far: Term, (one, two): (Val, Val), sort: Sort) -> Option<Term> {
        if one == two {
            return Some(so_far);
        }
        let [one, two] = [one, two].map(|value| self.term_of(value, sort));
        let equal = self.placed_for_certain(state, self.store.eq(one, two))?;
        (self.store.const_bool(equal) != Some(false)).then(|| self.store.and(so_far, equal))
    }

    fn also_same_contents(&mut self, so_far: Term, one: &mut State, two: &mut State, object: ObjectKey) -> Option<Term> {
        let (first, second) = (one.memory.get(object)?.clone(), two.memory.get(object)?.clone());
        let Val::Bits(size) = first.size else { return None };
        if first.size != second.size || size > MAX_BYTES {
            return None;
        }
        let same_base = match (&first.contents.base, &second.contents.base) {
            (Base::Zero, Base::Zero) | (Base::Uninitialised, Base::Uninitialised) => true,
            (Base::Array { term: one, .. }, Base::Array { term: two, .. }) => one == two,
            _ => false,
        };
        let mut same = so_far;
        for offset in (0..size).step_by(8) {
            let length = (size - offset).min(8);
            let untouched = |contents: &crate::memory::contents::Contents| contents.is_all_base(offset, length);
            if same_base && untouched(&first.contents) && untouched(&second.contents) {
                continue;
            }
            let values = (self.read_at(one, object, offset, length), self.read_at(two, object, offset, length));
            same = self.also_equal(one, same, values, Sort::Bv(length as u32 * 8))?;
        }
        Some(same)
    }
}
