//! Checks what the properties require of a state. A violation is reported only if it is certainly feasible: on a
//! speculative path the solver is asked about the whole path condition, and if it cannot tell, the path is cut. That
//! prevents a proof but never makes one wrong.

use crate::exec::machine::{AbstractFailure, Cut, Decision, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::Val;
use crate::joins::obligations::Failure;
use crate::joins::unwinding::LoopAt;
use crate::replay::trace::Violation;
use crate::retrace::Asked;
use fathom_ir::{Assumption, Property};
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Term};
use std::rc::Rc;

/// Active procedures that a violation names.
const MOST_ACTIVE: usize = 40;

impl Machine {
    pub(crate) fn report(&mut self, state: &State, model: &Rc<Evaluator>, property: Property, message: &str) {
        let stack = self.active(state);
        let violation = Violation { property, message: message.to_string(), loc: self.location(state), stack };
        if let Some(start) = &state.abstraction {
            self.found.failures.push(AbstractFailure { violation, start: start.clone(), model: model.clone() });
            return;
        }
        if let Some(names) = &self.defined {
            self.ledger.note(Assumption::DefinedFunctions { names: names.clone() });
        }
        let trace = self.trace_of(state, model, violation);
        self.found.violations.push(trace);
    }

    /// The procedures that are active, of very many the first and the last.
    fn active(&self, state: &State) -> Vec<String> {
        let (outer, inner) = match state.frames.len() {
            0..=MOST_ACTIVE => (&state.frames[..], &[][..]),
            count => (&state.frames[..MOST_ACTIVE / 2], &state.frames[count - MOST_ACTIVE / 2..]),
        };
        outer.iter().chain(inner).map(|frame| self.code.procs[frame.proc as usize].name.clone()).collect()
    }

