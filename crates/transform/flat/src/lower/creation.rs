//! Creation of objects: their initial contents when the program starts, and when a statement allocates them.

use super::Lowering;
use crate::builder::Builder;
use crate::cells::Shape;
use crate::objects::{ObjectKind, Size};
use crate::program::{ErrorKind, NotFlat};
use fathom_base::Loc;
use fathom_ir::{Assumption, Initializer, MemoryObject};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};

/// More bytes than this of an initialised array are given up.
const MOST_INITIAL: u64 = 1 << 16;

impl Lowering<'_> {
    pub(super) fn allocate(
        &mut self,
        builder: &mut Builder<'_>,
        at: usize,
        target: Option<VarId>,
        size: Term,
        zeroed: bool,
        loc: Loc,
    ) -> bool {
        let store: &TermStore = &self.program.terms;
        let object = &self.inlined.objects.all[at];
        if let Some(stride) = object.stride {
            return self.allocate_member(builder, at, stride, target, zeroed, loc);
        }
        // One object stands for the statement, so there may be only one at a time; and only one at all on the heap, where
        // an address is not used again.
        let Some(made) = self.made(at) else { return false };
        let again = builder.value(made);
        if !builder.leave(again, ErrorKind::Unsupported("a second object from one allocating statement".to_string()), loc) {
            return false;
        }
        builder.assign(made, store.bool(true));
        if let Size::Variable(var) = object.size {
            let size = builder.now(size);
            let most = self.inlined.objects.largest_variable;
            let too_large = store.bv_ult(store.bv(most, self.inlined.objects.pointer_bits), size);
            if !builder.leave(too_large, ErrorKind::Unsupported(format!("an allocation of more than {most} bytes")), loc) {
                return false;
            }
            builder.assign(var, size);
        }
        match (zeroed, self.shape_of(builder, at)) {
            (false, _) => builder.forget(at, store.bool(true)),
            (true, Shape::Cells(cells) | Shape::Family(cells)) => {
                for cell in cells {
                    builder.assign(
                        cell.var,
                        store.constant(&fathom_term::Value::zero(Sort::Bv(cell.bytes as u32 * 8), store), Sort::Bv(cell.bytes as u32 * 8)),
                    );
                }
            }
            (true, Shape::Array { element, var }) => {
                builder.assign(var, store.const_array(store.var_sort(var), store.bv(0, element as u32 * 8)));
            }
        }
        if let Some(target) = target {
            builder.assign(target, self.inlined.objects.address(store, at));
        }
        true
    }

    /// One more object of a family. Its contents are what the family's arrays had there from the start, since no address of
    /// the heap is used again while there is room.
    fn allocate_member(
        &mut self,
        builder: &mut Builder<'_>,
        at: usize,
        stride: u64,
        target: Option<VarId>,
        zeroed: bool,
        loc: Loc,
    ) -> bool {
        let store: &TermStore = &self.program.terms;
        let bits = self.inlined.objects.pointer_bits;
        let Some(top) = builder.top(at) else { return false };
        let objects = &self.inlined.objects;
        let room = objects.family_room(stride);
        let (used, next) = (builder.value(top), store.bv_add(builder.value(top), store.bv(stride, bits)));
        let full = store.not(store.bv_ult(used, store.bv(room, bits)));
        let is_used_again = if objects.all[at].is_on_stack() { store.bool(true) } else { full };
        let distance = if objects.endless {
            self.notes.insert(Assumption::AllocatedAtATime { most: room });
            // Nobody needs an invariant to see that this is where an object begins.
            let (low, high) = (stride.trailing_zeros(), room.trailing_zeros());
            let any = builder.input(Sort::Bv(high - low));
            let is_free = self.held_by_nobody(builder, at, any);
            if !builder.assume(store.implies(full, is_free)) {
                return false;
            }
            let number = store.ite(full, any, store.extract(used, high - 1, low));
            builder.assign(top, store.ite(full, used, next));
            store.resize_unsigned(store.concat(number, store.bv(0, low)), bits)
        } else {
            let what = format!("more than {} objects from one allocating statement", room / stride);
            if !builder.leave(full, ErrorKind::Unsupported(what), loc) {
                return false;
            }
            builder.assign(top, next);
            used
        };
        let address = store.bv_add(objects.address(store, at), distance);
        let renews = objects.endless || objects.all[at].is_on_stack();
        if renews && builder.renew(at, is_used_again, (address, distance), zeroed, loc).is_none() {
            return false;
        }
        if let Some(target) = target {
            builder.assign(target, address);
        }
        true
    }

    /// No object of a family yet; what they will have is arbitrary, or zero.
    fn start_family(&self, builder: &mut Builder<'_>, at: usize, zeroed: bool) {
        let store: &TermStore = &self.program.terms;
        if let Some(top) = builder.top(at) {
            builder.assign(top, store.bv(0, self.inlined.objects.pointer_bits));
        }
        let arrays = match self.shape_of(builder, at) {
            Shape::Family(cells) | Shape::Cells(cells) => cells.into_iter().map(|cell| (cell.var, cell.bytes)).collect(),
            Shape::Array { element, var } => vec![(var, element)],
        };
        for (var, bytes) in arrays {
            let (sort, element) = (store.var_sort(var), Sort::Bv(bytes as u32 * 8));
            let contents = match zeroed {
                true => store.const_array(sort, store.constant(&fathom_term::Value::zero(element, store), element)),
                false => builder.input(sort),
            };
            builder.assign(var, contents);
        }
    }

    /// The variable that tells whether an object was made and has not ended.
    pub(super) fn made(&self, at: usize) -> Option<VarId> {
        let store: &TermStore = &self.program.terms;
        let name = format!("made!{}.{at}", self.inlined.objects.all[at].name);
        store.as_var(store.var(&name, Sort::Bool))
    }

    fn shape_of(&self, builder: &Builder<'_>, at: usize) -> Shape {
        builder.shapes[at].clone()
    }

    /// Everything before the first statement; whether the axioms leave anything.
    pub(super) fn start(&mut self, builder: &mut Builder<'_>) -> Result<bool, NotFlat> {
        let store: &TermStore = &self.program.terms;
        for &var in &self.inlined.arbitrary {
            let value = builder.input(store.var_sort(var));
            builder.assign(var, value);
        }
        for (at, object) in self.inlined.objects.all.iter().enumerate() {
            match object.kind {
                ObjectKind::Global(number) => self.initialise(builder, at, &self.program.objects[number])?,
                ObjectKind::Allocated { zeroed, .. } if object.stride.is_some() => self.start_family(builder, at, zeroed),
                ObjectKind::Allocated { .. } => {
                    if let Some(made) = self.made(at) {
                        builder.assign(made, store.bool(false));
                    }
                }
            }
        }
        for &axiom in &self.program.axioms {
            let axiom = builder.now(axiom);
            if !builder.assume(axiom) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn initialise(&self, builder: &mut Builder<'_>, at: usize, object: &MemoryObject) -> Result<(), NotFlat> {
        let store: &TermStore = &self.program.terms;
        let Initial { bytes, words } = match &object.init {
            Initializer::External => {
                builder.forget(at, store.bool(true));
                return Ok(());
            }
            Initializer::Zero => Initial::default(),
            Initializer::Bytes { bytes, relocations } => {
                let mut ground = Substitution::new(self.inlined.addresses.iter().map(|(&var, &term)| (var, term)));
                let words = relocations.iter().map(|relocation| (relocation.offset, ground.apply(store, relocation.value)));
                Initial { bytes, words: words.collect() }
            }
        };
        let byte = |offset: u64| -> Term {
            let word = words.iter().find(|(start, word)| *start <= offset && offset < start + store.sort(*word).width() as u64 / 8);
            match word {
                Some(&(start, word)) => store.extract(word, (offset - start) as u32 * 8 + 7, (offset - start) as u32 * 8),
                None => store.bv(bytes.get(offset as usize).copied().unwrap_or(0) as u64, 8),
            }
        };
        let range = |start: u64, length: u64| (start + 1..start + length).fold(byte(start), |low, next| store.concat(byte(next), low));
        match self.shape_of(builder, at) {
            Shape::Cells(cells) | Shape::Family(cells) => {
                for cell in cells {
                    builder.assign(cell.var, range(cell.start, cell.bytes));
                }
            }
            Shape::Array { element, var } => {
                let zero = store.bv(0, element as u32 * 8);
                let mut array = store.const_array(store.var_sort(var), zero);
                let length = if bytes.is_empty() && words.is_empty() { 0 } else { object.size };
                if length > MOST_INITIAL {
                    return Err(NotFlat {
                        what: format!("the initial contents of {}, an array of {length} bytes", object.name),
                        loc: object.loc,
                    });
                }
                for start in (0..length).step_by(element as usize) {
                    let value = range(start, element.min(length - start));
                    let value = store.resize_unsigned(value, element as u32 * 8);
                    if value != zero {
                        array = store.store(array, store.bv(start, self.inlined.objects.pointer_bits), value);
                    }
                }
                builder.assign(var, array);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Initial<'a> {
    bytes: &'a [u8],
    words: Vec<(u64, Term)>,
}
