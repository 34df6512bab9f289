//! The checks that clang itself inserts. Clang folds constants while it emits LLVM IR (`INT_MAX + 1`, `1 / 0`), so
//! undefined behaviour cannot be found in the remaining instructions. Its undefined-behaviour sanitizer inserts checks
//! before anything is folded: each is a branch to a block that calls `__ubsan_handle_KIND(data, operands)` and returns.
//!
//! This pass turns every such branch back into straight-line code: a call of `__fathom_check.KIND(condition, operands)`
//! before an unconditional jump, whose target is then merged into the block. The translation turns the call into
//! assertions (`translate/checks.rs`). Handlers that do not return (`__builtin_unreachable`) stay calls.

use crate::folded::Folded;
use crate::llvm::{BasicBlock, Context, Module, Opcode, Type, TypeKind, Value};
use crate::syntax::Position;
use fathom_ir::Property;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;
use std::collections::BTreeSet;
use std::ffi::CString;
use std::path::Path;

/// Functions whose name starts so are checks; the first argument is the condition that has to hold.
pub const CHECK: &str = "__fathom_check.";
/// The kinds of checks of constants begin so.
pub const FOLDED: &str = "folded.";
/// The sanitizer's handlers.
pub const HANDLER: &str = "__ubsan_handle_";
/// The handler of shifts.
const SHIFT: &str = "shift_out_of_bounds";

/// Checks that every program is compiled with: they decide what a run may be taken to show.
const ALWAYS: [&str; 8] =
    ["signed-integer-overflow", "integer-divide-by-zero", "shift", "array-bounds", "vla-bound", "unreachable", "return", "builtin"];

/// clang's flags for the checks of these properties. `wraps`: the user says that signed numbers wrap.
pub fn flags(wanted: &BTreeSet<Property>, wraps: bool) -> [String; 3] {
    let mut groups: BTreeSet<&str> = ALWAYS.into_iter().chain(wanted.iter().flat_map(|property| property.sanitizers()).copied()).collect();
    if wraps {
        groups.remove("signed-integer-overflow");
    }
    let groups = groups.into_iter().collect::<Vec<_>>().join(",");
    // A file's own flags may ask for a sanitizer that would add code of another kind.
    ["-fno-sanitize=all".into(), format!("-fsanitize={groups}"), "-fsanitize-recover=all".into()]
}

/// Rewrites the checks of a module that was just compiled.
pub fn straighten(context: &Context, module: &Module, is_cpp: bool) {
    // Debug records hang on instructions and would be lost when these move; calls move along.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.raw(), 0) };
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let mut pass = Pass { context, module, builder, is_cpp };
    for function in module.functions().filter(|function| !function.is_declaration()) {
        pass.function(function);
    }
    unsafe { LLVMDisposeBuilder(builder) };
}

/// Whether an instruction is a call of a check.
pub fn is_check(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMCall && called_name(instruction).starts_with(CHECK)
}

/// Adds a check in front of an instruction; of a constant in this file, if it is another one than the instruction's.
pub fn insert(context: &Context, module: &Module, before: Value, constant: &Folded, file: Option<&Path>) {
    let function = check_function(context, module, &format!("{FOLDED}{}", constant.check));
    unsafe {
        let builder = LLVMCreateBuilderInContext(context.raw());
        let bits = |number: i128, width: u32| {
            let words = [number as u64, (number >> 64) as u64];
            LLVMConstIntOfArbitraryPrecision(LLVMIntTypeInContext(context.raw(), width), 2, words.as_ptr())
        };
        let operands = constant.operands.iter().map(|&(number, width)| bits(number, width));
        let mut arguments: Vec<_> = std::iter::once(bits(constant.holds.into(), 1)).chain(operands).collect();
        LLVMPositionBuilderBefore(builder, before.0);
        let call =
            LLVMBuildCall2(builder, function.value_type().0, function.0, arguments.as_mut_ptr(), arguments.len() as u32, c"".as_ptr());
        let scope = match LLVMInstructionGetDebugLoc(before.0) {
            location if location.is_null() => LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before.0))),
            location => LLVMDILocationGetScope(location),
        };
        let scope = file.map_or(scope, |file| scope_in_file(module, scope, file));
        let Position { line, column } = constant.span.begin;
        LLVMInstructionSetDebugLoc(call, LLVMDIBuilderCreateDebugLocation(context.raw(), line, column, scope, std::ptr::null_mut()));
        LLVMDisposeBuilder(builder);
    }
}

