//! Completely arbitrary states: they have the call stack and the objects of another state, but arbitrary values
//! everywhere. A property of such a state holds for every state of that shape (`fathom-interpolants` uses this to prove
//! interpolants again).

use crate::exec::config::MachineConfig;
use crate::exec::machine::{Machine, Mode, PathEnd};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::access::write_value;
use crate::memory::address::AddressBook;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::Object;
use crate::memory::placement::Layouts;
use crate::retrace::{Bytes, Slot, Slots};
use fathom_base::Budget;
use fathom_ir::{Program, Property};
use fathom_term::Term;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What keys of objects and variables of slots stand for in a run.
#[derive(Clone)]
pub struct Naming {
    book: AddressBook,
    slots: Slots,
}

impl Machine {
    /// The names that other machines need to understand this one's terms.
    pub fn naming(&self) -> Naming {
        Naming { book: self.book.clone(), slots: self.analyses.slots.clone() }
    }

    /// With the names of another run of the same program.
    pub fn with_naming(
        program: Rc<Program>,
        checks: BTreeSet<Property>,
        mode: Mode,
        budget: Budget,
        config: MachineConfig,
        naming: &Naming,
    ) -> Machine {
        // Values are told apart by number here.
        let config = MachineConfig { layouts: Layouts::Given, ..config };
        let mut machine = Machine::with_book(program, checks, mode, budget, config, naming.book.clone());
        machine.analyses.slots = naming.slots.clone();
        machine
    }

    /// A state at the same place with the same objects. Of its values nothing is known but what `root`, the program's first
    /// state, says of constants.
    pub fn arbitrary_like(&mut self, like: &State, root: &State) -> State {
        let mut state = like.clone();
        state.path.constraints = root.path.constraints.clone();
        state.path.model = root.path.model.clone();
        state.path.laws = Rc::default();
        state.path.fixed = Rc::default();
        state.path.mentioned = Rc::default();
        for level in 0..state.frames.len() {
            let proc = state.frames[level].proc as usize;
            let sorts = self.code.clone();
            let fresh = sorts.procs[proc].local_sorts.iter().enumerate();
            let locals =
                fresh.map(|(slot, &sort)| Val::Term(self.slot_variable(Slot::Local { level: level as u32, slot: slot as u32 }, sort)));
            state.frames[level].locals = Rc::new(locals.collect());
        }
        let code = self.code.clone();
        let globals = code.global_sorts.iter().enumerate();
        state.globals = Rc::new(globals.map(|(slot, &sort)| Val::Term(self.slot_variable(Slot::Global(slot as u32), sort))).collect());
        let written: Vec<ObjectKey> =
            state.memory.sorted().into_iter().filter(|(_, object)| !object.read_only).map(|(key, _)| key).collect();
        for key in written {
            if let Some(object) = state.memory.get_mut(key) {
                object.contents = Contents::new(Base::Uninitialised);
            }
        }
        state
    }

    /// Gives an object the contents of another, except at some bytes.
    pub fn restore_contents(&mut self, state: &mut State, key: ObjectKey, like: &Object, except: &Bytes) {
        let Some(object) = state.memory.get_mut(key) else { return };
        object.contents = like.contents.clone();
        let Val::Bits(size) = like.size else { return };
        let ranges: Vec<(u64, u64)> = if except.all { vec![(0, size)] } else { except.ranges().to_vec() };
        for (offset, length) in ranges.into_iter().flat_map(|(start, end)| (start..end).map(|at| (at, 1))) {
            let variable = self.slot_variable(Slot::Cell { object: key, offset, length }, fathom_term::Sort::Bv(8));
            self.set_slot(state, Slot::Cell { object: key, offset, length }, Val::Term(variable));
        }
    }

    /// Changes the value of a slot; the slot must exist in the state.
    pub fn set_slot(&mut self, state: &mut State, slot: Slot, value: Val) {
        match slot {
            Slot::Local { level, slot } => {
                if let Some(frame) = state.frames.get_mut(level as usize) {
                    Rc::make_mut(&mut frame.locals)[slot as usize] = value;
                }
            }
            Slot::Global(slot) => Rc::make_mut(&mut state.globals)[slot as usize] = value,
            Slot::Cell { object, offset, length } => {
                if let Some(target) = state.memory.get_mut(object) {
                    write_value(&self.store, &self.book, &mut target.contents, offset, length, value);
                }
            }
        }
    }

    /// Restricts the state to a condition over its inputs.
    pub fn suppose(&mut self, state: &mut State, condition: Term) -> Result<(), PathEnd> {
        self.assume(state, condition)
    }
}
