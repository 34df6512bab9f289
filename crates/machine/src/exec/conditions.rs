//! Decides which truth values a condition can have in a state, and splits the state. The state's model decides one side
//! for free. If no solver can decide whether a side is feasible, it is followed speculatively (Symbooglix, section
//! III). That is sound for proofs, which then also cover an infeasible path; a violation on such a path needs a model
//! of the whole path condition.

use crate::exec::machine::{Cut, Decision, Machine, Mode, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::value::Val;
use crate::retrace::{Asked, Guard, note_guard};
use fathom_base::Loc;
use fathom_ir::Assumption;
use fathom_smt::{Verdict, Why};
use fathom_term::{Evaluator, Term};
use std::rc::Rc;
use std::time::Duration;

/// For the question whether a path with quantified constraints goes on.
const FEASIBILITY_TIME: Duration = Duration::from_millis(400);

impl Machine {
    /// The condition as it may be asked about (see `placed`).
    pub(crate) fn condition(&mut self, state: &mut State, value: Val) -> Step<Term> {
        match value {
            Val::Bits(bits) => Ok(self.store.bool(bits != 0)),
            Val::Term(term) => self.placed(state, term),
            Val::Pointer { .. } => unreachable!("a condition is no address"),
        }
    }

    pub(crate) fn query(&mut self, state: &State, condition: Term) -> Verdict {
        self.counters.questions += 1;
        let budget = self.budget.clone();
        match &mut self.mode {
            Mode::Symbolic(oracle) if !state.is_certain() => {
                oracle.check_isolated(&state.path.constraints, condition, &state.path.model, !state.path.speculative, &budget)
            }
            Mode::Symbolic(oracle) => oracle.check(&state.path.constraints, condition, Some(&state.path.model), &budget),
            Mode::Replay { .. } => Verdict::Unknown(Why::Incomplete("a replay met a symbolic condition".to_string())),
        }
    }

    /// Makes sure that the state exists and that its model is one.
    pub fn verify(&mut self, state: &mut State) -> Step<()> {
        if state.path.verified {
            return Ok(());
        }
        let (budget, anything) = (self.budget.clone(), self.store.bool(true));
        let Mode::Symbolic(oracle) = &mut self.mode else { return Ok(()) };
        // Without a hint: a model of a part of the constraints says nothing about the rest.
        match oracle.check(&state.path.constraints, anything, None, &budget) {
            Verdict::Sat(model) => {
                (state.path.model, state.path.verified) = (model, true);
                Ok(())
            }
            Verdict::Unsat => Err(PathEnd::Discarded),
            Verdict::Unknown(why) => {
                self.give_up_if_hurried(&why)?;
                self.statistics.speculations += 1;
                (state.path.speculative, state.path.verified) = (true, true);
                Ok(())
            }
        }
    }

    /// Forks on a grounded condition without asking whether the other side is possible, where that is allowed and likely
    /// to cost more than it brings: the sides meet again soon, and then one of them has a model. Returns the side of this
    /// state; the sibling is on the other. `stays` is the side that stays in the loops which the other leaves, if there is
    /// one: only a state that is known to exist may go round without a question.
    pub(crate) fn fork_lazily(&mut self, state: &mut State, condition: Term, stays: Option<bool>) -> Option<(bool, State)> {
        self.unwinding.as_ref()?.lazy_above?;
        let opposite = self.store.not(condition);
        if !state.is_certain() || state.path.constraints.contains(condition) || state.path.constraints.contains(opposite) {
            return None;
        }
        if state.path.verified && !self.is_large(state, condition) {
            return None;
        }
        let now = match state.path.model.holds(&self.store, condition) {
            Some(now) => now,
            None if state.path.verified => return None,
            None => true,
        };
        if stays.is_some_and(|stays| !state.path.verified || now != stays) {
            return None;
        }
        let mut sibling = state.clone();
        self.keep_side(&mut sibling, condition, !now);
        sibling.path.verified = false;
        self.keep_side(state, condition, now);
        Some((now, sibling))
    }

    /// Whether a path goes on. Where quantifiers are around, that is often undecidable and nearly as often plain; little
    /// time is spent on it, since an undecided side is followed.
    fn query_feasibility(&mut self, state: &State, condition: Term) -> Verdict {
        let sets = state.path.constraints.sets().clone();
        let hard = sets.is_quantified(&self.store, condition) || state.path.constraints.ties_to_quantifier(&self.store, condition);
        if !hard {
            return self.query(state, condition);
        }
        self.within(FEASIBILITY_TIME, |machine| machine.query(state, condition))
    }

    /// What the state's model says of a condition, if it decides anything: a speculative state has no model, and what
    /// a quantified constraint speaks of is known to a model at some points only.
    pub(super) fn model_says(&self, state: &State, condition: Term) -> Option<bool> {
        if state.path.speculative || state.path.constraints.ties_to_quantifier(&self.store, condition) {
            return None;
        }
        state.path.model.holds(&self.store, condition)
    }

    /// What a grounded condition can be in this state. A side that no solver could decide is followed, speculatively: it
    /// may turn out impossible, which costs time, but nothing is left out.
    pub(crate) fn decide(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        if let Some(known) = self.store.const_bool(condition) {
            return Ok(Decision::Always(known));
        }
        if self.is_retracing() {
            return self.retraced_decision(state, condition);
        }
        let decision = self.find_out(state, condition)?;
        self.note_question(match decision {
            Decision::Always(known) => Asked::Always(condition, known),
            Decision::Both { now, .. } => Asked::Both(condition, now),
        });
        Ok(decision)
    }

    fn find_out(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        self.verify(state)?;
        let opposite = self.store.not(condition);
        let now = match self.model_says(state, condition) {
            Some(now) if self.is_fixed(state, condition) => {
                // No query, but not free either: in loops the terms grow.
                self.counters.questions += 1;
                return Ok(Decision::Always(now));
            }
            Some(now) => now,
            None => match self.query_feasibility(state, condition) {
                Verdict::Sat(model) => {
                    state.path.model = model;
                    true
                }
                Verdict::Unsat => {
                    // A speculative state may be impossible altogether; the opposite then shows it sooner or later.
                    return Ok(Decision::Always(false));
                }
                Verdict::Unknown(why) => {
                    self.give_up_if_hurried(&why)?;
                    return self.decide_speculatively(state, opposite);
                }
            },
        };
        let other_side = if now { opposite } else { condition };
        Ok(match self.query_feasibility(state, other_side) {
            Verdict::Sat(other) => Decision::Both { now, other: Some(other) },
            Verdict::Unsat => Decision::Always(now),
            Verdict::Unknown(why) => {
                self.give_up_at_the_end(&why)?;
                if self.config.only_known_paths {
                    self.leave_other_side(state, condition, &why);
                    return Ok(Decision::Always(now));
                }
                self.statistics.speculations += 1;
                Decision::Both { now, other: None }
            }
        })
    }

    /// Marks a state whose newest condition no solver could decide. Without quantifiers around, the state's model is of no
    /// use any more; with them, it still satisfies everything that they are not tied to.
    fn mark_undecided(&mut self, state: &mut State, condition: Term) {
        let sets = state.path.constraints.sets().clone();
        if sets.is_quantified(&self.store, condition) || state.path.constraints.ties_to_quantifier(&self.store, condition) {
            state.path.quantified_speculation = true;
        } else {
            state.path.speculative = true;
        }
    }

    /// The condition itself could not be decided.
    fn decide_speculatively(&mut self, state: &mut State, opposite: Term) -> Step<Decision> {
        self.statistics.speculations += 1;
        Ok(match self.query_feasibility(state, opposite) {
            Verdict::Unsat => Decision::Always(true),
            Verdict::Sat(model) => {
                state.path.model = model;
                Decision::Both { now: false, other: None }
            }
            Verdict::Unknown(_) => {
                self.mark_undecided(state, opposite);
                Decision::Both { now: true, other: None }
            }
        })
    }

    /// When the run is over, a query without an answer means nothing, and following both sides would waste time.
    pub(crate) fn give_up_at_the_end(&self, why: &Why) -> Step<()> {
        match self.budget.exhausted() {
            Some(_) => Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            None if matches!(self.mode, Mode::Replay { .. }) => Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            None => Ok(()),
        }
    }

    /// Restricts the state to a grounded condition.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term) -> Step<()> {
        match self.store.const_bool(condition) {
            Some(true) => return Ok(()),
            Some(false) => return Err(PathEnd::Discarded),
            None => {}
        }
        if let Mode::Replay { .. } = self.mode {
            return self.assume_in_replay(condition);
        }
        if self.is_retracing() {
            return self.retraced_assumption(state, condition);
        }
        let assumed = self.assume_if_possible(state, condition);
        if !matches!(assumed, Err(PathEnd::Cut(_))) {
            self.note_question(Asked::Assumed { condition, possible: assumed.is_ok() });
        }
        assumed
    }

    fn assume_if_possible(&mut self, state: &mut State, condition: Term) -> Step<()> {
        if state.path.verified && self.model_says(state, condition) != Some(true) {
            match self.query_feasibility(state, condition) {
                Verdict::Sat(model) => state.path.model = model,
                Verdict::Unsat => return Err(PathEnd::Discarded),
                Verdict::Unknown(why) => {
                    self.give_up_if_hurried(&why)?;
                    self.statistics.speculations += 1;
                    self.mark_undecided(state, condition);
                }
            }
        }
        state.path.constraints.push(&self.store, condition);
        Ok(())
    }

    /// A replay has values for everything but quantifiers: those were the solver's to judge when it found the values.
    fn assume_in_replay(&mut self, condition: Term) -> Step<()> {
        let Mode::Replay { values, .. } = &self.mode else { return Ok(()) };
        match values.holds(&self.store, condition) {
            Some(false) => Err(PathEnd::Discarded),
            Some(true) => Ok(()),
            None => {
                self.ledger.note(Assumption::QuantifierJudgedBySolver);
                Ok(())
            }
        }
    }

    /// Splits the state on a grounded condition: the other side starts the current statement again. Returns which
    /// side this state is on.
    pub(crate) fn split(&mut self, state: &mut State, condition: Term) -> Step<bool> {
        match self.decide(state, condition)? {
            Decision::Always(known) => Ok(known),
            Decision::Both { now, other } => {
                let mut sibling = self.twin(state);
                self.note_sides(state, &mut sibling, condition, now);
                sibling.search.covers_new = false;
                let frame = sibling.frame_mut();
                let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
                frame.index = block.starts[frame.index as usize];
                self.take_side(&mut sibling, condition, !now, other);
                self.keep_side(state, condition, now);
                self.add_fork(sibling);
                Ok(now)
            }
        }
    }

    /// The side that the state's model is on.
    pub(crate) fn keep_side(&mut self, state: &mut State, condition: Term, side: bool) {
        let condition = if side { condition } else { self.store.not(condition) };
        state.search.depth += 1;
        if self.config.only_known_paths && !state.frames.is_empty() {
            let branch = self.block_of(state) as u32;
            state.search.decisions.push(branch, side);
        }
        if state.retraced.is_some() {
            return note_guard(state, Guard { condition, must: false });
        }
        state.path.constraints.push(&self.store, condition);
    }

    /// A side with a model of it, or a speculation.
    pub(crate) fn take_side(&mut self, state: &mut State, condition: Term, side: bool, model: Option<Rc<Evaluator>>) {
        self.keep_side(state, condition, side);
        match model {
            Some(model) => state.path.model = model,
            None => self.mark_undecided(state, condition),
        }
    }

    /// A second state like this one; shares what is large unless sharing is switched off for a measurement.
    pub(crate) fn twin(&self, state: &State) -> State {
        let mut copy = state.clone();
        if !self.config.cheap_copies {
            copy.globals = Rc::new((*state.globals).clone());
            for frame in &mut copy.frames {
                frame.locals = Rc::new((*frame.locals).clone());
            }
            copy.path.constraints = state.path.constraints.rebuilt(&self.store);
        }
        copy
    }

    pub(crate) fn add_fork(&mut self, mut sibling: State) {
        sibling.search.seed = None;
        self.statistics.forks += 1;
        self.forked.push(sibling);
    }

    pub(crate) fn location(&self, state: &State) -> Loc {
        self.location_in(state.frame())
    }

    pub(crate) fn location_in(&self, frame: &Frame) -> Loc {
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        block.locs.get(frame.index as usize).copied().unwrap_or(block.end_loc)
    }

    /// Code without a source, such as what stands for a function without a body, is where it was called.
    pub(crate) fn unsupported(&self, state: &State, what: impl Into<String>) -> PathEnd {
        let mut places = state.frames.iter().rev().map(|frame| self.location_in(frame));
        let loc = places.find(|loc| loc.is_known()).unwrap_or(Loc::UNKNOWN);
        PathEnd::Cut(Cut::Unsupported { what: what.into(), loc })
    }
}
