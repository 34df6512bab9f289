//! Recursive procedures are graphs of their own in a flat program. A call through a pointer may be one of any procedure whose
//! address is taken and that takes as many arguments, because any other call is an error location (see `inline`).

use fathom_flow::{CallGraph, PointerCalls};
use fathom_ir::Program;

/// Whether some procedure that the entry may come to is recursive.
pub fn is_recursive(program: &Program) -> bool {
    let calls = CallGraph::of(program, PointerCalls::SameArity);
    calls.recursive().into_iter().zip(calls.reached(program.entry)).any(|(recursive, reached)| recursive && reached)
}

/// For each procedure whether it may come to call itself.
pub(crate) fn recursive_procedures(program: &Program) -> Vec<bool> {
    CallGraph::of(program, PointerCalls::SameArity).recursive()
}
