//! From an LLVM module to a `Program`. Only what can be reached from the entry is translated: a function or global is
//! queued when something first mentions it. LLVM values become terms; aggregates in registers are flattened into one
//! term per scalar (`types`), instructions become statements (`instruction` and its siblings), calls of functions that
//! Fathom knows become their meaning (`library`, `intrinsics`, `mathematics`).

mod address;
mod arguments;
mod arithmetic;
mod asm;
mod body;
mod callbacks;
mod calls;
mod checks;
mod constant;
mod counters;
mod debug;
mod debug_types;
mod entry;
mod faults;
mod floats;
pub(crate) mod frames;
mod function;
mod globals;
mod harness;
mod harness_c;
mod inputs;
mod instruction;
mod intrinsics;
mod jumps;
mod lengths;
mod library;
mod mathematics;
mod memory;
mod nan;
mod print;
mod rounding;
mod runtime;
mod scanf;
mod stand_in;
mod standing;
mod structors;
mod threads;
mod type_alignment;
mod types;
mod uninterpreted;
mod varargs;
mod vectors;

use crate::Options;
use crate::constness::Constness;
use crate::llvm::{BasicBlock, Context, Layout, Module, Value};
pub use counters::Counter;
use debug::Locations;
use fathom_base::{FxMap, FxSet, Loc, NativeParts};
use fathom_ir::{Assumption, DataLayout, MemoryObject, ObjectId, ProcId, Procedure, Program, Variable};
use fathom_term::{Sort, Term, TermStore, VarId};
pub use inputs::nondet_type;
pub use jumps::returns_twice;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::{LLVMGetAlignment, LLVMGetLinkage};
pub use rounding::changes_rounding;
use std::rc::Rc;

/// Symbols of the C library that the translation gives a meaning, so that they are there even where they are weak.
const ALWAYS_THERE: [&str; 16] = [
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "reach_error",
    "printf",
    "fprintf",
    "aligned_alloc",
    "memalign",
    "environ",
    "stdin",
    "stdout",
    "stderr",
    "__errno_location",
    "__dso_handle",
];

/// Why something could not be translated; becomes an `Unsupported` statement at its place.
#[derive(Debug)]
pub struct Unsupported(pub String);

pub type Translated<T> = Result<T, Unsupported>;

pub fn unsupported<T>(what: impl Into<String>) -> Translated<T> {
    Err(Unsupported(what.into()))
}

