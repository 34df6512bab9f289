//! Common code of the adapters of linked solvers: a table of translated terms, and reading a model.

use crate::solver::SolverError;
use fathom_term::{Model, Op, Term, TermStore, Value, VarId};

/// What terms became in a solver, each once.
pub struct Translations<E> {
    /// By index of the term.
    entries: Vec<Option<E>>,
}

impl<E> Default for Translations<E> {
    fn default() -> Self {
        Translations { entries: Vec::new() }
    }
}

impl<E> Translations<E> {
    /// What the term became.
    pub fn get(&self, term: Term) -> Option<&E> {
        self.entries.get(term.index()).and_then(Option::as_ref)
    }

    /// Keeps what the term became.
    pub fn insert(&mut self, store: &TermStore, term: Term, entry: E) {
        if self.entries.len() <= term.index() {
            self.entries.resize_with(store.len().max(term.index() + 1), || None);
        }
        self.entries[term.index()] = Some(entry);
    }

    /// The next term on the stack all of whose arguments were translated; None when nothing is left there. `parts` puts on
    /// the stack what else a term is made of, if anything.
    pub fn next(&self, store: &TermStore, stack: &mut Vec<Term>, parts: impl Fn(Term, &mut Vec<Term>)) -> Option<Term> {
        while let Some(&term) = stack.last() {
            if self.get(term).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(store.args(term));
            parts(term, stack);
            let mut kept = waiting;
            for at in waiting..stack.len() {
                if self.get(stack[at]).is_none() {
                    stack[kept] = stack[at];
                    kept += 1;
                }
            }
            stack.truncate(kept);
            if kept == waiting {
                return stack.pop();
            }
        }
        None
    }
}

/// Values of the variables, and of the applications at the arguments they have in this model. Variables that were never part of
/// a question, for which `value_of` has none, are left out: a model says zero for them.
pub fn read_model(
    store: &TermStore,
    vars: &[VarId],
    applications: &[Term],
    mut value_of: impl FnMut(Term) -> Result<Option<Value>, SolverError>,
) -> Result<Model, SolverError> {
    let mut model = Model::default();
    for &var in vars {
        if let Some(value) = value_of(store.var_term(var))? {
            model.values.insert(var, value);
        }
    }
    for &application in applications {
        let Op::Apply(function) = store.op(application) else { continue };
        let args = store.args(application);
        let point: Result<Option<Vec<Value>>, SolverError> = args.iter().map(|&arg| value_of(arg)).collect();
        if let (Some(point), Some(value)) = (point?, value_of(application)?) {
            model.functions.insert((function, point), value);
        }
    }
    Ok(model)
}
