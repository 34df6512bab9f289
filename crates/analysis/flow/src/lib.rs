//! Analyses of graphs that several parts of Fathom need, one of each: control flow, strongly connected components, loops,
//! control dependence, calls, liveness. They know programs (`ir`) but give them no meaning; code that has another kind of graph (compiled
//! code, flat blocks, calls) states its edges as a [`Graph`].
//!
//! Points-to is not among them. The two that exist answer different questions: `flat` asks one flow-insensitive analysis with
//! offsets about objects that have been placed, `absint` follows pointers as a part of its values along control flow.

mod call_graph;
mod components;
mod control_dependence;
mod graph;
mod liveness;
mod loops;

pub use call_graph::{CallGraph, PointerCalls};
pub use components::components;
pub use control_dependence::ControlDependence;
pub use graph::Graph;
pub use liveness::{Accesses, BodyAccesses, Live, live_at_entry};
pub use loops::Loops;
