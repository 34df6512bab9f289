//! The frontier of an abstract error trace (LCTD, section 2.3): an exit from a region that a test has reached to one
//! that no test has reached, from which abstract steps through unreached regions lead to an objective. The search goes
//! backwards from the objectives and takes the frontier nearest to one; among equally near ones, that which a test
//! reaches soonest.

use crate::objectives::Objective;
use crate::regions::{RegionId, Regions};
use fathom_base::{FxMap, FxSet};
use fathom_flat::{Flat, Target};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Where an exit leads.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    Region(RegionId),
    /// An objective, by its index.
    Objective(usize),
}

/// An exit of the abstraction that leads from a region that tests visit to a goal that none has reached.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frontier {
    pub from: RegionId,
    pub exit: usize,
    pub to: Goal,
}

#[cfg(test)]
/// The best frontier of a trace to one of the active objectives, leaving out those that no solver could decide.
pub fn frontier(regions: &Regions, objectives: &[Objective], active: &[bool], stuck: &FxSet<Frontier>) -> Option<Frontier> {
    trace(regions, objectives, active, stuck).0
}

/// The best frontier, and how each region behind it leads on to an objective.
pub fn trace(
    regions: &Regions,
    objectives: &[Objective],
    active: &[bool],
    stuck: &FxSet<Frontier>,
) -> (Option<Frontier>, FxMap<RegionId, Frontier>) {
    let mut hops: FxMap<RegionId, Frontier> = FxMap::default();
    let mut best: Option<((u32, u32, u32), Frontier)> = None;
    let mut distances: FxMap<RegionId, u32> = FxMap::default();
    let mut open: VecDeque<RegionId> = VecDeque::new();
    let mut consider = |distance: u32, found: Frontier, distances: &mut FxMap<RegionId, u32>, open: &mut VecDeque<RegionId>| match regions
        .get(found.from)
        .members
        .first()
    {
        Some(&(test, step)) => {
            let rank = (distance, step, test);
            if !stuck.contains(&found) && best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, found));
            }
        }
        None => {
            if let Entry::Vacant(unseen) = distances.entry(found.from) {
                unseen.insert(distance + 1);
                hops.insert(found.from, found);
                open.push_back(found.from);
            }
        }
    };
    for (number, objective) in objectives.iter().enumerate() {
        if objective.error.is_some_and(|error| !active[error]) {
            continue;
        }
        for &from in regions.leaves(objective.block) {
            if regions.leads_out(from, objective.exit) {
                consider(0, Frontier { from, exit: objective.exit, to: Goal::Objective(number) }, &mut distances, &mut open);
            }
        }
    }
    while let Some(to) = open.pop_front() {
        let distance = distances[&to];
        for &(block, exit) in regions.ways_in(regions.get(to).block) {
            for &from in regions.leaves(block) {
                if regions.leads(from, exit, to) {
                    consider(distance, Frontier { from, exit, to: Goal::Region(to) }, &mut distances, &mut open);
                }
            }
        }
    }
    (best.map(|(_, found)| found), hops)
}

/// The leaves that abstract steps reach from the start, per block.
pub fn reachable(flat: &Flat, regions: &Regions, start: usize) -> Vec<Vec<RegionId>> {
    let start = regions.leaves(start).to_vec();
    let mut seen: FxSet<RegionId> = start.iter().copied().collect();
    let mut open = start;
    while let Some(from) = open.pop() {
        for (exit, edge) in flat.blocks[regions.get(from).block].edges.iter().enumerate() {
            let Target::Block(to) = edge.target else { continue };
            for &next in regions.leaves(to) {
                if regions.leads(from, exit, next) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    (0..flat.blocks.len()).map(|block| regions.leaves(block).iter().copied().filter(|leaf| seen.contains(leaf)).collect()).collect()
}
