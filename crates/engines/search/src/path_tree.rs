//! The decisions of all paths of a search as a tree, which records the parts that are done, open or handed on. Subtrees
//! whose paths have all ended are reduced to a summary, so the tree is only as large as the frontier.
//!
//! A search may begin with a tree: then it reaches the open nodes by repeating their decisions, and ignores everything
//! else. If a decision differs from that in the tree, or one of its sides is not possible any more, the tree is broken,
//! and the search proves nothing.

use fathom_machine::State;
use fathom_paths::{Decision, Node, PathHash, Prefix, Tree};

const ROOT: u32 = 0;

#[derive(Clone, Copy)]
enum Side {
    /// No state has come there; at the end of the step that made the decision it is impossible.
    Unborn,
    Closed {
        paths: u64,
        hash: PathHash,
    },
    HandedOn,
    Elsewhere,
    Below(u32),
}

struct Fork {
    what: u64,
    sides: Vec<Side>,
    /// It comes of the tree that the search began with, and no state has come to it yet.
    is_given: bool,
}

struct PathNode {
    parent: Option<(u32, u32)>,
    hash: PathHash,
    fork: Option<Fork>,
    /// A state is here.
    is_occupied: bool,
    /// A state has come here or went by.
    is_reached: bool,
}

/// The tree of a search.
pub(crate) struct PathTree {
    nodes: Vec<PathNode>,
    free: Vec<u32>,
    /// Everything came to its end.
    closed: Option<(u64, PathHash)>,
    /// Decisions of the step that is being noted: new ones, and given ones.
    made: Vec<u32>,
    met: Vec<u32>,
    pub handed_on: u64,
}

impl PathTree {
    /// Begins with a tree.
    pub fn new(tree: &Tree) -> Result<Self, String> {
        let root = PathNode { parent: None, hash: PathHash::start(), fork: None, is_occupied: false, is_reached: false };
        let mut own = PathTree { nodes: vec![root], free: Vec::new(), closed: None, made: Vec::new(), met: Vec::new(), handed_on: 0 };
        tree.walk(|path, node| own.give(path, node))?;
        own.nodes[ROOT as usize].is_occupied = true;
        Ok(own)
    }

