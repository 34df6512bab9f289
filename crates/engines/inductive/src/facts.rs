//! Guesses at what always holds at a cut point: what guards compare, bounds by constants, order among variables, what
//! variables were made of, and remainders.

use crate::atoms::{at_most, atoms, constants, definitions, places};
use crate::laws::{Element, elements, laws};
use crate::limits::Limits;
use crate::system::System;
use fathom_base::{FxMap, FxSet};
use fathom_flat::Target;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// What guesses are made from, for all cut points.
pub struct Guesses {
    /// Atoms of guards and equations, with weaker forms.
    written: Vec<Term>,
    /// Elements of arrays.
    places: Vec<Term>,
    /// What excludes an access outside of an object, of other variables than the one that it is made with.
    in_range: Vec<Term>,
    /// Elements of arrays at a rigid index.
    laws: Vec<Element>,
}

impl Guesses {
    /// The guesses about a program.
    pub fn of(system: &System<'_>, limits: &Limits) -> Guesses {
        let guards = system.segments.iter().flat_map(|segment| &segment.guard);
        let mut written = Vec::new();
        for atom in atoms(system, guards, limits) {
            written.extend(with_neighbours(system.store(), atom));
        }
        written.extend(definitions(system, limits));
        written.extend(safe(system, limits));
        let all: Vec<usize> = (0..system.segments.len()).collect();
        Guesses { written, places: places(system, &all, limits), in_range: in_range(system, limits), laws: Vec::new() }
    }

    /// Adds guesses at what holds for every element of an array. Whether there are any.
    pub fn add_laws(&mut self, system: &mut System<'_>, limits: &Limits) -> bool {
        self.laws = elements(system, limits);
        let rigid: BTreeSet<VarId> = self.laws.iter().filter_map(|law| system.store().as_var(law.index)).collect();
        system.rigid = rigid.into_iter().collect();
        !self.laws.is_empty()
    }

    /// Facts that speak of what is live at the cut point, each once.
    pub fn at(&self, system: &System<'_>, cut: usize, limits: &Limits) -> Vec<Term> {
        let live = &system.live[&cut];
        let store = system.store();
        let mut all: Vec<Term> = Vec::new();
        let is_live = |term: &Term| system.flat.vars(*term).iter().all(|var| live.contains(var));
        laws(system, live, &self.laws, limits, &mut all);
        all.extend(self.written.iter().filter(|term| is_live(term)));
        let vars: Vec<Term> = live.iter().map(|&var| store.var_term(var)).collect();
        let bounded: Vec<Term> = vars.iter().chain(self.places.iter().filter(|place| is_live(place))).copied().collect();
        bounded.iter().for_each(|&var| near_zero(store, var, &mut all));
        let numbers: Vec<Term> =
            vars.into_iter().filter(|&var| matches!(store.sort(var), Sort::Bv(8..=64) | Sort::Int)).take(limits.compared).collect();
        for (at, &one) in numbers.iter().enumerate() {
            for &other in numbers[at + 1..].iter().filter(|&&other| store.sort(other) == store.sort(one)) {
                all.extend(at_most(store, one, other));
                all.extend(at_most(store, other, one));
                all.push(store.eq(one, other));
            }
        }
        all.extend(self.in_range.iter().filter(|term| is_live(term)));
        all.extend(distant(system, &bounded, limits));
        let mut seen: FxSet<Term> = FxSet::default();
        all.retain(|&fact| store.const_bool(fact).is_none() && seen.insert(fact));
        all
    }
}

/// That what has no meaning does not come next: for each segment to an error location that it can't be taken.
fn safe(system: &System<'_>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let to_errors = system.segments.iter().filter(|segment| matches!(segment.to, Target::Error(_)));
    let facts = to_errors.map(|segment| store.not(store.and_all(segment.guard.iter().copied())));
    facts.filter(|&fact| store.subterms([fact]).nth(8 * limits.nodes).is_none() && system.state_vars(fact).is_some()).collect()
}

