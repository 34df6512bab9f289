//! Loops cut at their heads by the invariants that the program itself has there, as Boogie does it: where a loop is
//! entered, its invariants are asserted, everything that it may change becomes arbitrary, and the invariants are assumed;
//! where it would be entered again, they are asserted and the path ends. The invariants of a loop are the assertions and
//! assumptions at the beginning of its head.
//!
//! Sound for proofs: by induction over the iterations, every state that the loop can reach at its head satisfies the
//! invariants and agrees with the state at the entry on what the loop never changes, so the arbitrary state is one of
//! them; an assertion that holds in all states of the result holds in all states of the program. A violation in the result
//! means nothing, as the invariants may be too weak.
//!
//! Only for programs without memory, whose loops have one head each; others give None.

use fathom_base::FxSet;
use fathom_ir::{Block, BlockId, Body, Callee, ProcId, Program, Statement, StatementKind, StopKind, Terminator, TerminatorKind};
use fathom_term::VarId;
use std::collections::BTreeSet;

/// A program without loops, and how many were cut.
pub struct CutProgram {
    pub program: Program,
    pub loops: usize,
}

/// The program with cut loops; None if there is one that can't be cut.
pub fn cut_loops(program: &Program) -> Option<CutProgram> {
    if !program.objects.is_empty() {
        return None;
    }
    let changed = changed_globals(program)?;
    let mut count = 0;
    let mut procedures = program.procedures.clone();
    for procedure in &mut procedures {
        let Some(body) = &mut procedure.body else { return None };
        let loops = natural_loops(body)?;
        count += loops.len();
        for one in &loops {
            cut(body, one, &changed)?;
        }
    }
    Some(CutProgram { program: program.with_procedures(procedures), loops: count })
}

/// A loop of the program and what its iterations may change.
pub struct CutLoop {
    pub procedure: ProcId,
    pub head: BlockId,
    pub changed: BTreeSet<VarId>,
    /// Its blocks, the head included.
    pub blocks: BTreeSet<BlockId>,
}

/// The loops that `cut_loops` would cut; None if there is one that can't be cut.
pub fn loops(program: &Program) -> Option<Vec<CutLoop>> {
    let changed = changed_globals(program)?;
    let mut all = Vec::new();
    for (number, procedure) in program.procedures.iter().enumerate() {
        let Some(body) = &procedure.body else { return None };
        for one in natural_loops(body)? {
            all.push(CutLoop {
                procedure: ProcId(number as u32),
                head: BlockId(one.head as u32),
                changed: changed_in(body, &one, &changed),
                blocks: one.blocks.iter().map(|&block| BlockId(block as u32)).collect(),
            });
        }
    }
    Some(all)
}

struct Loop {
    head: usize,
    /// The blocks of the loop, its head included.
    blocks: BTreeSet<usize>,
}

/// For each procedure the globals that it may change, callees included.
fn changed_globals(program: &Program) -> Option<Vec<FxSet<VarId>>> {
    let globals: FxSet<VarId> = program.globals.iter().map(|global| global.id).collect();
    let mut changed: Vec<FxSet<VarId>> = Vec::new();
    let mut calls: Vec<Vec<ProcId>> = Vec::new();
    for procedure in &program.procedures {
        let (mut own, mut callees) = (FxSet::default(), Vec::new());
        for statement in procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements) {
            own.extend(statement.kind.targets().into_iter().filter(|target| globals.contains(target)));
            match &statement.kind {
                StatementKind::Call { callee: Callee::Direct(callee), .. } => callees.push(*callee),
                StatementKind::Call { .. } => return None,
                _ => {}
            }
        }
        changed.push(own);
        calls.push(callees);
    }
    loop {
        let mut grew = false;
        for caller in 0..changed.len() {
            for callee in &calls[caller] {
                let more: Vec<VarId> = changed[callee.0 as usize].difference(&changed[caller]).copied().collect();
                grew |= !more.is_empty();
                changed[caller].extend(more);
            }
        }
        if !grew {
            return Some(changed);
        }
    }
}