    fn give(&mut self, path: &[Decision], node: &Node) -> Result<(), String> {
        let mut at = ROOT;
        let (last, before) = match path.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, path),
        };
        for decision in before {
            at = match self.side(at, *decision).copied() {
                Some(Side::Below(below)) => below,
                _ => return Err("a tree that hangs nowhere".into()),
            };
        }
        let leaf = match node {
            Node::Closed { paths, hash } => Side::Closed { paths: *paths, hash: *hash },
            Node::HandedOn => Side::HandedOn,
            Node::Elsewhere => Side::Elsewhere,
            Node::Open | Node::Fork { .. } => {
                let here = last.map_or(ROOT, |last| self.add(at, *last));
                if let Node::Fork { what, sides } = node {
                    let sides = vec![Side::Unborn; *sides as usize];
                    self.nodes[here as usize].fork = Some(Fork { what: *what, sides, is_given: true });
                }
                return Ok(());
            }
        };
        self.handed_on += u64::from(matches!(leaf, Side::HandedOn));
        match last.and_then(|last| self.side(at, *last)) {
            Some(side) => *side = leaf,
            None => return Err("there is nothing to explore".into()),
        }
        Ok(())
    }

    fn side(&mut self, at: u32, decision: Decision) -> Option<&mut Side> {
        let fork = self.nodes[at as usize].fork.as_mut()?;
        let fits = fork.what == decision.what && fork.sides.len() == decision.sides as usize;
        fork.sides.get_mut(decision.side as usize).filter(|_| fits)
    }

    fn add(&mut self, parent: u32, decision: Decision) -> u32 {
        let hash = self.nodes[parent as usize].hash.then(decision);
        let node = PathNode { parent: Some((parent, decision.side)), hash, fork: None, is_occupied: false, is_reached: false };
        let at = self.free.pop().unwrap_or(self.nodes.len() as u32);
        match self.nodes.get_mut(at as usize) {
            Some(free) => *free = node,
            None => self.nodes.push(node),
        }
        if let Some(side) = self.side(parent, decision) {
            *side = Side::Below(at);
        }
        at
    }

    /// Whether the state is still on its way to an open place.
    pub fn is_on_the_way(&self, state: &State) -> bool {
        self.nodes[state.search.node as usize].fork.is_some()
    }

    /// A state ran and became these, itself among them: which of them are to be followed.
    pub fn step<'a>(&mut self, from: u32, states: impl Iterator<Item = &'a mut State>) -> Result<Vec<bool>, String> {
        self.nodes[from as usize].is_occupied = false;
        let followed: Vec<bool> = states.map(|state| self.enter(from, state)).collect::<Result<_, _>>()?;
        for at in std::mem::take(&mut self.made) {
            let Some(fork) = &mut self.nodes[at as usize].fork else { continue };
            let unborn = fork.sides.iter_mut().filter(|side| matches!(side, Side::Unborn));
            unborn.for_each(|side| *side = Side::Closed { paths: 0, hash: PathHash::default() });
        }
        for at in std::mem::take(&mut self.met) {
            let Some(fork) = &self.nodes[at as usize].fork else { continue };
            let is_missing = |side: &Side| matches!(side, Side::Below(below) if !self.nodes[*below as usize].is_reached);
            if fork.sides.iter().any(is_missing) {
                return Err("the way to a part can't be followed: a side that was possible is not any more".into());
            }
        }
        Ok(followed)
    }

    fn enter(&mut self, from: u32, state: &mut State) -> Result<bool, String> {
        let mut at = from;
        for decision in std::mem::take(&mut state.search.decided) {
            let fork = self.nodes[at as usize].fork.get_or_insert_with(|| {
                self.made.push(at);
                Fork { what: decision.what, sides: vec![Side::Unborn; decision.sides as usize], is_given: false }
            });
            if std::mem::take(&mut fork.is_given) {
                self.met.push(at);
            }
            at = match self.side(at, decision).copied() {
                None => return Err("the way to a part can't be followed: the program decides something else there".into()),
                Some(Side::Unborn) => self.add(at, decision),
                Some(Side::Below(below)) => below,
                Some(Side::Closed { .. } | Side::HandedOn | Side::Elsewhere) => return Ok(false),
            };
            self.nodes[at as usize].is_reached = true;
        }
        let node = &mut self.nodes[at as usize];
        let is_on_the_way = node.fork.as_ref().is_none_or(|fork| fork.is_given);
        if std::mem::replace(&mut node.is_occupied, true) || !is_on_the_way {
            return Err("two paths made the same decisions; please report this".into());
        }
        state.search.node = at;
        Ok(true)
    }

    /// The path of a state has come to its end.
    pub fn close(&mut self, mut at: u32) -> Result<(), String> {
        if self.nodes[at as usize].fork.is_some() {
            return Err("the way to a part can't be followed: it ends before the part begins".into());
        }
        let (mut paths, mut hash) = (1, self.nodes[at as usize].hash);
        loop {
            let Some((parent, side)) = self.nodes[at as usize].parent else {
                self.closed = Some((paths, hash));
                return Ok(());
            };
            self.free.push(at);
            let Some(fork) = &mut self.nodes[parent as usize].fork else { return Ok(()) };
            fork.sides[side as usize] = Side::Closed { paths, hash };
            let mut sum = (0, PathHash::default());
            for side in &fork.sides {
                let Side::Closed { paths, hash } = side else { return Ok(()) };
                sum = (sum.0 + paths, sum.1.plus(*hash));
            }
            (at, paths, hash) = (parent, sum.0, sum.1);
        }
    }

    /// The decisions that lead to a node.
    pub fn prefix(&self, mut at: u32) -> Prefix {
        let mut prefix = Prefix::new();
        while let Some((parent, side)) = self.nodes[at as usize].parent {
            if let Some(fork) = &self.nodes[parent as usize].fork {
                prefix.push(Decision { what: fork.what, sides: fork.sides.len() as u32, side });
            }
            at = parent;
        }
        prefix.reverse();
        prefix
    }

    /// Whether the place where a state is can be handed on: not one that is only on the way, and not everything.
    pub fn can_be_handed_on(&self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        node.fork.is_none() && node.parent.is_some()
    }

    /// Somebody else explores what is below a state from now on.
    pub fn hand_on(&mut self, at: u32) {
        let Some((parent, side)) = self.nodes[at as usize].parent else { return };
        if let Some(fork) = &mut self.nodes[parent as usize].fork {
            fork.sides[side as usize] = Side::HandedOn;
            self.handed_on += 1;
            self.free.push(at);
        }
    }

    /// As it is now.
    pub fn tree(&self) -> Tree {
        if let Some((paths, hash)) = self.closed {
            return Tree(vec![Node::Closed { paths, hash }]);
        }
        let mut nodes = Vec::new();
        let mut todo = vec![Side::Below(ROOT)];
        while let Some(side) = todo.pop() {
            nodes.push(match side {
                Side::Unborn => Node::Closed { paths: 0, hash: PathHash::default() },
                Side::Closed { paths, hash } => Node::Closed { paths, hash },
                Side::HandedOn => Node::HandedOn,
                Side::Elsewhere => Node::Elsewhere,
                Side::Below(at) => match &self.nodes[at as usize].fork {
                    None => Node::Open,
                    Some(fork) => {
                        todo.extend(fork.sides.iter().rev());
                        Node::Fork { what: fork.what, sides: fork.sides.len() as u32 }
                    }
                },
            });
        }
        Tree(nodes)
    }
}
