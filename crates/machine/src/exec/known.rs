//! Values that the path condition fixes. After `if (next == 3)` the variable `next` still holds the symbol of an input,
//! although only one value is possible; values computed from it are terms, so states that are in fact equal look
//! different. Before states are compared, such values are replaced by their constants.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_term::{Substitution, Symbol, Term};
use std::rc::Rc;

impl Machine {
    /// Puts constants in place of the values of variables whose inputs the path condition fixes. The state stands for the same
    /// runs as before.
    pub fn put_known_values(&self, state: &mut State) {
        if !state.path.constraints.fixes_variables() || state.retraced.is_some() {
            return;
        }
        for level in 0..state.frames.len() {
            if let Some(locals) = self.known_among(state, &state.frames[level].locals) {
                state.frames[level].locals = Rc::new(locals);
            }
        }
        if let Some(globals) = self.known_among(state, &state.globals) {
            state.globals = Rc::new(globals);
        }
    }

    /// The same values with the known ones in place; None if none is known.
    fn known_among(&self, state: &State, values: &[Val]) -> Option<Vec<Val>> {
        let mut changed: Option<Vec<Val>> = None;
        for (at, &value) in values.iter().enumerate() {
            let Val::Term(term) = value else { continue };
            if let Some(known) = self.known(state, term) {
                changed.get_or_insert_with(|| values.to_vec())[at] = known;
            }
        }
        changed
    }

    fn known(&self, state: &State, term: Term) -> Option<Val> {
        let constraints = &state.path.constraints;
        let symbols = constraints.sets().few(&self.store, term)?;
        if symbols.is_empty() {
            return None;
        }
        let known = symbols.iter().map(|symbol| match symbol {
            Symbol::Var(var) => Some((*var, constraints.known_value(*var)?)),
            _ => None,
        });
        let known: Option<Vec<_>> = known.collect();
        let constant = Substitution::new(known?).apply(&self.store, term);
        match Val::from_term(&self.store, &self.book, constant) {
            bits @ Val::Bits(_) => Some(bits),
            _ => None,
        }
    }
}
