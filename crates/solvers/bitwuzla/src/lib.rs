//! Bitwuzla as a back end of Fathom: the first choice for bit-vectors, arrays and floats. Integers and reals are
//! refused with `Unsupported`.
//!
//! The library is compiled in (`build.rs`); `native/layer.cpp` keeps its exceptions on the C++ side; `handle.rs` owns
//! its objects; `translate.rs` turns terms into its terms, once per back end; `solver.rs` is the `Solver`.
//! A back end and its solvers stay on the thread that made them (they hold `Rc`s), as Bitwuzla demands.

mod ffi;
mod float;
mod footprint;
mod handle;
mod kind;
mod model;
mod solver;
mod translate;

// `native/layer.cpp` calls into it.
use fathom_fault as _;
use fathom_smt::{Backend, Solver, SolverError};
use fathom_term::TermStore;
use solver::BitwuzlaSolver;
use std::cell::RefCell;
use std::rc::Rc;
use translate::Translator;

/// Bitwuzla, with the terms of one store translated for it.
pub struct BitwuzlaBackend {
    store: Rc<TermStore>,
    /// Another one after each fault.
    translator: RefCell<Rc<RefCell<Translator>>>,
    options: Vec<(String, String)>,
}

impl BitwuzlaBackend {
    /// Bitwuzla for the terms of this store.
    pub fn new(store: Rc<TermStore>) -> Result<Self, SolverError> {
        Self::with_options(store, &[])
    }

    /// Further options are long names of Bitwuzla's command line with their values, such as `("seed", "7")`.
    pub fn with_options(store: Rc<TermStore>, options: &[(&str, &str)]) -> Result<Self, SolverError> {
        let always = [("produce-models", "true"), ("produce-unsat-assumptions", "true")];
        let options = always.iter().chain(options).map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let translator = RefCell::new(new_translator(&store)?);
        Ok(Self { store, translator, options })
    }
}

fn new_translator(store: &Rc<TermStore>) -> Result<Rc<RefCell<Translator>>, SolverError> {
    Ok(Rc::new(RefCell::new(Translator::new(store.clone())?)))
}

impl Backend for BitwuzlaBackend {
    fn name(&self) -> String {
        format!("Bitwuzla {}", handle::version())
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        let options: Vec<(&str, &str)> = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut translator = self.translator.borrow_mut();
        let is_broken = translator.borrow().manager.is_broken();
        if is_broken {
            *translator = new_translator(&self.store)?;
        }
        Ok(Box::new(BitwuzlaSolver::new(translator.clone(), &options)?))
    }
}
