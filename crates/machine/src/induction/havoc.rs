//! Computes what a loop changes, and the state that stands for any iteration: everything that the loop may change is
//! arbitrary, everything else is as it was on entry.
//!
//! The set of changes is found by execution. `note_changes` compares a state that has returned to the head with a
//! snapshot from an earlier arrival, and adds everything that differs. When the iterations that start in the arbitrary
//! state (which stand for all iterations) add nothing more, no iteration changes anything outside of the set; by
//! induction, this holds for every state at the head. Until then nothing may be concluded, and the run is started
//! again.
//!
//! Objects that an iteration allocates and that are unreachable at its end are removed. If a loop leaves new objects
//! behind, frees older ones, or stores both data and addresses in one location, no such set can be computed, and an
//! error says so.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::induction::shape::{Shape, Shapeless};
use crate::memory::access::write_value;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Memory, Object};
use fathom_term::{Sort, Term};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An object with more changed cells than this is changed as a whole.
const MAX_CELLS: usize = 24;
const WORD: u64 = 8;

/// A place that a loop may change.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// Of the frame that the loop is in.
    Local(u32),
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

/// What a loop may change.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Variables and cells, with what their values may be.
    pub spots: BTreeMap<Spot, Shape>,
    /// Objects whose whole contents may change, and the element of the array that stands for them.
    pub objects: BTreeMap<ObjectKey, u64>,
}

/// The parts of a state that a loop could change.
#[derive(Clone)]
pub struct Snapshot {
    locals: Rc<Vec<Val>>,
    globals: Rc<Vec<Val>>,
    memory: Memory,
    stack_objects: SmallVec<[ObjectKey; 4]>,
}

/// Where a state became arbitrary, and by which symbols: the start of a counterexample to induction.
#[derive(Clone, Debug)]
pub struct Havocked {
    /// The procedure that the loop is in.
    pub proc: u32,
    /// The block that every iteration begins with.
    pub head: u32,
    /// The symbols that stand for what the loop may change.
    pub values: Vec<(Spot, Term)>,
}

impl Machine {
    /// What the state looks like now, to be compared with later ones.
    pub fn snapshot(&self, state: &State) -> Snapshot {
        let frame = state.frame();
        Snapshot {
            locals: frame.locals.clone(),
            globals: state.globals.clone(),
            memory: state.memory.clone(),
            stack_objects: frame.stack_objects.clone(),
        }
    }

    /// The state as it was at the snapshot, but with what is known by now: the past of the paths that came this far.
    pub fn restored(&self, state: &State, base: &Snapshot) -> State {
        let mut earlier = state.clone();
        earlier.frame_mut().locals = base.locals.clone();
        earlier.globals = base.globals.clone();
        earlier.memory = base.memory.clone();
        earlier
    }

    /// Enlarges the changes by what differs from the snapshot; true if they grew.
    pub fn note_changes(&mut self, base: &Snapshot, state: &mut State, changes: &mut Changes) -> Result<bool, Shapeless> {
        let before = changes.clone();
        self.forget_new_objects(base, state)?;
        for slot in self.live_locals(&state.frames, state.frames.len() - 1) {
            let (old, new) = (base.locals[slot as usize], state.frame().locals[slot as usize]);
            self.note_value(changes, Spot::Local(slot), old, new)?;
        }
        for slot in 0..state.globals.len() {
            self.note_value(changes, Spot::Global(slot as u32), base.globals[slot], state.globals[slot])?;
        }
        let differences = base.memory.differences(&state.memory);
        if !differences.left_only.is_empty() {
            return Err("the loop frees memory that is older than it");
        }
        for key in differences.changed {
            self.note_object(base, state, key, changes)?;
        }
        Ok(before.spots != changes.spots || before.objects != changes.objects)
    }

    fn note_value(&self, changes: &mut Changes, spot: Spot, old: Val, new: Val) -> Result<(), Shapeless> {
        let known = changes.spots.get(&spot);
        if old == new && known.is_none() {
            return Ok(());
        }
        let known = match known {
            Some(known) => known.clone(),
            None => self.shape_of(new)?,
        };
        // Null on entry and a pointer later, or the other way round.
        let (first, second) = match (&known, self.shape_of(old)?) {
            (Shape::Plain, Shape::Pointers { .. }) if new == Val::Bits(0) => (self.shape_of(old)?, new),
            _ => (known, old),
        };
        let shape = self.common_shape(first, second)?;
        let shape = self.common_shape(shape, new)?;
        changes.spots.insert(spot, shape);
        Ok(())
    }

