//! Compares loops that the transformed program does not have.
//!
//! An *outlined* loop is one block that makes variables arbitrary and goes on behind the loop: every step of the original
//! that stays among the loop's blocks must be silent but for these variables.
//!
//! A *cut* loop has a block for its entry (assert the invariants, make everything arbitrary that the loop changes,
//! assume the invariants) and one for every further iteration (assert the invariants, stop). When a run of the original
//! reaches the head again, it corresponds to another run of the transformed program: the one that entered the loop in
//! the same state and chose the current values for the arbitrary variables. That run exists: all other variables have
//! not changed since the entry, and the invariants were asserted on the way. So three things are checked: no path
//! reaches the head without entering the loop, the loop changes only what becomes arbitrary, and everything that is
//! assumed was asserted on all paths.

use super::procedure::{Comparison, Ends, Point, Refused};
use fathom_base::FxSet;
use fathom_flow::Graph;
use fathom_ir::{Block, BlockId, Origin, StatementKind, TerminatorKind};
use fathom_term::{Term, VarId};

/// A loop of the original that is cut at its head.
#[derive(Default)]
pub struct CutLoop {
    /// How many statements the head begins with that only check or assume.
    pub prefix: usize,
    /// Blocks from which it is entered, and from which it is entered again.
    enters: FxSet<u32>,
    again: FxSet<u32>,
    /// Whether the procedure begins with it.
    begins: bool,
    /// What becomes arbitrary where it is entered.
    arbitrary: FxSet<VarId>,
    /// What is assumed there without the original assuming it, and what is asserted where it is entered again.
    assumed: FxSet<Term>,
    asserted_again: FxSet<Term>,
}

