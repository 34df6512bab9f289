//! What a proof by interpolation claims. Of a node: every run from a state that satisfies its label goes along a stretch
//! of the program, in which nothing fails, to its end or to a state that satisfies the label of one of the node's
//! children. If that holds of all nodes, a state that satisfies any label is one from which nothing fails ever: a
//! failing run would be a finite chain of stretches, and none of them fails.

use crate::point::{Label, Point};
use fathom_machine::{Naming, State};
use std::fmt;
use std::rc::Rc;

/// The claim of one node.
#[derive(Clone)]
pub struct Claim {
    /// A state of the shape that the label is about: its call stack and objects count, not its values.
    pub start: Rc<State>,
    /// Every state that satisfies it behaves as the claim says.
    pub label: Label,
    /// Where its stretch leads to; nowhere, if the path ends.
    pub ways: Vec<(Point, Label)>,
}

/// All claims of a proof by interpolation.
#[derive(Clone)]
pub struct ClaimGraph {
    /// The program's first state: what it assumes of constants holds everywhere.
    pub root: Rc<State>,
    /// In any order: each is proved by itself.
    pub claims: Vec<Claim>,
    /// Claims that were made; of very many only some are kept.
    pub made: u64,
    /// Whether ways that begin with an assumption which can't hold are left out.
    pub look_ahead: bool,
    /// Iterations of each loop to which the exploration kept.
    pub max_loop: Option<u64>,
    /// Whether it took paths with more of them not to exist.
    pub assumes_max_loop: bool,
    /// What object keys and variables of slots stand for.
    pub naming: Rc<Naming>,
}

impl fmt::Debug for ClaimGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClaimGraph({} of {} claims)", self.claims.len(), self.made)
    }
}
