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

/// A program after name resolution and type checking; see the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The text that spans point into.
    pub sources: Sources,
    /// Every type, interned.
    pub types: Types,
    /// Type constructors; a `CtorId` is an index.
    pub ctors: Vec<TypeCtor>,
    /// Names of type parameters; a `TypeVarId` is an index.
    pub type_vars: Vec<Rc<str>>,
    /// Children come before their parents; an `ExprId` is an index.
    pub exprs: Vec<Expr>,
    /// A `VarId` is an index.
    pub vars: Vec<Var>,
    /// In the order of the text.
    pub constants: Vec<VarId>,
    /// In the order of the text.
    pub globals: Vec<VarId>,
    /// A `FunctionId` is an index.
    pub functions: Vec<Function>,
    /// In the order of the text.
    pub axioms: Vec<Axiom>,
    /// A `ProcedureId` is an index.
    pub procedures: Vec<Procedure>,
    /// In the order of the text; a procedure may have none or several.
    pub implementations: Vec<Implementation>,
    /// Declarations that were read but can't be handled, with their names; a program that has any is `unsupported`.
    pub unsupported: Vec<(String, Span)>,
    /// What is suspicious but no error.
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The variable with this id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The procedure with this id.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// The type constructor with this id.
    pub fn ctor(&self, id: CtorId) -> &TypeCtor {
        &self.ctors[id.index()]
    }

    /// The type of an expression.
    pub fn type_of(&self, id: ExprId) -> TypeId {
        self.expr(id).ty
    }

    /// A type as Boogie writes it.
    pub fn show_type(&self, ty: TypeId) -> String {
        crate::types::show(&self.types, &self.ctors, &self.type_vars, ty)
    }
}
