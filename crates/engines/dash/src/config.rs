//! Settings of the engine.

use crate::limits::Limits;

/// What the engine does beside the algorithm.
#[derive(Clone, Debug, Default)]
pub struct DashConfig {
    /// Plain DASH, for comparison: edges are never removed, every refinement is a split at the frontier (LCTD, section
    /// 2.3 without 4.3), predicates are whole preconditions and stay where they were found.
    pub plain: bool,
    /// The most refinements of the abstraction.
    pub max_refinements: Option<u64>,
    /// Keep the abstraction at the end, to be drawn.
    pub tree: bool,
    /// How long it computes on a program without recursion, in percent of the time there is, if not all of it.
    pub share_of_loops: Option<u32>,
    /// How far it goes.
    pub limits: Limits,
}
