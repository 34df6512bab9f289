//! What a reader of a run needs besides its steps: the objects with their names, types, origins and lifetimes, the
//! final contents of memory, and the location of an invalid access.

use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::{Base, ByteSource};
use crate::memory::objects::{Memory, ObjectKind};
use crate::threads::races::Deed;
use fathom_base::Loc;
use fathom_ir::{DebugInfo, Shape, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place in an object of the run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointerTo {
    /// What it points into.
    pub object: ObjectKey,
    /// In bytes; may lie outside.
    pub offset: i64,
}

/// An object of the run, for people.
#[derive(Clone, Debug)]
pub struct ObjectRecord {
    /// That of the variable; for memory from the heap, that of its family.
    pub name: String,
    /// What kind of memory it is.
    pub kind: ObjectKind,
    /// In bytes.
    pub size: u64,
    /// Of the variable, or of what the pointer that first got its address points to.
    pub ty: Option<TypeId>,
    /// Where it was made: the place, and those of the calls around it, innermost first. Empty for globals.
    pub made: Vec<Loc>,
    /// Where it ended, if it did.
    pub ended: Vec<Loc>,
    /// How many steps were written down before it was made, and before it ended.
    pub alive: (usize, Option<usize>),
}

/// Bytes of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryBytes {
    /// None where nothing was written, and in pointers.
    pub bytes: Vec<Option<u8>>,
    /// Pointers among them, by their offset from the first byte.
    pub pointers: Vec<(u64, PointerTo)>,
}

/// The place that an invalid access, a wrong `free` or a leak is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The address that was used.
    pub place: PointerTo,
    /// Bytes that were to be read or written; 0 if that is not what it is about.
    pub length: u64,
}

/// One of the two accesses of a data race.
#[derive(Clone, Debug)]
pub struct RaceAccess {
    /// The first is 1.
    pub thread: u32,
    /// The procedure that the thread started with.
    pub start: String,
    /// Where, and where the calls are that led there, innermost first.
    pub places: Vec<Loc>,
    /// What it does.
    pub deed: Deed,
    /// In an atomic section.
    pub atomic: bool,
    /// The first byte.
    pub place: PointerTo,
    /// In bytes.
    pub length: u64,
}

/// Two accesses that nothing orders; the run ends at the first of them.
#[derive(Clone, Debug)]
pub struct Race {
    /// The first is the one that the run ends at.
    pub accesses: [RaceAccess; 2],
}

/// Everything about a run that is not a step of it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Types of the source's variables.
    pub debug: Rc<DebugInfo>,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// Every object that the run made or had from the start.
    pub objects: BTreeMap<ObjectKey, ObjectRecord>,
    /// The access that failed, if the run ended with one.
    pub fault: Option<Fault>,
    /// Whether that access was through a null pointer, or an address a little behind null.
    pub is_null_access: bool,
    /// The race that a run ended in.
    pub race: Option<Race>,
    last: Memory,
}

impl Scene {
    pub(crate) fn set_last(&mut self, memory: &Memory) {
        self.last = memory.clone();
    }

    /// What the object held at the end of the run; None if it did not live then.
    pub fn last_bytes(&self, object: ObjectKey, offset: u64, length: u64) -> Option<MemoryBytes> {
        bytes_of(&self.last, object, offset, length)
    }

    /// Whether the object lived at the end of the run.
    pub fn lives(&self, object: ObjectKey) -> bool {
        self.last.get(object).is_some()
    }
}

/// Bytes of an object as they are known, without a change to it.
pub(crate) fn bytes_of(memory: &Memory, object: ObjectKey, offset: u64, length: u64) -> Option<MemoryBytes> {
    let contents = &memory.get(object)?.contents;
    let mut found = MemoryBytes::default();
    for at in offset..offset + length {
        let byte = match contents.byte(at) {
            ByteSource::Concrete(byte) => Some(byte),
            ByteSource::CellByte { value: Val::Pointer { object, offset: to }, index, .. } => {
                if index == 0 {
                    found.pointers.push((at - offset, PointerTo { object, offset: to }));
                }
                None
            }
            ByteSource::CellByte { value: Val::Bits(bits), index, .. } => Some((bits >> (u32::from(index) * 8)) as u8),
            ByteSource::CellByte { value: Val::Term(_), .. } => None,
            ByteSource::Base => (contents.base == Base::Zero).then_some(0),
        };
        found.bytes.push(byte);
    }
    Some(found)
}

impl ObjectRecord {
    /// A pointer to this type was given the object's address. Memory from the heap has no type of its own; that of
    /// characters says the least.
    pub fn learn(&mut self, debug: &DebugInfo, ty: TypeId) {
        let is_vague = |ty: TypeId| matches!(debug.get(ty).shape, Shape::Character { .. } | Shape::Unknown);
        let fits = (1..=self.size).contains(&debug.get(ty).size);
        let tells_more = self.ty.is_none_or(|known| is_vague(known) && !is_vague(ty));
        if self.kind == ObjectKind::Heap && fits && tells_more {
            self.ty = Some(ty);
        }
    }
}