    /// A condition that a property wants. Violations are reported; the state goes on where it holds. That a violation
    /// is possible must be certain: on a speculative side the whole path is asked about, and if no solver can tell, that
    /// part is cut, which spoils a proof.
    pub(crate) fn require(&mut self, state: &mut State, condition: Term, property: Property, message: &str) -> Step<()> {
        if self.takes_for_granted(state) || self.ends_silently(property) {
            return self.assume(state, condition);
        }
        if self.is_retracing() {
            return self.retraced_requirement(state, condition);
        }
        if self.is_put_off(state, condition) {
            return self.put_off(state, condition, Failure::Violation { property, message: message.to_string() });
        }
        self.verify(state)?;
        if self.store.const_bool(condition).is_none() && self.model_says(state, condition).is_none() {
            return self.require_refuted(state, condition, property, message);
        }
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => {
                let model = state.is_certain().then(|| state.path.model.clone());
                let is_target = self.is_target(condition);
                let place = (property, self.location(state));
                if !is_target || !self.found.targets_met.contains(&place) {
                    let reported = self.found.violations.len();
                    if !self.report_or_cut(state, condition, model, property, message) {
                        return Err(PathEnd::Discarded);
                    }
                    if is_target && self.found.violations.len() > reported {
                        self.found.targets_met.insert(place);
                    }
                }
                Err(if is_target { PathEnd::Finished } else { PathEnd::Violated })
            }
            Decision::Both { now, other } => {
                let bad = if now { other.clone() } else { Some(state.path.model.clone()) };
                self.report_or_cut(state, condition, bad.filter(|_| state.is_certain()), property, message);
                match now {
                    true => self.keep_side(state, condition, true),
                    false => self.take_side(state, condition, true, other),
                }
                Ok(())
            }
        }
    }

    /// Whether a requirement says that a place must not be reached, and such places are collected.
    pub(crate) fn is_target(&self, condition: Term) -> bool {
        self.config.collects_targets && self.store.const_bool(condition) == Some(false)
    }

    /// Without a model to start from: that the violation is impossible is asked first, as it is all that a proof needs.
    fn require_refuted(&mut self, state: &mut State, condition: Term, property: Property, message: &str) -> Step<()> {
        let opposite = self.store.not(condition);
        match self.query(state, opposite) {
            Verdict::Unsat => {
                // The condition follows from the path; it is added so that models of the path have values for the functions and maps in
                // it.
                state.path.constraints.push(&self.store, condition);
                self.note_question(Asked::Always(condition, true));
                return Ok(());
            }
            Verdict::Sat(model) => {
                let model = state.is_certain().then_some(model);
                self.report_or_cut(state, condition, model, property, message);
            }
            Verdict::Unknown(why) => {
                self.give_up_at_the_end(&why)?;
                self.found.cuts.push(Cut::Solver(format!("{message}: {why}")));
            }
        }
        self.assume(state, condition)
    }

    /// An assertion with quantifiers. Paths remember how each went, because a replay can't compute it.
    pub(crate) fn require_quantified(&mut self, state: &mut State, value: Val, property: Property, message: &str) -> Step<()> {
        let condition = self.condition(state, value)?;
        if let Mode::Replay { choices, values, .. } = &mut self.mode {
            let told = choices.next() == Some(1);
            let holds = values.holds(&self.store, condition).unwrap_or(told);
            let condition = self.store.bool(holds);
            return self.require(state, condition, property, message);
        }
        let mut failing = state.path.choices.clone();
        failing.push(0);
        state.path.choices.push(1);
        let passing = std::mem::replace(&mut state.path.choices, failing);
        let result = self.require(state, condition, property, message);
        state.path.choices = passing;
        result
    }

    /// Whether the state, which may be infeasible, may violate the condition after all.
    fn report_or_cut(&mut self, state: &State, condition: Term, model: Option<Rc<Evaluator>>, property: Property, message: &str) -> bool {
        if model.is_none() && matches!(self.mode, Mode::Replay { .. }) {
            return true;
        }
        let (opposite, cuts) = (self.store.not(condition), self.found.cuts.len());
        match self.model_of_violation(state, opposite, model, message) {
            Some(model) => self.report_readable(state, opposite, &model, property, message),
            None => return self.found.cuts.len() > cuts,
        }
        true
    }

    /// A model of a path on which something goes wrong under this condition, if that is possible; if nobody can tell, a cut.
    pub(crate) fn model_of_violation(
        &mut self,
        state: &State,
        wrong: Term,
        model: Option<Rc<Evaluator>>,
        message: &str,
    ) -> Option<Rc<Evaluator>> {
        let budget = self.budget.clone();
        let verdict = match (model, &mut self.mode) {
            (Some(model), _) => Verdict::Sat(model),
            (None, Mode::Symbolic(oracle)) => oracle.check(&state.path.constraints, wrong, None, &budget),
            (None, Mode::Replay { .. }) => Verdict::Unsat,
        };
        match verdict {
            Verdict::Sat(model) => return Some(model),
            Verdict::Unsat => {}
            Verdict::Unknown(why) => self.found.cuts.push(Cut::Solver(format!("{message}: {why}"))),
        }
        None
    }

    /// A condition without which the program has no meaning: a violation if that property is checked, else the part
    /// of the state space where it fails is left out, which spoils a proof.
    pub(crate) fn require_defined(&mut self, state: &mut State, condition: Term, property: Property, message: &str) -> Step<()> {
        if self.takes_for_granted(state) {
            return self.assume(state, condition);
        }
        if self.checks.contains(&property) {
            return self.require(state, condition, property, message);
        }
        if self.config.assumes_valid_accesses && property == Property::ValidDeref {
            return self.assume(state, condition);
        }
        let cut = Cut::Undefined { what: message.to_string(), loc: self.location(state) };
        if self.is_put_off(state, condition) {
            return self.put_off(state, condition, Failure::Undefined(cut));
        }
        self.verify(state)?;
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => Err(PathEnd::Cut(cut)),
            Decision::Both { now, other } => {
                if !self.found.cuts.contains(&cut) {
                    self.found.cuts.push(cut);
                }
                match now {
                    true => self.keep_side(state, condition, true),
                    false => self.take_side(state, condition, true, other),
                }
                Ok(())
            }
        }
    }

    /// Whether what can go wrong here is taken not to: another run checks it.
    pub fn takes_for_granted(&self, state: &State) -> bool {
        let Some(unwinding) = &self.unwinding else { return self.config.assumes_checks };
        let assumes = |at: &LoopAt| at.from_the_middle && at.iteration < unwinding.checked_iteration;
        self.config.assumes_checks || state.frames.iter().any(|frame| frame.loops.iter().any(assumes))
    }
}
