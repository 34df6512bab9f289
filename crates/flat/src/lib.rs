//! Flat programs: one graph of blocks, each of which is a parallel assignment with guarded exits. Calls are inlined,
//! memory is variables (a variable per cell that accesses touch, an array where an offset is symbolic), and arbitrary
//! values come from a stream of inputs, so that a run is determined by its stream and the precondition of an exit is
//! one substitution. What can't be said this way is a *place* that must not be reached; nothing is left out.
//!
//! `dash` refines abstractions of flat programs, and `certify` checks them against a flat program of its own making.

mod cells;
mod access;
mod inline;
mod liveness;
mod lower;
mod objects;
mod program;
mod values;

pub use lower::flatten;
pub use program::{Block, Edge, Flat, Inputs, NotFlat, Place, PlaceKind, Target, add_conjuncts, sort_tag};

#[cfg(test)]
mod tests;