/// A part of this scope that stands in another file.
fn scope_in_file(module: &Module, scope: LLVMMetadataRef, file: &Path) -> LLVMMetadataRef {
    let name = file.to_string_lossy();
    // SAFETY: the texts outlive the calls; the builder is finished before it is disposed of.
    unsafe {
        let builder = LLVMCreateDIBuilder(module.raw());
        let file = LLVMDIBuilderCreateFile(builder, name.as_ptr().cast(), name.len(), c"".as_ptr(), 0);
        let inside = LLVMDIBuilderCreateLexicalBlockFile(builder, scope, file, 0);
        LLVMDIBuilderFinalize(builder);
        LLVMDisposeDIBuilder(builder);
        inside
    }
}

/// The function that stands for checks of a kind, declared when it is first needed.
fn check_function(context: &Context, module: &Module, kind: &str) -> Value {
    let name = format!("{CHECK}{kind}");
    module.function(&name).unwrap_or_else(|| unsafe {
        let mut condition = LLVMInt1TypeInContext(context.raw());
        let ty = LLVMFunctionType(LLVMVoidTypeInContext(context.raw()), &mut condition, 1, 1);
        Value(LLVMAddFunction(module.raw(), CString::new(name).unwrap_or_default().as_ptr(), ty))
    })
}

struct Pass<'a> {
    context: &'a Context,
    module: &'a Module,
    builder: llvm_sys::prelude::LLVMBuilderRef,
    is_cpp: bool,
}

/// A branch around a block that reports.
struct Check {
    condition: Value,
    goes_on: BasicBlock,
    reports: BasicBlock,
    handler: Value,
}

