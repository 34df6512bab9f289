//! The C library for the analysed program: `runtime/*.c`, compiled when Fathom was built, for both data models. It joins
//! the program after the user's files, and of it only what the program mentions without defining it: everything in it
//! is linked as replaceable, so the program's own definitions win and unused ones stay out.

use crate::llvm::{Context, Module, Value};
use crate::translate::frames::ASKED;
use crate::{Options, habits, promises};
use fathom_base::FxSet;
use fathom_ir::{FAULT_HANDLING, Property};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMAddFunction, LLVMConstInt, LLVMGetFirstGlobal, LLVMGetLinkage, LLVMGetNextGlobal, LLVMIsGlobalConstant, LLVMReplaceAllUsesWith,
    LLVMSetGlobalConstant, LLVMSetInitializer, LLVMSetLinkage,
};
use std::ffi::CString;

static RUNTIME_32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime32.bc"));
static RUNTIME_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime64.bc"));

/// What the library defines, so that programs that need none of it don't pay for reading it.
const NAMES: &[&str] = &include!(concat!(env!("OUT_DIR"), "/runtime_names.rs"));

/// Functions of the library that the translation calls by itself, and the functions of the program that make it do so
/// (none: when there are files).
const COMPANIONS: &[(&str, &[&str])] = &[
    ("fathom_run_handlers", &["atexit", "__cxa_atexit", "on_exit"]),
    ("fathom_run_quick_handlers", &["at_quick_exit"]),
    ("fathom_check_string", &["printf", "__printf_chk", "fprintf", "__fprintf_chk"]),
    ("fathom_check_text", &["puts", "fputs"]),
    ("fathom_set_errno", &["__errno_location"]),
    ("fathom_printed", &["__errno_location"]),
    ("fathom_add_file", &[]),
];

/// Gives the stream that an entry other than `main` is handed; linked in where the program uses one of these.
pub const ARGUMENT_STREAM: &str = "fathom_argument_stream";
const STREAM_FUNCTIONS: [&str; 28] = [
    "fgets",
    "fgetc",
    "getc",
    "fread",
    "fscanf",
    "__isoc99_fscanf",
    "ungetc",
    "getline",
    "getdelim",
    "fputs",
    "fputc",
    "putc",
    "fwrite",
    "fprintf",
    "__fprintf_chk",
    "vfprintf",
    "fflush",
    "feof",
    "ferror",
    "clearerr",
    "fclose",
    "fseek",
    "ftell",
    "rewind",
    "fileno",
    "setvbuf",
    "fgetpos",
    "fsetpos",
];

/// Where numbers may be drawn again, the program draws from these.
const DRAWING: [&str; 2] = ["fathom_rand", "fathom_random"];

/// Allocators and their versions that may fail.
const FAILING: &[(&str, &str)] = &[
    ("malloc", "fathom_failing_malloc"),
    ("calloc", "fathom_failing_calloc"),
    ("realloc", "fathom_failing_realloc"),
    ("reallocarray", "fathom_failing_reallocarray"),
    ("aligned_alloc", "fathom_failing_aligned_alloc"),
    ("memalign", "fathom_failing_aligned_alloc"),
    ("valloc", "fathom_failing_valloc"),
    ("posix_memalign", "fathom_failing_posix_memalign"),
    ("strdup", "fathom_failing_strdup"),
    ("__strdup", "fathom_failing_strdup"),
    ("strndup", "fathom_failing_strndup"),
    ("__strndup", "fathom_failing_strndup"),
    ("asprintf", "fathom_failing_asprintf"),
    ("vasprintf", "fathom_failing_vasprintf"),
    ("getline", "fathom_failing_getline"),
    ("getdelim", "fathom_failing_getdelim"),
    ("fdopen", "fathom_failing_fdopen"),
    ("setenv", "fathom_failing_setenv"),
    ("putenv", "fathom_failing_putenv"),
    ("_ZnwmRKSt9nothrow_t", "fathom_failing_new"),
    ("_ZnwjRKSt9nothrow_t", "fathom_failing_new"),
    ("_ZnamRKSt9nothrow_t", "fathom_failing_new_array"),
    ("_ZnajRKSt9nothrow_t", "fathom_failing_new_array"),
];

