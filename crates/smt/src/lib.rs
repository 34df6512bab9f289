//! Questions to solvers. `solver` is what an adapter implements; `constraints` is the path condition of a state, kept
//! in independent groups; the layers between them answer without a solver whenever they can.

mod constraints;
mod solver;

pub use constraints::Constraints;
pub use solver::{Answer, Backend, Solver, SolverError, Why};
