//! The points at which states are compared, and the labels that they are compared with.

use crate::interpolant::Interpolant;
use fathom_machine::{Frame, State};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a frame is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its procedure, by number.
    pub procedure: u32,
    /// The block there.
    pub block: u32,
    /// The action in the block.
    pub action: u32,
    /// Where iterations are bounded: how often it was at the heads of the loops around it. A state with fewer iterations
    /// behind it may go further than another, so neither stands for the other.
    pub visits: Rc<BTreeMap<u32, u64>>,
}

/// Where a state is: the place of every frame.
pub type Point = Rc<[Place]>;

/// The point at which a state stands.
pub fn point_of(state: &State) -> Point {
    let place = |frame: &Frame| Place { procedure: frame.proc, block: frame.block, action: frame.index, visits: frame.visits.clone() };
    state.frames.iter().map(place).collect()
}

/// What a node needs; shared, because the labels of loops change until they are settled. None: no condition is strong enough, so nothing is subsumed.
pub type Label = Rc<RefCell<Option<Rc<Interpolant>>>>;
