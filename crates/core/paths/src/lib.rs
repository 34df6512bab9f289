//! The paths of one exploration, divided among several, as data. A path is told by its decisions, in the order in which it made
//! them; the decisions of all paths make a tree. A part of the work is the subtree below one node. What a part did is its tree: each
//! side of each decision was followed to its end, was found impossible, was handed on to somebody else, or belongs to others. The
//! trees of all parts must fit into each other and leave nothing out ([`cover`]); only then do the parts say something of the whole.

mod cover;
mod decision;
mod hash;
mod tree;

pub use cover::{Covered, Gap, cover};
pub use decision::{Decision, Prefix};
pub use hash::PathHash;
pub use tree::{Node, PartSeen, Tree};
