//! The unrolled program, walked in topological order with states that merge where paths join: what `bmc` and `kind` share.

mod bounds;
mod position;
mod tally;
mod walker;

pub use bounds::{LoopBound, UnknownLoop, resolve};
pub use position::Position;
pub use tally::Tally;
pub use walker::{Director, Merging, Stop, Walker};
