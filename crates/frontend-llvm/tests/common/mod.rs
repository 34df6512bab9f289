//! Translates a C snippet and checks that the result is well formed.

use fathom_frontend_llvm::{DataModel, FrontendError, Loaded, Options, load};
use fathom_ir::{Body, Procedure, Program, Statement, StatementKind};
use fathom_term::TermStore;
use std::path::PathBuf;
use std::rc::Rc;

pub fn load_text(name: &str, source: &str, options: &Options) -> Result<Loaded, FrontendError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("a writable folder");
    load(&[path], options, Rc::new(TermStore::new()))
}

/// Translates for one data model; panics with the reason if that fails.
pub fn translate_for(source: &str, model: DataModel) -> Program {
    let options = Options { model, ..Options::default() };
    let loaded = load_text("test.c", source, &options).unwrap_or_else(|error| panic!("{error}\n{source}"));
    fathom_ir::validate(&loaded.program).unwrap_or_else(|error| panic!("{error}\n{source}"));
    loaded.program
}

/// Translates for both data models and returns the 64-bit program.
pub fn translate(source: &str) -> Program {
    translate_for(source, DataModel::Ilp32);
    translate_for(source, DataModel::Lp64)
}

pub fn procedure<'a>(program: &'a Program, name: &str) -> &'a Procedure {
    program.procedures.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no procedure {name}"))
}

pub fn body<'a>(program: &'a Program, name: &str) -> &'a Body {
    procedure(program, name).body.as_ref().unwrap_or_else(|| panic!("{name} has no body"))
}

pub fn statements<'a>(program: &'a Program, name: &str) -> impl Iterator<Item = &'a Statement> {
    body(program, name).blocks.iter().flat_map(|block| &block.statements)
}

pub fn count(program: &Program, name: &str, test: impl Fn(&StatementKind) -> bool) -> usize {
    statements(program, name).filter(|s| test(&s.kind)).count()
}

#[allow(dead_code)]
pub fn missing() -> PathBuf {
    PathBuf::from("no such file.c")
}