/// Functions with pointer parameters that the translation surely knows, so that their prototypes are not needed.
pub fn is_known_by_name(name: &str) -> bool {
    const PREFIXES: [&str; 6] = ["llvm.", "__VERIFIER", "fathom_", "klee_", "pthread_", crate::sanitizer::HANDLER];
    const NAMES: [&str; 9] = ["malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "__assert_fail", "posix_memalign"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Functions that need no definition in the program.
pub fn is_meant_by_name(name: &str) -> bool {
    is_known_by_name(name) || ALWAYS_THERE.contains(&name) || nondet_type(name).is_some()
}

/// What is known of the module's functions beside the module.
pub struct Sources {
    /// Functions that are Fathom's own C library.
    pub library: FxSet<String>,
    /// The program's own variables that can change.
    pub variables: Vec<String>,
    pub constness: Constness,
}

/// The program, and what native runs of it need.
pub struct Translation {
    pub program: Program,
    pub counters: Vec<Counter>,
    pub native: NativeParts,
}

/// The program while it grows.
pub struct Translator<'m> {
    context: &'m Context,
    module: &'m Module,
    layout: Layout,
    pointer_bits: u32,
    options: &'m Options,
    sources: Sources,
    terms: Rc<TermStore>,
    locations: Locations,
    procedures: Vec<Procedure>,
    procedure_ids: FxMap<Value, ProcId>,
    procedure_addresses: FxMap<VarId, ProcId>,
    /// Functions that were mentioned and have no body yet.
    pending: Vec<(Value, ProcId)>,
    objects: Vec<MemoryObject>,
    object_ids: FxMap<Value, ObjectId>,
    object_addresses: FxMap<VarId, ObjectId>,
    pending_objects: Vec<(Value, ObjectId)>,
    labels: FxMap<BasicBlock, u64>,
    /// The variable that holds the rounding mode, if the program may change it.
    rounding_mode: Option<Term>,
    open_nans: nan::OpenNans,
    has_threads: bool,
    jumping: jumps::Jumping,
    assumptions: Vec<Assumption>,
    counters: Vec<Counter>,
    native: NativeParts,
    types: debug_types::DebugTypes,
}

pub fn translate(
    context: &Context,
    module: &Module,
    entry: Value,
    sources: Sources,
    options: &Options,
    terms: Rc<TermStore>,
) -> Translation {
    let layout = module.layout();
    let rounding_mode = rounding::rounding_variable(module, &terms);
    let mut translator = Translator {
        context,
        module,
        layout,
        pointer_bits: layout.pointer_bits(),
        options,
        sources,
        terms,
        locations: Locations::default(),
        procedures: Vec::new(),
        procedure_ids: FxMap::default(),
        procedure_addresses: FxMap::default(),
        pending: Vec::new(),
        objects: Vec::new(),
        object_ids: FxMap::default(),
        object_addresses: FxMap::default(),
        pending_objects: Vec::new(),
        labels: FxMap::default(),
        rounding_mode,
        open_nans: nan::OpenNans::default(),
        has_threads: threads::has_threads(module),
        jumping: jumps::Jumping::of(module),
        assumptions: Vec::new(),
        counters: Vec::new(),
        native: NativeParts { malloc_may_fail: options.malloc_may_fail, ..NativeParts::default() },
        types: debug_types::DebugTypes::default(),
    };
    if options.for_tests {
        translator.assume_for_ledger(Assumption::UninitialisedIsZero);
    }
    let is_main = entry.name() == "main";
    let entry_name = entry.name();
    let entry = translator.start(entry);
    translator.translate_pending();
    // The library's own variables have no place in a source.
    if !is_main && entry_name != crate::dialect::ENTRY && translator.objects.iter().any(|object| !object.read_only && object.loc.is_known())
    {
        translator.assume_for_ledger(Assumption::InitialGlobals { function: entry_name });
    }
    let debug = Rc::new(translator.take_debug_info());
    let mut globals = translator.open_nans.take_globals();
    let mut axioms = Vec::new();
    if let Some(mode) = translator.rounding_mode {
        let id = translator.terms.as_var(mode).expect("a fresh term is a variable");
        globals.push(Variable { id, name: "rounding mode".to_string(), sort: Sort::RoundingMode });
        axioms.push(translator.terms.eq(mode, translator.nearest_even()));
    }
    let program = Program {
        terms: translator.terms,
        files: translator.locations.files,
        layout: DataLayout { pointer_bits: translator.pointer_bits },
        globals,
        objects: translator.objects,
        procedures: translator.procedures,
        object_addresses: translator.object_addresses,
        procedure_addresses: translator.procedure_addresses,
        axioms,
        entry,
        assumptions: translator.assumptions,
        debug,
        memory_model: options.memory_model,
        names_variables: module.names_variables(),
    };
    Translation { program, counters: translator.counters, native: translator.native }
}

impl Translator<'_> {
    fn translate_pending(&mut self) {
        loop {
            if let Some((function, id)) = self.pending.pop() {
                self.translate_function(function, id);
            } else if let Some((global, id)) = self.pending_objects.pop() {
                self.translate_initializer(global, id);
            } else {
                return;
            }
        }
    }

    /// The procedure of a function; its body is translated later.
    fn procedure_of(&mut self, function: Value) -> ProcId {
        if let Some(&id) = self.procedure_ids.get(&function) {
            return id;
        }
        let id = self.add_procedure(Procedure {
            name: function.name(),
            params: Vec::new(),
            results: Vec::new(),
            variadic: None,
            locals: Vec::new(),
            body: None,
            loc: Loc::UNKNOWN,
            address: None,
            // Code may begin at any byte unless its definition says otherwise, as that of a C++ member function does.
            align: (unsafe { LLVMGetAlignment(function.0) } as u64).max(1),
        });
        self.procedure_ids.insert(function, id);
        self.pending.push((function, id));
        id
    }

    fn add_procedure(&mut self, procedure: Procedure) -> ProcId {
        self.procedures.push(procedure);
        ProcId(self.procedures.len() as u32 - 1)
    }

    /// The term that stands for a function's address.
    fn address_of_function(&mut self, function: Value) -> Term {
        if self.is_missing(function) {
            return self.terms.bv(0, self.pointer_bits);
        }
        let id = self.procedure_of(function);
        if let Some(address) = self.procedures[id.0 as usize].address {
            return address;
        }
        let address = self.terms.fresh(&format!("&{}", function.name()), self.pointer_sort());
        self.procedures[id.0 as usize].address = Some(address);
        if let Some(var) = self.terms.as_var(address) {
            self.procedure_addresses.insert(var, id);
        }
        address
    }

    /// Whether it is a weak symbol that nothing defines: its address is null then.
    fn is_missing(&self, symbol: Value) -> bool {
        // SAFETY: asks a live function or variable.
        let is_weak = matches!(unsafe { LLVMGetLinkage(symbol.0) }, LLVMLinkage::LLVMExternalWeakLinkage);
        is_weak && symbol.is_declaration() && !is_known_by_name(&symbol.name()) && !ALWAYS_THERE.contains(&symbol.name().as_str())
    }

    /// Whether the source says what a symbol is, but not in C.
    fn is_defined_in_assembly(&self, symbol: Value) -> bool {
        let assembly = self.module.assembly();
        if assembly.is_empty() || symbol.as_function().is_none() && symbol.as_global().is_none() || !symbol.is_declaration() {
            return false;
        }
        let name = symbol.name();
        asm::definitions(assembly).any(|defined| defined == name)
    }

    /// The number that stands for a label's address. Labels are only compared and jumped to.
    fn label_number(&mut self, label: BasicBlock) -> Term {
        let next = self.labels.len() as u64 + 1;
        let number = *self.labels.entry(label).or_insert(next);
        self.terms.bv(number, self.pointer_bits)
    }

    fn pointer_sort(&self) -> Sort {
        Sort::Bv(self.pointer_bits)
    }

    /// Notes something for the ledger, once.
    fn assume_for_ledger(&mut self, what: Assumption) {
        if !self.assumptions.contains(&what) {
            self.assumptions.push(what);
        }
    }
}
