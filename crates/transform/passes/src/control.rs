//! Control dependence inside a procedure (Ferrante, Ottenstein and Warren 1987): a block depends on a branch if one way
//! out of the branch always leads to the block and another may lead around it.

use fathom_base::FxSet;
use fathom_ir::{Block, BlockId, Body, Statement, StatementKind, TerminatorKind};
use fathom_term::TermStore;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;

/// The end of the procedure, where all its ends meet.
const EXIT: u32 = u32::MAX;

pub struct Control {
    /// For each block the ones whose terminator decides whether it is entered.
    pub deciders: Vec<Vec<u32>>,
    /// Blocks from which no end of the procedure can be reached.
    pub endless: FxSet<u32>,
    after: Dominators<u32>,
}

impl Control {
    pub fn of(body: &Body, store: &TermStore) -> Control {
        let mut backwards: DiGraphMap<u32, ()> = DiGraphMap::new();
        backwards.add_node(EXIT);
        for (block, found) in body.blocks.iter().enumerate() {
            backwards.add_node(block as u32);
            let targets = found.terminator.kind.successors();
            if targets.is_empty() {
                backwards.add_edge(EXIT, block as u32, ());
            }
            targets.iter().for_each(|target| {
                backwards.add_edge(target.0, block as u32, ());
            });
        }
        // A loop that is never left has no end, and one that only a failure ends must not seem to come to it in any case; where
        // they are cut open only makes more depend on more.
        let all = || 0..body.blocks.len() as u32;
        let ends = reached(&backwards, EXIT, &|_| true);
        let right_ends = reached(&backwards, EXIT, &|block| !body.blocks.get(block as usize).is_some_and(|block| fails(block, store)));
        let endless: FxSet<u32> = all().filter(|block| !ends.contains(block)).collect();
        for block in all().filter(|block| !right_ends.contains(block)) {
            backwards.add_edge(EXIT, block, ());
        }
        let after = simple_fast(&backwards, EXIT);
        let mut deciders = vec![Vec::new(); body.blocks.len()];
        for (block, found) in body.blocks.iter().enumerate() {
            let block = block as u32;
            let meeting = after.immediate_dominator(block);
            for target in found.terminator.kind.successors() {
                let mut at = Some(target.0);
                while at != meeting && at != Some(EXIT) {
                    let Some(dependent) = at else { break };
                    let known: &mut Vec<u32> = &mut deciders[dependent as usize];
                    if known.last() != Some(&block) {
                        known.push(block);
                    }
                    at = after.immediate_dominator(dependent);
                }
            }
        }
        Control { deciders, endless, after }
    }

    /// Where the ways out of a block meet again; nothing if that is the end of the procedure.
    pub fn meeting(&self, block: u32) -> Option<BlockId> {
        self.after.immediate_dominator(block).filter(|&meeting| meeting != EXIT).map(BlockId)
    }

    /// Whether the path may end in this block.
    pub fn stops(&self, block: u32, terminator: &TerminatorKind) -> bool {
        matches!(terminator, TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_)) || self.endless.contains(&block)
    }
}

/// Whether every run that comes here fails.
fn fails(block: &Block, store: &TermStore) -> bool {
    let is_failure = |statement: &Statement| matches!(statement.kind, StatementKind::Assert { condition, .. } if store.const_bool(condition) == Some(false));
    block.statements.iter().any(is_failure)
}

/// What is reached by way of such blocks.
fn reached(graph: &DiGraphMap<u32, ()>, from: u32, by: &dyn Fn(u32) -> bool) -> FxSet<u32> {
    let mut seen: FxSet<u32> = FxSet::default();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        if by(next) && seen.insert(next) {
            open.extend(graph.neighbors(next));
        }
    }
    seen
}
