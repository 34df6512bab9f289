//! Attributes. They mean nothing to executions, so one that can't be resolved stays text; in strict mode it is an error,
//! as in Boogie.

use super::Checker;
use crate::ast;
use crate::typed::{Attribute, AttributeParam};

impl Checker<'_> {
    pub(super) fn attributes(&mut self, attributes: &[ast::Attribute]) -> Vec<Attribute> {
        attributes.iter().map(|attribute| self.attribute(attribute)).collect()
    }

    fn attribute(&mut self, attribute: &ast::Attribute) -> Attribute {
        let params = attribute.params.iter().map(|param| self.attribute_param(param)).collect();
        Attribute { name: attribute.name.name.clone(), params, span: attribute.name.span }
    }

    fn attribute_param(&mut self, param: &ast::AttributeParam) -> AttributeParam {
        let expr = match param {
            ast::AttributeParam::Str(text) => return AttributeParam::Str(text.clone()),
            ast::AttributeParam::Expr(expr) => *expr,
        };
        let ast = self.ast;
        match &ast.expr(expr).kind {
            ast::ExprKind::Int(value) => AttributeParam::Int(value.clone()),
            ast::ExprKind::Bool(value) => AttributeParam::Bool(*value),
            ast::ExprKind::Str(text) => AttributeParam::Str(text.clone()),
            _ => {
                let before = self.diagnostics.len();
                let (exprs, vars) = (self.out.exprs.len(), self.out.vars.len());
                let states = std::mem::replace(&mut self.states, super::States::Two);
                // The attribute may stand inside an expression, whose inference goes on after it.
                let outer = std::mem::take(&mut self.infer);
                let typed = self.root(expr, None);
                self.infer = outer;
                self.states = states;
                let failed = self.diagnostics[before..].iter().any(|d| d.severity == crate::Severity::Error);
                if failed && self.strict {
                    return AttributeParam::Text(ast.sources.slice(ast.expr(expr).span).into());
                }
                if failed {
                    self.diagnostics.truncate(before);
                    self.out.exprs.truncate(exprs);
                    self.out.vars.truncate(vars);
                    return AttributeParam::Text(ast.sources.slice(ast.expr(expr).span).into());
                }
                AttributeParam::Expr(typed)
            }
        }
    }
}

/// `{:name}` or `{:name true}` on something that is not checked yet.
pub(super) fn flag(program: &ast::Program, attributes: &[ast::Attribute], name: &str) -> bool {
    attributes.iter().filter(|a| &*a.name.name == name).any(|attribute| match attribute.params.first() {
        Some(ast::AttributeParam::Expr(expr)) => !matches!(program.expr(*expr).kind, ast::ExprKind::Bool(false)),
        _ => true,
    })
}
