//! A variable lives as long as its block, but its value becomes indeterminate again whenever its declaration is reached
//! (C17 6.2.4). Clang starts the lifetime at the declaration, unless a jump can skip it: then only debug information
//! shows the declaration, and without this pass the variable would keep its old value when control returns there.

use super::{arrays, calls, declared, dynamic_allocas, has_start, insert_use};
use crate::llvm::{BasicBlock, Context, Module, Value};
use fathom_base::FxMap;
use llvm_sys::core::*;

/// What the object holds is indeterminate from here on.
pub const DECLARED_AGAIN: &str = "__fathom_declared_again";

/// The variables whose declaration control may come back to in their lifetime, with these places. Asked before anything else
/// is marked.
pub fn declared_again(function: Value) -> FxMap<Value, Vec<Value>> {
    let dynamic = dynamic_allocas(function);
    let declarations = function.blocks().flat_map(BasicBlock::instructions).filter(|i| calls(*i, "llvm.dbg.declare"));
    let mut found: FxMap<Value, Vec<Value>> = FxMap::default();
    for call in declarations {
        let Some((memory, _)) = declared(call) else { continue };
        if !has_start(memory) && !dynamic.contains(&memory) && arrays::is_repeated(call) {
            found.entry(memory).or_default().push(call);
        }
    }
    found
}

/// Marks such a place of an object that stays in memory.
pub fn mark_again(context: &Context, module: &Module, object: Value, declaration: Value) {
    let behind = Value(unsafe { LLVMGetNextInstruction(declaration.0) });
    insert_use(context, module, DECLARED_AGAIN, object, behind);
}
