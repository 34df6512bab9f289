//! Reading and writing objects at known or symbolic offsets. A symbolic offset turns the object into an SMT array,
//! whose element size is that of the access; accesses of other sizes are composed of elements.

use crate::exec::compute::FOREIGN_MEMORY;
use crate::exec::determinate::PRIME;
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::{AddressBook, Origin};
use crate::memory::contents::{Base, ByteSource, Contents, PAGE, WORD};
use crate::threads::buffers::DelayedStore;
use fathom_base::FxMap;
use fathom_term::{Op, Sort, Term, TermStore, Value};
use smallvec::SmallVec;
use std::collections::BTreeMap;

impl Machine {
    /// `length` bytes at a place that was found in bounds, as the running thread sees them.
    pub(crate) fn read(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64) -> Val {
        self.read_behind_buffer(state, object, offset, length).unwrap_or_else(|| self.read_visible(state, object, offset, length))
    }

    pub(crate) fn read_visible(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64) -> Val {
        match offset {
            Val::Bits(offset) => self.read_at(state, object, offset, length),
            _ => {
                let offset = self.offset_term(offset);
                self.read_symbolic(state, object, offset, length)
            }
        }
    }

    pub(crate) fn write(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64, value: Val) {
        if state.threads.is_some() {
            if let Some(releases) = self.delay_of_store(state, object) {
                return self.delay(state, DelayedStore { object, offset, length, value, releases });
            }
            self.stored(state, object, value);
        }
        self.write_visible(state, object, offset, length, value);
    }

    pub(crate) fn write_visible(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64, value: Val) {
        if state.retraced.is_some() {
            self.note_touched(state, object, offset, length);
        }
        match offset {
            Val::Bits(offset) => {
                if let Some(target) = state.memory.get_mut(object) {
                    write_value(&self.store, &self.book, &mut target.contents, offset, length, value);
                }
            }
            _ => {
                let offset = self.offset_term(offset);
                self.write_symbolic(state, object, offset, length, value);
            }
        }
    }

    fn offset_term(&mut self, offset: Val) -> Term {
        self.term_of(offset, Sort::Bv(self.book.pointer_bits()))
    }

    // ---- constant offsets

    pub(crate) fn read_at(&mut self, state: &mut State, object: ObjectKey, offset: u64, length: u64) -> Val {
        if state.retraced.is_some() {
            self.generalise_cell(state, object, offset, length);
        }
        let Some(found) = state.memory.get(object) else { return Val::Bits(0) };
        if let Some(bits) = found.contents.read_concrete(offset, length) {
            return Val::Bits(bits);
        }
        if let Some(value) = found.contents.read_cell(offset, length) {
            return value;
        }
        if length > WORD {
            // Words are joined from the top down.
            let low = self.read_at(state, object, offset, WORD);
            let high = self.read_at(state, object, offset + WORD, length - WORD);
            let high = self.term_of(high, Sort::Bv((length - WORD) as u32 * 8));
            let low = self.term_of(low, Sort::Bv(WORD as u32 * 8));
            return self.value_of(self.store.concat(high, low));
        }
        if found.contents.is_all_base(offset, length) {
            return self.read_base(state, object, offset, length);
        }
        let mut whole: Option<Term> = None;
        for at in offset..offset + length {
            let byte = self.read_byte(state, object, at);
            whole = Some(match whole {
                Some(low) => self.store.concat(byte, low),
                None => byte,
            });
        }
        whole.map_or(Val::Bits(0), |term| self.value_of(term))
    }

    fn read_byte(&mut self, state: &mut State, object: ObjectKey, offset: u64) -> Term {
        let Some(found) = state.memory.get(object) else { return self.store.bv(0, 8) };
        match found.contents.byte(offset) {
            ByteSource::Concrete(byte) => self.store.bv(byte as u64, 8),
            ByteSource::CellByte { value, length, index } => {
                let word = self.term_of(value, Sort::Bv(length as u32 * 8));
                self.store.extract(word, index as u32 * 8 + 7, index as u32 * 8)
            }
            ByteSource::Base => {
                let value = self.read_base(state, object, offset, 1);
                self.term_of(value, Sort::Bv(8))
            }
        }
    }

