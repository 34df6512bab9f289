//! Propagates a predicate that split a region backwards to the next loop head, without a solver: unchanged through
//! blocks that do not change its variables, as its precondition through others, as long as that is small. At a block
//! with several exits, all ways to the predicate are combined, so an unrelated diamond is passed once and not along
//! each of its paths. Guards are kept only if another exit leads to something other than failures, because then the
//! guard distinguishes good states from bad ones.
//!
//! Sound because a region loses only exits into regions whose precondition implies the predicate by which it was split.
//! Regions in which a test satisfies the predicate are not split: they are the next frontier.

use crate::limits::Limits;
use crate::regions::{Position, RegionId, Regions};
use crate::runs::Run;
use fathom_base::{FxMap, FxSet};
use fathom_flat::{Block, Flat, Target, add_conjuncts};
use fathom_flow::Graph;
use fathom_term::Term;
use std::collections::BTreeSet;

/// Regions of a block in which a predicate holds, and which lead on to the next such regions.
struct Bad {
    predicate: Term,
    regions: Vec<RegionId>,
}

/// Carries the predicate of a split backwards.
pub struct Spread<'a> {
    pub limits: &'a Limits,
    pub flat: &'a Flat,
    pub regions: &'a mut Regions,
    pub runs: &'a [Run],
    /// The block where runs start.
    pub start: usize,
    /// The index of each block in an order in which jumps go forward, except those back to loop heads.
    pub order: &'a [usize],
    /// Blocks from which only error locations are reachable.
    pub dead_ends: &'a [bool],
}

/// Blocks from which only error locations are reachable.
pub fn dead_ends(flat: &Flat) -> Vec<bool> {
    let mut dead_ends = vec![false; flat.blocks.len()];
    loop {
        let leads_to_errors = |block: &Block| {
            !block.edges.is_empty()
                && block.edges.iter().all(|edge| match edge.target {
                    Target::Block(to) => dead_ends[to],
                    Target::Error(_) => true,
                    Target::End | Target::Return => false,
                })
        };
        let now: Vec<bool> = flat.blocks.iter().map(leads_to_errors).collect();
        if now == dead_ends {
            return dead_ends;
        }
        dead_ends = now;
    }
}

/// Numbers blocks so that jumps go to larger numbers, as far as loops allow.
pub fn forward_order(flat: &Flat, start: usize) -> Vec<usize> {
    // A walk takes the last successor first, and the first edge is to come first.
    let targets = |block: &Block| block.edges.iter().rev().filter_map(|edge| edge.target.block()).map(|to| to as u32).collect();
    let reached = Graph::new(flat.blocks.iter().map(targets).collect()).reverse_postorder(start as u32);
    let mut order = vec![0; flat.blocks.len()];
    reached.iter().rev().zip(1..).for_each(|(&block, from_end)| order[block as usize] = flat.blocks.len() - from_end);
    order
}

