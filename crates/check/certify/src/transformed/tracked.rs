//! Computes what is tracked: the variables that influence the behaviour of the transformed program, and the objects
//! that it reads. A run of the original and the corresponding run of the transformed program agree on exactly these; so
//! a statement of the original may be omitted if it changes none of them.
//!
//! It is computed from the transformed program alone, as the least set that contains everything that conditions,
//! accesses and allocations mention, and that with a tracked variable or parameter also contains whatever is assigned
//! to it or passed for it.

use super::exact::{Exact, visit_variables};
use fathom_base::{FxMap, FxSet};
use fathom_ir::{Callee, Program, StatementKind};
use fathom_term::{Term, TermStore, VarId};

/// What the transformed program depends on.
pub struct Tracked {
    /// None: everything.
    variables: Option<FxSet<VarId>>,
    /// The bases of exact objects that it loads from.
    objects: FxSet<VarId>,
}

impl Tracked {
    /// All variables, for programs without memory.
    pub fn everything() -> Tracked {
        Tracked { variables: None, objects: FxSet::default() }
    }

    /// Finds the variables and objects that the transformed program depends on.
    pub fn of(transformed: &Program, exact: &Exact) -> Tracked {
        let mut search = Search::default();
        let bodies = transformed.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
        for block in bodies.flat_map(|body| &body.blocks) {
            block.statements.iter().for_each(|statement| search.statement(transformed, exact, &statement.kind));
            if block.terminator.kind.successors().len() > 1 {
                block.terminator.kind.for_each_term(&mut |term| search.needed.push(term));
            }
        }
        search.close(&transformed.terms);
        Tracked { variables: Some(search.variables), objects: search.objects }
    }

    /// Whether both programs agree on the value of this variable.
    pub fn variable(&self, variable: VarId) -> bool {
        self.variables.as_ref().is_none_or(|tracked| tracked.contains(&variable))
    }

    /// Whether both programs agree on the contents of the objects of this exact variable.
    pub fn object(&self, base: VarId) -> bool {
        self.objects.contains(&base)
    }
}

#[derive(Default)]
struct Search {
    variables: FxSet<VarId>,
    objects: FxSet<VarId>,
    /// Terms all of whose variables are tracked, and variables whose sources are not yet looked at.
    needed: Vec<Term>,
    open: Vec<VarId>,
    /// What each variable gets its value from.
    terms: FxMap<VarId, Vec<Term>>,
    results: FxMap<VarId, Vec<VarId>>,
}

impl Search {
    fn statement(&mut self, program: &Program, exact: &Exact, kind: &StatementKind) {
        match kind {
            StatementKind::Watch(_) => {}
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(target, value)| self.terms.entry(target).or_default().push(value)),
            StatementKind::Call { targets, callee: Callee::Direct(callee), args } => {
                let callee = program.procedure(*callee);
                for (&param, &arg) in callee.params.iter().zip(args) {
                    self.terms.entry(param).or_default().push(arg);
                }
                if let Some(extra) = callee.variadic {
                    self.terms.entry(extra).or_default().extend(args.iter().skip(callee.params.len()));
                }
                for (&target, &result) in targets.iter().zip(&callee.results) {
                    self.results.entry(target).or_default().push(result);
                }
            }
            other => {
                if let StatementKind::Load { pointer, .. } = other {
                    self.objects.extend(exact.base(&program.terms, *pointer));
                }
                if let StatementKind::Alloc { target: variable, .. } | StatementKind::EndScope { variable } = other {
                    self.add(*variable);
                }
                other.for_each_term(&mut |term| self.needed.push(term));
            }
        }
    }

    fn add(&mut self, variable: VarId) {
        if self.variables.insert(variable) {
            self.open.push(variable);
        }
    }

    fn close(&mut self, store: &TermStore) {
        let mut visited = FxSet::default();
        loop {
            while let Some(term) = self.needed.pop() {
                visit_variables(store, term, &mut visited, &mut |variable| self.add(variable));
            }
            let Some(variable) = self.open.pop() else { break };
            self.needed.extend(self.terms.remove(&variable).into_iter().flatten());
            self.results.remove(&variable).into_iter().flatten().for_each(|result| self.add(result));
        }
    }
}
