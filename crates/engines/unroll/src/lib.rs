//! The unrolled program, walked in topological order with states that merge where paths join: what `bmc` and `kind` share.

mod bounds;
mod join;
mod position;
mod tally;
mod walker;

pub use bounds::{LoopBound, UnknownLoop, resolve};
pub use join::{ATTEMPTS, Joined, Merging, join};
pub use position::Position;
pub use tally::Tally;
pub use walker::{Director, LAZY_ABOVE, Stop, Walker};
