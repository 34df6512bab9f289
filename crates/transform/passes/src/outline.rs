//! Outlines loops and recursion that only compute: everything that they assign becomes arbitrary, and control continues
//! at any of their exits. A loop that has no checks, writes no memory and calls nothing that does can only reach such a
//! state or never end; so every run that fails is still a run of the result, as `coarsen` needs. Likewise, calls of
//! recursive procedures that only compute become arbitrary results.

use fathom_base::FxSet;
use fathom_flow::{CallGraph, Graph, PointerCalls};
use fathom_ir::{Block, BlockId, Body, Callee, Origin, Procedure, Program, Statement, StatementKind, Terminator, TerminatorKind};
use fathom_term::{Term, VarId};

/// `added` tells for each procedure where its last blocks come from.
pub fn outline(program: &mut Program, added: &mut [Vec<Origin>]) {
    // A call through a pointer acts, so nothing that is on a cycle only by one is replaced.
    let calls = CallGraph::of(program, PointerCalls::LeftOut);
    let (acting, recursive) = (acting_procedures(program, &calls), calls.recursive());
    let terms = program.terms.clone();
    for (procedure, added) in program.procedures.iter_mut().zip(added) {
        let Some(body) = &mut procedure.body else { continue };
        for statement in body.blocks.iter_mut().flat_map(|block| &mut block.statements) {
            if let StatementKind::Call { targets, callee: Callee::Direct(callee), .. } = &statement.kind
                && recursive[callee.0 as usize]
                && !acting[callee.0 as usize]
            {
                statement.kind = StatementKind::Havoc { vars: targets.clone(), input: None };
            }
        }
        let blocks: Vec<u32> = (0..body.blocks.len() as u32).collect();
        let never = terms.bool(false);
        let originals = body.blocks.len() - added.len();
        for mut members in outline_loops(body, &acting, &blocks, &FxSet::default(), never) {
            members.retain(|member| (member.0 as usize) < originals);
            added.push(Origin::Outline(members));
        }
    }
}

// ---- who does more than compute

fn acts(statement: &Statement, acting: &[bool]) -> bool {
    match &statement.kind {
        StatementKind::Assume(_) | StatementKind::Watch(_) => false,
        StatementKind::Call { callee: Callee::Direct(callee), .. } => acting[callee.0 as usize],
        other => !other.only_computes(),
    }
}

/// Procedures that do more than compute their results, themselves or by calls.
fn acting_procedures(program: &Program, calls: &CallGraph) -> Vec<bool> {
    let globals: FxSet<VarId> = program.globals.iter().map(|global| global.id).collect();
    let nobody = vec![false; program.procedures.len()];
    let changes_globals = |statement: &Statement| statement.kind.targets().iter().any(|target| globals.contains(target));
    let does = |procedure: &Procedure| {
        let mut blocks = procedure.body.iter().flat_map(|body| &body.blocks);
        blocks.any(|block| {
            matches!(block.terminator.kind, TerminatorKind::Unsupported(_))
                || block.statements.iter().any(|statement| acts(statement, &nobody) || changes_globals(statement))
        })
    };
    let mut acting: Vec<bool> = program.procedures.iter().map(does).collect();
    calls.accumulate(&mut acting, |caller, callee| std::mem::replace(caller, *caller || *callee) != *caller);
    acting
}

// ---- loops

/// Outlines the loops among these blocks, not counting jumps to `heads`: those of the loop around. Tells what each of the new
/// blocks stands for.
fn outline_loops(body: &mut Body, acting: &[bool], blocks: &[u32], heads: &FxSet<u32>, never: Term) -> Vec<Vec<BlockId>> {
    let mut outlined = Vec::new();
    let inside: FxSet<u32> = blocks.iter().copied().collect();
    let is_jump = |from: u32, to: u32| inside.contains(&from) && inside.contains(&to) && !heads.contains(&to);
    // From the last loop to the first, so that the numbers of blocks in earlier loops stay valid.
    for part in Graph::of(body).filtered(is_jump).cycles().into_iter().rev() {
        let members: FxSet<u32> = part.iter().copied().collect();
        let does = |block: &u32| body.blocks[*block as usize].statements.iter().any(|statement| acts(statement, acting));
        if part.iter().any(does) {
            let entered = entries(body, &members);
            outlined.extend(outline_loops(body, acting, &part, &entered, never));
        } else {
            replace(body, &members, never);
            outlined.push(part.into_iter().map(BlockId).collect());
        }
    }
    outlined
}

/// The blocks of a part that control comes to from outside.
fn entries(body: &Body, members: &FxSet<u32>) -> FxSet<u32> {
    let outside = body.blocks.iter().enumerate().filter(|(number, _)| !members.contains(&(*number as u32)));
    let targets = outside.flat_map(|(_, block)| block.terminator.kind.successors()).chain([body.entry]);
    targets.map(|target| target.0).filter(|target| members.contains(target)).collect()
}

/// One block in place of a loop.
fn replace(body: &mut Body, members: &FxSet<u32>, never: Term) {
    let mut assigned: Vec<VarId> = Vec::new();
    let mut exits: Vec<BlockId> = Vec::new();
    for &member in members {
        let block = &body.blocks[member as usize];
        assigned.extend(block.statements.iter().flat_map(|statement| statement.kind.targets()));
        exits.extend(block.terminator.kind.successors().into_iter().filter(|target| !members.contains(&target.0)));
    }
    assigned.sort();
    assigned.dedup();
    exits.sort();
    exits.dedup();
    let Some(&first) = members.iter().min() else { return };
    let loc = body.blocks[first as usize].terminator.loc;
    let mut statements = vec![Statement { kind: StatementKind::Havoc { vars: assigned, input: None }, loc }];
    let outline = BlockId(body.blocks.len() as u32);
    let kind = match exits.is_empty() {
        false => TerminatorKind::Goto(exits),
        // A loop that is never left has nothing behind it.
        true => {
            statements.push(Statement { kind: StatementKind::Assume(never), loc });
            TerminatorKind::Return
        }
    };
    body.blocks.push(Block { label: format!("outline{}", outline.0), statements, terminator: Terminator { kind, loc } });
    for (_, block) in body.blocks.iter_mut().enumerate().filter(|(number, _)| !members.contains(&(*number as u32))) {
        block.terminator.kind.redirect(&|target| if members.contains(&target.0) { outline } else { target });
    }
    if members.contains(&body.entry.0) {
        body.entry = outline;
    }
}
