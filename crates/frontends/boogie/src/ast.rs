//! The program as it was written: names are text, nothing is checked, every node knows its place. Expressions,
//! statements and types live in three arenas of the program and refer to each other by number, children before their
//! parents; so nesting of any depth is built, walked in order of numbers and dropped without recursion.
//!
//! `parse` builds it, `print` writes it so that it parses back to an equal program (`same` compares), `check` turns it
//! into `typed::Program`, the form for everything that follows.

use crate::source::{Sources, Span};
use num_bigint::BigUint;
use std::rc::Rc;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// Without the backslash that makes a keyword a name.
    pub name: Rc<str>,
    pub span: Span,
}

/// A whole program, perhaps from several files.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub sources: Sources,
    pub decls: Vec<Decl>,
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub types: Vec<Type>,
}

impl Program {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }

    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

// Types

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

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

// Expressions

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Neg,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Iff,
    /// `a ==> b`; `b <== a` is read as it, too.
    Implies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// The partial order `<:` of old programs.
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    /// Euclidean division of integers, `div`.
    Div,
    /// Euclidean remainder, `mod`.
    Mod,
    /// `/`, on reals (and on floats).
    RealDiv,
    /// `**`, on reals.
    Pow,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    NearestTiesToEven,
    NearestTiesToAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

/// A decimal number `mantissa * 10^exponent`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    pub mantissa: BigUint,
    pub exponent: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FloatValue {
    /// `mantissa * 16^(exponent - fraction_digits)`, negated if `negative`.
    Hex {
        negative: bool,
        mantissa: BigUint,
        fraction_digits: u32,
        exponent: i64,
    },
    NaN,
    Infinity {
        negative: bool,
    },
}

/// A float literal such as `0x1.8e0f24e8`: the value and the format (significand bits with the hidden one, exponent bits).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FloatLit {
    pub value: FloatValue,
    pub significand: u32,
    pub exponent: u32,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(BigUint),
    Real(Decimal),
    BitVec {
        value: BigUint,
        width: u32,
    },
    Float(FloatLit),
    Rounding(Rounding),
    Str(Rc<str>),
    Name(Rc<str>),
    /// A function, a datatype's constructor, or one of the type-like coercions.
    Call {
        function: Ident,
        args: Vec<ExprId>,
    },
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Ite(ExprId, ExprId, ExprId),
    Old(ExprId),
    ToInt(ExprId),
    ToReal(ExprId),
    Select {
        map: ExprId,
        args: Vec<ExprId>,
    },
    Store {
        map: ExprId,
        args: Vec<ExprId>,
        value: ExprId,
    },
    /// `e[high:low]`: bits `low..high`, the upper bound excluded.
    Extract {
        value: ExprId,
        high: BigUint,
        low: BigUint,
    },
    /// `e : type`.
    Typed {
        value: ExprId,
        ty: TypeId,
    },
    Is {
        value: ExprId,
        constructor: Ident,
    },
    Field {
        value: ExprId,
        field: Ident,
    },
    FieldUpdate {
        value: ExprId,
        field: Ident,
        to: ExprId,
    },
    Quantifier {
        forall: bool,
        binder: Binder,
        triggers: Vec<Trigger>,
        body: ExprId,
    },
    Lambda {
        binder: Binder,
        body: ExprId,
    },
    Let {
        vars: Vec<LetVar>,
        values: Vec<ExprId>,
        attributes: Vec<Attribute>,
        body: ExprId,
    },
    /// `|{ locals blocks }|`, whose value is what `return e` gives.
    Code(Box<Body>),
}

/// What `forall`, `exists` and `lambda` bind, and their attributes.
#[derive(Clone, Debug)]
pub struct Binder {
    pub type_params: Vec<Ident>,
    pub vars: Vec<VarDecl>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct LetVar {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
}

#[derive(Clone, Debug)]
pub struct Trigger {
    /// False for `{:nopats e}`.
    pub positive: bool,
    pub terms: Vec<ExprId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Ident,
    pub params: Vec<AttributeParam>,
}

#[derive(Clone, Debug)]
pub enum AttributeParam {
    Str(Rc<str>),
    Expr(ExprId),
}

// Declarations

#[derive(Clone, Debug)]
pub struct Decl {
    pub attributes: Vec<Attribute>,
    /// The declaration without its attributes' text, from its keyword.
    pub span: Span,
    pub kind: DeclKind,
}

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

#[derive(Clone, Debug)]
pub struct OrderClause {
    /// Parents with their `unique` mark; None when there is no `extends` part.
    pub parents: Option<Vec<(bool, Ident)>>,
    pub complete: bool,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub attributes: Vec<Attribute>,
    pub hideable: bool,
    pub body: ExprId,
    pub span: Span,
}

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

#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    pub pure_: bool,
    pub signature: Signature,
    pub specs: Vec<Spec>,
    pub body: Option<Body>,
}

#[derive(Clone, Debug)]
pub struct ImplementationDecl {
    pub signature: Signature,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub ins: Vec<VarDecl>,
    pub outs: Vec<VarDecl>,
}

#[derive(Clone, Debug)]
pub struct Spec {
    pub kind: SpecKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum SpecKind {
    Requires { free: bool, condition: ExprId },
    Ensures { free: bool, condition: ExprId },
    Modifies(Vec<Ident>),
    Measure(Vec<ExprId>),
}

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<VarDecl>,
    pub stmts: Vec<StmtId>,
    /// Of the closing brace.
    pub end: Span,
}

// Statements

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

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

#[derive(Clone, Debug)]
pub struct Target {
    pub name: Ident,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug)]
pub enum Step {
    Index(Vec<ExprId>, Span),
    Field(Ident),
}

/// `*` is None.
pub type Guard = Option<ExprId>;

#[derive(Clone, Debug)]
pub struct Invariant {
    pub free: bool,
    pub attributes: Vec<Attribute>,
    pub condition: ExprId,
    pub span: Span,
}

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
