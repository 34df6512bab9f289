//! Expressions, by the precedence of Boogie's grammar, from weakest to strongest: `<==>`, `==>` (to the right) and `<==`
//! (to the left, not mixed), `&&` or `||` (not mixed), one relation, `++`, `+ -`, `* / div mod`, `**` (to the right),
//! `is`, prefix operators, `: type`, and what follows an atom.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Binder, ExprId, ExprKind, LetVar, Rounding, UnaryOp, VarDecl};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// How tightly the operators bind.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Logical,
    Relation,
    Concat,
    Sum,
    Product,
    Power,
}

impl Level {
    fn next(self) -> Option<Level> {
        use Level::*;
        Some(match self {
            Iff => Implies,
            Implies => Logical,
            Logical => Relation,
            Relation => Concat,
            Concat => Sum,
            Sum => Product,
            Product => Power,
            Power => return None,
        })
    }
}

fn binary(kind: &TokenKind) -> Option<(Level, BinaryOp)> {
    use BinaryOp::*;
    Some(match kind {
        TokenKind::Keyword(Keyword::Div) => (Level::Product, Div),
        TokenKind::Keyword(Keyword::Mod) => (Level::Product, Mod),
        TokenKind::Punct(punct) => match punct {
            Punct::Iff => (Level::Iff, Iff),
            Punct::Implies | Punct::Explies => (Level::Implies, Implies),
            Punct::And => (Level::Logical, And),
            Punct::Or => (Level::Logical, Or),
            Punct::Eq => (Level::Relation, Eq),
            Punct::Ne => (Level::Relation, Ne),
            Punct::Lt => (Level::Relation, Lt),
            Punct::Le => (Level::Relation, Le),
            Punct::Gt => (Level::Relation, Gt),
            Punct::Ge => (Level::Relation, Ge),
            Punct::Below => (Level::Relation, Below),
            Punct::Concat => (Level::Concat, Concat),
            Punct::Plus => (Level::Sum, Add),
            Punct::Minus => (Level::Sum, Sub),
            Punct::Star => (Level::Product, Mul),
            Punct::Slash => (Level::Product, RealDiv),
            Punct::Power => (Level::Power, Pow),
            _ => return None,
        },
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        crate::deep(|| self.expr_at(Level::Iff, None))
    }

    /// An expression whose outermost operator binds at least as tightly as `weakest`. `before` is an operator of that
    /// level that this is the right side of.
    fn expr_at(&mut self, weakest: Level, mut before: Option<Punct>) -> Parsed<ExprId> {
        let mut left = self.unary()?;
        // What may follow on each level: a relation only once, and of `==>` and `<==`, `&&` and `||` only the same again.
        let mut tightest = if before.is_some() { weakest } else { Level::Power };
        loop {
            let Some((level, op)) = binary(self.kind()) else { return Ok(left) };
            if level < weakest {
                return Ok(left);
            }
            let punct = if let TokenKind::Punct(punct) = self.kind() { Some(*punct) } else { None };
            if level == tightest && level == Level::Relation && before.is_some() {
                return self.fail(self.span(), "relations don't associate: use parentheses");
            }
            if level == tightest && matches!(level, Level::Implies | Level::Logical) && before.is_some() && before != punct {
                let what = if level == Level::Logical { "&& and ||" } else { "==> and <==" };
                return self.fail(self.span(), format!("illegal mixture of {what}: use parentheses"));
            }
            self.advance();
            let right_assoc = punct == Some(Punct::Implies) || op == BinaryOp::Pow;
            let right_level = if right_assoc { Some(level) } else { level.next() };
            let right = match right_level {
                Some(level) => crate::deep(|| self.expr_at(level, punct.filter(|_| right_assoc)))?,
                None => self.unary()?,
            };
            let span = self.program.expr(left).span.to(self.program.expr(right).span);
            let (a, b) = if punct == Some(Punct::Explies) { (right, left) } else { (left, right) };
            left = self.expr_node(ExprKind::Binary(op, a, b), span);
            tightest = level;
            before = punct;
        }
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let mut prefixes = Vec::new();
        loop {
            let op = match self.kind() {
                TokenKind::Punct(Punct::Minus) => UnaryOp::Neg,
                TokenKind::Punct(Punct::Not) => UnaryOp::Not,
                _ => break,
            };
            prefixes.push((op, self.advance()));
        }
        let mut value = self.coercion()?;
        while let Some((op, start)) = prefixes.pop() {
            let span = start.to(self.program.expr(value).span);
            value = self.expr_node(ExprKind::Unary(op, value), span);
        }
        if self.is_keyword(Keyword::Is) {
            self.advance();
            let constructor = self.ident()?;
            let span = self.program.expr(value).span.to(constructor.span);
            value = self.expr_node(ExprKind::Is { value, constructor }, span);
        }
        Ok(value)
    }

    fn coercion(&mut self) -> Parsed<ExprId> {
        let mut value = self.postfix()?;
        while self.is(Punct::Colon) {
            if let TokenKind::Int(_) = self.kind_ahead(1) {
                return self.fail(self.span(), "bit-vector bounds in an illegal place");
            }
            self.advance();
            let ty = self.ty()?;
            let span = self.program.expr(value).span.to(self.last_span());
            value = self.expr_node(ExprKind::Typed { value, ty }, span);
        }
        Ok(value)
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut value = self.atom()?;
        loop {
            if self.is(Punct::OpenBracket) {
                value = self.access(value)?;
            } else if self.take(Punct::Arrow) {
                value = self.field(value)?;
            } else {
                return Ok(value);
            }
        }
    }

    /// `[i, j]`, `[i := e]` or `[8:0]` after `value`.
    fn access(&mut self, value: ExprId) -> Parsed<ExprId> {
        self.expect(Punct::OpenBracket)?;
        let start = self.program.expr(value).span;
        if let (TokenKind::Int(high), TokenKind::Punct(Punct::Colon), TokenKind::Int(low)) =
            (self.kind(), self.kind_ahead(1), self.kind_ahead(2))
        {
            let (high, low) = (high.clone(), low.clone());
            for _ in 0..3 {
                self.advance();
            }
            let end = self.expect(Punct::CloseBracket)?;
            return Ok(self.expr_node(ExprKind::Extract { value, high, low }, start.to(end)));
        }
        let mut args = Vec::new();
        if !self.is(Punct::CloseBracket) && !self.is(Punct::Assign) {
            args = self.list(Self::expr)?;
        }
        if self.take(Punct::Assign) {
            let to = self.expr()?;
            let end = self.expect(Punct::CloseBracket)?;
            return Ok(self.expr_node(ExprKind::Store { map: value, args, value: to }, start.to(end)));
        }
        let end = self.expect(Punct::CloseBracket)?;
        Ok(self.expr_node(ExprKind::Select { map: value, args }, start.to(end)))
    }

    /// `f` or `(f := e)` after `value->`.
    fn field(&mut self, value: ExprId) -> Parsed<ExprId> {
        let start = self.program.expr(value).span;
        if self.take(Punct::OpenParen) {
            let field = self.ident()?;
            self.expect(Punct::Assign)?;
            let to = self.expr()?;
            let end = self.expect(Punct::CloseParen)?;
            return Ok(self.expr_node(ExprKind::FieldUpdate { value, field, to }, start.to(end)));
        }
        let field = self.ident()?;
        let span = start.to(field.span);
        Ok(self.expr_node(ExprKind::Field { value, field }, span))
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let literal = match self.kind() {
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Int(value) => ExprKind::Int(value.clone()),
            TokenKind::Decimal(value) => ExprKind::Real(value.clone()),
            TokenKind::Float(value) => ExprKind::Float(value.clone()),
            TokenKind::BitVec { value, width } => ExprKind::BitVec { value: value.clone(), width: *width },
            TokenKind::Str(text) => ExprKind::Str(text.clone()),
            TokenKind::Keyword(Keyword::Old) => return self.in_parentheses(start, ExprKind::Old),
            TokenKind::Keyword(Keyword::Int) => return self.in_parentheses(start, ExprKind::ToInt),
            TokenKind::Keyword(Keyword::Real) => return self.in_parentheses(start, ExprKind::ToReal),
            TokenKind::Keyword(Keyword::If) => return self.if_then_else(start),
            TokenKind::Punct(Punct::OpenParen) => return self.parenthesised(),
            TokenKind::Punct(Punct::OpenCode) => return self.code(start),
            _ => return self.name_or_call(),
        };
        self.advance();
        Ok(self.expr_node(literal, start))
    }

    fn in_parentheses(&mut self, start: Span, node: impl FnOnce(ExprId) -> ExprKind) -> Parsed<ExprId> {
        self.advance();
        self.expect(Punct::OpenParen)?;
        let inner = self.expr()?;
        let end = self.expect(Punct::CloseParen)?;
        Ok(self.expr_node(node(inner), start.to(end)))
    }

    fn name_or_call(&mut self) -> Parsed<ExprId> {
        if !matches!(
            self.kind(),
            TokenKind::Ident { .. } | TokenKind::Keyword(Keyword::Is | Keyword::Datatype | Keyword::Pure | Keyword::Async | Keyword::Uses)
        ) {
            return self.unexpected("an expression");
        }
        if let TokenKind::Ident { name, escaped: false } = self.kind()
            && let Some(mode) = rounding(name)
        {
            let span = self.advance();
            return Ok(self.expr_node(ExprKind::Rounding(mode), span));
        }
        let name = self.ident()?;
        if self.take(Punct::OpenParen) {
            let args = self.list_until(Punct::CloseParen, Self::expr)?;
            let span = name.span.to(self.last_span());
            return Ok(self.expr_node(ExprKind::Call { function: name, args }, span));
        }
        Ok(self.expr_node(ExprKind::Name(name.name), name.span))
    }

    fn if_then_else(&mut self, start: Span) -> Parsed<ExprId> {
        self.advance();
        let condition = self.expr()?;
        self.expect_keyword(Keyword::Then)?;
        let then = self.expr()?;
        self.expect_keyword(Keyword::Else)?;
        let otherwise = self.expr()?;
        let span = start.to(self.last_span());
        Ok(self.expr_node(ExprKind::Ite(condition, then, otherwise), span))
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let start = self.expect(Punct::OpenParen)?;
        let quantifier = match self.kind() {
            TokenKind::Keyword(keyword @ (Keyword::Forall | Keyword::Exists | Keyword::Lambda)) => *keyword,
            TokenKind::Keyword(Keyword::Var) => return self.let_expr(start),
            _ => {
                let inner = self.expr()?;
                self.expect(Punct::CloseParen)?;
                return Ok(inner);
            }
        };
        self.quantifier(quantifier, start)
    }

    fn quantifier(&mut self, quantifier: Keyword, start: Span) -> Parsed<ExprId> {
        self.advance();
        let type_params = self.type_params()?;
        let vars = if !type_params.is_empty() && self.is(Punct::Sep) { Vec::new() } else { self.bound_vars()? };
        self.expect(Punct::Sep)?;
        let (attributes, triggers) = self.attributes_and_triggers()?;
        let body = self.expr()?;
        let end = self.expect(Punct::CloseParen)?;
        let binder = Binder { type_params, vars, attributes };
        let kind = match quantifier {
            Keyword::Lambda if !triggers.is_empty() => return self.fail(triggers[0].span, "a lambda has no triggers"),
            Keyword::Lambda => ExprKind::Lambda { binder, body },
            _ => ExprKind::Quantifier { forall: quantifier == Keyword::Forall, binder, triggers, body },
        };
        Ok(self.expr_node(kind, start.to(end)))
    }

    fn bound_vars(&mut self) -> Parsed<Vec<VarDecl>> {
        let groups = self.list(|p| {
            let attributes = p.attributes()?;
            p.typed_names(attributes, Some("bound variables"))
        })?;
        Ok(groups.into_iter().flatten().collect())
    }

    fn let_expr(&mut self, start: Span) -> Parsed<ExprId> {
        self.advance();
        let vars = self.list(|p| Ok(LetVar { attributes: p.attributes()?, name: p.ident()? }))?;
        self.expect(Punct::Assign)?;
        let values = self.list(Self::expr)?;
        self.expect(Punct::Semicolon)?;
        let attributes = self.attributes()?;
        let body = self.expr()?;
        let end = self.expect(Punct::CloseParen)?;
        Ok(self.expr_node(ExprKind::Let { vars, values, attributes, body }, start.to(end)))
    }

    /// `|{ var x: int; A: x := 1; goto B; B: return x == 1; }|`
    fn code(&mut self, start: Span) -> Parsed<ExprId> {
        self.advance();
        let body = self.body_until(Punct::CloseCode)?;
        let span = start.to(self.last_span());
        Ok(self.expr_node(ExprKind::Code(Box::new(body)), span))
    }
}

pub(super) fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "roundNearestTiesToEven" | "RNE" => Rounding::NearestTiesToEven,
        "roundNearestTiesToAway" | "RNA" => Rounding::NearestTiesToAway,
        "roundTowardPositive" | "RTP" => Rounding::TowardPositive,
        "roundTowardNegative" | "RTN" => Rounding::TowardNegative,
        "roundTowardZero" | "RTZ" => Rounding::TowardZero,
        _ => return None,
    })
}
