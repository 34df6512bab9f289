//! Types, and the type constructors that programs declare.

use super::{Attribute, CtorId, FunctionId, TypeId, TypeVarId};
use crate::source::Span;
use std::rc::Rc;

/// A type; equal types have one number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    Int,
    Real,
    BitVec(u32),
    Float {
        significand: u32,
        exponent: u32,
    },
    RoundingMode,
    Str,
    Regex,
    Ctor {
        ctor: CtorId,
        args: Vec<TypeId>,
    },
    /// `type_params` is 0 but for polymorphic maps. A polymorphic map's parameters are numbered by first occurrence.
    Map {
        type_params: u32,
        args: Vec<TypeId>,
        result: TypeId,
    },
    /// A type parameter of the declaration or quantifier around; gone after `monomorphise`.
    Var(TypeVarId),
    /// Parameter `index` of the polymorphic map type `level` polymorphic map types outwards; gone after `monomorphise`.
    Bound {
        level: u32,
        index: u32,
    },
    /// Not known yet, only during checking.
    Infer(u32),
}

/// A type constructor, or a datatype.
#[derive(Clone, Debug)]
pub struct TypeCtor {
    pub name: Rc<str>,
    pub arity: u32,
    pub finite: bool,
    pub attributes: Vec<Attribute>,
    pub span: Span,
    /// For a datatype, its constructors; an empty list is an ordinary, uninterpreted type.
    pub constructors: Vec<Constructor>,
    /// A datatype's type parameters, in which the types of its fields are written.
    pub type_params: Vec<TypeVarId>,
    /// An instance of a type with `{:builtin "..."}`: the types that it was made for.
    pub instance_of: Vec<TypeId>,
}

/// A constructor of a datatype, with its fields.
#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Rc<str>,
    /// The constructor as a function, `FunctionKind::Constructor`.
    pub function: FunctionId,
    pub fields: Vec<Field>,
}

/// A field of a datatype, which several constructors may have.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Rc<str>,
    pub ty: TypeId,
}

impl TypeCtor {
    /// The constructors that have this field, with its position in each.
    pub fn fields_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u32, usize)> + 'a {
        self.constructors.iter().enumerate().filter_map(move |(index, constructor)| {
            constructor.fields.iter().position(|field| &*field.name == name).map(|at| (index as u32, at))
        })
    }
}
