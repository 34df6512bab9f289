//! Statements in basic blocks.

use super::{Attribute, BlockId, ExprId, ProcedureId, TypeId, VarId};
use crate::source::Span;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Block {
    pub label: Option<Rc<str>>,
    pub stmts: Vec<Stmt>,
    pub end: Terminator,
    /// Of the terminator.
    pub end_span: Span,
}

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

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AssertKind {
    Assert,
    /// At the head of its loop, before each test of the guard.
    LoopInvariant,
    /// The constructor of an unpacking assignment.
    Unpack,
}

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
