//! Statements and terminators. Expressions are terms over the procedure's locals, the program's globals and address
//! symbols; evaluating one never fails and never touches memory: memory is read by `Load` alone.

use crate::debug::TypeId;
use crate::order::{Fence, LockEvent, SectionKind};
use crate::program::{BlockId, ProcId};
use crate::property::Property;
use fathom_base::Loc;
use fathom_term::{Term, VarId};

/// A statement and its source position.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its position in the source.
    pub loc: Loc,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// All right-hand sides are evaluated before any variable changes.
    Assign(Vec<(VarId, Term)>),
    /// The variables become arbitrary. An input is recorded in traces, in the order the program asks.
    Havoc {
        /// All of them become arbitrary at once.
        vars: Vec<VarId>,
        /// None: the values are not inputs and traces do not record them.
        input: Option<InputKind>,
    },
    /// Runs in which the condition fails do not count.
    Assume(Term),
    /// A condition that must hold. A pass drops, keeps or turns it into an assumption, by property.
    Assert {
        /// The run violates the property if this is false.
        condition: Term,
        /// What the check belongs to.
        property: Property,
        /// What is reported if it fails.
        message: String,
    },
    /// A new object of `size` bytes (an unsigned bit-vector of pointer width) whose address goes to `target`.
    Alloc {
        /// Receives the address.
        target: VarId,
        /// In bytes.
        size: Term,
        /// The address is a multiple of this many bytes.
        align: u64,
        /// When the object ends.
        kind: AllocKind,
        /// The contents are zero; otherwise they are arbitrary.
        zeroed: bool,
        /// A name for people; see [`Family::object_name`] for heap objects.
        name: String,
    },
    /// Frees a heap object; null is fine, anything else that is not the start of a live heap object of the family is
    /// invalid-free.
    Free {
        /// Null, or the start of a live heap object.
        pointer: Term,
        /// Which function frees it.
        family: Family,
    },
    /// The stack object that the variable points to ends, if there is one, and the variable becomes null: a block of
    /// the source was left in which a local variable had been declared.
    EndScope {
        /// Holds the address of the object.
        variable: VarId,
    },
    /// Little-endian bytes at `pointer` become the bit-vector variable `target` (width a multiple of 8).
    /// `volatile` reads are arbitrary only when asked for.
    Load {
        /// Receives the value.
        target: VarId,
        /// The address of the first byte.
        pointer: Term,
        /// The source says `volatile`.
        volatile: bool,
    },
    /// `value` is a bit-vector whose width is a multiple of 8.
    Store {
        /// The address of the first byte.
        pointer: Term,
        /// The bits to be written, lowest byte first.
        value: Term,
    },
    /// `length` bytes from `source` to `target`; overlapping is fine (memmove).
    Copy {
        /// The address that is written.
        target: Term,
        /// The address that is read.
        source: Term,
        /// In bytes; an unsigned bit-vector of pointer width.
        length: Term,
    },
    /// `length` bytes from `pointer` on are overwritten (memset).
    Set {
        /// The address of the first byte.
        pointer: Term,
        /// What is written.
        fill: Fill,
        /// In bytes; an unsigned bit-vector of pointer width.
        length: Term,
    },
    /// The size of the heap object that `pointer` points to goes to `target` (0 for null); the pointer must be one that
    /// `free` takes. realloc needs it.
    ObjectSize {
        /// Receives the size in bytes.
        target: VarId,
        /// Null, or the start of a live heap object.
        pointer: Term,
    },
    /// Something about the object that `pointer` points into goes to `target`, which has pointer width; see [`Aspect`]. Any pointer
    /// will do: nothing is accessed, so nothing is violated. Intrinsics of verifiers need it.
    Inspect {
        /// Receives the answer.
        target: VarId,
        /// Any value.
        pointer: Term,
        /// What is asked.
        aspect: Aspect,
    },
    /// Code that Fathom doesn't see may have written to the object that `pointer` points into: its contents become
    /// arbitrary. A pointer to no object, to code or to read-only memory, or an arbitrary one, changes nothing.
    Forget {
        /// An address inside of the object.
        pointer: Term,
    },
    /// The value of `pointer` is used, if only to be compared or passed on: it must not be that of an object which has ended
    /// (`dangling`).
    Use {
        /// The value that must not dangle.
        pointer: Term,
    },
    /// The value is looked at, if only to be printed: it must not depend on memory or a variable that has no value yet
    /// (`uninitialised`).
    Look {
        /// The value.
        value: Term,
        /// What it is, for people.
        what: String,
    },
    /// Arguments are matched by position; a missing one is arbitrary, one of another width is resized as raw bits,
    /// and surplus ones go to the callee's variadic object or are dropped.
    Call {
        /// Variables that receive the results, in order.
        targets: Vec<VarId>,
        /// Which procedure runs.
        callee: Callee,
        /// The values of the parameters, in order.
        args: Vec<Term>,
    },
    /// Threads and sections that no other thread interrupts.
    Thread(ThreadOperation),
    /// Records for traces that a source variable has this value now. No effect on the run.
    Watch(Watch),
    /// Something the front end can't translate: reaching it is `unknown`, never skipped.
    Unsupported(String),
}

