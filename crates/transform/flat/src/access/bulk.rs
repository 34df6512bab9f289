//! Ranges of memory: copies, fills, and ranges that become arbitrary or uninitialised as a whole.

use super::Spot;
use crate::builder::Builder;
use crate::cells::{Cell, Shape};
use crate::objects::Size;
use crate::program::ErrorKind;
use fathom_base::Loc;
use fathom_term::{Sort, Term, TermStore, Value, VarId};

/// The longest copy that is spelled out, in bytes, and the longest fill, in elements.
const MOST_COPIED: u64 = 256;
const MOST_FILLED: u64 = 4096;
/// Elements of a local array of a recursive procedure.
const MOST_RENEWED: u64 = 64;

impl Builder<'_> {
    /// Copies bytes between objects.
    pub fn copy(&mut self, target: Term, source: Term, length: Term, loc: Loc) -> Option<()> {
        let bytes = match self.store.const_bits(self.now(length)) {
            Some(0) => return Some(()),
            Some(bytes) => bytes,
            None => return self.copy_stretch(target, source, length, loc),
        };
        let from = self.resolve(source, bytes, loc)?;
        if bytes <= MOST_COPIED {
            let value = self.read(&from, bytes, loc)?;
            let to = self.resolve(target, bytes, loc)?;
            return self.write(&to, bytes, value, loc);
        }
        let to = self.resolve(target, bytes, loc)?;
        if let Some((source, target)) = self.whole_arrays(&from, &to, bytes) {
            let (value, old, condition) = (self.value(source), self.value(target), to[0].condition);
            self.assign(target, self.store.ite(condition, value, old));
            return Some(());
        }
        let element = |spot: &Spot| match &self.shapes[spot.object] {
            Shape::Array { element, .. } => *element,
            Shape::Cells(_) | Shape::Family(_) => 8,
        };
        let unit = from.iter().chain(&to).map(element).min().unwrap_or(1);
        if !bytes.is_multiple_of(unit) || bytes / unit > MOST_FILLED {
            return self.unsupported("a copy of this length", loc);
        }
        // Everything is read before anything is written: the two may overlap.
        let shifted = |spots: &[Spot], at: u64, store: &TermStore, by: Term| -> Vec<Spot> {
            spots.iter().map(|spot| if at == 0 { *spot } else { Spot { offset: store.bv_add(spot.offset, by), ..*spot } }).collect()
        };
        let mut values = Vec::new();
        for at in (0..bytes).step_by(unit as usize) {
            let spots = shifted(&from, at, self.store, self.pointer_constant(at));
            values.push((at, self.read(&spots, unit, loc)?));
        }
        for (at, value) in values {
            let spots = shifted(&to, at, self.store, self.pointer_constant(at));
            self.write(&spots, unit, value, loc)?;
        }
        Some(())
    }

    /// The variables of two arrays one of which becomes the other.
    fn whole_arrays(&self, from: &[Spot], to: &[Spot], bytes: u64) -> Option<(VarId, VarId)> {
        let array = |spots: &[Spot]| match spots {
            [spot] if self.store.const_bits(spot.offset) == Some(0) && self.objects.all[spot.object].stride.is_none() => {
                match self.shapes[spot.object] {
                    Shape::Array { element, var } if self.objects.all[spot.object].size == Size::Constant(bytes) => Some((element, var)),
                    _ => None,
                }
            }
            _ => None,
        };
        let ((one, source), (two, target)) = (array(from)?, array(to)?);
        (one == two).then_some((source, target))
    }

    /// Fills with one byte, or with arbitrary ones.
    pub fn fill(&mut self, pointer: Term, byte: Option<Term>, length: Term, loc: Loc) -> Option<()> {
        let bytes = match self.store.const_bits(self.now(length)) {
            Some(0) => return Some(()),
            Some(bytes) => bytes,
            None => return self.fill_stretch(pointer, byte, length, loc),
        };
        let spots = self.resolve(pointer, bytes, loc)?;
        let mut before = self.store.bool(true);
        for spot in spots {
            let here = self.store.and(before, spot.condition);
            before = self.store.and(before, self.store.not(spot.condition));
            match self.shapes[spot.object].clone() {
                Shape::Cells(cells) | Shape::Family(cells) => self.fill_cells(&spot, here, &cells, byte, bytes, loc)?,
                Shape::Array { element, var } => self.fill_array(&spot, here, (element, var), byte, bytes, loc)?,
            }
        }
        Some(())
    }

    fn fill_cells(&mut self, spot: &Spot, condition: Term, cells: &[Cell], byte: Option<Term>, bytes: u64, loc: Loc) -> Option<()> {
        let Some(start) = self.store.const_bits(spot.offset) else { return self.unsupported("a fill at a symbolic offset", loc) };
        let cut = |start: u64| cells.iter().any(|cell| cell.start < start && start < cell.start + cell.bytes);
        if cut(start) || cut(start + bytes) {
            return self.shapeless(spot, loc);
        }
        for cell in cells.iter().filter(|cell| cell.start >= start && cell.start + cell.bytes <= start + bytes) {
            let (old, value) = (self.cell(cell.var, spot.member), self.repeated(byte, cell.bytes));
            self.assign_cell(cell.var, spot.member, self.store.ite(condition, value, old));
        }
        Some(())
    }

    fn fill_array(
        &mut self,
        spot: &Spot,
        condition: Term,
        (element, var): (u64, VarId),
        byte: Option<Term>,
        bytes: u64,
        loc: Loc,
    ) -> Option<()> {
        let store = self.store;
        let object = &self.objects.all[spot.object];
        let whole = store.const_bits(spot.offset) == Some(0) && object.size == Size::Constant(bytes) && object.stride.is_none();
        let old = self.value(var);
        let mut new = old;
        if whole {
            new = match byte {
                Some(_) => store.const_array(store.var_sort(var), self.repeated(byte, element)),
                None => self.input(store.var_sort(var)),
            };
        } else {
            if bytes / element > MOST_FILLED {
                return self.unsupported("a fill of this length", loc);
            }
            if !self.aligned(spot, element, bytes, loc) {
                return None;
            }
            for at in (0..bytes).step_by(element as usize) {
                let value = self.repeated(byte, element);
                new = store.store(new, store.bv_add(spot.offset, self.pointer_constant(at)), value);
            }
        }
        self.assign(var, store.ite(condition, new, old));
        Some(())
    }

    /// A byte so many times, or an input if the byte is arbitrary.
    pub fn repeated(&mut self, byte: Option<Term>, bytes: u64) -> Term {
        let Some(byte) = byte else { return self.input(Sort::Bv(bytes as u32 * 8)) };
        (1..bytes).fold(byte, |all, _| self.store.concat(all, byte))
    }

    /// Where the condition holds, an object of a family has contents of its own, whatever was at its place before.
    pub fn renew(&mut self, family: usize, condition: Term, (address, distance): (Term, Term), zeroed: bool, loc: Loc) -> Option<()> {
        let store = self.store;
        match self.shapes[family].clone() {
            Shape::Cells(cells) | Shape::Family(cells) => {
                for cell in cells {
                    let sort = Sort::Bv(cell.bytes as u32 * 8);
                    let value = if zeroed { store.constant(&Value::zero(sort, store), sort) } else { self.input(sort) };
                    let old = self.value(cell.var);
                    self.assign(cell.var, store.ite(condition, store.store(old, address, value), old));
                }
            }
            Shape::Array { element, .. } if self.objects.room_of(family) > MOST_RENEWED * element => {
                let what = "an array of this length that a recursive procedure or a loop allocates".to_string();
                return self.leave(condition, ErrorKind::Unsupported(what), loc).then_some(());
            }
            Shape::Array { element, var } => {
                let old = self.value(var);
                let mut array = old;
                let sort = Sort::Bv(element as u32 * 8);
                for at in (0..self.objects.room_of(family)).step_by(element as usize) {
                    let value = if zeroed { store.constant(&Value::zero(sort, store), sort) } else { self.input(sort) };
                    array = store.store(array, store.bv_add(distance, self.pointer_constant(at)), value);
                }
                self.assign(var, store.ite(condition, array, old));
            }
        }
        Some(())
    }

    /// The object's contents become arbitrary where the condition holds.
    pub fn forget(&mut self, object: usize, condition: Term) {
        let vars: Vec<_> = match &self.shapes[object] {
            Shape::Cells(cells) | Shape::Family(cells) => cells.iter().map(|cell| cell.var).collect(),
            Shape::Array { var, .. } => vec![*var],
        };
        for var in vars {
            let new = self.input(self.store.var_sort(var));
            let old = self.value(var);
            self.assign(var, self.store.ite(condition, new, old));
        }
    }

    /// Code that is not in the program may have written to what the pointer leads to.
    pub fn forget_through(&mut self, written: Term) {
        let store = self.store;
        let pointer = self.now(written);
        let objects: Vec<usize> = self.targets(written, pointer).targets.keys().copied().collect();
        for object in objects {
            let stride = self.objects.all[object].stride;
            let room = stride.map_or_else(|| self.objects.room_of(object), |stride| self.objects.family_room(stride));
            let offset = store.bv_sub(pointer, self.objects.address(store, object));
            let inside = store.bv_ule(offset, self.pointer_constant(room));
            if store.const_bool(inside) != Some(false) {
                self.forget(object, inside);
            }
        }
    }
}
