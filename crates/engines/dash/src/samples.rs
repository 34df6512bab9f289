//! Calls that are made only to learn about a procedure: with small arguments, which are the cheapest, and with
//! arguments near those of a test, so that guesses fit them. Calls in ordinary tests are recorded here, too.

use crate::limits::Limits;
use crate::regions::Position;
use crate::runs::{Run, RunEnd};
use crate::search::Frontier;
use crate::session::Session;
use crate::summaries::{ObservedCall, Summaries};
use fathom_base::FxSet;
use fathom_engine::{Cx, Task};
use fathom_flat::{Call, Flat};
use fathom_term::{Sort, Term, TermStore, Value, mask};
use std::rc::Rc;

/// What is added to arguments for calls near a test's.
const NEAR: [i64; 6] = [1, -1, 2, -2, 3, -3];

impl Session<'_> {
    /// Calls with small numbers are the cheapest to know: whether one of them gets over the frontier.
    pub fn by_small_calls(&mut self, found: &Frontier, needed: &[Term], call: &Call, test: Position, task: &Task, cx: &Cx<'_>) -> bool {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let arguments: Vec<Term> =
            call.entry.iter().copied().filter(|&term| matches!(store.sort(term), Sort::Bv(2..=64)) && !store.op(term).is_const()).collect();
        if self.depth > 0 || arguments.is_empty() || self.summaries.borrow().small_calls >= self.config.limits.small_calls {
            return false;
        }
        let mut other: Vec<Term> = Vec::new();
        for most in self.config.limits.small_arguments.into_iter().flat_map(|(most, calls)| std::iter::repeat_n(most, calls)) {
            self.summaries.borrow_mut().small_calls += 1;
            let fits = |&&term: &&Term| most <= mask(store.sort(term).width());
            let small = arguments.iter().filter(fits).map(|&term| store.bv_ule(term, store.bv(most, store.sort(term).width())));
            let all: Vec<Term> = needed.iter().copied().chain(other.iter().copied()).chain(small).collect();
            let Some(number) = self.test_with(&all, test, &[], task, cx) else { continue };
            if self.refuted || self.got_over(found, number, test.1) {
                return true;
            }
            let run = &self.runs[number];
            if run.steps.len() <= test.1 as usize {
                return false;
            }
            let same: Option<Vec<Term>> = arguments
                .iter()
                .map(|&term| Some(store.eq(term, store.constant(&run.term_value(flat, test.1, term)?, store.sort(term)))))
                .collect();
            let Some(same) = same else { return false };
            other.push(store.not(store.and_all(same)));
        }
        false
    }

    /// Makes calls around the one of the test, for guesses to agree with.
    pub fn sample(&mut self, call: &Call, test: Position) {
        let (flat, limits) = (self.flat, &self.config.limits);
        let run = &self.runs[test.0 as usize];
        let passed: Option<Vec<Value>> = call.entry.iter().map(|&term| run.term_value(flat, test.1, term)).collect();
        let Some(passed) = passed else { return };
        let key = (call.procedure, passed);
        let mut summaries = self.summaries.borrow_mut();
        let enough = summaries.sampled.iter().filter(|(procedure, _)| *procedure == call.procedure).count() >= self.config.limits.sampled;
        if enough || !summaries.sampled.insert(key.clone()) {
            return;
        }
        let start = flat.procedures[call.procedure].start;
        let inputs: Vec<(Sort, Value)> = call.entry.iter().map(|&term| flat.terms.sort(term)).zip(key.1).collect();
        for at in 0..inputs.len() {
            let (Sort::Bv(width @ 2..=64), Value::Bits(bits)) = (inputs[at].0, inputs[at].1.clone()) else { continue };
            for change in NEAR {
                let mut near = inputs.clone();
                near[at].1 = Value::Bits(bits.wrapping_add(change as u64) & mask(width));
                let made = crate::runs::run(flat, start, &near, 0, limits.sample_steps, limits, &|_, _| None);
                note_call(flat, call.procedure, &made, &mut summaries, limits);
            }
        }
    }
}

/// Calls that a test made on its way, those inside others too.
pub fn note_calls(flat: &Flat, run: &Run, summaries: &mut Summaries, limits: &Limits) {
    let mut shared: FxSet<*const Run> = FxSet::default();
    let mut open: Vec<&Run> = vec![run];
    while let Some(run) = open.pop() {
        if shared.len() > limits.noted {
            return;
        }
        for step in &run.steps {
            if let (Some(call), Some(inside)) = (&flat.blocks[step.block].call, &step.inside)
                && shared.insert(Rc::as_ptr(inside))
            {
                note_call(flat, call.procedure, inside, summaries, limits);
                open.push(inside);
            }
        }
    }
}

/// A call that a test made, if it shows what the procedure does.
pub fn note_call(flat: &Flat, procedure: usize, run: &Run, summaries: &mut Summaries, limits: &Limits) {
    if run.is_computed {
        return;
    }
    let exit = match &run.end {
        RunEnd::Returned(values) => Some(values.clone()),
        RunEnd::AtError(_) => None,
        _ => return,
    };
    let count = flat.procedures[procedure].entry.len();
    let entry = run.inputs.iter().take(count).map(|(_, value)| value.clone()).collect();
    // A test of the procedure alone asks for what others pass.
    let passed = run.numbers.iter().take(count).flatten().count();
    summaries.saw(ObservedCall { procedure, entry, exit, inputs: run.real[passed..].to_vec() }, limits.calls);
}
