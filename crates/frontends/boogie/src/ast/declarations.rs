//! Declarations at the top level of a program.

use super::{Attribute, ExprId, Ident, StmtId, TypeId};
use crate::source::Span;
use std::rc::Rc;

/// A declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    pub attributes: Vec<Attribute>,
    /// The declaration without its attributes' text, from its keyword.
    pub span: Span,
    pub kind: DeclKind,
}

/// What is declared.
#[derive(Clone, Debug)]
pub enum DeclKind {
    TypeCtor {
        name: Ident,
        params: Vec<Ident>,
        finite: bool,
    },
    TypeSynonym {
        name: Ident,
        params: Vec<Ident>,
        body: TypeId,
    },
    Datatype {
        name: Ident,
        type_params: Vec<Ident>,
        constructors: Vec<Constructor>,
    },
    Const(ConstDecl),
    Function(FunctionDecl),
    Axiom {
        hideable: bool,
        body: ExprId,
    },
    Globals(Vec<VarDecl>),
    Procedure(Box<ProcedureDecl>),
    Implementation(Box<ImplementationDecl>),
    /// A construct of concurrent Boogie (CIVL) that was read and skipped.
    Unsupported {
        what: Rc<str>,
        name: Option<Ident>,
    },
}

/// A constructor of a datatype, with its fields.
#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Ident,
    pub fields: Vec<VarDecl>,
}

/// A variable with its type, wherever one is declared. `x, y: int` is two of them.
#[derive(Clone, Debug)]
pub struct VarDecl {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub ty: TypeId,
    pub where_clause: Option<ExprId>,
}

/// Constants of one type.
#[derive(Clone, Debug)]
pub struct ConstDecl {
    pub unique: bool,
    pub names: Vec<Ident>,
    pub ty: TypeId,
    /// The order clause of old programs.
    pub order: Option<OrderClause>,
    /// Declarations of the `uses` clause: axioms.
    pub uses: Vec<Axiom>,
}

/// What a constant's `extends` clause says of its place in the partial order.
#[derive(Clone, Debug)]
pub struct OrderClause {
    /// Parents with their `unique` mark; None when there is no `extends` part.
    pub parents: Option<Vec<(bool, Ident)>>,
    pub complete: bool,
}

/// A condition that is taken to hold.
#[derive(Clone, Debug)]
pub struct Axiom {
    pub attributes: Vec<Attribute>,
    pub hideable: bool,
    pub body: ExprId,
    pub span: Span,
}

/// A function, perhaps with a body.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    pub revealed: bool,
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub params: Vec<Param>,
    pub result: Param,
    pub body: Option<ExprId>,
    pub uses: Vec<Axiom>,
}

/// A function's parameter, whose name may be missing.
#[derive(Clone, Debug)]
pub struct Param {
    pub attributes: Vec<Attribute>,
    pub name: Option<Ident>,
    pub ty: TypeId,
}

/// A procedure with its contract, perhaps with a body.
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    pub pure_: bool,
    pub signature: Signature,
    pub specs: Vec<Spec>,
    pub body: Option<Body>,
}

/// A body for a procedure that is declared elsewhere.
#[derive(Clone, Debug)]
pub struct ImplementationDecl {
    pub signature: Signature,
    pub body: Body,
}

/// Type parameters, parameters and results.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub ins: Vec<VarDecl>,
    pub outs: Vec<VarDecl>,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub struct Spec {
    pub kind: SpecKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// Which clause of a contract it is.
#[derive(Clone, Debug)]
pub enum SpecKind {
    Requires { free: bool, condition: ExprId },
    Ensures { free: bool, condition: ExprId },
    Modifies(Vec<Ident>),
    Measure(Vec<ExprId>),
}

/// Local variables and statements.
#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<VarDecl>,
    pub stmts: Vec<StmtId>,
    /// Of the closing brace.
    pub end: Span,
}
