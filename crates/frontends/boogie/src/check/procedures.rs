//! Specifications of procedures, and implementations against them.

use super::{Checker, States};
use crate::ast;
use crate::typed::*;

impl Checker<'_> {
    pub(super) fn check_procedure(&mut self, decl: &ast::Decl, procedure: &ast::ProcedureDecl) {
        let signature = &procedure.signature;
        let Some(id) = self.procedures.get(&signature.name.name).copied() else { return };
        if self.out.procedure(id).span != signature.name.span {
            return;
        }
        let entry = self.out.procedure(id).clone();
        self.enter_signature(signature, &entry.type_params);
        self.scopes.push(Default::default());
        // Where clauses of in-parameters and preconditions don't see the out-parameters.
        self.bind_params(&signature.ins, &entry.ins);
        let one_state = if procedure.pure_ { States::None } else { States::One };
        self.states = one_state;
        self.check_wheres(&signature.ins, &entry.ins);
        let mut requires = Vec::new();
        for spec in &procedure.specs {
            match &spec.kind {
                ast::SpecKind::Requires { free, condition } => {
                    let condition = self.condition(*condition, "a precondition");
                    requires.push(Condition { free: *free, condition, attributes: self.attributes(&spec.attributes), span: spec.span });
                }
                ast::SpecKind::Measure(measures) => measures.iter().for_each(|measure| {
                    self.root(*measure, None);
                }),
                _ => {}
            }
        }
        self.bind_params(&signature.outs, &entry.outs);
        self.check_wheres(&signature.outs, &entry.outs);
        self.states = if procedure.pure_ { States::None } else { States::Two };
        let mut ensures = Vec::new();
        let mut modifies = Vec::new();
        for spec in &procedure.specs {
            match &spec.kind {
                ast::SpecKind::Ensures { free, condition } => {
                    let condition = self.condition(*condition, "a postcondition");
                    ensures.push(Condition { free: *free, condition, attributes: self.attributes(&spec.attributes), span: spec.span });
                }
                ast::SpecKind::Modifies(names) => names.iter().for_each(|name| self.modified(name, procedure.pure_, &mut modifies)),
                _ => {}
            }
        }
        let attributes = self.attributes(&decl.attributes);
        self.scopes.pop();
        self.types.variables.clear();
        let entry = &mut self.out.procedures[id.index()];
        (entry.requires, entry.ensures, entry.modifies, entry.attributes) = (requires, ensures, modifies, attributes);
    }

    fn modified(&mut self, name: &ast::Ident, is_pure: bool, modifies: &mut Vec<VarId>) {
        // Parameters and locals of the same name don't count: the clause lists globals.
        let Some(var) = self.globals.get(&name.name).copied() else {
            return self.error(name.span, format!("undeclared identifier: {}", name.name));
        };
        if self.out.var(var).kind != VarKind::Global {
            return self.error(name.span, format!("modifies list contains constant: {}", name.name));
        }
        if is_pure {
            return self.error(name.span, "a pure procedure modifies nothing");
        }
        if !modifies.contains(&var) {
            modifies.push(var);
        }
    }

    fn enter_signature(&mut self, signature: &ast::Signature, vars: &[TypeVarId]) {
        let names = signature.type_params.iter().map(|param| param.name.clone());
        self.types.variables = names.zip(vars.iter().copied()).collect();
    }

    /// Enters parameters; double names were reported with the signature.
    fn bind_params(&mut self, decls: &[ast::VarDecl], vars: &[VarId]) {
        for (decl, var) in decls.iter().zip(vars) {
            let scope = self.scopes.last_mut().expect("a scope is open");
            scope.entry(decl.name.name.clone()).or_insert(*var);
        }
        for (decl, var) in decls.iter().zip(vars) {
            self.out.vars[var.index()].attributes = self.attributes(&decl.attributes);
        }
    }

    fn check_wheres(&mut self, decls: &[ast::VarDecl], vars: &[VarId]) {
        for (decl, var) in decls.iter().zip(vars) {
            self.check_where(decl, *var);
        }
    }

    pub(super) fn check_implementation(&mut self, decl: &ast::Decl, signature: &ast::Signature, body: &ast::Body) {
        let name = &signature.name;
        let Some(procedure) = self.procedures.get(&name.name).copied() else {
            return self.error(name.span, format!("implementation given for undeclared procedure: {}", name.name));
        };
        let before = self.diagnostics.len();
        let (type_params, ins, outs) = self.signature(signature, "implementation arguments");
        if matches!(decl.kind, ast::DeclKind::Procedure(_)) {
            // The same signature was checked as the procedure's.
            self.diagnostics.truncate(before);
        } else {
            self.check_matching(name, procedure, &type_params, &ins, &outs);
        }
        self.enter_signature(signature, &type_params);
        self.scopes.push(Default::default());
        self.bind_params(&signature.ins, &ins);
        self.bind_params(&signature.outs, &outs);
        let locals: Vec<VarId> = body.locals.iter().map(|local| self.declare_var(local, VarKind::Local)).collect();
        self.states = States::One;
        for (local, var) in body.locals.iter().zip(&locals) {
            self.check_where(local, *var);
            self.out.vars[var.index()].attributes = self.attributes(&local.attributes);
            self.check_assumption_variable(local, *var);
        }
        self.in_pure = self.pure_procedures.contains(&procedure);
        self.states = if self.in_pure { States::None } else { States::Two };
        let attributes = self.attributes(&decl.attributes);
        self.assumptions.clear();
        let blocks = self.check_body(body);
        self.in_pure = false;
        self.scopes.pop();
        self.types.variables.clear();
        let at = self.out.implementations.len();
        self.out.implementations.push(Implementation { procedure, type_params, ins, outs, locals, blocks, attributes, span: name.span });
        self.out.procedures[procedure.index()].implementations.push(at);
    }

    /// Variables marked {:assumption} collect truth values, one conjunct at a time.
    fn check_assumption_variable(&mut self, local: &ast::VarDecl, var: VarId) {
        if !self.out.var(var).attributes.flag("assumption") {
            return;
        }
        if local.where_clause.is_some() {
            self.error(local.name.span, "assumption variable may not be declared with a where clause");
        }
        if self.out.var(var).ty != crate::Types::BOOL {
            self.error(local.name.span, "assumption variable must be of type bool");
        }
    }

    /// An implementation's parameters have the types of its procedure's, up to the names of type parameters.
    fn check_matching(&mut self, name: &ast::Ident, procedure: ProcedureId, type_params: &[TypeVarId], ins: &[VarId], outs: &[VarId]) {
        let procedure = self.out.procedure(procedure).clone();
        if procedure.type_params.len() != type_params.len() {
            let message = format!("mismatched number of type parameters in procedure implementation: {}", name.name);
            return self.error(name.span, message);
        }
        // Type parameters correspond in the order in which they occur in the parameters.
        let order = |checker: &mut Self, vars: &[VarId]| {
            let mut all: Vec<TypeVarId> = Vec::new();
            for var in vars {
                let ty = checker.out.var(*var).ty;
                let found = checker.out.types.variables(ty);
                all.extend(found.into_iter().filter(|v| !all.contains(v)).collect::<Vec<_>>());
            }
            all
        };
        let theirs = order(self, &[&procedure.ins[..], &procedure.outs[..]].concat());
        let ours = order(self, &[ins, outs].concat());
        let as_types: Vec<TypeId> = ours.iter().map(|var| self.out.types.intern(Type::Var(*var))).collect();
        for (what, theirs_params, ours_params) in [("in", &procedure.ins[..], ins), ("out", &procedure.outs[..], outs)] {
            if theirs_params.len() != ours_params.len() {
                let message = format!("mismatched number of {what}-parameters in procedure implementation: {}", name.name);
                self.error(name.span, message);
                continue;
            }
            for (a, b) in theirs_params.iter().zip(ours_params) {
                let (expected, found) = (self.out.var(*a).ty, self.out.var(*b).ty);
                let known = theirs.len().min(as_types.len());
                let expected = self.out.types.substitute(expected, &theirs[..known], &as_types[..known]);
                if expected != found {
                    let var = self.out.var(*b).clone();
                    let message = format!("mismatched type of {what}-parameter in implementation {}: {}", name.name, var.name);
                    self.error(var.span, message);
                }
            }
        }
    }
}
