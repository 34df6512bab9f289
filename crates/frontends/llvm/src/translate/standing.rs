//! Values that must be computed at their definition. Otherwise a term is substituted into its use; but the variable of
//! a local object is null after the object's lifetime, and whether two pointers are equal also depends on which objects
//! are alive.

use super::function::FunctionTranslator;
use crate::llvm::{BasicBlock, Opcode, Value};
use crate::sanitizer::CHECK;
use llvm_sys::core::*;

/// So far back a number is followed to the pointer that it was made of.
const DEPTH: u32 = 4;

impl FunctionTranslator<'_, '_> {
    /// Whether a value depends on addresses and is used where the objects may have ended.
    pub fn must_stay(&mut self, instruction: Value) -> bool {
        // A copy that `scopes` made of an address counts as it is now.
        let is_copy = instruction.opcode() == Opcode::LLVMFreeze;
        let stays = is_copy || self.depends_on_addresses(instruction) && is_used_late(instruction);
        if !stays {
            self.note_addresses(instruction);
        }
        stays
    }

    /// The value remains a term wherever it is used.
    pub fn note_addresses(&mut self, instruction: Value) {
        if self.depends_on_addresses(instruction) {
            self.addressing.insert(instruction);
        }
    }

    fn depends_on_addresses(&self, instruction: Value) -> bool {
        use Opcode::*;
        let is_function = |call: Value| !Value(unsafe { LLVMGetCalledValue(call.0) }).name().starts_with("llvm.");
        match instruction.opcode() {
            // Their results are in variables.
            LLVMLoad | LLVMPHI => return false,
            LLVMCall if is_function(instruction) => return false,
            _ => {}
        }
        let names_object = |operand: Value| self.scoped.contains_key(&operand) || self.addressing.contains(&operand);
        let compares = || instruction.opcode() == LLVMICmp && instruction.operands().any(|operand| is_address(operand, DEPTH));
        instruction.operands().any(names_object) || compares()
    }
}

fn is_address(value: Value, depth: u32) -> bool {
    use Opcode::*;
    if value.is_constant() || unsafe { LLVMIsAInstruction(value.0).is_null() } {
        return value.ty().is_pointer() && !value.is_null();
    }
    match value.opcode() {
        _ if value.ty().is_pointer() => true,
        LLVMPtrToInt => true,
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMURem | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr | LLVMTrunc
        | LLVMZExt | LLVMSExt | LLVMSelect => depth > 0 && value.operands().any(|operand| is_address(operand, depth - 1)),
        _ => false,
    }
}

/// Whether an instruction uses the value in another block, or behind a call: that may end an object.
fn is_used_late(instruction: Value) -> bool {
    let users = instruction.users();
    let block = block_of(instruction);
    if users.iter().any(|user| user.opcode() == Opcode::LLVMPHI || block_of(*user) != block) {
        return true;
    }
    let mut left = users.len();
    let mut next = Value::new(unsafe { LLVMGetNextInstruction(instruction.0) });
    while let Some(current) = next {
        left -= users.iter().filter(|user| **user == current).count();
        if left == 0 {
            return false;
        }
        if current.opcode() == Opcode::LLVMCall && may_end(current) {
            return true;
        }
        next = Value::new(unsafe { LLVMGetNextInstruction(current.0) });
    }
    left > 0
}

fn may_end(call: Value) -> bool {
    let name = Value(unsafe { LLVMGetCalledValue(call.0) }).name();
    !name.starts_with(CHECK) && !name.starts_with("llvm.dbg.")
}

/// Whether the address of a local object leaves its block of the source as a value, not through memory.
pub fn is_passed_out(alloca: Value) -> bool {
    let ends = |block: BasicBlock| block.instructions().any(|i| crate::scopes::is_end_of(i, alloca));
    alloca.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMRet => true,
        Opcode::LLVMPHI => {
            let count = unsafe { LLVMCountIncoming(user.0) };
            (0..count)
                .any(|at| unsafe { LLVMGetIncomingValue(user.0, at) == alloca.0 && ends(BasicBlock(LLVMGetIncomingBlock(user.0, at))) })
        }
        _ => false,
    })
}

fn block_of(instruction: Value) -> BasicBlock {
    BasicBlock(unsafe { LLVMGetInstructionParent(instruction.0) })
}
