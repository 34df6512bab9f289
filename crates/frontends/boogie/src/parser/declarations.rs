//! Declarations, and going on with the next one after an error.

use super::{MAX_ERRORS, Parsed, Parser};
use crate::ast::{
    Attribute, Axiom, ConstDecl, Constructor, Decl, DeclKind, FunctionDecl, Ident, ImplementationDecl, OrderClause, Param, ProcedureDecl,
    Signature, Spec, SpecKind, TypeKind, VarDecl,
};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        while *self.kind() != TokenKind::End && self.errors.len() < MAX_ERRORS {
            let before = self.at;
            if self.declaration().is_err() {
                if self.at == before {
                    self.advance();
                }
                self.skip_to_declaration();
            }
        }
    }

    /// After an error: on to what can only begin a declaration.
    fn skip_to_declaration(&mut self) {
        use Keyword::*;
        while !matches!(self.kind(), TokenKind::End | TokenKind::Keyword(Const | Function | Axiom | Type | Procedure | Implementation)) {
            self.advance();
        }
    }

    fn add(&mut self, attributes: Vec<Attribute>, start: Span, kind: DeclKind) {
        let span = start.to(self.last_span());
        self.program.decls.push(Decl { attributes, span, kind });
    }

    fn declaration(&mut self) -> Parsed<()> {
        let start = self.span();
        match self.kind() {
            TokenKind::Keyword(Keyword::Const) => self.constants(start),
            TokenKind::Keyword(Keyword::Function) => self.function(start, false),
            TokenKind::Keyword(Keyword::Axiom) => self.axiom_decl(start),
            TokenKind::Keyword(Keyword::Type) => self.type_decls(start),
            TokenKind::Keyword(Keyword::Datatype) => self.datatype(start),
            TokenKind::Keyword(Keyword::Var) => {
                let vars = self.variables()?;
                self.add(Vec::new(), start, DeclKind::Globals(vars));
                Ok(())
            }
            TokenKind::Keyword(Keyword::Procedure) => self.procedure(start, false),
            TokenKind::Keyword(Keyword::Pure) if *self.kind_ahead(1) == TokenKind::Keyword(Keyword::Procedure) => {
                self.advance();
                self.procedure(start, true)
            }
            TokenKind::Keyword(Keyword::Implementation) => self.implementation(start),
            TokenKind::Keyword(Keyword::Invariant | Keyword::Pure) => self.concurrent(start),
            TokenKind::Ident { name, escaped: false } => match &**name {
                "revealed" => {
                    self.advance();
                    self.function(start, true)
                }
                "hideable" => self.axiom_decl(start),
                "yield" | "left" | "right" | "both" | "atomic" | "action" | "async" => self.concurrent(start),
                _ => self.unexpected("a declaration"),
            },
            _ => self.unexpected("a declaration"),
        }
    }

    // Types

    fn type_decls(&mut self, start: Span) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let finite = self.is_word("finite") && matches!(self.kind_ahead(1), TokenKind::Ident { .. });
        if finite {
            self.advance();
        }
        loop {
            let name = self.ident()?;
            let mut params = Vec::new();
            while matches!(self.kind(), TokenKind::Ident { .. }) {
                params.push(self.ident()?);
            }
            let kind = if self.take(Punct::Is) {
                DeclKind::TypeSynonym { name, params, body: self.ty()? }
            } else {
                DeclKind::TypeCtor { name, params, finite }
            };
            self.add(attributes.clone(), start, kind);
            if !self.take(Punct::Comma) {
                self.expect(Punct::Semicolon)?;
                return Ok(());
            }
        }
    }

    fn datatype(&mut self, start: Span) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect(Punct::OpenBrace)?;
        let constructors = self.list(|p| {
            let name = p.ident()?;
            Ok(Constructor { name, fields: p.formals(Some("fields of a datatype"))? })
        })?;
        self.expect(Punct::CloseBrace)?;
        self.take(Punct::Semicolon);
        self.add(attributes, start, DeclKind::Datatype { name, type_params, constructors });
        Ok(())
    }

    // Constants, axioms, functions

    fn constants(&mut self, start: Span) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let unique = self.take_keyword(Keyword::Unique);
        let names = self.idents()?;
        self.expect(Punct::Colon)?;
        let ty = self.ty()?;
        let order = self.order_clause()?;
        let uses = self.uses()?;
        if uses.is_none() {
            self.expect(Punct::Semicolon)?;
        }
        self.add(attributes, start, DeclKind::Const(ConstDecl { unique, names, ty, order, uses: uses.unwrap_or_default() }));
        Ok(())
    }

    /// `extends unique a, b complete` (or `<: a, b`) of old programs.
    fn order_clause(&mut self) -> Parsed<Option<OrderClause>> {
        let mut parents = None;
        if self.take_word("extends") || self.take(Punct::Below) {
            let none = self.is(Punct::Semicolon) || self.is_word("complete");
            let list = if none { Vec::new() } else { self.list(|p| Ok((p.take_keyword(Keyword::Unique), p.ident()?)))? };
            parents = Some(list);
        }
        let complete = self.take_word("complete");
        Ok((complete || parents.is_some()).then_some(OrderClause { parents, complete }))
    }

    fn uses(&mut self) -> Parsed<Option<Vec<Axiom>>> {
        if !self.take_keyword(Keyword::Uses) {
            return Ok(None);
        }
        self.expect(Punct::OpenBrace)?;
        let mut axioms = Vec::new();
        while !self.take(Punct::CloseBrace) {
            axioms.push(self.axiom()?);
        }
        Ok(Some(axioms))
    }

    fn axiom(&mut self) -> Parsed<Axiom> {
        let start = self.span();
        let hideable = self.take_word("hideable");
        self.expect_keyword(Keyword::Axiom)?;
        let attributes = self.attributes()?;
        let body = self.expr()?;
        let end = self.expect(Punct::Semicolon)?;
        Ok(Axiom { attributes, hideable, body, span: start.to(end) })
    }

    fn axiom_decl(&mut self, start: Span) -> Parsed<()> {
        let axiom = self.axiom()?;
        self.add(axiom.attributes, start, DeclKind::Axiom { hideable: axiom.hideable, body: axiom.body });
        Ok(())
    }

    fn function(&mut self, start: Span, revealed: bool) -> Parsed<()> {
        self.expect_keyword(Keyword::Function)?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect(Punct::OpenParen)?;
        let mut params = self.list_until(Punct::CloseParen, Self::parameter)?;
        let result = if self.take_keyword(Keyword::Returns) {
            self.expect(Punct::OpenParen)?;
            let result = self.parameter()?;
            self.expect(Punct::CloseParen)?;
            result
        } else {
            self.expect(Punct::Colon)?;
            Param { attributes: Vec::new(), name: None, ty: self.ty()? }
        };
        self.share_types(&mut params)?;
        let mut body = None;
        if self.take(Punct::OpenBrace) {
            body = Some(self.expr()?);
            self.expect(Punct::CloseBrace)?;
        }
        let uses = self.uses()?;
        if uses.is_none() && body.is_none() {
            self.expect(Punct::Semicolon)?;
        }
        let decl = FunctionDecl { revealed, name, type_params, params, result, body, uses: uses.unwrap_or_default() };
        self.add(attributes, start, DeclKind::Function(decl));
        Ok(())
    }

    /// `x: int` or just a type.
    fn parameter(&mut self) -> Parsed<Param> {
        let attributes = self.attributes()?;
        let ty = self.ty()?;
        if !self.is(Punct::Colon) {
            return Ok(Param { attributes, name: None, ty });
        }
        let Some(name) = self.plain_name(ty) else { return self.fail(self.span(), "expected a name before `:`") };
        self.advance();
        let ty = self.ty()?;
        Ok(Param { attributes, name: Some(name), ty })
    }

    /// The name that a type without arguments is.
    fn plain_name(&self, ty: crate::ast::TypeId) -> Option<Ident> {
        let ty = self.program.ty(ty);
        match &ty.kind {
            TypeKind::Named { name, args } if args.is_empty() => Some(Ident { name: name.clone(), span: ty.span }),
            _ => None,
        }
    }

    /// In `f(x, y: int)` the first parameter was read as a type; if any has a name, all have.
    fn share_types(&mut self, params: &mut [Param]) -> Parsed<()> {
        if params.iter().all(|param| param.name.is_none()) {
            return Ok(());
        }
        let mut following = None;
        for param in params.iter_mut().rev() {
            if param.name.is_some() {
                following = Some(param.ty);
                continue;
            }
            let span = self.program.ty(param.ty).span;
            let Some(ty) = following else { return self.fail(span, "the type of the last parameter is missing") };
            let Some(name) = self.plain_name(param.ty) else {
                return self.fail(span, "expected the name of a parameter");
            };
            param.name = Some(name);
            param.ty = ty;
        }
        Ok(())
    }

    // Variables

    /// `var x, y: int where e, z: bool;`
    pub(super) fn variables(&mut self) -> Parsed<Vec<VarDecl>> {
        self.expect_keyword(Keyword::Var)?;
        let attributes = self.attributes()?;
        let groups = self.list(|p| p.typed_names(attributes.clone(), None))?;
        self.expect(Punct::Semicolon)?;
        Ok(groups.into_iter().flatten().collect())
    }

    /// `x, y: int where e`. `no_where` says on what a where clause is not allowed.
    pub(super) fn typed_names(&mut self, attributes: Vec<Attribute>, no_where: Option<&str>) -> Parsed<Vec<VarDecl>> {
        let names = self.idents()?;
        self.expect(Punct::Colon)?;
        let ty = self.ty()?;
        let mut where_clause = None;
        let at = self.span();
        if self.take_keyword(Keyword::Where) {
            where_clause = Some(self.expr()?);
            if let Some(what) = no_where {
                return self.fail(at, format!("where clause not allowed on {what}"));
            }
        }
        Ok(names.into_iter().map(|name| VarDecl { attributes: attributes.clone(), name, ty, where_clause }).collect())
    }

    fn formals(&mut self, no_where: Option<&str>) -> Parsed<Vec<VarDecl>> {
        self.expect(Punct::OpenParen)?;
        let groups = self.list_until(Punct::CloseParen, |p| {
            let attributes = p.attributes()?;
            p.typed_names(attributes, no_where)
        })?;
        Ok(groups.into_iter().flatten().collect())
    }

    // Procedures

    fn signature(&mut self, no_where: Option<&str>) -> Parsed<Signature> {
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let ins = self.formals(no_where)?;
        let outs = if self.take_keyword(Keyword::Returns) { self.formals(no_where)? } else { Vec::new() };
        Ok(Signature { name, type_params, ins, outs })
    }

    fn procedure(&mut self, start: Span, pure_: bool) -> Parsed<()> {
        self.expect_keyword(Keyword::Procedure)?;
        let attributes = self.attributes()?;
        let signature = self.signature(None)?;
        let without_body = self.take(Punct::Semicolon);
        let mut specs = Vec::new();
        while let Some(spec) = self.spec()? {
            specs.push(spec);
        }
        let body = if without_body { None } else { Some(self.body()?) };
        self.add(attributes, start, DeclKind::Procedure(Box::new(ProcedureDecl { pure_, signature, specs, body })));
        Ok(())
    }

    fn spec(&mut self) -> Parsed<Option<Spec>> {
        let start = self.span();
        let free = self.take_keyword(Keyword::Free);
        let mut attributes = Vec::new();
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Modifies) if !free => {
                self.advance();
                SpecKind::Modifies(if self.is(Punct::Semicolon) { Vec::new() } else { self.idents()? })
            }
            TokenKind::Keyword(keyword @ (Keyword::Requires | Keyword::Ensures)) => {
                let requires = *keyword == Keyword::Requires;
                self.advance();
                attributes = self.attributes()?;
                let condition = self.expr()?;
                if requires { SpecKind::Requires { free, condition } } else { SpecKind::Ensures { free, condition } }
            }
            TokenKind::Ident { name, escaped: false } if &**name == "measure" => {
                self.advance();
                attributes = self.attributes()?;
                SpecKind::Measure(self.list(Self::expr)?)
            }
            _ if free => return self.unexpected("`requires` or `ensures`"),
            _ => return Ok(None),
        };
        let end = self.expect(Punct::Semicolon)?;
        Ok(Some(Spec { kind, attributes, span: start.to(end) }))
    }

    fn implementation(&mut self, start: Span) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let signature = self.signature(Some("the parameters of an implementation"))?;
        let body = self.body()?;
        self.add(attributes, start, DeclKind::Implementation(Box::new(ImplementationDecl { signature, body })));
        Ok(())
    }

    // Concurrent Boogie

    /// An action, a yield invariant or a yielding procedure: skipped, and kept by name.
    fn concurrent(&mut self, start: Span) -> Parsed<()> {
        let mut what = String::new();
        loop {
            let word = match self.kind() {
                TokenKind::Ident { name, escaped: false }
                    if ["yield", "left", "right", "both", "atomic", "action", "async"].contains(&&**name) =>
                {
                    name.to_string()
                }
                TokenKind::Keyword(keyword @ (Keyword::Procedure | Keyword::Invariant | Keyword::Pure | Keyword::Async)) => {
                    keyword.text().to_string()
                }
                _ => break,
            };
            self.advance();
            what = format!("{what}{}{word}", if what.is_empty() { "" } else { " " });
        }
        self.attributes()?;
        let name = self.ident()?;
        let mut depth = 0usize;
        while *self.kind() != TokenKind::End {
            match self.kind() {
                TokenKind::Punct(Punct::OpenBrace | Punct::OpenParen) => depth += 1,
                TokenKind::Punct(Punct::CloseBrace | Punct::CloseParen) => depth = depth.saturating_sub(1),
                TokenKind::Ident { name, escaped: false } if depth == 0 && &**name == "refines" => {
                    // The action that is refined may be written out here.
                    while matches!(self.kind(), TokenKind::Ident { .. }) {
                        self.advance();
                    }
                    continue;
                }
                _ if depth == 0 && self.begins_declaration() => break,
                _ => {}
            }
            self.advance();
        }
        self.add(Vec::new(), start, DeclKind::Unsupported { what: what.into(), name: Some(name) });
        Ok(())
    }

    fn begins_declaration(&self) -> bool {
        use Keyword::*;
        match self.kind() {
            TokenKind::Keyword(keyword) => {
                matches!(keyword, Const | Function | Axiom | Type | Datatype | Var | Procedure | Implementation | Pure | Invariant)
            }
            TokenKind::Ident { name, escaped: false } => {
                ["yield", "left", "right", "both", "atomic", "action", "revealed", "hideable", "async"].contains(&&**name)
            }
            _ => false,
        }
    }
}
