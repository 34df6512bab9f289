//! Allocation, release, and operations on whole ranges of memory: copy, fill.

use crate::exec::code::Action;
use crate::exec::code::Expr;
use crate::exec::machine::{Decision, Machine, Mode, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::access::write_value;
use crate::memory::address::Origin;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use crate::memory::resolve::{Located, Purpose};
use crate::threads::escape::own;
use fathom_ir::{AllocKind, Assumption, Family, InputKind, Property, sources};
use fathom_term::{Sort, mask};

/// Ranges of symbolic length are handled byte by byte up to this many bytes; longer ones split on the length.
const MAX_CONDITIONAL_BYTES: u64 = 256;
/// Of an object that unseen code wrote, a replay notes at most so many bytes.
const MOST_NOTED: u64 = 1 << 16;
/// What a pointer to no object that is freed is told as.
pub(super) const FREE_OF_NOTHING: &str = "free of memory that is not allocated";
/// A model may know too little of where objects lie.
const OVERLAP: &str = "a layout in which objects overlap";

impl Machine {
    pub(crate) fn allocate(&mut self, state: &mut State, size: Val, align: u64, kind: AllocKind, zeroed: bool, site: u32) -> Step<Val> {
        let pointer_bits = self.book.pointer_bits();
        let size = if self.is_retracing() { self.retraced_value(state, size, Sort::Bv(pointer_bits)) } else { size };
        let (size, size_of_object) = match self.obtainable(state, size, kind)? {
            Obtainable::Never => return Ok(Val::Bits(0)),
            Obtainable::Nothing => (Val::Bits(0), Some(0)),
            Obtainable::Bytes(bytes) => (size, bytes),
        };
        let Some(occurrence) = state.next_occurrence(site) else {
            return Err(self.unsupported(state, "so many allocations in a program with threads"));
        };
        if let Val::Bits(bytes) = size {
            self.counters.largest_object = self.counters.largest_object.max(bytes);
        }
        let Ok(object) = self.book.object(Origin { site, occurrence }, size_of_object, align) else {
            return Err(self.unsupported(state, "more objects than the address space holds"));
        };
        if kind == AllocKind::Stack {
            self.book.add_variable(object);
        }
        if let (Mode::Replay { .. }, Val::Bits(bytes)) = (&self.mode, size)
            && self.overlaps(state, object, bytes)
        {
            if !self.replaces_another(state) {
                return Err(self.unsupported(state, OVERLAP));
            }
            self.replay.moved_onto = Some((object, bytes));
        }
        let base = if zeroed { Base::Zero } else { Base::Uninitialised };
        let contents = Contents::new(base);
        if self.config.folds_lists && kind == AllocKind::Heap && size_of_object.is_some_and(|bytes| bytes >= self.book.bulk()) {
            // Nodes of lists that become unreachable are forgotten, so how much memory is left is not known.
            return Err(self.unsupported(state, "so large an object among lists"));
        }
        let object_kind = match kind {
            AllocKind::Stack => ObjectKind::Stack,
            AllocKind::Heap => ObjectKind::Heap,
        };
        if !zeroed {
            self.note_unwritten(object);
        }
        state.memory.insert(object, Object { size, kind: object_kind, read_only: false, contents, chain: None });
        self.note_overwritten(state, object, true);
        self.note_made(state, object, size, object_kind);
        if kind == AllocKind::Stack {
            state.frame_mut().stack_objects.push(object);
        }
        own(state, object);
        Ok(Val::Pointer { object, offset: 0 })
    }

    /// Whether an allocation can be had: no object is larger than half of the address space (PTRDIFF_MAX), or than what is left
    /// of it. The heap then gives null, as the C library does; that the stack holds its objects is assumed where it can. Where it
    /// can't (`alloca` of a negative size), there is an address without a byte that may be touched.
    fn obtainable(&mut self, state: &mut State, size: Val, kind: AllocKind) -> Step<Obtainable> {
        let width = self.book.pointer_bits();
        let most = self.book.limit().min(mask(width) >> 1);
        let (bytes, term) = match size {
            Val::Bits(bytes) if bytes <= most && self.has_space_for(state, bytes) => return Ok(Obtainable::Bytes(Some(bytes))),
            Val::Bits(bytes) => (Some(bytes), self.store.bool(false)),
            _ => {
                let bytes = self.term_of(size, Sort::Bv(width));
                (None, self.store.bv_ule(bytes, self.store.bv(most, width)))
            }
        };
        let fits = self.placed(state, term)?;
        if kind == AllocKind::Heap {
            if self.split(state, fits)? {
                return Ok(Obtainable::Bytes(bytes));
            }
            self.ledger.note(Assumption::LargeAllocationFails { most });
            return Ok(Obtainable::Never);
        }
        if self.store.const_bool(fits) == Some(true) {
            return Ok(Obtainable::Bytes(bytes));
        }
        match self.decide(state, fits)? {
            Decision::Always(true) => {}
            Decision::Always(false) => return Ok(Obtainable::Nothing),
            _ => {
                self.ledger.note(Assumption::StackLargeEnough);
                self.assume(state, fits)?;
            }
        }
        Ok(Obtainable::Bytes(bytes))
    }

    /// Whether what lives already leaves room for so many bytes. Asked where that may matter only.
    fn has_space_for(&self, state: &State, bytes: u64) -> bool {
        if bytes < self.book.bulk() {
            return true;
        }
        let sizes = state.memory.sorted().into_iter().map(|(_, object)| match object.size {
            Val::Bits(size) => size,
            _ => 0,
        });
        sizes.fold(bytes, u64::saturating_add) <= self.book.limit()
    }

    pub(crate) fn free(&mut self, state: &mut State, pointer: Val, family: Family) -> Step<()> {
        if let Some(object) = self.freeable(state, pointer, family)? {
            self.note_ended(state, object);
            state.memory.remove(object);
        }
        match self.replay.moved_onto.take() {
            Some((object, bytes)) if self.overlaps(state, object, bytes) => Err(self.unsupported(state, OVERLAP)),
            _ => Ok(()),
        }
    }

    /// Whether the allocation that runs is that of `realloc`, which may leave the object where it is: the contents are copied
    /// and the old object ends at once.
    fn replaces_another(&self, state: &State) -> bool {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        let is_plain = |action: &&Action| matches!(action, Action::Compute(_) | Action::ComputeIf { .. } | Action::Move { .. });
        let mut next = block.actions.iter().skip(frame.index as usize + 1).skip_while(is_plain);
        let copies = matches!(next.next(), Some(Action::Copy { .. }));
        copies && matches!(next.find(|action| !is_plain(action)), Some(Action::Free { .. }))
    }

    /// The object that may be freed by this pointer; None for null.
    fn freeable(&mut self, state: &mut State, pointer: Val, family: Family) -> Step<Option<ObjectKey>> {
        let mut pointer = pointer;
        loop {
            if pointer == Val::Bits(0) {
                return Ok(None);
            }
            if let Val::Term(term) = pointer {
                // Null is fine, so it must not count as an invalid pointer below.
                let zero = self.store.bv(0, self.book.pointer_bits());
                let is_null = self.placed(state, self.store.eq(term, zero))?;
                if self.split(state, is_null)? {
                    return Ok(None);
                }
            }
            match self.locate(state, pointer, Property::ValidFree)? {
                Located::Again(other) => pointer = other,
                Located::Nowhere => {
                    if let Val::Pointer { object, offset } = pointer {
                        self.note_fault(object, Val::Bits(offset as u64), Val::Bits(0));
                    }
                    return Err(self.violated(state, Property::ValidFree, FREE_OF_NOTHING));
                }
                Located::At { object, offset } => {
                    self.check_freeable(state, object, offset, family)?;
                    return Ok(Some(object));
                }
            }
        }
    }

    fn check_freeable(&mut self, state: &mut State, object: ObjectKey, offset: Val, family: Family) -> Step<()> {
        self.check_owner(state, object)?;
        let kind = state.memory.get(object).map(|found| found.kind);
        if kind != Some(ObjectKind::Heap) {
            self.note_fault(object, offset, Val::Bits(0));
            let message = format!("free of {}, which is not heap memory", self.object_name(object));
            return Err(self.violated(state, Property::ValidFree, &message));
        }
        let sort = Sort::Bv(self.book.pointer_bits());
        if offset != Val::Bits(0) {
            self.note_fault(object, offset, Val::Bits(0));
        }
        let offset = self.term_of(offset, sort);
        let at_start = self.store.eq(offset, self.store.bv(0, self.book.pointer_bits()));
        self.require_defined(state, at_start, Property::ValidFree, "free of a pointer into the middle of an object")?;
        let site = self.book.origin(object).site as usize;
        let made_by = self.code.site_names.get(site).map_or(Family::C, |name| Family::of_object(name));
        if made_by != family {
            self.note_fault(object, Val::Bits(0), Val::Bits(0));
            let message = format!("{} of {}, which takes {}", family.release(), self.object_name(object), made_by.release());
            return Err(self.violated(state, Property::ValidFree, &message));
        }
        Ok(())
    }

    /// The stack object that a variable holds is gone. The variable is the front end's own, so it holds the object's
    /// address or null; after a join of two paths it may be a choice between those, which splits the state.
    pub(crate) fn end_scope(&mut self, state: &mut State, pointer: Val) -> Step<()> {
        let mut pointer = pointer;
        loop {
            if pointer == Val::Bits(0) {
                return Ok(());
            }
            match self.locate(state, pointer, Property::ValidDeref)? {
                Located::Again(other) => pointer = other,
                Located::Nowhere => return Ok(()),
                Located::At { object, .. } => {
                    self.note_ended(state, object);
                    state.memory.remove(object);
                    state.frame_mut().stack_objects.retain(|known| *known != object);
                    return Ok(());
                }
            }
        }
    }

    /// Code that Fathom doesn't see may have written to the object. A replay notes what it finds there then.
    pub(crate) fn forget(&mut self, state: &mut State, pointer: Val) -> Step<()> {
        let object = self
            .known_object(state, pointer)?
            .filter(|&object| state.memory.get(object).is_some_and(|found| found.kind != ObjectKind::Code && !found.read_only));
        if let Some(object) = object {
            if self.delay_of_store(state, object).is_some() {
                return Err(self.unsupported(state, "code that is not in the program and writes to memory, beside store buffers"));
            }
            self.forget_object(state, object);
        }
        if matches!(self.mode, Mode::Replay { .. }) && pointer != Val::Bits(0) {
            self.note_written(state, pointer, object);
        }
        Ok(())
    }

    /// The place in the object that the pointer leads to, and the object's bytes; nothing where no object was written.
    fn note_written(&mut self, state: &mut State, pointer: Val, object: Option<ObjectKey>) {
        let mut bytes = Vec::new();
        if let Some(object) = object
            && let Some(Val::Bits(size)) = state.memory.get(object).map(|found| found.size)
        {
            let place = match pointer {
                Val::Pointer { offset, .. } => offset as u64,
                Val::Bits(address) => address.wrapping_sub(self.book.base(object)),
                Val::Term(_) => 0,
            };
            bytes.extend_from_slice(&place.to_le_bytes()[..self.book.pointer_bits() as usize / 8]);
            for at in 0..size.min(MOST_NOTED) {
                let Val::Bits(byte) = self.read_at(state, object, at, 1) else { break };
                bytes.push(byte as u8);
            }
        }
        let kind = InputKind { source: sources::WRITTEN_ELSEWHERE.to_string(), type_name: "char".to_string(), signed: false };
        self.record_input(state, &kind, bytes, 0);
    }

    fn forget_object(&mut self, state: &mut State, object: ObjectKey) {
        let time = self.foreign_time(state);
        if let Some(target) = state.memory.get_mut(object) {
            target.contents = Contents::new(Base::Foreign(time));
        }
        self.note_overwritten(state, object, false);
    }

    pub(crate) fn object_size(&mut self, state: &mut State, pointer: Val) -> Step<Val> {
        let object = self.freeable(state, pointer, Family::C)?;
        Ok(object.and_then(|object| state.memory.get(object)).map_or(Val::Bits(0), |found| found.size))
    }

    // ---- ranges

    pub(crate) fn copy(&mut self, state: &mut State, target: Val, source: Val, length: Val) -> Step<()> {
        let length = self.range_length(state, length, &[target, source])?;
        if length == Val::Bits(0) {
            return Ok(());
        }
        let (from, from_offset) = self.resolve(state, source, length, Purpose::Read)?;
        let (to, to_offset) = self.resolve(state, target, length, Purpose::Write)?;
        match length {
            Val::Bits(count) => {
                self.copy_fixed(state, (to, to_offset), (from, from_offset), count);
                self.note_written_bytes(state, to, to_offset, count);
            }
            _ => self.copy_conditional(state, (to, to_offset), (from, from_offset), length),
        }
        Ok(())
    }

    pub(crate) fn copy_fixed(&mut self, state: &mut State, to: (ObjectKey, Val), from: (ObjectKey, Val), count: u64) {
        // Everything is read before anything is written: the ranges may overlap.
        let mut pieces = Vec::new();
        let mut done = 0;
        while done < count {
            let offset = self.moved(from.1, done);
            let piece = self.piece_at(state, from.0, offset, count - done);
            pieces.push((done, piece, self.read(state, from.0, offset, piece)));
            done += piece;
        }
        for (start, length, value) in pieces {
            let offset = self.moved(to.1, start);
            self.write(state, to.0, offset, length, value);
        }
    }

    /// The length of the next piece to copy: cells are taken whole, so that pointers and words stay what they are.
    fn piece_at(&self, state: &State, object: ObjectKey, offset: Val, most: u64) -> u64 {
        let Val::Bits(offset) = offset else { return largest_piece(most) };
        let Some(found) = state.memory.get(object) else { return 1 };
        for length in [8, 4, 2, 1] {
            if length <= most && found.contents.read_cell(offset, length).is_some() {
                return length;
            }
        }
        for length in [8, 4, 2] {
            if length <= most && (found.contents.read_concrete(offset, length).is_some() || found.contents.is_all_base(offset, length)) {
                return length;
            }
        }
        1
    }

    fn copy_conditional(&mut self, state: &mut State, to: (ObjectKey, Val), from: (ObjectKey, Val), length: Val) {
        let most = self.most_bytes(state, &[to, from]);
        let bytes: Vec<Val> = (0..most)
            .map(|i| {
                let offset = self.moved(from.1, i);
                self.read(state, from.0, offset, 1)
            })
            .collect();
        for (i, byte) in bytes.into_iter().enumerate() {
            self.write_if_below(state, to, i as u64, length, byte);
        }
    }

    /// `to[index] = byte` if index < length.
    fn write_if_below(&mut self, state: &mut State, to: (ObjectKey, Val), index: u64, length: Val, byte: Val) {
        let offset = self.moved(to.1, index);
        let width = self.book.pointer_bits();
        let old = self.read(state, to.0, offset, 1);
        let length = self.term_of(length, Sort::Bv(width));
        let inside = self.store.bv_ult(self.store.bv(index, width), length);
        let [new, old] = [byte, old].map(|value| self.term_of(value, Sort::Bv(8)));
        let value = self.value_of(self.store.ite(inside, new, old));
        self.write(state, to.0, offset, 1, value);
    }

    pub(crate) fn moved(&mut self, offset: Val, by: u64) -> Val {
        match offset {
            Val::Bits(offset) => Val::Bits(offset + by),
            _ => {
                let width = self.book.pointer_bits();
                let offset = self.term_of(offset, Sort::Bv(width));
                self.value_of(self.store.bv_add(offset, self.store.bv(by, width)))
            }
        }
    }

    /// Bytes from the given places to the ends of their objects, at most.
    fn most_bytes(&self, state: &State, places: &[(ObjectKey, Val)]) -> u64 {
        places
            .iter()
            .filter_map(|(object, offset)| match (state.memory.get(*object)?.size, offset) {
                (Val::Bits(size), Val::Bits(offset)) => Some(size.saturating_sub(*offset)),
                (Val::Bits(size), _) => Some(size),
                _ => None,
            })
            .min()
            .unwrap_or(u64::MAX)
    }

    /// A symbolic length stays one if the objects are small; otherwise the state splits on it.
    fn range_length(&mut self, state: &mut State, length: Val, pointers: &[Val]) -> Step<Val> {
        let sort = Sort::Bv(self.book.pointer_bits());
        let length = if self.is_retracing() { self.retraced_value(state, length, sort) } else { length };
        let length = self.determinate(state, length, sort, "the number of bytes")?;
        if let Some(bits) = self.number_of(length) {
            return Ok(Val::Bits(bits));
        }
        let mut places = Vec::new();
        for &pointer in pointers {
            if let Val::Pointer { object, offset } = pointer {
                places.push((object, Val::Bits(offset as u64)));
            }
        }
        if places.len() == pointers.len() && self.most_bytes(state, &places) <= MAX_CONDITIONAL_BYTES {
            let term = self.term_of(length, Sort::Bv(self.book.pointer_bits()));
            let zero = self.store.bv(0, self.book.pointer_bits());
            let term = self.placed(state, term)?;
            let is_empty = self.store.eq(term, zero);
            // An empty range may be anywhere.
            return Ok(if self.split(state, is_empty)? { Val::Bits(0) } else { self.value_of(term) });
        }
        self.concretise(state, length, Sort::Bv(self.book.pointer_bits())).map(Val::Bits)
    }

    pub(crate) fn fill(
        &mut self,
        state: &mut State,
        pointer: Val,
        byte: Option<(Val, Expr)>,
        input: Option<&InputKind>,
        length: Val,
    ) -> Step<()> {
        let length = self.range_length(state, length, &[pointer])?;
        if length == Val::Bits(0) {
            return Ok(());
        }
        let (object, offset) = self.resolve(state, pointer, length, Purpose::Write)?;
        let Some((byte, _)) = byte else { return self.fill_arbitrary(state, (object, offset), input, length) };
        match length {
            Val::Bits(count) => {
                self.fill_fixed(state, (object, offset), byte, count);
                self.note_written_bytes(state, object, offset, count);
            }
            _ => {
                let most = self.most_bytes(state, &[(object, offset)]);
                for i in 0..most {
                    self.write_if_below(state, (object, offset), i, length, byte);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn fill_fixed(&mut self, state: &mut State, (object, offset): (ObjectKey, Val), byte: Val, count: u64) {
        let waits = state.threads.is_some() && self.delay_of_store(state, object).is_some();
        if let (Val::Bits(byte), true) = (byte, waits) {
            return self.fill_in_words(state, (object, offset), byte, count);
        }
        if let (Val::Bits(offset), Val::Bits(byte)) = (offset, byte) {
            return self.fill_concrete(state, object, offset, count, byte as u8);
        }
        for i in 0..count {
            let at = self.moved(offset, i);
            self.write(state, object, at, 1, byte);
        }
    }

    fn fill_in_words(&mut self, state: &mut State, to: (ObjectKey, Val), byte: u64, count: u64) {
        let mut done = 0;
        while done < count {
            let piece = largest_piece(count - done);
            let word = (0..piece).fold(0, |word, _| word << 8 | byte);
            let offset = self.moved(to.1, done);
            self.write(state, to.0, offset, piece, Val::Bits(word));
            done += piece;
        }
    }

    fn fill_concrete(&mut self, state: &mut State, object: ObjectKey, offset: u64, count: u64, byte: u8) {
        self.note_touched(state, object, Val::Bits(offset), count);
        let Some(target) = state.memory.get_mut(object) else { return };
        if byte == 0 && offset == 0 && target.size == Val::Bits(count) {
            target.contents = Contents::new(Base::Zero);
            return;
        }
        // The ends first: only cells there can be cut.
        for (at, length) in [(offset, 1), (offset + count - 1, 1)] {
            write_value(&self.store, &self.book, &mut target.contents, at, length, Val::Bits(byte as u64));
        }
        target.contents.write_concrete(offset, &vec![byte; count as usize]);
    }

    pub(crate) fn fill_arbitrary(&mut self, state: &mut State, to: (ObjectKey, Val), input: Option<&InputKind>, length: Val) -> Step<()> {
        let count = self.concretise(state, length, Sort::Bv(self.book.pointer_bits()))?;
        if input.is_some() {
            self.may_ask(state)?;
        }
        let (mut bytes, mut symbols) = (Vec::new(), Vec::new());
        let mut done = 0;
        while done < count {
            let piece = largest_piece(count - done);
            let sort = Sort::Bv(piece as u32 * 8);
            let value = match input.and_then(InputKind::uninitialised_variable) {
                Some(variable) => self.uninitialised(state, sort, variable),
                None => self.arbitrary(state, sort),
            };
            symbols.push((value, sort));
            if let Val::Bits(bits) = value {
                bytes.extend_from_slice(&bits.to_le_bytes()[..piece as usize]);
            }
            let offset = self.moved(to.1, done);
            self.write(state, to.0, offset, piece, value);
            done += piece;
        }
        if let Some(kind) = input {
            self.seed_input(state, kind, &symbols);
            self.record_input(state, kind, bytes, 0);
        }
        self.note_written_bytes(state, to.0, to.1, count);
        Ok(())
    }
}

/// What becomes of an allocation.
enum Obtainable {
    /// An object of this size; None if that is no number.
    Bytes(Option<u64>),
    /// One without a byte.
    Nothing,
    /// None: a null pointer.
    Never,
}

fn largest_piece(most: u64) -> u64 {
    [8, 4, 2, 1].into_iter().find(|&piece| piece <= most).unwrap_or(1)
}
