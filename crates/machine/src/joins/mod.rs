//! Joining states where paths meet, and unwinding loops with deferred checks.

pub(crate) mod history;
pub(crate) mod memory;
pub(crate) mod obligations;
pub(crate) mod states;
pub(crate) mod unwinding;
