//! Solver queries. `solver` is what an adapter implements; `constraints` is the path condition of a state, kept in
//! independent groups; `oracle` is what engines ask, and answers without a solver whenever it can.

mod brute;
mod cache;
mod computed;
mod constraints;
mod cores;
mod crosscheck;
mod defined;
mod either;
mod floats;
mod guess;
mod horn;
mod intervals;
mod log;
mod one_unknown;
mod oracle;
mod pool;
mod query;
mod ranges;
mod reading;
mod refutations;
mod solver;
mod statistics;
mod verdict;

pub use brute::Brute;
pub use constraints::{Constraints, Divergence};
pub use crosscheck::CrossCheck;
pub use either::either;
pub use floats::{FixedPoint, FloatsAsBits, without_floats};
pub use horn::{HornAnswer, HornSolver, Interpretation};
pub use log::{Logged, QueryLog};
pub use oracle::{Oracle, OracleConfig};
pub use pool::PoolConfig;
pub use reading::{Translations, read_model};
pub use refutations::{Rechecked, Refutation, Refutations};
pub use solver::{Answer, Backend, Solver, SolverError, Why};
pub use statistics::{Histogram, Layer, OracleStatistics};
pub use verdict::{Validity, Verdict};
