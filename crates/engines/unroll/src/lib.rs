//! The unrolled program, walked in topological order with states that merge where paths join: what `bmc` and `kind` share.

mod bounds;
mod join;
mod limits;
mod position;
mod tally;
mod walker;

pub use bounds::{LoopBound, UnknownLoop, endless, resolve};
pub use join::{Joined, Merging, join};
pub use limits::Limits;
pub use position::Position;
pub use tally::Tally;
pub use walker::{Director, Stop, Walker};
