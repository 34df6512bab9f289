//! Control dependence inside a procedure (Ferrante, Ottenstein and Warren 1987): a block depends on a branch if one way
//! out of the branch always leads to the block and another may lead around it.

use fathom_base::FxSet;
use fathom_ir::{BlockId, Body, TerminatorKind};
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
    pub fn of(body: &Body) -> Control {
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
        // A loop that is never left has no end; where it is cut open only makes more depend on more.
        let ends = reached(&backwards, EXIT);
        let endless: FxSet<u32> = (0..body.blocks.len() as u32).filter(|block| !ends.contains(block)).collect();
        for &block in &endless {
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

fn reached(graph: &DiGraphMap<u32, ()>, from: u32) -> FxSet<u32> {
    let mut seen: FxSet<u32> = FxSet::default();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(graph.neighbors(next));
        }
    }
    seen
}
