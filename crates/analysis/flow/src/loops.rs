//! Loops of a procedure as nested components (Bourdoncle's weak topological order): the strongly connected components of
//! the flow graph, each with the block that a walk from the entry meets first as its head, and inside, without the
//! edges back to the head, the same again. Every cycle passes a head, components nest even where the flow is
//! irreducible, and the order in which the blocks are listed has each component in one piece with everything that comes
//! after a loop behind it: the order in which joining states wait for each other.

use crate::{Graph, components};
use fathom_ir::Body;

/// The loops of a body, nested; see the module.
pub struct Loops {
    /// For each block the heads of the loops around it, outermost first, with itself if it is one.
    pub around: Vec<Vec<u32>>,
    /// Whether each block is the head of a loop.
    pub is_head: Vec<bool>,
    /// Place of each block in the order.
    pub order: Vec<u32>,
    /// Heads of loops that can also be entered beside the head.
    pub has_side_entry: Vec<bool>,
}

impl Loops {
    /// The loops of a body.
    pub fn of(body: &Body) -> Loops {
        Loops::of_graph(&Graph::of(body), body.entry.0)
    }

    /// The loops of a graph, as a walk from this node meets them.
    pub fn of_graph(graph: &Graph, entry: u32) -> Loops {
        let count = graph.len();
        let mut builder = Builder {
            graph,
            region: vec![0; count],
            regions: 1,
            order: Vec::with_capacity(count),
            around: vec![Vec::new(); count],
            is_head: vec![false; count],
        };
        // What the entry doesn't reach comes last and hardly matters.
        let roots: Vec<u32> = std::iter::once(entry).chain(0..count as u32).collect();
        builder.decompose(0, &roots, &mut Vec::new());
        let mut order = vec![0; count];
        for (place, &block) in builder.order.iter().enumerate() {
            order[block as usize] = place as u32;
        }
        let (around, is_head) = (builder.around, builder.is_head);
        let mut has_side_entry = vec![false; count];
        for (from, next) in graph.edges() {
            for &head in around[next as usize].iter().filter(|&&head| head != next) {
                has_side_entry[head as usize] |= !around[from as usize].contains(&head);
            }
        }
        Loops { around, is_head, order, has_side_entry }
    }
}

struct Builder<'a> {
    graph: &'a Graph,
    /// Which part of the graph each block is in while that part is taken apart.
    region: Vec<u32>,
    regions: u32,
    order: Vec<u32>,
    around: Vec<Vec<u32>>,
    is_head: Vec<bool>,
}

impl Builder<'_> {
    /// Lists the blocks of a region that these roots reach. Recursion is as deep as loops nest.
    fn decompose(&mut self, region: u32, roots: &[u32], outer: &mut Vec<u32>) {
        let inside = |at: u32| self.region[at as usize] == region;
        let edges = |at: u32| self.graph.successors(at).iter().copied().filter(|&to| inside(to)).collect::<Vec<_>>();
        let roots: Vec<u32> = roots.iter().copied().filter(|&root| inside(root)).collect();
        let components = components(self.graph.len(), &roots, &edges);
        for component in components {
            let head = component[0];
            let is_loop = component.len() > 1 || self.graph.successors(head).contains(&head);
            if !is_loop {
                self.around[head as usize].clone_from(outer);
                self.order.push(head);
                continue;
            }
            outer.push(head);
            self.is_head[head as usize] = true;
            self.around[head as usize].clone_from(outer);
            self.order.push(head);
            let inner = self.regions;
            self.regions += 1;
            for &block in &component[1..] {
                self.region[block as usize] = inner;
            }
            self.region[head as usize] = u32::MAX;
            let roots: Vec<u32> = self.graph.successors(head).iter().chain(&component[1..]).copied().collect();
            self.decompose(inner, &roots, outer);
            outer.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn loops(edges: &[&[u32]]) -> Loops {
        Loops::of_graph(&Graph::new(edges.iter().map(|next| next.to_vec()).collect()), 0)
    }

    #[test]
    fn what_follows_a_loop_comes_behind_all_of_it() {
        // 0 -> 1 (outer head) -> 2 (inner head) -> 3 -> 2; 2 -> 4 -> 1; 1 -> 5; 3 -> 5.
        let loops = loops(&[&[1], &[5, 2], &[4, 3], &[2, 5], &[1], &[]]);
        assert_eq!(loops.around, vec![vec![], vec![1], vec![1, 2], vec![1, 2], vec![1], vec![]]);
        assert_eq!(loops.is_head, [false, true, true, false, false, false]);
        let place = |block: usize| loops.order[block];
        assert!(place(0) < place(1) && place(1) < place(2) && place(2) < place(3) && place(3) < place(4) && place(4) < place(5));
        assert!(loops.has_side_entry.iter().all(|entry| !entry));
    }

    #[test]
    fn every_cycle_of_irreducible_flow_has_a_head() {
        let loops = loops(&[&[1, 2], &[2, 3], &[1], &[]]);
        let head = if loops.is_head[1] { 1 } else { 2 };
        assert!(loops.is_head[head] && loops.has_side_entry[head]);
        assert!(loops.around[1].contains(&(head as u32)) && loops.around[2].contains(&(head as u32)));
        assert!(loops.order[3] > loops.order[1] && loops.order[3] > loops.order[2]);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_a_loop() {
        let loops = loops(&[&[0, 1], &[]]);
        assert!(loops.is_head[0] && !loops.is_head[1]);
    }
}
