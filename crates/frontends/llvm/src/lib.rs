//! C to `Program`: clang 19 compiles each file to LLVM bitcode, LLVM's linker makes one module of them, `mem2reg` puts
//! it into SSA form, and `translate` writes it as Fathom's intermediate representation. Everything that C leaves
//! undefined (overflow, division, shifts, indices) becomes an `assert` with its property, as clang's sanitizer says.

mod clang;
mod constness;
mod dialect;
mod error;
mod expressions;
mod folded;
mod habits;
mod implicit;
mod inline;
mod link;
mod llvm;
mod mangled;
mod metadata;
mod passes;
mod promises;
mod redirect;
mod runtime;
mod sanitizer;
mod scopes;
mod self_contained;
mod skeleton;
mod survey;
mod syntax;
mod translate;
mod uses;

pub use error::FrontendError;
use fathom_base::{NativeParts, Units};
use fathom_ir::{MemoryModel, Program, Property};
use fathom_term::TermStore;
pub use self_contained::{SelfContained, self_contained};
pub use skeleton::harness;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
pub use survey::{Definition, Survey, survey};
pub use syntax::has_libclang;
pub use translate::Counter;

/// Sizes of C's types on the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum DataModel {
    /// int, long and pointers have 32 bits.
    Ilp32,
    /// long and pointers have 64 bits.
    #[default]
    Lp64,
}

/// How sources are compiled and translated.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of types where sources do not fix them.
    pub model: DataModel,
    /// Passed on to clang: `-I`, `-D`, `-std=` and so on.
    pub clang_args: Vec<String>,
    /// The function where execution starts.
    pub entry: String,
    /// Reads of volatile objects give arbitrary values.
    pub volatile_arbitrary: bool,
    /// How stores of threads become visible to others.
    pub memory_model: MemoryModel,
    /// Files with flags of their own.
    pub units: Units,
    /// malloc, calloc and realloc give null or an object.
    pub malloc_may_fail: bool,
    /// What the program is started with.
    pub environment: Environment,
    /// A function without a body may write to what its arguments point to, unless that is const.
    pub undefined_writes: bool,
    /// Pointer arguments of an entry other than main may be null.
    pub entry_null: bool,
    /// They, and the pointers in their objects, may lead to one object.
    pub entry_alias: bool,
    /// So many elements are where a pointer to a number or to text leads.
    pub entry_elements: u64,
    /// Functions with a contract are checked and stand for themselves by it; loops with a contract are cut.
    pub contracts: bool,
    /// Compile as the builds of tests are compiled: for coverage, telling where clang's profile counts, so that conditions
    /// that are only computed with (`x = a && b`, `c ? 1 : 2`) become branches; and with uninitialised memory
    /// set to zero, because no test can set it otherwise.
    pub for_tests: bool,
    /// What the user asks about, so that clang writes the checks that only some want.
    pub checks: BTreeSet<Property>,
}

/// What the program finds when it starts: its arguments and files.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The command line.
    pub arguments: Arguments,
    /// Standard input has exactly this many arbitrary bytes; without this and without files it is endless and arbitrary.
    pub stdin: Option<u64>,
    /// Files that exist, with exactly this many arbitrary bytes each.
    pub files: Vec<(String, u64)>,
}

impl Environment {
    /// Whether only the files that are named here exist.
    pub fn has_files(&self) -> bool {
        self.stdin.is_some() || !self.files.is_empty()
    }
}

/// The arguments of main after the program's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Arguments {
    /// Any number of arbitrary texts.
    #[default]
    Any,
    /// Exactly these, without the program's name.
    Given(Vec<String>),
    /// Groups of texts, one behind the other.
    Symbolic(Vec<SymbolicTexts>),
}

/// From `least` to `most` texts of at most `length` characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SymbolicTexts {
    /// The smallest number of texts.
    pub least: u32,
    /// The largest number of texts.
    pub most: u32,
    /// The largest number of characters of each.
    pub length: u32,
}

/// So many elements are where a pointer to a number or to text leads, unless somebody asks for others.
pub const ENTRY_ELEMENTS: u64 = 16;

impl Default for Options {
    fn default() -> Self {
        Self {
            model: DataModel::Lp64,
            clang_args: Vec::new(),
            entry: "main".to_string(),
            volatile_arbitrary: false,
            memory_model: MemoryModel::default(),
            malloc_may_fail: false,
            environment: Environment::default(),
            units: Units::new(),
            undefined_writes: true,
            entry_null: false,
            entry_alias: false,
            entry_elements: ENTRY_ELEMENTS,
            contracts: false,
            for_tests: false,
            checks: BTreeSet::new(),
        }
    }
}

/// A program that was read, with what else the files say.
pub struct Loaded {
    /// The program itself.
    pub program: Program,
    /// clang's diagnostics, as text.
    pub warnings: Vec<String>,
    /// Where clang's profile counts, if that was asked for.
    pub counters: Vec<Counter>,
    /// What native runs of it need.
    pub native: NativeParts,
}