/// Whether the library defines a function of this name.
pub fn defines(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The variables of a program that can change.
pub fn variables(program: &Module) -> Vec<String> {
    let changes = |global: &Value| {
        // SAFETY: asks a live variable.
        !global.is_declaration() && unsafe { LLVMIsGlobalConstant(global.0) } == 0
    };
    globals(program)
        .filter(changes)
        .map(|global| global.name())
        .filter(|name| !name.starts_with("llvm.") && !name.starts_with("fathom_"))
        .collect()
}

/// Adds what the program needs of the library, and says which functions of the module came from there.
pub fn link(context: &Context, program: &Module, options: &Options) -> FxSet<String> {
    let declared: Vec<String> = program.functions().filter(|f| f.is_declaration()).map(|f| f.name()).collect();
    let variables = globals(program).filter(|g| g.is_declaration()).map(|g| g.name());
    let needed = declared.iter().cloned().chain(variables).any(|name| defines(&name));
    let may_fail = options.malloc_may_fail && FAILING.iter().any(|(name, _)| declared.iter().any(|d| d == name));
    let has_files = options.environment.has_files();
    let none = FxSet::default();
    if !needed && !may_fail && !has_files && !options.contracts {
        return none;
    }
    let bytes = if program.layout().pointer_bits() == 32 { RUNTIME_32 } else { RUNTIME_64 };
    let Ok(library) = context.parse_bitcode(bytes) else { return none };
    let mut names = FxSet::default();
    for function in library.functions().filter(|f| !f.is_declaration()) {
        make_replaceable(function);
        let name = function.name();
        if program.function(&name).is_none_or(|f| f.is_declaration()) {
            names.insert(name);
        }
    }
    globals(&library).filter(|g| !g.is_declaration()).for_each(make_replaceable);
    for (companion, because) in COMPANIONS {
        if has_files && because.is_empty() || declared.iter().any(|name| because.contains(&name.as_str())) {
            declare_like(program, &library, companion);
        }
    }
    for (companion, signals) in FAULT_HANDLING.iter().zip([&habits::FAULTS[..], &habits::ABORT]) {
        if habits::handles(program, signals) {
            declare_like(program, &library, companion);
        }
    }
    if options.contracts {
        ASKED.iter().for_each(|name| declare_like(program, &library, name));
    }
    if options.entry != "main" && declared.iter().any(|name| STREAM_FUNCTIONS.contains(&name.as_str())) {
        declare_like(program, &library, ARGUMENT_STREAM);
    }
    if habits::may_draw_again(program) {
        DRAWING.iter().for_each(|name| declare_like(program, &library, name));
    }
    if may_fail {
        let used = FAILING.iter().filter(|(name, _)| declared.iter().any(|d| d == name));
        used.for_each(|(_, failing)| declare_like(program, &library, failing));
        replace_allocators(program);
    }
    set_flag(&library, "fathom_closed_world", has_files);
    set_flag(&library, "fathom_errno_is_read", declared.iter().any(|name| name == "__errno_location"));
    set_flag(&library, "fathom_has_keys", ["pthread_key_create", "tss_create"].iter().any(|key| declared.iter().any(|name| name == key)));
    set_flag(&library, "fathom_last_thread_ends_program", habits::last_thread_may_run_handlers(program));
    set_flag(&library, "fathom_checks_locks", options.checks.contains(&Property::Locks));
    set_flag(&library, "fathom_environment_is_walked", habits::walks_environment(program));
    set_flag(&library, "fathom_promises_are_exceeded", promises::are_exceeded(program));
    set_flag(&library, "fathom_end_is_asked_for", habits::asks_for_end(program));
    set_flag(&library, "fathom_has_float_arithmetic", habits::has_float_arithmetic(program));
    // Triples may differ in spelling only; a clash with one of the program's variables leaves the function undefined.
    program.link(library);
    context.take_diagnostics();
    names
}

fn set_flag(library: &Module, name: &str, value: bool) {
    if let Some(flag) = library.global(name) {
        // SAFETY: a number of the variable's type, in the same context.
        unsafe {
            LLVMSetInitializer(flag.0, LLVMConstInt(flag.value_type().0, value as u64, 0));
            LLVMSetGlobalConstant(flag.0, 1);
        }
    }
}

/// The variables of a module.
pub fn globals(module: &Module) -> impl Iterator<Item = Value> + use<> {
    // SAFETY: walks the list of a live module.
    let first = Value::new(unsafe { LLVMGetFirstGlobal(module.raw()) });
    std::iter::successors(first, |g| Value::new(unsafe { LLVMGetNextGlobal(g.0) }))
}

fn make_replaceable(definition: Value) {
    // SAFETY: a definition of a live module.
    unsafe {
        if LLVMGetLinkage(definition.0) == LLVMLinkage::LLVMExternalLinkage {
            LLVMSetLinkage(definition.0, LLVMLinkage::LLVMLinkOnceODRLinkage);
        }
    }
}

/// The linker brings what is declared.
fn declare_like(program: &Module, library: &Module, name: &str) {
    let (Some(model), None) = (library.function(name), program.function(name)) else { return };
    let Ok(name) = CString::new(name) else { return };
    // SAFETY: both modules live in one context, so the type is the program's too.
    unsafe { LLVMAddFunction(program.raw(), name.as_ptr(), model.value_type().0) };
}

/// The program's own calls go to the allocators that may fail; those call the others.
fn replace_allocators(program: &Module) {
    for &(name, failing) in FAILING {
        if let (Some(plain), Some(failing)) = (program.function(name), program.function(failing))
            && plain.is_declaration()
        {
            // SAFETY: two functions of one module.
            unsafe { LLVMReplaceAllUsesWith(plain.0, failing.0) };
        }
    }
}
