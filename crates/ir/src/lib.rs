//! The program as every engine sees it: procedures of basic blocks over variables and memory, with expressions that
//! are terms over program variables. Front ends produce it, passes rewrite it, `semantics` gives it meaning.

mod print;
mod program;
mod property;
mod statement;
mod validate;

pub use program::{
    Block, BlockId, Body, DataLayout, Initializer, MemoryObject, ObjectId, Procedure, ProcId, Program, Relocation, Variable,
};
pub use property::{Property, PropertyParseError};
pub use statement::{
    AllocKind, Callee, Fill, InputKind, Statement, StatementKind, StopKind, Switch, Terminator, TerminatorKind, Watch,
};
pub use validate::{Malformed, validate};
