//! Redirects calls in a program with contracts: calls of a function with a contract, and uses of its address, go to the
//! function that replaces it; the function that checks it calls the real one. `dialect::contracts` writes these
//! functions and gives them the names that are read here.

use crate::llvm::{Module, Opcode, Value};
use llvm_sys::core::{LLVMGetCalledValue, LLVMReplaceAllUsesWith};

/// Names begin so of functions that stand for one with a contract ...
pub const CONTRACT: &str = "fathom_contract_";
/// ... of what their checks call ...
pub const ORIGINAL: &str = "fathom_original_";
/// ... of the checks ...
pub const CHECK: &str = "fathom_verify_";
/// ... and of functions that tell that a contract is not checked in this run.
pub const TRUSTED: &str = "fathom_trusted_";
/// What a loop with a contract calls.
const BEGIN: &str = "fathom_frame_begin";

/// Redirects uses of the functions that only this file sees, before it is linked with others.
pub fn within_file(module: &Module) {
    redirect(module, true);
}

/// Redirects uses of the others, when all files are there.
pub fn within_program(module: &Module) {
    redirect(module, false);
}

fn redirect(module: &Module, are_static: bool) {
    let keys: Vec<String> = module.functions().filter_map(|function| function.name().strip_prefix(CONTRACT).map(str::to_string)).collect();
    for key in keys {
        let of_file = key.split_once('_').filter(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
        if of_file.is_some() != are_static {
            continue;
        }
        let name = of_file.map_or(key.as_str(), |(_, name)| name);
        let (Some(contract), Some(own)) = (module.function(&format!("{CONTRACT}{key}")), module.function(name)) else { continue };
        replace(own, contract);
        if let Some(original) = module.function(&format!("{ORIGINAL}{key}")) {
            replace(original, own);
        }
    }
}

/// Whether a frame must see every write to the function's variables, because it has a loop with a contract: they stay in memory then.
pub fn keeps_variables_in_memory(function: Value) -> bool {
    if function.name().starts_with(CHECK) {
        return false;
    }
    let begins = |instruction: Value| {
        // SAFETY: asks a call of a live function.
        instruction.opcode() == Opcode::LLVMCall && Value(unsafe { LLVMGetCalledValue(instruction.0) }).name() == BEGIN
    };
    function.blocks().any(|block| block.instructions().any(begins))
}

fn replace(old: Value, new: Value) {
    // SAFETY: two functions of one module; with opaque pointers their types are the same.
    unsafe { LLVMReplaceAllUsesWith(old.0, new.0) };
}
