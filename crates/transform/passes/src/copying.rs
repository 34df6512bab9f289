//! Copies procedure bodies, for inliners. A call is replaced by a copy of the callee: its parameters are assigned the
//! arguments, and its returns assign the results to the call's targets and continue after the call. A copy has its own
//! variables, so it is a body with renamed variables and renumbered blocks.
//!
//! The implementation of [`Inlining`] decides what a copy consists of (blocks of a program, or raw blocks of a flat
//! one), and how to treat calls that cannot be replaced and statements with a special meaning.

use fathom_base::FxMap;
use fathom_ir::{Block, Body, ControlEffect, Statement, StatementKind};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};

/// What the variables of a procedure are called in a copy of it, and what its terms become.
pub struct Renaming {
    names: FxMap<VarId, VarId>,
    images: Substitution,
}

impl Renaming {
    /// Variables get these names in the copy; in terms some of them, or other symbols, become these `values` instead.
    pub fn new(store: &TermStore, names: FxMap<VarId, VarId>, values: impl IntoIterator<Item = (VarId, Term)>) -> Renaming {
        let mut images: FxMap<VarId, Term> = names.iter().map(|(&old, &new)| (old, store.var_term(new))).collect();
        images.extend(values);
        Renaming { names, images: Substitution::new(images) }
    }

    /// The variable that stands for this one in the copy.
    pub fn var(&self, var: VarId) -> VarId {
        self.names.get(&var).copied().unwrap_or(var)
    }

    /// The variables that stand for these in the copy.
    pub fn vars(&self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter().map(|&var| self.var(var)).collect()
    }

    /// A term of the procedure in the copy.
    pub fn term(&mut self, store: &TermStore, term: Term) -> Term {
        self.images.apply(store, term)
    }

    /// A statement of the procedure in the copy.
    pub fn statement(&mut self, store: &TermStore, kind: &StatementKind) -> StatementKind {
        let mut kind = kind.clone();
        kind.map_terms(&mut |term| self.images.apply(store, term));
        kind.map_targets(&mut |var| self.names.get(&var).copied().unwrap_or(var));
        kind
    }
}

/// What becomes of the blocks and statements of a copy. Blocks are numbered as they are made.
pub trait Inlining {
    /// What the user of the copier keeps about one copy.
    type Copy;
    /// Why the whole can't be done.
    type Failure;

    /// A new block for the block with that number of the procedure; it is still empty.
    fn new_block(&mut self, copy: &Self::Copy, number: usize, block: &Block) -> Result<usize, Self::Failure>;

    /// Adds a statement to the block `at`. Tells the block in which the copy goes on: another one behind a call, none where
    /// control never comes further.
    fn statement(&mut self, copy: &mut Self::Copy, at: usize, statement: &Statement) -> Result<Option<usize>, Self::Failure>;

    /// Ends the block `at` as the procedure's block ends, whose first block is now `first`.
    fn end(&mut self, copy: &mut Self::Copy, at: usize, first: usize, block: &Block) -> Result<(), Self::Failure>;
}

/// Copies a body. Tells where its entry is now.
pub fn copy_body<I: Inlining>(inlining: &mut I, copy: &mut I::Copy, body: &Body) -> Result<usize, I::Failure> {
    let mut starts = Vec::with_capacity(body.blocks.len());
    for (number, block) in body.blocks.iter().enumerate() {
        starts.push(inlining.new_block(copy, number, block)?);
    }
    'blocks: for (block, &start) in body.blocks.iter().zip(&starts) {
        let mut at = start;
        // Copies are analysed, never replayed, so they need no statements for traces.
        let statements = block.statements.iter().filter(|statement| statement.kind.control() != ControlEffect::Watches);
        for statement in statements {
            match inlining.statement(copy, at, statement)? {
                Some(next) => at = next,
                None => continue 'blocks,
            }
        }
        inlining.end(copy, at, starts[0], block)?;
    }
    Ok(starts[body.entry.0 as usize])
}

/// The assignments by which arguments get to parameters, or results to their targets.
pub struct Bound {
    /// Variables with their values.
    pub pairs: Vec<(VarId, Term)>,
    /// Variables for which there is no value: they become arbitrary.
    pub missing: Vec<VarId>,
}

/// Gives each variable its value, by position; surplus values are left over. None if a value has another type.
pub fn bind(store: &TermStore, vars: &[VarId], values: &[Term]) -> Option<Bound> {
    let mut bound = Bound { pairs: Vec::new(), missing: Vec::new() };
    for (index, &var) in vars.iter().enumerate() {
        match values.get(index) {
            Some(&value) => bound.pairs.push((var, fitted(store, value, store.var_sort(var))?)),
            None => bound.missing.push(var),
        }
    }
    Some(bound)
}

/// Fits a value to another width, keeping its low bits.
fn fitted(store: &TermStore, value: Term, sort: Sort) -> Option<Term> {
    match (store.sort(value), sort) {
        (from, to) if from == to => Some(value),
        (Sort::Bv(_), Sort::Bv(width)) => Some(store.resize_unsigned(value, width)),
        _ => None,
    }
}
