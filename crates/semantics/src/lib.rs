//! What each statement means: values, memory, state, the step function, and the concrete interpreter that replays
//! traces. Engines are policies over it.

mod trace;

pub use trace::{InputRecord, Ledger, ReplayEnd, ReplayLog, Trace, TraceStep, Violation, WatchedValue};
