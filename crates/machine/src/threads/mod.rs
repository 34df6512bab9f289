//! Threads: scheduling, shared objects, data races and deadlock.

pub(crate) mod actions;
pub(crate) mod buffers;
pub(crate) mod discipline;
pub(crate) mod escape;
pub(crate) mod footprint;
pub(crate) mod pieces;
pub(crate) mod races;
pub(crate) mod schedule;
pub(crate) mod table;
pub(crate) mod waiting;
