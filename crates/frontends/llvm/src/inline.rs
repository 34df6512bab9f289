//! Inline functions without an external definition. Where every declaration of a file says `inline` and none `extern`, C99
//! has the file only offer a body for use in place (C17 6.7.4p7), which clang leaves out at `-O0`; another file should
//! define the function. Header files are full of such functions that nobody defines, because optimising compilers get along
//! with the body. So does Fathom: the file is compiled again with declarations that ask for a definition, which yields to
//! one of another file. A function of GNU's older kind (`gnu_inline`) asks with a declaration that is not `extern`.

#![allow(non_upper_case_globals, reason = "constants of libclang in patterns")]

use crate::Options;
use crate::clang;
use crate::dialect::without_preprocessor;
use crate::error::FrontendError;
use crate::llvm::Module;
use crate::runtime;
use crate::syntax::{Unit, kind, mangled};
use crate::translate;
use clang_sys::*;
use fathom_base::{FxSet, UnitFlags};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::LLVMSetLinkage;
use std::path::Path;

/// Functions that a module uses and the source defines as `inline`, without a body in the module.
pub fn without_body(module: &Module, path: &Path, options: &Options) -> Result<Vec<String>, FrontendError> {
    let used = module.functions().filter(|f| f.is_declaration() && f.has_uses()).map(|f| f.name());
    let missing: FxSet<String> = used.filter(|name| !translate::is_meant_by_name(name) && !runtime::defines(name)).collect();
    if missing.is_empty() || fathom_clang::is_cpp(path) {
        return Ok(Vec::new());
    }
    offered(path, options, &missing)
}

/// Which of these functions a file defines as inline.
fn offered(path: &Path, options: &Options, names: &FxSet<String>) -> Result<Vec<String>, FrontendError> {
    let unit = Unit::parse(path, options)?;
    let is_offered = |cursor: &CXCursor| {
        // SAFETY: asks about cursors of a live tree.
        kind(*cursor) == CXCursor_FunctionDecl
            && unsafe { clang_isCursorDefinition(*cursor) != 0 && clang_Cursor_isFunctionInlined(*cursor) != 0 }
    };
    let offered = unit.declarations().into_iter().filter(is_offered).map(mangled);
    Ok(offered.filter(|name| names.contains(name)).collect())
}

/// The bitcode of a file in which these functions have their bodies, some of them of GNU's kind; None if there are none or a
/// declaration is refused.
pub fn compile(path: &Path, options: &Options, names: &[String], of_gnu: &[String]) -> Option<Vec<u8>> {
    if names.is_empty() {
        return None;
    }
    let directory = tempfile::tempdir().ok()?;
    let mut text = clang::preprocess(path, options).ok()?;
    for name in names {
        let declaration = match of_gnu.contains(name) {
            true => format!("\n__inline __attribute__((gnu_inline)) __typeof__({name}) {name};"),
            false => format!("\nextern __typeof__({name}) {name};"),
        };
        text.push_str(&declaration);
    }
    text.push('\n');
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let complete = directory.path().join(format!("{stem}.i"));
    std::fs::write(&complete, text).ok()?;
    let mut options = options.clone();
    options.clang_args = without_preprocessor(&options.clang_args);
    if let Some(unit) = options.units.get(path) {
        let unit = UnitFlags { args: without_preprocessor(&unit.args), directory: unit.directory.clone() };
        options.units.insert(complete.clone(), unit);
    }
    clang::compile(&complete, &options, &[]).ok().map(|compiled| compiled.bitcode)
}

/// Lets definitions of other files take the place of these; gives the functions that still have no body.
pub fn make_replaceable(module: &Module, names: &[String]) -> Vec<String> {
    let (defined, missing): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| module.function(name).is_some_and(|function| !function.is_declaration()));
    for function in defined.into_iter().filter_map(|name| module.function(name)) {
        // SAFETY: a definition of a live module.
        unsafe { LLVMSetLinkage(function.0, LLVMLinkage::LLVMLinkOnceODRLinkage) };
    }
    missing.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_inline_functions() {
        let text = "inline int f(int x) { return x; } extern __inline __attribute__((gnu_inline)) int h(int (*c)(int)) { return c(1); }\n\
                    int g(int); static inline int s(void) { return 1; } int main(void) { return f(1) + h(g) + s(); }\n";
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("inline.c");
        std::fs::write(&file, text).unwrap();
        let context = crate::llvm::Context::new();
        let (module, _) = crate::link::read_program(&context, std::slice::from_ref(&file), &Options::default()).unwrap();
        assert!(module.function("f").is_some_and(|f| !f.is_declaration()));
        let wanted = ["f", "g", "h"].map(String::from).into_iter().collect();
        assert_eq!(offered(&file, &Options::default(), &wanted).unwrap(), ["f", "h"]);
    }
}
