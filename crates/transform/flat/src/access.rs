//! Accesses to memory as expressions over the variables that represent it. A pointer points to one of the locations
//! that the points-to analysis allows; comparisons of addresses decide which one, and if it is none of them, an exit
//! leads to an error location. (The paper's alias constraint, taken from a test's pointers, selects one of these cases;
//! here all are kept, which makes the precondition exact.)

mod bulk;

use crate::builder::Builder;
use crate::cells::Shape;
use crate::objects::Size;
use crate::program::ErrorKind;
use crate::values::Values;
use fathom_base::Loc;
use fathom_ir::Property;
use fathom_term::{Term, VarId};

/// Places that one access may lead to; more are given up.
const MOST_PLACES: usize = 12;

/// One place that a pointer may lead to.
#[derive(Copy, Clone)]
pub(crate) struct Spot {
    /// When it leads there.
    pub condition: Term,
    pub object: usize,
    pub offset: Term,
    /// The address of the object, if it is one of a family.
    member: Option<Term>,
}

impl Builder<'_> {
    /// A number as wide as a pointer.
    pub fn pointer_constant(&self, bits: u64) -> Term {
        self.store.bv(bits, self.objects.pointer_bits)
    }

    /// What a pointer of a statement may lead to. The analysis of the statement's own term and of its value at the start
    /// of the block are both right; the one that says more counts.
    fn targets(&self, written: Term, pointer: Term) -> Values {
        let mut analysis = self.points_to.borrow_mut();
        let (one, two) = (analysis.of(written), analysis.of(pointer));
        let mut values = match (one.other, two.other) {
            // Both name targets that are possible; what is not named leaves the block.
            (true, true) => {
                let mut both = one.clone();
                both.join(&two);
                both
            }
            _ if two.vagueness() < one.vagueness() => two.clone(),
            _ => one.clone(),
        };
        // Where the statement's own term says offsets, cells were made for these; its value at the start of the block may be a
        // sum of numbers that says less. What is not named leaves the block.
        let has_cells = |object: &usize| !matches!(self.shapes[*object], Shape::Array { .. });
        for (object, offsets) in values.targets.iter_mut().filter(|(object, offsets)| offsets.is_none() && has_cells(object)) {
            *offsets = [&one, &two].into_iter().find_map(|values| values.targets.get(object)?.clone());
        }
        if one.other && two.other {
            values.targets.retain(|object, offsets| offsets.is_some() || !has_cells(object));
        }
        values
    }

    /// Where a pointer (as the statement has it) may lead for an access of so many bytes. What leads nowhere leaves the
    /// block; None if nothing is left.
    pub fn resolve(&mut self, written: Term, bytes: u64, loc: Loc) -> Option<Vec<Spot>> {
        let store = self.store;
        let pointer = self.now(written);
        if let Some((object, offset)) = store.const_bits(pointer).and_then(|address| self.objects.at(address, bytes)) {
            let condition = store.bool(true);
            return Some(vec![Spot { condition, object, offset: self.pointer_constant(offset), member: None }]);
        }
        let values = self.targets(written, pointer);
        let mut spots: Vec<Spot> = Vec::new();
        let mut certain = !values.null && !values.other;
        let targets: Vec<(usize, Vec<i64>, bool)> = values
            .targets
            .iter()
            .map(|(&object, offsets)| (object, offsets.iter().flatten().copied().collect(), offsets.is_none()))
            .collect();
        for (object, offsets, any) in targets {
            let base = self.objects.address(store, object);
            if self.objects.all[object].stride.is_some() {
                if let Shape::Array { .. } = self.shapes[object] {
                    spots.extend(self.within_family(pointer, object, bytes));
                    certain = false;
                    continue;
                }
                if any {
                    return self.unsupported("an access at an unknown offset to one of many objects", loc);
                }
                let found = offsets.into_iter().filter_map(|offset| self.member(pointer, object, offset, bytes));
                spots.extend(found.collect::<Vec<_>>());
                certain = false;
                continue;
            }
            match self.objects.all[object].size {
                Size::Constant(size) if any => {
                    let offset = store.bv_sub(pointer, base);
                    let Some(last) = size.checked_sub(bytes) else { continue };
                    spots.push(Spot { condition: store.bv_ule(offset, self.pointer_constant(last)), object, offset, member: None });
                    certain = false;
                }
                Size::Constant(size) => {
                    for offset in offsets {
                        let fits = u64::try_from(offset).is_ok_and(|offset| offset.saturating_add(bytes) <= size);
                        certain &= fits;
                        if fits {
                            let offset = self.pointer_constant(offset as u64);
                            spots.push(Spot { condition: store.eq(pointer, store.bv_add(base, offset)), object, offset, member: None });
                        }
                    }
                }
                Size::Variable(var) => {
                    let offset = store.bv_sub(pointer, base);
                    let (size, bytes) = (self.value(var), self.pointer_constant(bytes));
                    let last = store.bv_sub(size, bytes);
                    let fits = store.and(store.bv_ule(bytes, size), store.bv_ule(offset, last));
                    spots.push(Spot { condition: fits, object, offset, member: None });
                    certain = false;
                }
            }
        }
        if spots.len() > MOST_PLACES {
            let what = format!("an access to one of {} places", spots.len());
            return self.leave(store.bool(true), ErrorKind::Unsupported(what), loc).then(Vec::new);
        }
        if certain && let Some(last) = spots.last_mut() {
            last.condition = store.bool(true);
        } else {
            let somewhere = store.or_all(spots.iter().map(|spot| spot.condition));
            let what = if values.other {
                "an access through a pointer that may lead to no object of the program"
            } else {
                "an access outside of objects"
            };
            if !self.leave(store.not(somewhere), ErrorKind::Undefined { property: Property::ValidDeref, what: what.to_string() }, loc) {
                return None;
            }
        }
        spots.retain(|spot| store.const_bool(spot.condition) != Some(false));
        (!spots.is_empty()).then_some(spots)
    }

    /// The object of a family that has these bytes at this offset, if the pointer leads to one that was made.
    fn member(&self, pointer: Term, family: usize, offset: i64, bytes: u64) -> Option<Spot> {
        let store = self.store;
        let object = &self.objects.all[family];
        let (Size::Constant(size), Some(stride), Some(top)) = (object.size, object.stride, self.top(family)) else { return None };
        let offset = u64::try_from(offset).ok().filter(|offset| offset.saturating_add(bytes) <= size)?;
        let member = store.bv_sub(pointer, self.pointer_constant(offset));
        let distance = store.bv_sub(member, self.objects.address(store, family));
        let low = stride.trailing_zeros();
        let starts = store.eq(store.extract(distance, low - 1, 0), store.bv(0, low));
        let condition = store.and(store.bv_ult(distance, self.value(top)), starts);
        Some(Spot { condition, object: family, offset: self.pointer_constant(offset), member: Some(member) })
    }

    /// A place somewhere in an object of a family whose objects are one array.
    fn within_family(&self, pointer: Term, family: usize, bytes: u64) -> Option<Spot> {
        let store = self.store;
        let object = &self.objects.all[family];
        let (Size::Constant(size), Some(stride), Some(top)) = (object.size, object.stride, self.top(family)) else { return None };
        let last = size.checked_sub(bytes)?;
        let distance = store.bv_sub(pointer, self.objects.address(store, family));
        let low = stride.trailing_zeros();
        let fits = store.bv_ule(store.extract(distance, low - 1, 0), store.bv(last, low));
        let condition = store.and(store.bv_ult(distance, self.value(top)), fits);
        Some(Spot { condition, object: family, offset: distance, member: None })
    }

    /// The variable that has the size of all objects of a family together.
    pub fn top(&self, family: usize) -> Option<VarId> {
        self.objects.top(self.store, family)
    }

    /// Little-endian bytes at one of these places.
    pub fn read(&mut self, spots: &[Spot], bytes: u64, loc: Loc) -> Option<Term> {
        let (last, others) = spots.split_last()?;
        let mut value = self.read_at(last, bytes, loc)?;
        for spot in others.iter().rev() {
            let here = self.read_at(spot, bytes, loc)?;
            value = self.store.ite(spot.condition, here, value);
        }
        Some(value)
    }

    /// The first place whose condition holds is written.
    pub fn write(&mut self, spots: &[Spot], bytes: u64, value: Term, loc: Loc) -> Option<()> {
        let mut before = self.store.bool(true);
        for spot in spots {
            let here = self.store.and(before, spot.condition);
            before = self.store.and(before, self.store.not(spot.condition));
            self.write_at(spot, here, bytes, value, loc)?;
        }
        Some(())
    }

    fn read_at(&mut self, spot: &Spot, bytes: u64, loc: Loc) -> Option<Term> {
        let store = self.store;
        if bytes == 0 {
            return self.shapeless(spot, loc);
        }
        match self.shapes[spot.object].clone() {
            Shape::Cells(cells) | Shape::Family(cells) => {
                let Some(start) = store.const_bits(spot.offset) else { return self.shapeless(spot, loc) };
                let mut whole: Option<Term> = None;
                let mut at = start;
                while at < start + bytes {
                    let Some(cell) = cells.iter().find(|cell| cell.start <= at && at < cell.start + cell.bytes) else {
                        return self.shapeless(spot, loc);
                    };
                    let end = (cell.start + cell.bytes).min(start + bytes);
                    let value = self.cell(cell.var, spot.member);
                    let part = store.extract(value, (end - cell.start) as u32 * 8 - 1, (at - cell.start) as u32 * 8);
                    whole = Some(whole.map_or(part, |low| store.concat(part, low)));
                    at = end;
                }
                whole
            }
            Shape::Array { element, var } => {
                if !self.aligned(spot, element, bytes, loc) {
                    return None;
                }
                let array = self.value(var);
                let mut whole: Option<Term> = None;
                for at in (0..bytes).step_by(element as usize) {
                    let part = store.select(array, store.bv_add(spot.offset, self.pointer_constant(at)));
                    whole = Some(whole.map_or(part, |low| store.concat(part, low)));
                }
                whole
            }
        }
    }

    fn write_at(&mut self, spot: &Spot, condition: Term, bytes: u64, value: Term, loc: Loc) -> Option<()> {
        let store = self.store;
        match self.shapes[spot.object].clone() {
            Shape::Cells(cells) | Shape::Family(cells) => {
                let Some(start) = store.const_bits(spot.offset) else { return self.shapeless(spot, loc) };
                let Some(last) = bytes.checked_sub(1) else { return self.shapeless(spot, loc) };
                let covers = |at: u64| cells.iter().any(|cell| cell.start <= at && at < cell.start + cell.bytes);
                if !covers(start) || !covers(start + last) {
                    return self.shapeless(spot, loc);
                }
                for cell in cells.iter().filter(|cell| cell.start < start + bytes && start < cell.start + cell.bytes) {
                    let (from, to) = (cell.start.max(start), (cell.start + cell.bytes).min(start + bytes));
                    let old = self.cell(cell.var, spot.member);
                    let mut new = store.extract(value, (to - start) as u32 * 8 - 1, (from - start) as u32 * 8);
                    if from > cell.start {
                        new = store.concat(new, store.extract(old, (from - cell.start) as u32 * 8 - 1, 0));
                    }
                    if to < cell.start + cell.bytes {
                        new = store.concat(store.extract(old, cell.bytes as u32 * 8 - 1, (to - cell.start) as u32 * 8), new);
                    }
                    self.assign_cell(cell.var, spot.member, store.ite(condition, new, old));
                }
                Some(())
            }
            Shape::Array { element, var } => {
                if !self.aligned(spot, element, bytes, loc) {
                    return None;
                }
                let old = self.value(var);
                let mut new = old;
                for at in (0..bytes).step_by(element as usize) {
                    let part = store.extract(value, (at + element) as u32 * 8 - 1, at as u32 * 8);
                    new = store.store(new, store.bv_add(spot.offset, self.pointer_constant(at)), part);
                }
                self.assign(var, store.ite(condition, new, old));
                Some(())
            }
        }
    }

    fn cell(&self, var: VarId, member: Option<Term>) -> Term {
        let value = self.value(var);
        member.map_or(value, |member| self.store.select(value, member))
    }

    fn assign_cell(&mut self, var: VarId, member: Option<Term>, value: Term) {
        let new = member.map_or(value, |member| self.store.store(self.value(var), member, value));
        self.assign(var, new);
    }

    /// Makes sure that the access is of whole elements.
    fn aligned(&mut self, spot: &Spot, element: u64, bytes: u64, loc: Loc) -> bool {
        if !bytes.is_multiple_of(element) {
            return self.shapeless::<()>(spot, loc).is_some();
        }
        if element == 1 || self.store.trailing_zeros(spot.offset, 16) >= element.trailing_zeros() {
            return true;
        }
        let low = self.store.extract(spot.offset, element.trailing_zeros() - 1, 0);
        let crooked = self.store.ne(low, self.store.bv(0, element.trailing_zeros()));
        let crooked = self.store.and(spot.condition, crooked);
        self.leave(crooked, ErrorKind::Unsupported("an access across the elements of an array".to_string()), loc)
    }

    /// An access that does not fit what the object was made into.
    fn shapeless<T>(&mut self, spot: &Spot, loc: Loc) -> Option<T> {
        let what = format!("an access of another form to {}", self.objects.all[spot.object].name);
        self.leave(self.store.bool(true), ErrorKind::Unsupported(what), loc);
        None
    }
}
