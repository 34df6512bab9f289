//! Statements and bodies.

use super::{Parsed, Parser};
use crate::ast::{Attribute, Body, Call, ExprId, Guard, Ident, Invariant, Step, StmtId, StmtKind, Target};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// Local variables and statements up to the closing brace.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.expect(Punct::OpenBrace)?;
        self.body_until(Punct::CloseBrace)
    }

    pub(super) fn body_until(&mut self, close: Punct) -> Parsed<Body> {
        let mut locals = Vec::new();
        while self.is_keyword(Keyword::Var) {
            locals.extend(self.variables()?);
        }
        let mut stmts = Vec::new();
        while !self.is(close) {
            stmts.push(self.statement()?);
        }
        Ok(Body { locals, stmts, end: self.expect(close)? })
    }

    /// Statements in braces.
    fn block(&mut self) -> Parsed<Vec<StmtId>> {
        self.expect(Punct::OpenBrace)?;
        let mut stmts = Vec::new();
        while !self.is(Punct::CloseBrace) {
            stmts.push(crate::deep(|| self.statement())?);
        }
        self.advance();
        Ok(stmts)
    }

    fn statement(&mut self) -> Parsed<StmtId> {
        let start = self.span();
        let TokenKind::Keyword(keyword) = *self.kind() else { return self.label_or_assignment(start) };
        match keyword {
            Keyword::Assert => self.claim(start, StmtKind::Assert),
            Keyword::Assume => self.claim(start, StmtKind::Assume),
            Keyword::Havoc => {
                self.advance();
                let names = self.idents()?;
                self.finish(start, StmtKind::Havoc(names), Vec::new())
            }
            Keyword::Goto => {
                self.advance();
                let attributes = self.attributes()?;
                let labels = self.idents()?;
                self.finish(start, StmtKind::Goto(labels), attributes)
            }
            Keyword::Return => {
                self.advance();
                let attributes = self.attributes()?;
                let kind = if self.is(Punct::Semicolon) { StmtKind::Return } else { StmtKind::ReturnValue(self.expr()?) };
                self.finish(start, kind, attributes)
            }
            Keyword::Break => {
                self.advance();
                let label = if self.is(Punct::Semicolon) { None } else { Some(self.ident()?) };
                self.finish(start, StmtKind::Break(label), Vec::new())
            }
            Keyword::If => self.if_statement(start),
            Keyword::While => self.while_statement(start),
            Keyword::Call | Keyword::Free => self.call_statement(start),
            Keyword::Async if *self.kind_ahead(1) == TokenKind::Keyword(Keyword::Call) => self.call_statement(start),
            Keyword::Is | Keyword::Datatype | Keyword::Pure | Keyword::Async | Keyword::Uses => self.label_or_assignment(start),
            Keyword::Var => self.fail(start, "local variables are declared at the beginning of a body"),
            _ => self.unexpected("a statement"),
        }
    }

    fn finish(&mut self, start: Span, kind: StmtKind, attributes: Vec<Attribute>) -> Parsed<StmtId> {
        let end = self.expect(Punct::Semicolon)?;
        Ok(self.stmt_node(kind, attributes, start.to(end)))
    }

    fn claim(&mut self, start: Span, node: impl FnOnce(ExprId) -> StmtKind) -> Parsed<StmtId> {
        self.advance();
        let attributes = self.attributes()?;
        let condition = self.expr()?;
        self.finish(start, node(condition), attributes)
    }

    fn label_or_assignment(&mut self, start: Span) -> Parsed<StmtId> {
        if let Some(hint) = self.hint(start)? {
            return Ok(hint);
        }
        if !matches!(self.kind(), TokenKind::Ident { .. } | TokenKind::Keyword(_)) {
            return self.unexpected("a statement");
        }
        let name = self.ident()?;
        if self.is(Punct::Colon) {
            let end = self.advance();
            return Ok(self.stmt_node(StmtKind::Label(name), Vec::new(), start.to(end)));
        }
        if self.take(Punct::OpenParen) {
            let vars = self.idents()?;
            self.expect(Punct::CloseParen)?;
            self.expect(Punct::Assign)?;
            let attributes = self.attributes()?;
            let value = self.expr()?;
            return self.finish(start, StmtKind::Unpack { constructor: name, vars, value }, attributes);
        }
        let mut targets = vec![self.target(name)?];
        while self.take(Punct::Comma) {
            let name = self.ident()?;
            targets.push(self.target(name)?);
        }
        self.expect(Punct::Assign)?;
        let attributes = self.attributes()?;
        let values = self.list(Self::expr)?;
        self.finish(start, StmtKind::Assign { targets, values }, attributes)
    }

    fn target(&mut self, name: Ident) -> Parsed<Target> {
        let mut path = Vec::new();
        loop {
            let start = self.span();
            if self.take(Punct::OpenBracket) {
                let args = self.list_until(Punct::CloseBracket, Self::expr)?;
                path.push(Step::Index(args, start.to(self.last_span())));
            } else if self.take(Punct::Arrow) {
                path.push(Step::Field(self.ident()?));
            } else {
                return Ok(Target { name, path });
            }
        }
    }

    /// Statements that begin with a name which is a keyword only there.
    fn hint(&mut self, start: Span) -> Parsed<Option<StmtId>> {
        let TokenKind::Ident { name, escaped: false } = self.kind() else { return Ok(None) };
        let word = name.clone();
        let next = self.kind_ahead(1);
        let starts = match &*word {
            "push" | "pop" | "yield" => *next == TokenKind::Punct(Punct::Semicolon),
            "hide" | "reveal" => matches!(next, TokenKind::Ident { .. } | TokenKind::Punct(Punct::Star)),
            "measure" => !matches!(next, TokenKind::Punct(Punct::Colon | Punct::Assign | Punct::OpenBracket | Punct::Comma | Punct::Arrow)),
            "par" => matches!(next, TokenKind::Ident { .. } | TokenKind::Punct(Punct::OpenBrace) | TokenKind::Keyword(Keyword::Call)),
            _ => false,
        };
        if !starts {
            return Ok(None);
        }
        self.advance();
        let mut attributes = Vec::new();
        let kind = match &*word {
            "hide" | "reveal" => {
                let what = if self.take(Punct::Star) { "*".into() } else { self.ident()?.name };
                StmtKind::Hint { text: format!("{word} {what}").into(), args: Vec::new() }
            }
            "measure" => {
                attributes = self.attributes()?;
                StmtKind::Hint { text: word, args: self.list(Self::expr)? }
            }
            "par" => {
                self.take_keyword(Keyword::Call);
                let mut calls = vec![self.one_call(false)?];
                while self.take(Punct::Bar) {
                    calls.push(self.one_call(false)?);
                }
                StmtKind::Concurrent { what: word, calls }
            }
            "yield" => StmtKind::Concurrent { what: word, calls: Vec::new() },
            _ => StmtKind::Hint { text: word, args: Vec::new() },
        };
        self.finish(start, kind, attributes).map(Some)
    }

    fn if_statement(&mut self, start: Span) -> Parsed<StmtId> {
        // A chain of `else if` is read in a loop and put together from its end.
        let mut chain = Vec::new();
        let mut otherwise = None;
        loop {
            let from = self.expect_keyword(Keyword::If)?;
            let attributes = self.attributes()?;
            let guard = self.guard()?;
            let then = self.block()?;
            chain.push((from, attributes, guard, then));
            if !self.take_keyword(Keyword::Else) {
                break;
            }
            if !self.is_keyword(Keyword::If) {
                otherwise = Some(self.block()?);
                break;
            }
        }
        let end = self.last_span();
        let mut built = None;
        while let Some((from, attributes, guard, then)) = chain.pop() {
            let kind = StmtKind::If { guard, then, otherwise: otherwise.take() };
            let id = self.stmt_node(kind, attributes, from.to(end));
            otherwise = Some(vec![id]);
            built = Some(id);
        }
        match built {
            Some(id) => Ok(id),
            None => self.fail(start, "expected an if statement"),
        }
    }

    fn guard(&mut self) -> Parsed<Guard> {
        self.expect(Punct::OpenParen)?;
        let guard = if self.take(Punct::Star) { None } else { Some(self.expr()?) };
        self.expect(Punct::CloseParen)?;
        Ok(guard)
    }

    fn while_statement(&mut self, start: Span) -> Parsed<StmtId> {
        self.advance();
        let attributes = self.attributes()?;
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        loop {
            let from = self.span();
            if self.take_word("measure") {
                self.attributes()?;
                self.list(Self::expr)?;
                self.expect(Punct::Semicolon)?;
                continue;
            }
            let free = self.is_keyword(Keyword::Free);
            if !free && !self.is_keyword(Keyword::Invariant) {
                break;
            }
            self.take_keyword(Keyword::Free);
            self.expect_keyword(Keyword::Invariant)?;
            let attributes = self.attributes()?;
            if self.is_keyword(Keyword::Call) {
                return self.fail(self.span(), "unsupported: yield invariants of loops (concurrent Boogie)");
            }
            let condition = self.expr()?;
            let end = self.expect(Punct::Semicolon)?;
            invariants.push(Invariant { free, attributes, condition, span: from.to(end) });
        }
        let body = self.block()?;
        let span = start.to(self.last_span());
        Ok(self.stmt_node(StmtKind::While { guard, invariants, body }, attributes, span))
    }

    fn call_statement(&mut self, start: Span) -> Parsed<StmtId> {
        let is_async = self.take_keyword(Keyword::Async);
        let free = self.take_keyword(Keyword::Free);
        self.expect_keyword(Keyword::Call)?;
        let first = self.one_call(free)?;
        if !is_async && !self.is(Punct::Bar) {
            return self.finish(start, StmtKind::Call(first), Vec::new());
        }
        let mut calls = vec![first];
        while self.take(Punct::Bar) {
            calls.push(self.one_call(false)?);
        }
        let what = if is_async { "async call" } else { "parallel call" };
        self.finish(start, StmtKind::Concurrent { what: what.into(), calls }, Vec::new())
    }

    fn one_call(&mut self, free: bool) -> Parsed<Call> {
        let attributes = self.attributes()?;
        let forall = self.take_keyword(Keyword::Forall);
        let is_call = matches!(self.kind(), TokenKind::Ident { .. } | TokenKind::Keyword(_))
            && *self.kind_ahead(1) == TokenKind::Punct(Punct::OpenParen);
        let mut outs = Vec::new();
        if !is_call {
            outs = self.list(|p| if p.take(Punct::Star) { Ok(None) } else { p.ident().map(Some) })?;
            self.expect(Punct::Assign)?;
        }
        let procedure = self.ident()?;
        self.expect(Punct::OpenParen)?;
        let args = self.list_until(Punct::CloseParen, |p| {
            let wild = p.is(Punct::Star) && matches!(p.kind_ahead(1), TokenKind::Punct(Punct::Comma | Punct::CloseParen));
            if wild {
                p.advance();
                return Ok(None);
            }
            p.expr().map(Some)
        })?;
        Ok(Call { attributes, free, forall, outs, procedure, args })
    }
}
