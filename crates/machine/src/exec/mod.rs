//! Running states: compiled code, values, conditions, calls and the step function.

pub(crate) mod actions;
pub(crate) mod calls;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod compute;
pub(crate) mod conditions;
pub(crate) mod config;
pub(crate) mod determinate;
pub(crate) mod ends;
pub(crate) mod facts;
pub(crate) mod finish;
pub(crate) mod hurried;
pub(crate) mod known;
pub(crate) mod machine;
pub(crate) mod readable;
pub(crate) mod requirements;
pub(crate) mod settle;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod value;
