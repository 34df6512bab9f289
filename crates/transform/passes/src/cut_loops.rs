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
use fathom_flow::{CallGraph, Graph, Loops, PointerCalls};
use fathom_ir::{
    Block, BlockId, Body, Callee, Origin, ProcId, Procedure, Program, Statement, StatementKind, StopKind, Terminator, TerminatorKind,
};
use fathom_term::VarId;
use std::collections::BTreeSet;

/// A program without loops, and how many were cut.
pub struct CutProgram {
    /// Has no cycles.
    pub program: Program,
    /// How many loops were cut.
    pub loops: usize,
    /// For each procedure where its last blocks come from.
    pub added: Vec<Vec<Origin>>,
}

/// The program with cut loops; None if there is one that can't be cut.
pub fn cut_loops(program: &Program) -> Option<CutProgram> {
    if uses_memory(program) {
        return None;
    }
    let changed = changed_globals(program)?;
    let mut count = 0;
    let mut procedures = program.procedures.clone();
    let mut added = Vec::new();
    for procedure in &mut procedures {
        let Some(body) = &mut procedure.body else { return None };
        let loops = natural_loops(body)?;
        count += loops.len();
        let heads = loops.iter().map(|one| BlockId(one.head as u32));
        added.push(heads.flat_map(|head| [Origin::Enter(head), Origin::Again(head)]).collect());
        for one in &loops {
            cut(body, one, &changed)?;
        }
    }
    Some(CutProgram { program: program.with_procedures(procedures), loops: count, added })
}

/// What a loop does to memory would have to become arbitrary, too.
fn uses_memory(program: &Program) -> bool {
    use StatementKind as S;
    let statements = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks);
    let is_plain = |kind: &S| {
        matches!(kind, S::Assign(_) | S::Havoc { .. } | S::Assume(_) | S::Assert { .. } | S::Call { .. } | S::Watch(_) | S::Unsupported(_))
    };
    !program.objects.is_empty() || statements.flat_map(|block| &block.statements).any(|statement| !is_plain(&statement.kind))
}

/// A loop of the program and what its iterations may change.
pub struct CutLoop {
    /// The procedure that the loop is in.
    pub procedure: ProcId,
    /// The block that every iteration begins with.
    pub head: BlockId,
    /// Variables that some iteration may assign.
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

/// For each procedure the globals that it may change, callees included; None if it is unknown who is called.
fn changed_globals(program: &Program) -> Option<Vec<FxSet<VarId>>> {
    let globals: FxSet<VarId> = program.globals.iter().map(|global| global.id).collect();
    let calls = CallGraph::of(program, PointerCalls::LeftOut);
    if (0..program.procedures.len() as u32).any(|id| calls.calls_through_pointer(ProcId(id))) {
        return None;
    }
    let own = |procedure: &Procedure| {
        let statements = procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
        statements.flat_map(|statement| statement.kind.targets()).filter(|target| globals.contains(target)).collect()
    };
    let mut changed: Vec<FxSet<VarId>> = program.procedures.iter().map(own).collect();
    calls.accumulate(&mut changed, |caller, callee| {
        let before = caller.len();
        caller.extend(callee);
        caller.len() > before
    });
    Some(changed)
}

/// The loops of a body by their heads; None if some loop can be entered beside its head. Blocks that nothing leads to
/// don't count.
fn natural_loops(body: &Body) -> Option<Vec<Loop>> {
    let flow = Graph::of(body);
    let reached = flow.reached([body.entry.0]);
    let loops = Loops::of_graph(&flow.filtered(|from, _| reached[from as usize]), body.entry.0);
    let natural = |head: usize| {
        let is_inside = |block: &usize| loops.around[*block].contains(&(head as u32));
        (!loops.has_side_entry[head]).then(|| Loop { head, blocks: (0..body.blocks.len()).filter(is_inside).collect() })
    };
    (0..body.blocks.len()).filter(|&block| loops.is_head[block]).map(natural).collect()
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
    let is_invariant =
        |statement: &Statement| matches!(statement.kind, StatementKind::Assert { .. } | StatementKind::Assume(_) | StatementKind::Watch(_));
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
    let again =
        Block { label: format!("{label}.again"), statements: invariants, terminator: end(TerminatorKind::Stop(StopKind::Unreachable)) };
    let (enter_id, again_id) = (BlockId(body.blocks.len() as u32), BlockId(body.blocks.len() as u32 + 1));
    for (number, block) in body.blocks.iter_mut().enumerate() {
        let to = if one.blocks.contains(&number) { again_id } else { enter_id };
        block.terminator.kind.map_targets(&mut |target| if target.0 as usize == one.head { to } else { target });
    }
    if body.entry.0 as usize == one.head {
        body.entry = enter_id;
    }
    body.blocks.extend([enter, again]);
    Some(())
}
