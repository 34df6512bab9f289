//! Deferred checks. If every check of every iteration caused a query, each with a longer formula than the one before,
//! the time would grow with the square of the unwound program. So if the query would be large, or the feasibility of
//! the state has not been decided yet, the state continues under the assumption that the condition holds (or ends if
//! that is impossible), and a copy of it waits. From time to time, one formula asks whether any of the copies fails
//! (`smt::either`), and its model tells which.
//!
//! Sound: a copy has the path condition of its location, so later assumptions do not weaken its check; a run that
//! satisfies the condition is covered by the state, any other one by the copy. The first copy that fails in a model is
//! the first failure on that run, because locations are processed in topological order. If no solver can decide one
//! formula for all copies, it is divided into halves, finally into single checks; those that stay undecided are cut,
//! which prevents a proof.

use crate::exec::code::End;
use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use fathom_ir::Property;
use fathom_smt::{Constraints, Verdict, either};
use fathom_term::{Evaluator, Term};
use std::rc::Rc;

/// Conjuncts that a question may be about before it is put off.
const LONG: usize = 64;
/// Checks that are asked about together at first. A formula about hundreds takes longer than the same in several ones, of
/// which each has what the last one settled before it; and the solver keeps what they have in common. But each looks at
/// everything before it again, so they grow: one for so many that are settled already.
const FEW: usize = 32;
const SETTLED_PER_MORE: usize = 4;
/// Work (terms, and statements at a lower rate) after which everything is asked at the latest, and statements that make
/// one unit of it. Between two times the work grows by a factor, so that the times together cost what the last one does.
const FIRST_WORK: u64 = 4_000;
const STATEMENTS: u64 = 16;

/// The consequence if a condition does not hold.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    Violation {
        property: Property,
        message: String,
    },
    /// Undefined behaviour of a property that was not asked for.
    Undefined(Cut),
}

/// One check that waits.
struct Obligation {
    state: State,
    opposite: Term,
    failure: Failure,
}

#[derive(Default)]
pub(crate) struct Obligations {
    waiting: Vec<Obligation>,
    /// How many were found to hold.
    settled: usize,
    /// The work that there had been when everything was last asked.
    settled_at: u64,
}

impl Machine {
    pub(crate) fn is_put_off(&self, state: &State, condition: Term) -> bool {
        if !self.unwinding.as_ref().is_some_and(|unwinding| unwinding.puts_off_checks) {
            return false;
        }
        if !state.is_certain() || state.abstraction.is_some() || state.threads.is_some() || self.config.collects_targets {
            return false;
        }
        let sets = state.path.constraints.sets();
        if state.path.constraints.is_quantified() || sets.is_quantified(&self.store, condition) {
            return false;
        }
        if !state.path.verified {
            return true;
        }
        // A violation that the state's own model shows is told at once.
        self.is_large(state, condition) && state.path.model.holds(&self.store, condition) == Some(true)
    }

    /// Whether a question about the condition would be a large one: it mentions many symbols, or much is tied to it.
    pub(crate) fn is_large(&self, state: &State, condition: Term) -> bool {
        let Some((unwinding, above)) = self.unwinding.as_ref().and_then(|unwinding| Some((unwinding, unwinding.lazy_above?))) else {
            return false;
        };
        let few = state.path.constraints.sets().few(&self.store, condition).is_some_and(|symbols| symbols.len() <= above);
        !few || (unwinding.puts_off_checks && state.path.constraints.count_relevant(&self.store, condition) > LONG)
    }

    pub(crate) fn put_off(&mut self, state: &mut State, condition: Term, failure: Failure) -> Step<()> {
        let known = self.store.const_bool(condition);
        if known == Some(true) || state.path.constraints.contains(condition) {
            return Ok(());
        }
        let opposite = self.store.not(condition);
        self.obligations.waiting.push(Obligation { state: state.clone(), opposite, failure });
        if known == Some(false) {
            return Err(PathEnd::Discarded);
        }
        state.path.constraints.push(&self.store, condition);
        Ok(())
    }

