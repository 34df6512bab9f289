//! Floats for solvers that know none (`--fp bv`, `--fp fixed`): a layer above any back end that translates every term before the
//! solver sees it, and models and cores back. The operations follow table A.1 of the ESBMC thesis, with the remainder
//! and real numbers, which it lacks; the circuits are in the style of SymFPU.

mod arithmetic;
mod circuits;
mod compare;
mod convert;
mod fixed;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod hardware_tests;
mod operations;
mod remainder;
mod rounding;
#[cfg(test)]
mod tests;
mod translate;
mod unpacked;

use crate::solver::{Answer, Backend, Solver, SolverError};
use fathom_base::Budget;
use fathom_term::{Model, Term, TermStore, VarId};
pub use fixed::FixedPoint;
use std::cell::RefCell;
use std::rc::Rc;
use translate::{Encoding, Translator};

/// A back end that gets bit-vectors in place of floats.
pub struct FloatsAsBits {
    inner: Box<dyn Backend>,
    translator: Rc<RefCell<Translator>>,
}

impl FloatsAsBits {
    /// Exactly, as IEEE defines them.
    pub fn new(inner: Box<dyn Backend>, store: Rc<TermStore>) -> Self {
        Self { inner, translator: Rc::new(RefCell::new(Translator::new(store, Encoding::Ieee))) }
    }

    /// As fixed-point numbers: an approximation, see `FixedPoint`.
    pub fn fixed(inner: Box<dyn Backend>, store: Rc<TermStore>, fixed: FixedPoint) -> Self {
        Self { inner, translator: Rc::new(RefCell::new(Translator::new(store, Encoding::Fixed(fixed)))) }
    }
}

impl Backend for FloatsAsBits {
    fn name(&self) -> String {
        format!("{}, floats as bit-vectors", self.inner.name())
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(Box::new(BitsSolver { inner: self.inner.new_solver()?, translator: self.translator.clone(), assumptions: Vec::new() }))
    }
}

struct BitsSolver {
    inner: Box<dyn Solver>,
    translator: Rc<RefCell<Translator>>,
    /// Those of the last check with their images.
    assumptions: Vec<(Term, Term)>,
}

impl Solver for BitsSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.inner.pop(levels)
    }

    fn only_refute(&mut self) {
        self.inner.only_refute();
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        let image = self.translator.borrow_mut().translate(term)?;
        self.inner.assert(image)
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        self.assumptions.clear();
        let mut images = Vec::with_capacity(assumptions.len());
        for &term in assumptions {
            let image = match self.translator.borrow_mut().translate(term) {
                Ok(image) => image,
                Err(error) => return Answer::Unknown(error.into()),
            };
            self.assumptions.push((term, image));
            images.push(image);
        }
        self.inner.check(&images, budget)
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        let translator = self.translator.borrow();
        let images: Vec<VarId> = vars.iter().filter_map(|&var| translator.image_of_variable(var)).collect();
        let found = self.inner.model(&images)?;
        Ok(translator.model_back(vars, &found))
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        let failed = self.inner.failed_assumptions()?;
        let needed = self.assumptions.iter().filter(|(_, image)| failed.contains(image));
        Ok(needed.map(|(term, _)| *term).collect())
    }
}

/// One term without floats, over new variables for those of its own that are floats or rounding modes.
pub fn without_floats(store: &Rc<TermStore>, term: Term) -> Result<Term, SolverError> {
    Translator::new(store.clone(), Encoding::Ieee).translate(term)
}
