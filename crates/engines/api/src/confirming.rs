//! The first look at a violation, by the engine that found it: the concrete interpreter must see it too.

use crate::outcome::Reason;
use crate::task::Task;
use fathom_machine::{ReplayEnd, Trace, confirm};

/// A replay that takes more statements than this is given up.
pub const REPLAY_STEPS: u64 = 200_000_000;
/// Violations after more branches than this are left to the certifier's replay alone: a long one is not run twice.
const LONG_TRACE: u64 = 1_000_000;

/// Ok if the trace may be told (the certifier replays it in any case).
pub fn confirmed(task: &Task, trace: &Trace) -> Result<(), Reason> {
    if trace.branches > LONG_TRACE {
        return Ok(());
    }
    match confirm(&task.program, &task.properties, trace, REPLAY_STEPS) {
        ReplayEnd::Violated(seen) if seen.property == trace.violation.property => Ok(()),
        other => Err(Reason::NotConfirmed(format!("{}: the replay gave {other:?}", trace.violation.message))),
    }
}