    /// Objects that are new since the snapshot and that nothing can reach.
    fn forget_new_objects(&mut self, base: &Snapshot, state: &mut State) -> Result<(), Shapeless> {
        let new = base.memory.differences(&state.memory).right_only;
        if new.is_empty() {
            return Ok(());
        }
        if self.needed_object(state, &new).is_some() || self.counts_objects() {
            return Err("the loop leaves memory behind that it allocated");
        }
        if new.iter().any(|&key| self.is_bulky(state, key)) {
            return Err("the loop loses large objects");
        }
        for &key in &new {
            state.memory.remove(key);
        }
        state.frame_mut().stack_objects.retain(|key| !new.contains(key));
        if state.frame().stack_objects != base.stack_objects {
            return Err("the objects of the stack change");
        }
        Ok(())
    }

    fn note_object(&mut self, base: &Snapshot, state: &mut State, key: ObjectKey, changes: &mut Changes) -> Result<(), Shapeless> {
        let (Some(old), Some(new)) = (base.memory.get(key).cloned(), state.memory.get(key).cloned()) else {
            return Ok(());
        };
        if new.read_only {
            return Ok(());
        }
        if old.size != new.size {
            return Err("the size of an object changes");
        }
        if changes.objects.contains_key(&key) {
            return self.without_pointers(&new);
        }
        if old.contents.base != new.contents.base {
            let (same, element) = self.same_arrays(base, state, key);
            return if same { Ok(()) } else { self.note_whole(changes, key, &old, &new, element) };
        }
        let is_array = matches!(new.contents.base, Base::Array { .. });
        for difference in old.contents.differences(&new.contents) {
            if is_array && difference.is_cached {
                continue;
            }
            self.note_cell(base, state, (key, difference.offset, difference.length), changes)?;
        }
        // Cells that may change must still have their shapes where nothing differs.
        let cells: Vec<Spot> = changes.spots.keys().copied().filter(|spot| is_in(spot, key)).collect();
        for spot in cells {
            if let Spot::Cell { offset, length, .. } = spot {
                self.note_cell(base, state, (key, offset, length), changes)?;
            }
        }
        let count = changes.spots.keys().filter(|spot| is_in(spot, key)).count();
        if count > MAX_CELLS {
            let element = match new.contents.base {
                Base::Array { element, .. } => element,
                _ => self.usual_length(changes, key),
            };
            return self.note_whole(changes, key, &old, &new, element);
        }
        Ok(())
    }

    fn note_cell(
        &mut self,
        base: &Snapshot,
        state: &mut State,
        (object, offset, length): (ObjectKey, u64, u64),
        changes: &mut Changes,
    ) -> Result<(), Shapeless> {
        let (mut start, mut end) = (offset, offset + length);
        let overlapping: Vec<Spot> = changes
            .spots
            .keys()
            .copied()
            .filter(|spot| match *spot {
                Spot::Cell { object: other, offset: at, length: size } => {
                    other == object && at < end && start < at + size && (at, size) != (offset, length)
                }
                _ => false,
            })
            .collect();
        for spot in overlapping {
            if let Spot::Cell { offset: at, length: size, .. } = spot {
                (start, end) = (start.min(at), end.max(at + size));
            }
            if changes.spots.remove(&spot) != Some(Shape::Plain) {
                return Err("pointers are written piece by piece");
            }
        }
        if end - start > WORD {
            // Two cells that overlap crosswise: byte by byte is always right.
            for at in start..end {
                self.note_cell_value(base, state, (object, at, 1), changes)?;
            }
            return Ok(());
        }
        self.note_cell_value(base, state, (object, start, end - start), changes)
    }

    fn note_cell_value(
        &mut self,
        base: &Snapshot,
        state: &mut State,
        (object, offset, length): (ObjectKey, u64, u64),
        changes: &mut Changes,
    ) -> Result<(), Shapeless> {
        let mut earlier = state.clone();
        earlier.memory = base.memory.clone();
        let old = self.read_at(&mut earlier, object, offset, length);
        let new = self.read_at(&mut state.clone(), object, offset, length);
        let spot = Spot::Cell { object, offset, length };
        // Reading gave arbitrary bytes their symbols: the same value under the same name.
        self.note_value(changes, spot, old, new)
    }

    fn note_whole(&self, changes: &mut Changes, key: ObjectKey, old: &Object, new: &Object, element: u64) -> Result<(), Shapeless> {
        self.without_pointers(old)?;
        self.without_pointers(new)?;
        changes.spots.retain(|spot, _| !is_in(spot, key));
        changes.objects.insert(key, element);
        Ok(())
    }

    fn without_pointers(&self, object: &Object) -> Result<(), Shapeless> {
        let is_address = |value: Val| match value {
            Val::Bits(_) => false,
            Val::Pointer { .. } => true,
            Val::Term(term) => self.has_address(term),
        };
        if object.contents.cells().any(|(_, cell)| is_address(cell.value)) {
            return Err("the loop writes at changing places of an object that holds pointers");
        }
        Ok(())
    }

