//! Strongly connected components (Tarjan 1972), without recursion. Each component begins with the node that the walk met
//! first, which Bourdoncle's order needs to choose the head of a loop and petgraph's `tarjan_scc` doesn't tell.

use crate::Graph;

impl Graph {
    /// The strongly connected components of the whole graph in topological order.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let roots: Vec<u32> = (0..self.len() as u32).collect();
        components(self.len(), &roots, &|node| self.successors(node).to_vec())
    }

    /// The components in which a walk can go on for ever: several nodes, or one with an edge to itself.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let is_cycle = |part: &Vec<u32>| part.len() > 1 || self.successors(part[0]).contains(&part[0]);
        self.components().into_iter().filter(is_cycle).collect()
    }

    /// Which nodes lie on a cycle.
    pub fn on_cycle(&self) -> Vec<bool> {
        let mut found = vec![false; self.len()];
        self.cycles().into_iter().flatten().for_each(|node| found[node as usize] = true);
        found
    }
}

/// The strongly connected components that the roots reach, in topological order; each begins with the node that the walk
/// met first (Tarjan's algorithm, without recursion).
pub fn components(count: usize, roots: &[u32], edges: &dyn Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    // The last root is walked first: components come out in reverse.
    for &root in roots {
        if number[root as usize] != NEW {
            continue;
        }
        let mut walk: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut open = Some(root);
        loop {
            if let Some(node) = open.take() {
                number[node as usize] = next;
                low[node as usize] = next;
                next += 1;
                stack.push(node);
                on_stack[node as usize] = true;
                walk.push((node, edges(node)));
            }
            let Some((node, waiting)) = walk.last_mut() else { break };
            let node = *node;
            match waiting.pop() {
                Some(to) if number[to as usize] == NEW => open = Some(to),
                Some(to) if on_stack[to as usize] => low[node as usize] = low[node as usize].min(number[to as usize]),
                Some(_) => {}
                None => {
                    walk.pop();
                    if let Some((parent, _)) = walk.last() {
                        low[*parent as usize] = low[*parent as usize].min(low[node as usize]);
                    }
                    if low[node as usize] == number[node as usize] {
                        let from = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                        let component = stack.split_off(from);
                        component.iter().for_each(|&member| on_stack[member as usize] = false);
                        found.push(component);
                    }
                }
            }
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_topological_order() {
        let graph = Graph::new(vec![vec![1], vec![2, 3], vec![1], vec![3, 4], vec![]]);
        assert_eq!(graph.components(), [vec![0], vec![1, 2], vec![3], vec![4]]);
        assert_eq!(graph.cycles(), [vec![1, 2], vec![3]]);
        assert_eq!(graph.on_cycle(), [false, true, true, true, false]);
    }
}
