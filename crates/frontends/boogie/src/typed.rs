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

use crate::ast::{BinaryOp, Decimal, FloatLit, Rounding, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::types::Types;
use num_bigint::BigUint;
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

/// An attribute as it was written: `{:name "text", e}`. Expressions are resolved where they can be; attributes never
/// make a program wrong.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Rc<str>,
    pub params: Vec<AttributeParam>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeParam {
    Str(Rc<str>),
    Int(BigUint),
    Bool(bool),
    /// Resolved and typed.
    Expr(ExprId),
    /// The text of an expression that could not be resolved.
    Text(Rc<str>),
}

/// Questions that everybody asks about attributes.
pub trait Attributes {
    fn find(&self, name: &str) -> Option<&Attribute>;

    /// `{:name}` or `{:name true}`.
    fn flag(&self, name: &str) -> bool;

    /// `{:name "text"}`.
    fn text(&self, name: &str) -> Option<&str>;

    /// `{:name 5}`.
    fn number(&self, name: &str) -> Option<u64>;
}

impl Attributes for [Attribute] {
    fn find(&self, name: &str) -> Option<&Attribute> {
        self.iter().find(|a| &*a.name == name)
    }

    fn flag(&self, name: &str) -> bool {
        self.iter().any(|a| &*a.name == name && !matches!(a.params.first(), Some(AttributeParam::Bool(false))))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.find(name).and_then(|a| match a.params.first() {
            Some(AttributeParam::Str(text)) => Some(&**text),
            _ => None,
        })
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.find(name).and_then(|a| match a.params.first() {
            Some(AttributeParam::Int(number)) => u64::try_from(number).ok(),
            _ => None,
        })
    }
}

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

#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Rc<str>,
    /// The constructor as a function, `FunctionKind::Constructor`.
    pub function: FunctionId,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Rc<str>,
    pub ty: TypeId,
}

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

#[derive(Clone, Debug)]
pub struct Var {
    pub name: Rc<str>,
    pub ty: TypeId,
    pub kind: VarKind,
    pub where_clause: Option<ExprId>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Uninterpreted, or with a body.
    Plain,
    Constructor {
        ctor: CtorId,
        index: u32,
    },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// `{:inline}`: calls are replaced by the body; never recursive.
    Inline,
    /// `{:define}`: a definition for the solver; never recursive.
    Define,
    /// No attribute: the body stands for the axiom `forall params :: f(params) == body`; may be recursive.
    Axiom,
}

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

#[derive(Clone, Debug)]
pub struct Axiom {
    pub body: ExprId,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

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

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
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
    Var(VarId),
    /// Constructors of datatypes, too.
    Call {
        function: FunctionId,
        type_args: Vec<TypeId>,
        args: Vec<ExprId>,
    },
    Unary(UnaryOp, ExprId),
    /// Operands have equal types, but for `Concat`. `Eq` on booleans is `Iff`; on floats it is Boogie's `==`, which is
    /// IEEE equality.
    Binary(BinaryOp, ExprId, ExprId),
    Ite(ExprId, ExprId, ExprId),
    /// The value of the globals inside at the procedure's entry.
    Old(ExprId),
    /// `int(e)`: of a real, rounded towards minus infinity; of an int, itself.
    ToInt(ExprId),
    ToReal(ExprId),
    Select {
        map: ExprId,
        type_args: Vec<TypeId>,
        args: Vec<ExprId>,
    },
    Store {
        map: ExprId,
        type_args: Vec<TypeId>,
        args: Vec<ExprId>,
        value: ExprId,
    },
    /// Bits `low..high`, the upper bound excluded; `low <= high`.
    Extract {
        value: ExprId,
        high: u32,
        low: u32,
    },
    Is {
        value: ExprId,
        ctor: CtorId,
        index: u32,
    },
    /// The field of this name, of whichever constructor has it (`fields_named` finds them).
    Field {
        value: ExprId,
        ctor: CtorId,
        field: Rc<str>,
    },
    FieldUpdate {
        value: ExprId,
        ctor: CtorId,
        field: Rc<str>,
        to: ExprId,
    },
    Quantifier {
        forall: bool,
        type_params: Vec<TypeVarId>,
        vars: Vec<VarId>,
        triggers: Vec<Trigger>,
        attributes: Vec<Attribute>,
        body: ExprId,
    },
    Lambda {
        type_params: Vec<TypeVarId>,
        vars: Vec<VarId>,
        body: ExprId,
    },
    /// All at once: no value sees a variable of the same `let`.
    Let {
        vars: Vec<VarId>,
        values: Vec<ExprId>,
        body: ExprId,
    },
    Code(Rc<Code>),
    Unsupported(Rc<str>),
}

/// A code expression: true if no execution of its blocks, from the first one, fails an assertion.
#[derive(Clone, Debug)]
pub struct Code {
    pub locals: Vec<VarId>,
    pub blocks: Vec<Block>,
}

impl Code {
    /// The expressions in its blocks.
    pub fn exprs(&self) -> Vec<ExprId> {
        let mut all = Vec::new();
        for block in &self.blocks {
            for statement in &block.stmts {
                match &statement.kind {
                    StmtKind::Assign { values, .. } => all.extend(values),
                    StmtKind::Assert(_, condition) | StmtKind::Assume(condition) => all.push(*condition),
                    StmtKind::Call(call) => all.extend(call.args.iter().flatten()),
                    StmtKind::Havoc(_) | StmtKind::Unsupported(_) => {}
                }
            }
            if let Terminator::Branch { condition, .. } = block.end {
                all.push(condition);
            }
        }
        all
    }
}

#[derive(Clone, Debug)]
pub struct Trigger {
    /// False for `{:nopats e}`.
    pub positive: bool,
    pub terms: Vec<ExprId>,
}

impl TypeCtor {
    /// The constructors that have this field, with its position in each.
    pub fn fields_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u32, usize)> + 'a {
        self.constructors.iter().enumerate().filter_map(move |(index, constructor)| {
            constructor.fields.iter().position(|field| &*field.name == name).map(|at| (index as u32, at))
        })
    }
}

impl ExprKind {
    /// The direct parts, triggers included.
    pub fn children(&self, mut each: impl FnMut(ExprId)) {
        use ExprKind::*;
        match self {
            Bool(_) | Int(_) | Real(_) | BitVec { .. } | Float(_) | Rounding(_) | Str(_) | Var(_) | Unsupported(_) => {}
            Call { args, .. } => args.iter().for_each(|arg| each(*arg)),
            Unary(_, a) | Old(a) | ToInt(a) | ToReal(a) => each(*a),
            Extract { value, .. } | Is { value, .. } | Field { value, .. } => each(*value),
            Binary(_, a, b) => [*a, *b].into_iter().for_each(each),
            Ite(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
            Select { map, args, .. } => std::iter::once(map).chain(args).for_each(|part| each(*part)),
            Store { map, args, value, .. } => std::iter::once(map).chain(args).chain([value]).for_each(|part| each(*part)),
            FieldUpdate { value, to, .. } => [*value, *to].into_iter().for_each(each),
            Quantifier { triggers, body, .. } => {
                triggers.iter().flat_map(|trigger| &trigger.terms).for_each(|term| each(*term));
                each(*body);
            }
            Lambda { body, .. } => each(*body),
            Code(code) => code.exprs().into_iter().for_each(each),
            Let { values, body, .. } => values.iter().chain([body]).for_each(|part| each(*part)),
        }
    }
}