impl Spread<'_> {
    /// From a region of this block that the predicate made.
    pub fn run(&mut self, block: usize, predicate: Term, region: RegionId) {
        let mut bad: FxMap<usize, Bad> = FxMap::default();
        bad.insert(block, Bad { predicate, regions: vec![region] });
        let mut waiting: BTreeSet<(usize, usize)> = BTreeSet::new();
        self.add_before(block, self.order[block], &mut waiting);
        while let Some((place, from)) = waiting.pop_last() {
            if from == self.start || bad.contains_key(&from) {
                continue;
            }
            if let Some(found) = self.enter(from, &bad) {
                bad.insert(from, found);
                self.add_before(from, place, &mut waiting);
            }
        }
    }

    fn add_before(&self, block: usize, place: usize, waiting: &mut BTreeSet<(usize, usize)>) {
        let before = self.regions.ways_in(block).iter().map(|&(from, _)| (self.order[from], from));
        waiting.extend(before.filter(|(earlier, _)| *earlier < place));
    }

    /// The bad regions of a block all of whose bad successors are known.
    fn enter(&mut self, from: usize, bad: &FxMap<usize, Bad>) -> Option<Bad> {
        let flat = self.flat;
        let store = &flat.terms;
        let mut exits: Vec<(usize, &Bad)> = Vec::new();
        let mut changed: Vec<Term> = Vec::new();
        let mut guarded = false;
        for (exit, edge) in flat.blocks[from].edges.iter().enumerate() {
            let Target::Block(to) = edge.target else { continue };
            match bad.get(&to) {
                Some(found) if flat.keeps(from, found.predicate) => exits.push((exit, found)),
                Some(found) if let Some(before) = self.changed(from, exit, found.predicate) => {
                    changed.push(before);
                    exits.push((exit, found));
                }
                _ => guarded |= !self.dead_ends[to],
            }
        }
        // Where exits lead to different things, their guards are what tells these apart.
        guarded |= exits.windows(2).any(|pair| pair[0].1.predicate != pair[1].1.predicate) || (exits.len() > 1 && !changed.is_empty());
        let kept = exits.iter().filter(|(_, found)| flat.keeps(from, found.predicate));
        let parts = kept.map(|&(exit, found)| {
            let guard = flat.blocks[from].edges[exit].guard;
            let speaks_of_inputs = flat.vars(guard).iter().any(|&var| flat.inputs.ahead(var).is_some());
            match guarded && !speaks_of_inputs {
                true => without_contradiction(flat, store.and(guard, found.predicate)),
                false => found.predicate,
            }
        });
        let parts: Vec<Term> = parts.collect();
        let predicate = store.or_all(parts.into_iter().chain(changed));
        if exits.is_empty() || flat.vars(predicate).len() > self.limits.spread_variables {
            return None;
        }
        let mut regions = Vec::new();
        for leaf in self.regions.leaves(from).to_vec() {
            let leads = |&(exit, found): &(usize, &Bad)| found.regions.iter().any(|&to| self.regions.leads(leaf, exit, to));
            let useful = exits.iter().any(leads) && (self.regions.is_visited(leaf) || self.regions.get(leaf).is_rest);
            if !useful {
                continue;
            }
            let runs = self.runs;
            let mut holds = |(test, step): Position| runs[test as usize].holds(flat, step, predicate).unwrap_or(false);
            let members = self.regions.get(leaf).members.clone();
            if members.into_iter().any(&mut holds) {
                continue;
            }
            let good = match store.const_bool(predicate) {
                Some(false) => leaf,
                _ => {
                    let (yes, no) = self.regions.split(flat, leaf, predicate, &mut holds);
                    regions.push(yes);
                    no
                }
            };
            for &(exit, found) in &exits {
                found.regions.iter().for_each(|&to| self.regions.remove(good, exit, to));
            }
        }
        (!regions.is_empty()).then_some(Bad { predicate, regions })
    }

    /// The precondition of a predicate that the block changes, if it is small and speaks of no inputs to come.
    fn changed(&self, from: usize, exit: usize, predicate: Term) -> Option<Term> {
        let flat = self.flat;
        let before = flat.terms.and_all(flat.before(from, exit, &[predicate]));
        let vars = flat.vars(before);
        let speaks_of_inputs = vars.iter().any(|&var| flat.inputs.ahead(var).is_some());
        let most = self.limits.spread_nodes;
        let is_small = vars.len() <= self.limits.spread_variables && size_up_to(flat, before, most) < most;
        (is_small && !speaks_of_inputs).then(|| without_contradiction(flat, before))
    }
}

/// `false` for a conjunction that has a part and its negation.
fn without_contradiction(flat: &Flat, conjunction: Term) -> Term {
    let mut parts = Vec::new();
    add_conjuncts(&flat.terms, conjunction, &mut parts);
    let contradicts = parts.iter().any(|&part| parts.contains(&flat.terms.not(part)));
    if contradicts { flat.terms.bool(false) } else { conjunction }
}

/// Nodes of a term, counted up to this many.
fn size_up_to(flat: &Flat, term: Term, most: usize) -> usize {
    let mut seen: FxSet<Term> = FxSet::default();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        if seen.len() < most && seen.insert(next) {
            open.extend(flat.terms.args(next));
        }
    }
    seen.len()
}
