//! What a replay writes down for people: inputs, values of source variables, calls and branches. Inputs are always
//! kept; of the rest only what happens near the beginning and near the end of the run, counted in branches, because
//! the middle of a loop that ran a million times helps nobody and costs more than the run.

use crate::replay::trace::{InputRecord, TraceStep};
use fathom_base::Loc;
use fathom_ir::InputKind;

/// Branches at either end of a run whose surroundings are kept.
const KEPT_BRANCHES: u64 = 2_000;

#[derive(Default)]
pub struct Recorder {
    pub inputs: Vec<InputRecord>,
    pub steps: Vec<TraceStep>,
    /// Of a run with this many branches, steps are kept; without it, none.
    branches: Option<u64>,
}

impl Recorder {
    /// Keeps the steps of a run that is known to have this many branches.
    pub fn of_run(branches: u64) -> Self {
        Recorder { branches: Some(branches), ..Default::default() }
    }

    pub(crate) fn keeps_steps(&self) -> bool {
        self.branches.is_some()
    }

    /// Whether a step after so many branches is kept.
    pub(crate) fn keeps_step_at(&self, branch: u64) -> bool {
        self.branches.is_some_and(|all| branch < KEPT_BRANCHES || branch + KEPT_BRANCHES >= all)
    }

    /// From a step after so many branches: how many branches later a step may be kept.
    pub(crate) fn unseen_from(&self, branch: u64) -> i64 {
        match self.branches {
            None => i64::MAX,
            Some(_) if branch < KEPT_BRANCHES => 0,
            Some(all) => all.saturating_sub(branch + KEPT_BRANCHES) as i64,
        }
    }

    pub(crate) fn input(&mut self, kind: InputKind, bytes: Vec<u8>, width: u32, loc: Loc) -> usize {
        self.inputs.push(InputRecord { kind, bytes, width, loc });
        self.inputs.len() - 1
    }

    pub(crate) fn step(&mut self, step: TraceStep) {
        self.steps.push(step);
    }
}
