//! From files to a program: determines their language, takes flags from the build, and calls the front end.

use crate::boogie::{self, LoadedBoogie};
use crate::compile_commands::{self, Sources};
use crate::config::InputConfig;
use crate::error::Error;
use crate::properties::{self, Wanted};
use crate::same_names::told_apart;
use crate::stack::on_large_stack;
use fathom_base::Budget;
use fathom_frontend_boogie::lower::LowerOptions;
use fathom_frontend_llvm::{Loaded, Options};
use fathom_ir::{Program, Property};
use fathom_native::NativeSetup;
use fathom_term::TermStore;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

/// What a C program is read for.
#[derive(Copy, Clone)]
pub(crate) struct Purpose<'a> {
    /// It is compiled as the builds of tests are.
    pub for_tests: bool,
    /// The properties that it is asked about.
    pub checks: &'a BTreeSet<Property>,
}

/// The program as Fathom sees it, as text.
pub fn program_text(input: &InputConfig) -> Result<String, Error> {
    on_large_stack(|| Ok(fathom_ir::print_program(&load(input)?)))
}

/// Reads a program as it is before any property is chosen. Long expressions need a large stack.
pub fn load(input: &InputConfig) -> Result<Program, Error> {
    let store = Rc::new(TermStore::new());
    if boogie::is_boogie(&input.files).map_err(Error::Usage)? {
        let LoadedBoogie { program, .. } = boogie::load(input, LowerOptions::default(), store)?;
        return Ok(program);
    }
    let sources = compile_commands::sources(input).map_err(Error::bad_file)?;
    let entry = input.entry.clone().unwrap_or_else(|| "main".into());
    Ok(load_c(input, &sources, &entry, Purpose { for_tests: false, checks: &BTreeSet::new() }, store)?.program)
}

/// The skeleton of a harness for the entry, in C.
pub fn harness(input: &InputConfig) -> Result<String, Error> {
    on_large_stack(|| {
        let Some(entry) = &input.entry else {
            return Err(Error::Usage("--entry F is missing: which function is the harness for?".into()));
        };
        let sources = compile_commands::sources(input).map_err(Error::bad_file)?;
        let purpose = Purpose { for_tests: false, checks: &BTreeSet::new() };
        Ok(fathom_frontend_llvm::harness(&sources.files, &options(input, &sources, entry, purpose), entry)?)
    })
}

/// What interval analysis finds to hold at the heads of loops when the usual properties are asked for, as text.
pub fn loop_invariants(input: &InputConfig) -> Result<String, Error> {
    on_large_stack(|| {
        let program = load(input)?;
        let Wanted { mut properties, .. } = properties::wanted(&[], &[]).map_err(Error::Usage)?;
        properties.insert(Property::BoogieAssert);
        let program = Rc::new(fathom_passes::prepare(program, &properties, input.undefined));
        match fathom_absint::invariants(&program, &Budget::unlimited()) {
            Ok(found) => Ok(fathom_absint::show(&program, &found)),
            Err(_) => Ok("the analysis gave up\n".into()),
        }
    })
}

/// Reads a program through clang.
pub(crate) fn load_c(
    input: &InputConfig,
    sources: &Sources,
    entry: &str,
    purpose: Purpose<'_>,
    store: Rc<TermStore>,
) -> Result<Loaded, Error> {
    let options = options(input, sources, entry, purpose);
    Ok(fathom_frontend_llvm::load(&sources.files, &options, store)?)
}

/// The settings of clang and of the translation.
fn options(input: &InputConfig, sources: &Sources, entry: &str, Purpose { for_tests, checks }: Purpose<'_>) -> Options {
    Options {
        model: input.model,
        clang_args: input.clang_args.clone(),
        entry: entry.to_string(),
        volatile_arbitrary: input.volatile_arbitrary,
        memory_model: input.memory_model,
        units: if for_tests { told_apart(&sources.files, &sources.units) } else { sources.units.clone() },
        malloc_may_fail: input.malloc_may_fail,
        entry_null: input.entry_null,
        entry_alias: input.entry_alias,
        entry_elements: input.entry_elements.unwrap_or(fathom_frontend_llvm::ENTRY_ELEMENTS).max(1),
        undefined_writes: input.undefined == fathom_passes::Undefined::Havoc,
        contracts: input.contracts,
        environment: input.environment.clone(),
        for_tests,
        checks: checks.clone(),
    }
}

/// How the program is compiled to be run.
pub(crate) fn native_setup(input: &InputConfig, sources: &Sources, entry: &str, pointer_bits: u32) -> NativeSetup {
    let files = sources.files.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())).collect();
    let setup = NativeSetup::new(PathBuf::from(fathom_clang::name()), files, input.clang_args.clone(), pointer_bits, entry.to_string());
    NativeSetup { units: sources.units.clone(), arguments: input.fixed_arguments(), ..setup }
}