    /// Bytes that no page knows (at most 8). Uninitialised ones become symbols that the object then keeps.
    fn read_base(&mut self, state: &mut State, object: ObjectKey, offset: u64, length: u64) -> Val {
        let Some(found) = state.memory.get(object) else { return Val::Bits(0) };
        match found.contents.base {
            Base::Zero => Val::Bits(0),
            ref base @ (Base::Uninitialised | Base::Foreign(_)) => {
                let name = arbitrary_name(self.book.origin(object), base);
                let value = self.arbitrary_bytes(&name, offset, length);
                if let Some(target) = state.memory.get_mut(object) {
                    write_value(&self.store, &self.book, &mut target.contents, offset, length, value);
                }
                value
            }
            Base::Array { term, element } => {
                let offset = self.store.bv(offset, self.book.pointer_bits());
                if !state.path.laws.is_empty() {
                    self.obey(state, object, offset);
                }
                let value = self.read_array(term, element, offset, length);
                self.value_of(value)
            }
        }
    }

    /// Bytes of arbitrary contents of this name: a symbol; in a replay the value that the trace has for it. The symbolic run may have
    /// read them in other pieces, or as elements of an array, so a replay then puts them together from those.
    fn arbitrary_bytes(&mut self, contents: &str, offset: u64, length: u64) -> Val {
        let name = piece_name(contents, offset, length);
        if let Mode::Replay { symbols, .. } = &self.mode
            && !symbols.contains_key(&name)
        {
            self.replay.read_unwritten.set(true);
            let word = |end: &str| {
                let byte =
                    |at| arbitrary_byte(symbols, contents, at, end).or_else(|| arbitrary_byte(symbols, contents, at, "")).unwrap_or(0);
                (0..length).rev().fold(0, |word, index| word << 8 | byte(offset + index))
            };
            let (first, second) = (word(""), word(PRIME));
            self.spoil();
            let doubled = self.doubled(&name, Sort::Bv(length as u32 * 8), Value::Bits(first), Value::Bits(second));
            return doubled.unwrap_or(Val::Bits(first));
        }
        self.symbol(&name, Sort::Bv(length as u32 * 8))
    }

    // ---- symbolic offsets

    fn read_symbolic(&mut self, state: &mut State, object: ObjectKey, offset: Term, length: u64) -> Val {
        if !state.path.laws.is_empty() {
            self.obey(state, object, offset);
        }
        let (array, element) = self.as_array(state, object, offset, length);
        let value = self.read_array(array, element, offset, length);
        self.value_of(value)
    }

    fn write_symbolic(&mut self, state: &mut State, object: ObjectKey, offset: Term, length: u64, value: Val) {
        let (array, element) = self.as_array(state, object, offset, length);
        let value = self.term_of(value, Sort::Bv(length as u32 * 8));
        let array = self.write_array(array, element, offset, length, value);
        self.note_scattered(state, object);
        if let Some(target) = state.memory.get_mut(object) {
            target.contents.forget_pages();
            target.contents.set_array(array, element);
        }
    }

    /// The object as an array that holds everything written so far.
    pub(crate) fn as_array(&mut self, state: &mut State, object: ObjectKey, offset: Term, length: u64) -> (Term, u64) {
        if state.retraced.is_some() {
            self.needs_whole(state, object);
        }
        let pointer_bits = self.book.pointer_bits();
        let base = match state.memory.get(object) {
            Some(found) => found.contents.base.clone(),
            None => Base::Zero,
        };
        let (mut array, element) = match base {
            Base::Array { term, element } => (term, element),
            base => {
                let element = suggested_element(&self.store, offset, length);
                (self.base_as_array(object, &base, element), element)
            }
        };
        let dirty = match state.memory.get(object) {
            Some(found) => found.contents.dirty_elements(element),
            None => Vec::new(),
        };
        // Elements that are only partly known take their other bytes from the base through `read_at`.
        let mut written = Vec::with_capacity(dirty.len());
        for at in dirty {
            let value = self.read_at(state, object, at, element);
            let value = self.term_of(value, Sort::Bv(element as u32 * 8));
            written.push((at / element, value));
        }
        let size = state.memory.get(object).map(|found| found.size);
        if matches!(size, Some(Val::Bits(size)) if size <= written.len() as u64 * element)
            && let Some(usual) = most_common(&written)
        {
            // Nothing is left of the base: begin with what most elements are.
            let sort = self.store.array_sort(Sort::Bv(pointer_bits), Sort::Bv(element as u32 * 8));
            array = self.store.const_array(sort, usual);
            written.retain(|(_, value)| *value != usual);
        }
        for (index, value) in written {
            array = self.store.store(array, self.store.bv(index, pointer_bits), value);
        }
        if let Some(target) = state.memory.get_mut(object) {
            target.contents.set_array(array, element);
        }
        (array, element)
    }

