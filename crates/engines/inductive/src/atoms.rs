//! What a program compares: the atoms of its guards, its constants, and what its variables are made of.

use crate::limits::Limits;
use crate::system::System;
use fathom_base::{FxMap, FxSet};
use fathom_flat::Segment;
use fathom_term::{Op, Sort, Term, TermStore, VarId};

/// Comparisons in guards, each once and without negation, over variables alone.
pub fn atoms<'t>(system: &System<'_>, guards: impl Iterator<Item = &'t Term>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let mut seen: FxSet<Term> = FxSet::default();
    let mut atoms = Vec::new();
    for &guard in guards {
        let mut open = vec![guard];
        while let Some(term) = open.pop() {
            if !seen.insert(term) || store.op(term).is_const() {
                continue;
            }
            match store.op(term) {
                Op::And | Op::Or | Op::Not | Op::Xor => open.extend(store.args(term).iter().rev().copied()),
                Op::Ite if store.sort(term) == Sort::Bool => open.extend(store.args(term).iter().rev().copied()),
                Op::Eq if store.sort(store.arg(term, 0)) == Sort::Bool => open.extend(store.args(term).iter().rev().copied()),
                _ if store.subterms([term]).nth(limits.nodes).is_some() => {}
                _ if system.state_vars(term).is_some() => atoms.push(term),
                _ => {}
            }
        }
    }
    atoms
}

/// Constants of this sort in the program, the first ones.
pub fn constants(system: &System<'_>, sort: Sort, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    // What is compared says more than what is computed with.
    let guards = system.segments.iter().flat_map(|segment| segment.guard.iter().copied());
    let values = system.segments.iter().flat_map(|segment| segment.assigns.iter().map(|(_, value)| *value));
    let mut found = Vec::new();
    for term in store.subterms(guards).chain(store.subterms(values)) {
        if store.sort(term) == sort && store.op(term).is_const() && !found.contains(&term) {
            found.push(term);
            if found.len() >= limits.constants {
                break;
            }
        }
    }
    found
}

/// Equations `variable = term` that some segment leaves behind: what the variable was made of, as far as that is still there.
pub fn definitions(system: &System<'_>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let mut found = Vec::new();
    let mut seen: FxSet<Term> = FxSet::default();
    for segment in &system.segments {
        // An input is known by the variable that keeps it, and a value by the one that was given it.
        let names = names(system, segment);
        for &(var, value) in &segment.assigns {
            let is_small = store.subterms([value]).nth(limits.nodes).is_none();
            if !is_small || matches!(store.sort(value), Sort::Array(_)) {
                continue;
            }
            let mut others = names.clone();
            others.retain(|&known, _| known != value);
            let renamed = named(store, &mut others, value);
            let equation = store.eq(store.var_term(var), renamed);
            let extended = narrow(store, value).map(|inner| {
                let low = store.extract(store.var_term(var), store.sort(inner).width() - 1, 0);
                store.eq(
                    store.var_term(var),
                    store.build(
                        store.op(value),
                        &store.args(value).iter().map(|&arg| if arg == inner { low } else { arg }).collect::<Vec<_>>(),
                    ),
                )
            });
            for equation in [Some(equation), extended].into_iter().flatten() {
                if system.state_vars(equation).is_some() && store.const_bool(equation).is_none() && seen.insert(equation) {
                    found.push(equation);
                }
            }
        }
    }
    found.extend(written(system, limits));
    found
}

/// Elements of arrays (memory with symbolic offsets) that these segments read, as far as the state alone says which they are.
pub fn places(system: &System<'_>, segments: &[usize], limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let values = |&number: &usize| {
        let segment = &system.segments[number];
        segment.guard.iter().copied().chain(segment.assigns.iter().map(|(_, value)| *value))
    };
    let is_place = |&term: &Term| {
        store.op(term) == Op::Select
            && matches!(store.sort(term), Sort::Bv(2..=64) | Sort::Int)
            && store.op(store.arg(term, 0)) != Op::Store
            && store.subterms([term]).nth(limits.nodes).is_none()
            && system.state_vars(term).is_some()
    };
    store.subterms(segments.iter().flat_map(values)).filter(is_place).take(limits.places).collect()
}

