//! Statements and terminators. Expressions are terms over the procedure's locals, the program's globals and address
//! symbols; evaluating one never fails and never touches memory: memory is read by `Load` alone.

use crate::debug::TypeId;
use crate::program::{BlockId, ProcId};
use crate::property::Property;
use fathom_base::Loc;
use fathom_term::{Term, VarId};

/// A statement and its source position.
#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub loc: Loc,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// All right-hand sides are evaluated before any variable changes.
    Assign(Vec<(VarId, Term)>),
    /// The variables become arbitrary. An input is recorded in traces, in the order the program asks.
    Havoc {
        vars: Vec<VarId>,
        input: Option<InputKind>,
    },
    Assume(Term),
    /// A condition that must hold. A pass drops, keeps or turns it into an assumption, by property.
    Assert {
        condition: Term,
        property: Property,
        message: String,
    },
    /// A new object of `size` bytes (an unsigned bit-vector of pointer width) whose address goes to `target`.
    Alloc {
        target: VarId,
        size: Term,
        align: u64,
        kind: AllocKind,
        zeroed: bool,
        name: String,
    },
    /// Frees a heap object; null is fine, anything else that is not the start of a live heap object of the family is
    /// invalid-free.
    Free {
        pointer: Term,
        family: Family,
    },
    /// The stack object that the variable points to ends, if there is one, and the variable becomes null: a block of
    /// the source was left in which a local variable had been declared.
    EndScope {
        variable: VarId,
    },
    /// Little-endian bytes at `pointer` become the bit-vector variable `target` (width a multiple of 8).
    /// `volatile` reads are arbitrary only when asked for.
    Load {
        target: VarId,
        pointer: Term,
        volatile: bool,
    },
    /// `value` is a bit-vector whose width is a multiple of 8.
    Store {
        pointer: Term,
        value: Term,
    },
    /// `length` bytes from `source` to `target`; overlapping is fine (memmove).
    Copy {
        target: Term,
        source: Term,
        length: Term,
    },
    Set {
        pointer: Term,
        fill: Fill,
        length: Term,
    },
    /// The size of the heap object that `pointer` points to goes to `target` (0 for null); the pointer must be one that
    /// `free` takes. realloc needs it.
    ObjectSize {
        target: VarId,
        pointer: Term,
    },
    /// Code that Fathom doesn't see may have written to the object that `pointer` points into: its contents become
    /// arbitrary. A pointer to no object, to code or to read-only memory, or an arbitrary one, changes nothing.
    Forget {
        pointer: Term,
    },
    /// The value of `pointer` is used, if only to be compared or passed on: it must not be that of an object which has ended
    /// (`dangling`).
    Use {
        pointer: Term,
    },
    /// Arguments are matched by position; a missing one is arbitrary, one of another width is resized as raw bits,
    /// and surplus ones go to the callee's variadic object or are dropped.
    Call {
        targets: Vec<VarId>,
        callee: Callee,
        args: Vec<Term>,
    },
    /// Threads and sections that no other thread interrupts.
    Thread(ThreadOperation),
    /// Records for traces that a source variable has this value now. No effect on the run.
    Watch(Watch),
    /// Something the front end can't translate: reaching it is `unknown`, never skipped.
    Unsupported(String),
}

/// Threads are numbered from 1 (the entry procedure's) in the order in which they start; numbers have pointer width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadOperation {
    /// A new thread calls the procedure at `function` with `argument`; its number goes to `target`.
    Start {
        target: VarId,
        function: Term,
        argument: Term,
    },
    /// Waits until the thread has ended; what it returned goes to `target` (of pointer width).
    Join {
        target: VarId,
        thread: Term,
    },
    /// The running thread ends here, with all its calls.
    Exit {
        result: Term,
    },
    /// The number of the running thread.
    Current {
        target: VarId,
    },
    /// No other thread runs until as many sections have ended as have begun.
    AtomicBegin,
    AtomicEnd,
    /// The address of the running thread's own copy of a thread-local object.
    Local {
        target: VarId,
        object: Term,
    },
}

