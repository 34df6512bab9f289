//! The tree of one part, in preorder: a node's subtrees follow it, one for each side. Completely explored subtrees are
//! summarised, so the size of a tree depends on how often it was split and not on how much was explored.

use crate::decision::{Decision, Prefix};
use crate::hash::PathHash;
use serde::{Deserialize, Serialize};

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Node {
    /// A decision, of which some side is not closed; the subtrees of its sides follow.
    Fork {
        /// What is decided.
        what: u64,
        /// How many subtrees follow.
        sides: u32,
    },
    /// Every path here came to its end; none did where the side is impossible.
    Closed {
        /// How many.
        paths: u64,
        /// Which ones.
        hash: PathHash,
    },
    /// A part of its own.
    HandedOn,
    /// To be explored.
    Open,
    /// No part of this part.
    Elsewhere,
}

/// The tree of a part, from the root of the whole exploration on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree(pub Vec<Node>);

/// What a part's tree says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartSeen {
    /// How many paths came to their ends.
    pub paths: u64,
    /// Which ones.
    pub hash: PathHash,
    /// The parts that were handed on.
    pub handed_on: Vec<Prefix>,
    /// What is still to be explored.
    pub open: Vec<Prefix>,
}

impl Tree {
    /// The task of exploring everything below this beginning.
    pub fn below(prefix: &[Decision]) -> Self {
        let mut nodes = Vec::new();
        for decision in prefix {
            nodes.push(Node::Fork { what: decision.what, sides: decision.sides });
            nodes.extend(std::iter::repeat_n(Node::Elsewhere, decision.side as usize));
        }
        nodes.push(Node::Open);
        for decision in prefix.iter().rev() {
            nodes.extend(std::iter::repeat_n(Node::Elsewhere, decision.sides.saturating_sub(decision.side + 1) as usize));
        }
        Self(nodes)
    }

    /// Goes through the nodes, each with the path that leads to it. An error says why this is no tree.
    pub fn walk(&self, mut visit: impl FnMut(&[Decision], &Node) -> Result<(), String>) -> Result<(), String> {
        let mut path: Prefix = Vec::new();
        let mut nodes = self.0.iter();
        loop {
            let node = nodes.next().ok_or("the tree is cut short")?;
            visit(&path, node)?;
            if let &Node::Fork { what, sides } = node {
                if sides == 0 {
                    return Err("a decision has no sides".into());
                }
                path.push(Decision { what, sides, side: 0 });
                continue;
            }
            // On to the next side of the innermost decision that has one.
            while let Some(last) = path.last_mut() {
                last.side += 1;
                if last.side < last.sides {
                    break;
                }
                path.pop();
            }
            if path.is_empty() {
                return if nodes.next().is_none() { Ok(()) } else { Err("the tree has more nodes than sides".into()) };
            }
        }
    }

    /// What the tree of a part with this beginning says, if it is one: what lies beside the beginning is others', and nothing else is.
    pub fn part(&self, prefix: &[Decision]) -> Result<PartSeen, String> {
        let mut seen = PartSeen::default();
        self.walk(|path, node| {
            let on_the_way = path.len() < prefix.len() && path == &prefix[..path.len()];
            let is_within = path.len() >= prefix.len() && path[..prefix.len()] == *prefix;
            match node {
                Node::Fork { what, sides } if on_the_way => {
                    let next = prefix[path.len()];
                    let same = (*what, *sides) == (next.what, next.sides) && next.side < next.sides;
                    return same.then_some(()).ok_or_else(|| format!("decision {} is not the one of the part's beginning", path.len()));
                }
                Node::Elsewhere if !is_within && !on_the_way => {}
                _ if !is_within => return Err(format!("{node:?} outside of the part")),
                Node::Fork { .. } => {}
                Node::Closed { paths, hash } => {
                    seen.paths = seen.paths.checked_add(*paths).ok_or("too many paths")?;
                    seen.hash = seen.hash.plus(*hash);
                }
                Node::HandedOn => seen.handed_on.push(path.to_vec()),
                Node::Open => seen.open.push(path.to_vec()),
                Node::Elsewhere => return Err("a side inside of the part was left to others".into()),
            }
            Ok(())
        })?;
        Ok(seen)
    }
}
