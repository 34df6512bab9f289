//! Traces: a violation, and everything that a replay needs to reproduce it.

use crate::exec::value::ObjectKey;
use crate::memory::address::Placed;
use crate::recurrence::Recurrence;
use crate::replay::scene::{MemoryBytes, PointerTo, Scene};
use fathom_base::Loc;
use fathom_ir::{InputKind, Property, TypeId};
use fathom_term::{Evaluator, FnId, Model, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A broken property at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub property: Property,
    /// What is reported of it.
    pub message: String,
    /// Where it happens.
    pub loc: Loc,
    /// Procedures that were active, innermost last.
    pub stack: Vec<String>,
}

/// Enough to run the program to its violation again: the value of every symbol that the run made (inputs and
/// uninitialised memory, by name) and the choices at many-way gotos.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Values by the names of symbols.
    pub symbols: BTreeMap<String, Value>,
    /// Uninterpreted functions at the points that the run asks about.
    pub functions: Vec<((FnId, Vec<Value>), Value)>,
    /// Which target each many-way goto takes, in order.
    pub choices: Vec<u32>,
    /// With threads: when which one goes on.
    pub schedule: Vec<Switch>,
    /// For a run without end: why it has none.
    pub cycle: Option<Cycle>,
    /// Where objects lie.
    pub layout: Vec<Placed>,
    /// Branches on the way, so that a replay knows which of its steps are near the end.
    pub branches: u64,
    /// How the run ends.
    pub violation: Violation,
}

/// Why a run has no end.
#[derive(Clone, Debug)]
pub enum Cycle {
    /// It comes back to where it was.
    Returns {
        /// After how many loop heads it was in a state.
        first: u64,
        /// After how many it was in it again.
        second: u64,
    },
    /// It stays in a set of states.
    Stays(Rc<Recurrence>),
}

impl Trace {
    /// Evaluates applications of uninterpreted functions to constants.
    pub fn function_values(&self) -> Rc<Evaluator> {
        function_values(self.functions.clone())
    }
}

/// Evaluates applications of uninterpreted functions to constants.
pub(crate) fn function_values(functions: Vec<((FnId, Vec<Value>), Value)>) -> Rc<Evaluator> {
    Rc::new(Evaluator::new(Model { values: Default::default(), functions: functions.into_iter().collect() }))
}

/// A change of threads: after so many events, and so many bytes of the copy that the running thread is in the middle of,
/// this thread goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// How many events (actions that other threads might see) come before it.
    pub event: u32,
    /// Bytes of the copy in progress that other threads can see.
    pub bytes: u32,
    /// The thread that goes on.
    pub thread: u32,
    /// It is no change of threads: this store in the thread's buffer becomes visible to the others.
    pub store: Option<u32>,
}

/// Enough to run a path again that ended, or was left in the middle, without a violation.
#[derive(Clone, Debug, Default)]
pub struct PathRecord {
    /// Values by the names of symbols.
    pub symbols: BTreeMap<String, Value>,
    /// Uninterpreted functions at the points that the run asks about.
    pub functions: Vec<((FnId, Vec<Value>), Value)>,
    /// Which target each many-way goto takes, in order.
    pub choices: Vec<u32>,
    /// With threads: when which one goes on.
    pub schedule: Vec<Switch>,
    /// Where objects lie.
    pub layout: Vec<Placed>,
    /// Statements on the path.
    pub steps: u64,
    /// For a path that was left in the middle: how many arbitrary values it had asked for.
    pub left_after: Option<u32>,
}

impl From<&Trace> for PathRecord {
    fn from(trace: &Trace) -> Self {
        let Trace { symbols, functions, choices, schedule, layout, .. } = trace.clone();
        PathRecord { symbols, functions, choices, schedule, layout, steps: 0, left_after: None }
    }
}

/// One input as the program asked for it during replay.
#[derive(Clone, Debug)]
pub struct InputRecord {
    /// Which function asked, and the type.
    pub kind: InputKind,
    /// Little-endian bytes; a scalar has as many as its type, `klee_make_symbolic` as many as were asked for.
    pub bytes: Vec<u8>,
    /// For scalars: their width in bits (1 for Bool).
    pub width: u32,
    /// Where it was asked for.
    pub loc: Loc,
}

