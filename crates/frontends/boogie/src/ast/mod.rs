//! The program as it was written: names are text, nothing is checked, every node knows its place. Expressions,
//! statements and types live in three arenas of the program and refer to each other by number, children before their
//! parents; so nesting of any depth is built, walked in order of numbers and dropped without recursion.
//!
//! `parse` builds it, `print` writes it so that it parses back to an equal program (`same` compares), `check` turns it
//! into `typed::Program`, the form for everything that follows.

mod declarations;
mod expressions;
mod statements;

pub use self::declarations::*;
pub use self::expressions::*;
pub use self::statements::*;
use crate::source::{Sources, Span};
use std::rc::Rc;

/// The number of an expression in its program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);
/// The number of a statement in its program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);
/// The number of a type, as it is written, in its program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// Without the backslash that makes a keyword a name.
    pub name: Rc<str>,
    pub span: Span,
}

/// A whole program, perhaps from several files.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The text that spans point into.
    pub sources: Sources,
    /// In the order of the text.
    pub decls: Vec<Decl>,
    /// An `ExprId` is an index.
    pub exprs: Vec<Expr>,
    /// A `StmtId` is an index.
    pub stmts: Vec<Stmt>,
    /// A `TypeId` is an index.
    pub types: Vec<Type>,
}

impl Program {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The statement with this id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }

    /// The type with this id.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// A type as it is written, and where.
#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    /// A declared type, a type variable, or one of the built-in names: `bv32`, `float24e8`, `rmode`, `string`, `regex`.
    Named {
        name: Rc<str>,
        args: Vec<TypeId>,
    },
    Map {
        type_params: Vec<Ident>,
        args: Vec<TypeId>,
        result: TypeId,
    },
}
