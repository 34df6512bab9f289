//! Truth values that the path condition decides. If a Boolean variable is assigned a term that has only one possible
//! value on this path, the constant is stored instead of the term. Translators of GPU kernels predicate every statement
//! (`p := i < n; i := if p then i + 1 else i`), so that after some iterations of a loop every value is a deeply nested
//! `ite`, although the path condition decides each of its conditions. At the assignment the query is small; later it
//! would contain the whole nest.
//!
//! Sound, because the term and the constant are equal in every model of the path condition. Queries that are hard or
//! rarely successful are skipped.

use crate::exec::code::{Operand, Variable};
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_smt::Verdict;
use fathom_term::{Op, Sort};
use std::time::Duration;

/// A question that takes longer is not worth it.
const SETTLING_TIME: Duration = Duration::from_millis(200);

/// How often asking was worth it.
#[derive(Default)]
pub(crate) struct Settling {
    asked: u32,
    settled: u32,
    passed_over: u32,
}

impl Settling {
    const TRIALS: u32 = 32;
    /// One in so many has to be settled for all to be asked; otherwise one in so many is asked.
    const WORTH: u32 = 8;

    fn asks(&mut self) -> bool {
        if self.asked < Self::TRIALS || self.settled * Self::WORTH >= self.asked {
            return true;
        }
        self.passed_over += 1;
        self.passed_over.is_multiple_of(Self::WORTH)
    }
}

impl Machine {
    /// Replaces the truth value of a variable by a constant if the path allows only one.
    pub(crate) fn settle(&mut self, state: &mut State, variable: Variable) {
        let Val::Term(term) = self.get(state, Operand::Variable(variable)) else { return };
        let plain = matches!(self.store.op(term), Op::Var(_)) || self.store.const_bool(term).is_some();
        let can_ask = self.config.settles && matches!(self.mode, Mode::Symbolic(_)) && state.path.verified && state.is_certain();
        if plain || !can_ask || self.store.sort(term) != Sort::Bool {
            return;
        }
        let Some(term) = self.placed_for_certain(state, term) else { return };
        let sets = state.path.constraints.sets().clone();
        if sets.is_quantified(&self.store, term) || state.path.constraints.ties_to_quantifier(&self.store, term) {
            return;
        }
        let Some(now) = state.path.model.holds(&self.store, term) else { return };
        if !self.settling.asks() && !self.config.notes_decisions {
            return;
        }
        let otherwise = if now { self.store.not(term) } else { term };
        let verdict = self.within(SETTLING_TIME, |machine| machine.query(state, otherwise));
        self.settling.asked += 1;
        if let Verdict::Unsat = verdict {
            self.settling.settled += 1;
            self.set(state, variable, Val::Bits(now.into()));
        }
    }
}
