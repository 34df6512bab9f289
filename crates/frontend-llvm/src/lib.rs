//! C to `Program`: clang 19 compiles each file to LLVM bitcode, LLVM's linker makes one module of them, `mem2reg` puts
//! it into SSA form, and `translate` writes it as Fathom's intermediate representation. Everything that C leaves
//! undefined and that is visible here (overflow, division, shifts) becomes an `assert` with its property.

mod clang;
mod constant_overflow;
mod error;
mod link;
mod llvm;
mod metadata;
mod passes;
mod translate;

pub use error::FrontendError;
use fathom_ir::Program;
use fathom_term::TermStore;
use std::path::PathBuf;
use std::rc::Rc;

/// Sizes of C's types on the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum DataModel {
    /// int, long and pointers have 32 bits.
    Ilp32,
    /// long and pointers have 64 bits.
    #[default]
    Lp64,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// Passed on to clang: `-I`, `-D`, `-std=` and so on.
    pub clang_args: Vec<String>,
    /// The function where execution starts.
    pub entry: String,
    /// Reads of volatile objects give arbitrary values.
    pub volatile_arbitrary: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { model: DataModel::Lp64, clang_args: Vec::new(), entry: "main".to_string(), volatile_arbitrary: false }
    }
}

pub struct Loaded {
    pub program: Program,
    /// clang's diagnostics, as text.
    pub warnings: Vec<String>,
}

/// Reads C sources (`.c`, `.i`), bitcode (`.bc`) and LLVM assembly (`.ll`) as one program.
pub fn load(files: &[PathBuf], options: &Options, store: Rc<TermStore>) -> Result<Loaded, FrontendError> {
    let context = llvm::Context::new();
    let (mut module, mut warnings) = link::read_program(&context, files, options)?;
    if translate::changes_rounding(&module) {
        let mut careful = options.clone();
        careful.clang_args.push("-frounding-math".into());
        (module, warnings) = link::read_program(&context, files, &careful)?;
    }
    find_entry(&module, &options.entry)?;
    passes::prepare(&context, &module)?;
    let entry = find_entry(&module, &options.entry)?;
    let mut program = translate::translate(&context, &module, entry, options, store);
    constant_overflow::mark(&mut program, &warnings);
    Ok(Loaded { program, warnings })
}

fn find_entry(module: &llvm::Module, entry: &str) -> Result<llvm::Value, FrontendError> {
    if let Some(found) = module.function(entry).filter(|f| !f.is_declaration()) {
        return Ok(found);
    }
    let defined: Vec<String> = module.functions().filter(|f| !f.is_declaration()).map(|f| f.name()).collect();
    let suggestion = error::nearest(entry, &defined).cloned();
    Err(FrontendError::NoEntry { entry: entry.to_string(), defined, suggestion })
}