impl Pass<'_> {
    fn function(&mut self, function: Value) {
        let mut blocks: Vec<BasicBlock> = function.blocks().collect();
        blocks.reverse();
        // Blocks that were joined to others or removed.
        let mut gone = fathom_base::FxSet::default();
        while let Some(block) = blocks.pop() {
            if gone.contains(&block) {
                continue;
            }
            let mut shifts_left = false;
            loop {
                let joined = if let Some((value, after)) = shifted_value(block) {
                    shifts_left = true;
                    gone.insert(value);
                    self.drop_shifted_value(block, value, after);
                    after
                } else if let Some(check) = check_at(block) {
                    gone.insert(check.reports);
                    self.straighten(block, &check, std::mem::take(&mut shifts_left));
                    check.goes_on
                } else {
                    break;
                };
                if !self.join(block, joined) {
                    break;
                }
                gone.insert(joined);
            }
        }
    }

    /// The condition on the value of a left shift is stated anew by the translation, which needs no branch for it.
    fn drop_shifted_value(&mut self, block: BasicBlock, value: BasicBlock, after: BasicBlock) {
        let phi = after.instructions().next().filter(|first| first.opcode() == Opcode::LLVMPHI);
        unsafe {
            let holds = LLVMConstInt(LLVMInt1TypeInContext(self.context.raw()), 1, 0);
            if let Some(phi) = phi {
                LLVMReplaceAllUsesWith(phi.0, holds);
                LLVMInstructionEraseFromParent(phi.0);
            }
            self.jump(block, after);
            LLVMDeleteBasicBlock(value.0);
        }
    }

    fn straighten(&mut self, block: BasicBlock, check: &Check, shifts_left: bool) {
        let (kind, operands) = self.kind_and_operands(check, shifts_left);
        let function = check_function(self.context, self.module, &kind);
        let mut arguments: Vec<_> = std::iter::once(check.condition).chain(operands).map(|value| value.0).collect();
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(block.0);
            LLVMPositionBuilderBefore(self.builder, terminator);
            let ty = function.value_type().0;
            let call = LLVMBuildCall2(self.builder, ty, function.0, arguments.as_mut_ptr(), arguments.len() as u32, c"".as_ptr());
            LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(check.handler.0));
            self.jump(block, check.goes_on);
            LLVMDeleteBasicBlock(check.reports.0);
        }
    }

    /// The block ends with a plain jump from now on.
    unsafe fn jump(&self, block: BasicBlock, target: BasicBlock) {
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(block.0);
            LLVMPositionBuilderBefore(self.builder, terminator);
            let jump = LLVMBuildBr(self.builder, target.0);
            LLVMInstructionSetDebugLoc(jump, LLVMInstructionGetDebugLoc(terminator));
            LLVMInstructionEraseFromParent(terminator);
        }
    }

    /// Kinds that stand for several conditions are told apart, and keep their operands so that each can be stated.
    fn kind_and_operands(&self, check: &Check, shifts_left: bool) -> (String, Vec<Value>) {
        let name = called_name(check.handler);
        let kind = name.strip_prefix(HANDLER).unwrap_or(&name).trim_end_matches("_v1");
        let signed = |type_at: u32| described_type(check.handler, type_at).is_some_and(|(_, signed)| signed);
        match kind {
            "divrem_overflow" => {
                // A compound assignment is described by the type of its target; what is divided has another, but one.
                let like = [1, 2].iter().find_map(|&at| self.computed(check, at)).map(Value::ty);
                let operands = [1, 2].iter().filter_map(|&at| self.operand(check, at, 1, like)).collect();
                (if signed(1) { "divrem_signed" } else { "divrem_unsigned" }.into(), operands)
            }
            // clang looks at the value of signed shifts only; that of a compound assignment may have a narrower type.
            SHIFT if shifts_left => {
                let operands = [(1, 1), (2, 2)].iter().filter_map(|&(at, ty)| self.operand(check, at, ty, None)).collect();
                (if self.is_cpp { "shift_left_cpp" } else { "shift_left" }.into(), operands)
            }
            "type_mismatch" => ("type_mismatch".into(), accessed_pointer(check.handler)),
            // clang compares the index after it was cut to the width of pointers.
            "out_of_bounds" => {
                let kind = if indexes_whole_object(check) { "whole_array" } else { "out_of_bounds" };
                (kind.into(), self.computed(check, 1).into_iter().collect())
            }
            other => (other.into(), Vec::new()),
        }
    }

    /// An operand of a handler: what the program computes, or a constant of this type, or else of the one that is
    /// described, promoted to int.
    fn operand(&self, check: &Check, argument: u32, type_at: u32, like: Option<Type>) -> Option<Value> {
        let Some(number) = check.handler.operand(argument).as_constant_int() else { return self.computed(check, argument) };
        let (described, _) = described_type(check.handler, type_at)?;
        let bits = if number >> described.clamp(32, 63) > 0 { 64 } else { described.max(32) };
        let ty = like.unwrap_or_else(|| Type(unsafe { LLVMIntTypeInContext(self.context.raw(), bits) }));
        Some(Value(unsafe { LLVMConstInt(ty.0, number, 0) }))
    }

    /// An operand that is no constant, as the program computes it; handlers get it extended, or in memory if it is wide.
    fn computed(&self, check: &Check, argument: u32) -> Option<Value> {
        let value = check.handler.operand(argument);
        if value.as_constant_int().is_some() {
            return None;
        }
        let is_local = unsafe { !LLVMIsAInstruction(value.0).is_null() && LLVMGetInstructionParent(value.0) == check.reports.0 };
        match value.opcode() {
            Opcode::LLVMZExt if is_local => Some(value.operand(0)),
            Opcode::LLVMPtrToInt if is_local => {
                let memory = value.operand(0);
                let mut stores = check.reports.instructions().filter(|i| i.opcode() == Opcode::LLVMStore);
                stores.find(|store| store.operand(1) == memory).map(|store| store.operand(0))
            }
            _ => Some(value),
        }
    }

    /// Joins a block to the only one that jumps to it. Whether it did.
    fn join(&self, block: BasicBlock, next: BasicBlock) -> bool {
        let is_phi = next.instructions().next().is_some_and(|first| first.opcode() == Opcode::LLVMPHI);
        let as_value = Value(unsafe { LLVMBasicBlockAsValue(next.0) });
        if block == next || is_phi || !as_value.has_one_use() {
            return false;
        }
        unsafe {
            LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block.0));
            // The phis of its successors learn of their new predecessor as long as it still has its own terminator.
            LLVMReplaceAllUsesWith(as_value.0, LLVMBasicBlockAsValue(block.0));
            LLVMPositionBuilderAtEnd(self.builder, block.0);
            // Otherwise what is inserted would get the position in the source where the builder was last.
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            let moving: Vec<Value> = next.instructions().collect();
            for instruction in moving {
                // The builder forgets names. Those of cut indices tell them from the program's own conversions.
                let name = matches!(instruction.opcode(), Opcode::LLVMTrunc | Opcode::LLVMSub).then(|| instruction.name());
                let name = CString::new(name.unwrap_or_default()).unwrap_or_default();
                LLVMInstructionRemoveFromParent(instruction.0);
                LLVMInsertIntoBuilderWithName(self.builder, instruction.0, name.as_ptr());
            }
            LLVMDeleteBasicBlock(next.0);
        }
        true
    }
}

/// The block that computes whether a left shift keeps its value, and the one behind it, if this block leads there.
fn shifted_value(block: BasicBlock) -> Option<(BasicBlock, BasicBlock)> {
    let [value, after] = block.successors()[..] else { return None };
    let is_chosen = after.instructions().next().is_some_and(|first| first.opcode() == Opcode::LLVMPHI);
    let is_detour = is_chosen && value.successors() == [after];
    let is_shift = || check_at(after).is_some_and(|check| called_name(check.handler).ends_with(SHIFT));
    (is_detour && is_shift()).then_some((value, after))
}

