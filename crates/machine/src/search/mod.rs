//! Information about programs and paths for searchers: distances, coverage, last decisions.

pub(crate) mod coverage;
pub(crate) mod decided;
pub(crate) mod guidance;
pub(crate) mod subpath;
