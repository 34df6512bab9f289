//! The program as every engine sees it: procedures of basic blocks over variables and memory, with expressions that
//! are terms over program variables. Front ends produce it, passes rewrite it, `semantics` gives it meaning.

mod cursor;
mod invariants;
mod parse;
mod parse_statement;
mod print;
mod program;
mod property;
mod statement;
mod validate;
mod walk;

pub use cursor::ParseError;
pub use invariants::{Invariant, Invariants, ANY_INDEX, LoopHead, MemoryCell};
pub use parse::parse_program;
pub use print::{print_program, print_statement, print_terminator};
pub use program::{
    Block, BlockId, Body, DataLayout, Initializer, MemoryObject, ObjectId, Procedure, ProcId, Program, Relocation, Variable,
};
pub use property::{Property, PropertyParseError};
pub use statement::{
    AllocKind, Callee, Family, Fill, InputKind, LIBRARY_OBJECT, Statement, StatementKind, StopKind, Switch, Terminator, TerminatorKind,
    ThreadOperation, Watch,
};
pub use validate::{Malformed, validate};
