//! The program after name resolution and type checking, made for lowering: names are numbers, every expression has its
//! type, type arguments of calls and map accesses are written out, structured statements are basic blocks.
//!
//! How to use it:
//! - Everything lives in tables of `Program`, addressed by small ids. In `exprs` children come before their parents, and
//!   every bound variable has a `VarId` of its own; so a translation may fill a table in order of numbers, without
//!   recursion and without scopes.
//! - `monomorphise` removes type variables: after it `type_params` and `type_args` are empty everywhere, `Type::Var` and
//!   `Type::Bound` don't occur, no map type has type parameters and synonyms are gone (they are already gone here).
//!   Datatypes are gone as well: no type constructor has constructors, no `Is`, `Field` or `FieldUpdate` is left.
//! - `m[i] := e`, `x->f := e` are `Assign` with a `Store` or `FieldUpdate`; `C(x, y) := e` is an assertion and an
//!   assignment; `while` is a head block with its invariants as assertions and a branch; `break` is a goto.
//! - What can't be expressed is an `Unsupported` expression or statement with its name; to execute one is `unknown`.

mod attributes;
mod declarations;
mod expressions;
mod statements;
mod types;

pub use self::attributes::*;
pub use self::declarations::*;
pub use self::expressions::*;
pub use self::statements::*;
pub use self::types::*;
use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::types::Types;
use std::rc::Rc;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => { $(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

ids!(
    /// An interned type of `Program::types`: equal types have equal ids.
    TypeId,
    ExprId,
    /// A variable of any kind: constant, global, parameter, local or bound by a quantifier, `lambda` or `let`.
    VarId,
    FunctionId,
    ProcedureId,
    /// A type constructor: an uninterpreted type or a datatype.
    CtorId,
    /// A declared type parameter.
    TypeVarId,
    /// A block of its implementation.
    BlockId
);

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub sources: Sources,
    pub types: Types,
    pub ctors: Vec<TypeCtor>,
    pub type_vars: Vec<Rc<str>>,
    pub exprs: Vec<Expr>,
    pub vars: Vec<Var>,
    pub constants: Vec<VarId>,
    pub globals: Vec<VarId>,
    pub functions: Vec<Function>,
    pub axioms: Vec<Axiom>,
    pub procedures: Vec<Procedure>,
    pub implementations: Vec<Implementation>,
    /// Declarations that were read but can't be handled, with their names; a program that has any is `unsupported`.
    pub unsupported: Vec<(String, Span)>,
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    pub fn ctor(&self, id: CtorId) -> &TypeCtor {
        &self.ctors[id.index()]
    }

    pub fn type_of(&self, id: ExprId) -> TypeId {
        self.expr(id).ty
    }

    /// A type as Boogie writes it.
    pub fn show_type(&self, ty: TypeId) -> String {
        crate::types::show(&self.types, &self.ctors, &self.type_vars, ty)
    }
}
