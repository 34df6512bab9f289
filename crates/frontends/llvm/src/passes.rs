//! Makes SSA form of clang's `-O0` output. `mem2reg` would turn the value of an uninitialised local into `undef`, and
//! each use of `undef` may differ; people expect one arbitrary value. So every local that will be promoted is first
//! given the result of a marker function, which the translation reads as one arbitrary value: anew whenever its scope is
//! entered. At the end of its scope it is given `undef`, so that the debug information says that the variable holds nothing
//! any more. A variable whose address is held by another one is promoted after that one. Nothing else is run: other passes exploit undefined behaviour, which is what we are looking for.

use crate::error::FrontendError;
use crate::llvm::{Context, Module, Opcode, Type, Value};
use crate::translate::returns_twice;
use crate::{Options, redirect, sanitizer, scopes, uses};
use fathom_base::{FxMap, FxSet};
use fathom_ir::Property;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::transforms::pass_builder::*;
use std::ffi::{CStr, CString};

/// Functions whose name starts so return one arbitrary value; the name goes on with that of the variable, and its type.
pub const UNINITIALISED: &str = "__fathom_uninit.";
/// A call that keeps a variable in memory for one round of promotion.
const POSTPONED: &str = "__fathom_postponed";

/// Runs LLVM's own passes that make translation easier and change no behaviour that is checked.
pub fn prepare(context: &Context, module: &Module, options: &Options) -> Result<(), FrontendError> {
    // Debug records become calls, which the C interface can read.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.raw(), 0) };
    drop_unevaluated(context, module);
    let mut again: Vec<_> = module.functions().map(|function| (function, scopes::declared_again(function))).collect();
    scopes::mark(context, module);
    if options.checks.contains(&Property::Dangling) {
        uses::mark(context, module);
    }
    again.retain(|(function, _)| {
        function.remove_function_attribute("optnone");
        let stays_in_memory = redirect::keeps_variables_in_memory(*function) || returns_twice(module, *function);
        if stays_in_memory {
            function.remove_function_attribute("alwaysinline");
            function.add_function_attribute("noinline");
            function.add_function_attribute("optnone");
        }
        !stays_in_memory
    });
    for (_, again) in &again {
        let in_memory = again.iter().filter(|(variable, _)| !is_promotable(**variable));
        for (object, declarations) in in_memory {
            declarations.iter().for_each(|declaration| scopes::mark_again(context, module, *object, *declaration));
        }
    }
    loop {
        let mut promotes = false;
        let mut postponed = Vec::new();
        for (function, again) in &again {
            mark_places(context, module, *function);
            promotes |= mark_scopes(context, module, *function, again);
            postponed.extend(postpone(context, module, *function));
        }
        if promotes {
            run(module, "function(mem2reg)")?;
        }
        // SAFETY: calls that were added in this round, and that nothing uses.
        postponed.iter().for_each(|call| unsafe { LLVMInstructionEraseFromParent(call.0) });
        if !promotes || postponed.is_empty() {
            return Ok(());
        }
        scopes::keep_outlived(context, module);
    }
}

/// When `p` is promoted in `int x, *p = &x;`, nothing is left that has the address of `x`. `mem2reg` would promote it right then,
/// before anybody could say what it holds and whether it is alive. A use that is taken away when `mem2reg` has run prevents that:
/// it is promoted the next time.
fn postpone(context: &Context, module: &Module, function: Value) -> Vec<Value> {
    let Some(entry) = function.blocks().next() else { return Vec::new() };
    let is_stored =
        |alloca: &Value| alloca.users().into_iter().any(|user| user.opcode() == Opcode::LLVMStore && user.operand(0) == *alloca);
    let allocas = entry.instructions().filter(|i| i.opcode() == Opcode::LLVMAlloca && is_stored(i));
    let (allocas, last): (Vec<Value>, _) = (allocas.collect(), entry.terminator());
    let Some(last) = last else { return Vec::new() };
    allocas.into_iter().map(|alloca| scopes::insert_use(context, module, POSTPONED, alloca, last)).collect()
}

