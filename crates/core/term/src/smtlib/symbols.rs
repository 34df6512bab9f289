//! What a term mentions and a script must declare: uninterpreted sorts, free variables, functions. A variable that is
//! bound by a quantifier is not free inside it, but may be elsewhere, so bodies are scopes of their own. Below a
//! great many nested quantifiers a bound variable counts as free: declaring it too is harmless.

use crate::op::Op;
use crate::sort::{OpaqueSortId, Sort};
use crate::store::{FnId, Term, TermStore, VarId};
use fathom_base::FxSet;
use std::rc::Rc;

/// Each in the order of first mention.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Uninterpreted sorts, in the order of their first occurrence.
    pub sorts: Vec<OpaqueSortId>,
    /// Free variables, in the order of their first occurrence.
    pub vars: Vec<VarId>,
    /// Uninterpreted functions, in the order of their first occurrence.
    pub functions: Vec<FnId>,
    seen_sorts: FxSet<Sort>,
    seen_vars: FxSet<VarId>,
    seen_functions: FxSet<FnId>,
    /// Terms outside quantifiers whose symbols are known already.
    seen_terms: FxSet<Term>,
}

/// Variables that enclosing quantifiers bind, innermost first.
struct Bound {
    vars: Vec<VarId>,
    outer: Option<Rc<Bound>>,
}

const MAX_LINKS: usize = 256;

fn is_bound(mut scope: Option<&Rc<Bound>>, var: VarId) -> bool {
    for _ in 0..MAX_LINKS {
        match scope {
            Some(bound) if bound.vars.contains(&var) => return true,
            Some(bound) => scope = bound.outer.as_ref(),
            None => return false,
        }
    }
    false
}

impl Symbols {
    /// The symbols that some terms mention.
    pub fn of(store: &TermStore, roots: &[Term]) -> Self {
        let mut symbols = Self::default();
        roots.iter().for_each(|&root| symbols.add(store, root));
        symbols
    }

    /// Adds what `root` mentions; terms that were added before cost nothing.
    pub fn add(&mut self, store: &TermStore, root: Term) {
        let mut scopes: Vec<(Vec<Term>, Option<Rc<Bound>>)> = vec![(vec![root], None)];
        while let Some((mut stack, bound)) = scopes.pop() {
            let mut seen_here = FxSet::default();
            while let Some(term) = stack.pop() {
                let is_new = if bound.is_none() { self.seen_terms.insert(term) } else { seen_here.insert(term) };
                if !is_new {
                    continue;
                }
                match store.op(term) {
                    Op::Forall(id) | Op::Exists(id) => {
                        let quantifier = store.quantifier(id);
                        quantifier.bound.iter().for_each(|&var| self.add_sort(store, store.var_sort(var)));
                        let mut roots = vec![store.arg(term, 0)];
                        roots.extend(quantifier.triggers.iter().flatten());
                        let inner = Bound { vars: quantifier.bound.clone(), outer: bound.clone() };
                        scopes.push((roots, Some(Rc::new(inner))));
                    }
                    op => {
                        self.add_leaf(store, op, term, bound.as_ref());
                        stack.extend(store.args(term).iter().rev());
                    }
                }
            }
        }
    }

    fn add_leaf(&mut self, store: &TermStore, op: Op, term: Term, bound: Option<&Rc<Bound>>) {
        match op {
            Op::Var(var) if !is_bound(bound, var) && self.seen_vars.insert(var) => {
                self.add_sort(store, store.sort(term));
                self.vars.push(var);
            }
            Op::Apply(function) if self.seen_functions.insert(function) => {
                let (arguments, result) = store.function_sorts(function);
                arguments.into_iter().chain([result]).for_each(|sort| self.add_sort(store, sort));
                self.functions.push(function);
            }
            Op::ConstArray(sort) => self.add_sort(store, sort),
            _ => {}
        }
    }

    fn add_sort(&mut self, store: &TermStore, sort: Sort) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if !self.seen_sorts.insert(sort) {
                continue;
            }
            match sort {
                Sort::Opaque(id) => {
                    stack.extend(store.theory_sort_parts(id).iter().flat_map(|(_, arguments)| arguments.iter()));
                    self.sorts.push(id);
                }
                Sort::Array(id) => {
                    let (index, element) = store.array_sort_parts(id);
                    stack.extend([element, index]);
                }
                _ => {}
            }
        }
    }
}
