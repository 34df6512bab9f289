//! One body for the whole program: every call is replaced by a copy of the callee's body with variables of its own.
//!
//! A copy's locals are new variables, which start arbitrary as locals do; that is right only because nothing here is
//! executed twice, so the body must be without loops (see `cut_loops`). Recursion and calls that can't be resolved give
//! None, and so does a result that would get too large.

use fathom_ir::{Block, BlockId, Body, Callee, ProcId, Program, Statement, StatementKind, Terminator, TerminatorKind};
use fathom_term::{Substitution, Term, TermStore, VarId};
use std::rc::Rc;

/// Statements beyond which nobody could make use of the result.
const MOST_STATEMENTS: usize = 200_000;

/// The entry's body with all calls inlined, for a program without loops.
pub fn inline_calls(program: &Program) -> Option<Body> {
    let mut inliner = Inliner { program, store: program.terms.clone(), blocks: Vec::new(), statements: 0, active: Vec::new() };
    let entry = inliner.copy(program.entry, Substitution::default(), None)?;
    Some(Body { entry, blocks: inliner.blocks })
}

struct Inliner<'a> {
    program: &'a Program,
    store: Rc<TermStore>,
    blocks: Vec<Block>,
    statements: usize,
    /// Procedures that are being copied.
    active: Vec<ProcId>,
}

impl Inliner<'_> {
    /// Copies a body; its returns go on at `after`. Gives the copy's first block.
    fn copy(&mut self, procedure: ProcId, mut renaming: Substitution, after: Option<BlockId>) -> Option<BlockId> {
        let program = self.program;
        let body = program.procedure(procedure).body.as_ref()?;
        if self.active.contains(&procedure) {
            return None;
        }
        self.active.push(procedure);
        let first = self.blocks.len() as u32;
        for block in &body.blocks {
            let loc = block.terminator.loc;
            let terminator = Terminator { kind: TerminatorKind::Return, loc };
            self.blocks.push(Block { label: block.label.clone(), statements: Vec::new(), terminator });
        }
        for (number, block) in body.blocks.iter().enumerate() {
            self.copy_block(block, BlockId(first + number as u32), first, &mut renaming, after)?;
        }
        self.active.pop();
        Some(BlockId(first + body.entry.0))
    }

    fn copy_block(&mut self, block: &Block, to: BlockId, first: u32, renaming: &mut Substitution, after: Option<BlockId>) -> Option<()> {
        self.statements += block.statements.len() + 1;
        if self.statements > MOST_STATEMENTS {
            return None;
        }
        let mut current = to;
        for statement in &block.statements {
            let loc = statement.loc;
            match &statement.kind {
                StatementKind::Watch(_) => {}
                StatementKind::Call { targets, callee: Callee::Direct(callee), args } => {
                    let args: Vec<Term> = args.iter().map(|&arg| renaming.apply(&self.store, arg)).collect();
                    let targets: Vec<VarId> = targets.iter().map(|&var| self.renamed(var, renaming)).collect::<Option<_>>()?;
                    current = self.call(*callee, &args, &targets, current, loc)?;
                }
                kind => {
                    let kind = self.renamed_statement(kind, renaming)?;
                    self.blocks[current.0 as usize].statements.push(Statement { kind, loc });
                }
            }
        }
        let moved = |target: &BlockId| BlockId(first + target.0);
        let kind = match &block.terminator.kind {
            TerminatorKind::Goto(targets) => TerminatorKind::Goto(targets.iter().map(moved).collect()),
            TerminatorKind::Branch { condition, then, otherwise } => TerminatorKind::Branch {
                condition: renaming.apply(&self.store, *condition),
                then: moved(then),
                otherwise: moved(otherwise),
            },
            TerminatorKind::Return => after.map_or(TerminatorKind::Return, |after| TerminatorKind::Goto(vec![after])),
            TerminatorKind::Switch(_) => return None,
            kind @ (TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_)) => kind.clone(),
        };
        self.blocks[current.0 as usize].terminator = Terminator { kind, loc: block.terminator.loc };
        Some(())
    }

    /// Ends the current block with a copy of the callee; gives the block in which the caller goes on.
    fn call(&mut self, callee: ProcId, args: &[Term], targets: &[VarId], current: BlockId, loc: fathom_base::Loc) -> Option<BlockId> {
        let procedure = self.program.procedure(callee);
        if procedure.variadic.is_some() || procedure.params.len() != args.len() || procedure.results.len() < targets.len() {
            return None;
        }
        let own = procedure.locals.iter().map(|local| (local.id, self.store.fresh(&local.name, local.sort)));
        let mut renaming = Substitution::new(own.collect::<Vec<_>>());
        let mut passed = Vec::new();
        for (&param, &arg) in procedure.params.iter().zip(args) {
            passed.push((self.renamed(param, &mut renaming)?, arg));
        }
        let mut results = Vec::new();
        for (&target, &result) in targets.iter().zip(&procedure.results) {
            let value = self.store.var_term(result);
            results.push((target, renaming.apply(&self.store, value)));
        }
        let end = |kind| Terminator { kind, loc };
        let label = format!("{}.after", procedure.name);
        let statements = vec![Statement { kind: StatementKind::Assign(results), loc }];
        let after = BlockId(self.blocks.len() as u32);
        self.blocks.push(Block { label, statements, terminator: end(TerminatorKind::Return) });
        let entry = self.copy(callee, renaming, Some(after))?;
        let block = &mut self.blocks[current.0 as usize];
        block.statements.push(Statement { kind: StatementKind::Assign(passed), loc });
        block.terminator = end(TerminatorKind::Goto(vec![entry]));
        Some(after)
    }

    /// The variable that stands for this one in the copy.
    fn renamed(&self, var: VarId, renaming: &mut Substitution) -> Option<VarId> {
        self.store.as_var(renaming.apply(&self.store, self.store.var_term(var)))
    }

    fn renamed_statement(&self, kind: &StatementKind, renaming: &mut Substitution) -> Option<StatementKind> {
        Some(match kind {
            StatementKind::Assign(pairs) => {
                let mut renamed = Vec::new();
                for &(target, value) in pairs {
                    renamed.push((self.renamed(target, renaming)?, renaming.apply(&self.store, value)));
                }
                StatementKind::Assign(renamed)
            }
            StatementKind::Havoc { vars, input } => {
                let vars = vars.iter().map(|&var| self.renamed(var, renaming)).collect::<Option<_>>()?;
                StatementKind::Havoc { vars, input: input.clone() }
            }
            StatementKind::Assume(condition) => StatementKind::Assume(renaming.apply(&self.store, *condition)),
            StatementKind::Assert { condition, property, message } => StatementKind::Assert {
                condition: renaming.apply(&self.store, *condition),
                property: *property,
                message: message.clone(),
            },
            StatementKind::Unsupported(what) => StatementKind::Unsupported(what.clone()),
            _ => return None,
        })
    }
}
