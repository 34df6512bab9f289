//! Bodies of procedures. A block of the source is a block of the result; an extra first block takes the snapshots that
//! `old` needs and assumes what holds at the entry, an extra last one asserts the postconditions.

use super::{Lowered, Lowerer, OldContext, Unsupported};
use crate::source::Span;
use crate::typed::{
    AssertKind, Attribute, Attributes, Block, Condition, ExprId, Implementation, ProcedureId, Stmt, StmtKind, Terminator, VarId,
};
use fathom_base::Loc;
use fathom_ir::{self as ir, Property, StatementKind, TerminatorKind};
use fathom_term::{Substitution, Term, VarId as TermVar};

/// A body under construction.
pub(super) struct Code {
    pub context: OldContext,
    pub locals: Vec<ir::Variable>,
    pub statements: Vec<ir::Statement>,
    pub loc: Loc,
}

impl Code {
    /// Without statements.
    pub fn new(context: OldContext) -> Self {
        Code { context, locals: Vec::new(), statements: Vec::new(), loc: Loc::UNKNOWN }
    }

    /// Adds a statement.
    pub fn push(&mut self, kind: StatementKind) {
        self.statements.push(ir::Statement { kind, loc: self.loc });
    }

    /// The statements so far as a block that ends like this.
    pub fn block(&mut self, label: String, end: TerminatorKind) -> ir::Block {
        let statements = std::mem::take(&mut self.statements);
        ir::Block { label, statements, terminator: ir::Terminator { kind: end, loc: self.loc } }
    }
}

