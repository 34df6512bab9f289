//! How much interpolation may cost, and how much it keeps.

use std::time::Duration;

/// The numbers that decide what interpolants cost. Where one is reached there is no interpolant, or a state is followed that
/// could have been left out; no verdict rests on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nanoseconds that fingerprints of states may take at first, for each node, and for each state that was equal to another:
    /// fingerprints of states with many constraints cost more than all the rest, and where none is ever equal they are wasted.
    pub free_fingerprints: u64,
    /// Nanoseconds that are added for each node.
    pub node_worth: u64,
    /// Nanoseconds that are added for each state that was equal to another.
    pub repeat_worth: u64,
    /// Loop heads on a path before one is taken to repeat another. Sooner, and loops are guessed to be closed that end by
    /// themselves after a few rounds; later, and a loop without end is followed for long.
    pub guess_after: u32,
    /// The same for loops that constants may end: those do end as a rule.
    pub guess_after_counting: u32,
    /// Heads on the way that it may be taken to repeat: the one that is most like it.
    pub guess_among: u32,
    /// Nodes in the tree up to which stretches that were run again are kept: each keeps the states of its rerun alive.
    pub summaries: usize,
    /// How often a label may change in a loop before it is given up: some become stronger without end.
    pub changes: u32,
    /// Stretches with more statements than this are run again with known values as they were: over variables they would become
    /// conditions that are of no use.
    pub long_stretch: u64,
    /// Longer ones are not run again: that would take longer than to follow the states that their interpolant prunes.
    pub longest_stretch: u64,
    /// Terms that an interpolant may have beside its sets; a state is compared with each of them by a solver.
    pub terms: usize,
    /// Time for one question on the way back. There are several for each node, and an interpolant is only worth what it prunes.
    pub query_time: Duration,
    /// Entries of one place that a state is compared with; the least useful one goes.
    pub together: usize,
    /// Groups of slots of one place whose values entries are found by, and slots of a group.
    pub groups: usize,
    /// Slots of one group.
    pub slots: usize,
    /// Claims that are kept for the certifier; when there are more, every other one goes and only every second of the next is
    /// taken.
    pub claims: usize,
    /// States that are kept for the audit, and the statements and states that the audit of one of them may take.
    pub audited: usize,
    /// Statements that the audit of one state may take.
    pub audit_statements: u64,
    /// States that the audit of one state may take.
    pub audit_states: usize,
    /// Nodes of a tree that is drawn: more can't be read.
    pub drawn: usize,
    /// Points of the table's size over time; when there are more, every other one goes and the distance doubles.
    pub points: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            free_fingerprints: 200_000_000,
            node_worth: 3_000,
            repeat_worth: 1_000_000,
            guess_after: 16,
            guess_after_counting: 4096,
            guess_among: 64,
            summaries: 20_000,
            changes: 40,
            long_stretch: 20_000,
            longest_stretch: 2_000_000,
            terms: 64,
            query_time: Duration::from_millis(1000),
            together: 48,
            groups: 8,
            slots: 5,
            claims: 1 << 14,
            audited: 64,
            audit_statements: 50_000,
            audit_states: 500,
            drawn: 200_000,
            points: 256,
        }
    }
}
