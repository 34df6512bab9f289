//! The lifetime of a variable-length array ends not only with its block but also when control jumps back to before its
//! declaration (C17 6.2.4). Clang restores the stack at such a jump, except if it stays after the declaration of an
//! earlier array of the block: then a new array is allocated in addition to the old one. Memory from `alloca` that is
//! newer than an array ends together with it, since both are on the stack.

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
        for restore in restores(function) {
            let Some(scope) = saved_at(restore).and_then(scope_at).map(|scope| self.plain(scope)) else { continue };
            arrays
                .iter()
                .filter(|(_, _, declared)| *declared == scope)
                .for_each(|(number, _, _)| self.end_dynamic_before(restore, *number));
        }
        arrays.iter().for_each(|(number, alloca, _)| self.end_dynamic_before(*alloca, *number));
    }

    /// Ends what `alloca` gave where an array ends that was made before.
    pub(super) fn end_allocas_with_arrays(&mut self, function: Value, scopes: &FxMap<Value, Metadata>) {
        let numbered = (0u64..).zip(dynamic_allocas(function));
        let allocas: Vec<(u64, Value)> = numbered.filter(|(_, alloca)| !scopes.contains_key(alloca)).collect();
        if allocas.is_empty() {
            return;
        }
        for restore in restores(function) {
            let Some(save) = saved_at(restore) else { continue };
            let since = allocas.iter().filter(|(_, alloca)| comes_first(function, save, *alloca));
            since.for_each(|(number, _)| self.end_dynamic_before(restore, *number));
        }
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

fn restores(function: Value) -> Vec<Value> {
    function.blocks().flat_map(BasicBlock::instructions).filter(|i| calls(*i, "llvm.stackrestore")).collect()
}

/// Whether control has passed one instruction whenever it comes to another.
fn comes_first(function: Value, first: Value, then: Value) -> bool {
    let home = |instruction: Value| BasicBlock(unsafe { LLVMGetInstructionParent(instruction.0) });
    let (start, end) = (home(first), home(then));
    if start == end {
        return start.instructions().find(|i| *i == first || *i == then) == Some(first);
    }
    let mut open: Vec<BasicBlock> = function.blocks().next().filter(|entry| *entry != start).into_iter().collect();
    let mut entered: FxSet<BasicBlock> = open.iter().copied().collect();
    while let Some(block) = open.pop() {
        if block == end {
            return false;
        }
        open.extend(block.successors().into_iter().filter(|next| *next != start && entered.insert(*next)));
    }
    true
}

/// The instruction that saved what is restored here.
fn saved_at(restore: Value) -> Option<Value> {
    let load = Some(restore.operand(0)).filter(|value| value.opcode() == Opcode::LLVMLoad)?;
    let mut stores = load.operand(0).users().into_iter().filter(|user| user.opcode() == Opcode::LLVMStore);
    stores.find_map(|store| Some(store.operand(0)).filter(|saved| calls(*saved, "llvm.stacksave")))
}
