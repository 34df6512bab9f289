//! Compares the two bodies of a procedure: a simulation, block by block of the transformed one. Each of its blocks stands
//! for a point of the original; from there its statements are matched with the original's, which takes silent steps in
//! between. When the block's statements are matched, the original goes on silently until it stands where one of
//! the block's successors begins. It takes at least one step on the way, so a run of the original that fails comes to its
//! failing check in the other program, too.

use super::effects::Effects;
use super::loops::CutLoop;
use fathom_base::FxSet;
use fathom_ir::{Block, BlockId, Body, Origin, PointerCall, StatementKind, TerminatorKind};
use fathom_term::{Term, VarId};
use std::collections::BTreeMap;

/// Before a statement of a block of the original, or before its terminator.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub block: u32,
    pub index: usize,
}

/// Why a program is not accepted, for people who look for the fault.
pub type Refused = String;

/// Two bodies of a procedure, and what was seen when they were compared.
pub struct Comparison<'a> {
    pub effects: &'a Effects<'a>,
    pub original: &'a Body,
    pub other: &'a Body,
    /// Where the other's further blocks come from.
    pub added: &'a [Origin],
    /// Loops of the original that are cut, by their heads.
    pub cut: BTreeMap<u32, CutLoop>,
    /// Statements of the original that were left out or weakened.
    changed: FxSet<(u32, usize)>,
    open: Vec<u32>,
    seen: FxSet<u32>,
}

/// Where a silent walk of the original may end.
pub struct Ends<'a> {
    /// Where one of these blocks of the other program begins.
    pub blocks: &'a [BlockId],
    /// At the end of the procedure.
    pub may_return: bool,
}

impl<'a> Comparison<'a> {
    /// A comparison that has visited nothing yet.
    pub fn new(effects: &'a Effects<'a>, original: &'a Body, other: &'a Body, added: &'a [Origin]) -> Self {
        let (cut, changed) = (BTreeMap::new(), FxSet::default());
        Comparison { effects, original, other, added, cut, changed, open: Vec::new(), seen: FxSet::default() }
    }

    /// Compares all blocks that control may come to. Tells how many statements of the original were left out or weakened.
    pub fn run(mut self) -> Result<usize, Refused> {
        if self.other.blocks.len() != self.original.blocks.len() + self.added.len() {
            return Err("blocks come from nowhere".into());
        }
        self.find_cut_loops()?;
        let start = Point { block: self.original.entry.0, index: 0 };
        if !self.arrives(start, None, self.other.entry)? {
            return Err("it begins elsewhere".into());
        }
        while let Some(block) = self.open.pop() {
            self.block(block).map_err(|why| format!("{why} (block {block})"))?;
        }
        self.check_cut_loops()?;
        Ok(self.changed.len())
    }

