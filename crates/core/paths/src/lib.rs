//! The paths of one exploration, divided into parts, as data. A path is identified by its decisions, in their order;
//! the decisions of all paths form a tree. A part is the subtree below one node. The result of a part is its tree: each
//! side of each decision was followed to its end, was found infeasible, was handed on as a part, or belongs to another
//! part. The trees of all parts must fit together and leave nothing out ([`cover`]); only then do they prove something
//! about the whole.

mod cover;
mod decision;
mod hash;
mod tree;

pub use cover::{Covered, Gap, cover};
pub use decision::{Decision, Prefix};
pub use hash::PathHash;
pub use tree::{Node, PartSeen, Tree};
