//! One body for the whole program: every call is replaced by a copy of the callee's body with variables of its own.
//!
//! A copy's locals are new variables, which start arbitrary as locals do; that is right only because nothing here is
//! executed twice, so the body must be without loops (see `cut_loops`). Recursion and calls that can't be resolved give
//! None, and so does a result that would get too large.

use crate::copying::{Inlining, Renaming, bind, copy_body};
use fathom_base::{FxMap, Loc};
use fathom_ir::{Block, BlockId, Body, Callee, ControlEffect, ProcId, Program, Statement, StatementKind, Terminator, TerminatorKind};
use fathom_term::{Term, TermStore, VarId};
use std::rc::Rc;

/// Beyond this many statements the result would be too large to be of use.
const MOST_STATEMENTS: usize = 200_000;

/// The entry's body with all calls inlined, for a program without loops.
pub fn inline_calls(program: &Program) -> Option<Body> {
    let mut inliner = Inliner { program, store: program.terms.clone(), blocks: Vec::new(), statements: 0, active: Vec::new() };
    let renaming = Renaming::new(&program.terms, FxMap::default(), []);
    let entry = inliner.copy(program.entry, renaming, None).ok()?;
    Some(Body { entry: BlockId(entry as u32), blocks: inliner.blocks })
}

struct Inliner<'a> {
    program: &'a Program,
    store: Rc<TermStore>,
    blocks: Vec<Block>,
    statements: usize,
    /// Procedures that are being copied.
    active: Vec<ProcId>,
}

struct Copy {
    renaming: Renaming,
    /// Where its returns go on; nowhere from the entry.
    after: Option<usize>,
}

/// The program can't be made one body.
struct NotInlined;

impl Inlining for Inliner<'_> {
    type Copy = Copy;
    type Failure = NotInlined;

    fn new_block(&mut self, _: &Copy, _: usize, block: &Block) -> Result<usize, NotInlined> {
        Ok(self.empty_block(block.label.clone(), block.terminator.loc))
    }

    fn statement(&mut self, copy: &mut Copy, at: usize, statement: &Statement) -> Result<Option<usize>, NotInlined> {
        let (kind, loc) = (copy.renaming.statement(&self.store, &statement.kind), statement.loc);
        match kind {
            StatementKind::Call { targets, callee: Callee::Direct(callee), args } => {
                return self.call(callee, &args, &targets, at, loc).map(Some);
            }
            _ if kind.touches_memory() => return Err(NotInlined),
            _ => match kind.control() {
                ControlEffect::Straight | ControlEffect::Assumes | ControlEffect::Asserts | ControlEffect::Unsupported => {}
                ControlEffect::Calls | ControlEffect::Threads | ControlEffect::Watches => return Err(NotInlined),
            },
        }
        self.blocks[at].statements.push(Statement { kind, loc });
        Ok(Some(at))
    }

    fn end(&mut self, copy: &mut Copy, at: usize, first: usize, block: &Block) -> Result<(), NotInlined> {
        self.statements += block.statements.len() + 1;
        if self.statements > MOST_STATEMENTS {
            return Err(NotInlined);
        }
        let mut kind = block.terminator.kind.clone();
        match (&kind, copy.after) {
            (TerminatorKind::Switch(_), _) => return Err(NotInlined),
            (TerminatorKind::Return, Some(after)) => kind = TerminatorKind::Goto(vec![BlockId(after as u32)]),
            _ => {
                kind.map_terms(&mut |term| copy.renaming.term(&self.store, term));
                kind.map_targets(&mut |target| BlockId(first as u32 + target.0));
            }
        }
        self.blocks[at].terminator = Terminator { kind, loc: block.terminator.loc };
        Ok(())
    }
}

impl Inliner<'_> {
    fn empty_block(&mut self, label: String, loc: Loc) -> usize {
        let terminator = Terminator { kind: TerminatorKind::Return, loc };
        self.blocks.push(Block { label, statements: Vec::new(), terminator });
        self.blocks.len() - 1
    }

    /// Copies a body; its returns go on at `after`. Gives the copy's first block.
    fn copy(&mut self, procedure: ProcId, renaming: Renaming, after: Option<usize>) -> Result<usize, NotInlined> {
        let program = self.program;
        let body = program.procedure(procedure).body.as_ref().ok_or(NotInlined)?;
        if self.active.contains(&procedure) {
            return Err(NotInlined);
        }
        self.active.push(procedure);
        let entry = copy_body(self, &mut Copy { renaming, after }, body)?;
        self.active.pop();
        Ok(entry)
    }

    /// Ends the current block with a copy of the callee; gives the block in which the caller goes on.
    fn call(&mut self, callee: ProcId, args: &[Term], targets: &[VarId], current: usize, loc: Loc) -> Result<usize, NotInlined> {
        let program = self.program;
        let procedure = program.procedure(callee);
        if procedure.variadic.is_some() || procedure.params.len() != args.len() || procedure.results.len() < targets.len() {
            return Err(NotInlined);
        }
        let store = self.store.clone();
        let own = |local: &fathom_ir::Variable| Some((local.id, store.as_var(store.fresh(&local.name, local.sort))?));
        let names: FxMap<VarId, VarId> = procedure.locals.iter().filter_map(own).collect();
        let renaming = Renaming::new(&store, names, []);
        let passed = bind(&store, &renaming.vars(&procedure.params), args).ok_or(NotInlined)?;
        let results: Vec<Term> = renaming.vars(&procedure.results).into_iter().map(|result| store.var_term(result)).collect();
        let results = bind(&store, targets, &results).ok_or(NotInlined)?;
        let assign = |pairs| Statement { kind: StatementKind::Assign(pairs), loc };
        let after = self.empty_block(format!("{}.after", procedure.name), loc);
        self.blocks[after].statements.push(assign(results.pairs));
        let entry = self.copy(callee, renaming, Some(after))?;
        let block = &mut self.blocks[current];
        block.statements.push(assign(passed.pairs));
        block.terminator = Terminator { kind: TerminatorKind::Goto(vec![BlockId(entry as u32)]), loc };
        Ok(after)
    }
}
