//! Directed graphs over the numbers below a count, as lists of successors: blocks of a body, procedures and their calls.
//! Orders are deterministic. A depth-first walk takes the last successor first, so that in reverse post-order the first
//! successor comes directly behind its node wherever that is possible.
//!
//! (petgraph's walks are used where the order of the result doesn't matter; orders here decide which states wait for which
//! and how new symbols are numbered, so they must not change with a library.)

use fathom_ir::Body;
use std::collections::VecDeque;

/// A directed graph whose nodes are the numbers below `len`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    successors: Vec<Vec<u32>>,
}

impl Graph {
    /// The graph with these successors of each node.
    pub fn new(successors: Vec<Vec<u32>>) -> Graph {
        Graph { successors }
    }

    /// The graph with `count` nodes and these edges, in their order.
    pub fn from_edges(count: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> Graph {
        let mut successors = vec![Vec::new(); count];
        edges.into_iter().for_each(|(from, to)| successors[from as usize].push(to));
        Graph { successors }
    }

    /// The control flow graph of a body.
    pub fn of(body: &Body) -> Graph {
        let targets = |kind: &fathom_ir::TerminatorKind| kind.successors().iter().map(|next| next.0).collect();
        Graph { successors: body.blocks.iter().map(|block| targets(&block.terminator.kind)).collect() }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Where the edges of a node lead; parallel edges are listed one by one.
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.successors[node as usize]
    }

    /// All edges, by their first node.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from as u32, to)))
    }

    /// For each node where its edges come from, ascending and each once.
    pub fn predecessors(&self) -> Vec<Vec<u32>> {
        let mut all = self.reversed().successors;
        all.iter_mut().for_each(Vec::dedup);
        all
    }

    /// The graph with every edge turned round.
    pub fn reversed(&self) -> Graph {
        Graph::from_edges(self.len(), self.edges().map(|(from, to)| (to, from)))
    }

    /// The subgraph of all nodes and the edges that `keep` accepts.
    pub fn filtered(&self, keep: impl Fn(u32, u32) -> bool) -> Graph {
        Graph::from_edges(self.len(), self.edges().filter(|&(from, to)| keep(from, to)))
    }

    /// Which nodes can be reached from the roots, themselves included.
    pub fn reached(&self, roots: impl IntoIterator<Item = u32>) -> Vec<bool> {
        self.reached_through(roots, |_| true)
    }

    /// Which nodes can be reached by way of such nodes only; the others are not reached.
    pub fn reached_through(&self, roots: impl IntoIterator<Item = u32>, through: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<u32> = roots.into_iter().collect();
        while let Some(node) = open.pop() {
            if through(node) && !std::mem::replace(&mut seen[node as usize], true) {
                open.extend(self.successors(node));
            }
        }
        seen
    }

    /// The nodes that the entry reaches, each before its successors except along edges that close a cycle.
    pub fn reverse_postorder(&self, entry: u32) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut walk = vec![(entry, self.successors(entry))];
        seen[entry as usize] = true;
        while let Some((node, open)) = walk.last_mut() {
            match open.split_last() {
                Some((&next, rest)) => {
                    *open = rest;
                    if !std::mem::replace(&mut seen[next as usize], true) {
                        walk.push((next, self.successors(next)));
                    }
                }
                None => {
                    order.push(*node);
                    walk.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The nodes that the entry reaches, each before its successors; None if there is a cycle among them.
    pub fn topological_order(&self, entry: u32) -> Option<Vec<u32>> {
        let order = self.reverse_postorder(entry);
        let mut place = vec![0; self.len()];
        order.iter().enumerate().for_each(|(at, &node)| place[node as usize] = at);
        let goes_on = |&node: &u32| self.successors(node).iter().all(|&next| place[next as usize] > place[node as usize]);
        order.iter().all(goes_on).then_some(order)
    }

    /// Completes distances breadth first: nodes of `open` have one, in ascending order, and `u32::MAX` means none is known.
    pub fn spread(&self, distances: &mut [u32], mut open: VecDeque<u32>) {
        while let Some(node) = open.pop_front() {
            let further = distances[node as usize] + 1;
            for &next in self.successors(node) {
                if distances[next as usize] == u32::MAX {
                    distances[next as usize] = further;
                    open.push_back(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_puts_nodes_before_their_successors() {
        let diamond = Graph::new(vec![vec![2, 1], vec![3], vec![3], vec![], vec![0]]);
        assert_eq!(diamond.topological_order(0), Some(vec![0, 2, 1, 3]));
        assert_eq!(Graph::new(vec![vec![1], vec![0]]).topological_order(0), None);
    }

    #[test]
    fn distances_are_the_shortest() {
        let graph = Graph::new(vec![vec![1, 2], vec![2], vec![3], vec![], vec![]]);
        let mut distances = vec![0, u32::MAX, u32::MAX, u32::MAX, u32::MAX];
        graph.spread(&mut distances, VecDeque::from([0]));
        assert_eq!(distances, [0, 1, 1, 2, u32::MAX]);
    }

    #[test]
    fn nothing_is_reached_through_what_is_closed() {
        let graph = Graph::new(vec![vec![1], vec![2], vec![]]);
        assert_eq!(graph.reached_through([0], |node| node != 1), [true, false, false]);
        assert_eq!(graph.reversed().reached([1]), [true, true, false]);
    }
}
