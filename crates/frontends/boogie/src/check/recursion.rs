//! Functions that are replaced by their bodies ({:inline}) or defined by them ({:define}) must not call themselves, not
//! even through each other.

use super::Checker;
use crate::typed::*;
use fathom_flow::Graph;

impl Checker<'_> {
    pub(super) fn check_recursion(&mut self) {
        let expanded =
            |program: &Program, id: FunctionId| matches!(program.function(id).body, Some((BodyKind::Inline | BodyKind::Define, _)));
        let count = self.out.functions.len();
        let mut calls: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (at, called) in calls.iter_mut().enumerate() {
            let id = FunctionId(at as u32);
            if !expanded(&self.out, id) {
                continue;
            }
            let Some((_, body)) = self.out.function(id).body else { continue };
            let found = self.out.functions_called(body);
            called.extend(found.into_iter().filter(|callee| expanded(&self.out, *callee)).map(|callee| callee.0));
        }
        let recursive = Graph::new(calls).on_cycle();
        for at in (0..count).filter(|at| recursive[*at]) {
            let (name, span) = (self.out.functions[at].name.clone(), self.out.functions[at].span);
            self.error(span, format!("call cycle among functions with :inline or :define, at {name}"));
        }
    }
}

impl Program {
    /// The functions that an expression calls, each once.
    fn functions_called(&self, root: ExprId) -> Vec<FunctionId> {
        let mut seen = fathom_base::FxSet::default();
        let mut found = Vec::new();
        self.visit(root, |expr| {
            if let ExprKind::Call { function, .. } = &self.expr(expr).kind
                && seen.insert(*function)
            {
                found.push(*function);
            }
        });
        found
    }

    /// Visits every part of an expression once, triggers too, without recursion.
    pub fn visit(&self, root: ExprId, mut visitor: impl FnMut(ExprId)) {
        let mut seen = fathom_base::FxSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                visitor(id);
                self.expr(id).kind.children(|child| open.push(child));
            }
        }
    }
}
