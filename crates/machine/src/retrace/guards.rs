//! Keeps a rerun on the path of the first run. Each condition gets the truth value that it had in the first run, and
//! becomes a guard. If a condition is not the next one in the log, the rerun ends without a result, so that nothing is
//! ever concluded from a different path.

use super::{Asked, Guard};
use crate::exec::machine::{Cut, Decision, Machine, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::Val;
use crate::memory::address::LOWEST;
use fathom_term::{Op, Sort, Substitution, Term, VarId};

/// Keeps a guard, unless it was kept a moment ago.
pub(crate) fn note_guard(state: &mut State, guard: Guard) {
    if let Some(retraced) = &mut state.retraced
        && !retraced.guards.iter().rev().take(16).any(|known| *known == guard)
    {
        retraced.guards.push(guard);
    }
}

fn strayed(why: &str) -> PathEnd {
    PathEnd::Cut(Cut::Bound(format!("interpolation: {why}")))
}

impl Machine {
    /// The answer that the first run got to a question with two sides.
    pub(crate) fn retraced_decision(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        if self.store.const_bool(condition).is_some() {
            return Ok(Decision::Always(self.store.const_bool(condition) == Some(true)));
        }
        let original = self.originally(condition);
        self.fix_addresses(state, condition)?;
        let known = match self.store.const_bool(original) {
            Some(known) => known,
            None => match self.next_asked(original) {
                Some(Asked::Always(_, known)) => known,
                Some(Asked::Both(_, now)) => return Ok(Decision::Both { now, other: Some(state.path.model.clone()) }),
                _ => return Err(strayed("another question than before")),
            },
        };
        let condition = if known { condition } else { self.store.not(condition) };
        note_guard(state, Guard { condition, must: true });
        Ok(Decision::Always(known))
    }

    /// An assumption holds again, or ends the way again.
    pub(crate) fn retraced_assumption(&mut self, state: &mut State, condition: Term) -> Step<()> {
        let original = self.originally(condition);
        self.fix_addresses(state, condition)?;
        let possible = match self.store.const_bool(original) {
            Some(known) => known,
            None => match self.next_asked(original) {
                Some(Asked::Assumed { possible, .. }) => possible,
                _ => return Err(strayed("another assumption than before")),
            },
        };
        if possible {
            note_guard(state, Guard { condition, must: false });
            return Ok(());
        }
        if let (Some(retraced), Some(retrace)) = (&state.retraced, &mut self.retrace) {
            let mut end = (**retraced).clone();
            end.guards.push(Guard { condition: self.store.not(condition), must: true });
            retrace.ends.push(end);
        }
        Err(PathEnd::Discarded)
    }

    /// A property that held, or a path that did not go on.
    pub(crate) fn retraced_requirement(&mut self, state: &mut State, condition: Term) -> Step<()> {
        if self.is_target(condition) {
            return Err(PathEnd::Finished);
        }
        match self.retraced_decision(state, condition)? {
            Decision::Always(true) => Ok(()),
            _ => Err(strayed("a violation")),
        }
    }

    /// The next question of the log, if it is about this condition.
    fn next_asked(&mut self, condition: Term) -> Option<Asked> {
        let retrace = self.retrace.as_mut()?;
        let asked = *retrace.log.get(retrace.next)?;
        let (Asked::Always(about, _) | Asked::Both(about, _) | Asked::Assumed { condition: about, .. }) = asked;
        if about != condition {
            return None;
        }
        retrace.next += 1;
        Some(asked)
    }

    /// A pointer whose object was known in the first run is known again: what it rests on becomes a guard.
    pub(crate) fn retraced_pointer(&mut self, state: &mut State, pointer: Val) -> Step<Val> {
        let Val::Term(term) = pointer else { return Ok(pointer) };
        let pointer = self.retraced_value(state, pointer, Sort::Bv(self.book.pointer_bits()));
        if !matches!(pointer, Val::Term(_)) {
            return Ok(pointer);
        }
        // The offset was symbolic; variables that hold addresses are fixed, the rest stays.
        let mut fixed = Vec::new();
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            if self.store.op(part) == Op::BvAdd {
                open.extend(self.store.args(part));
            } else if let Some(var) = self.store.as_var(part)
                && let Some(value @ Val::Pointer { .. }) = self.slot_of(var).and_then(|slot| self.original_value(slot))
            {
                fixed.push((var, part, value));
            }
        }
        let sort = Sort::Bv(self.book.pointer_bits());
        let mut images = Vec::new();
        for (var, part, value) in fixed {
            let number = self.grounded(value, sort);
            note_guard(state, Guard { condition: self.store.eq(part, number), must: true });
            images.push((var, self.term_of(value, sort)));
        }
        let term = Substitution::new(images).apply(&self.store, term);
        let value = self.value_of(term);
        if self.mentions_object(value) { Ok(value) } else { Err(strayed("a pointer without an object")) }
    }

    /// A number that was known in the first run is known again.
    pub(crate) fn retraced_value(&mut self, state: &mut State, value: Val, sort: Sort) -> Val {
        let Val::Term(term) = value else { return value };
        let store = self.store.clone();
        let Some(retrace) = &mut self.retrace else { return value };
        let original = retrace.original.apply(&store, term);
        let original = self.value_of(original);
        if matches!(original, Val::Term(_)) {
            return value;
        }
        let here = self.book.ground(term);
        // Values of several variables are told apart more easily than what was computed from them.
        let vars = state.path.constraints.sets().vars(&self.store, here);
        let values: Option<Vec<(VarId, Val)>> = match vars.len() {
            0 | 1 => None,
            _ => vars.into_iter().map(|var| Some((var, self.slot_of(var).and_then(|slot| self.original_value(slot))?))).collect(),
        };
        let known = values.filter(|values| !values.iter().any(|(_, value)| matches!(value, Val::Term(_))));
        let terms = match known {
            Some(values) => values.into_iter().map(|(var, value)| (self.store.var_term(var), value, self.store.var_sort(var))).collect(),
            None => vec![(here, original, sort)],
        };
        for (term, value, sort) in terms {
            let there = self.grounded(value, sort);
            note_guard(state, Guard { condition: self.store.eq(term, there), must: true });
        }
        original
    }

    fn mentions_object(&self, value: Val) -> bool {
        match value {
            Val::Term(term) => self.has_address(term),
            _ => true,
        }
    }

    /// Pointers are told apart by number in interpolants, which have an order and bits that no layout needs to have. So a
    /// condition on addresses is kept for the addresses of this run only, unless it asks for null.
    fn fix_addresses(&mut self, state: &mut State, condition: Term) -> Step<()> {
        let store = self.store.clone();
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            let args = store.args(term);
            let is_number = |arg: &Term| store.const_bits(*arg).is_some_and(|bits| bits < LOWEST);
            match store.op(term) {
                Op::And | Op::Or | Op::Not | Op::Xor => open.extend(args),
                Op::Eq if args.iter().any(is_number) && args.iter().any(|&arg| store.as_var(arg).is_some()) => {}
                _ => {
                    for var in state.path.constraints.sets().vars(&store, term) {
                        let Some(slot) = self.slot_of(var) else { continue };
                        match self.original_value(slot) {
                            Some(value @ Val::Pointer { object, .. }) => {
                                let number = self.grounded(value, store.var_sort(var));
                                self.looked_at(state, object);
                                note_guard(state, Guard { condition: store.eq(store.var_term(var), number), must: true });
                            }
                            Some(Val::Term(value)) if self.has_address(value) => return Err(strayed("a condition on addresses")),
                            _ => {}
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