    /// Whether checks are put off and the state stands at the beginning of a block that ends the program: there it meets
    /// nobody, so nothing is won by waiting for others.
    pub fn is_at_the_end(&self, state: &State) -> bool {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        self.unwinding.as_ref().is_some_and(|unwinding| unwinding.puts_off_checks) && matches!(block.end, End::Stop(_))
    }

    /// Whether checks wait to be put to a solver.
    pub fn has_obligations(&self) -> bool {
        !self.obligations.waiting.is_empty()
    }

    /// Whether so much was done since the last time that it is time to look.
    pub fn should_settle(&self) -> bool {
        let waiting = self.obligations.waiting.len();
        waiting >= FEW + self.obligations.settled / SETTLED_PER_MORE
            || (waiting > 0 && self.work() > self.obligations.settled_at / 2 * 3 + FIRST_WORK)
    }

    fn work(&self) -> u64 {
        self.store.len() as u64 + self.statistics.statements / STATEMENTS
    }

    /// Asks about everything that was put off. Stops at a violation; the rest then waits on.
    pub fn settle_obligations(&mut self) {
        self.obligations.settled_at = self.work();
        let mut batches = vec![std::mem::take(&mut self.obligations.waiting)];
        while let Some(mut batch) = batches.pop() {
            if batch.is_empty() {
                continue;
            }
            match self.any_fails(&batch) {
                Verdict::Unsat => self.obligations.settled += batch.len(),
                Verdict::Sat(model) => {
                    let Some(failed) = batch.iter().position(|one| self.fails_in(one, &model)) else {
                        // A theory whose values we can't compute with.
                        self.found.cuts.push(Cut::Solver(format!("{}: a model says too little", message_of(&batch[0].failure))));
                        continue;
                    };
                    let failed = batch.remove(failed);
                    match failed.failure {
                        Failure::Violation { property, message } => {
                            self.report_readable(&failed.state, failed.opposite, &model, property, &message);
                            batches.push(batch);
                            self.obligations.waiting = batches.into_iter().rev().flatten().collect();
                            return;
                        }
                        Failure::Undefined(cut) => {
                            let same = Failure::Undefined(cut.clone());
                            batch.retain(|one| one.failure != same);
                            if !self.found.cuts.contains(&cut) {
                                self.found.cuts.push(cut);
                            }
                            batches.push(batch);
                        }
                    }
                }
                Verdict::Unknown(why) if batch.len() == 1 || self.budget.exhausted().is_some() => {
                    self.found.cuts.push(Cut::Solver(format!("{}: {why}", message_of(&batch[0].failure))));
                }
                Verdict::Unknown(_) => {
                    let later = batch.split_off(batch.len() / 2);
                    batches.push(later);
                    batches.push(batch);
                }
            }
        }
    }

    fn any_fails(&mut self, batch: &[Obligation]) -> Verdict {
        self.counters.questions += 1;
        let cases: Vec<(&Constraints, Term)> = batch.iter().map(|one| (&one.state.path.constraints, one.opposite)).collect();
        let formula = either(&self.store, &cases);
        let (budget, anything) = (self.budget.clone(), self.store.bool(true));
        match &mut self.mode {
            Mode::Symbolic(oracle) => oracle.check(&formula, anything, None, &budget),
            // A replay has values for everything and puts nothing off.
            Mode::Replay { .. } => Verdict::Unsat,
        }
    }

    fn fails_in(&self, one: &Obligation, model: &Rc<Evaluator>) -> bool {
        let mut all = one.state.path.constraints.iter().chain([one.opposite]);
        all.all(|term| model.holds(&self.store, term) == Some(true))
    }
}

fn message_of(failure: &Failure) -> &str {
    match failure {
        Failure::Violation { message, .. } => message,
        Failure::Undefined(Cut::Undefined { what, .. }) => what,
        Failure::Undefined(_) => "undefined behaviour",
    }
}
