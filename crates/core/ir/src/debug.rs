//! Types of the source language, for people who read traces: what the members of a structure are called and where they
//! lie, what the values of an enumeration are called, what a pointer points to. Nothing that a program does depends on
//! this. Qualifiers and typedefs are looked through; a structure without a name has that of its typedef.

use crate::program::ObjectId;
use fathom_base::FxMap;
use fathom_term::VarId;
use std::rc::Rc;

/// Index of a type in `DebugInfo`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// What the compiler's debug information says of types.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    pub types: Vec<SourceType>,
    /// Types of the objects that exist from the beginning.
    pub objects: FxMap<ObjectId, TypeId>,
    /// Types of local variables that lie in memory, by the variable of the program that holds their address.
    pub locals: FxMap<VarId, TypeId>,
}

/// A type of the source language.
#[derive(Clone, Debug)]
pub struct SourceType {
    /// As the source names it, such as `struct node`.
    pub name: String,
    /// In bytes; 0 where nobody knows.
    pub size: u64,
    pub shape: Shape,
}

/// How values of a type are made.
#[derive(Clone, Debug)]
pub enum Shape {
    /// void, functions, types that are only declared, and what debug information does not describe.
    Unknown,
    Integer {
        signed: bool,
    },
    Bool,
    Character {
        signed: bool,
    },
    Float,
    Pointer(TypeId),
    Array {
        element: TypeId,
        /// None: as many as the object has room for.
        count: Option<u64>,
    },
    Record {
        is_union: bool,
        members: Rc<[Member]>,
    },
    Enumeration {
        signed: bool,
        names: Rc<[(String, i64)]>,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Empty for an anonymous structure or union.
    pub name: String,
    pub ty: TypeId,
    /// From the start of the structure, in bits.
    pub offset: u64,
    /// The width of a bit-field.
    pub bits: Option<u32>,
}

impl DebugInfo {
    /// The type with this index.
    pub fn get(&self, id: TypeId) -> &SourceType {
        &self.types[id.0 as usize]
    }
}
