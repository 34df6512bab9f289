//! Types. As in Boogie's grammar, a type constructor takes as many arguments as can be read: `x : C < 0` reads `<` as the
//! beginning of a polymorphic map type.

use super::{Parsed, Parser};
use crate::ast::{Ident, TypeId, TypeKind};
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        crate::deep(|| match self.kind() {
            TokenKind::Ident { .. } => {
                let name = self.ident()?;
                let args = self.type_args()?;
                let span = name.span.to(self.last_span());
                Ok(self.type_node(TypeKind::Named { name: name.name, args }, span))
            }
            TokenKind::Punct(Punct::Lt | Punct::OpenBracket) => self.map_type(),
            _ => match self.type_atom()? {
                Some(ty) => Ok(ty),
                None => self.unexpected("a type"),
            },
        })
    }

    fn type_args(&mut self) -> Parsed<Vec<TypeId>> {
        let mut args = Vec::new();
        loop {
            match self.kind() {
                // The order clause of an old constant follows its type.
                TokenKind::Ident { name, escaped: false } if matches!(&**name, "extends" | "complete") => {
                    return Ok(args);
                }
                TokenKind::Ident { .. } => {
                    let name = self.ident()?;
                    args.push(self.type_node(TypeKind::Named { name: name.name, args: Vec::new() }, name.span));
                }
                TokenKind::Punct(Punct::Lt | Punct::OpenBracket) => {
                    args.push(self.map_type()?);
                    return Ok(args);
                }
                _ => match self.type_atom()? {
                    Some(ty) => args.push(ty),
                    None => return Ok(args),
                },
            }
        }
    }

    /// A type that needs no parentheses, unless something else stands here.
    fn type_atom(&mut self) -> Parsed<Option<TypeId>> {
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Int) => TypeKind::Int,
            TokenKind::Keyword(Keyword::Real) => TypeKind::Real,
            TokenKind::Keyword(Keyword::Bool) => TypeKind::Bool,
            TokenKind::Punct(Punct::OpenParen) => {
                self.advance();
                let inner = crate::deep(|| self.ty())?;
                self.expect(Punct::CloseParen)?;
                return Ok(Some(inner));
            }
            _ => return Ok(None),
        };
        let span = self.advance();
        Ok(Some(self.type_node(kind, span)))
    }

    fn map_type(&mut self) -> Parsed<TypeId> {
        let start = self.span();
        let type_params = self.type_params()?;
        self.expect(Punct::OpenBracket)?;
        let args = self.list_until(Punct::CloseBracket, Self::ty)?;
        let result = self.ty()?;
        let span = start.to(self.last_span());
        Ok(self.type_node(TypeKind::Map { type_params, args, result }, span))
    }

    /// `<a, b>`, or nothing.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.take(Punct::Lt) {
            return Ok(Vec::new());
        }
        let all = self.idents()?;
        self.expect(Punct::Gt)?;
        Ok(all)
    }
}
