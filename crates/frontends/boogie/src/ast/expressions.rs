//! Expressions, and the attributes that hang on everything.

use super::{Body, ExprId, Ident, TypeId, VarDecl};
use crate::source::Span;
use num_bigint::BigUint;
use std::rc::Rc;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Operators with one operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Neg,
}

/// Operators with two operands.
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

/// The literals of rounding modes.
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

/// What a float literal says.
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

/// A variable of a `var` expression.
#[derive(Clone, Debug)]
pub struct LetVar {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
}

/// The patterns of a quantifier that are matched together.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// False for `{:nopats e}`.
    pub positive: bool,
    pub terms: Vec<ExprId>,
    pub span: Span,
}

/// An attribute such as `{:inline 1}`.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Ident,
    pub params: Vec<AttributeParam>,
}

/// A parameter of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeParam {
    Str(Rc<str>),
    Expr(ExprId),
}
