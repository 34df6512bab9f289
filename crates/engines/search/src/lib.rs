//! The search over a program's paths that several engines are made of (Symbooglix section III; KLEE): follow every
//! feasible path, fork at branches, stop at the first violation that a replay confirms. A proof is the statement that
//! every path was followed to its end. What a state costs and which one is next is decided here; an engine says what
//! program is searched, how states are compared, and what may be left out ([`Pruning`]).

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
