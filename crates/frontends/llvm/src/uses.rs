//! Marks uses of the values of pointer variables, for `--check dangling`. Clang loads a variable wherever C uses its
//! value, but `mem2reg` removes the variables and copies between them, so calls that mark the uses are inserted before.

use crate::llvm::{BasicBlock, Context, Module, Opcode, Value};
use crate::scopes;
use fathom_base::FxSet;
use llvm_sys::core::*;

/// A call that uses the value of a pointer.
pub const USE: &str = "__fathom_use";

pub fn mark(context: &Context, module: &Module) {
    let functions: Vec<Value> = module.functions().filter(|function| !function.is_declaration()).collect();
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    for function in functions {
        let variables = scopes::variables(function);
        let used: Vec<(Value, Value)> = function.blocks().flat_map(BasicBlock::instructions).filter_map(|i| used(i, &variables)).collect();
        for (value, before) in used {
            let mut pointer = value.ty().0;
            unsafe {
                LLVMPositionBuilderBefore(builder, before.0);
                let ty = LLVMFunctionType(LLVMVoidTypeInContext(context.raw()), &mut pointer, 1, 0);
                let callee = module.function(USE).unwrap_or_else(|| Value(LLVMAddFunction(module.raw(), c"__fathom_use".as_ptr(), ty)));
                LLVMBuildCall2(builder, ty, callee.0, [value.0].as_mut_ptr(), 1, c"".as_ptr());
            }
        }
    }
    unsafe { LLVMDisposeBuilder(builder) };
}

/// The pointer that is read from a variable or written to one, and the instruction in front of which that counts. What
/// clang keeps for itself, such as the place of the result, is none of the source's variables.
fn used(instruction: Value, variables: &FxSet<Value>) -> Option<(Value, Value)> {
    let is_own = |memory: Value| unsafe { !LLVMIsAAllocaInst(memory.0).is_null() } && !variables.contains(&memory);
    match instruction.opcode() {
        Opcode::LLVMLoad if instruction.ty().is_pointer() && !is_own(instruction.operand(0)) => {
            Some((instruction, Value::new(unsafe { LLVMGetNextInstruction(instruction.0) })?))
        }
        Opcode::LLVMStore if variables.contains(&instruction.operand(1)) => {
            let value = instruction.operand(0);
            let is_result = unsafe { !LLVMIsACallInst(value.0).is_null() };
            (is_result && value.ty().is_pointer()).then_some((value, instruction))
        }
        _ => None,
    }
}
