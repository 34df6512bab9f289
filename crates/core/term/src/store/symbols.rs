//! Variables, uninterpreted functions and the variables that quantifiers bind. The first use of a name fixes its sort.

use super::{FnId, Inner, Quantifier, QuantifierId, Term, TermStore, VarId};
use crate::op::Op;
use crate::sort::Sort;
use std::rc::Rc;

/// A variable.
pub(super) struct NamedSort {
    name: Rc<str>,
    sort: Sort,
}

/// An uninterpreted function.
pub(super) struct Function {
    name: Rc<str>,
    arguments: Vec<Sort>,
    result: Sort,
}

impl TermStore {
    /// The variable of this name; its sort is fixed by the first use. Panics if asked for under another sort.
    pub fn var(&self, name: &str, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            match inner.var_ids.get(name) {
                Some(&id) => {
                    assert_eq!(inner.vars[id.0 as usize].sort, sort, "variable {name} used with two sorts");
                    id
                }
                None => inner.add_var(name, sort),
            }
        };
        self.intern(Op::Var(id), sort, &[])
    }

    /// A fresh variable, named `prefix!N`.
    pub fn fresh(&self, prefix: &str, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            loop {
                let counter = match inner.fresh_counters.get_mut(prefix) {
                    Some(counter) => counter,
                    None => inner.fresh_counters.entry(Rc::from(prefix)).or_insert(0),
                };
                *counter += 1;
                let name = format!("{prefix}!{counter}");
                if !inner.var_ids.contains_key(name.as_str()) {
                    break inner.add_var(&name, sort);
                }
            }
        };
        self.intern(Op::Var(id), sort, &[])
    }

    /// The term that is this variable.
    pub fn var_term(&self, var: VarId) -> Term {
        self.intern(Op::Var(var), self.var_sort(var), &[])
    }

    /// The variable that a term is, if it is one.
    pub fn as_var(&self, term: Term) -> Option<VarId> {
        match self.op(term) {
            Op::Var(id) => Some(id),
            _ => None,
        }
    }

    /// The variable of this name, if there is one.
    pub fn find_var(&self, name: &str) -> Option<VarId> {
        self.inner.borrow().var_ids.get(name).copied()
    }

    /// The name of a variable.
    pub fn var_name(&self, var: VarId) -> Rc<str> {
        self.inner.borrow().vars[var.0 as usize].name.clone()
    }

    /// The sort of a variable.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.inner.borrow().vars[var.0 as usize].sort
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.inner.borrow().vars.len()
    }

    /// Declares (or finds) an uninterpreted function.
    pub fn function(&self, name: &str, arguments: &[Sort], result: Sort) -> FnId {
        let mut inner = self.inner.borrow_mut();
        if let Some(&id) = inner.function_ids.get(name) {
            let known = &inner.functions[id.0 as usize];
            assert!(known.arguments == arguments && known.result == result, "function {name} declared twice");
            return id;
        }
        let id = FnId(inner.functions.len() as u32);
        let name: Rc<str> = Rc::from(name);
        inner.functions.push(Function { name: name.clone(), arguments: arguments.to_vec(), result });
        inner.function_ids.insert(name, id);
        id
    }

    /// The uninterpreted function of this name, if there is one.
    pub fn find_function(&self, name: &str) -> Option<FnId> {
        self.inner.borrow().function_ids.get(name).copied()
    }

    /// The name of a function.
    pub fn function_name(&self, function: FnId) -> Rc<str> {
        self.inner.borrow().functions[function.0 as usize].name.clone()
    }

    /// The argument sorts and the result sort of a function.
    pub fn function_sorts(&self, function: FnId) -> (Vec<Sort>, Sort) {
        let inner = self.inner.borrow();
        let found = &inner.functions[function.0 as usize];
        (found.arguments.clone(), found.result)
    }

    /// How many functions there are.
    pub fn function_count(&self) -> usize {
        self.inner.borrow().functions.len()
    }

    /// Interns a quantifier's variables and triggers.
    pub fn quantifier_id(&self, quantifier: Quantifier) -> QuantifierId {
        let mut inner = self.inner.borrow_mut();
        let next = QuantifierId(inner.quantifiers.len() as u32);
        let quantifier = Rc::new(quantifier);
        let id = *inner.quantifier_ids.entry(quantifier.clone()).or_insert(next);
        if id == next {
            inner.quantifiers.push(quantifier);
        }
        id
    }

    /// A quantifier's variables and triggers.
    pub fn quantifier(&self, id: QuantifierId) -> Rc<Quantifier> {
        self.inner.borrow().quantifiers[id.0 as usize].clone()
    }
}

impl Inner {
    fn add_var(&mut self, name: &str, sort: Sort) -> VarId {
        let id = VarId(self.vars.len() as u32);
        let name: Rc<str> = Rc::from(name);
        self.vars.push(NamedSort { name: name.clone(), sort });
        self.var_ids.insert(name, id);
        id
    }
}