fn run(module: &Module, pipeline: &str) -> Result<(), FrontendError> {
    let pipeline = CString::new(pipeline).map_err(|e| FrontendError::PassFailed(e.to_string()))?;
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.raw(), pipeline.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if !error.is_null() {
            let message = LLVMGetErrorMessage(error);
            let reason = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            return Err(FrontendError::PassFailed(reason));
        }
    }
    Ok(())
}

/// Where a variable is assigned something that was computed elsewhere, as in `p = next` and `n = 0`, `mem2reg` leaves no instruction that
/// has the place. One that does nothing keeps it, for whoever reads a trace.
fn mark_places(context: &Context, module: &Module, function: Value) {
    let Some(entry) = function.blocks().next() else { return };
    let variables: FxSet<Value> = entry.instructions().filter(|i| i.opcode() == Opcode::LLVMAlloca && is_promotable(*i)).collect();
    let is_computed_here = |store: Value| {
        let value = store.operand(0);
        let is_own = unsafe { !LLVMIsAInstruction(value.0).is_null() } && value.opcode() != Opcode::LLVMLoad;
        is_own && unsafe { LLVMGetNextInstruction(value.0) } == store.0
    };
    let stores = function.blocks().flat_map(|block| block.instructions()).filter(|i| i.opcode() == Opcode::LLVMStore);
    let bare: Vec<Value> = stores.filter(|store| variables.contains(&store.operand(1)) && !is_computed_here(*store)).collect();
    if bare.is_empty() {
        return;
    }
    const NOTHING: &CStr = c"llvm.donothing";
    unsafe {
        let builder = LLVMCreateBuilderInContext(context.raw());
        let nothing = LLVMLookupIntrinsicID(NOTHING.as_ptr(), NOTHING.count_bytes());
        let nothing = LLVMGetIntrinsicDeclaration(module.raw(), nothing, std::ptr::null_mut(), 0);
        for store in bare {
            let place = LLVMInstructionGetDebugLoc(store.0);
            if !place.is_null() {
                LLVMPositionBuilderBefore(builder, store.0);
                LLVMSetCurrentDebugLocation2(builder, place);
                LLVMBuildCall2(builder, LLVMGlobalGetValueType(nothing), nothing, std::ptr::null_mut(), 0, c"".as_ptr());
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The operand of `__builtin_constant_p` is not evaluated, though clang computes what is in it, with checks; the answer without
/// optimisation is no. What is computed for it alone stands right in front of the question, as do checks of what it is computed from.
fn drop_unevaluated(context: &Context, module: &Module) {
    let asks: Vec<Value> = module.functions().filter(|f| f.name().starts_with("llvm.is.constant.")).flat_map(Value::users).collect();
    for ask in asks {
        let operand = computed_from([ask.operand(0)]);
        let mut unused = operand.clone();
        let mut before = previous(ask);
        // SAFETY: instructions of a live module, erased when nothing uses them.
        unsafe {
            LLVMReplaceAllUsesWith(ask.0, LLVMConstInt(LLVMInt1TypeInContext(context.raw()), 0, 0));
            LLVMInstructionEraseFromParent(ask.0);
            while let Some(value) = before.filter(|value| !value.has_uses()) {
                if sanitizer::is_check(value) {
                    let checked = computed_from(value.operands());
                    if checked.is_disjoint(&operand) {
                        break;
                    }
                    unused.extend(checked);
                } else if !unused.contains(&value) {
                    break;
                }
                before = previous(value);
                LLVMInstructionEraseFromParent(value.0);
            }
        }
    }
}

/// The instructions that compute these values, without those that do something else as well.
fn computed_from(values: impl IntoIterator<Item = Value>) -> FxSet<Value> {
    let mut found = FxSet::default();
    let mut open: Vec<Value> = values.into_iter().collect();
    while let Some(value) = open.pop() {
        if unsafe { !LLVMIsAInstruction(value.0).is_null() } && only_computes(value) && found.insert(value) {
            open.extend(value.operands());
        }
    }
    found
}

fn previous(instruction: Value) -> Option<Value> {
    Value::new(unsafe { LLVMGetPreviousInstruction(instruction.0) })
}

/// Whether an instruction does nothing but give a value.
fn only_computes(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMLoad => !instruction.is_volatile(),
        Opcode::LLVMCall => Value(unsafe { LLVMGetCalledValue(instruction.0) }).name().contains(".with.overflow."),
        Opcode::LLVMStore | Opcode::LLVMAlloca | Opcode::LLVMPHI | Opcode::LLVMInvoke | Opcode::LLVMFence => false,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => false,
        _ => unsafe { LLVMIsATerminatorInst(instruction.0).is_null() },
    }
}

/// Says what variables hold that will be promoted. Whether there are any.
fn mark_scopes(context: &Context, module: &Module, function: Value, again: &FxMap<Value, Vec<Value>>) -> bool {
    let Some(entry) = function.blocks().next() else { return false };
    let allocas: Vec<Value> = entry.instructions().filter(|i| i.opcode() == Opcode::LLVMAlloca && is_promotable(*i)).collect();
    if allocas.is_empty() {
        return false;
    }
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let declared = scopes::declarations(function, context);
    for alloca in allocas {
        let ty = Type(unsafe { LLVMGetAllocatedType(alloca.0) });
        let declared = declared.get(&alloca);
        let marker = marker_for(module, ty, declared.map_or("", |declared| &declared.name));
        let starts: Vec<Value> = alloca.users().into_iter().filter(|user| scopes::is_start(*user)).collect();
        let starts = if starts.is_empty() { vec![alloca] } else { starts };
        for before in starts.iter().chain(again.get(&alloca).into_iter().flatten()) {
            unsafe {
                LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(before.0));
                // Where it is declared: that is what people are told.
                LLVMSetCurrentDebugLocation2(builder, declared.map_or(std::ptr::null_mut(), |declared| declared.location.0));
                let call = LLVMBuildCall2(builder, marker.value_type().0, marker.0, std::ptr::null_mut(), 0, c"".as_ptr());
                LLVMSetCurrentDebugLocation2(builder, std::ptr::null_mut());
                LLVMBuildStore(builder, call, alloca.0);
            }
        }
        for end in alloca.users().into_iter().filter(|user| scopes::is_end_of(*user, alloca)) {
            unsafe {
                LLVMPositionBuilderBefore(builder, end.0);
                LLVMBuildStore(builder, LLVMGetUndef(ty.0), alloca.0);
            }
        }
    }
    unsafe { LLVMDisposeBuilder(builder) };
    true
}

/// `mem2reg`'s own criterion: one element, read and written whole, its address never seen.
pub fn is_promotable(alloca: Value) -> bool {
    let ty = Type(unsafe { LLVMGetAllocatedType(alloca.0) });
    if alloca.operand(0).as_constant_int() != Some(1) || !ty.is_sized() {
        return false;
    }
    alloca.users().into_iter().all(|user| match user.opcode() {
        Opcode::LLVMLoad => !user.is_volatile() && user.ty() == ty,
        Opcode::LLVMStore => user.operand(1) == alloca && user.operand(0) != alloca && !user.is_volatile() && user.operand(0).ty() == ty,
        Opcode::LLVMCall => Value(unsafe { LLVMGetCalledValue(user.0) }).name().starts_with("llvm.lifetime."),
        _ => false,
    })
}

fn marker_for(module: &Module, ty: Type, variable: &str) -> Value {
    let name = format!("{UNINITIALISED}{variable}.{}", ty.show());
    if let Some(known) = module.function(&name) {
        return known;
    }
    unsafe {
        let signature = LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0);
        let name = CString::new(name).unwrap_or_default();
        Value(LLVMAddFunction(module.raw(), name.as_ptr(), signature))
    }
}