/// What was written into an array, newest first. A write that has a condition counts as if it held.
fn writes(store: &TermStore, array: Term, limits: &Limits) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    let mut array = array;
    while found.len() < 4 * limits.places {
        let args = store.args(array);
        match store.op(array) {
            Op::Store => {
                let element = if store.op(args[2]) == Op::Ite { store.arg(args[2], 1) } else { args[2] };
                found.push((args[1], element));
                array = args[0];
            }
            Op::Ite => array = args[1],
            _ => break,
        }
    }
    found
}

/// What segments leave in arrays: that the element there is what was written.
fn written(system: &System<'_>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let mut found = Vec::new();
    for segment in &system.segments {
        let mut names = names(system, segment);
        for &part in &segment.guard {
            if store.subterms([part]).nth(limits.nodes).is_none() {
                let fact = named(store, &mut names, part);
                if fades(system, part) && system.state_vars(fact).is_some() && !found.contains(&fact) {
                    found.push(fact);
                }
            }
        }
        for &(var, value) in &segment.assigns {
            for (index, element) in writes(store, value, limits) {
                if store.subterms([index, element]).nth(2 * limits.nodes).is_none() {
                    let (index, element) = (named(store, &mut names, index), named(store, &mut names, element));
                    let fact = store.eq(store.select(store.var_term(var), index), element);
                    if system.state_vars(fact).is_some() && !found.contains(&fact) {
                        found.push(fact);
                    }
                }
            }
        }
    }
    found
}

/// Whether a condition says nothing later: it is about inputs, or about what other threads may change.
fn fades(system: &System<'_>, part: Term) -> bool {
    let shared = |var: &VarId| system.flat.concurrent.as_ref().is_some_and(|concurrent| concurrent.shared.contains(var));
    system.state_vars(part).is_none_or(|vars| vars.iter().any(shared))
}

/// What the values behind a segment are called there, by variables whose values still matter. Of a number that was made
/// wider, the low part is the number.
fn names(system: &System<'_>, segment: &Segment) -> FxMap<Term, Term> {
    let store = system.store();
    let live = segment.to.block().and_then(|to| system.live.get(&to));
    let mut names: FxMap<Term, Term> = FxMap::default();
    for &(var, value) in &segment.assigns {
        let is_dead = !live.is_some_and(|live| live.contains(&var));
        if is_dead || store.op(value).is_const() || matches!(store.sort(value), Sort::Array(_)) {
            continue;
        }
        let name = store.var_term(var);
        names.insert(value, name);
        if let Some(inner) = narrow(store, value) {
            names.entry(inner).or_insert_with(|| store.extract(name, store.sort(inner).width() - 1, 0));
        }
    }
    names
}

/// The number that this is with more bits.
fn narrow(store: &TermStore, term: Term) -> Option<Term> {
    let args = store.args(term);
    match store.op(term) {
        Op::BvZeroExtend(_) | Op::BvSignExtend(_) => Some(args[0]),
        Op::BvConcat if store.const_bits(args[0]) == Some(0) => Some(args[1]),
        _ => None,
    }
}

/// A small term with what has a name replaced by the name, the largest parts first.
fn named(store: &TermStore, names: &mut FxMap<Term, Term>, term: Term) -> Term {
    if let Some(&name) = names.get(&term) {
        return name;
    }
    let args = store.args(term);
    if args.is_empty() || matches!(store.op(term), Op::Forall(_) | Op::Exists(_)) {
        return term;
    }
    let args: Vec<Term> = args.iter().map(|&arg| named(store, names, arg)).collect();
    let renamed = store.build(store.op(term), &args);
    names.insert(term, renamed);
    renamed
}

/// At most, in the order that the sort has; bit-vectors as two's complement numbers.
pub fn at_most(store: &TermStore, one: Term, other: Term) -> Option<Term> {
    match store.sort(one) {
        Sort::Bv(_) => Some(store.bv_sle(one, other)),
        Sort::Int => Some(store.build(Op::IntLe, &[one, other])),
        _ => None,
    }
}
