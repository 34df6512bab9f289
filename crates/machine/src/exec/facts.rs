//! Conditions over program variables and named memory cells that an engine checks or assumes in a state.

use crate::exec::machine::{Machine, PathEnd};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::induction::havoc::Spot;
use fathom_base::FxSet;
use fathom_ir::{Invariant, MemoryCell};
use fathom_smt::{Validity, Verdict};
use fathom_term::{Sort, Substitution, Symbol, Term, VarId, VarSets};

impl Machine {
    /// What a condition over the variables of the top frame's procedure, the globals, named cells and further symbols says
    /// in a state. None if a cell can't be read for certain.
    pub fn condition_in(&mut self, state: &State, invariant: &Invariant, further: &[(VarId, Term)]) -> Option<Term> {
        let mut images = self.images(state);
        images.extend_from_slice(further);
        let mut values = Substitution::new(images.clone());
        for MemoryCell { var, pointer, bytes, index } in &invariant.cells {
            let pointer = values.apply(&self.store, *pointer);
            let (object, offset) = match self.value_of(pointer) {
                Val::Pointer { object, offset } => (object, u64::try_from(offset).ok()?),
                _ => return None,
            };
            if let Some(index) = index {
                let index = values.apply(&self.store, *index);
                let element = self.element_at(state, object, (offset, index), *bytes)?;
                images.push((*var, element));
                continue;
            }
            let Val::Bits(size) = state.memory.get(object)?.size else { return None };
            if offset.checked_add(*bytes)? > size {
                return None;
            }
            let value = self.read_at(&mut state.clone(), object, offset, *bytes);
            images.push((*var, self.term_of(value, Sort::Bv(*bytes as u32 * 8))));
        }
        let mut known: FxSet<VarId> = images.iter().map(|(var, _)| *var).collect();
        known.extend(self.store.as_var(self.any_index()));
        let mentioned = VarSets::default().of(&self.store, invariant.condition);
        if mentioned.iter().any(|symbol| !matches!(symbol, Symbol::Var(var) if known.contains(var))) {
            return None;
        }
        let condition = Substitution::new(images).apply(&self.store, invariant.condition);
        self.placed_for_certain(state, condition)
    }

    /// Where a term over the same variables points to in a state, if that is a known place.
    pub fn place_in(&mut self, state: &State, pointer: Term, further: &[(VarId, Term)]) -> Option<(ObjectKey, u64)> {
        let mut images = self.images(state);
        images.retain(|(var, _)| further.iter().all(|(other, _)| other != var));
        images.extend_from_slice(further);
        let pointer = Substitution::new(images).apply(&self.store, pointer);
        match self.value_of(pointer) {
            Val::Pointer { object, offset } => Some((object, u64::try_from(offset).ok()?)),
            _ => None,
        }
    }

    /// Variables of a term that have no constant value, and point nowhere, in a state.
    pub fn unknown_in(&mut self, state: &State, term: Term) -> Vec<VarId> {
        let images = self.images(state);
        let mentioned = VarSets::default().of(&self.store, term);
        let is_known = |var: VarId| {
            let image = images.iter().find(|(known, _)| *known == var).map(|(_, image)| *image);
            image.is_some_and(|image| !matches!(self.value_of(image), Val::Term(_)))
        };
        let vars = mentioned.iter().filter_map(|symbol| match symbol {
            Symbol::Var(var) => Some(*var),
            _ => None,
        });
        vars.filter(|&var| !is_known(var)).collect()
    }

    /// What the variables stand for in a state.
    fn images(&mut self, state: &State) -> Vec<(VarId, Term)> {
        let program = self.program.clone();
        let frame = state.frame();
        let locals = &program.procedures[frame.proc as usize].locals;
        let is_value = |value: Val, sort: Sort| !matches!(value, Val::Bits(_)) || sort.is_small();
        let mut images: Vec<(VarId, Term)> = Vec::new();
        // Dead locals have no value that means anything.
        for slot in self.live_locals(&state.frames, state.frames.len() - 1) {
            let (variable, value) = (&locals[slot as usize], frame.locals[slot as usize]);
            if is_value(value, variable.sort) {
                images.push((variable.id, self.term_of(value, variable.sort)));
            }
        }
        for (variable, &value) in program.globals.iter().zip(state.globals.iter()) {
            if is_value(value, variable.sort) {
                images.push((variable.id, self.term_of(value, variable.sort)));
            }
        }
        images.extend(self.global_addresses());
        images
    }

    /// Locals of the top frame that matter where the state stands.
    pub fn live_slots(&mut self, state: &State) -> Vec<u32> {
        self.live_locals(&state.frames, state.frames.len() - 1)
    }

    /// Whether a grounded condition holds in every case of the state.
    pub fn holds_in(&mut self, state: &State, condition: Term) -> Validity {
        match self.query(state, self.store.not(condition)) {
            Verdict::Sat(model) => Validity::Fails(model),
            Verdict::Unsat => Validity::Holds,
            Verdict::Unknown(why) => Validity::Unknown(why),
        }
    }

    /// Restricts the state to a grounded condition; false if nothing is left of it.
    pub fn restrict(&mut self, state: &mut State, condition: Term) -> Result<bool, PathEnd> {
        match self.assume(state, condition) {
            Ok(()) => Ok(true),
            Err(PathEnd::Discarded) => Ok(false),
            Err(end) => Err(end),
        }
    }

    /// What the state has at a place that loops change; None if there is no such place in it.
    pub fn value_at(&mut self, state: &State, spot: Spot) -> Option<Term> {
        match spot {
            Spot::Local(slot) => {
                let sort = *self.code.procs[state.frame().proc as usize].local_sorts.get(slot as usize)?;
                let value = *state.frame().locals.get(slot as usize)?;
                (sort.is_small() || !matches!(value, Val::Bits(_))).then(|| self.term_of(value, sort))
            }
            Spot::Global(slot) => {
                let sort = *self.code.global_sorts.get(slot as usize)?;
                let value = *state.globals.get(slot as usize)?;
                (sort.is_small() || !matches!(value, Val::Bits(_))).then(|| self.term_of(value, sort))
            }
            Spot::Cell { object, offset, length } => {
                state.memory.get(object)?;
                let value = self.read_at(&mut state.clone(), object, offset, length);
                Some(self.term_of(value, Sort::Bv(length as u32 * 8)))
            }
        }
    }
}
