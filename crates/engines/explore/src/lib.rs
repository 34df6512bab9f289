//! Path-by-path symbolic execution (Symbooglix section III; KLEE): follow every feasible path, fork at branches, stop
//! at the first violation that a replay confirms. A proof is the statement that every path was followed to its end.

mod closing_in;
mod coarse;
mod config;
mod ends;
mod explore;
mod frontier;
mod interpolate;
mod invariants;
mod listener;
mod lists;
mod merging;
mod nearest;
mod search;
mod subpaths;
mod tally;
mod targets;
mod tree_order;

pub use coarse::Coarse;
pub use config::{Effort, ExploreConfig, Searcher};
pub use explore::Explore;
pub use interpolate::InterpolateConfig;
pub use invariants::Invariants;
pub use listener::{Appetite, PathListener, Reach};
pub use lists::Lists;
