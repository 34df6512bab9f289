//! Slices a program to the part on which its assertions depend (Weiser 1984): statements that influence neither whether
//! an assertion is reached nor whether it holds are removed, and so are branches around them. The slice has all failing
//! runs of the program and possibly more, because removed endless loops now end, and removed assumptions are not
//! checked. So a property of the slice holds for the program. `coarsen` uses this, and its states then differ only in
//! relevant values.
//!
//! Dependence is found backwards to a fixed point, over the whole program at once and without regard to the order of
//! statements: a variable (or the contents of an exact object, named by the variable that holds its address) is needed
//! or it is not. Whatever ends a path (`exit`, a loop without end) counts as needed, for it keeps others from coming.

use crate::coarsen::base_of;
use fathom_base::FxSet;
use fathom_flow::ControlDependence;
use fathom_ir::{AccessKind, Body, Callee, ProcId, Procedure, Program, Statement, StatementKind, TerminatorKind};
use fathom_term::{Term, TermStore, VarId};

/// Drops what no assertion depends on.
pub fn slice(program: &mut Program, exact: &FxSet<VarId>) {
    let needed = Needs::of(program, exact);
    let Needs { variables, contents, procedures, deciding, controls, store, .. } = needed;
    let keeps = Kept { store: &store, exact, variables: &variables, contents: &contents, procedures: &procedures };
    for (number, procedure) in program.procedures.iter_mut().enumerate() {
        let (Some(body), Some(control)) = (&mut procedure.body, &controls[number]) else { continue };
        let guards = guarded_blocks(body, &deciding[number]);
        for (index, block) in body.blocks.iter_mut().enumerate() {
            let guarded = guards.contains(&(index as u32));
            let statements = std::mem::take(&mut block.statements);
            let kept = statements.into_iter().enumerate().filter_map(|(at, s)| keeps.rest(s, guarded && at == 0));
            block.statements = kept.collect();
            let decides = deciding[number].contains(&(index as u32));
            if !decides && block.terminator.kind.successors().len() > 1 {
                block.terminator.kind = match control.meeting(index as u32) {
                    Some(meeting) => TerminatorKind::Goto(vec![meeting]),
                    None => TerminatorKind::Return,
                };
            }
        }
    }
}

/// What the assertions depend on, as found so far.
struct Needs<'a> {
    program: &'a Program,
    store: std::rc::Rc<TermStore>,
    exact: &'a FxSet<VarId>,
    globals: FxSet<VarId>,
    controls: Vec<Option<ControlDependence>>,
    variables: FxSet<VarId>,
    /// Of exact objects.
    contents: FxSet<VarId>,
    /// Those whose calls matter for more than their results.
    procedures: Vec<bool>,
    /// For each procedure the blocks whose terminator matters.
    deciding: Vec<FxSet<u32>>,
    changed: bool,
}