    /// What an object without an array holds where no page knows better, as an array.
    pub(crate) fn base_as_array(&self, object: ObjectKey, base: &Base, element: u64) -> Term {
        let sort = self.store.array_sort(Sort::Bv(self.book.pointer_bits()), Sort::Bv(element as u32 * 8));
        match *base {
            Base::Array { term, .. } => term,
            Base::Uninitialised | Base::Foreign(_) => {
                let name = arbitrary_name(self.book.origin(object), base);
                self.store.var(&array_name(&name, element), sort)
            }
            Base::Zero => self.store.const_array(sort, self.store.bv(0, element as u32 * 8)),
        }
    }

    /// The element that holds the byte at `offset`, and the byte's place in it (as a shift in bits).
    fn element_of(&self, offset: Term, element: u64) -> (Term, Term) {
        let store = &self.store;
        let width = self.book.pointer_bits();
        let amount = element.trailing_zeros();
        let index = store.build(Op::BvLshr, &[offset, store.bv(amount as u64, width)]);
        let inside = store.build(Op::BvAnd, &[offset, store.bv(element - 1, width)]);
        let shift = store.resize_unsigned(store.bv_mul(inside, store.bv(8, width)), element as u32 * 8);
        (index, shift)
    }

    fn read_array(&self, array: Term, element: u64, offset: Term, length: u64) -> Term {
        let store = &self.store;
        if length > element {
            // From the low end up, element by element (each may itself be unaligned).
            let step = store.bv(element, self.book.pointer_bits());
            let mut whole = self.read_array(array, element, offset, element);
            let (mut at, mut done) = (offset, element);
            while done < length {
                at = store.bv_add(at, step);
                let part = self.read_array(array, element, at, element.min(length - done));
                whole = store.concat(part, whole);
                done += element;
            }
            return whole;
        }
        let (index, shift) = self.element_of(offset, element);
        let first = store.select(array, index);
        if length == element && is_multiple(store, offset, element) {
            return first;
        }
        let low = store.build(Op::BvLshr, &[first, shift]);
        let fits_one = is_multiple(store, offset, length);
        let joined = if fits_one {
            low
        } else {
            // The bytes may reach into the next element.
            let bits = element as u32 * 8;
            let next = store.select(array, store.bv_add(index, store.bv(1, self.book.pointer_bits())));
            let up = store.bv_sub(store.bv(bits as u64, bits), shift);
            // At shift 0 nothing comes from the next element: shifting by the whole width gives 0.
            store.build(Op::BvOr, &[low, store.build(Op::BvShl, &[next, up])])
        };
        store.extract(joined, length as u32 * 8 - 1, 0)
    }

    fn write_array(&self, array: Term, element: u64, offset: Term, length: u64, value: Term) -> Term {
        let store = &self.store;
        let pointer_bits = self.book.pointer_bits();
        let (index, shift) = self.element_of(offset, element);
        if length == element && is_multiple(store, offset, element) {
            return store.store(array, index, value);
        }
        if length < element && is_multiple(store, offset, length) {
            // Replace a part of one element.
            let bits = element as u32 * 8;
            let hole = store.resize_unsigned(store.build(Op::BvNot, &[store.bv(0, length as u32 * 8)]), bits);
            let hole = store.build(Op::BvNot, &[store.build(Op::BvShl, &[hole, shift])]);
            let kept = store.build(Op::BvAnd, &[store.select(array, index), hole]);
            let part = store.build(Op::BvShl, &[store.resize_unsigned(value, bits), shift]);
            return store.store(array, index, store.build(Op::BvOr, &[kept, part]));
        }
        // Byte by byte, which never straddles.
        let mut array = array;
        for byte in 0..length {
            let at = store.bv_add(offset, store.bv(byte, pointer_bits));
            let part = store.extract(value, byte as u32 * 8 + 7, byte as u32 * 8);
            array = if element == 1 { store.store(array, at, part) } else { self.write_array(array, element, at, 1, part) };
        }
        array
    }
}

/// The constant that more than half of the elements are, if there are many: a solver has a hard time with long chains of
/// writes, and with arrays of constants if there are few.
fn most_common(written: &[(u64, Term)]) -> Option<Term> {
    const MANY: usize = 64;
    if written.len() < MANY {
        return None;
    }
    let mut counts: FxMap<Term, usize> = FxMap::default();
    written.iter().for_each(|(_, value)| *counts.entry(*value).or_default() += 1);
    let (value, count) = counts.into_iter().max_by_key(|&(value, count)| (count, value))?;
    (count * 2 > written.len()).then_some(value)
}

