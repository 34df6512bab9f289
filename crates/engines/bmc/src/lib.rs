//! Bounded model checking (ESBMC, chapter 3): all paths of the unrolled program in states that merge where paths join,
//! with bounds on loops and recursion that rise until a violation is found or nothing is left to unwind.

mod bmc;
mod config;

pub use bmc::Bmc;
pub use config::{BmcConfig, Purpose, WhenBounded};