impl<'a> Needs<'a> {
    fn of(program: &'a Program, exact: &'a FxSet<VarId>) -> Needs<'a> {
        let count = program.procedures.len();
        let control = |procedure: &Procedure| procedure.body.as_ref().map(|body| ControlDependence::of(body, &program.terms));
        let mut needs = Needs {
            program,
            store: program.terms.clone(),
            exact,
            globals: program.globals.iter().map(|global| global.id).collect(),
            controls: program.procedures.iter().map(control).collect(),
            variables: FxSet::default(),
            contents: FxSet::default(),
            procedures: vec![false; count],
            deciding: vec![FxSet::default(); count],
            changed: true,
        };
        while std::mem::take(&mut needs.changed) {
            for (number, procedure) in program.procedures.iter().enumerate() {
                if let Some(body) = &procedure.body {
                    needs.body(number, body);
                }
            }
        }
        needs
    }

    fn body(&mut self, number: usize, body: &Body) {
        let guards = guarded_blocks(body, &self.deciding[number]);
        for (index, block) in body.blocks.iter().enumerate() {
            let index = index as u32;
            let mut matters = false;
            for (at, statement) in block.statements.iter().enumerate() {
                matters |= self.statement(number, &statement.kind, at == 0 && guards.contains(&index));
            }
            let end = &block.terminator.kind;
            if self.controls[number].as_ref().is_some_and(|control| control.stops(index, end)) {
                matters = true;
                self.procedure(number);
            }
            if self.deciding[number].contains(&index) {
                matters = true;
                end.for_each_term(&mut |term| self.term(term));
            }
            if matters {
                let deciders = self.controls[number].as_ref().map(|control| control.deciders[index as usize].clone());
                for decider in deciders.into_iter().flatten() {
                    self.changed |= self.deciding[number].insert(decider);
                }
            }
        }
    }

    /// Whether the statement is needed; then so is what it uses.
    fn statement(&mut self, number: usize, kind: &StatementKind, guards: bool) -> bool {
        let kept = Kept {
            store: &self.store,
            exact: self.exact,
            variables: &self.variables,
            contents: &self.contents,
            procedures: &self.procedures,
        };
        if !kept.wants(kind, guards) {
            return false;
        }
        match kind {
            StatementKind::Assign(pairs) => {
                for &(target, value) in pairs {
                    if self.variables.contains(&target) {
                        self.term(value);
                    }
                }
            }
            StatementKind::Alloc { target, size, .. } => {
                self.variable(*target);
                self.term(*size);
            }
            StatementKind::Call { targets, callee: Callee::Direct(callee), args } => self.call(targets, *callee, args),
            other => {
                other.for_each_term(&mut |term| self.term(term));
                other.for_each_access(&mut |access| {
                    if access.kind == AccessKind::Read {
                        let base = base_of(&self.store, self.exact, access.pointer);
                        self.changed |= base.is_some_and(|base| self.contents.insert(base));
                    }
                });
            }
        }
        let is_felt_outside = match kind {
            kind if kind.only_computes() => {
                kind.targets().iter().any(|target| self.globals.contains(target) && self.variables.contains(target))
            }
            StatementKind::Call { targets, callee: Callee::Direct(callee), .. } => {
                self.procedures[callee.0 as usize]
                    || targets.iter().any(|target| self.globals.contains(target) && self.variables.contains(target))
            }
            StatementKind::Assume(_) | StatementKind::Alloc { .. } | StatementKind::EndScope { .. } => false,
            _ => true,
        };
        if is_felt_outside {
            self.procedure(number);
        }
        true
    }

    fn call(&mut self, targets: &[VarId], callee: ProcId, args: &[Term]) {
        let program = self.program;
        let called = program.procedure(callee);
        if called.body.is_none() {
            return;
        }
        for (target, &result) in targets.iter().zip(&called.results) {
            if self.variables.contains(target) {
                self.variable(result);
            }
        }
        for (&arg, param) in args.iter().zip(&called.params) {
            if self.variables.contains(param) {
                self.term(arg);
            }
        }
        if called.variadic.is_some_and(|extra| self.variables.contains(&extra)) {
            args.iter().skip(called.params.len()).for_each(|&arg| self.term(arg));
        }
    }

    fn procedure(&mut self, number: usize) {
        self.changed |= !std::mem::replace(&mut self.procedures[number], true);
    }

    fn variable(&mut self, variable: VarId) {
        self.changed |= self.variables.insert(variable);
    }

    fn term(&mut self, term: Term) {
        for variable in variables_of(&self.store.clone(), term) {
            self.variable(variable);
        }
    }
}

/// Decides which statements stay.
struct Kept<'a> {
    store: &'a TermStore,
    exact: &'a FxSet<VarId>,
    variables: &'a FxSet<VarId>,
    contents: &'a FxSet<VarId>,
    procedures: &'a [bool],
}

impl Kept<'_> {
    /// `guards`: the statement stands first behind a choice that matters.
    fn wants(&self, kind: &StatementKind, guards: bool) -> bool {
        let needs = |variable: &VarId| self.variables.contains(variable);
        match kind {
            StatementKind::Watch(_) => false,
            kind if kind.only_computes() => kind.targets().iter().any(needs),
            StatementKind::Assume(condition) => {
                let mentioned = variables_of(self.store, *condition);
                guards || mentioned.is_empty() || mentioned.iter().any(needs)
            }
            StatementKind::Store { pointer, .. } => match base_of(self.store, self.exact, *pointer) {
                Some(base) => self.contents.contains(&base),
                None => true,
            },
            StatementKind::Alloc { target, .. } => needs(target) || self.contents.contains(target),
            StatementKind::EndScope { variable } => needs(variable),
            StatementKind::Call { targets, callee: Callee::Direct(callee), .. } => {
                self.procedures[callee.0 as usize] || targets.iter().any(needs)
            }
            _ => true,
        }
    }

    /// What stays of a statement.
    fn rest(&self, mut statement: Statement, guards: bool) -> Option<Statement> {
        if !self.wants(&statement.kind, guards) {
            return None;
        }
        if let StatementKind::Assign(pairs) = &mut statement.kind {
            pairs.retain(|(target, _)| self.variables.contains(target));
        }
        Some(statement)
    }
}

/// Blocks that a choice which matters may go to: the assumptions at their beginning are its conditions.
fn guarded_blocks(body: &Body, deciding: &FxSet<u32>) -> FxSet<u32> {
    let choices = deciding.iter().map(|&block| &body.blocks[block as usize].terminator.kind);
    let targets = choices.filter_map(|kind| match kind {
        TerminatorKind::Goto(targets) if targets.len() > 1 => Some(targets),
        _ => None,
    });
    targets.flatten().map(|target| target.0).collect()
}

fn variables_of(store: &TermStore, term: Term) -> FxSet<VarId> {
    let mut found = FxSet::default();
    crate::coarsen::add_variables(store, term, &mut found);
    found
}