/// Reads C sources (`.c`, `.i`), bitcode (`.bc`) and LLVM assembly (`.ll`) as one program.
pub fn load(files: &[PathBuf], options: &Options, store: Rc<TermStore>) -> Result<Loaded, FrontendError> {
    let _phase = tracing::info_span!("read", language = "C").entered();
    let context = llvm::Context::new();
    if (options.contracts || dialect::is_spoken(files))
        && let Some(loaded) = load_dialect(&context, files, options, &store)?
    {
        return Ok(loaded);
    }
    let (module, warnings) = link::read_program(&context, files, options)?;
    if dialect::is_called(&module)
        && let Some(loaded) = load_dialect(&context, files, options, &store)?
    {
        return Ok(loaded);
    }
    load_module(&context, (module, warnings), files, options, store)
}

/// A program in CBMC's or ESBMC's dialect, as plain C.
fn load_dialect(
    context: &llvm::Context,
    files: &[PathBuf],
    options: &Options,
    store: &Rc<TermStore>,
) -> Result<Option<Loaded>, FrontendError> {
    let Some(rewritten) = dialect::Rewritten::of(files, options)? else { return Ok(None) };
    let read = link::read_program(context, &rewritten.files, &rewritten.options).map_err(|error| rewritten.named(error))?;
    load_module(context, read, &rewritten.files, &rewritten.options, store.clone()).map(Some)
}

/// Completes what was compiled, compiling anew where that needs other flags, and translates it.
fn load_module(
    context: &llvm::Context,
    (mut module, mut warnings): (llvm::Module, Vec<String>),
    files: &[PathBuf],
    options: &Options,
    store: Rc<TermStore>,
) -> Result<Loaded, FrontendError> {
    let mut options = options.clone();
    if find_entry(&module, &options.entry).is_err() {
        // A static function without a call is left out otherwise.
        options.clang_args.push("-femit-all-decls".into());
        (module, warnings) = link::read_program(context, files, &options)?;
    }
    let options = &options;
    if translate::changes_rounding(&module) {
        let mut careful = options.clone();
        careful.clang_args.push("-frounding-math".into());
        (module, warnings) = link::read_program(context, files, &careful)?;
    }
    let mut prelude = None;
    if let Some(prototypes) = implicit::prototypes(&module, files, options)
        && let Some((declared, found)) = read_declared(context, files, options, &prototypes)
    {
        (module, warnings) = (declared, found);
        prelude = Some(prototypes);
    }
    find_entry(&module, &options.entry)?;
    let variables = runtime::variables(&module);
    let library = runtime::link(context, &module, options);
    passes::prepare(context, &module, options)?;
    let entry = find_entry(&module, &options.entry)?;
    let constness = constness::read(files, options, &undefined_with_pointers(&module, options));
    let sources = translate::Sources { library, variables, constness };
    let translate::Translation { program, counters, mut native } = translate::translate(context, &module, entry, sources, options, store);
    native.prelude = prelude;
    Ok(Loaded { program, warnings, counters, native })
}

/// The program with these declarations in front of each file; None if they contradict its own.
fn read_declared(context: &llvm::Context, files: &[PathBuf], options: &Options, prototypes: &str) -> Option<(llvm::Module, Vec<String>)> {
    let directory = tempfile::tempdir().ok()?;
    let header = directory.path().join("declared.h");
    std::fs::write(&header, prototypes).ok()?;
    let mut declared = options.clone();
    declared.clang_args.extend(["-include".to_string(), header.display().to_string()]);
    if translate::changes_rounding(&link::read_program(context, files, &declared).ok()?.0) {
        declared.clang_args.push("-frounding-math".into());
    }
    link::read_program(context, files, &declared).ok()
}

fn find_entry(module: &llvm::Module, entry: &str) -> Result<llvm::Value, FrontendError> {
    if let Some(found) = module.function(entry).filter(|f| !f.is_declaration()) {
        return Ok(found);
    }
    Err(nearest_entry(entry, module.functions().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()))
}

/// There is no such function; which of those that there are may be meant.
fn nearest_entry(entry: &str, defined: Vec<String>) -> FrontendError {
    let suggestion = fathom_base::nearest(entry, defined.iter().map(String::as_str)).map(str::to_string);
    FrontendError::NoEntry { entry: entry.to_string(), defined, suggestion }
}

/// Functions that have no body and are called with pointers.
fn undefined_with_pointers(module: &llvm::Module, options: &Options) -> fathom_base::FxSet<String> {
    if !options.undefined_writes {
        return Default::default();
    }
    let takes_pointer = |f: &llvm::Value| f.value_type().is_variadic() || f.value_type().params().iter().any(|p| p.is_pointer());
    let undefined = module.functions().filter(|f| f.is_declaration() && f.has_uses() && takes_pointer(f));
    undefined.map(|f| f.name()).filter(|name| !translate::is_known_by_name(name)).collect()
}
