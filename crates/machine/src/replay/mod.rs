//! Concrete runs: the interpreter that replays a trace, what it writes down, and runs on chosen inputs.

pub(crate) mod interpreter;
pub(crate) mod recorder;
pub(crate) mod sample;
pub(crate) mod seed;
pub(crate) mod trace;