    /// Where the block comes from, if the original doesn't have it.
    pub fn origin(&self, block: BlockId) -> Option<&'a Origin> {
        let number = (block.0 as usize).checked_sub(self.original.blocks.len())?;
        self.added.get(number)
    }

    fn block(&mut self, number: u32) -> Result<(), Refused> {
        let block = &self.other.blocks[number as usize];
        let start = match self.origin(BlockId(number)) {
            None => Point { block: number, index: self.cut.get(&number).map_or(0, |cut| cut.prefix) },
            Some(Origin::AfterCall(call)) => self.after(*call)?,
            Some(Origin::CallCase(_)) => return Err("a case of a call stands alone".into()),
            Some(Origin::Outline(members)) => return self.outline(block, members),
            Some(Origin::Enter(head)) => return self.entering(block, head.0),
            Some(Origin::Again(head)) => return self.entering_again(block, head.0),
        };
        let statements: Vec<&StatementKind> = block.statements.iter().map(|statement| &statement.kind).collect();
        let end = self.original_block(start).statements.len();
        let at = self.matched(start, end, &statements)?;
        self.end(at, &block.terminator.kind)
    }

    /// The block of the original that a point is in.
    pub fn original_block(&self, at: Point) -> &'a Block {
        &self.original.blocks[at.block as usize]
    }

    // ---- statements

    /// Matches statements of the other program with the original's from a point on and before `end`; tells how far that went.
    pub fn matched(&mut self, mut at: Point, end: usize, statements: &[&StatementKind]) -> Result<Point, Refused> {
        let originals = &self.original_block(at).statements;
        // Conditions that follow from the original's statements, so the other program may assume them.
        let mut known: Option<Term> = None;
        for &statement in statements {
            let is_nothing = match statement {
                StatementKind::Assume(condition) => known == Some(*condition) || self.is_true(*condition),
                StatementKind::Havoc { vars, .. } => vars.is_empty(),
                _ => false,
            };
            if is_nothing {
                continue;
            }
            known = loop {
                let Some(original) = originals[..end].get(at.index).map(|original| &original.kind) else {
                    return Err(format!("nothing in the original allows {}", self.show(statement)));
                };
                let is_match = self.effects.allows(original, statement);
                if !is_match && !self.effects.is_silent(original, &FxSet::default()) {
                    return Err(format!("{} became {}", self.show(original), self.show(statement)));
                }
                if original != statement {
                    self.note_changed(at);
                }
                at.index += 1;
                if is_match {
                    break self.effects.known_behind(original).filter(|_| matches!(statement, StatementKind::Havoc { .. }));
                }
            };
        }
        Ok(at)
    }

    /// Notes that a statement of the original was left out or weakened.
    pub fn note_changed(&mut self, at: Point) {
        self.changed.insert((at.block, at.index));
    }

    /// Whether it is the constant.
    pub fn is_true(&self, condition: Term) -> bool {
        self.effects.program.terms.const_bool(condition) == Some(true)
    }

    /// A statement as it is printed, for a refusal.
    pub fn show(&self, kind: &StatementKind) -> String {
        let statement = fathom_ir::Statement { kind: kind.clone(), loc: fathom_base::Loc::UNKNOWN };
        format!("`{}`", fathom_ir::print_statement(self.effects.program, &statement).trim())
    }

    // ---- ends of blocks

    fn end(&mut self, at: Point, end: &TerminatorKind) -> Result<(), Refused> {
        match end {
            TerminatorKind::Goto(targets) => match self.call_of_cases(targets)? {
                Some(call) => self.cases(at, call, targets),
                None => self.walk([at], &FxSet::default(), &Ends { blocks: targets, may_return: false }),
            },
            TerminatorKind::Branch { .. } | TerminatorKind::Switch(_) => self.same_choice(at, end),
            TerminatorKind::Return => self.walk([at], &FxSet::default(), &Ends { blocks: &[], may_return: true }),
            TerminatorKind::Stop(_) => self.walk([at], &FxSet::default(), &Ends { blocks: &[], may_return: false }),
            // A run that came here would have been `unknown`.
            TerminatorKind::Unsupported(_) => Ok(()),
        }
    }

    /// The original decides by the same condition.
    fn same_choice(&mut self, at: Point, end: &TerminatorKind) -> Result<(), Refused> {
        self.silent_until_end(at, &FxSet::default())?;
        let original = &self.original_block(at).terminator.kind;
        let mut renamed = original.clone();
        let mut targets = end.successors().into_iter();
        renamed.map_targets(&mut |target| targets.next().unwrap_or(target));
        if renamed != *end {
            return Err("a choice is made by another condition".into());
        }
        for (from, to) in original.successors().into_iter().zip(end.successors()) {
            if !self.arrives(Point { block: from.0, index: 0 }, Some(at.block), to)? {
                return Err(format!("a choice leads to block {} instead of {}", to.0, from.0));
            }
        }
        Ok(())
    }

    /// The rest of a block of the original is silent.
    fn silent_until_end(&mut self, mut at: Point, free: &FxSet<VarId>) -> Result<(), Refused> {
        while at.index < self.original_block(at).statements.len() {
            at = self.silent(at, free)?;
        }
        Ok(())
    }

    /// The original takes a silent step.
    fn silent(&mut self, at: Point, free: &FxSet<VarId>) -> Result<Point, Refused> {
        let original = &self.original_block(at).statements[at.index].kind;
        if !self.effects.is_silent(original, free) {
            return Err(format!("{} is missing", self.show(original)));
        }
        self.note_changed(at);
        Ok(Point { index: at.index + 1, ..at })
    }

    /// The original goes on silently from these points, with variables that are free to have any value, until it stands
    /// where it may. It may also end the run or go round for ever.
    pub fn walk(&mut self, from: impl IntoIterator<Item = Point>, free: &FxSet<VarId>, ends: &Ends<'_>) -> Result<(), Refused> {
        let mut open: Vec<Point> = from.into_iter().collect();
        let mut walked: FxSet<u32> = open.iter().filter(|at| at.index == 0).map(|at| at.block).collect();
        let behind_calls = self.behind_calls(ends.blocks)?;
        'walks: while let Some(mut at) = open.pop() {
            let block = self.original_block(at);
            while at.index < block.statements.len() {
                at = self.silent(at, free)?;
                if let Some(&(_, there)) = behind_calls.iter().find(|(point, _)| *point == at) {
                    self.visit(there);
                    continue 'walks;
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Return if !ends.may_return => return Err("the original returns here".into()),
                TerminatorKind::Unsupported(_) => return Err("something unsupported is missing".into()),
                end => {
                    for target in end.successors() {
                        let next = Point { block: target.0, index: 0 };
                        if !self.arrives_at_one(next, Some(at.block), ends.blocks)? && walked.insert(target.0) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    // ---- where blocks begin

    fn arrives_at_one(&mut self, at: Point, from: Option<u32>, blocks: &[BlockId]) -> Result<bool, Refused> {
        for &block in blocks {
            if self.arrives(at, from, block)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the original, at the beginning of a block, stands where a block of the other program begins, having come `from` a
    /// block; then that one is to be compared.
    fn arrives(&mut self, at: Point, from: Option<u32>, block: BlockId) -> Result<bool, Refused> {
        let origin = self.origin(block);
        let is_there = match origin {
            None => at.block == block.0 && !self.cut.contains_key(&block.0),
            Some(Origin::AfterCall(_) | Origin::CallCase(_)) => false,
            Some(Origin::Outline(members)) => members.contains(&BlockId(at.block)),
            Some(Origin::Enter(head) | Origin::Again(head)) => at.block == head.0,
        };
        if is_there {
            if let Some(Origin::Enter(head) | Origin::Again(head)) = origin {
                self.note_entry(head.0, from, matches!(origin, Some(Origin::Again(_))))?;
            }
            self.visit(block);
        }
        Ok(is_there)
    }

    /// Has a block of the other program compared, unless it was already.
    pub fn visit(&mut self, block: BlockId) {
        if self.seen.insert(block.0) {
            self.open.push(block.0);
        }
    }

    // ---- calls through pointers

    /// Where a call through a pointer stands.
    fn position(&self, call: PointerCall) -> Result<Point, Refused> {
        let block = self.original.blocks.get(call.block.0 as usize).ok_or("a call in no block")?;
        let mut calls = block.statements.iter().enumerate().filter(|(_, statement)| self.effects.callables.is_open(&statement.kind));
        let (index, _) = calls.nth(call.before as usize).ok_or("a call that is not there")?;
        Ok(Point { block: call.block.0, index })
    }

    /// What follows a call through a pointer.
    pub fn after(&self, call: PointerCall) -> Result<Point, Refused> {
        let at = self.position(call)?;
        Ok(Point { index: at.index + 1, ..at })
    }

    /// Where those of the blocks begin that follow a call.
    fn behind_calls(&self, blocks: &[BlockId]) -> Result<Vec<(Point, BlockId)>, Refused> {
        let calls = blocks.iter().filter_map(|&block| match self.origin(block) {
            Some(Origin::AfterCall(call)) => Some((*call, block)),
            _ => None,
        });
        calls.map(|(call, block)| Ok((self.after(call)?, block))).collect()
    }

    /// The call that these blocks are the cases of.
    fn call_of_cases(&self, targets: &[BlockId]) -> Result<Option<PointerCall>, Refused> {
        let case_of = |target: &BlockId| match self.origin(*target) {
            Some(Origin::CallCase(call)) => Some(*call),
            _ => None,
        };
        let first = targets.first().and_then(case_of);
        match targets.iter().all(|target| case_of(target) == first) {
            true => Ok(first),
            false => Err("a choice among cases of different calls".into()),
        }
    }

    /// The original comes silently to the call, and each way that it may go is one of the cases.
    fn cases(&mut self, at: Point, call: PointerCall, cases: &[BlockId]) -> Result<(), Refused> {
        let place = self.position(call)?;
        if place.block != at.block || place.index < at.index {
            return Err("cases of a call that is elsewhere".into());
        }
        let mut at = at;
        while at != place {
            at = self.silent(at, &FxSet::default())?;
        }
        self.note_changed(place);
        self.each_way(&self.original_block(place).statements[place.index].kind, self.after(call)?, cases)
    }
}
