//! What searchers want to know of programs and paths: distances, coverage, last decisions.

pub(crate) mod coverage;
pub(crate) mod decided;
pub(crate) mod guidance;
pub(crate) mod subpath;
