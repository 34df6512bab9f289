//! Functions of verifiers that a C++ program declares without `extern "C"`. Their names are mangled then, and they mean the same.

use crate::llvm::Module;
use crate::translate::nondet_type;
use fathom_ir::Control;
use llvm_sys::core::LLVMSetValueName2;

/// Gives such functions the names that they have in C.
pub fn restore(module: &Module) {
    for function in module.functions() {
        let mangled = function.name();
        let Some(name) = plain(&mangled).filter(|name| module.function(name).is_none()) else { continue };
        if Control::of_function(name).is_some() || nondet_type(name).is_some() {
            // SAFETY: copies the name of a live function.
            unsafe { LLVMSetValueName2(function.0, name.as_ptr().cast(), name.len()) };
        }
    }
}

/// The name of a function outside of namespaces and classes: `_Z`, its length, itself, and its parameters' types.
fn plain(mangled: &str) -> Option<&str> {
    let rest = mangled.strip_prefix("_Z")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[digits..].get(..rest[..digits].parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_namespaces() {
        assert_eq!(plain("_Z11reach_errorv"), Some("reach_error"));
        assert_eq!(plain("_Z21__VERIFIER_nondet_intv"), Some("__VERIFIER_nondet_int"));
        assert_eq!(plain("_ZN1A11reach_errorEv"), None);
        assert_eq!(plain("reach_error"), None);
    }
}
