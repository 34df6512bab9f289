//! k-induction and bkind (ESBMC, chapter 4) over the unrolled program: base case and forward condition are a walk with a
//! rising bound, the inductive step is a walk in which loops are also entered in the middle.

mod candidates;
mod clauses;
mod config;
mod inductor;
mod kind;
mod limits;
mod relations;
mod rows;
mod step;
mod sweeps;
mod targets;

pub use candidates::value_on_entry;
pub use config::{Analysis, KindConfig};
pub use kind::Kind;
pub use limits::Limits;
