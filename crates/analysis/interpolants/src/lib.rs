//! Interpolants: conditions on the states at one location that imply that no run from there fails, and the graph of such
//! claims that a proof by interpolation rests on. The engine that finds them and the certifier that proves them again share
//! what a claim *says*, and nothing of how it was found.

mod graph;
mod interpolant;
mod point;
mod recheck;
mod visible;

pub use fathom_domains::{ValueSet, as_set, set_width, value_set};
pub use graph::{Claim, ClaimGraph};
pub use interpolant::{Inexpressible, Interpolant, Subsumption, Whole, conjuncts, pinned};
pub use point::{Label, Place, Point, point_of};
pub use recheck::{Rechecked, recheck};
