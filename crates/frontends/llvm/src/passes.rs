//! Makes SSA form of clang's `-O0` output. `mem2reg` would turn the value of an uninitialised local into `undef`, and
//! each use of `undef` may differ; people expect one arbitrary value. So every local that will be promoted is first
//! given the result of a marker function, which the translation reads as one arbitrary value: anew whenever its scope is
//! entered. Nothing else is run: other passes exploit undefined behaviour, which is what we are looking for.

use crate::error::FrontendError;
use crate::llvm::{Context, Module, Opcode, Type, Value};
use crate::{Options, scopes, uses};
use fathom_ir::Property;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::transforms::pass_builder::*;
use std::ffi::{CStr, CString};

/// Functions whose name starts so return one arbitrary value.
pub const UNINITIALISED: &str = "__fathom_uninit.";

pub fn prepare(context: &Context, module: &Module, options: &Options) -> Result<(), FrontendError> {
    // Debug records become calls, which the C interface can read.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.raw(), 0) };
    scopes::mark(context, module);
    if options.checks.contains(&Property::Dangling) {
        uses::mark(context, module);
    }
    for function in module.functions() {
        function.remove_function_attribute("optnone");
        mark_uninitialised(context, module, function);
    }
    run(module, "function(mem2reg)")
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

fn mark_uninitialised(context: &Context, module: &Module, function: Value) {
    let Some(entry) = function.blocks().next() else { return };
    let allocas: Vec<Value> = entry.instructions().filter(|i| i.opcode() == Opcode::LLVMAlloca && is_promotable(*i)).collect();
    if allocas.is_empty() {
        return;
    }
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    for alloca in allocas {
        let ty = Type(unsafe { LLVMGetAllocatedType(alloca.0) });
        let marker = marker_for(module, ty);
        let starts: Vec<Value> = alloca.users().into_iter().filter(|user| scopes::is_start(*user)).collect();
        for before in if starts.is_empty() { vec![alloca] } else { starts } {
            unsafe {
                LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(before.0));
                let call = LLVMBuildCall2(builder, marker.value_type().0, marker.0, std::ptr::null_mut(), 0, c"".as_ptr());
                LLVMBuildStore(builder, call, alloca.0);
            }
        }
    }
    unsafe { LLVMDisposeBuilder(builder) };
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

fn marker_for(module: &Module, ty: Type) -> Value {
    let name = format!("{UNINITIALISED}{}", ty.show());
    if let Some(known) = module.function(&name) {
        return known;
    }
    unsafe {
        let signature = LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0);
        let name = CString::new(name).unwrap_or_default();
        Value(LLVMAddFunction(module.raw(), name.as_ptr(), signature))
    }
}
