//! The objects of a flat program and where they lie: globals, and one object per allocating statement after inlining.
//! Addresses are numbers; nothing may depend on them (`layout`). There are gaps between objects, so that an access
//! beyond the end of one never reaches a neighbour.
//!
//! A heap allocation that may be executed repeatedly creates a *family*: objects of the same size, the n-th at the n-th
//! multiple of the family's stride. The points-to analysis knows only offsets into some object of a family. Every
//! allocation in a recursive procedure creates a family, too; there, stack objects are released when the procedure
//! returns.
//!
//! A family has room for a limited number of objects; running out of room leads to an error location. In an endless
//! family (`Form::Endless`), new objects instead replace old ones when the room is used up. No run is lost as long as
//! no more objects are alive at the same time than there is room for: the new object then takes the place of a dead
//! one. The room is so large that the ledger simply assumes this (`Assumption::AllocatedAtATime`). The remaining room
//! does not decrease for ever, so no proof of termination can be based on it.

use crate::program::NotFlat;
use fathom_base::{FxMap, Loc};
use fathom_ir::{AllocKind, Program};
use fathom_term::{Sort, Term, TermStore, VarId, mask};

/// Room for an object whose size is not a constant, the most first: what fits is tried. Larger ones are unsupported.
pub(crate) const ROOMS_32: [u64; 3] = [(1 << 31) - 1, 1 << 28, 1 << 22];
pub(crate) const ROOMS_64: [u64; 3] = [1 << 45, 1 << 40, 1 << 32];
/// Where objects begin: numbers that programs hardly ever compute with.
const START_32: u64 = 0x0813_0000;
const START_64: u64 = 0x5a3_0000_0000;
const FAR: u64 = 1 << 16;
/// Objects that a family may have, unless it is to be endless; and the largest size of each.
const MOST_MEMBERS: u64 = 1024;
/// Bytes that an endless family has, powers of two.
const ENDLESS_32: u64 = 1 << 24;
const ENDLESS_64: u64 = 1 << 36;
const LARGEST_MEMBER: u64 = 4096;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Constant(u64),
    /// Kept in this variable.
    Variable(VarId),
}

pub(crate) enum ObjectKind {
    /// Number of the program's object.
    Global(usize),
    Allocated {
        kind: AllocKind,
        zeroed: bool,
    },
}

pub(crate) struct Object {
    pub name: String,
    pub base: u64,
    pub size: Size,
    pub kind: ObjectKind,
    /// The distance between the objects of a family.
    pub stride: Option<u64>,
    /// What every address of it is a multiple of.
    pub align: u64,
    /// Of the entry itself, and so there for the whole run.
    pub is_outermost: bool,
}

impl Object {
    /// Whether there is room for a family.
    fn may_be_family(&self) -> bool {
        let heap = matches!(self.kind, ObjectKind::Allocated { kind: AllocKind::Heap, .. });
        heap && matches!(self.size, Size::Constant(1..=LARGEST_MEMBER))
    }

    /// Whether it is a local variable, which ends with its function.
    pub fn is_on_stack(&self) -> bool {
        matches!(self.kind, ObjectKind::Allocated { kind: AllocKind::Stack, .. })
    }
}

pub(crate) struct Objects {
    pub all: Vec<Object>,
    pub pointer_bits: u32,
    next: u64,
    /// Where procedures are.
    pub code: std::ops::Range<u64>,
    /// The largest size of objects whose size is a variable.
    pub largest_variable: u64,
    /// Whether families never run out of room.
    pub endless: bool,
}

impl Objects {
    /// The program's own objects, and what its symbols for addresses stand for.
    pub fn of(program: &Program, largest_variable: u64, endless: bool) -> Result<(Objects, FxMap<VarId, Term>), NotFlat> {
        let store = &program.terms;
        let pointer_bits = program.layout.pointer_bits;
        let next = if pointer_bits >= 64 { START_64 } else { START_32 };
        let mut objects = Objects { all: Vec::new(), pointer_bits, next, code: 0..0, largest_variable, endless };
        let mut addresses = FxMap::default();
        for (number, object) in program.objects.iter().enumerate() {
            let size = Size::Constant(object.size);
            let at = objects.add(object.name.clone(), size, object.align, ObjectKind::Global(number), object.loc)?;
            let address = objects.address(store, at);
            addresses.extend(store.as_var(object.address).map(|var| (var, address)));
        }
        for (&var, id) in &program.object_addresses {
            addresses.insert(var, objects.address(store, id.0 as usize));
        }
        // Code is far from objects, so that no address of it is taken for one behind an object.
        objects.next += FAR;
        objects.code = objects.next..objects.next;
        for procedure in &program.procedures {
            if let Some(var) = procedure.address.and_then(|term| store.as_var(term)) {
                let base = objects.room(16, 16, procedure.loc)?;
                addresses.insert(var, store.bv(base, pointer_bits));
            }
        }
        objects.code.end = objects.next;
        objects.next += FAR;
        for (&var, id) in &program.procedure_addresses {
            let known = program.procedure(*id).address.and_then(|term| store.as_var(term)).and_then(|var| addresses.get(&var));
            if let Some(&address) = known {
                addresses.insert(var, address);
            }
        }
        Ok((objects, addresses))
    }