fn check_at(block: BasicBlock) -> Option<Check> {
    let terminator = block.terminator().filter(|last| last.opcode() == Opcode::LLVMBr)?;
    let [goes_on, reports] = block.successors()[..] else { return None };
    if reports.successors() != [goes_on] || !Value(unsafe { LLVMBasicBlockAsValue(reports.0) }).has_one_use() {
        return None;
    }
    // A value that is chosen by the branch would need it.
    if goes_on.instructions().next().is_some_and(|first| first.opcode() == Opcode::LLVMPHI) {
        return None;
    }
    let mut calls = reports.instructions().filter(|i| i.opcode() == Opcode::LLVMCall && !called_name(*i).starts_with("llvm.dbg."));
    let handler = calls.next().filter(|call| called_name(*call).starts_with(HANDLER))?;
    if calls.next().is_some() {
        return None;
    }
    Some(Check { condition: terminator.operand(0), goes_on, reports, handler })
}

fn called_name(call: Value) -> String {
    Value(unsafe { LLVMGetCalledValue(call.0) }).name()
}

fn initializer(global: Value) -> Option<Value> {
    Value::new(unsafe { LLVMGetInitializer(global.as_global()?.0) })
}

/// A field of a constant.
fn part(value: Value, index: u32) -> Option<Value> {
    Value::new(unsafe { LLVMGetAggregateElement(value.0, index) })
}

/// Width and signedness of an integer type that the data of a handler describes: its fields are a position in the source
/// and pointers to descriptions `{ kind, info, name }`, where info is twice the logarithm of the width, plus 1 if signed.
fn described_type(handler: Value, field: u32) -> Option<(u32, bool)> {
    let description = initializer(part(initializer(handler.operand(0))?, field)?)?;
    let (kind, info) = (part(description, 0)?.as_constant_int()?, part(description, 1)?.as_constant_int()?);
    (kind == 0).then_some((1 << (info >> 1), info & 1 == 1))
}

/// The pointer of an access, and the logarithm of the alignment that its type wants.
fn accessed_pointer(handler: Value) -> Vec<Value> {
    let number = handler.operand(1);
    let is_cast = unsafe { !LLVMIsAInstruction(number.0).is_null() } && number.opcode() == Opcode::LLVMPtrToInt;
    let pointer = if is_cast { number.operand(0) } else { number };
    let alignment = initializer(handler.operand(0)).and_then(|data| part(data, 2));
    std::iter::once(pointer).chain(alignment).collect()
}

/// Whether the array is an object of its own: what lies outside of it is outside of the object, where every access is
/// checked anyway. A constant index is computed by clang, so there is no instruction that says.
fn indexes_whole_object(check: &Check) -> bool {
    let address = check.goes_on.instructions().find(|i| i.opcode() == Opcode::LLVMGetElementPtr);
    let Some(address) = address else { return false };
    let indexed = Type(unsafe { LLVMGetGEPSourceElementType(address.0) });
    let (base, moves) = (address.operand(0), address.operand_count() == 2);
    if moves && let Some(array) = decayed(base) {
        return type_of_object(array.operand(0)) == Some(Type(unsafe { LLVMGetGEPSourceElementType(array.0) }));
    }
    let Some(whole) = type_of_object(base) else { return false };
    // A variable-length array is one object of elements.
    let is_variable = base.as_global().is_none() && base.operand(0).as_constant_int().is_none();
    let is_element = matches!(whole.kind(), TypeKind::LLVMArrayTypeKind) && whole.element() == indexed;
    if moves { is_element || (is_variable && whole == indexed) } else { whole == indexed && address.operand_count() == 3 }
}

/// The address of an array as that of its first element.
fn decayed(value: Value) -> Option<Value> {
    let is_first =
        |address: &Value| address.operand_count() == 3 && address.operands().skip(1).all(|index| index.as_constant_int() == Some(0));
    Value::new(unsafe { LLVMIsAGetElementPtrInst(value.0) }).filter(is_first)
}

/// The type of a variable, if this is the address of one.
fn type_of_object(address: Value) -> Option<Type> {
    match Value::new(unsafe { LLVMIsAAllocaInst(address.0) }) {
        Some(alloca) => Some(Type(unsafe { LLVMGetAllocatedType(alloca.0) })),
        None => address.as_global().map(Value::value_type),
    }
}
