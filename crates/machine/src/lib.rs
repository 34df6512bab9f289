//! The meaning of statements: values, memory, states, the step function, and the concrete interpreter that replays
//! traces. Engines only decide which states to run.

mod compare;
mod exec;
mod fastpath;
mod induction;
mod joins;
mod lists;
mod memory;
mod recurrence;
mod replay;
mod retrace;
mod search;
mod threads;

pub use exec::code::Code;
pub use exec::config::{MachineConfig, Pauses};
pub use exec::machine::{AbstractFailure, Advance, Cut, Machine, MachineStatistics, Mode, PathEnd};
pub use exec::start::first_value;
pub use exec::state::{Frame, State};
pub use exec::value::{ObjectKey, Val};
pub use induction::anew::Naming;
pub use induction::havoc::{Changes, Havocked, Snapshot, Spot};
pub use induction::laws::Law;
pub use induction::shape::{Shape, Shapeless};
pub use joins::history::History;
pub use joins::states::{Obstacle, Unmerged};
pub use joins::unwinding::{LoopAt, Pause, Unwinding};
pub use memory::address::{AddressBook, Origin, Placed};
pub use memory::objects::{Memory, Object, ObjectKind};
pub use memory::placement::Layouts;
pub use recurrence::{Recurrence, Recurs, recurs};
pub use replay::interpreter::{Rerun, confirm, replay, rerun};
pub use replay::minimise::minimise;
pub use replay::recorder::Recorder;
pub use replay::sample::{Chooser, Sample, sample};
pub use replay::scene::{Fault, MemoryBytes, ObjectRecord, PointerTo, Race, RaceAccess, Scene};
pub use replay::seed::SeedInputs;
pub use replay::trace::{Cycle, InputRecord, PathRecord, ReplayEnd, ReplayLog, Switch, Trace, TraceStep, Violation, WatchedValue};
pub use retrace::{Asked, Bytes, Guard, Rerunning, Retrace, Retraced, Slot, describe};
pub use search::coverage::{Coverage, OpenSide, TakenSides, Visits, open_sides, taken_sides};
pub use threads::discipline::Distrust;
pub use threads::races::Deed;

#[cfg(test)]
mod tests;
