//! Concrete runs: the interpreter that replays a trace, its recorder, and runs on chosen inputs.

mod dependence;
pub(crate) mod interpreter;
pub(crate) mod minimise;
mod notes;
pub(crate) mod recorder;
pub(crate) mod sample;
pub(crate) mod scene;
pub(crate) mod seed;
pub(crate) mod trace;
