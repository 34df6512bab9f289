//! Code expressions to terms: that no execution of the blocks fails an assertion, by weakest preconditions from the last
//! block to the first. What the blocks leave arbitrary is quantified. Called procedures are taken in with their bodies;
//! loops, recursion and contracts are unsupported there.

use super::expr::unsupported;
use super::{Lowered, Lowerer, OldContext};
use crate::source::Span;
use crate::typed::{Block, BlockId, Call, Code, ExprId, Stmt, StmtKind, Terminator, VarId};
use fathom_term::{Substitution, Term, VarId as TermVar};

/// Calls inside calls, and code expressions inside what they call.
const MAX_DEPTH: u32 = 8;

/// How the expressions of blocks become terms.
#[derive(Copy, Clone)]
struct Reading {
    context: OldContext,
    /// Inside `old`.
    old: bool,
    span: Span,
}

impl Lowerer<'_> {
    /// The expressions of the blocks have their terms.
    pub(super) fn code(&mut self, code: &Code, old: bool, context: OldContext, span: Span) -> Lowered<Term> {
        if self.code_depth >= MAX_DEPTH {
            return unsupported("so deep a nesting of code expressions", span);
        }
        self.code_depth += 1;
        let holds = self.precondition(&code.blocks, self.store.bool(true), Reading { context, old, span });
        self.code_depth -= 1;
        self.for_all(&code.locals, holds?, context)
    }

    fn read(&mut self, id: ExprId, reading: Reading) -> Lowered<Term> {
        match self.exprs.get(&(id, reading.old)) {
            Some(known) => known.clone(),
            None => self.term(id, reading.context),
        }
    }

    /// What must hold before the blocks for `after` to hold behind all their executions.
    fn precondition(&mut self, blocks: &[Block], after: Term, reading: Reading) -> Lowered<Term> {
        let mut before: Vec<Option<Term>> = vec![None; blocks.len()];
        for number in last_first(blocks).ok_or(()).or_else(|()| unsupported("a loop in a code expression", reading.span))? {
            let block = &blocks[number];
            let at = |target: &BlockId| before[target.0 as usize].unwrap_or(after);
            let mut holds = match &block.end {
                Terminator::Return => after,
                Terminator::Goto(targets) => targets.iter().map(at).fold(self.store.bool(true), |all, one| self.store.and(all, one)),
                Terminator::Branch { condition, then, otherwise } => {
                    let (then, otherwise) = (at(then), at(otherwise));
                    let condition = self.read(*condition, reading)?;
                    self.store.ite(condition, then, otherwise)
                }
            };
            for statement in block.stmts.iter().rev() {
                holds = self.before_statement(statement, holds, reading)?;
            }
            before[number] = Some(holds);
        }
        Ok(before.first().copied().flatten().unwrap_or(after))
    }

    fn before_statement(&mut self, statement: &Stmt, after: Term, reading: Reading) -> Lowered<Term> {
        match &statement.kind {
            StmtKind::Assign { targets, values } => {
                let mut images = Vec::new();
                for (&target, &value) in targets.iter().zip(values) {
                    images.push((self.target(target, statement.span)?, self.read(value, reading)?));
                }
                Ok(Substitution::new(images).apply(&self.store, after))
            }
            StmtKind::Havoc(vars) => self.for_all(vars, after, reading.context),
            StmtKind::Assert(_, condition) => {
                let condition = self.read(*condition, reading)?;
                Ok(self.store.and(condition, after))
            }
            StmtKind::Assume(condition) => {
                let condition = self.read(*condition, reading)?;
                Ok(self.store.implies(condition, after))
            }
            StmtKind::Call(call) if call.forall => unsupported("call forall in a code expression", statement.span),
            StmtKind::Call(call) => self.before_call(call, after, reading, statement.span),
            StmtKind::Unsupported(what) => unsupported(what, statement.span),
        }
    }

    fn before_call(&mut self, call: &Call, after: Term, reading: Reading, span: Span) -> Lowered<Term> {
        let typed = self.typed;
        let callee = typed.procedure(call.procedure);
        let (&[index], true) = (&callee.implementations[..], callee.requires.is_empty() && callee.ensures.is_empty()) else {
            return unsupported("a call in a code expression of a procedure with a contract or without a single body", span);
        };
        if self.code_depth >= MAX_DEPTH {
            return unsupported("so deep a nesting of calls in a code expression", span);
        }
        let body = &typed.implementations[index];
        let mut results = Vec::new();
        for (out, &own) in call.outs.iter().zip(&body.outs) {
            if let Some(var) = out {
                results.push((self.target(*var, span)?, self.variable(own, span)?));
            }
        }
        let after = Substitution::new(results).apply(&self.store, after);
        let context = OldContext::Implementation(index);
        self.code_depth += 1;
        let holds = self.precondition(&body.blocks, after, Reading { context, old: false, span });
        self.code_depth -= 1;
        let mut images = Vec::new();
        for (global, placeholder) in self.olds_of(context) {
            images.extend(self.store.as_var(placeholder).map(|from| (from, self.vars[&global])));
        }
        let holds = Substitution::new(images).apply(&self.store, holds?);
        let own: Vec<VarId> = body.outs.iter().chain(&body.locals).copied().collect();
        let holds = self.for_all(&own, holds, context)?;
        let (mut passed, mut any) = (Vec::new(), Vec::new());
        for (&param, arg) in body.ins.iter().zip(&call.args) {
            match arg {
                Some(arg) => passed.push((self.target(param, span)?, self.read(*arg, reading)?)),
                None => any.push(param),
            }
        }
        let holds = self.for_all(&any, holds, context)?;
        Ok(Substitution::new(passed).apply(&self.store, holds))
    }

    /// The condition that a term holds for all values of these variables that their where clauses allow.
    fn for_all(&mut self, vars: &[VarId], mut holds: Term, context: OldContext) -> Lowered<Term> {
        let mut renaming = Vec::new();
        let mut bound: Vec<TermVar> = Vec::new();
        for &var in vars {
            let declared = self.typed.var(var);
            if let Some(clause) = declared.where_clause {
                let clause = self.term(clause, context)?;
                holds = self.store.implies(clause, holds);
            }
            let own = self.target(var, declared.span)?;
            let (fresh, term) = self.new_var(&declared.name, self.store.var_sort(own));
            renaming.push((own, term));
            bound.push(fresh);
        }
        let holds = Substitution::new(renaming).apply(&self.store, holds);
        let free = fathom_term::smtlib::Symbols::of(&self.store, &[holds]).vars;
        bound.retain(|var| free.contains(var));
        Ok(self.close(true, bound, Vec::new(), holds))
    }
}

/// The blocks that the first leads to, each behind its successors; None if there is a cycle.
fn last_first(blocks: &[Block]) -> Option<Vec<usize>> {
    let next = |block: usize| -> Vec<usize> {
        match &blocks[block].end {
            Terminator::Return => Vec::new(),
            Terminator::Goto(targets) => targets.iter().map(|target| target.0 as usize).collect(),
            Terminator::Branch { then, otherwise, .. } => vec![then.0 as usize, otherwise.0 as usize],
        }
    };
    let (mut begun, mut done, mut order) = (vec![false; blocks.len()], vec![false; blocks.len()], Vec::new());
    let mut stack = vec![(0, next(0))];
    begun[0] = true;
    while let Some((block, open)) = stack.last_mut() {
        match open.pop() {
            Some(to) if done[to] => {}
            Some(to) if begun[to] => return None,
            Some(to) => {
                begun[to] = true;
                stack.push((to, next(to)));
            }
            None => {
                done[*block] = true;
                order.push(*block);
                stack.pop();
            }
        }
    }
    Some(order)
}
