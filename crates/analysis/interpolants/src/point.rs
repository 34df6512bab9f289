//! The points at which states are compared, and the labels that they are compared with.

use crate::interpolant::Interpolant;
use fathom_machine::State;
use std::cell::RefCell;
use std::rc::Rc;

/// Where a state is: procedure, block and action of every frame.
pub type Point = Rc<[(u32, u32, u32)]>;

/// The point at which a state stands.
pub fn point_of(state: &State) -> Point {
    state.frames.iter().map(|frame| (frame.proc, frame.block, frame.index)).collect()
}

/// What a node needs; shared, because the labels of loops change until they are settled. None: no condition is strong enough, so nothing is subsumed.
pub type Label = Rc<RefCell<Option<Rc<Interpolant>>>>;
