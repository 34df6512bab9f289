//! The abstraction (LCTD, sections 2.3 and 4.1): a tree of regions per block. Leaves are the current regions; inner
//! nodes were split by a predicate, whose first child is the side where it holds. An exit of a block leads from each of
//! its leaves to each leaf of the target, except for pairs that were shown to be impossible, which are in `absent`.
//! When the region at either end of such a pair is split, both children inherit it.

use fathom_base::{FxMap, FxSet};
use fathom_flat::{Flat, Target};
use fathom_term::{Term, TermStore};

/// The number of a region.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub u32);

/// A position in a test: which one, and after how many blocks.
pub type Position = (u32, u32);

/// A set of states at a block. One that was split stands for its two parts.
pub struct Region {
    pub block: usize,
    /// All of these hold in it.
    pub literals: Vec<Term>,
    pub split: Option<(Term, RegionId, RegionId)>,
    /// Tests that came here, the shortest first.
    pub members: Vec<Position>,
    /// What is left of the block when everything that a predicate took out is gone.
    pub is_rest: bool,
}

/// The exit of a block.
pub type Exit = (usize, usize);

/// The abstraction: every block's states divided into regions, and which region leads to which.
pub struct Regions {
    most_members: usize,
    all: Vec<Region>,
    roots: Vec<RegionId>,
    leaves: Vec<Vec<RegionId>>,
    /// Exits that lead to a block.
    ways_in: Vec<Vec<Exit>>,
    /// Regions that an exit of a region does not lead to.
    absent: FxMap<(RegionId, usize), FxSet<RegionId>>,
    /// Exits to error locations that can't be taken.
    closed: FxSet<(RegionId, usize)>,
    pub splits: u64,
    pub removed: u64,
}

impl Regions {
    /// One region per block.
    pub fn new(flat: &Flat, most_members: usize) -> Regions {
        let count = flat.blocks.len();
        let root = |block: usize| Region { block, literals: Vec::new(), split: None, members: Vec::new(), is_rest: true };
        let mut ways_in: Vec<Vec<Exit>> = vec![Vec::new(); count];
        for (from, block) in flat.blocks.iter().enumerate() {
            for (number, edge) in block.edges.iter().enumerate() {
                if let Target::Block(to) = edge.target {
                    ways_in[to].push((from, number));
                }
            }
        }
        Regions {
            most_members,
            all: (0..count).map(root).collect(),
            roots: (0..count as u32).map(RegionId).collect(),
            leaves: (0..count as u32).map(|block| vec![RegionId(block)]).collect(),
            ways_in,
            absent: FxMap::default(),
            closed: FxSet::default(),
            splits: 0,
            removed: 0,
        }
    }

    /// The region of a number.
    pub fn get(&self, region: RegionId) -> &Region {
        &self.all[region.0 as usize]
    }

    /// The regions of a block that are not split.
    pub fn leaves(&self, block: usize) -> &[RegionId] {
        &self.leaves[block]
    }

    /// The region of all states at a block.
    pub fn root(&self, block: usize) -> RegionId {
        self.roots[block]
    }

    /// The exits that lead to a block.
    pub fn ways_in(&self, block: usize) -> &[Exit] {
        &self.ways_in[block]
    }

    /// Whether a test has come there.
    pub fn is_visited(&self, region: RegionId) -> bool {
        !self.get(region).members.is_empty()
    }

    /// How many regions are not split.
    pub fn count(&self) -> usize {
        self.leaves.iter().map(Vec::len).sum()
    }

    /// Whether the exit may lead from one leaf to another.
    pub fn leads(&self, from: RegionId, exit: usize, to: RegionId) -> bool {
        !self.absent.get(&(from, exit)).is_some_and(|absent| absent.contains(&to))
    }

    /// Whether the exit to an error location may be taken from this leaf.
    pub fn leads_out(&self, from: RegionId, exit: usize) -> bool {
        !self.closed.contains(&(from, exit))
    }

    /// The pair is impossible.
    pub fn remove(&mut self, from: RegionId, exit: usize, to: RegionId) {
        self.removed += self.absent.entry((from, exit)).or_default().insert(to) as u64;
    }

    /// The exit to an error location can't be taken from this leaf.
    pub fn close(&mut self, from: RegionId, exit: usize) {
        self.removed += self.closed.insert((from, exit)) as u64;
    }

    /// Adds a test's position to the leaf where it is; `holds` evaluates a predicate there.
    pub fn place(&mut self, block: usize, position: Position, holds: &mut dyn FnMut(Term) -> bool) -> RegionId {
        let mut at = self.roots[block];
        while let Some((predicate, yes, no)) = self.get(at).split {
            at = if holds(predicate) { yes } else { no };
        }
        self.add_member(at, position);
        at
    }

    fn add_member(&mut self, region: RegionId, position: Position) {
        let members = &mut self.all[region.0 as usize].members;
        let after = members.partition_point(|known| (known.1, known.0) < (position.1, position.0));
        members.insert(after, position);
        members.truncate(self.most_members);
    }

    /// Splits a leaf: where the predicate holds, and where not.
    pub fn split(&mut self, flat: &Flat, leaf: RegionId, predicate: Term, holds: &mut dyn FnMut(Position) -> bool) -> (RegionId, RegionId) {
        let store: &TermStore = &flat.terms;
        let (yes, no) = (RegionId(self.all.len() as u32), RegionId(self.all.len() as u32 + 1));
        let Region { block, literals, members, is_rest, .. } = self.get(leaf);
        let (block, is_rest) = (*block, *is_rest);
        let (inside, outside): (Vec<Position>, Vec<Position>) = members.clone().into_iter().partition(|&position| holds(position));
        let with = |literal: Term| literals.iter().copied().chain([literal]).collect::<Vec<_>>();
        let (with_it, without) = (with(predicate), with(store.not(predicate)));
        self.all.push(Region { block, literals: with_it, split: None, members: inside, is_rest: false });
        self.all.push(Region { block, literals: without, split: None, members: outside, is_rest });
        let parent = &mut self.all[leaf.0 as usize];
        parent.split = Some((predicate, yes, no));
        parent.members = Vec::new();
        let leaves = &mut self.leaves[block];
        leaves.retain(|known| *known != leaf);
        leaves.extend([yes, no]);
        self.splits += 1;
        self.inherit(flat, leaf, [yes, no]);
        (yes, no)
    }

    fn inherit(&mut self, flat: &Flat, leaf: RegionId, children: [RegionId; 2]) {
        let block = self.get(leaf).block;
        for exit in 0..flat.blocks[block].edges.len() {
            if let Some(absent) = self.absent.remove(&(leaf, exit)) {
                for child in children {
                    self.absent.insert((child, exit), absent.clone());
                }
            }
            if self.closed.remove(&(leaf, exit)) {
                self.closed.extend(children.map(|child| (child, exit)));
            }
        }
        for &(from, exit) in &self.ways_in[block].clone() {
            for &source in &self.leaves[from] {
                if let Some(absent) = self.absent.get_mut(&(source, exit))
                    && absent.remove(&leaf)
                {
                    absent.extend(children);
                }
            }
        }
    }
}
