//! Follows a known run symbolically, like seeds in KLEE. At a branch, a state stays on the side that its model takes,
//! so with the run's inputs as its model it follows the run's path, while the other sides fork off as usual. Nothing
//! else changes: inputs stay symbolic, and the exploration covers the same paths.

use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_ir::InputKind;
use fathom_term::{Evaluator, Sort, Value};
use num_bigint::BigUint;
use std::rc::Rc;
use std::sync::Arc;

/// The inputs of a run in the order in which it asks: which function asks (any, if empty), and the value, lowest byte first.
pub type SeedInputs = Arc<[(String, Vec<u8>)]>;

/// The part of a known run that a state has yet to follow.
#[derive(Clone, Debug)]
pub struct Seed {
    inputs: SeedInputs,
    next: usize,
}

impl State {
    /// Has the state follow a known run from here on.
    pub fn follow(&mut self, inputs: SeedInputs) {
        self.search.seed = Some(Seed { inputs, next: 0 });
    }

    /// Whether the state still follows the inputs that it was seeded with.
    pub fn follows_seed(&self) -> bool {
        self.search.seed.is_some()
    }
}

impl Machine {
    /// The program asked for an input, which became these symbols: in the state's model they get the run's value.
    pub(crate) fn seed_input(&mut self, state: &mut State, kind: &InputKind, symbols: &[(Val, Sort)]) {
        if state.search.seed.is_none() || kind.source.is_empty() || !matches!(self.mode, Mode::Symbolic(_)) {
            return;
        }
        let Some(Seed { inputs, next }) = &mut state.search.seed else { return };
        let Some((source, bytes)) = inputs.get(*next) else { return };
        if !source.is_empty() && *source != kind.source {
            return;
        }
        let mut model = state.path.model.model().clone();
        let mut rest = bytes.as_slice();
        for &(value, sort) in symbols {
            let (Val::Term(term), Some(width)) = (value, sort.bits()) else { continue };
            let (own, behind) = rest.split_at(rest.len().min(width.div_ceil(8) as usize));
            rest = behind;
            if let Some(var) = self.store.as_var(term) {
                let whole = BigUint::from_bytes_le(own);
                let bits = whole % (BigUint::from(1u8) << width);
                model.values.insert(var, Value::bits(bits, width));
            }
        }
        *next += 1;
        state.path.model = Rc::new(Evaluator::new(model));
    }
}