    /// Whether an object is the same although its contents are kept in different ways, and the array's element.
    fn same_arrays(&mut self, base: &Snapshot, state: &State, key: ObjectKey) -> (bool, u64) {
        let mut earlier = state.clone();
        earlier.memory = base.memory.clone();
        let mut later = state.clone();
        let element_in = |state: &State| match state.memory.get(key).map(|object| &object.contents.base) {
            Some(Base::Array { element, .. }) => Some(*element),
            _ => None,
        };
        let element = element_in(&later).or_else(|| element_in(&earlier)).unwrap_or(1);
        let mut whole = |state: &mut State| match element_in(state) {
            Some(other) if other != element => None,
            _ => {
                self.become_array(state, key, element);
                let zero = self.store.bv(0, self.book.pointer_bits());
                Some(self.as_array(state, key, zero, element).0)
            }
        };
        let (one, two) = (whole(&mut earlier), whole(&mut later));
        (one.is_some() && one == two, element)
    }

    /// Whether the state is one of those that stand for it when all of this is made arbitrary.
    pub(crate) fn is_covered(&mut self, state: &State, changes: &Changes) -> bool {
        let has_shape = |(&spot, shape): (&Spot, &Shape)| {
            let Some(value) = self.value_at(state, spot).map(|term| self.value_of(term)) else { return false };
            self.common_shape(shape.clone(), value).as_ref() == Ok(shape)
        };
        changes.spots.iter().all(has_shape)
            && changes.objects.keys().all(|&key| state.memory.get(key).is_some_and(|object| self.without_pointers(object).is_ok()))
    }

    fn become_array(&self, state: &mut State, key: ObjectKey, element: u64) {
        let Some(object) = state.memory.get(key) else { return };
        if !matches!(object.contents.base, Base::Array { .. }) {
            let term = self.base_as_array(key, &object.contents.base.clone(), element);
            if let Some(object) = state.memory.get_mut(key) {
                object.contents.base = Base::Array { term, element };
            }
        }
    }

    fn usual_length(&self, changes: &Changes, key: ObjectKey) -> u64 {
        let mut lengths: BTreeMap<u64, u32> = BTreeMap::new();
        for spot in changes.spots.keys().filter(|spot| is_in(spot, key)) {
            if let Spot::Cell { length, .. } = spot
                && length.is_power_of_two()
            {
                *lengths.entry(*length).or_default() += 1;
            }
        }
        lengths.into_iter().max_by_key(|(_, count)| *count).map_or(1, |(length, _)| length)
    }

    /// Makes everything arbitrary that may change.
    pub fn havoc(&mut self, state: &mut State, changes: &Changes) -> Havocked {
        let code = self.code.clone();
        let (proc, head) = (state.frame().proc, state.frame().block);
        let mut values = Vec::new();
        let live = self.live_locals(&state.frames, state.frames.len() - 1);
        for (&spot, shape) in &changes.spots {
            let sort = match spot {
                Spot::Local(slot) if !live.contains(&slot) => continue,
                Spot::Local(slot) => code.procs[proc as usize].local_sorts[slot as usize],
                Spot::Global(slot) => code.global_sorts[slot as usize],
                Spot::Cell { object, .. } if state.memory.get(object).is_none() => continue,
                Spot::Cell { length, .. } => Sort::Bv(length as u32 * 8),
            };
            let value = self.any_of(state, shape, sort);
            values.push((spot, self.term_of(value, sort)));
            match spot {
                Spot::Local(slot) => Rc::make_mut(&mut state.frame_mut().locals)[slot as usize] = value,
                Spot::Global(slot) => Rc::make_mut(&mut state.globals)[slot as usize] = value,
                Spot::Cell { object, offset, length } => {
                    if let Some(target) = state.memory.get_mut(object) {
                        write_value(&self.store, &self.book, &mut target.contents, offset, length, value);
                    }
                }
            }
        }
        for (&key, &element) in &changes.objects {
            let sort = self.store.array_sort(Sort::Bv(self.book.pointer_bits()), Sort::Bv(element as u32 * 8));
            if state.memory.get(key).is_none() {
                continue;
            }
            let contents = self.arbitrary(state, sort);
            let term = self.term_of(contents, sort);
            if let Some(object) = state.memory.get_mut(key) {
                object.contents = Contents::new(Base::Array { term, element });
            }
        }
        let record = Havocked { proc, head, values };
        state.abstraction = Some(Rc::new(record.clone()));
        record
    }
}

fn is_in(spot: &Spot, key: ObjectKey) -> bool {
    matches!(spot, Spot::Cell { object, .. } if *object == key)
}
