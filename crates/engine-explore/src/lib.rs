//! Path-by-path symbolic execution (Symbooglix section III; KLEE): follow every feasible path, fork at branches, stop
//! at the first violation that a replay confirms. A proof is the statement that every path was followed to its end.

mod config;
mod explore;
mod frontier;
mod listener;

pub use config::{ExploreConfig, Searcher};
pub use explore::Explore;
pub use listener::{Appetite, PathListener};
