//! Sorts that are not known by their name alone: arrays and uninterpreted sorts.

use super::TermStore;
use crate::sort::{ArraySortId, OpaqueSortId, Sort};
use std::rc::Rc;

impl TermStore {
    /// The sort of arrays with this index and element sort.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        let mut inner = self.inner.borrow_mut();
        let next = ArraySortId(inner.array_sorts.len() as u32);
        let id = *inner.array_sort_ids.entry((index, element)).or_insert(next);
        if id == next {
            inner.array_sorts.push((index, element));
        }
        Sort::Array(id)
    }

    /// Index and element sort.
    pub fn array_sort_parts(&self, id: ArraySortId) -> (Sort, Sort) {
        self.inner.borrow().array_sorts[id.0 as usize]
    }

    /// The uninterpreted sort of this name; made if it is new.
    pub fn opaque_sort(&self, name: &str) -> Sort {
        let mut inner = self.inner.borrow_mut();
        if let Some(&id) = inner.opaque_ids.get(name) {
            return Sort::Opaque(id);
        }
        let id = OpaqueSortId(inner.opaque_sorts.len() as u32);
        let name: Rc<str> = Rc::from(name);
        inner.opaque_sorts.push(name.clone());
        inner.opaque_ids.insert(name, id);
        Sort::Opaque(id)
    }

    /// The name of an uninterpreted sort.
    pub fn opaque_sort_name(&self, id: OpaqueSortId) -> Rc<str> {
        self.inner.borrow().opaque_sorts[id.0 as usize].clone()
    }

    /// The uninterpreted sort of this name, if there is one.
    pub fn find_opaque_sort(&self, name: &str) -> Option<Sort> {
        self.inner.borrow().opaque_ids.get(name).map(|&id| Sort::Opaque(id))
    }

    /// How many uninterpreted sorts there are.
    pub fn opaque_sort_count(&self) -> usize {
        self.inner.borrow().opaque_sorts.len()
    }
}
