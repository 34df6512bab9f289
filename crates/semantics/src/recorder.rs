//! What a replay writes down for people: inputs, values of source variables, calls and branches.

use crate::trace::{InputRecord, TraceStep, WatchedValue};
use fathom_base::Loc;
use fathom_ir::InputKind;

/// Steps kept at either end of a long trace; the middle of a loop that ran a million times helps nobody.
const MOST_STEPS: usize = 10_000;

#[derive(Default)]
pub struct Recorder {
    pub inputs: Vec<InputRecord>,
    pub steps: Vec<TraceStep>,
}

impl Recorder {
    pub(crate) fn input(&mut self, kind: InputKind, bytes: Vec<u8>, width: u32, loc: Loc) {
        self.inputs.push(InputRecord { kind, bytes, width, loc });
        self.step(TraceStep::Input { index: self.inputs.len() - 1, loc });
    }

    pub(crate) fn watched(&mut self, watched: WatchedValue, loc: Loc) {
        self.step(TraceStep::Value { watched, loc });
    }

    pub(crate) fn step(&mut self, step: TraceStep) {
        self.steps.push(step);
        if self.steps.len() >= 2 * MOST_STEPS {
            self.steps.drain(MOST_STEPS / 2..MOST_STEPS + MOST_STEPS / 2);
        }
    }
}
