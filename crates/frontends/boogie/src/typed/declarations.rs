//! Variables, functions, axioms and procedures.

use super::{Attribute, Block, CtorId, ExprId, ProcedureId, TypeId, TypeVarId, VarId};
use crate::source::Span;
use std::rc::Rc;

/// Where a variable is declared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum VarKind {
    Constant {
        unique: bool,
    },
    Global,
    /// A procedure's or an implementation's parameter.
    In,
    Out,
    Local,
    /// Bound by a quantifier or lambda, or a function's parameter.
    Bound,
    Let,
}

/// A variable or constant.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: Rc<str>,
    pub ty: TypeId,
    pub kind: VarKind,
    pub where_clause: Option<ExprId>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// Whether a function is a plain one or belongs to a datatype.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Uninterpreted, or with a body.
    Plain,
    Constructor {
        ctor: CtorId,
        index: u32,
    },
}

/// What becomes of the body of a function.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// `{:inline}`: calls are replaced by the body; never recursive.
    Inline,
    /// `{:define}`: a definition for the solver; never recursive.
    Define,
    /// No attribute: the body stands for the axiom `forall params :: f(params) == body`; may be recursive.
    Axiom,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Rc<str>,
    pub kind: FunctionKind,
    pub type_params: Vec<TypeVarId>,
    pub params: Vec<VarId>,
    pub result: TypeId,
    pub body: Option<(BodyKind, ExprId)>,
    /// The SMT-LIB operation that `{:bvbuiltin "..."}` or `{:builtin "..."}` names.
    pub builtin: Option<Rc<str>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// A condition that is taken to hold.
#[derive(Clone, Debug)]
pub struct Axiom {
    pub body: ExprId,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// A procedure with its contract.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Rc<str>,
    pub type_params: Vec<TypeVarId>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub requires: Vec<Condition>,
    pub ensures: Vec<Condition>,
    /// Globals that a call may change: the declared ones and, unless strict, the inferred ones.
    pub modifies: Vec<VarId>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
    /// Indices into `Program::implementations`.
    pub implementations: Vec<usize>,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub struct Condition {
    pub free: bool,
    pub condition: ExprId,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// A body of a procedure. Its parameters are variables of its own, in the order of the procedure's.
#[derive(Clone, Debug)]
pub struct Implementation {
    pub procedure: ProcedureId,
    pub type_params: Vec<TypeVarId>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub locals: Vec<VarId>,
    /// Execution starts at block 0.
    pub blocks: Vec<Block>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}
