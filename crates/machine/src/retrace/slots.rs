//! Slots: the places of a state that variables stand for, with their names, sorts and values. A local is named by the height of
//! its frame, so that the same variable means the same place in every state with the same call stack.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::FxMap;
use fathom_term::{Sort, Term, VarId};

/// A place of a state that a variable can stand for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Of the frame at this height of the call stack, counted from its bottom.
    Local {
        /// The height of the frame.
        level: u32,
        /// The number of the local variable in its procedure.
        slot: u32,
    },
    /// A global variable, by its number.
    Global(u32),
    /// Bytes of an object.
    Cell {
        /// The object.
        object: ObjectKey,
        /// Where they begin, in bytes.
        offset: u64,
        /// How many bytes.
        length: u64,
    },
}

/// Slots by their variables.
pub(crate) type Slots = FxMap<VarId, Slot>;

impl Machine {
    /// The slot that a variable stands for; None for inputs.
    pub fn slot_of(&self, var: VarId) -> Option<Slot> {
        self.analyses.slots.get(&var).copied()
    }

    /// The variable that stands for a slot.
    pub fn slot_variable(&mut self, slot: Slot, sort: Sort) -> Term {
        let tag = crate::exec::compute::sort_tag(&self.store, sort);
        let name = match slot {
            Slot::Local { level, slot } => format!("slot!l{level}.{slot}.{tag}"),
            Slot::Global(slot) => format!("slot!g{slot}.{tag}"),
            Slot::Cell { object, offset, length } => format!("slot!c{}.{offset}.{length}", object.0),
        };
        let term = self.store.var(&name, sort);
        if let Some(var) = self.store.as_var(term) {
            self.analyses.slots.insert(var, slot);
        }
        term
    }

    /// The sort of what a slot holds.
    pub fn slot_sort(&self, state: &State, slot: Slot) -> Option<Sort> {
        match slot {
            Slot::Local { level, slot } => {
                let frame = state.frames.get(level as usize)?;
                self.code.procs[frame.proc as usize].local_sorts.get(slot as usize).copied()
            }
            Slot::Global(slot) => self.code.global_sorts.get(slot as usize).copied(),
            Slot::Cell { length, .. } => Some(Sort::Bv(length as u32 * 8)),
        }
    }

    /// What a slot holds in a state, an ordinary one or one that is being run again.
    pub fn slot_value(&mut self, state: &mut State, slot: Slot) -> Option<Val> {
        match slot {
            Slot::Local { level, slot } => state.frames.get(level as usize)?.locals.get(slot as usize).copied(),
            Slot::Global(slot) => state.globals.get(slot as usize).copied(),
            Slot::Cell { object, offset, length } => {
                let found = state.memory.get(object)?;
                match found.size {
                    Val::Bits(size) if offset + length <= size => {}
                    _ => return None,
                }
                Some(self.read_at(state, object, offset, length))
            }
        }
    }

    /// A value as a term over inputs, with addresses as numbers.
    pub fn grounded(&mut self, value: Val, sort: Sort) -> Term {
        let term = self.term_of(value, sort);
        self.book.ground(term)
    }

    /// Whether a value is an address, or computed from one in a way that has lost its object.
    pub fn mentions_address(&self, value: Val) -> bool {
        match value {
            Val::Bits(_) => false,
            Val::Pointer { object, offset } => {
                let address = self.book.base(object).wrapping_add(offset as u64);
                offset < 0 || self.book.object_at(address) != Some(object)
            }
            Val::Term(term) => self.has_address(term),
        }
    }
}
