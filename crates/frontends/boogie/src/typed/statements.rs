//! Statements in basic blocks.

use super::{Attribute, BlockId, ExprId, ProcedureId, TypeId, VarId};
use crate::source::Span;
use std::rc::Rc;

/// Statements without jumps, and where control goes then.
#[derive(Clone, Debug)]
pub struct Block {
    pub label: Option<Rc<str>>,
    pub stmts: Vec<Stmt>,
    pub end: Terminator,
    /// Of the terminator.
    pub end_span: Span,
}

/// Where control goes at the end of a block.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// Any of them.
    Goto(Vec<BlockId>),
    Branch {
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
    },
    Return,
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// What an assertion was in the source.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AssertKind {
    Assert,
    /// At the head of its loop, before each test of the guard.
    LoopInvariant,
    /// The constructor of an unpacking assignment.
    Unpack,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// All at once; the targets are different variables.
    Assign {
        targets: Vec<VarId>,
        values: Vec<ExprId>,
    },
    Havoc(Vec<VarId>),
    Assert(AssertKind, ExprId),
    Assume(ExprId),
    Call(Call),
    Unsupported(Rc<str>),
}

/// A call of a procedure.
#[derive(Clone, Debug)]
pub struct Call {
    pub procedure: ProcedureId,
    pub type_args: Vec<TypeId>,
    /// None is `*`: any value.
    pub args: Vec<Option<ExprId>>,
    /// None is `*`: the value is dropped.
    pub outs: Vec<Option<VarId>>,
    /// `free call`: preconditions are not checked.
    pub free: bool,
    /// `call forall` of old programs: nothing runs; for all values of the `*` arguments, if the preconditions hold, so do
    /// the postconditions.
    pub forall: bool,
}
