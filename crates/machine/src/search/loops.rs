//! Loops of a procedure as nested components (Bourdoncle's weak topological order): the strongly connected components of
//! the flow graph, each with the block that a walk from the entry meets first as its head, and inside, without the
//! edges back to the head, the same again. Every cycle passes a head, components nest even where the flow is
//! irreducible, and the order in which the blocks are listed has each component in one piece with everything that comes
//! after a loop behind it: the order in which joining states wait for each other.

use fathom_ir::Body;

pub struct Loops {
    /// For each block the heads of the loops around it, outermost first, with itself if it is one.
    pub around: Vec<Vec<u32>>,
    pub is_head: Vec<bool>,
    /// Place of each block in the order.
    pub order: Vec<u32>,
    /// Heads of loops that can also be entered beside the head.
    pub has_side_entry: Vec<bool>,
}

impl Loops {
    pub fn of(body: &Body) -> Loops {
        let count = body.blocks.len();
        let successors: Vec<Vec<u32>> =
            body.blocks.iter().map(|b| b.terminator.kind.successors().iter().map(|next| next.0).collect()).collect();
        let mut builder = Builder {
            successors: &successors,
            region: vec![0; count],
            regions: 1,
            order: Vec::with_capacity(count),
            around: vec![Vec::new(); count],
            is_head: vec![false; count],
        };
        // What the entry doesn't reach comes last and hardly matters.
        let roots: Vec<u32> = std::iter::once(body.entry.0).chain(0..count as u32).collect();
        builder.decompose(0, &roots, &mut Vec::new());
        let mut order = vec![0; count];
        for (place, &block) in builder.order.iter().enumerate() {
            order[block as usize] = place as u32;
        }
        let (around, is_head) = (builder.around, builder.is_head);
        let mut has_side_entry = vec![false; count];
        for (from, next) in successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from, to))) {
            for &head in around[next as usize].iter().filter(|&&head| head != next) {
                has_side_entry[head as usize] |= !around[from].contains(&head);
            }
        }
        Loops { around, is_head, order, has_side_entry }
    }
}

struct Builder<'a> {
    successors: &'a [Vec<u32>],
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
        let edges = |at: u32| self.successors[at as usize].iter().copied().filter(|&to| inside(to)).collect::<Vec<_>>();
        let roots: Vec<u32> = roots.iter().copied().filter(|&root| inside(root)).collect();
        let components = components(self.successors.len(), &roots, &edges);
        for component in components {
            let head = component[0];
            let is_loop = component.len() > 1 || self.successors[head as usize].contains(&head);
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
            let roots: Vec<u32> = self.successors[head as usize].iter().chain(&component[1..]).copied().collect();
            self.decompose(inner, &roots, outer);
            outer.pop();
        }
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
    use fathom_base::Loc;
    use fathom_ir::{Block, BlockId, Terminator, TerminatorKind};

    fn body(edges: &[&[u32]]) -> Body {
        let block = |(number, next): (usize, &&[u32])| Block {
            label: format!("b{number}"),
            statements: Vec::new(),
            terminator: Terminator {
                kind: match next {
                    [] => TerminatorKind::Return,
                    next => TerminatorKind::Goto(next.iter().map(|&to| BlockId(to)).collect()),
                },
                loc: Loc::UNKNOWN,
            },
        };
        Body { entry: BlockId(0), blocks: edges.iter().enumerate().map(block).collect() }
    }

    #[test]
    fn what_follows_a_loop_comes_behind_all_of_it() {
        // 0 -> 1 (outer head) -> 2 (inner head) -> 3 -> 2; 2 -> 4 -> 1; 1 -> 5; 3 -> 5.
        let loops = Loops::of(&body(&[&[1], &[5, 2], &[4, 3], &[2, 5], &[1], &[]]));
        assert_eq!(loops.around, vec![vec![], vec![1], vec![1, 2], vec![1, 2], vec![1], vec![]]);
        assert_eq!(loops.is_head, [false, true, true, false, false, false]);
        let place = |block: usize| loops.order[block];
        assert!(place(0) < place(1) && place(1) < place(2) && place(2) < place(3) && place(3) < place(4) && place(4) < place(5));
        assert!(loops.has_side_entry.iter().all(|entry| !entry));
    }

    #[test]
    fn every_cycle_of_irreducible_flow_has_a_head() {
        let loops = Loops::of(&body(&[&[1, 2], &[2, 3], &[1], &[]]));
        let head = if loops.is_head[1] { 1 } else { 2 };
        assert!(loops.is_head[head] && loops.has_side_entry[head]);
        assert!(loops.around[1].contains(&(head as u32)) && loops.around[2].contains(&(head as u32)));
        assert!(loops.order[3] > loops.order[1] && loops.order[3] > loops.order[2]);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_a_loop() {
        let loops = Loops::of(&body(&[&[0, 1], &[]]));
        assert!(loops.is_head[0] && !loops.is_head[1]);
    }
}
