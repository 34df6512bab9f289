//! Flat programs: one graph of blocks, each of which is a parallel assignment with guarded exits. Calls are inlined
//! (those of recursive procedures are blocks of their own, see `procedures`), memory is variables (a variable per cell that accesses touch, an array where an offset is symbolic), and arbitrary
//! values come from a stream of inputs, so that a run is determined by its stream and the precondition of an exit is
//! one substitution. What can't be said this way is a *place* that must not be reached; nothing is left out.
//!
//! `dash` refines abstractions of flat programs, and `certify` checks them against a flat program of its own making.

mod access;
mod allocations;
mod builder;
mod cells;
mod functions;
mod inline;
mod inline_calls;
mod join;
mod layout;
mod liveness;
mod lower;
mod objects;
mod points_to;
mod procedures;
mod program;
mod raw;
mod recursion;
mod stretches;
mod values;
mod variadic;

pub use lower::{Form, flatten};
pub use program::{Block, Call, Edge, Flat, Inputs, NotFlat, Origin, Place, PlaceKind, Procedure, Target, add_conjuncts, sort_tag};
pub use recursion::is_recursive;

#[cfg(test)]
mod tests;
