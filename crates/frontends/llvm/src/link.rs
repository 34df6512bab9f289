//! From files to one LLVM module: reads each file by its kind, checks it, and links the modules with LLVM's linker.

use crate::clang;
use crate::error::FrontendError;
use crate::expressions;
use crate::folded::Folded;
use crate::inline;
use crate::llvm::{Context, Module, Value};
use crate::mangled;
use crate::redirect;
use crate::sanitizer;
use crate::{DataModel, Options};
use llvm_sys::LLVMLinkage;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::LLVMGetLinkage;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All files as one module, and what clang warned about.
pub fn read_program(context: &Context, files: &[PathBuf], options: &Options) -> Result<(Module, Vec<String>), FrontendError> {
    let mut warnings = Vec::new();
    let mut whole: Option<Module> = None;
    let mut definers: BTreeMap<String, &Path> = BTreeMap::new();
    let mut early: Vec<(&Path, Vec<Folded>)> = Vec::new();
    for path in files {
        let (module, folded) = read_file(context, path, options, &mut warnings)?;
        early.push((path.as_path(), folded));
        redirect::within_file(&module);
        if module.is_big_endian() {
            return Err(FrontendError::BigEndian { path: path.clone() });
        }
        for name in strong_definitions(&module) {
            if let Some(first) = definers.insert(name.clone(), path) {
                return Err(FrontendError::DefinedTwice { name, first: first.to_path_buf(), second: path.clone() });
            }
        }
        match &whole {
            None => whole = Some(module),
            Some(first) => link_file(context, first, module, path)?,
        }
    }
    let whole = whole.ok_or(FrontendError::NoInput)?;
    redirect::within_program(&whole);
    if let Some(entry) = whole.function(&options.entry).filter(|function| !function.is_declaration()) {
        early.iter().for_each(|(path, folded)| expressions::check_first(context, &whole, entry, path, folded));
    }
    Ok((whole, warnings))
}

/// Functions and variables that no other file may define.
fn strong_definitions(module: &Module) -> Vec<String> {
    let is_strong = |value: &Value| {
        let linkage = unsafe { LLVMGetLinkage(value.0) };
        matches!(linkage, LLVMLinkage::LLVMExternalLinkage) && !value.is_declaration()
    };
    module.functions().chain(module.globals()).filter(is_strong).map(|value| value.name()).collect()
}

fn link_file(context: &Context, whole: &Module, module: Module, path: &Path) -> Result<(), FrontendError> {
    let (expected, found) = (whole.layout().pointer_bits(), module.layout().pointer_bits());
    if expected != found {
        return Err(FrontendError::MixedModels { path: path.to_path_buf(), found, expected });
    }
    context.take_diagnostics();
    if !whole.link(module) {
        let reason = context.take_diagnostics().join("; ");
        return Err(FrontendError::LinkError { path: path.to_path_buf(), reason });
    }
    Ok(())
}

/// A module and what is undefined in its constants, as `expressions::complete` has it.
type Read = (Module, Vec<Folded>);

fn read_file(context: &Context, path: &Path, options: &Options, warnings: &mut Vec<String>) -> Result<Read, FrontendError> {
    check_readable(path)?;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "c" | "i" | "cc" | "cpp" | "cxx" | "ii" => read_source(context, path, options, warnings),
        "bc" => Ok((read_bitcode(context, path, options, warnings)?, Vec::new())),
        "ll" => {
            let module = context
                .parse_assembly(&read_bytes(path)?)
                .map_err(|reason| FrontendError::BadAssembly { path: path.to_path_buf(), reason })?;
            check_module(&module, path, options, warnings)?;
            Ok((module, Vec::new()))
        }
        _ => Err(FrontendError::UnsupportedKind(path.to_path_buf())),
    }
}

fn check_readable(path: &Path) -> Result<(), FrontendError> {
    let found = fs::metadata(path).map_err(|reason| match reason.kind() {
        std::io::ErrorKind::NotFound => FrontendError::MissingFile(path.to_path_buf()),
        _ => FrontendError::Unreadable { path: path.to_path_buf(), reason },
    })?;
    if found.is_dir() {
        return Err(FrontendError::IsDirectory(path.to_path_buf()));
    }
    if found.is_file() && found.len() == 0 {
        return Err(FrontendError::EmptyFile(path.to_path_buf()));
    }
    Ok(())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FrontendError> {
    fs::read(path).map_err(|reason| FrontendError::Unreadable { path: path.to_path_buf(), reason })
}

fn read_source(context: &Context, path: &Path, options: &Options, warnings: &mut Vec<String>) -> Result<Read, FrontendError> {
    let compiled = clang::compile(path, options, &[])?;
    let parse = |bitcode: &[u8]| {
        let module = context.parse_bitcode(bitcode).map_err(|reason| bitcode_error(path, reason))?;
        sanitizer::straighten(context, &module, fathom_clang::is_cpp(path));
        let early = expressions::complete(context, &module, path, options)?;
        Ok::<Read, FrontendError>((module, early))
    };
    let mut read = parse(&compiled.bitcode)?;
    let (mut offered, mut of_gnu): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut asked = (0, 0);
    // What gets a body may use others that have none yet.
    loop {
        let more = inline::without_body(&read.0, path, options)?;
        add_new(&mut offered, more);
        if asked == (offered.len(), of_gnu.len()) {
            break;
        }
        asked = (offered.len(), of_gnu.len());
        let Some(bitcode) = inline::compile(path, options, &offered, &of_gnu) else { break };
        read = parse(&bitcode)?;
        add_new(&mut of_gnu, inline::make_replaceable(&read.0, &offered));
    }
    if fathom_clang::is_cpp(path) {
        mangled::restore(&read.0);
    }
    if !compiled.warnings.trim().is_empty() {
        warnings.push(compiled.warnings);
    }
    Ok(read)
}

fn add_new(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

fn read_bitcode(context: &Context, path: &Path, options: &Options, warnings: &mut Vec<String>) -> Result<Module, FrontendError> {
    let bytes = read_bytes(path)?;
    let module = context.parse_bitcode(&bytes).map_err(|reason| bitcode_error(path, reason))?;
    check_module(&module, path, options, warnings)?;
    Ok(module)
}

/// LLVM names the writer in the message when that was another version.
fn bitcode_error(path: &Path, reason: String) -> FrontendError {
    let path = path.to_path_buf();
    let other_version = reason.contains("Producer:") && !reason.contains("Producer: 'LLVM19");
    if other_version || reason.contains("Unknown attribute kind") || reason.contains("Incompatible epoch") {
        FrontendError::OtherLlvmVersion { path, reason }
    } else {
        FrontendError::TruncatedBitcode { path, reason }
    }
}

/// Modules that we did not compile are checked before we believe them.
fn check_module(module: &Module, path: &Path, options: &Options, warnings: &mut Vec<String>) -> Result<(), FrontendError> {
    let mut message = std::ptr::null_mut();
    let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
    let broken = unsafe { LLVMVerifyModule(module.raw(), action, &mut message) } != 0;
    let reason = crate::llvm::take_message(message);
    if broken {
        return Err(FrontendError::BadModule { path: path.to_path_buf(), reason });
    }
    let expected = match options.model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    let found = module.layout().pointer_bits();
    if found != expected {
        warnings.push(format!("{}: compiled for {found}-bit pointers; that is used", path.display()));
    }
    Ok(())
}
