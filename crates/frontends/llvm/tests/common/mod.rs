//! Translates a C snippet and checks that the result is well formed.
#![allow(dead_code, reason = "each test file uses a part of this")]

use fathom_frontend_llvm::{DataModel, FrontendError, Loaded, Options, load};
use fathom_ir::{Body, Procedure, Program, Property, Statement, StatementKind, TerminatorKind};
use fathom_term::TermStore;
use std::rc::Rc;

pub fn load_bytes(name: &str, contents: &[u8], options: &Options) -> Result<Loaded, FrontendError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, contents).expect("a writable folder");
    load(&[path], options, Rc::new(TermStore::new()))
}

/// Translates for one data model; panics with the reason if that fails.
pub fn translate_for(source: &str, model: DataModel) -> Program {
    let options = Options { model, ..Options::default() };
    translate_with(source, &options)
}

pub fn translate_with(source: &str, options: &Options) -> Program {
    let loaded = load_bytes("test.c", source.as_bytes(), options).unwrap_or_else(|error| panic!("{error}\n{source}"));
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

/// Messages of a procedure's asserts for a property.
pub fn asserts(program: &Program, name: &str, wanted: Property) -> Vec<String> {
    statements(program, name)
        .filter_map(|s| match &s.kind {
            StatementKind::Assert { property, message, .. } if *property == wanted => Some(message.clone()),
            _ => None,
        })
        .collect()
}

/// Everything in the program that is not supported.
pub fn unsupported(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for block in program.procedures.iter().filter_map(|p| p.body.as_ref()).flat_map(|b| &b.blocks) {
        found.extend(block.statements.iter().filter_map(|s| match &s.kind {
            StatementKind::Unsupported(what) => Some(what.clone()),
            _ => None,
        }));
        if let TerminatorKind::Unsupported(what) = &block.terminator.kind {
            found.push(what.clone());
        }
    }
    found
}