/// A property of the object that a pointer points into, which a program can ask for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The address of its first byte, also of an object that has ended; 0 if the pointer leads to no object.
    Base,
    /// A number that no other object has, also for one that has ended; 0 if the pointer leads to no object. Which number it is says
    /// nothing: it may only be compared.
    Number,
    /// Its size in bytes; 0 if there is none that lives.
    Size,
    /// A sum of the constants `ALIVE`, `WRITABLE` and `HEAP`; 0 if there is none that lives. Code is not alive.
    Traits,
}

impl Aspect {
    /// All of them.
    pub const ALL: [Aspect; 4] = [Aspect::Base, Aspect::Number, Aspect::Size, Aspect::Traits];
    /// Of `Traits`: the object lives, so that its bytes can be read.
    pub const ALIVE: u64 = 1;
    /// Of `Traits`: it can be written.
    pub const WRITABLE: u64 = 2;
    /// Of `Traits`: it was allocated by the program, for `free`.
    pub const HEAP: u64 = 4;

    /// The word for it in the text form.
    pub fn keyword(self) -> &'static str {
        match self {
            Aspect::Base => "base",
            Aspect::Number => "number",
            Aspect::Size => "extent",
            Aspect::Traits => "traits",
        }
    }
}

/// Threads are numbered from 1 (the entry procedure's) in the order in which they start; numbers have pointer width. A thread's
/// name, which a program may look at, is the address of an object that was made for it and ends when it is joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadOperation {
    /// A new thread calls the procedure at `function` with `argument`; its name goes to `target`.
    Start {
        /// Receives the number of the new thread.
        target: VarId,
        /// The address of the procedure.
        function: Term,
        /// What the procedure is called with.
        argument: Term,
    },
    /// The number of the thread that has this name.
    Number {
        /// Gets the number.
        target: VarId,
        /// What `Start` gave.
        name: Term,
    },
    /// Waits until the thread of this number has ended; what it returned goes to `target` (of pointer width).
    Join {
        /// Receives the result of the thread.
        target: VarId,
        /// The number of the thread.
        thread: Term,
    },
    /// The running thread ends here, with all its calls.
    Exit {
        /// What a join of this thread receives; of pointer width.
        result: Term,
    },
    /// The number of the running thread.
    Current {
        /// Receives the number.
        target: VarId,
    },
    /// No other thread runs until as many sections have ended as have begun.
    AtomicBegin(SectionKind),
    /// Orders the stores of the running thread.
    Fence(Fence),
    /// Ends a section that `AtomicBegin` began.
    AtomicEnd,
    /// Says what the statements around it do to a lock.
    Lock {
        /// What happens.
        event: LockEvent,
        /// The address of the lock.
        lock: Term,
    },
    /// The address of the running thread's own copy of a thread-local object.
    Local {
        /// Receives the address.
        target: VarId,
        /// The address symbol of the thread-local object.
        object: Term,
    },
}

/// What a source variable is bound to, for traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Its name in the source.
    pub variable: String,
    /// The line of its declaration, which tells variables of one name apart.
    pub declared: u32,
    /// The C type as the user wrote it, and how to print the bits. Empty where the variable's scope has ended.
    pub type_name: String,
    /// The bits are two's complement.
    pub signed: bool,
    /// The same in detail, where debug information has it.
    pub ty: Option<TypeId>,
    /// What it holds here, as bits.
    pub value: Term,
}

impl Watch {
    /// The variable holds nothing any more, which `nothing` says as a pointer.
    pub fn end(variable: String, declared: u32, nothing: Term) -> Watch {
        Watch { variable, declared, type_name: String::new(), signed: false, ty: None, value: nothing }
    }

    /// Whether it says that the variable's scope has ended.
    pub fn is_end(&self) -> bool {
        self.type_name.is_empty()
    }
}

