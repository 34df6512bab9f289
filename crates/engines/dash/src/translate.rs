//! Translates conditions at the start of a calling block: into what they say about the state before the call, whatever
//! it returns, and into conditions about the entry and the exit of the procedure.

use crate::project::project;
use fathom_flat::{Call, Flat, add_conjuncts};
use fathom_term::{Op, Substitution, Term, TermStore, VarId};

/// Whether a condition mentions inputs that are still to come.
pub fn speaks_of_inputs(flat: &Flat, part: Term) -> bool {
    flat.vars(part).iter().any(|&var| flat.inputs.ahead(var).is_some())
}

/// The conjunction for some values of the inputs, or something weaker.
pub fn without_inputs(flat: &Flat, mut parts: Vec<Term>) -> Vec<Term> {
    let store: &TermStore = &flat.terms;
    let input_of = |parts: &[Term], skip: &[VarId]| {
        parts.iter().flat_map(|&part| flat.vars(part)).find(|&var| flat.inputs.ahead(var).is_some() && !skip.contains(&var))
    };
    let mut left: Vec<VarId> = Vec::new();
    while let Some(input) = input_of(&parts, &left) {
        match parts.iter().find_map(|&part| solved(flat, part, input)) {
            Some(value) => {
                let mut image = Substitution::new([(input, value)]);
                let mut rest = Vec::new();
                parts.iter().for_each(|&part| add_conjuncts(store, image.apply(store, part), &mut rest));
                parts = rest;
            }
            None => left.push(input),
        }
    }
    parts.into_iter().filter_map(|part| if speaks_of_inputs(flat, part) { project(flat, part) } else { Some(part) }).collect()
}

/// The value that an equation gives to an input.
fn solved(flat: &Flat, part: Term, input: VarId) -> Option<Term> {
    let store: &TermStore = &flat.terms;
    match store.op(part) {
        Op::Var(var) if var == input => return Some(store.bool(true)),
        Op::Not if store.as_var(store.arg(part, 0)) == Some(input) => return Some(store.bool(false)),
        Op::Eq => {}
        _ => return None,
    }
    let free = |term: Term| !flat.vars(term).contains(&input);
    for (side, other) in [(0, 1), (1, 0)].map(|(one, two)| (store.arg(part, one), store.arg(part, two))) {
        if !free(other) {
            continue;
        }
        match store.op(side) {
            Op::Var(var) if var == input => return Some(other),
            Op::BvAdd => {
                let (one, two) = (store.arg(side, 0), store.arg(side, 1));
                let (inner, added) = if store.as_var(one) == Some(input) { (one, two) } else { (two, one) };
                if store.as_var(inner) == Some(input) && free(added) {
                    return Some(store.bv_sub(other, added));
                }
            }
            _ => {}
        }
    }
    None
}

/// From conditions of a caller to those of the procedure: results by their names inside, variables that were passed (with
/// a constant added, perhaps) by what the procedure got.
pub struct Translation {
    images: Vec<(VarId, Term)>,
}

impl Translation {
    /// From the variables of a called procedure to those of its caller.
    pub fn of(flat: &Flat, call: &Call) -> Translation {
        let store: &TermStore = &flat.terms;
        let procedure = &flat.procedures[call.procedure];
        let mut images: Vec<(VarId, Term)> = Vec::new();
        for (&inside, &passed) in procedure.entry.iter().zip(&call.entry) {
            let inside = store.var_term(inside);
            let inverse = match store.op(passed) {
                Op::Var(var) => Some((var, inside)),
                Op::BvAdd => {
                    let (one, two) = (store.arg(passed, 0), store.arg(passed, 1));
                    let (var, added) = if store.as_var(one).is_some() { (one, two) } else { (two, one) };
                    store.as_var(var).filter(|_| store.const_bits(added).is_some()).map(|var| (var, store.bv_sub(inside, added)))
                }
                _ => None,
            };
            images.extend(inverse.filter(|(var, _)| !images.iter().any(|(known, _)| known == var)));
        }
        let results = call.exit.iter().zip(&procedure.exit).filter_map(|(&input, &var)| Some((store.as_var(input)?, store.var_term(var))));
        images.extend(results);
        Translation { images }
    }

    /// With the values of the test for what means nothing to the procedure.
    pub fn term_here(&self, flat: &Flat, term: Term, here: &dyn Fn(VarId) -> Option<Term>) -> Option<Term> {
        let known = |var: &VarId| self.images.iter().any(|(image, _)| image == var);
        let others: Option<Vec<(VarId, Term)>> =
            flat.vars(term).into_iter().filter(|var| !known(var)).map(|var| Some((var, here(var)?))).collect();
        Some(Substitution::new(self.images.iter().copied().chain(others?)).apply(&flat.terms, term))
    }

    /// None if something in it means nothing to the procedure.
    pub fn term(&self, flat: &Flat, term: Term) -> Option<Term> {
        let known = |var: &VarId| self.images.iter().any(|(image, _)| image == var);
        let all = flat.vars(term).iter().all(known);
        all.then(|| Substitution::new(self.images.iter().copied()).apply(&flat.terms, term))
    }
}
