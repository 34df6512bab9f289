//! The search over a program's paths that several engines are made of (Symbooglix section III; KLEE): follow every
//! feasible path, fork at branches, stop at the first violation that a replay confirms. A proof is the statement that
//! every path was followed to its end. This crate decides which state is next and how long it runs; an engine chooses
//! the program, how states are compared, and what may be pruned ([`Pruning`]).

mod closing_in;
mod config;
mod ends;
mod explorer;
mod frontier;
mod limits;
mod listener;
mod merging;
mod nearest;
mod path_tree;
mod pruning;
mod recurrences;
mod search;
mod shared;
mod sharing;
mod subpaths;
mod tally;
mod targets;
mod tree_order;

pub use config::{Effort, SearchConfig, Searcher};
pub use explorer::Explorer;
pub use limits::Limits;
pub use listener::{Appetite, PathListener, Reach};
pub use pruning::{Follow, Pruning, Stretch, Twins, UNTRACKED};
pub use sharing::{Beginning, Sharing, Standing};
