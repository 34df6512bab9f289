//! One assertion stack of Bitwuzla.

use crate::footprint::Footprint;
use crate::handle::{SolverHandle, TermHandle, Verdict};
use crate::model::ModelReader;
use crate::translate::Translator;
use fathom_base::Budget;
use fathom_smt::{Answer, Solver, SolverError, Why};
use fathom_term::{Model, Term, VarId};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) struct BitwuzlaSolver {
    // Before the translator: a solver must go before the terms that it refers to.
    handle: SolverHandle,
    translator: Rc<RefCell<Translator>>,
    footprint: Footprint,
    /// Of the last check.
    assumptions: Vec<(Term, Rc<TermHandle>)>,
}

impl BitwuzlaSolver {
    /// A solver with an empty assertion stack.
    pub fn new(translator: Rc<RefCell<Translator>>, options: &[(&str, &str)]) -> Result<Self, SolverError> {
        let handle = SolverHandle::new(&translator.borrow().manager, options)?;
        Ok(Self { handle, translator, footprint: Footprint::default(), assumptions: Vec::new() })
    }

    /// Translates a term and asserts the definitions that it relies on.
    fn take(&mut self, term: Term) -> Result<Rc<TermHandle>, SolverError> {
        self.handle.usable()?;
        let mut translator = self.translator.borrow_mut();
        let handle = translator.translate(term)?;
        for defined in self.footprint.add(&translator, term) {
            if let Some(definition) = translator.definition(defined) {
                self.handle.assert(definition)?;
            }
        }
        Ok(handle)
    }

    fn try_check(&mut self, assumptions: &[Term], budget: &Budget) -> Result<Verdict, SolverError> {
        self.handle.usable()?;
        self.assumptions.clear();
        for &assumption in assumptions {
            let handle = self.take(assumption)?;
            self.assumptions.push((assumption, handle));
        }
        let handles: Vec<&TermHandle> = self.assumptions.iter().map(|(_, handle)| &**handle).collect();
        self.handle.check(&handles, budget)
    }
}

impl Solver for BitwuzlaSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.handle.usable()?;
        self.handle.push()?;
        self.footprint.push();
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.handle.usable()?;
        self.handle.pop(levels)?;
        self.footprint.pop(levels);
        Ok(())
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        let handle = self.take(term)?;
        self.handle.assert(&handle)
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        match self.try_check(assumptions, budget) {
            Ok(Verdict::Sat) => Answer::Sat,
            Ok(Verdict::Unsat) => Answer::Unsat,
            Ok(Verdict::Stopped) => Answer::Unknown(Why::Budget),
            Ok(Verdict::Unknown) => Answer::Unknown(Why::Incomplete("Bitwuzla gave up".into())),
            Err(error) => Answer::Unknown(error.into()),
        }
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        self.handle.usable()?;
        let translator = self.translator.borrow();
        ModelReader::new(&mut self.handle, &translator).read(vars, self.footprint.applications())
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        self.handle.usable()?;
        let mut failed = Vec::new();
        for (term, handle) in &self.assumptions {
            if self.handle.is_failed_assumption(handle)? {
                failed.push(*term);
            }
        }
        Ok(failed)
    }
}