/// What symbols of arbitrary contents begin with: the object if it was never written, the time if foreign code did.
fn arbitrary_name(origin: Origin, base: &Base) -> String {
    match base {
        Base::Foreign(time) => format!("{FOREIGN_MEMORY}{time}"),
        _ => format!("mem{}.{}", origin.site, origin.occurrence),
    }
}

/// The symbol of some arbitrary bytes.
fn piece_name(contents: &str, offset: u64, length: u64) -> String {
    format!("{contents}@{offset}.{length}")
}

/// The symbol of a whole object of arbitrary bytes, as an array.
fn array_name(contents: &str, element: u64) -> String {
    format!("{contents}.{element}")
}

/// A byte from the pieces that a trace knows of an object: those that were read at constant offsets came first and
/// were stored into the array, if there was one. Names end in `end`: a trace may know two values of each piece.
fn arbitrary_byte(symbols: &BTreeMap<String, Value>, contents: &str, at: u64, end: &str) -> Option<u64> {
    for start in (at.saturating_sub(WORD - 1)..=at).rev() {
        for length in at - start + 1..=WORD {
            if let Some(Value::Bits(bits)) = symbols.get(&(piece_name(contents, start, length) + end)) {
                return Some(bits >> ((at - start) * 8) & 0xff);
            }
        }
    }
    for element in [1, 2, 4, 8] {
        if let Some(Value::Array(array)) = symbols.get(&(array_name(contents, element) + end))
            && let Value::Bits(bits) = array.get(&Value::Bits(at / element))
        {
            return Some(bits >> (at % element * 8) & 0xff);
        }
    }
    None
}

/// Writes a value at a constant offset: concrete bytes as such, anything else as cells of at most a word.
pub(crate) fn write_value(store: &TermStore, book: &AddressBook, contents: &mut Contents, offset: u64, length: u64, value: Val) {
    split_cut_cells(store, book, contents, offset, length);
    if let Val::Bits(bits) = value {
        let bytes = bits.to_le_bytes();
        if length <= WORD {
            return contents.write_concrete(offset, &bytes[..length as usize]);
        }
    }
    let mut pieces: SmallVec<[(u64, u64); 4]> = SmallVec::new();
    let mut done = 0;
    while done < length {
        let room = PAGE - (offset + done) % PAGE;
        let piece = (length - done).min(WORD).min(room);
        pieces.push((done, piece));
        done += piece;
    }
    if let [(0, whole)] = pieces[..] {
        return contents.write_cell(offset, whole, value, true);
    }
    let term = value.to_term(store, book, Sort::Bv(length as u32 * 8));
    for (start, piece) in pieces {
        let part = store.extract(term, (start + piece) as u32 * 8 - 1, start as u32 * 8);
        match Val::from_term(store, book, part) {
            Val::Bits(bits) => contents.write_concrete(offset + start, &bits.to_le_bytes()[..piece as usize]),
            other => contents.write_cell(offset + start, piece, other, true),
        }
    }
}

/// Cells that a write cuts in two leave their other bytes behind.
fn split_cut_cells(store: &TermStore, book: &AddressBook, contents: &mut Contents, offset: u64, length: u64) {
    for (start, cell) in contents.cells_cut_by(offset, length) {
        let word = cell.value.to_term(store, book, Sort::Bv(cell.length as u32 * 8));
        for index in 0..cell.length as u64 {
            let byte = store.extract(word, index as u32 * 8 + 7, index as u32 * 8);
            match Val::from_term(store, book, byte) {
                Val::Bits(bits) => contents.write_concrete(start + index, &[bits as u8]),
                other => contents.write_cell(start + index, 1, other, true),
            }
        }
    }
}

/// Element size for an object that becomes an array: the access size if it is aligned, else bytes.
fn suggested_element(store: &TermStore, offset: Term, length: u64) -> u64 {
    let size = if length.is_power_of_two() { length.min(WORD) } else { 1 };
    let mut size = size;
    while size > 1 && !is_multiple(store, offset, size) {
        size /= 2;
    }
    size
}

/// Whether syntax shows that the offset is a multiple of the size, a power of two; other sizes have no alignment that
/// would keep them inside an element.
fn is_multiple(store: &TermStore, offset: Term, size: u64) -> bool {
    size.is_power_of_two() && store.trailing_zeros(offset, 16) >= size.trailing_zeros()
}
