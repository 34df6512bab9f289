//! The engine `interpolate` (TracerX): symbolic execution that prunes states which an interpolant of another path
//! subsumes.

mod audit;
mod backwards;
mod claims;
mod config;
mod drawing;
mod engine;
mod interpolation;
mod limits;
mod narrow;
mod series;
mod stretch;
mod table;
mod tree;

pub use config::InterpolateConfig;
pub use engine::Interpolate;
pub use limits::Limits;
