//! Statements, structured as they were written.

use super::{Attribute, ExprId, Ident, StmtId};
use crate::source::Span;
use std::rc::Rc;

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(Ident),
    Assign {
        targets: Vec<Target>,
        values: Vec<ExprId>,
    },
    /// `C(x, y) := e` for a datatype's constructor `C`.
    Unpack {
        constructor: Ident,
        vars: Vec<Ident>,
        value: ExprId,
    },
    Havoc(Vec<Ident>),
    Assert(ExprId),
    Assume(ExprId),
    Call(Call),
    If {
        guard: Guard,
        then: Vec<StmtId>,
        otherwise: Option<Vec<StmtId>>,
    },
    While {
        guard: Guard,
        invariants: Vec<Invariant>,
        body: Vec<StmtId>,
    },
    Break(Option<Ident>),
    Goto(Vec<Ident>),
    Return,
    /// `return e`, the end of a block of a code expression.
    ReturnValue(ExprId),
    /// `hide`, `reveal`, `push`, `pop`, `measure`: hints for a prover that mean nothing to executions.
    Hint {
        text: Rc<str>,
        args: Vec<ExprId>,
    },
    /// `yield`, `par`, parallel and asynchronous calls.
    Concurrent {
        what: Rc<str>,
        calls: Vec<Call>,
    },
}

/// What is assigned to: a variable, or a place inside of it.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: Ident,
    pub path: Vec<Step>,
}

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    Index(Vec<ExprId>, Span),
    Field(Ident),
}

/// `*` is None.
pub type Guard = Option<ExprId>;

/// An invariant at the head of a `while`.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub free: bool,
    pub attributes: Vec<Attribute>,
    pub condition: ExprId,
    pub span: Span,
}

/// A call of a procedure.
#[derive(Clone, Debug)]
pub struct Call {
    pub attributes: Vec<Attribute>,
    pub free: bool,
    /// `call forall P(*)` of old programs.
    pub forall: bool,
    /// None is `*`.
    pub outs: Vec<Option<Ident>>,
    pub procedure: Ident,
    /// None is `*`.
    pub args: Vec<Option<ExprId>>,
}
