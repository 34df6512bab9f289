//! Sorts and functions of solvers' theories that terms have no operations for (sequences, strings, regular expressions, ...).
//! To us they are uninterpreted, so whatever is concluded without a solver holds for any meaning they may have; a solver that
//! knows the theory takes them as SMT-LIB writes them, every other one refuses them.

use super::{FnId, TermStore};
use crate::sort::{OpaqueSortId, Sort};
use fathom_base::FxMap;
use std::rc::Rc;

/// Which uninterpreted sorts and functions are a theory's, and how SMT-LIB writes them.
#[derive(Default)]
pub(super) struct Theories {
    sorts: FxMap<OpaqueSortId, (Rc<str>, Rc<[Sort]>)>,
    heads: FxMap<FnId, Rc<str>>,
}

impl TermStore {
    /// The sort of a theory that SMT-LIB writes with this head, such as `Seq` of the sort `Int`.
    pub fn theory_sort(&self, head: &str, arguments: &[Sort]) -> Sort {
        let words: Vec<String> = arguments.iter().map(|&sort| format!(" {}", crate::smtlib::print_sort(self, sort))).collect();
        // No name of a program has a space in it.
        let sort = self.opaque_sort(&format!("theory {head}{}", words.concat()));
        if let Sort::Opaque(id) = sort {
            self.theories.borrow_mut().sorts.insert(id, (Rc::from(head), arguments.into()));
        }
        sort
    }

    /// Head and arguments of an opaque sort that is a theory's.
    pub fn theory_sort_parts(&self, sort: OpaqueSortId) -> Option<(Rc<str>, Rc<[Sort]>)> {
        self.theories.borrow().sorts.get(&sort).cloned()
    }

    /// Whether values of this sort contain elements of a theory's sort.
    pub fn involves_theory(&self, sort: Sort) -> bool {
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            match sort {
                Sort::Opaque(id) if self.theories.borrow().sorts.contains_key(&id) => return true,
                Sort::Array(id) => {
                    let (index, element) = self.array_sort_parts(id);
                    open.extend([index, element]);
                }
                _ => {}
            }
        }
        false
    }

    /// The function of a theory that SMT-LIB writes like this, such as `seq.len`, or `"abc"` without arguments.
    pub fn theory_function(&self, head: &str, arguments: &[Sort], result: Sort) -> FnId {
        let sorts: Vec<String> = arguments.iter().chain([&result]).map(|&sort| crate::smtlib::print_sort(self, sort)).collect();
        let function = self.function(&format!("theory {head}: {}", sorts.join(" ")), arguments, result);
        self.theories.borrow_mut().heads.insert(function, Rc::from(head));
        function
    }

    /// How SMT-LIB writes a function that is a theory's.
    pub fn theory_head(&self, function: FnId) -> Option<Rc<str>> {
        self.theories.borrow().heads.get(&function).cloned()
    }
}
