//! Turns small diamonds into one block: if all exits of a block soon meet again, the block includes their effects,
//! selected by the guards. In a loop whose body has a few such branches, preconditions would otherwise double with each
//! of them. This is large-block encoding (Beyer et al., FMCAD 2009). The states at the starts of the remaining blocks
//! and the exits to error locations stay the same, so a partition of the joined form proves the same.
//!
//! Diamonds whose guards mention inputs are not joined: the side is then the test's choice, and would appear in
//! preconditions as a future input.

use crate::program::{Block, Edge, Inputs, Origin, Procedure, Target, add_conjuncts};
use fathom_term::{Substitution, Term, TermStore, VarId, VarSets};

/// Nodes of all terms of a joined block.
const MOST_NODES: usize = 250;
/// Ways out of a joined block.
const MOST_EDGES: usize = 12;

pub(crate) struct Joiner<'a> {
    pub store: &'a TermStore,
    pub sets: &'a VarSets,
    pub inputs: &'a Inputs,
}

impl Joiner<'_> {
    /// Joins until nothing changes, and leaves out blocks that nothing leads to any more.
    pub fn run(&self, mut blocks: Vec<Block>, procedures: &mut [Procedure]) -> Vec<Block> {
        let roots: Vec<usize> = [0].into_iter().chain(procedures.iter().map(|procedure| procedure.start)).collect();
        loop {
            let mut changed = false;
            let mut ways_in = count_ways_in(&blocks, &roots);
            for at in 0..blocks.len() {
                if ways_in[at] == 0 || blocks[at].call.is_some() {
                    continue;
                }
                while let Some(joined) = self.joined(&blocks, &ways_in, at).or_else(|| self.fused(&blocks, &ways_in, at)) {
                    blocks[at] = joined;
                    ways_in = count_ways_in(&blocks, &roots);
                    changed = true;
                }
            }
            if !changed {
                return reachable(blocks, &roots, procedures);
            }
        }
    }

    /// The block with everything between it and the one block where its ways meet.
    fn joined(&self, blocks: &[Block], ways_in: &[u32], at: usize) -> Option<Block> {
        let store = self.store;
        let block = &blocks[at];
        let ways: Vec<(&Edge, usize)> = block.edges.iter().filter_map(|edge| edge.target.block().map(|to| (edge, to))).collect();
        if ways.len() < 2 || ways.iter().any(|(edge, _)| self.speaks_of_inputs(edge.guard)) {
            return None;
        }
        let arm = |to: usize| -> Option<(&Block, usize)> {
            let [edge] = &blocks[to].edges[..] else { return None };
            let meets = edge.target.block()?;
            (ways_in[to] == 1 && to != at && meets != to && blocks[to].call.is_none()).then_some((&blocks[to], meets))
        };
        // The ways meet at a block that one of them leads to directly, or that all of them lead to through one block each.
        let direct = ways.iter().map(|&(_, to)| to);
        let behind = ways.iter().filter_map(|&(_, to)| arm(to).map(|(_, meets)| meets));
        let meets = behind
            .chain(direct)
            .find(|&meets| ways.iter().all(|&(_, to)| to == meets || arm(to).is_some_and(|(_, known)| known == meets)))?;
        let mut inputs = block.inputs.clone();
        let mut origins = block.origins.clone();
        let mut sides: Vec<(Term, Vec<(VarId, Term)>)> = Vec::new();
        for (edge, to) in ways {
            let Some((side, _)) = arm(to).filter(|_| to != meets) else {
                sides.push((edge.guard, Vec::new()));
                continue;
            };
            let mut behind = self.behind(block, side, inputs.len());
            inputs.extend(&side.inputs);
            let guard = store.and(edge.guard, behind.apply(store, side.edges[0].guard));
            let values = side.assigns.iter().map(|&(var, term)| (var, behind.apply(store, term))).collect();
            origins.extend(
                side.origins.iter().map(|origin| Origin { when: store.and(edge.guard, behind.apply(store, origin.when)), ..*origin }),
            );
            sides.push((guard, values));
        }
        let assigns = self.chosen(block, &sides);
        let guards: Vec<Term> = sides.iter().map(|(guard, _)| *guard).collect();
        let mut edges: Vec<Edge> = block.edges.iter().filter(|edge| edge.target.block().is_none()).cloned().collect();
        edges.push(Edge { guard: self.any_of(&guards), target: Target::Block(meets) });
        self.small(Block { label: block.label.clone(), loc: block.loc, begins: block.begins, origins, inputs, assigns, edges, call: None })
    }

    /// The block with the next one, if that is the only way on and has no other way in.
    fn fused(&self, blocks: &[Block], ways_in: &[u32], at: usize) -> Option<Block> {
        let store = self.store;
        let block = &blocks[at];
        let mut ways = block.edges.iter().filter_map(|edge| edge.target.block().map(|to| (edge.guard, to)));
        let (guard, to) = ways.next()?;
        if ways.next().is_some() || to == at || ways_in[to] != 1 || blocks[to].call.is_some() {
            return None;
        }
        let next = &blocks[to];
        let mut behind = self.behind(block, next, block.inputs.len());
        let mut edges: Vec<Edge> = block.edges.iter().filter(|edge| edge.target.block().is_none()).cloned().collect();
        for edge in &next.edges {
            let guard = store.and(guard, behind.apply(store, edge.guard));
            if self.speaks_of_inputs(guard) && next.edges.len() > 1 {
                return None;
            }
            edges.push(Edge { guard, target: edge.target });
        }
        let mut assigns = block.assigns.clone();
        for &(var, term) in &next.assigns {
            let value = behind.apply(store, term);
            match assigns.iter_mut().find(|(known, _)| *known == var) {
                Some(old) => old.1 = value,
                None => assigns.push((var, value)),
            }
        }
        let mut origins = block.origins.clone();
        origins.extend(next.origins.iter().map(|origin| Origin { when: behind.apply(store, origin.when), ..*origin }));
        let inputs = block.inputs.iter().chain(&next.inputs).copied().collect();
        self.small(Block { label: block.label.clone(), loc: block.loc, begins: block.begins, origins, inputs, assigns, edges, call: None })
    }

    /// What terms about the start of the next block are at the start of this one, after so many inputs.
    fn behind(&self, block: &Block, next: &Block, taken: usize) -> Substitution {
        let store = self.store;
        let shifted = (0..next.inputs.len()).filter_map(|ahead| {
            let sort = next.inputs[ahead];
            let var = store.as_var(self.inputs.next(store, ahead as u32, sort))?;
            Some((var, self.inputs.next(store, (ahead + taken) as u32, sort)))
        });
        Substitution::new(block.assigns.iter().copied().chain(shifted))
    }

    /// Values behind the sides. Guards exclude each other, so the last side needs none.
    fn chosen(&self, block: &Block, sides: &[(Term, Vec<(VarId, Term)>)]) -> Vec<(VarId, Term)> {
        let store = self.store;
        let mut vars: Vec<VarId> = block.assigns.iter().map(|(var, _)| *var).collect();
        for (var, _) in sides.iter().flat_map(|(_, values)| values) {
            if !vars.contains(var) {
                vars.push(*var);
            }
        }
        let chosen = |var: VarId| {
            let before = block.assigns.iter().find(|(known, _)| *known == var).map_or_else(|| store.var_term(var), |(_, value)| *value);
            let on = |(_, values): &(Term, Vec<(VarId, Term)>)| {
                values.iter().find(|(known, _)| *known == var).map_or(before, |(_, value)| *value)
            };
            let (last, others) = sides.split_last()?;
            Some(others.iter().rev().fold(on(last), |rest, side| store.ite(side.0, on(side), rest)))
        };
        vars.into_iter().filter_map(|var| Some((var, chosen(var)?))).filter(|&(var, value)| value != store.var_term(var)).collect()
    }

    /// The disjunction, with what all have in common in front.
    fn any_of(&self, guards: &[Term]) -> Term {
        let store = self.store;
        let parts: Vec<Vec<Term>> = guards
            .iter()
            .map(|&guard| {
                let mut parts = Vec::new();
                add_conjuncts(store, guard, &mut parts);
                parts
            })
            .collect();
        let common: Vec<Term> = parts[0].iter().copied().filter(|part| parts.iter().all(|other| other.contains(part))).collect();
        let rests = parts.iter().map(|parts| store.and_all(parts.iter().copied().filter(|part| !common.contains(part))));
        store.and(store.and_all(common.iter().copied()), store.or_all(rests.collect::<Vec<_>>()))
    }

    fn speaks_of_inputs(&self, term: Term) -> bool {
        self.sets.vars(self.store, term).iter().any(|&var| self.inputs.ahead(var).is_some())
    }

    fn small(&self, block: Block) -> Option<Block> {
        let roots = block.assigns.iter().map(|(_, term)| *term).chain(block.edges.iter().map(|edge| edge.guard));
        let is_small = self.store.subterms(roots).nth(MOST_NODES).is_none();
        (is_small && block.edges.len() <= MOST_EDGES).then_some(block)
    }
}

fn count_ways_in(blocks: &[Block], roots: &[usize]) -> Vec<u32> {
    let mut ways = vec![0; blocks.len()];
    let mut seen = vec![false; blocks.len()];
    let mut open = roots.to_vec();
    roots.iter().for_each(|&root| ways[root] += 1);
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        for to in blocks[at].edges.iter().filter_map(|edge| edge.target.block()) {
            ways[to] += 1;
            open.push(to);
        }
    }
    ways
}

/// The blocks that something leads to, in their order.
fn reachable(blocks: Vec<Block>, roots: &[usize], procedures: &mut [Procedure]) -> Vec<Block> {
    let ways_in = count_ways_in(&blocks, roots);
    let kept: Vec<bool> = ways_in.iter().map(|&ways| ways > 0).collect();
    let numbers: Vec<usize> = kept.iter().scan(0, |next, &kept| Some(std::mem::replace(next, *next + kept as usize))).collect();
    let mut left: Vec<Block> = blocks.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(block, _)| block).collect();
    for edge in left.iter_mut().flat_map(|block| &mut block.edges) {
        if let Target::Block(to) = &mut edge.target {
            *to = numbers[*to];
        }
    }
    for procedure in procedures {
        procedure.start = numbers[procedure.start];
    }
    left
}
