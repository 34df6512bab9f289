//! Tokens to an `ast::Program`, by recursive descent after the grammar of Boogie (the one in its sources), with what older
//! versions had: order clauses of constants, finite types, `call forall`, `*` arguments, `<:`. Concurrent Boogie (CIVL)
//! is recognised and kept by name only. Recursion runs on a stack that grows, so nesting of any depth is read. After an
//! error the parser goes on with the next declaration, to report several errors in one run.

mod declarations;
mod expressions;
mod statements;
mod types;

use crate::ast::{
    Attribute, AttributeParam, Expr, ExprId, ExprKind, Ident, Program, Stmt, StmtId, StmtKind, Trigger, Type, TypeId, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::lexer;
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// The error was already noted; the caller passes this on to the nearest place that can go on.
pub(crate) struct Failed;
type Parsed<T> = Result<T, Failed>;

/// Further errors would not be read.
const MAX_ERRORS: usize = 100;

/// Reads one more file into the program; its text is `program.sources`' file `file`.
pub(crate) fn parse_file(program: &mut Program, file: u32) -> Vec<Diagnostic> {
    let (tokens, errors) = lexer::tokens(file, program.sources.text(file));
    let mut parser = Parser { tokens, at: 0, program, errors };
    parser.program();
    parser.errors.truncate(MAX_ERRORS);
    parser.errors
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    program: &'a mut Program,
    errors: Vec<Diagnostic>,
}

impl Parser<'_> {
    // Looking at tokens

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn kind_ahead(&self, ahead: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token that was taken last.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn is(&self, punct: Punct) -> bool {
        *self.kind() == TokenKind::Punct(punct)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        *self.kind() == TokenKind::Keyword(keyword)
    }

    /// Whether a name that is a keyword only in some places stands here.
    fn is_word(&self, word: &str) -> bool {
        self.is_word_ahead(0, word)
    }

    fn is_word_ahead(&self, ahead: usize, word: &str) -> bool {
        matches!(self.kind_ahead(ahead), TokenKind::Ident { name, escaped: false } if &**name == word)
    }

    // Taking tokens

    fn advance(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    fn take(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.advance();
        }
        found
    }

    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.errors.push(Diagnostic::error(span, message));
        Err(Failed)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = format!("expected {expected}, found {}", self.kind().describe());
        self.fail(self.span(), message)
    }

    fn expect(&mut self, punct: Punct) -> Parsed<Span> {
        if self.is(punct) { Ok(self.advance()) } else { self.unexpected(&format!("`{}`", punct.text())) }
    }

    fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<Span> {
        if self.is_keyword(keyword) { Ok(self.advance()) } else { self.unexpected(&format!("`{}`", keyword.text())) }
    }

    fn ident(&mut self) -> Parsed<Ident> {
        match self.kind() {
            TokenKind::Ident { name, escaped } if *escaped || expressions::rounding(name).is_none() => {
                let name = name.clone();
                Ok(Ident { name, span: self.advance() })
            }
            // Keywords of today's Boogie that were ordinary names before.
            TokenKind::Keyword(keyword @ (Keyword::Is | Keyword::Datatype | Keyword::Pure | Keyword::Async | Keyword::Uses)) => {
                let name = keyword.text().into();
                Ok(Ident { name, span: self.advance() })
            }
            _ => self.unexpected("a name"),
        }
    }

    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        self.list(Self::ident)
    }

    /// One or more, with commas between.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![item(self)?];
        while self.take(Punct::Comma) {
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// Any number, with commas between, up to `close`, which is taken.
    fn list_until<T>(&mut self, close: Punct, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        if self.take(close) {
            return Ok(Vec::new());
        }
        let all = self.list(item)?;
        self.expect(close)?;
        Ok(all)
    }

    // Building nodes

    fn expr_node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, span });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn stmt_node(&mut self, kind: StmtKind, attributes: Vec<Attribute>, span: Span) -> StmtId {
        self.program.stmts.push(Stmt { kind, attributes, span });
        StmtId(self.program.stmts.len() as u32 - 1)
    }

    fn type_node(&mut self, kind: TypeKind, span: Span) -> TypeId {
        self.program.types.push(Type { kind, span });
        TypeId(self.program.types.len() as u32 - 1)
    }

    // Attributes, which stand everywhere

    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut all = Vec::new();
        while self.is(Punct::OpenBrace) && *self.kind_ahead(1) == TokenKind::Punct(Punct::Colon) {
            all.push(self.attribute()?);
        }
        Ok(all)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        self.expect(Punct::OpenBrace)?;
        self.expect(Punct::Colon)?;
        let name = self.attribute_name()?;
        let params = self.list_until(Punct::CloseBrace, |p| {
            if let TokenKind::Str(text) = p.kind()
                && matches!(p.kind_ahead(1), TokenKind::Punct(Punct::Comma | Punct::CloseBrace))
            {
                let text = text.clone();
                p.advance();
                return Ok(AttributeParam::Str(text));
            }
            p.expr().map(AttributeParam::Expr)
        })?;
        Ok(Attribute { name, params })
    }

    /// A name; keywords do as well, since nothing else can stand here.
    fn attribute_name(&mut self) -> Parsed<Ident> {
        if let TokenKind::Keyword(keyword) = self.kind() {
            let name = keyword.text().into();
            return Ok(Ident { name, span: self.advance() });
        }
        self.ident()
    }

    /// Attributes and triggers before the body of a quantifier.
    fn attributes_and_triggers(&mut self) -> Parsed<(Vec<Attribute>, Vec<Trigger>)> {
        let (mut attributes, mut triggers) = (Vec::new(), Vec::new());
        while self.is(Punct::OpenBrace) {
            let start = self.span();
            if *self.kind_ahead(1) != TokenKind::Punct(Punct::Colon) {
                self.advance();
                let terms = self.list(Self::expr)?;
                let end = self.expect(Punct::CloseBrace)?;
                triggers.push(Trigger { positive: true, terms, span: start.to(end) });
                continue;
            }
            let attribute = self.attribute()?;
            match (&*attribute.name.name, &attribute.params[..]) {
                ("nopats", [AttributeParam::Expr(term)]) => {
                    triggers.push(Trigger { positive: false, terms: vec![*term], span: start.to(self.last_span()) });
                }
                ("nopats", _) => return self.fail(start, "the attribute {:nopats} takes one expression"),
                _ => attributes.push(attribute),
            }
        }
        Ok((attributes, triggers))
    }
}
