//! Z3 as a back end of Fathom: every sort of the term language, quantifiers included; the first choice for integers,
//! reals and quantifiers, and the second opinion on everything else.
//!
//! libz3 is opened when the first back end is made (`library.rs`, with the functions of `api.rs`); `context.rs` owns
//! its objects; `translate.rs` turns terms into its terms, once per back end; `solver.rs` is the `Solver`, whose checks
//! `watch.rs` ends when their budget is spent. A back end and its solvers stay on the thread that made them.

mod api;
mod applications;
mod context;
mod float;
mod horn;
mod library;
mod model;
mod quiet;
mod solver;
mod theories;
mod translate;
mod watch;

pub use horn::Spacer;

use fathom_smt::{Backend, Solver, SolverError};
use fathom_term::TermStore;
use solver::Z3Solver;
use std::cell::RefCell;
use std::rc::Rc;
use translate::Translator;
use watch::Watcher;

/// A value of a solver parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// A switch.
    Bool(bool),
    /// A number that is not negative.
    Number(u32),
    /// A floating-point number.
    Fraction(f64),
    /// A name among several choices.
    Symbol(String),
}

/// How solvers are made.
#[derive(Clone, Debug, Default)]
pub struct Z3Options {
    /// An SMT-LIB logic that every question will be in, such as `QF_ABV`; Z3 then takes its procedure for it.
    pub logic: Option<String>,
    /// Z3's solver parameters by name, such as `("rlimit", Number(1_000_000))`: a limit per check that does not depend
    /// on the machine.
    pub parameters: Vec<(String, Parameter)>,
}

/// Z3, with the terms of one store translated for it.
pub struct Z3Backend {
    store: Rc<TermStore>,
    // Solvers hold both; the watcher's thread ends with the last of them. Another translator after each fault.
    translator: RefCell<Rc<RefCell<Translator>>>,
    watcher: Rc<RefCell<Watcher>>,
    options: Z3Options,
}

impl Z3Backend {
    /// Z3 for the terms of this store.
    pub fn new(store: Rc<TermStore>) -> Result<Self, SolverError> {
        Self::with_options(store, Z3Options::default())
    }

    /// A back end with these options.
    pub fn with_options(store: Rc<TermStore>, options: Z3Options) -> Result<Self, SolverError> {
        let translator = RefCell::new(new_translator(&store)?);
        Ok(Self { store, translator, watcher: Rc::default(), options })
    }
}

fn new_translator(store: &Rc<TermStore>) -> Result<Rc<RefCell<Translator>>, SolverError> {
    Ok(Rc::new(RefCell::new(Translator::new(store.clone())?)))
}

impl Backend for Z3Backend {
    fn name(&self) -> String {
        let api = self.translator.borrow().borrow().context.api;
        // SAFETY: a constant of the library.
        let version = context::text(unsafe { (api.Z3_get_full_version)() });
        let settings = if self.options.parameters.is_empty() { "" } else { " with other settings" };
        format!("Z3 {version}{settings}")
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        let mut translator = self.translator.borrow_mut();
        let is_broken = translator.borrow().context.is_broken();
        if is_broken {
            *translator = new_translator(&self.store)?;
        }
        Ok(Box::new(Z3Solver::new(translator.clone(), self.watcher.clone(), &self.options)?))
    }
}
