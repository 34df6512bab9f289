//! How a machine treats the states that it runs. An engine decides all of this before the machine is made, so a reader of
//! the machine knows that none of it changes during a run.

use crate::joins::unwinding::Unwinding;
use crate::memory::placement::Layouts;
use crate::threads::discipline::Distrust;

/// The settings of a machine. The default suits a replay: nothing is compared, bounded or left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineConfig {
    /// Where `advance` stops although the state could go on.
    pub pauses: Pauses,
    /// What becomes of conditions that depend on where objects lie.
    pub layouts: Layouts,
    /// How loops are unwound, by engines that do so; bounds may rise during the run.
    pub unwinding: Option<Unwinding>,
    /// A path is cut after this many iterations of a loop.
    pub max_loop: Option<u64>,
    /// Paths with more iterations are taken not to exist, which the ledger says, instead of being cut.
    pub assumes_max_loop: bool,
    /// A path is cut where a thread that could go on would be interrupted for the first time beyond this number. Equal states have
    /// then had equally many interruptions.
    pub context_bound: Option<u32>,
    /// A replay ends where the program asks for an input after this many arbitrary values.
    pub most_inputs: Option<u32>,
    /// Every place that must not be reached is a target of its own: a path that comes to one ends there, as it does where
    /// the program stops, and the first is reported.
    pub collects_targets: bool,
    /// Properties are assumed instead of checked.
    pub assumes_checks: bool,
    /// Accesses to memory are taken to be valid where that is not checked: one that is not ends its path without a trace.
    pub assumes_valid_accesses: bool,
    /// Rows of objects are folded at loop heads: then objects have no names of their own.
    pub folds_lists: bool,
    /// Paths that no solver knows to be feasible are left out, and inputs of hard conditions get values: for tests.
    pub only_known_paths: bool,
    /// The assumptions at the beginning of a goto's targets are looked at before a state is made for them.
    pub look_ahead: bool,
    /// A solver may take its time to tell whether quantified axioms contradict each other.
    pub unhurried_axioms: bool,
    /// Truth values that the path decides become constants where they are assigned.
    pub settles: bool,
    /// States share what they have in common; off only to measure what that is worth.
    pub cheap_copies: bool,
    /// States keep what they decided since an engine last took it, and nothing that they decide depends on what other states did.
    pub notes_decisions: bool,
    /// What a lock protects is no choice of a thread, unless something tells that it is not to be relied on.
    pub locks: Option<Distrust>,
    /// Loops over plain numbers may run without a look at every statement.
    pub fast_path: bool,
}

/// Where a run of a state stops for the engine to look at it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// At loop heads where the state is worth comparing with earlier ones.
    pub loop_heads: bool,
    /// At every loop head.
    pub all_loop_heads: bool,
    /// Where other paths join, if the state is worth comparing there.
    pub joins: bool,
    /// At the first join since the state read an input or forked.
    pub where_paths_meet: bool,
}

impl Default for MachineConfig {
    fn default() -> Self {
        MachineConfig {
            pauses: Pauses::default(),
            layouts: Layouts::All,
            unwinding: None,
            max_loop: None,
            assumes_max_loop: false,
            context_bound: None,
            most_inputs: None,
            collects_targets: false,
            assumes_checks: false,
            assumes_valid_accesses: false,
            folds_lists: false,
            only_known_paths: false,
            look_ahead: false,
            unhurried_axioms: false,
            settles: false,
            cheap_copies: true,
            notes_decisions: false,
            locks: None,
            fast_path: true,
        }
    }
}
