//! A variable-length array ends not only with its block but also where control jumps back in front of its declaration (C17
//! 6.2.4). clang restores the stack on such a way; where the jump stays behind an earlier array of the block it does not,
//! and the declaration makes a new array beside the old one.

use super::{Pass, calls, dynamic_allocas, scope_at};
use crate::llvm::{BasicBlock, Opcode, Value};
use crate::metadata::Metadata;
use fathom_base::{FxMap, FxSet};
use llvm_sys::core::*;

impl Pass<'_> {
    /// Ends arrays that are declared again in the same block.
    pub(super) fn end_arrays_left_backwards(&mut self, function: Value, scopes: &FxMap<Value, Metadata>) {
        let numbered = (0u64..).zip(dynamic_allocas(function));
        let arrays: Vec<(u64, Value, Metadata)> = numbered
            .filter_map(|(number, alloca)| Some((number, alloca, *scopes.get(&alloca)?)))
            .filter(|(_, alloca, _)| is_repeated(*alloca))
            .collect();
        if arrays.is_empty() {
            return;
        }
        let restores: Vec<Value> =
            function.blocks().flat_map(BasicBlock::instructions).filter(|i| calls(*i, "llvm.stackrestore")).collect();
        for restore in restores {
            let Some(scope) = saved_at(restore).and_then(scope_at).map(|scope| self.plain(scope)) else { continue };
            arrays
                .iter()
                .filter(|(_, _, declared)| *declared == scope)
                .for_each(|(number, _, _)| self.end_dynamic_before(restore, *number));
        }
        arrays.iter().for_each(|(number, alloca, _)| self.end_dynamic_before(*alloca, *number));
    }

    fn end_dynamic_before(&self, instruction: Value, number: u64) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
        self.end_dynamic(number);
    }
}

/// Whether control may come back to an instruction.
pub(super) fn is_repeated(instruction: Value) -> bool {
    let home = BasicBlock(unsafe { LLVMGetInstructionParent(instruction.0) });
    let (mut open, mut entered) = (home.successors(), FxSet::default());
    while let Some(block) = open.pop() {
        if block == home {
            return true;
        }
        if entered.insert(block) {
            open.extend(block.successors());
        }
    }
    false
}

/// The instruction that saved what is restored here.
fn saved_at(restore: Value) -> Option<Value> {
    let load = Some(restore.operand(0)).filter(|value| value.opcode() == Opcode::LLVMLoad)?;
    let mut stores = load.operand(0).users().into_iter().filter(|user| user.opcode() == Opcode::LLVMStore);
    stores.find_map(|store| Some(store.operand(0)).filter(|saved| calls(*saved, "llvm.stacksave")))
}
