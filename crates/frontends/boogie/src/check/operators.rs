//! Operators. Arithmetic is on two integers, two reals or two floats of one format; `/` also takes integers, which become
//! reals. Anything of types that could be equal can be compared.

use super::Checker;
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use num_bigint::BigUint;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: ast::ExprId, span: Span) -> ExprId {
        let value = self.expr(value);
        let found = self.out.type_of(value);
        let fits = match op {
            UnaryOp::Not => {
                if self.in_trigger {
                    self.error(span, "boolean operators are not allowed in triggers");
                }
                self.unify(found, Types::BOOL)
            }
            UnaryOp::Neg => match self.head_type(found) {
                Type::Infer(_) => self.unify(found, Types::INT),
                ty => matches!(ty, Type::Int | Type::Real | Type::Float { .. }),
            },
        };
        if !fits {
            let sign = if op == UnaryOp::Not { "!" } else { "-" };
            let message = format!("invalid argument type ({}) to unary operator {sign}", self.show(found));
            return self.wrong(span, message);
        }
        self.node(ExprKind::Unary(op, value), found, span)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ast::ExprId, b: ast::ExprId, span: Span) -> ExprId {
        let a = self.expr(a);
        let b = self.expr(b);
        if self.in_trigger {
            self.check_trigger_operator(op, span);
        }
        if op == BinaryOp::Concat {
            return self.concat(a, b, span);
        }
        let (left, right) = (self.out.type_of(a), self.out.type_of(b));
        let ty = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => self.both(left, right, Types::BOOL).then_some(Types::BOOL),
            BinaryOp::Eq | BinaryOp::Ne => self.comparable(left, right).then_some(Types::BOOL),
            BinaryOp::Below => self.unify(left, right).then_some(Types::BOOL),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => self.numbers(left, right).map(|_| Types::BOOL),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.numbers(left, right),
            BinaryOp::Div | BinaryOp::Mod => self.both(left, right, Types::INT).then_some(Types::INT),
            BinaryOp::Pow => self.both(left, right, Types::REAL).then_some(Types::REAL),
            BinaryOp::RealDiv => return self.real_div(a, b, span),
            BinaryOp::Concat => None,
        };
        let Some(ty) = ty else { return self.bad_operands(op, left, right, span) };
        self.node(ExprKind::Binary(op, a, b), ty, span)
    }

    fn check_trigger_operator(&mut self, op: BinaryOp, span: Span) {
        let what = match op {
            BinaryOp::Eq | BinaryOp::Ne => "equality is",
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => "arithmetic comparisons are",
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => "boolean operators are",
            _ => return,
        };
        self.error(span, format!("{what} not allowed in triggers"));
    }

    fn bad_operands(&mut self, op: BinaryOp, left: TypeId, right: TypeId, span: Span) -> ExprId {
        let message = format!("invalid argument types ({} and {}) to binary operator {}", self.show(left), self.show(right), op.text());
        self.wrong(span, message)
    }

    fn both(&mut self, left: TypeId, right: TypeId, ty: TypeId) -> bool {
        self.unify(left, ty) && self.unify(right, ty)
    }

    /// The common type of two numbers.
    fn numbers(&mut self, left: TypeId, right: TypeId) -> Option<TypeId> {
        let is_number = |ty: &Type| matches!(ty, Type::Int | Type::Real | Type::Float { .. });
        let ty = match (self.head_type(left), self.head_type(right)) {
            (Type::Infer(_), Type::Infer(_)) => Types::INT,
            (Type::Infer(_), ty) if is_number(&ty) => right,
            (ty, _) if is_number(&ty) => left,
            _ => return None,
        };
        self.both(left, right, ty).then_some(ty)
    }

    /// `/` gives a real: integers are converted.
    fn real_div(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (left, right) = (self.out.type_of(a), self.out.type_of(b));
        if let (Type::Float { .. }, Type::Float { .. }) = (self.head_type(left), self.head_type(right)) {
            if !self.unify(left, right) {
                return self.bad_operands(BinaryOp::RealDiv, left, right, span);
            }
            return self.node(ExprKind::Binary(BinaryOp::RealDiv, a, b), left, span);
        }
        let mut operands = [a, b];
        for operand in &mut operands {
            let ty = self.out.type_of(*operand);
            match self.head_type(ty) {
                Type::Real => {}
                Type::Int | Type::Infer(_) => {
                    self.unify(ty, Types::INT);
                    let at = self.out.expr(*operand).span;
                    *operand = self.node(ExprKind::ToReal(*operand), Types::REAL, at);
                }
                _ => return self.bad_operands(BinaryOp::RealDiv, left, right, span),
            }
        }
        self.node(ExprKind::Binary(BinaryOp::RealDiv, operands[0], operands[1]), Types::REAL, span)
    }

    fn concat(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (left, right) = (self.out.type_of(a), self.out.type_of(b));
        let (Type::BitVec(m), Type::BitVec(n)) = (self.head_type(left), self.head_type(right)) else {
            if let Some(ty) = self.open_concat(left, right, span) {
                return self.node(ExprKind::Binary(BinaryOp::Concat, a, b), ty, span);
            }
            let message = format!("++ operands need to be bitvectors (got {}, {})", self.show(left), self.show(right));
            return self.wrong(span, message);
        };
        if m + n > crate::MAX_WIDTH {
            return self.wrong(span, "the result of ++ is too wide");
        }
        let ty = self.out.types.bit_vec(m + n);
        self.node(ExprKind::Binary(BinaryOp::Concat, a, b), ty, span)
    }

    pub(super) fn extract(&mut self, value: ast::ExprId, high: &BigUint, low: &BigUint, span: Span) -> ExprId {
        let value = self.expr(value);
        let found = self.out.type_of(value);
        self.settle_concats();
        let Type::BitVec(width) = self.head_type(found) else {
            let message = format!("extract operand must be a bitvector (got {})", self.show(found));
            return self.wrong(span, message);
        };
        if low > high {
            return self.wrong(span, "start index in extract must be no bigger than the end index");
        }
        let (Ok(high), Ok(low)) = (u32::try_from(high), u32::try_from(low)) else {
            return self.wrong(span, format!("extract reaches beyond the {width} bits of its operand"));
        };
        if high > width {
            return self.wrong(span, format!("extract operand must be a bitvector of at least {high} bits (got bv{width})"));
        }
        let ty = self.out.types.bit_vec(high - low);
        self.node(ExprKind::Extract { value, high, low }, ty, span)
    }
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Iff => "<==>",
            Implies => "==>",
            And => "&&",
            Or => "||",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Below => "<:",
            Concat => "++",
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "div",
            Mod => "mod",
            RealDiv => "/",
            Pow => "**",
        }
    }
}
