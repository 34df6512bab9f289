//! Expressions with their types.

use super::{Attribute, Block, CtorId, ExprId, FunctionId, StmtKind, Terminator, TypeId, TypeVarId, VarId};
use crate::ast::{BinaryOp, Decimal, FloatLit, Rounding, UnaryOp};
use crate::source::Span;
use num_bigint::BigUint;
use std::rc::Rc;

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

/// What an expression is.
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

/// The patterns of a quantifier that are matched together.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// False for `{:nopats e}`.
    pub positive: bool,
    pub terms: Vec<ExprId>,
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