impl Lowerer<'_> {
    /// Translates every body of a procedure; several are behind a choice.
    pub(super) fn procedure(&mut self, procedure: ProcedureId) {
        let typed = self.typed;
        let declared = typed.procedure(procedure);
        let id = self.procs[&procedure];
        let name = declared.name.to_string();
        if let [only] = *declared.implementations {
            let lowered = self.implementation(procedure, only, name);
            self.procedures[id.0 as usize] = Some(lowered);
            return;
        }
        let mut bodies = Vec::new();
        for (number, &index) in declared.implementations.iter().enumerate() {
            let body = self.new_proc();
            let lowered = self.implementation(procedure, index, format!("{name}#{}", number + 1));
            self.procedures[body.0 as usize] = Some(lowered);
            bodies.push(body);
        }
        let choice = self.choice_between(procedure, &bodies);
        self.procedures[id.0 as usize] = Some(choice);
    }

    /// A procedure that calls any of these with its own parameters.
    fn choice_between(&mut self, procedure: ProcedureId, bodies: &[ir::ProcId]) -> ir::Procedure {
        let declared = self.typed.procedure(procedure);
        let mut code = Code::new(OldContext::Nothing);
        code.loc = self.loc(declared.span);
        let params = self.fresh_like(&declared.ins, &mut code);
        let results = self.fresh_like(&declared.outs, &mut code);
        let mut blocks = Vec::new();
        match (params, results) {
            (Ok(params), Ok(results)) => {
                let targets = (1..=bodies.len() as u32).map(ir::BlockId).collect();
                blocks.push(code.block("choose".into(), TerminatorKind::Goto(targets)));
                for (number, &body) in bodies.iter().enumerate() {
                    let args = params.iter().map(|&var| self.store.var_term(var)).collect();
                    code.push(StatementKind::Call { targets: results.clone(), callee: ir::Callee::Direct(body), args });
                    blocks.push(code.block(format!("body{}", number + 1), TerminatorKind::Return));
                }
                self.assembled(declared.name.to_string(), params, results, code, blocks, ir::BlockId(0), declared.span)
            }
            (Err(problem), _) | (_, Err(problem)) => self.refused(declared.name.to_string(), problem, declared.span),
        }
    }

    /// Variables of their own with the sorts of these.
    pub(super) fn fresh_like(&mut self, vars: &[VarId], code: &mut Code) -> Lowered<Vec<TermVar>> {
        let typed = self.typed;
        vars.iter()
            .map(|&var| {
                let declared = typed.var(var);
                let sort = self.sort(declared.ty, declared.span)?;
                let (id, _) = self.new_var(&declared.name, sort);
                code.locals.push(ir::Variable { id, name: declared.name.to_string(), sort });
                Ok(id)
            })
            .collect()
    }

    /// A procedure that can't be run.
    fn refused(&mut self, name: String, problem: Unsupported, span: Span) -> ir::Procedure {
        let mut code = Code::new(OldContext::Nothing);
        code.loc = self.loc(problem.span);
        code.push(StatementKind::Unsupported(problem.what));
        let blocks = vec![code.block("entry".into(), TerminatorKind::Return)];
        self.assembled(name, Vec::new(), Vec::new(), code, blocks, ir::BlockId(0), span)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one procedure, named by the parameters")]
    pub(super) fn assembled(
        &self,
        name: String,
        params: Vec<TermVar>,
        results: Vec<TermVar>,
        code: Code,
        blocks: Vec<ir::Block>,
        entry: ir::BlockId,
        span: Span,
    ) -> ir::Procedure {
        let body = Some(ir::Body { entry, blocks });
        ir::Procedure { name, params, results, variadic: None, locals: code.locals, body, loc: self.loc(span), address: None, align: 1 }
    }

    /// A variable of the body.
    fn local(&mut self, var: VarId, code: &mut Code) -> Lowered<TermVar> {
        let declared = self.typed.var(var);
        let term = self.variable(var, declared.span)?;
        let id = self.store.as_var(term).expect("a variable");
        code.locals.push(ir::Variable { id, name: declared.name.to_string(), sort: self.store.sort(term) });
        Ok(id)
    }

    fn implementation(&mut self, procedure: ProcedureId, index: usize, name: String) -> ir::Procedure {
        let implementation = &self.typed.implementations[index];
        match self.try_implementation(procedure, index, implementation, name.clone()) {
            Ok(done) => done,
            Err(problem) => self.refused(name, problem, implementation.span),
        }
    }

    fn try_implementation(
        &mut self,
        procedure: ProcedureId,
        index: usize,
        implementation: &Implementation,
        name: String,
    ) -> Lowered<ir::Procedure> {
        let context = OldContext::Implementation(index);
        let mut code = Code::new(context);
        let mut own = |lowerer: &mut Self, vars: &[VarId]| -> Lowered<Vec<TermVar>> {
            vars.iter().map(|&var| lowerer.local(var, &mut code)).collect()
        };
        let params = own(self, &implementation.ins)?;
        let results = own(self, &implementation.outs)?;
        own(self, &implementation.locals)?;
        let exit = ir::BlockId(implementation.blocks.len() as u32);
        let mut blocks = Vec::new();
        for block in &implementation.blocks {
            blocks.push(self.block(block, exit, &mut code));
        }
        blocks.push(self.exit(procedure, implementation, &mut code));
        self.prologue(procedure, implementation, &mut code);
        self.take_snapshots(context, &mut code);
        code.loc = self.loc(implementation.span);
        blocks.push(code.block("start".into(), TerminatorKind::Goto(vec![ir::BlockId(0)])));
        let entry = ir::BlockId(blocks.len() as u32 - 1);
        Ok(self.assembled(name, params, results, code, blocks, entry, implementation.span))
    }

    /// What is assumed at the entry: free preconditions, and where clauses of results and locals.
    fn prologue(&mut self, procedure: ProcedureId, implementation: &Implementation, code: &mut Code) {
        let declared = self.typed.procedure(procedure);
        let mut renaming = self.own_parameters(procedure, implementation, code.context);
        for condition in declared.requires.iter().filter(|condition| condition.free) {
            self.assume_condition(condition, OldContext::Procedure(procedure), &mut renaming, code);
        }
        for &var in implementation.outs.iter().chain(&implementation.locals) {
            self.assume_where(var, code);
        }
        // Clauses of the procedure's own results speak of the procedure's variables.
        for (&var, &own) in declared.outs.iter().zip(&implementation.outs) {
            if self.typed.var(own).where_clause.is_none()
                && let Some(clause) = self.typed.var(var).where_clause
            {
                self.assume_expr(clause, OldContext::Procedure(procedure), &mut renaming, code);
            }
        }
    }

    /// From the variables of a specification to those of a body.
    fn own_parameters(&mut self, procedure: ProcedureId, implementation: &Implementation, context: OldContext) -> Substitution {
        let declared = self.typed.procedure(procedure);
        let theirs = declared.ins.iter().chain(&declared.outs);
        let ours = implementation.ins.iter().chain(&implementation.outs);
        let pairs: Vec<(VarId, VarId)> = theirs.copied().zip(ours.copied()).collect();
        let mut images = Vec::new();
        for (theirs, ours) in pairs {
            let span = self.typed.var(ours).span;
            if let (Ok(from), Ok(to)) = (self.variable(theirs, span), self.variable(ours, span)) {
                images.extend(self.store.as_var(from).map(|from| (from, to)));
            }
        }
        self.translate_specifications(procedure);
        for (global, placeholder) in self.olds_of(OldContext::Procedure(procedure)) {
            let snapshot = self.snapshot(context, global);
            images.extend(self.store.as_var(placeholder).map(|from| (from, snapshot)));
        }
        Substitution::new(images)
    }

    /// Makes the placeholders for `old` in a procedure's specification known.
    pub(super) fn translate_specifications(&mut self, procedure: ProcedureId) {
        let declared = self.typed.procedure(procedure);
        for condition in declared.requires.iter().chain(&declared.ensures) {
            let _ = self.term(condition.condition, OldContext::Procedure(procedure));
        }
    }

    /// Globals whose old value a context mentions, in a fixed order.
    pub(super) fn olds_of(&self, context: OldContext) -> Vec<(VarId, Term)> {
        let olds = self.olds.iter().filter(|((other, _), _)| *other == context);
        let mut olds: Vec<(VarId, Term)> = olds.map(|(&(_, global), &term)| (global, term)).collect();
        olds.sort();
        olds
    }

    /// The variable that holds the value of a global at the entry of a body.
    fn snapshot(&mut self, context: OldContext, global: VarId) -> Term {
        if let Some(&known) = self.olds.get(&(context, global)) {
            return known;
        }
        let now = self.vars[&global];
        let name = format!("old({})", self.typed.var(global).name);
        let (_, term) = self.new_var(&name, self.store.sort(now));
        self.olds.insert((context, global), term);
        term
    }

    fn take_snapshots(&mut self, context: OldContext, code: &mut Code) {
        let mut pairs = Vec::new();
        for (global, snapshot) in self.olds_of(context) {
            let name = format!("old({})", self.typed.var(global).name);
            let id = self.store.as_var(snapshot).expect("a variable");
            code.locals.push(ir::Variable { id, name, sort: self.store.sort(snapshot) });
            pairs.push((id, self.vars[&global]));
        }
        if !pairs.is_empty() {
            let statement = ir::Statement { kind: StatementKind::Assign(pairs), loc: code.loc };
            code.statements.insert(0, statement);
        }
    }

    fn exit(&mut self, procedure: ProcedureId, implementation: &Implementation, code: &mut Code) -> ir::Block {
        let declared = self.typed.procedure(procedure);
        let mut renaming = self.own_parameters(procedure, implementation, code.context);
        for condition in &declared.ensures {
            if condition.free {
                self.assume_condition(condition, OldContext::Procedure(procedure), &mut renaming, code);
            } else {
                let what = format!("postcondition of {}", declared.name);
                self.assert_condition(condition, &what, OldContext::Procedure(procedure), &mut renaming, code);
            }
        }
        code.loc = self.loc(implementation.span);
        code.block("exit".into(), TerminatorKind::Return)
    }

    // ---- statements

    fn block(&mut self, block: &Block, exit: ir::BlockId, code: &mut Code) -> ir::Block {
        for statement in &block.stmts {
            self.statement(statement, code);
        }
        code.loc = self.loc(block.end_span);
        let end = match &block.end {
            Terminator::Goto(targets) => TerminatorKind::Goto(targets.iter().map(|target| ir::BlockId(target.0)).collect()),
            Terminator::Return => TerminatorKind::Goto(vec![exit]),
            Terminator::Branch { condition, then, otherwise } => match self.term(*condition, code.context) {
                Ok(condition) => TerminatorKind::Branch { condition, then: ir::BlockId(then.0), otherwise: ir::BlockId(otherwise.0) },
                Err(problem) => TerminatorKind::Unsupported(problem.what),
            },
        };
        let label = block.label.as_ref().map_or_else(String::new, |label| label.to_string());
        code.block(label, end)
    }

    fn statement(&mut self, statement: &Stmt, code: &mut Code) {
        code.loc = self.loc(statement.span);
        if let Err(problem) = self.try_statement(statement, code) {
            code.loc = self.loc(problem.span);
            code.push(StatementKind::Unsupported(problem.what));
        }
    }

    fn try_statement(&mut self, statement: &Stmt, code: &mut Code) -> Lowered<()> {
        self.note_source(&statement.attributes, code);
        match &statement.kind {
            StmtKind::Assign { targets, values } => {
                let mut pairs = Vec::new();
                for (&target, &value) in targets.iter().zip(values) {
                    let value = self.term(value, code.context)?;
                    pairs.push((self.target(target, statement.span)?, value));
                }
                code.push(StatementKind::Assign(pairs));
                targets.iter().for_each(|&target| self.watch(target, code));
            }
            StmtKind::Havoc(vars) => {
                self.havoc(vars, code)?;
            }
            StmtKind::Assume(condition) => {
                let condition = self.term(*condition, code.context)?;
                if self.store.const_bool(condition) != Some(true) {
                    code.push(StatementKind::Assume(condition));
                }
            }
            StmtKind::Assert(kind, condition) => {
                let what = match kind {
                    AssertKind::Assert => "assertion",
                    AssertKind::LoopInvariant => "loop invariant",
                    AssertKind::Unpack => "constructor of an assignment",
                };
                let message = self.message(what, &statement.attributes, *condition);
                let condition = self.term(*condition, code.context)?;
                if self.store.const_bool(condition) != Some(true) {
                    code.push(StatementKind::Assert { condition, property: Property::BoogieAssert, message });
                }
            }
            StmtKind::Call(call) => self.call(call, statement, code)?,
            StmtKind::Unsupported(what) => return super::expr::unsupported(what, statement.span),
        }
        Ok(())
    }

    pub(super) fn target(&mut self, var: VarId, span: Span) -> Lowered<TermVar> {
        let term = self.variable(var, span)?;
        Ok(self.store.as_var(term).expect("a variable"))
    }

    /// Any values that satisfy the where clauses.
    pub(super) fn havoc(&mut self, vars: &[VarId], code: &mut Code) -> Lowered<()> {
        let mut targets = Vec::new();
        for &var in vars {
            targets.push(self.target(var, self.typed.var(var).span)?);
        }
        code.push(StatementKind::Havoc { vars: targets, input: None });
        vars.iter().for_each(|&var| self.assume_where(var, code));
        vars.iter().for_each(|&var| self.watch(var, code));
        Ok(())
    }

    /// Tells traces that a variable has a new value.
    pub(super) fn watch(&mut self, var: VarId, code: &mut Code) {
        if let Some(&value) = self.vars.get(&var) {
            self.watch_as(var, value, code);
        }
    }

    /// The same, where another term than the variable's own stands for its value.
    pub(super) fn watch_as(&self, var: VarId, value: Term, code: &mut Code) {
        let declared = self.typed.var(var);
        code.push(StatementKind::Watch(ir::Watch {
            declared: 0,
            variable: declared.name.to_string(),
            type_name: self.typed.show_type(declared.ty),
            signed: false,
            ty: None,
            value,
        }));
    }

    fn assume_where(&mut self, var: VarId, code: &mut Code) {
        if let Some(clause) = self.typed.var(var).where_clause {
            let context = code.context;
            self.assume_expr(clause, context, &mut Substitution::default(), code);
        }
    }

    fn assume_expr(&mut self, condition: ExprId, context: OldContext, renaming: &mut Substitution, code: &mut Code) {
        match self.term(condition, context) {
            Ok(term) => {
                let condition = renaming.apply(&self.store, term);
                if self.store.const_bool(condition) != Some(true) {
                    code.push(StatementKind::Assume(condition));
                }
            }
            Err(problem) => code.push(StatementKind::Unsupported(problem.what)),
        }
    }

    pub(super) fn assume_condition(&mut self, condition: &Condition, context: OldContext, renaming: &mut Substitution, code: &mut Code) {
        code.loc = self.loc(condition.span);
        self.assume_expr(condition.condition, context, renaming, code);
    }

    pub(super) fn assert_condition(
        &mut self,
        condition: &Condition,
        what: &str,
        context: OldContext,
        renaming: &mut Substitution,
        code: &mut Code,
    ) {
        code.loc = self.loc(condition.span);
        let message = self.message(what, &condition.attributes, condition.condition);
        match self.term(condition.condition, context) {
            Ok(term) => {
                let condition = renaming.apply(&self.store, term);
                if self.store.const_bool(condition) != Some(true) {
                    code.push(StatementKind::Assert { condition, property: Property::BoogieAssert, message });
                }
            }
            Err(problem) => code.push(StatementKind::Unsupported(problem.what)),
        }
    }

    /// What failed, in the words of the source, with the attributes that front ends use to say where it came from.
    pub(super) fn message(&self, what: &str, attributes: &[Attribute], condition: ExprId) -> String {
        let mut message = format!("{what}: {}", self.text(self.typed.expr(condition).span));
        if let Some(text) = attributes.text("msg") {
            message = format!("{text} ({message})");
        }
        for attribute in attributes.iter().filter(|attribute| attribute.name.contains("sourceloc") || &*attribute.name == "thread") {
            let params = Self::attribute_texts(&attribute.params).join(", ");
            message += &format!(" {{:{} {params}}}", attribute.name);
        }
        message
    }

    /// Positions in the program that this one was made from appear in traces.
    fn note_source(&mut self, attributes: &[Attribute], code: &mut Code) {
        if let Some(state) = attributes.find("captureState") {
            self.note_place(format!("state {}", Self::attribute_texts(&state.params).join(", ")), code);
        }
        let Some(attribute) = attributes.find("sourceloc") else { return };
        let params = Self::attribute_texts(&attribute.params);
        if params.is_empty() {
            return;
        }
        self.note_place(params.join(":"), code);
    }

    /// A name for this place, for traces.
    fn note_place(&self, name: String, code: &mut Code) {
        code.push(StatementKind::Watch(ir::Watch {
            declared: 0,
            variable: name,
            type_name: "sourceloc".into(),
            signed: false,
            ty: None,
            value: self.store.bool(true),
        }));
    }
}
