//! Flat programs: one graph of blocks, each of which is a parallel assignment with guarded exits. Calls are inlined
//! (those of recursive procedures are blocks of their own, see `procedures`), memory is variables (a variable per cell
//! that accesses touch, an array where an offset is symbolic), and arbitrary values come from a stream of inputs, so
//! that a run is determined by its stream and the precondition of an exit is one substitution. Statements without such
//! a form become *error locations*, which must not be reached; nothing is left out.
//!
//! `dash` refines abstractions of flat programs, and `certify` checks them against a flat program of its own making.

mod access;
mod allocations;
mod builder;
mod cells;
mod constants;
mod functions;
mod inline;
mod inline_calls;
mod join;
mod laws;
mod layout;
mod liveness;
mod lower;
mod objects;
mod points_to;
mod procedures;
mod program;
mod raw;
mod recursion;
mod segments;
mod stretches;
mod threads;
mod told;
mod values;
mod variadic;

pub use laws::{indices, instances};
pub use liveness::Transition;
pub use lower::{Form, flatten};
pub use program::{
    Begin, Block, Call, Concurrent, Edge, ErrorKind, ErrorLocation, Flat, Inputs, NotFlat, Origin, Procedure, Target, add_conjuncts,
    sort_tag,
};
pub use recursion::is_recursive;
pub use segments::Segment;

#[cfg(test)]
mod tests;