/// An index that is in range now may be the bound of the one that the next loop uses.
fn in_range(system: &System<'_>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let to_errors = system.segments.iter().filter(|segment| matches!(segment.to, Target::Error(_)));
    let is_range = |&atom: &Term| store.op(atom) == Op::BvUlt && system.flat.vars(atom).len() > 1;
    let ranges: Vec<Term> = atoms(system, to_errors.flat_map(|segment| &segment.guard), limits).into_iter().filter(is_range).collect();
    let changed: BTreeSet<VarId> = system.segments.iter().flat_map(|segment| segment.assigns.iter().map(|(var, _)| *var)).collect();
    let mut found = Vec::new();
    for atom in ranges.into_iter().take(limits.places) {
        for var in system.flat.vars(atom) {
            let is_alike = |other: &&VarId| **other != var && store.var_sort(**other) == store.var_sort(var);
            for &other in changed.iter().filter(is_alike).take(limits.compared) {
                let moved = Substitution::new([(var, store.var_term(other))]).apply(store, atom);
                found.push(store.not(moved));
            }
        }
    }
    found
}

/// An atom, its negation, and what is a little weaker than either.
pub fn with_neighbours(store: &TermStore, atom: Term) -> Vec<Term> {
    let mut all = vec![atom, store.not(atom)];
    let args = store.args(atom);
    match store.op(atom) {
        Op::BvSlt => all.extend([store.bv_sle(args[0], args[1]), store.bv_sle(args[1], args[0])]),
        Op::BvUlt => all.extend([store.bv_ule(args[0], args[1]), store.bv_ule(args[1], args[0])]),
        Op::IntLt => all.push(store.build(Op::IntLe, &[args[0], args[1]])),
        Op::Eq => match store.sort(args[0]) {
            Sort::Bv(2..) => all.extend([
                store.bv_sle(args[0], args[1]),
                store.bv_sle(args[1], args[0]),
                store.bv_ule(args[0], args[1]),
                store.bv_ule(args[1], args[0]),
            ]),
            Sort::Int => {
                all.extend([store.build(Op::IntLe, &[args[0], args[1]]), store.build(Op::IntLe, &[args[1], args[0]])]);
            }
            _ => {}
        },
        _ => {}
    }
    all
}

/// Truth of a variable, or its bounds by zero and one and its lowest bits.
fn near_zero(store: &TermStore, var: Term, all: &mut Vec<Term>) {
    let own = match store.sort(var) {
        Sort::Bool => return all.extend([var, store.not(var)]),
        Sort::Bv(width @ 2..=64) => [store.bv(0, width), store.bv(1, width)],
        Sort::Int => [store.int(0), store.int(1)],
        _ => return,
    };
    own.into_iter().for_each(|constant| bounds(store, var, constant, all));
    if let Sort::Bv(8..) = store.sort(var) {
        for low in 1..=2 {
            let part = store.extract(var, low - 1, 0);
            all.extend((0..1u64 << low).map(|rest| store.eq(part, store.bv(rest, low))));
        }
    }
}

/// Bounds by the program's constants. All variables come to their turn with one constant before the next: where there are too many
/// guesses, the last ones are left out.
fn distant(system: &System<'_>, vars: &[Term], limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let mut known: FxMap<Sort, Vec<Term>> = FxMap::default();
    for &var in vars {
        let sort = store.sort(var);
        if matches!(sort, Sort::Bv(2..=64) | Sort::Int) {
            known.entry(sort).or_insert_with(|| constants(system, sort, limits));
        }
    }
    let mut all = Vec::new();
    for turn in 0..limits.constants {
        for &var in vars {
            if let Some(&constant) = known.get(&store.sort(var)).and_then(|constants| constants.get(turn)) {
                bounds(store, var, constant, &mut all);
            }
        }
    }
    all
}

/// Bounds of a variable by a constant.
fn bounds(store: &TermStore, var: Term, constant: Term, all: &mut Vec<Term>) {
    all.extend(at_most(store, constant, var));
    all.extend(at_most(store, var, constant));
    all.extend([store.eq(var, constant), store.ne(var, constant)]);
    if let Sort::Bv(_) = store.sort(var) {
        all.push(store.bv_ule(var, constant));
    }
}
