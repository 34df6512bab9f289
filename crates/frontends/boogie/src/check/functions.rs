//! Bodies of functions.

use super::{Checker, States, attributes};
use crate::ast;
use crate::typed::*;

impl Checker<'_> {
    pub(super) fn check_function(&mut self, decl: &ast::Decl, function: &ast::FunctionDecl) {
        let Some(id) = self.functions.get(&function.name.name).copied() else { return };
        // A function that gave way to another declaration is not looked at.
        if self.out.function(id).span != function.name.span {
            return;
        }
        let names = function.type_params.iter().map(|param| param.name.clone());
        let vars = names.zip(self.out.function(id).type_params.clone());
        let outer = std::mem::replace(&mut self.types.variables, vars.collect());
        self.scopes.push(Default::default());
        for (param, var) in function.params.iter().zip(self.out.function(id).params.clone()) {
            self.out.vars[var.index()].attributes = self.attributes(&param.attributes);
            if let Some(name) = &param.name {
                self.bind(name, var);
            }
        }
        let attributes = self.attributes(&decl.attributes);
        let body = function.body.map(|body| {
            self.states = States::None;
            let result = self.out.function(id).result;
            self.root(body, Some((result, "the body of the function")))
        });
        self.scopes.pop();
        self.types.variables = outer;
        let kind = self.body_kind(decl, function, body.is_some());
        let entry = &mut self.out.functions[id.index()];
        entry.builtin = attributes.text("bvbuiltin").or_else(|| attributes.text("builtin")).map(Into::into);
        entry.body = body.map(|body| (kind, body));
        entry.attributes = attributes;
        for axiom in &function.uses {
            self.check_axiom(&axiom.attributes, axiom.body, axiom.span);
        }
    }

    fn body_kind(&mut self, decl: &ast::Decl, function: &ast::FunctionDecl, has_body: bool) -> BodyKind {
        let inline = attributes::flag(self.ast, &decl.attributes, "inline");
        let define = attributes::flag(self.ast, &decl.attributes, "define");
        let span = function.name.span;
        if inline && define {
            self.error(span, "a function cannot have both :inline and :define");
        }
        if define && !function.type_params.is_empty() {
            self.error(span, "a function with :define has to be monomorphic");
        }
        if !has_body && define {
            self.error(span, "a function with :define must have a body");
        }
        match (inline, define) {
            (true, _) => BodyKind::Inline,
            (_, true) => BodyKind::Define,
            _ => BodyKind::Axiom,
        }
    }
}