    /// A family from the start; None if the objects are too large for one.
    pub fn add_family(&mut self, name: String, bytes: u64, align: u64, kind: ObjectKind, loc: Loc) -> Result<Option<usize>, NotFlat> {
        if !(1..=LARGEST_MEMBER).contains(&bytes) || align > LARGEST_MEMBER {
            return Ok(None);
        }
        let stride = stride(bytes, align);
        let base = self.room(self.family_room(stride), align, loc)?;
        self.all.push(Object { name, base, size: Size::Constant(bytes), kind, stride: Some(stride), align, is_outermost: false });
        Ok(Some(self.all.len() - 1))
    }

    /// The bytes that a family has whose objects lie this far apart.
    pub fn family_room(&self, stride: u64) -> u64 {
        match (self.endless, self.pointer_bits) {
            (false, _) => stride * MOST_MEMBERS,
            (true, 64..) => ENDLESS_64,
            (true, _) => ENDLESS_32,
        }
    }

    /// The variable that has the size of all objects of a family together.
    pub fn top(&self, store: &TermStore, family: usize) -> Option<VarId> {
        let sort = Sort::Bv(self.pointer_bits);
        store.as_var(store.var(&format!("top!{}.{family}", self.all[family].name), sort))
    }

    /// Places an object behind the others; its number.
    pub fn add(&mut self, name: String, size: Size, align: u64, kind: ObjectKind, loc: Loc) -> Result<usize, NotFlat> {
        let room = match size {
            // Such an object can't be had (PTRDIFF_MAX): the pointer is null then, which is not said here.
            Size::Constant(bytes) if bytes > mask(self.pointer_bits) >> 1 => {
                return Err(NotFlat { what: "an object of more than half of the address space".to_string(), loc });
            }
            Size::Constant(bytes) => bytes,
            Size::Variable(_) => self.largest_variable,
        };
        let mut object = Object { name, base: 0, size, kind, stride: None, align, is_outermost: false };
        let room = if object.may_be_family() { self.family_room(stride(room, 16)) } else { room };
        object.base = self.room(room, align, loc)?;
        self.all.push(object);
        Ok(self.all.len() - 1)
    }

    /// The statement may allocate more than once; whether that can be said.
    pub fn make_family(&mut self, object: usize) {
        let object = &mut self.all[object];
        if let (true, Size::Constant(bytes)) = (object.may_be_family(), object.size) {
            object.stride = Some(stride(bytes, 16));
        }
    }

    /// The most bytes that an object may have.
    pub fn room_of(&self, object: usize) -> u64 {
        match self.all[object].size {
            Size::Constant(bytes) => bytes,
            Size::Variable(_) => self.largest_variable,
        }
    }

    fn room(&mut self, bytes: u64, align: u64, loc: Loc) -> Result<u64, NotFlat> {
        let full = || NotFlat { what: "more memory than the address space holds".to_string(), loc };
        let align = align.max(16).next_power_of_two();
        let base = self.next.checked_add(align - 1).ok_or_else(full)? & !(align - 1);
        let gap = 16 + (bytes / 2).min(4096);
        let end = base.checked_add(bytes).and_then(|end| end.checked_add(gap)).ok_or_else(full)?;
        let limit = if self.pointer_bits >= 64 { 1 << 47 } else { mask(self.pointer_bits) - 0xFFFF };
        if end > limit {
            return Err(full());
        }
        self.next = end;
        Ok(base)
    }

    /// The address of an object.
    pub fn address(&self, store: &TermStore, object: usize) -> Term {
        store.bv(self.all[object].base, self.pointer_bits)
    }

    /// The object that has this many bytes at an address, if its size is a constant.
    pub fn at(&self, address: u64, bytes: u64) -> Option<(usize, u64)> {
        let after = self.all.partition_point(|object| object.base <= address);
        let at = after.checked_sub(1)?;
        let Object { base, size: Size::Constant(size), stride: None, .. } = self.all[at] else { return None };
        let offset = address - base;
        (offset.checked_add(bytes)? <= size).then_some((at, offset))
    }
}

/// A power of two, so that a member's address is told by its low bits.
fn stride(bytes: u64, align: u64) -> u64 {
    bytes.max(align).max(16).next_power_of_two()
}
