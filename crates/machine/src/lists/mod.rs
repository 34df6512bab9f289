//! Lists of any length: segments of nodes folded into one object.

pub(crate) mod chains;
pub(crate) mod counters;
pub(crate) mod folding;
pub(crate) mod nodes;
