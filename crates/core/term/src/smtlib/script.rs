//! A whole script: what must be declared is found in the asserted terms.

use crate::smtlib::print::{Names, Printer};
use crate::smtlib::symbols::Symbols;
use crate::store::{Term, TermStore};

/// Collects assertions; `to_text` gives the script up to and including `(check-sat)`.
pub struct Script<'a> {
    store: &'a TermStore,
    logic: String,
    assertions: Vec<Term>,
}

impl<'a> Script<'a> {
    /// An empty script over the terms of this store.
    pub fn new(store: &'a TermStore) -> Self {
        Self { store, logic: "ALL".to_string(), assertions: Vec::new() }
    }

    /// Sets the logic.
    pub fn logic(mut self, logic: &str) -> Self {
        self.logic = logic.to_string();
        self
    }

    /// Adds an assertion.
    pub fn assert(mut self, term: Term) -> Self {
        self.assertions.push(term);
        self
    }

    /// The text of the script.
    pub fn to_text(&self) -> String {
        let mut printer = Printer::new(self.store, Names::Source).spelling_theories();
        printer.text(&format!("(set-logic {})\n", self.logic));
        let symbols = Symbols::of(self.store, &self.assertions);
        for &sort in &symbols.sorts {
            printer.declare_sort(sort);
        }
        for &var in &symbols.vars {
            printer.declare_var(var);
        }
        for &function in &symbols.functions {
            printer.declare_function(function);
        }
        for &assertion in &self.assertions {
            printer.text("(assert ");
            printer.term(assertion);
            printer.text(")\n");
        }
        printer.text("(check-sat)\n");
        printer.finish()
    }
}
