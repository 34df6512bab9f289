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
    /// Every type that something else here refers to; a `TypeId` is an index.
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
    /// In bytes; 0 where unknown.
    pub size: u64,
    /// What values of the type consist of.
    pub shape: Shape,
}

/// How values of a type are made.
#[derive(Clone, Debug)]
pub enum Shape {
    /// void, functions, types that are only declared, and what debug information does not describe.
    Unknown,
    /// Any integer type that is neither `_Bool` nor a character.
    Integer {
        /// Two's complement, otherwise unsigned.
        signed: bool,
    },
    /// `_Bool` and C++'s `bool`.
    Bool,
    /// `char` and its relatives, shown as characters.
    Character {
        /// Two's complement, otherwise unsigned.
        signed: bool,
    },
    /// A floating-point type; its size tells which one.
    Float,
    /// A pointer to values of this type.
    Pointer(TypeId),
    /// Elements of one type, one after the other.
    Array {
        /// The type of each element.
        element: TypeId,
        /// None: as many as the object has room for.
        count: Option<u64>,
    },
    /// A structure, class or union.
    Record {
        /// The members overlap.
        is_union: bool,
        /// In the order of their declaration.
        members: Rc<[Member]>,
    },
    /// An `enum`.
    Enumeration {
        /// Two's complement, otherwise unsigned.
        signed: bool,
        /// The enumerators with their values.
        names: Rc<[(String, i64)]>,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Empty for an anonymous structure or union.
    pub name: String,
    /// The type of the member's value.
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
