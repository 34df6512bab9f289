//! Control dependence inside a procedure (Ferrante, Ottenstein and Warren 1987): a block depends on a branch if one way
//! out of the branch always leads to the block and another may lead around it. Found from post-dominators, which are the
//! dominators (Cooper, Harvey and Kennedy, in petgraph) of the reversed flow graph with one end for all ends.

use crate::Graph;
use fathom_base::FxSet;
use fathom_ir::{Block, BlockId, Body, Statement, StatementKind, TerminatorKind};
use fathom_term::TermStore;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;

/// What decides whether the blocks of a procedure are entered.
pub struct ControlDependence {
    /// For each block the ones whose terminator decides whether it is entered.
    pub deciders: Vec<Vec<u32>>,
    /// Blocks from which no end of the procedure can be reached.
    pub endless: FxSet<u32>,
    /// The number that stands for the end of the procedure, where all its ends meet.
    exit: u32,
    post_dominators: Dominators<u32>,
}

impl ControlDependence {
    /// Computes the control dependence of a body's blocks.
    pub fn of(body: &Body, store: &TermStore) -> ControlDependence {
        let exit = body.blocks.len() as u32;
        let (backwards, endless) = backwards(body, store);
        let edges: DiGraphMap<u32, ()> = backwards.edges().chain([(exit, exit)]).collect();
        let post_dominators = simple_fast(&edges, exit);
        let mut deciders = vec![Vec::new(); body.blocks.len()];
        for (block, found) in body.blocks.iter().enumerate() {
            let block = block as u32;
            let meeting = post_dominators.immediate_dominator(block);
            for target in found.terminator.kind.successors() {
                let mut at = Some(target.0);
                while at != meeting && at != Some(exit) {
                    let Some(dependent) = at else { break };
                    let known: &mut Vec<u32> = &mut deciders[dependent as usize];
                    if known.last() != Some(&block) {
                        known.push(block);
                    }
                    at = post_dominators.immediate_dominator(dependent);
                }
            }
        }
        ControlDependence { deciders, endless, exit, post_dominators }
    }

    /// Where the ways out of a block meet again; nothing if that is the end of the procedure.
    pub fn meeting(&self, block: u32) -> Option<BlockId> {
        self.post_dominators.immediate_dominator(block).filter(|&meeting| meeting != self.exit).map(BlockId)
    }

    /// Whether the path may end in this block.
    pub fn stops(&self, block: u32, terminator: &TerminatorKind) -> bool {
        matches!(terminator, TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_)) || self.endless.contains(&block)
    }
}

/// The jumps of a body against their direction, from an exit behind all blocks; and the blocks that reach no end.
fn backwards(body: &Body, store: &TermStore) -> (Graph, FxSet<u32>) {
    let forwards = Graph::of(body);
    let (exit, all) = (forwards.len() as u32, || 0..forwards.len() as u32);
    let ends: Vec<(u32, u32)> = all().filter(|&block| forwards.successors(block).is_empty()).map(|block| (exit, block)).collect();
    let jumps = || forwards.edges().map(|(from, to)| (to, from)).chain(ends.iter().copied());
    let backwards = Graph::from_edges(forwards.len() + 1, jumps());
    // Blocks in a loop that is never left, or that only a failure leaves, get an extra edge to the exit. Without it such a
    // loop would seem to run to its end on every path. Extra edges only add dependences, which is safe.
    let can_end = backwards.reached([exit]);
    let fails = |block: u32| body.blocks.get(block as usize).is_some_and(|block| fails(block, store));
    let can_succeed = backwards.reached_through([exit], |block| !fails(block));
    let endless = all().filter(|&block| !can_end[block as usize]).collect();
    let cut = all().filter(|&block| !can_succeed[block as usize]).map(|block| (exit, block));
    (Graph::from_edges(backwards.len(), jumps().chain(cut)), endless)
}

/// Whether every run that comes here fails.
fn fails(block: &Block, store: &TermStore) -> bool {
    let is_failure = |statement: &Statement| matches!(statement.kind, StatementKind::Assert { condition, .. } if store.const_bool(condition) == Some(false));
    block.statements.iter().any(is_failure)
}