/// What a source variable is bound to, for traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub variable: String,
    /// The line of its declaration, which tells variables of one name apart.
    pub declared: u32,
    /// The C type as the user wrote it, and how to print the bits.
    pub type_name: String,
    pub signed: bool,
    /// The same in detail, where debug information has it.
    pub ty: Option<TypeId>,
    pub value: Term,
}

/// Where an arbitrary value comes from, for traces and replays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputKind {
    /// The function that asked: `__VERIFIER_nondet_int`, `klee_make_symbolic`, ..., or one of `sources`; empty for internal choices such
    /// as uninitialised variables, which replays set but users are not shown as inputs.
    pub source: String,
    /// The C type for printing, such as `int`, and its signedness.
    pub type_name: String,
    pub signed: bool,
}

/// The name of allocations that the C library makes for itself: nobody else has to free them.
pub const LIBRARY_OBJECT: &str = "library object";

/// Which function must free a heap object (`free`, `delete` or `delete[]`). It is encoded in the allocation's name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// `malloc` and its relatives.
    C,
    New,
    NewArray,
}

impl Family {
    const NEW_OBJECT: &str = "object of new";
    const NEW_ARRAY: &str = "object of new[]";

    /// The name of allocations of the family.
    pub fn object_name(self) -> &'static str {
        match self {
            Family::C => "heap object",
            Family::New => Self::NEW_OBJECT,
            Family::NewArray => Self::NEW_ARRAY,
        }
    }

    /// The family of an allocation by its name.
    pub fn of_object(name: &str) -> Family {
        match name {
            Self::NEW_OBJECT => Family::New,
            Self::NEW_ARRAY => Family::NewArray,
            _ => Family::C,
        }
    }

    /// What frees its objects, as C++ writes it.
    pub fn release(self) -> &'static str {
        match self {
            Family::C => "free",
            Family::New => "delete",
            Family::NewArray => "delete[]",
        }
    }
}

/// Where an object is allocated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AllocKind {
    /// Freed when the procedure returns.
    Stack,
    Heap,
}

/// What memory is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// This byte (a bit-vector of width 8).
    Byte(Term),
    /// Arbitrary bytes, recorded as an input.
    Arbitrary(InputKind),
}

/// Which procedure a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    Direct(ProcId),
    Indirect(Term),
}

/// The end of a block and its source position.
#[derive(Clone, Debug)]
pub struct Terminator {
    pub kind: TerminatorKind,
    pub loc: Loc,
}

/// How control leaves a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminatorKind {
    /// One of these, chosen arbitrarily; a single target is a plain jump.
    Goto(Vec<BlockId>),
    Branch {
        condition: Term,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch(Switch),
    /// Results have been assigned to the procedure's result variables.
    Return,
    Stop(StopKind),
    Unsupported(String),
}

/// A many-way branch on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub value: Term,
    /// Constants of the value's sort; the first match wins.
    pub cases: Vec<(Term, BlockId)>,
    pub default: BlockId,
}

/// How a run ends without returning from the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// exit(n): the program ends as if main had returned; leaks are judged.
    Exit,
    /// abort(), a failed C assert that is not checked: the program ends at once.
    Abort,
    /// The compiler says control never gets here; getting here is undefined behaviour and ends the path.
    Unreachable,
}

impl TerminatorKind {
    /// Replaces every jump target by what `to` maps it to.
    pub fn redirect(&mut self, to: &impl Fn(BlockId) -> BlockId) {
        match self {
            TerminatorKind::Goto(targets) => {
                targets.iter_mut().for_each(|target| *target = to(*target));
                targets.sort();
                targets.dedup();
            }
            TerminatorKind::Branch { then, otherwise, .. } => (*then, *otherwise) = (to(*then), to(*otherwise)),
            TerminatorKind::Switch(switch) => {
                switch.cases.iter_mut().for_each(|(_, target)| *target = to(*target));
                switch.default = to(switch.default);
            }
            TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
        }
    }

    /// The blocks that control may go to next.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            TerminatorKind::Goto(targets) => targets.clone(),
            TerminatorKind::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            TerminatorKind::Switch(switch) => switch.cases.iter().map(|(_, target)| *target).chain([switch.default]).collect(),
            TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => Vec::new(),
        }
    }
}
