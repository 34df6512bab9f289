//! The program as every engine sees it: procedures of basic blocks over variables and memory, with expressions that
//! are terms over program variables. Front ends produce it, passes rewrite it, `machine` gives it meaning.

mod cursor;
mod debug;
mod description;
mod effects;
mod inputs;
mod invariants;
mod ledger;
mod map;
mod order;
mod parse;
mod parse_statement;
mod print;
mod program;
mod property;
mod statement;
mod transformed;
mod validate;
mod walk;

pub use cursor::ParseError;
pub use debug::{DebugInfo, Member, Shape, SourceType, TypeId};
pub use effects::{Access, AccessKind, ControlEffect, Extent, Use, Write};
pub use inputs::{CONTROL_FUNCTIONS, Control, INPUT_PREFIXES, INPUT_TYPES, InputType, sources};
pub use invariants::{ANY_INDEX, Invariant, Invariants, LoopHead, LoopLabel, MemoryCell};
pub use ledger::{Assumption, Ledger, TextArray};
pub use order::{Fence, LockEvent, MemoryModel, SectionKind};
pub use parse::parse_program;
pub use print::{print_program, print_statement, print_terminator};
pub use program::{
    Block, BlockId, Body, DataLayout, FAULT_HANDLING, Initializer, MemoryObject, ObjectId, ProcId, Procedure, Program, Relocation, Variable,
};
pub use property::{Property, PropertyParseError};
pub use statement::{
    AllocKind, Aspect, Callee, Family, Fill, GIVEN_ARRAY, InputKind, LIBRARY_OBJECT, PLAIN_PREFIX, PROGRAM_NAME_TEXT, Statement,
    StatementKind, StopKind, Switch, THREAD_NUMBER, Terminator, TerminatorKind, ThreadOperation, UNPROTECTED, Watch, has_given_contents,
    is_given_array,
};
pub use transformed::{Origin, PointerCall, Transformed};
pub use validate::{Malformed, validate};