/// The loops of a body by their heads; None if some loop can be entered beside its head.
fn natural_loops(body: &Body) -> Option<Vec<Loop>> {
    let successors: Vec<Vec<usize>> =
        body.blocks.iter().map(|block| block.terminator.kind.successors().iter().map(|to| to.0 as usize).collect()).collect();
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|&to| predecessors[to].push(from));
    }
    let (reached, back_edges) = depth_first(&successors, body.entry.0 as usize);
    let heads: BTreeSet<usize> = back_edges.iter().map(|&(_, head)| head).collect();
    let mut loops = Vec::new();
    for head in heads {
        let mut blocks = BTreeSet::from([head]);
        let mut open: Vec<usize> = back_edges.iter().filter(|edge| edge.1 == head).map(|edge| edge.0).collect();
        while let Some(block) = open.pop() {
            if reached[block] && blocks.insert(block) {
                open.extend(&predecessors[block]);
            }
        }
        let enters_beside = |&block: &usize| {
            block != head
                && (block == body.entry.0 as usize
                    || predecessors[block].iter().any(|from| reached[*from] && !blocks.contains(from)))
        };
        if blocks.iter().any(enters_beside) {
            return None;
        }
        loops.push(Loop { head, blocks });
    }
    Some(loops)
}

/// Which blocks are reached, and the edges that lead back to a block on the way.
fn depth_first(successors: &[Vec<usize>], entry: usize) -> (Vec<bool>, Vec<(usize, usize)>) {
    let (mut reached, mut on_way) = (vec![false; successors.len()], vec![false; successors.len()]);
    let mut back_edges = Vec::new();
    let mut stack = vec![(entry, 0)];
    reached[entry] = true;
    on_way[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        match successors[block].get(*next) {
            Some(&to) => {
                *next += 1;
                if on_way[to] {
                    back_edges.push((block, to));
                } else if !reached[to] {
                    reached[to] = true;
                    on_way[to] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                on_way[block] = false;
                stack.pop();
            }
        }
    }
    (reached, back_edges)
}

/// The variables that some iteration may change.
fn changed_in(body: &Body, one: &Loop, changed: &[FxSet<VarId>]) -> BTreeSet<VarId> {
    let mut arbitrary: BTreeSet<VarId> = BTreeSet::new();
    for statement in one.blocks.iter().flat_map(|&block| &body.blocks[block].statements) {
        arbitrary.extend(statement.kind.targets());
        if let StatementKind::Call { callee: Callee::Direct(callee), .. } = &statement.kind {
            arbitrary.extend(&changed[callee.0 as usize]);
        }
    }
    arbitrary
}

fn cut(body: &mut Body, one: &Loop, changed: &[FxSet<VarId>]) -> Option<()> {
    let arbitrary = changed_in(body, one, changed);
    let head = &mut body.blocks[one.head];
    let loc = head.statements.first().map_or(head.terminator.loc, |statement| statement.loc);
    let is_invariant = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Assert { .. } | StatementKind::Assume(_) | StatementKind::Watch(_))
    };
    let length = head.statements.iter().take_while(|statement| is_invariant(statement)).count();
    let invariants: Vec<Statement> = head.statements.drain(..length).collect();
    let label = head.label.clone();
    let assumed = invariants.iter().map(|statement| match &statement.kind {
        StatementKind::Assert { condition, .. } => Statement { kind: StatementKind::Assume(*condition), loc: statement.loc },
        _ => statement.clone(),
    });
    let vars = arbitrary.into_iter().collect();
    let havoc = Statement { kind: StatementKind::Havoc { vars, input: None }, loc };
    let entering = invariants.iter().cloned().chain([havoc]).chain(assumed).collect();
    let end = |kind: TerminatorKind| Terminator { kind, loc };
    let enter = Block {
        label: format!("{label}.enter"),
        statements: entering,
        terminator: end(TerminatorKind::Goto(vec![BlockId(one.head as u32)])),
    };
    let again = Block { label: format!("{label}.again"), statements: invariants, terminator: end(TerminatorKind::Stop(StopKind::Unreachable)) };
    let (enter_id, again_id) = (BlockId(body.blocks.len() as u32), BlockId(body.blocks.len() as u32 + 1));
    for (number, block) in body.blocks.iter_mut().enumerate() {
        let to = if one.blocks.contains(&number) { again_id } else { enter_id };
        retarget(&mut block.terminator.kind, BlockId(one.head as u32), to);
    }
    if body.entry.0 as usize == one.head {
        body.entry = enter_id;
    }
    body.blocks.extend([enter, again]);
    Some(())
}

fn retarget(kind: &mut TerminatorKind, from: BlockId, to: BlockId) {
    let change = |target: &mut BlockId| {
        if *target == from {
            *target = to;
        }
    };
    match kind {
        TerminatorKind::Goto(targets) => targets.iter_mut().for_each(change),
        TerminatorKind::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(change),
        TerminatorKind::Switch(switch) => {
            switch.cases.iter_mut().map(|(_, target)| target).chain([&mut switch.default]).for_each(change);
        }
        TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
    }
}
