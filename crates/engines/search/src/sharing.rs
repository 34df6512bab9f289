//! The interface for splitting an exploration: what is to be explored, requests for parts, and checkpoints. A part of
//! an exploration is the subtree below one node (`fathom_paths`), which its worker reaches by repeating the same
//! decisions.

use fathom_engine::Ledger;
use fathom_paths::{Prefix, Tree};
use serde::{Deserialize, Serialize};

/// How far an exploration is, so that another process can go on with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Where the part begins.
    pub prefix: Prefix,
    /// What was done of it, and what is open.
    pub tree: Tree,
    /// Paths that came to their ends.
    pub ended: u64,
    /// Of these, paths that ended in a state which is equal to one that was followed.
    pub repeated: u64,
    /// What was refuted on the way. The formulas are gone with the process that refuted them.
    pub refuted: u64,
    /// What was assumed on the way.
    pub ledger: Ledger,
}

impl Standing {
    /// Nothing was done yet of the part with this beginning.
    pub fn at(prefix: Prefix) -> Self {
        Self { tree: Tree::below(&prefix), prefix, ended: 0, repeated: 0, refuted: 0, ledger: Ledger::default() }
    }
}

/// Those with whom an exploration is shared.
pub trait Sharing {
    /// What is to be explored; none if this exploration is not the one that is shared.
    fn begin(&self) -> Beginning;
    /// How many parts are asked for now.
    fn wanted(&self) -> usize;
    /// Hands on the part with this beginning. False if it can't be: then it stays here.
    fn hand_on(&self, prefix: &Prefix) -> bool;
    /// Keeps this for a process that goes on after this one was killed.
    fn keep(&self, standing: &Standing);
}

/// What an exploration is to begin with.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// With this.
    Shared(Box<Standing>),
    /// From the start and for itself alone: the question is another one than that which is shared.
    Alone,
    /// Not at all: a part of another question is no part of this one.
    Refused,
}
