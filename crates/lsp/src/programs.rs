//! The state of each program: its last report, its output directory, and its diagnostics in each document. Several
//! programs can have diagnostics in one file, such as a header.

use crate::diagnostics::{self, About, FileDiagnostics};
use crate::documents::real;
use crate::run::Outcome;
use fathom_report::Report;
use gen_lsp_types::Diagnostic;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A program.
pub struct Program {
    /// What tells it from others: its only file, or the directory in which it is put together.
    key: PathBuf,
    /// What its last run was about.
    pub about: About,
    /// What its last run says, if there is a report.
    pub report: Option<Box<Report>>,
    told: FileDiagnostics,
}

/// All programs, by number.
pub struct Programs {
    scratch: PathBuf,
    all: Vec<Program>,
}

impl Programs {
    /// Programs whose reports go below this directory.
    pub fn new(scratch: &Path) -> Self {
        Self { scratch: scratch.to_path_buf(), all: Vec::new() }
    }

    /// The number of the program with this key; the document is where is told what has no place of its own.
    pub fn number(&mut self, key: &Path, document: &Path, directory: &Path) -> usize {
        let known = self.all.iter().position(|program| program.key == key);
        let program = known.unwrap_or(self.all.len());
        let about = About { document: real(document), directory: directory.to_path_buf(), program };
        match known {
            Some(number) => self.all[number].about = about,
            None => self.all.push(Program { key: key.to_path_buf(), about, report: None, told: FileDiagnostics::new() }),
        }
        program
    }

    /// The program with this number.
    pub fn get(&self, number: usize) -> Option<&Program> {
        self.all.get(number)
    }

    /// The program that a document belongs to by itself.
    pub fn of_document(&self, document: &Path) -> Option<usize> {
        self.all.iter().position(|program| program.key == document || program.about.document == document)
    }

    /// Where the files of its report are.
    pub fn out(&self, number: usize) -> PathBuf {
        self.scratch.join(number.to_string())
    }

    /// A run has ended; the files whose diagnostics have changed.
    pub fn ended(&mut self, number: usize, outcome: Outcome) -> BTreeSet<PathBuf> {
        let Some(program) = self.all.get_mut(number) else { return BTreeSet::new() };
        let told = diagnostics::of_outcome(outcome.as_deref().map_err(String::as_str), &program.about);
        program.report = outcome.ok().filter(|report| report.error.is_none());
        let (changed, has_report) = (program.tell(told), program.report.is_some());
        if !has_report {
            // What an older run wrote is about another program.
            let _ = std::fs::remove_dir_all(self.out(number));
        }
        changed
    }

    /// A document is no program.
    pub fn is_header(&mut self, number: usize) -> BTreeSet<PathBuf> {
        let Some(program) = self.all.get_mut(number) else { return BTreeSet::new() };
        let told = diagnostics::of_header(&program.about);
        program.tell(told)
    }

    /// Nothing more is said of the program of this document alone.
    pub fn forget(&mut self, document: &Path) -> BTreeSet<PathBuf> {
        let programs = self.all.iter_mut().filter(|program| program.key == document);
        programs.flat_map(|program| program.tell(FileDiagnostics::new())).collect()
    }

    /// The programs that have something to say about this file, though it is not their document.
    pub fn with_findings_in(&self, path: &Path) -> Vec<PathBuf> {
        let concerned = self.all.iter().filter(|program| program.key != path && program.told.contains_key(path));
        concerned.map(|program| program.about.document.clone()).collect()
    }

    /// Everything that is said about a file.
    pub fn diagnostics(&self, path: &Path) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.all.iter().filter_map(|program| program.told.get(path)).flatten() {
            // Two programs may say the same of a header; the way there is another one.
            let is_same = |known: &Diagnostic| {
                (known.range, &known.code, &known.message) == (diagnostic.range, &diagnostic.code, &diagnostic.message)
            };
            if !all.iter().any(is_same) {
                all.push(diagnostic.clone());
            }
        }
        all
    }
}

impl Program {
    /// Replaces the diagnostics; returns the files of the old and the new ones.
    fn tell(&mut self, told: FileDiagnostics) -> BTreeSet<PathBuf> {
        let before = std::mem::replace(&mut self.told, told);
        before.into_keys().chain(self.told.keys().cloned()).collect()
    }
}
