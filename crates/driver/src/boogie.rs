//! Boogie programs: from files to the program that engines run, and which solver suits it.

use crate::config::InputConfig;
use crate::error::Error;
use fathom_frontend_boogie::lower::{EntryChoice, LowerOptions, choose_entries, lower, lower_by_contracts};
use fathom_frontend_boogie::{InputError, check, headlines, monomorphise, parse};
use fathom_ir::Program;
use fathom_term::{Op, Sort, Term, TermStore};
use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;

/// A program, where it starts, and what is to be said about it.
pub(crate) struct LoadedBoogie {
    pub program: Program,
    /// The same with calls replaced by contracts, if there are any.
    pub by_contracts: Option<Program>,
    pub entry: String,
    pub warnings: Vec<String>,
    /// Everything that holds before the first statement, also what has nothing to do with the program.
    pub every_axiom: EveryAxiom,
}

pub(crate) type EveryAxiom = Box<dyn Fn() -> Vec<Term>>;

/// Whether these are Boogie files; a mixture with others is an error.
pub(crate) fn is_boogie(files: &[PathBuf]) -> Result<bool, String> {
    let boogie = |file: &PathBuf| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("bpl"));
    match files.iter().filter(|file| boogie(file)).count() {
        0 => Ok(false),
        count if count == files.len() => Ok(true),
        _ => Err("Boogie files and others can't be one program".into()),
    }
}

pub(crate) fn load(input: &InputConfig, options: LowerOptions, store: Rc<TermStore>) -> Result<LoadedBoogie, Error> {
    let _phase = tracing::info_span!("read", language = "Boogie").entered();
    let rejected = |message: String| {
        let first = message.lines().next().unwrap_or_default().to_string();
        Error::Input { reason: first, message }
    };
    let parsed = parse(&input.files).map_err(|error| rejected(error.to_string()))?;
    let checked = check(parsed, input.strict).map_err(|error| rejected(InputError::Rejected(Box::new(error)).to_string()))?;
    let sources = checked.sources.clone();
    let typed = monomorphise(checked).map_err(|problem| {
        let (line, column) = sources.line_column(problem.span);
        let message = format!("{problem} at {}:{line}:{column}", sources.path(problem.span.file).display());
        Error::Unsupported { reason: message.clone(), message }
    })?;
    let choice = EntryChoice { name: input.entry.clone(), all: input.all };
    let entries = choose_entries(&typed, &choice).map_err(|message| Error::Usage(format!("--entry: {message}")))?;
    let names: Vec<&str> = entries.iter().map(|&id| &*typed.procedure(id).name).collect();
    let entry = names.join(", ");
    let warnings = headlines(&typed.warnings, &typed.sources);
    let program = lower(&typed, &entries, store.clone(), options);
    let by_contracts = lower_by_contracts(&typed, &entries, store.clone(), options);
    let every_axiom = Box::new(move || lower(&typed, &entries, store.clone(), LowerOptions { remove_dead: false, ..options }).axioms);
    Ok(LoadedBoogie { program, by_contracts, entry, warnings, every_axiom })
}

/// Bitwuzla for bit-vectors, floats and maps between them; Z3 for mathematical numbers, quantifiers and the rest.
pub(crate) fn suitable_solver(program: &Program) -> &'static str {
    let store = &program.terms;
    let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
    let mut fits = program.globals.iter().chain(locals).all(|variable| is_finite(store, variable.sort));
    let mut seen: HashSet<Term> = HashSet::new();
    program.for_each_term(&mut |root| {
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if fits && seen.insert(term) {
                let is_theirs = match store.op(term) {
                    Op::Forall(_) | Op::Exists(_) => true,
                    Op::Apply(function) => store.theory_head(function).is_some(),
                    _ => false,
                };
                fits = is_finite(store, store.sort(term)) && !is_theirs;
                open.extend(store.args(term));
            }
        }
    });
    if fits { "bitwuzla" } else { "z3" }
}

fn is_finite(store: &TermStore, sort: Sort) -> bool {
    match sort {
        sort if store.involves_theory(sort) => false,
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            [index, element].into_iter().all(|part| matches!(part, Sort::Bv(_) | Sort::Bool | Sort::Float(_)))
        }
        Sort::Int | Sort::Real => false,
        Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::RoundingMode | Sort::Opaque(_) => true,
    }
}
