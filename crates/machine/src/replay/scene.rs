//! What a reader of a run needs beside its steps: the objects with their names, types, origins and ends, the memory as it was
//! at the end, and the place in memory that an invalid access was about.

use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::{Base, ByteSource};
use crate::memory::objects::{Memory, ObjectKind};
use fathom_base::Loc;
use fathom_ir::{DebugInfo, Shape, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place in an object of the run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointerTo {
    pub object: ObjectKey,
    /// In bytes; may lie outside.
    pub offset: i64,
}

/// An object of the run, for people.
#[derive(Clone, Debug)]
pub struct ObjectRecord {
    /// That of the variable; for memory from the heap, that of its family.
    pub name: String,
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
    /// None where nobody wrote anything, and in pointers.
    pub bytes: Vec<Option<u8>>,
    /// Pointers among them, by their offset from the first byte.
    pub pointers: Vec<(u64, PointerTo)>,
}

/// The place that an invalid access, a wrong `free` or a leak is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub place: PointerTo,
    /// Bytes that were to be read or written; 0 if that is not what it is about.
    pub length: u64,
}

/// Everything about a run that is not a step of it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub debug: Rc<DebugInfo>,
    pub pointer_bits: u32,
    pub objects: BTreeMap<ObjectKey, ObjectRecord>,
    pub fault: Option<Fault>,
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
