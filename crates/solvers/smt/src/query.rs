//! A query after the cheapest layers: the relevant constraints, and how models of them become models of everything.

use crate::cache::overlay;
use crate::constraints::Constraints;
use fathom_term::{Evaluator, Model, Symbol, Term, TermStore};
use std::cell::OnceCell;
use std::rc::Rc;

/// The part of a query that is left after the cheapest layers.
pub(crate) struct Query<'a> {
    pub constraints: &'a Constraints,
    pub condition: Term,
    hint: Option<&'a Rc<Evaluator>>,
    /// The relevant constraints, oldest first.
    pub conjuncts: Vec<Term>,
    /// The other constraints may be unsatisfiable, so they must not be asserted in the solver that answers.
    pub isolated: bool,
    symbols: OnceCell<Vec<Symbol>>,
}

impl Query<'_> {
    /// The query of a condition under constraints.
    pub fn new<'a>(constraints: &'a Constraints, condition: Term, hint: Option<&'a Rc<Evaluator>>, conjuncts: Vec<Term>) -> Query<'a> {
        Query { constraints, condition, hint, conjuncts, isolated: false, symbols: OnceCell::new() }
    }

    /// All symbols of the conjuncts and the condition.
    pub fn symbols(&self, store: &TermStore) -> &[Symbol] {
        self.symbols.get_or_init(|| {
            let asked = self.constraints.sets().of(store, self.condition);
            let mut symbols = match self.conjuncts.len() == self.constraints.len() {
                true => self.constraints.all_symbols(),
                false => self.constraints.related_symbols(&asked),
            };
            symbols.extend_from_slice(&asked);
            symbols.sort_unstable();
            symbols.dedup();
            symbols
        })
    }

    /// The state's model.
    pub fn hint(&self) -> Option<&Model> {
        self.hint.map(|hint| hint.model())
    }

    /// The values of the state's model, some of them changed.
    pub fn changed_hint(&self, change: &Model) -> Model {
        let mut model = self.hint.map(|hint| hint.model().clone()).unwrap_or_default();
        model.values.extend(change.values.iter().map(|(&var, value)| (var, value.clone())));
        model
    }

    /// The relevant constraints alone.
    pub fn related(&self, store: &TermStore) -> Constraints {
        let mut related = Constraints::new(self.constraints.sets().clone());
        self.conjuncts.iter().for_each(|&conjunct| related.push(store, conjunct));
        related
    }

    /// A symbol of the condition, by which models of similar queries are found.
    pub fn main_symbol(&self, store: &TermStore) -> Option<Symbol> {
        self.constraints.sets().of(store, self.condition).first().copied()
    }

    /// Whether no part of the query is false under the model; parts with quantifiers, which have no value, are passed over.
    pub fn allows(&self, store: &TermStore, model: &Evaluator) -> bool {
        let mut terms = self.conjuncts.iter().chain([&self.condition]);
        terms.all(|&term| model.holds(store, term) != Some(false))
    }

    /// A model of all constraints from one of the relevant ones.
    pub fn complete(&self, store: &TermStore, model: Rc<Evaluator>) -> Rc<Evaluator> {
        match self.hint {
            Some(hint) if self.conjuncts.len() < self.constraints.len() => {
                Rc::new(Evaluator::new(overlay(hint.model(), model.model(), self.symbols(store))))
            }
            _ => model,
        }
    }
}
