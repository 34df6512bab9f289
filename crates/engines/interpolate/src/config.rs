//! Settings of interpolation.

use crate::limits::Limits;

/// How interpolants are computed and kept.
#[derive(Clone, Debug)]
pub struct InterpolateConfig {
    /// Bytes that the table may take.
    pub table_bytes: usize,
    /// Follow a sample of what was pruned after all.
    pub audit: bool,
    /// Keep the whole tree, to be drawn.
    pub draw: bool,
    /// Keep the table's size over time.
    pub series: bool,
    /// Interpolants are facts of the states alone, found by unsatisfiable cores: to see what more than that is worth.
    pub only_cores: bool,
    /// How far it goes.
    pub limits: Limits,
}

impl Default for InterpolateConfig {
    fn default() -> Self {
        let limits = Limits::default();
        InterpolateConfig { table_bytes: 512 << 20, audit: false, draw: false, series: false, only_cores: false, limits }
    }
}
