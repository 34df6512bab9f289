//! Loops of a procedure: heads are the targets of back edges of a depth-first walk, and a block is in the loop of a head
//! if it reaches the back edge without passing the head.

use fathom_ir::Body;

pub struct Loops {
    pub is_head: Vec<bool>,
    /// How many loops each block is in.
    pub depth: Vec<u32>,
}

#[derive(Copy, Clone, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Loops {
    pub fn of(body: &Body) -> Loops {
        let count = body.blocks.len();
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (number, block) in body.blocks.iter().enumerate() {
            for next in block.terminator.kind.successors() {
                predecessors[next.0 as usize].push(number);
            }
        }
        let mut loops = Loops { is_head: vec![false; count], depth: vec![0; count] };
        let back_edges = back_edges(body);
        let mut heads: Vec<usize> = back_edges.iter().map(|(_, head)| *head).collect();
        heads.sort();
        heads.dedup();
        for head in heads {
            loops.is_head[head] = true;
            let mut inside = vec![false; count];
            inside[head] = true;
            let mut open: Vec<usize> = back_edges.iter().filter(|(_, h)| *h == head).map(|(from, _)| *from).collect();
            while let Some(block) = open.pop() {
                if !inside[block] {
                    inside[block] = true;
                    open.extend(&predecessors[block]);
                }
            }
            for (depth, inside) in loops.depth.iter_mut().zip(inside) {
                *depth += inside as u32;
            }
        }
        loops
    }
}

/// Edges to a block that the walk has not left yet.
fn back_edges(body: &Body) -> Vec<(usize, usize)> {
    let mut marks = vec![Mark::New; body.blocks.len()];
    let mut found = Vec::new();
    let mut stack = vec![(body.entry.0 as usize, false)];
    while let Some((block, leaving)) = stack.pop() {
        if leaving {
            marks[block] = Mark::Done;
            continue;
        }
        if marks[block] != Mark::New {
            continue;
        }
        marks[block] = Mark::Open;
        stack.push((block, true));
        for next in body.blocks[block].terminator.kind.successors() {
            let next = next.0 as usize;
            match marks[next] {
                Mark::New => stack.push((next, false)),
                Mark::Open => found.push((block, next)),
                Mark::Done => {}
            }
        }
    }
    found
}
