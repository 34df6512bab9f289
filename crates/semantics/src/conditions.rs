//! Conditions of a state: what they can be, splitting on them, and properties that want them. The state's model answers
//! one side for free; a query that no solver answers cuts that side off, and is noted.

use crate::machine::{Cut, Decision, Machine, Mode, PathEnd, Step};
use crate::state::State;
use crate::trace::Violation;
use crate::value::Val;
use fathom_base::Loc;
use fathom_ir::Property;
use fathom_smt::{Verdict, Why};
use fathom_term::{Evaluator, Term};
use std::rc::Rc;

impl Machine {
    /// The condition over inputs alone: addresses are numbers.
    pub(crate) fn condition(&mut self, value: Val) -> Term {
        match value {
            Val::Bits(bits) => self.store.bool(bits != 0),
            Val::Term(term) => self.book.ground(term),
            Val::Pointer { .. } => unreachable!("a condition is no address"),
        }
    }

    fn query(&mut self, state: &State, condition: Term) -> Verdict {
        let budget = self.budget.clone();
        match &mut self.mode {
            Mode::Symbolic(oracle) => oracle.check(&state.constraints, condition, Some(&state.model), &budget),
            Mode::Replay { .. } => Verdict::Unknown(Why::Incomplete("a replay met a symbolic condition".to_string())),
        }
    }

    /// What a grounded condition can be in this state. An undecided side is cut off, and noted.
    pub(crate) fn decide(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        if let Some(known) = self.store.const_bool(condition) {
            return Ok(Decision::Always(known));
        }
        let now = match state.model.holds(&self.store, condition) {
            Some(now) => now,
            None => match self.query(state, condition) {
                Verdict::Sat(model) => {
                    state.model = model;
                    true
                }
                Verdict::Unsat => return Ok(Decision::Always(false)),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            },
        };
        let opposite = if now { self.store.not(condition) } else { condition };
        Ok(match self.query(state, opposite) {
            Verdict::Sat(other) => Decision::Both { now, other },
            Verdict::Unsat => Decision::Always(now),
            Verdict::Unknown(why) => {
                self.cuts.push(Cut::Solver(why.to_string()));
                let side = if now { condition } else { opposite };
                state.constraints.push(&self.store, side);
                Decision::Always(now)
            }
        })
    }

    /// Restricts the state to a grounded condition.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term) -> Step<()> {
        match self.store.const_bool(condition) {
            Some(true) => return Ok(()),
            Some(false) => return Err(PathEnd::Discarded),
            None => {}
        }
        if state.model.holds(&self.store, condition) != Some(true) {
            match self.query(state, condition) {
                Verdict::Sat(model) => state.model = model,
                Verdict::Unsat => return Err(PathEnd::Discarded),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            }
        }
        state.constraints.push(&self.store, condition);
        Ok(())
    }

    /// Splits the state on a grounded condition: the other side starts the current statement again. Returns which
    /// side this state is on.
    pub(crate) fn split(&mut self, state: &mut State, condition: Term) -> Step<bool> {
        match self.decide(state, condition)? {
            Decision::Always(known) => Ok(known),
            Decision::Both { now, other } => {
                let mut sibling = state.clone();
                sibling.covers_new = false;
                let frame = sibling.frame_mut();
                let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
                frame.index = block.starts[frame.index as usize];
                self.take_side(&mut sibling, condition, !now, Some(other));
                self.take_side(state, condition, now, None);
                self.add_fork(sibling);
                Ok(now)
            }
        }
    }

    pub(crate) fn take_side(&mut self, state: &mut State, condition: Term, side: bool, model: Option<Rc<Evaluator>>) {
        let condition = if side { condition } else { self.store.not(condition) };
        state.constraints.push(&self.store, condition);
        state.depth += 1;
        if let Some(model) = model {
            state.model = model;
        }
    }

    pub(crate) fn add_fork(&mut self, sibling: State) {
        self.statistics.forks += 1;
        self.forked.push(sibling);
    }

    pub(crate) fn location(&self, state: &State) -> Loc {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        block.locs.get(frame.index as usize).copied().unwrap_or(block.end_loc)
    }

    pub(crate) fn report(&mut self, state: &State, model: &Rc<Evaluator>, property: Property, message: &str) {
        let stack = state.frames.iter().map(|f| self.code.procs[f.proc as usize].name.clone()).collect();
        let violation = Violation { property, message: message.to_string(), loc: self.location(state), stack };
        let trace = self.trace_of(state, model, violation);
        self.violations.push(trace);
    }

    /// A condition that a property wants. Violations are reported; the state goes on where it holds.
    pub(crate) fn require(&mut self, state: &mut State, condition: Term, property: Property, message: &str) -> Step<()> {
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => {
                let model = state.model.clone();
                self.report(state, &model, property, message);
                Err(PathEnd::Violated)
            }
            Decision::Both { now, other } => {
                let (good, bad) = if now { (state.model.clone(), other) } else { (other, state.model.clone()) };
                self.report(state, &bad, property, message);
                self.take_side(state, condition, true, Some(good));
                Ok(())
            }
        }
    }

    /// A condition without which the program has no meaning: a violation if that property is checked, else the part
    /// of the state space where it fails is left out, which spoils a proof.
    pub(crate) fn require_defined(
        &mut self,
        state: &mut State,
        condition: Term,
        property: Property,
        message: &str,
    ) -> Step<()> {
        if self.checks.contains(&property) {
            return self.require(state, condition, property, message);
        }
        let cut = Cut::Undefined { what: message.to_string(), loc: self.location(state) };
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => Err(PathEnd::Cut(cut)),
            Decision::Both { now, other } => {
                if !self.cuts.contains(&cut) {
                    self.cuts.push(cut);
                }
                self.take_side(state, condition, true, (!now).then_some(other));
                Ok(())
            }
        }
    }

    pub(crate) fn unsupported(&self, state: &State, what: impl Into<String>) -> PathEnd {
        PathEnd::Cut(Cut::Unsupported { what: what.into(), loc: self.location(state) })
    }
}
