//! Writes every query that reaches a solver as a script of its own (`--dump-queries DIR`), with the answer and the
//! time, so that a slow or wrong one can be run again elsewhere. The wrapper keeps a copy of the assertion stack, as
//! a script needs all of it; it changes no answer, and a file that cannot be written stops the log, not the run.

use crate::solver::{Answer, Backend, Solver, SolverError};
use fathom_base::Budget;
use fathom_term::smtlib::Script;
use fathom_term::{Model, Term, TermStore, VarId};
use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Where queries are written.
pub struct QueryLog {
    directory: PathBuf,
    store: Rc<TermStore>,
    written: Cell<u64>,
    failure: RefCell<Option<io::Error>>,
}

impl QueryLog {
    /// Makes the directory if it isn't there.
    pub fn new(directory: &Path, store: Rc<TermStore>) -> io::Result<Rc<Self>> {
        std::fs::create_dir_all(directory)?;
        Ok(Rc::new(Self { directory: directory.to_path_buf(), store, written: Cell::new(0), failure: RefCell::new(None) }))
    }

    /// How many queries were written.
    pub fn written(&self) -> u64 {
        self.written.get()
    }

    /// What ended the log early.
    pub fn failure(&self) -> Option<String> {
        self.failure.borrow().as_ref().map(|error| format!("{}: {error}", self.directory.display()))
    }

    fn write(&self, solver: &str, terms: &[Term], answer: &Answer, time: Duration) {
        if self.failure.borrow().is_some() {
            return;
        }
        let (status, why) = match answer {
            Answer::Sat => ("sat", String::new()),
            Answer::Unsat => ("unsat", String::new()),
            Answer::Unknown(why) => ("unknown", format!(" ({})", why.to_string().replace(['\n', '\r'], " "))),
        };
        let micros = time.as_micros();
        let script = terms.iter().fold(Script::new(&self.store), |script, &term| script.assert(term));
        let body = script.to_text();
        let text = format!("; {solver}: {status}{why} after {micros} microseconds\n(set-info :status {status})\n{body}");
        let number = self.written.get() + 1;
        match std::fs::write(self.directory.join(format!("{number:06}-{status}.smt2")), text) {
            Ok(()) => self.written.set(number),
            Err(error) => *self.failure.borrow_mut() = Some(error),
        }
    }
}

/// A back end whose queries are logged.
pub struct Logged {
    inner: Box<dyn Backend>,
    log: Rc<QueryLog>,
}

impl Logged {
    /// Logs the queries of this back end.
    pub fn new(inner: Box<dyn Backend>, log: Rc<QueryLog>) -> Self {
        Self { inner, log }
    }
}

impl Backend for Logged {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(Box::new(LoggedSolver {
            inner: self.inner.new_solver()?,
            name: self.inner.name(),
            log: self.log.clone(),
            asserted: Vec::new(),
            levels: Vec::new(),
        }))
    }
}

struct LoggedSolver {
    inner: Box<dyn Solver>,
    name: String,
    log: Rc<QueryLog>,
    asserted: Vec<Term>,
    /// The number of assertions below each level.
    levels: Vec<usize>,
}

impl Solver for LoggedSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()?;
        self.levels.push(self.asserted.len());
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.inner.pop(levels)?;
        for _ in 0..levels {
            if let Some(below) = self.levels.pop() {
                self.asserted.truncate(below);
            }
        }
        Ok(())
    }

    fn only_refute(&mut self) {
        self.inner.only_refute();
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.inner.assert(term)?;
        self.asserted.push(term);
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        let start = Instant::now();
        let answer = self.inner.check(assumptions, budget);
        let time = start.elapsed();
        let terms: Vec<Term> = self.asserted.iter().chain(assumptions).copied().collect();
        self.log.write(&self.name, &terms, &answer, time);
        answer
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        self.inner.model(vars)
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        self.inner.failed_assumptions()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute::Brute;
    use fathom_term::Sort;

    #[test]
    fn a_query_is_written_with_its_whole_stack() -> Result<(), Box<dyn std::error::Error>> {
        let directory = std::env::temp_dir().join(format!("fathom-log-{}", std::process::id()));
        let store = Rc::new(TermStore::new());
        let log = QueryLog::new(&directory, store.clone())?;
        let logged = Logged::new(Box::new(Brute::new(store.clone(), 8)), log.clone());
        let [a, b] = ["a", "b"].map(|name| store.var(name, Sort::Bool));
        let mut solver = logged.new_solver()?;
        solver.push()?;
        solver.assert(a)?;
        assert_eq!(solver.check(&[store.not(a)], &Budget::unlimited()), Answer::Unsat);
        solver.pop(1)?;
        solver.assert(b)?;
        assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Sat);
        let first = std::fs::read_to_string(directory.join("000001-unsat.smt2"))?;
        assert!(first.ends_with("(assert a)\n(assert (not a))\n(check-sat)\n"), "{first}");
        let second = std::fs::read_to_string(directory.join("000002-sat.smt2"))?;
        assert!(second.contains("(set-info :status sat)\n(set-logic ALL)") && !second.contains("assert a"), "{second}");
        std::fs::remove_dir_all(&directory)?;
        solver.check(&[], &Budget::unlimited());
        assert_eq!(log.written(), 2);
        assert!(log.failure().is_some());
        Ok(())
    }
}
