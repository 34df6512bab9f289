//! Sections that the linker collects. First, functions that run before and after main: those with the attributes `constructor` and `destructor`, which LLVM keeps in tables, and
//! those whose addresses a program puts into the sections that the linker makes such tables of. All of them are called with
//! what main is given. Second, symbols for the ends of sections, which are told from variables of other files: where they lie, and
//! that what is between them follows on each other, is the linker's choice.

use super::Translator;
use crate::llvm::Value;
use crate::runtime;
use llvm_sys::core::{LLVMGetInitializer, LLVMGetSection};
use std::ffi::CStr;

/// LLVM's tables.
const CONSTRUCTORS: &str = "llvm.global_ctors";
const DESTRUCTORS: &str = "llvm.global_dtors";
/// The sections; a priority may follow the name.
const FIRST: &str = ".preinit_array";
const BEFORE: &str = ".init_array";
const AFTER: &str = ".fini_array";
/// What has no priority comes last of all that runs before main, and first of what runs after it.
const NO_PRIORITY: u64 = 65535;
/// Where parts of the program begin and end.
const ENDS: [&str; 9] = ["etext", "_etext", "__etext", "edata", "_edata", "end", "_end", "__bss_start", "__executable_start"];

impl Translator<'_> {
    /// What runs before main, in order.
    pub fn constructors(&self) -> Vec<Value> {
        let mut entries = self.of_table(CONSTRUCTORS);
        entries.extend(self.of_sections(BEFORE));
        [in_order(self.of_sections(FIRST)), in_order(entries)].concat()
    }

    /// What runs after main and the handlers of `atexit`, in order.
    pub fn destructors(&self) -> Vec<Value> {
        let mut entries = self.of_table(DESTRUCTORS);
        entries.extend(self.of_sections(AFTER));
        let mut functions = in_order(entries);
        functions.reverse();
        functions
    }

    /// The functions of a table of `{ priority, function, data }`.
    fn of_table(&self, table: &str) -> Vec<(u64, Value)> {
        // SAFETY: asks a live variable.
        let initial = self.module.global(table).and_then(|t| Value::new(unsafe { LLVMGetInitializer(t.0) }));
        let entries = initial.map(|initial| initial.operands()).into_iter().flatten();
        entries
            .filter(|entry| entry.operand_count() >= 2)
            .filter_map(|entry| Some((entry.operand(0).as_constant_int()?, entry.operand(1).as_function()?)))
            .collect()
    }

    /// The functions whose addresses are in variables of a section.
    fn of_sections(&self, section: &str) -> Vec<(u64, Value)> {
        let mut entries = Vec::new();
        for global in runtime::globals(self.module) {
            let Some(rest) = section_of(&global).strip_prefix(section) else { continue };
            let priority = rest.strip_prefix('.').and_then(|digits| digits.parse().ok());
            if !rest.is_empty() && priority.is_none() {
                continue;
            }
            // SAFETY: asks a live variable.
            let Some(initial) = Value::new(unsafe { LLVMGetInitializer(global.0) }) else { continue };
            let parts = if initial.as_function().is_some() { vec![initial] } else { initial.operands().collect() };
            entries.extend(parts.into_iter().filter_map(|part| Some((priority.unwrap_or(NO_PRIORITY), part.as_function()?))));
        }
        entries
    }

    /// Whether a name is the linker's for an end of the program's parts, or of a section that the program fills.
    pub fn is_defined_by_linker(&self, value: Value) -> bool {
        let Some(global) = value.as_global().filter(|global| global.is_declaration()) else { return false };
        let name = global.name();
        let ty = global.value_type();
        if ENDS.contains(&name.as_str()) {
            return !ty.is_sized() || self.layout.alloc_size(ty) <= 1;
        }
        let section = name.strip_prefix("__start_").or_else(|| name.strip_prefix("__stop_"));
        section.is_some_and(|section| runtime::globals(self.module).any(|global| section_of(&global) == section))
    }
}

/// The section that a variable asks for, or nothing.
fn section_of(global: &Value) -> &str {
    // SAFETY: asks a live variable; the name belongs to the module.
    let name = unsafe { LLVMGetSection(global.0) };
    // SAFETY: as above.
    if name.is_null() { "" } else { unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default() }
}

fn in_order(mut entries: Vec<(u64, Value)>) -> Vec<Value> {
    entries.sort_by_key(|(priority, _)| *priority);
    entries.into_iter().map(|(_, function)| function).collect()
}