/// The value of a source variable at one moment.
#[derive(Clone, Debug)]
pub struct WatchedValue {
    /// Its name in the source.
    pub variable: String,
    /// The C type as the user wrote it.
    pub type_name: String,
    /// The bits are two's complement.
    pub signed: bool,
    /// The type in detail, where debug information has it.
    pub ty: Option<TypeId>,
    /// Bits of the value and their width; floats come with `is_float`.
    pub value: Value,
    /// If it is the address of something in memory.
    pub pointer: Option<PointerTo>,
    /// Bits of the value.
    pub width: u32,
    /// The bits are a float.
    pub is_float: bool,
}

/// Something a reader of the trace wants to see.
#[derive(Clone, Debug)]
pub enum TraceStep {
    /// A call begins.
    Enter {
        /// The procedure that is called.
        procedure: String,
        /// Where it is defined.
        loc: Loc,
        /// Where the call is.
        called_from: Loc,
    },
    /// A call ends.
    Leave {
        /// The procedure that returns.
        procedure: String,
        /// Where it returns.
        loc: Loc,
    },
    /// A source variable got a value.
    Value {
        /// The variable with its new value.
        watched: WatchedValue,
        /// Where that happens.
        loc: Loc,
    },
    /// A local variable that lies in memory begins.
    Declare {
        /// The memory of the variable.
        object: ObjectKey,
        /// Where it is declared.
        loc: Loc,
    },
    /// Bytes of an object were written; of a long stretch the first ones are here.
    Store {
        /// The object that is written.
        object: ObjectKey,
        /// Where the bytes begin in the object.
        offset: u64,
        /// How many bytes were written.
        length: u64,
        /// The first of them.
        bytes: MemoryBytes,
        /// Where that happens.
        loc: Loc,
    },
    /// A store that was waiting in the buffer of its thread is seen by all threads now.
    Seen {
        /// The thread that stored, from 1.
        thread: u32,
        /// The object that it stored to.
        object: ObjectKey,
        /// Where the bytes begin in the object.
        offset: u64,
        /// How many bytes there are.
        length: u64,
        /// Where the thread that runs is.
        loc: Loc,
    },
    /// Memory from the heap was freed.
    Freed {
        /// The object that ended.
        object: ObjectKey,
        /// Where that happens.
        loc: Loc,
    },
    /// Steps in the middle of a long run were not kept; these procedures are active now, innermost last.
    Skipped {
        /// The procedures of the active calls.
        active: Vec<String>,
    },
    /// The program read an input (index into `ReplayLog::inputs`).
    Input {
        /// Into `ReplayLog::inputs`.
        index: usize,
        /// Where it was read.
        loc: Loc,
    },
    /// Another thread goes on, in the procedure that it started with.
    Switch {
        /// The thread that goes on.
        thread: u32,
        /// The procedure that the thread started with.
        procedure: String,
        /// Where the thread goes on.
        loc: Loc,
    },
    /// A branch was taken this way.
    Branch {
        /// Whether the condition was true.
        taken: bool,
        /// Where the branch is.
        loc: Loc,
    },
}

/// How a replay ended.
#[derive(Clone, Debug)]
pub enum ReplayEnd {
    /// A check failed.
    Violated(Violation),
    /// The program ended by itself.
    Ended,
    /// A limit on steps was hit, or something unsupported was reached.
    Stuck(String),
}

/// What the concrete interpreter saw.
#[derive(Clone, Debug)]
pub struct ReplayLog {
    /// In the order in which the program asked.
    pub inputs: Vec<InputRecord>,
    /// In the order in which they happened.
    pub steps: Vec<TraceStep>,
    /// For each step whether the end of the run depends on it, or None for the value of a constant. Empty where nothing
    /// knows.
    pub influences: Vec<Option<bool>>,
    /// What uninterpreted functions give, where that matters: name, arguments and result.
    pub functions: Vec<(String, Vec<Value>, Value)>,
    /// The size of the largest object that was allocated.
    pub largest_object: u64,
    /// Whether the run computed with the number of an address, beyond what is the same in every layout.
    pub used_layout: bool,
    /// Whether the run read memory that was never written and of which the trace says nothing.
    pub read_unwritten: bool,
    /// Objects, their types, and the memory at the end.
    pub scene: Scene,
    /// How the run ended.
    pub end: ReplayEnd,
}
