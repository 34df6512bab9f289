//! Attributes and the questions that everybody asks about them.

use super::ExprId;
use crate::source::Span;
use num_bigint::BigUint;
use std::rc::Rc;

/// An attribute as it was written: `{:name "text", e}`. Expressions are resolved where they can be; attributes never
/// make a program wrong.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Rc<str>,
    pub params: Vec<AttributeParam>,
    pub span: Span,
}

/// A parameter of an attribute.
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

/// Looking up attributes by name.
pub trait Attributes {
    fn find(&self, name: &str) -> Option<&Attribute>;

    /// `{:name}` or `{:name true}`.
    fn flag(&self, name: &str) -> bool;

    /// `{:name "text"}`.
    fn text(&self, name: &str) -> Option<&str>;
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
}