impl Comparison<'_> {
    // ---- outlined

    /// Checks a block that havocs what a loop of the original computes.
    pub fn outline(&mut self, block: &Block, members: &[BlockId]) -> Result<(), Refused> {
        let mut free: FxSet<VarId> = FxSet::default();
        let mut statements = block.statements.iter().map(|statement| &statement.kind).peekable();
        while let Some(StatementKind::Havoc { vars, .. }) = statements.peek() {
            free.extend(vars);
            statements.next();
        }
        let exits = block.terminator.kind.successors();
        let ends_there = matches!(block.terminator.kind, TerminatorKind::Goto(_));
        // Where the original never leaves the loop it doesn't matter what is behind.
        if statements.next().is_some() && ends_there {
            return Err("the outline of a loop does more than forget".into());
        }
        let exits = if ends_there { exits } else { Vec::new() };
        if members.iter().any(|member| member.0 as usize >= self.original.blocks.len()) {
            return Err("the outline of what is not there".into());
        }
        let starts = members.iter().map(|member| Point { block: member.0, index: 0 });
        self.walk(starts, &free, &Ends { blocks: &exits, may_return: false })
    }

    // ---- cut

    /// Reads off where loops are cut.
    pub fn find_cut_loops(&mut self) -> Result<(), Refused> {
        for origin in self.added {
            let Origin::Enter(head) = origin else { continue };
            let block = self.original.blocks.get(head.0 as usize).ok_or("a loop that is not there")?;
            let checks =
                |kind: &StatementKind| matches!(kind, StatementKind::Assert { .. } | StatementKind::Assume(_) | StatementKind::Watch(_));
            let prefix = block.statements.iter().take_while(|statement| checks(&statement.kind)).count();
            if self.cut.insert(head.0, CutLoop { prefix, ..CutLoop::default() }).is_some() {
                return Err("a loop is cut twice".into());
            }
        }
        Ok(())
    }

    /// The head of a cut loop is come to.
    pub fn note_entry(&mut self, head: u32, from: Option<u32>, again: bool) -> Result<(), Refused> {
        let cut = self.cut.get_mut(&head).ok_or("a loop is entered again that is not cut")?;
        match (from, again) {
            (None, false) => cut.begins = true,
            (None, true) => return Err("a loop is entered again before it was entered".into()),
            (Some(from), false) => drop(cut.enters.insert(from)),
            (Some(from), true) => drop(cut.again.insert(from)),
        }
        match cut.enters.is_disjoint(&cut.again) {
            true => Ok(()),
            false => Err("a jump both enters a loop and enters it again".into()),
        }
    }

    /// A loop is entered: assertions, then everything arbitrary, then assumptions.
    pub fn entering(&mut self, block: &Block, head: u32) -> Result<(), Refused> {
        let kinds: Vec<&StatementKind> = block.statements.iter().map(|statement| &statement.kind).collect();
        let havoc = kinds.iter().position(|kind| matches!(kind, StatementKind::Havoc { .. })).ok_or("a cut loop forgets nothing")?;
        self.prefix(&kinds[..havoc], head)?;
        let StatementKind::Havoc { vars, .. } = kinds[havoc] else { return Err("a cut loop forgets nothing".into()) };
        let asserted = self.asserted(&kinds[..havoc]);
        let original = &self.original.blocks[head as usize].statements;
        let mut assumed = FxSet::default();
        for kind in &kinds[havoc + 1..] {
            match kind {
                StatementKind::Watch(_) => {}
                StatementKind::Assume(condition) => {
                    let cut = &self.cut[&head];
                    let is_assumed = original[..cut.prefix].iter().any(|statement| statement.kind == **kind);
                    match is_assumed || asserted.contains(condition) || self.is_true(*condition) {
                        true if is_assumed => {}
                        true => drop(assumed.insert(*condition)),
                        false => return Err(format!("{} was not asserted", self.show(kind))),
                    }
                }
                _ => return Err(format!("{} where a loop is entered", self.show(kind))),
            }
        }
        if let Some(cut) = self.cut.get_mut(&head) {
            cut.arbitrary.extend(vars);
            cut.assumed.extend(assumed);
        }
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) if targets[..] == [BlockId(head)] => {
                self.visit(BlockId(head));
                Ok(())
            }
            _ => Err("a loop is entered elsewhere than at its head".into()),
        }
    }

    /// A loop is entered again: assertions, and the end of the path.
    pub fn entering_again(&mut self, block: &Block, head: u32) -> Result<(), Refused> {
        let kinds: Vec<&StatementKind> = block.statements.iter().map(|statement| &statement.kind).collect();
        self.prefix(&kinds, head)?;
        let asserted = self.asserted(&kinds);
        if let Some(cut) = self.cut.get_mut(&head) {
            cut.asserted_again.extend(asserted);
        }
        match block.terminator.kind.successors().is_empty() {
            true => Ok(()),
            false => Err("a loop goes on where it is cut".into()),
        }
    }

    /// The original's checks at the head are there.
    fn prefix(&mut self, statements: &[&StatementKind], head: u32) -> Result<(), Refused> {
        let length = self.cut.get(&head).ok_or("a loop is entered again that is not cut")?.prefix;
        let at = self.matched(Point { block: head, index: 0 }, length, statements)?;
        let rest = &self.original.blocks[head as usize].statements[at.index..length];
        match rest.iter().find(|statement| !self.effects.is_silent(&statement.kind, &FxSet::default())) {
            Some(missing) => Err(format!("{} is missing where a loop is cut", self.show(&missing.kind))),
            None => Ok(()),
        }
    }

    /// Conditions whose failure the exploration would have told.
    fn asserted(&self, statements: &[&StatementKind]) -> FxSet<Term> {
        let asserted = statements.iter().filter_map(|kind| match kind {
            StatementKind::Assert { condition, property, .. } if self.effects.properties.contains(property) => Some(*condition),
            _ => None,
        });
        asserted.collect()
    }

    /// Cut loops are entered before they are entered again, change only what is arbitrary, and keep what is assumed.
    pub fn check_cut_loops(&self) -> Result<(), Refused> {
        let flow = Graph::of(self.original);
        for (&head, cut) in self.cut.iter().filter(|(_, cut)| cut.begins || !cut.enters.is_empty() || !cut.again.is_empty()) {
            let inside = flow.filtered(|from, to| !(to == head && cut.enters.contains(&from)));
            let before = if cut.begins { Vec::new() } else { vec![self.original.entry.0] };
            let without_entering = inside.reached(before);
            if cut.again.iter().any(|&from| without_entering[from as usize]) {
                return Err(format!("the loop at block {head} is entered again before it was entered"));
            }
            if !cut.again.is_empty() && !cut.assumed.is_subset(&cut.asserted_again) {
                return Err(format!("an invariant of the loop at block {head} is not asserted where it is entered again"));
            }
            let (from_head, to_again) = (inside.reached([head]), inside.reversed().reached(cut.again.iter().copied()));
            for block in (0..flow.len()).filter(|&block| from_head[block] && to_again[block]) {
                for statement in &self.original.blocks[block].statements {
                    self.changes_only(&statement.kind, cut)?;
                }
            }
        }
        Ok(())
    }

    fn changes_only(&self, kind: &StatementKind, cut: &CutLoop) -> Result<(), Refused> {
        let called = self.effects.callables.called(&self.effects.program.terms, kind);
        let by_calls = called.iter().flat_map(|callee| &self.effects.changed_globals[callee.0 as usize]);
        let is_kept = |target: &VarId| self.effects.tracked.variable(*target) && !cut.arbitrary.contains(target);
        match kind.targets().iter().chain(by_calls).any(is_kept) {
            true => Err(format!("{} changes what stays the same where a loop is cut", self.show(kind))),
            false => Ok(()),
        }
    }
}
