//! Modifies clauses. A global that is assigned although no clause names it is an error in strict mode; otherwise the
//! clause is completed (translators such as GPUVerify leave it out), through calls until nothing changes, and a warning
//! says so once per procedure.

use super::Checker;
use crate::typed::*;
use fathom_base::FxSet;

impl Checker<'_> {
    pub(super) fn infer_modifies(&mut self) {
        let mut missing: Vec<(ProcedureId, VarId, crate::Span)> = Vec::new();
        loop {
            let before = missing.len();
            for at in 0..self.out.implementations.len() {
                self.complete(at, &mut missing);
            }
            if missing.len() == before {
                break;
            }
        }
        self.report(&missing);
        self.check_lemmas();
    }

    /// `call forall` runs nothing, so there is nothing that it could change.
    fn check_lemmas(&mut self) {
        let statements = self.out.implementations.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.stmts);
        let changing: Vec<(crate::Span, std::rc::Rc<str>)> = statements
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Call(call) if call.forall => Some((stmt.span, self.out.procedure(call.procedure))),
                _ => None,
            })
            .filter(|(_, callee)| !callee.modifies.is_empty() || !callee.outs.is_empty())
            .map(|(span, callee)| (span, callee.name.clone()))
            .collect();
        for (span, name) in changing {
            self.error(span, format!("call forall is allowed only on procedures that change and return nothing: {name}"));
        }
    }

    /// Adds what one implementation changes to its procedure's clause.
    fn complete(&mut self, implementation: usize, missing: &mut Vec<(ProcedureId, VarId, crate::Span)>) {
        let implementation = &self.out.implementations[implementation];
        let procedure = implementation.procedure;
        let mut known: FxSet<VarId> = self.out.procedure(procedure).modifies.iter().copied().collect();
        let mut added = Vec::new();
        for stmt in implementation.blocks.iter().flat_map(|block| &block.stmts) {
            let mut change = |var: VarId| {
                if self.out.var(var).kind == VarKind::Global && known.insert(var) {
                    added.push((procedure, var, stmt.span));
                }
            };
            match &stmt.kind {
                StmtKind::Assign { targets: vars, .. } | StmtKind::Havoc(vars) => vars.iter().for_each(|var| change(*var)),
                StmtKind::Call(call) if call.forall => {}
                StmtKind::Call(call) => {
                    call.outs.iter().flatten().for_each(|var| change(*var));
                    self.out.procedure(call.procedure).modifies.iter().for_each(|var| change(*var));
                }
                StmtKind::Assert(..) | StmtKind::Assume(_) | StmtKind::Unsupported(_) => {}
            }
        }
        self.out.procedures[procedure.index()].modifies.extend(added.iter().map(|(_, var, _)| *var));
        missing.extend(added);
    }

    fn report(&mut self, missing: &[(ProcedureId, VarId, crate::Span)]) {
        if self.strict {
            for (_, var, span) in missing {
                let name = self.out.var(*var).name.clone();
                let message =
                    format!("command assigns to a global variable that is not in the enclosing procedure's modifies clause: {name}");
                self.error(*span, message);
            }
            return;
        }
        let mut said = FxSet::default();
        for (procedure, _, span) in missing {
            if said.insert(*procedure) {
                let all = missing.iter().filter(|(other, ..)| other == procedure);
                let names: Vec<&str> = all.map(|(_, var, _)| &*self.out.var(*var).name).collect();
                let message = format!(
                    "{} assigns globals that its modifies clause doesn't name; added: {}",
                    self.out.procedure(*procedure).name,
                    names.join(", ")
                );
                self.warn(*span, message);
            }
        }
    }
}
