//! Records which bytes of which objects a rerun has accessed. Memory cells become variables when they are first read:
//! bytes that were written before are terms over other variables already, and bytes that are never read need no
//! variable.

use super::{Guard, Slot, note_guard};
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_term::Sort;
use std::rc::Rc;

/// Bytes of an object: ascending ranges that don't touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    ranges: Vec<(u64, u64)>,
    /// Every byte of the object, whatever its size.
    pub all: bool,
}

impl Bytes {
    /// Adds a range.
    pub fn add(&mut self, offset: u64, length: u64) {
        if self.all || self.covers(offset, length) {
            return;
        }
        self.ranges.push((offset, offset + length));
        self.ranges.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(self.ranges.len());
        for &(start, end) in &self.ranges {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        self.ranges = merged;
    }

    /// Whether all bytes of a range are among these.
    pub fn covers(&self, offset: u64, length: u64) -> bool {
        self.all || self.ranges.iter().any(|&(start, end)| start <= offset && offset + length <= end)
    }

    /// Whether any byte of a range is among these.
    pub fn meets(&self, offset: u64, length: u64) -> bool {
        self.all || self.ranges.iter().any(|&(start, end)| start < offset + length && offset < end)
    }

    /// The ranges, as start and end; they say nothing if `all` is set.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.ranges
    }
}

impl Machine {
    /// Locals and global variables become variables.
    pub(super) fn generalise_variables(&mut self, state: &mut State) {
        for level in 0..state.frames.len() {
            let live = self.live_locals(&state.frames, level);
            let mut locals = (*state.frames[level].locals).clone();
            for slot in live {
                let place = Slot::Local { level: level as u32, slot };
                let sort = self.code.procs[state.frames[level].proc as usize].local_sorts[slot as usize];
                locals[slot as usize] = self.generalised(state, place, sort, locals[slot as usize]);
            }
            state.frames[level].locals = Rc::new(locals);
        }
        let mut globals = (*state.globals).clone();
        for (slot, value) in globals.iter_mut().enumerate() {
            let sort = self.code.global_sorts[slot];
            *value = self.generalised(state, Slot::Global(slot as u32), sort, *value);
        }
        state.globals = Rc::new(globals);
    }

    /// The variable of a slot, which now stands for this value.
    fn generalised(&mut self, state: &mut State, slot: Slot, sort: Sort, value: Val) -> Val {
        let variable = self.slot_variable(slot, sort);
        let original = self.term_of(value, sort);
        let Some(retrace) = &mut self.retrace else { return value };
        if let Some(var) = self.store.as_var(variable) {
            retrace.original.extend(var, original);
        }
        retrace.values.insert(slot, value);
        if retrace.pinned && matches!(value, Val::Bits(_) | Val::Pointer { .. }) {
            let fixed = self.book.ground(original);
            let same = self.store.eq(variable, fixed);
            note_guard(state, Guard { condition: same, must: true });
            return value;
        }
        Val::Term(variable)
    }

    /// Bytes of the start that are read for the first time become variables.
    pub(crate) fn generalise_cell(&mut self, state: &mut State, object: ObjectKey, offset: u64, length: u64) {
        let Some(retraced) = &mut state.retraced else { return };
        let touched = retraced.touched.entry(object).or_default();
        // What can't be written is the same in every state.
        touched.all |= state.memory.get(object).is_some_and(|found| found.read_only && found.contents.is_untouched());
        if length > crate::memory::contents::WORD || touched.covers(offset, length) {
            return;
        }
        if touched.meets(offset, length) {
            // Partly known: byte by byte.
            (offset..offset + length).for_each(|at| self.generalise_cell(state, object, at, 1));
            return;
        }
        touched.add(offset, length);
        retraced.objects.insert(object);
        // Reading gives arbitrary bytes their symbols, as it did in the first run.
        let value = self.read_at(state, object, offset, length);
        let sort = Sort::Bv(length as u32 * 8);
        let variable = self.generalised(state, Slot::Cell { object, offset, length }, sort, value);
        if variable != value
            && let Some(target) = state.memory.get_mut(object)
        {
            crate::memory::access::write_value(&self.store, &self.book, &mut target.contents, offset, length, variable);
        }
    }

    /// Someone is about to look at an object, or to write to it.
    pub(crate) fn looked_at(&mut self, state: &mut State, object: ObjectKey) {
        if let Some(retraced) = &mut state.retraced
            && !retraced.fresh.contains(&object)
        {
            retraced.objects.insert(object);
        }
    }

    /// Bytes were written.
    pub(crate) fn note_touched(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64) {
        let Val::Bits(offset) = offset else { return };
        if let Some(retraced) = &mut state.retraced {
            retraced.touched.entry(object).or_default().add(offset, length);
            retraced.written.entry(object).or_default().add(offset, length);
        }
    }

    /// Any byte of the object may have been written.
    pub(crate) fn note_scattered(&mut self, state: &mut State, object: ObjectKey) {
        if let Some(retraced) = &mut state.retraced {
            retraced.written.entry(object).or_default().all = true;
        }
    }

    /// The object is new, or all of it was overwritten.
    pub(crate) fn note_overwritten(&mut self, state: &mut State, object: ObjectKey, is_fresh: bool) {
        if let Some(retraced) = &mut state.retraced {
            retraced.touched.entry(object).or_default().all = true;
            retraced.written.entry(object).or_default().all = true;
            if is_fresh {
                retraced.fresh.insert(object);
            }
        }
    }

    /// All of the object is needed, where an offset is symbolic: bytes that were not read yet keep their values.
    pub(crate) fn needs_whole(&mut self, state: &mut State, object: ObjectKey) {
        let Some(retraced) = &mut state.retraced else { return };
        let touched = retraced.touched.entry(object).or_default();
        touched.all |= state.memory.get(object).is_some_and(|found| found.read_only && found.contents.is_untouched());
        if !touched.all {
            touched.all = true;
            retraced.whole.insert(object);
            retraced.objects.insert(object);
        }
    }
}
