//! What each statement means: values, memory, state, the step function, and the concrete interpreter that replays
//! traces. Engines are policies over it.

mod access;
mod address;
mod blocks;
mod calls;
mod code;
mod compile;
mod compute;
mod conditions;
mod contents;
mod coverage;
mod cycle;
mod escape;
mod facts;
mod fingerprint;
mod footprint;
mod guidance;
mod havoc;
mod history;
mod hurried;
mod layout;
mod leaks;
mod liveness;
mod loops;
mod machine;
mod memory;
mod merge;
mod merge_memory;
mod recorder;
mod replay;
mod resolve;
mod retrace;
mod schedule;
mod settle;
mod shape;
mod start;
mod state;
mod step;
mod thread_actions;
mod threads;
mod trace;
mod unwinding;
mod value;
mod wp;

pub use address::{AddressBook, Origin};
pub use code::{BlockCode, Code, ProcCode};
pub use coverage::{Coverage, OpenSide, TakenSides, Visits, open_sides, taken_sides};
pub use havoc::{Changes, Havocked, Snapshot, Spot};
pub use machine::{AbstractFailure, Advance, Cut, Machine, MachineStatistics, Mode, PathEnd};
pub use history::History;
pub use loops::Loops;
pub use memory::{Memory, Object, ObjectKind};
pub use merge::{Obstacle, Unmerged};
pub use recorder::Recorder;
pub use replay::{Rerun, confirm, replay, rerun};
pub use retrace::{Asked, Bytes, Guard, Rerunning, Retrace, Retraced, Slot, describe};
pub use shape::{Shape, Shapeless};
pub use state::{Frame, State};
pub use trace::{InputRecord, Ledger, PathRecord, ReplayEnd, ReplayLog, Trace, TraceStep, Violation, WatchedValue};
pub use unwinding::{LoopAt, Pause, Unwinding};
pub use value::{ObjectKey, Val};
pub use wp::{Guards, NotExpressible, Preconditions, Segment, Valid, edge_guard};

#[cfg(test)]
mod tests;