/// Where an arbitrary value comes from, for traces and replays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputKind {
    /// The function that asked: `__VERIFIER_nondet_int`, `klee_make_symbolic`, ..., or one of `sources`; empty for internal choices such
    /// as uninitialised variables, which replays set but users are not shown as inputs.
    pub source: String,
    /// The C type for printing, such as `int`, and its signedness.
    pub type_name: String,
    /// The bits are two's complement.
    pub signed: bool,
}

impl InputKind {
    const UNINITIALISED: &str = "uninitialised ";

    /// The value of a variable that has none yet, or of bytes that have none: an internal choice.
    pub fn uninitialised(variable: &str) -> Self {
        InputKind { source: String::new(), type_name: format!("{}{variable}", Self::UNINITIALISED), signed: false }
    }

    /// The variable that has no value yet, if that is where the value comes from.
    pub fn uninitialised_variable(&self) -> Option<&str> {
        self.type_name.strip_prefix(Self::UNINITIALISED).filter(|_| self.source.is_empty())
    }
}

/// The name of allocations that the C library makes for itself: the program does not have to free them.
pub const LIBRARY_OBJECT: &str = "library object";

/// What ends the name of an array of texts that the program is started with. The pointers in it that the start did not store
/// are some texts, of which nothing is known: nobody may say that they lead nowhere.
pub const GIVEN_ARRAY: &str = "[]";

/// The name of the text with the program's own name.
pub const PROGRAM_NAME_TEXT: &str = "program name";

/// Whether objects of this name come with contents, if with unknown ones: the texts that a program is started with, and what
/// the C library made. No variable of C has such a name.
pub fn has_given_contents(name: &str) -> bool {
    name == LIBRARY_OBJECT || name == PROGRAM_NAME_TEXT || is_given_array(name) || name.starts_with("argv[") || name.starts_with("envp[")
}

/// Whether objects of this name are arrays of texts that the program is started with.
pub fn is_given_array(name: &str) -> bool {
    name.ends_with(GIVEN_ARRAY) && !name.contains(' ')
}

/// How names of those functions of the C library begin whose accesses are no atomic ones, although they happen at once with others:
/// what `pthread_create` stores belongs to the program.
pub const PLAIN_PREFIX: &str = "fathom_plain_";
/// The function of the C library of ours that tells the number of the thread with a name.
pub const THREAD_NUMBER: &str = "fathom_number_of";

/// In the names of variables of the C library that it does not protect from being used by two threads at once (`strtok`).
pub const UNPROTECTED: &str = "unprotected";

/// Which function must free a heap object (`free`, `delete` or `delete[]`). It is encoded in the allocation's name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// `malloc` and its relatives.
    C,
    /// C++'s `new`, to be freed by `delete`.
    New,
    /// C++'s `new[]`, to be freed by `delete[]`.
    NewArray,
}

impl Family {
    const C_OBJECT: &str = "heap object";
    const NEW_OBJECT: &str = "object of new";
    const NEW_ARRAY: &str = "object of new[]";

    /// The name of allocations of the family.
    pub fn object_name(self) -> &'static str {
        match self {
            Family::C => Self::C_OBJECT,
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

    /// What its objects are called in sentences; None if the name is that of a variable.
    pub fn described(name: &str) -> Option<&'static str> {
        match name {
            Self::C_OBJECT => Some("a heap object"),
            Self::NEW_OBJECT => Some("an object of new"),
            Self::NEW_ARRAY => Some("an object of new[]"),
            _ => None,
        }
    }

    /// The function or operator that frees its objects, as C++ writes it.
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
    /// Lives until it is freed.
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
    /// A known procedure.
    Direct(ProcId),
    /// The procedure at this address; anything else is a violation of valid-deref.
    Indirect(Term),
}

/// The end of a block and its source position.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// How control leaves the block.
    pub kind: TerminatorKind,
    /// Its position in the source.
    pub loc: Loc,
}

/// How control leaves a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminatorKind {
    /// One of these, chosen arbitrarily; a single target is a plain jump.
    Goto(Vec<BlockId>),
    /// A two-way branch.
    Branch {
        /// A boolean term.
        condition: Term,
        /// The block where the condition is true.
        then: BlockId,
        /// The block where it is false.
        otherwise: BlockId,
    },
    /// A many-way branch.
    Switch(Switch),
    /// Results have been assigned to the procedure's result variables.
    Return,
    /// The run ends here.
    Stop(StopKind),
    /// What can't be translated: reaching it makes the answer `unknown`. The text names it.
    Unsupported(String),
}

/// A many-way branch on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The bit-vector or number that is compared.
    pub value: Term,
    /// Constants of the value's sort; the first match wins.
    pub cases: Vec<(Term, BlockId)>,
    /// The block for every other value.
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
