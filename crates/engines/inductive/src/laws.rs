//! Guesses at what holds for every element of an array, or for every one below a variable: `0 <= k < n` implies `1 <= a[k]`, where `k`
//! is a rigid variable (`fathom_flat::instances`).

use crate::atoms::{at_most, constants};
use crate::limits::Limits;
use crate::system::System;
use fathom_flat::indices;
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// An element of an array at a rigid index, as the program computes indices.
pub(crate) struct Element {
    /// The rigid variable.
    pub index: Term,
    /// The element.
    element: Term,
}

/// Elements of the arrays that segments read and write at an index that some variable changes in a loop.
pub(crate) fn elements(system: &System<'_>, limits: &Limits) -> Vec<Element> {
    let store = system.store();
    let terms =
        || system.segments.iter().flat_map(|segment| segment.guard.iter().copied().chain(segment.assigns.iter().map(|(_, value)| *value)));
    let mut found: Vec<Element> = Vec::new();
    let mut arrays: Vec<VarId> = Vec::new();
    for term in store.subterms(terms()) {
        let Some(array) = store.as_var(term).filter(|_| matches!(store.sort(term), Sort::Array(_))) else { continue };
        if !system.is_input(array) && !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    let runs: BTreeSet<VarId> = (system.segments.iter().filter(|segment| segment.from != 0))
        .flat_map(|segment| segment.assigns.iter().map(|(var, _)| *var))
        .collect();
    for index in indices(store, terms()) {
        let Some(vars) = system.state_vars(index) else { continue };
        for var in vars.into_iter().filter(|var| runs.contains(var)) {
            let Sort::Bv(width @ 8..=64) = store.var_sort(var) else { continue };
            let rigid = store.var(&format!("law!index{width}"), Sort::Bv(width));
            let pattern = Substitution::new([(var, rigid)]).apply(store, index);
            for element in arrays.iter().filter_map(|&array| element(store, array, pattern)) {
                if found.iter().all(|known| known.element != element) && found.len() < limits.places {
                    found.push(Element { index: rigid, element });
                }
            }
        }
    }
    found
}

/// The element of an array there, if that is an index of it and a number.
fn element(store: &TermStore, array: VarId, index: Term) -> Option<Term> {
    let Sort::Array(sort) = store.var_sort(array) else { return None };
    let (domain, range) = store.array_sort_parts(sort);
    (domain == store.sort(index) && matches!(range, Sort::Bv(8..=64))).then(|| store.select(store.var_term(array), index))
}

/// Laws about what is live at a cut point.
pub(crate) fn laws(system: &System<'_>, live: &BTreeSet<VarId>, elements: &[Element], limits: &Limits, all: &mut Vec<Term>) {
    let store = system.store();
    let is_live = |law: &&Element| {
        let vars = system.flat.vars(law.element);
        vars.iter().all(|var| live.contains(var) || store.as_var(law.index) == Some(*var))
    };
    for Element { index, element } in elements.iter().filter(is_live) {
        let (sort, width) = (store.sort(*element), store.sort(*index).width());
        let mut bounds = vec![store.bv(0, sort.width()), store.bv(1, sort.width())];
        bounds.extend(constants(system, sort, limits).into_iter().take(2));
        let from_start = store.bv_sle(store.bv(0, width), *index);
        let same_sort = live.iter().filter(|&&var| store.var_sort(var) == store.sort(*index)).take(limits.compared / 2);
        let below = same_sort.map(|&var| store.and(from_start, store.bv_slt(*index, store.var_term(var))));
        for range in std::iter::once(from_start).chain(below) {
            for &bound in &bounds {
                let sides = [at_most(store, bound, *element), at_most(store, *element, bound)];
                all.extend(sides.into_iter().flatten().map(|claim| store.implies(range, claim)));
            }
        }
    }
}
