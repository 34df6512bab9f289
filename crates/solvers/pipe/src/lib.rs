//! Solvers as child processes that speak SMT-LIB over pipes. Any solver that people have installed can be used this
//! way, and a second opinion costs no build. A process that hangs is killed from outside and started again when it is
//! next needed: the assertion stack lives here, not there.

mod backend;
mod dialect;
mod process;
mod script;
mod solver;

pub use backend::{Listed, NotFound, PipeBackend, find, known};
pub use dialect::{ConstantArrays, Dialect, KNOWN};
