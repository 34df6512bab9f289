//! Guesses at measures: differences of what guards compare, variables, sums and differences of two, each also cut off at a constant
//! (so that what goes on falling below it does not count), distances that wrap around, and choices between two by an atom.

use fathom_base::FxSet;
use fathom_flat::Segment;
use fathom_inductive::Limits;
use fathom_inductive::System;
use fathom_inductive::{atoms, places};
use fathom_term::{Op, Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// Bits that a sum of a few terms needs more than its parts.
const SPARE: u32 = 3;

/// Where signed numbers may overflow. Runs that do are left out of the proof, and so a measure must not rest on the range of a type
/// there: a loop that ends only because a number overflows is not proved to end.
#[derive(Default)]
pub struct Overflow {
    /// Cut points from which it happens.
    pub from: BTreeSet<usize>,
    /// Variables of the terms that overflow.
    pub operands: BTreeSet<VarId>,
    /// Comparisons that tell whether they do.
    checks: BTreeSet<Term>,
}

impl Overflow {
    /// Notes what a segment that leads to an overflow says beyond those that go on, whether it can be taken or not: what excludes one overflow
    /// may be that another one comes first.
    pub fn note(&mut self, system: &System<'_>, segment: &Segment) {
        let goes_on = |other: &&Segment| other.from == segment.from && other.to.block().is_some();
        let others: BTreeSet<Term> = system.segments.iter().filter(goes_on).flat_map(|other| other.guard.iter().copied()).collect();
        let own: Vec<Term> = segment.guard.iter().copied().filter(|part| !others.contains(part)).collect();
        self.operands.extend(own.iter().flat_map(|&part| system.flat.vars(part)));
        self.checks.extend(atoms(system, own.iter(), &Limits { nodes: usize::MAX - 1, ..Limits::default() }));
    }
}

/// The atoms in guards of these segments that measures are made of.
fn own_atoms(system: &System<'_>, left: &[usize], overflow: Option<&Overflow>, limits: &Limits) -> Vec<Term> {
    let guards = left.iter().flat_map(|&number| &system.segments[number].guard);
    let mut all = atoms(system, guards, limits);
    all.retain(|atom| !overflow.is_some_and(|overflow| overflow.checks.contains(atom)));
    all
}

/// The guesses for a component with these segments, the likeliest first; `overflow` if it happens in this one.
pub fn measures(system: &System<'_>, left: &[usize], overflow: Option<&Overflow>, limits: &Limits) -> Vec<Term> {
    let bounded = overflow.is_some();
    let rests_on_range =
        |term: Term| overflow.is_some_and(|overflow| system.flat.vars(term).iter().any(|var| overflow.operands.contains(var)));
    let store = system.store();
    let atoms = own_atoms(system, left, overflow, limits);
    let mut plain: Vec<Term> = Vec::new();
    let mut around: Vec<Term> = Vec::new();
    for &atom in &atoms {
        compared(store, atom, &mut plain, &mut around);
    }
    let mut changed = changed(system, left);
    changed.extend(places(system, left, limits));
    let bits: Vec<Term> = changed.iter().copied().filter(|&var| matches!(store.sort(var), Sort::Bv(2..=64) | Sort::Int)).collect();
    for &var in &bits {
        let wide = signed(store, var);
        plain.extend([wide, negated(store, wide)]);
        if matches!(store.sort(var), Sort::Bv(_)) && !rests_on_range(var) {
            let wide = unsigned(store, var);
            plain.extend([wide, negated(store, wide)]);
        }
    }
    for (at, &one) in bits.iter().enumerate().take(limits.compared) {
        for &other in bits[at + 1..].iter().take(limits.compared) {
            let Some((one, other)) = same_width(store, signed(store, one), signed(store, other)) else { continue };
            let sum = plus(store, one, other);
            let difference = plus(store, one, negated(store, other));
            plain.extend([sum, negated(store, sum), difference, negated(store, difference)]);
        }
    }
    let mut all: Vec<Term> = Vec::new();
    all.extend(plain.iter().map(|&term| cut_off(store, term, 0)));
    all.extend(around.into_iter().filter(|&term| !rests_on_range(term)));
    all.extend(changed.iter().filter(|&&var| store.sort(var) == Sort::Bool).flat_map(|&var| {
        let truth = |condition: Term| store.resize_unsigned(store.bool_to_bv(condition, 1), 2);
        [truth(var), truth(store.not(var))]
    }));
    all.extend(atoms.iter().flat_map(|&atom| {
        let truth = |condition: Term| store.resize_unsigned(store.bool_to_bv(condition, 1), 2);
        [truth(atom), truth(store.not(atom))]
    }));
    if !bounded {
        all.extend(plain.iter().filter(|&&term| store.sort(term) != Sort::Int));
    }
    for floor in [-1, 1] {
        all.extend(plain.iter().map(|&term| cut_off(store, term, floor)));
    }
    all.extend(plain.iter().filter(|&&term| bounded && store.sort(term) != Sort::Int).map(|&term| cut_off(store, term, -(1 << 20))));
    let mut seen: FxSet<Term> = FxSet::default();
    all.retain(|&term| seen.insert(term) && !store.op(term).is_const());
    all
}

/// Terms in which two measures are chosen by an atom: each less the other where it holds.
pub fn choices(system: &System<'_>, left: &[usize], overflow: Option<&Overflow>, limits: &Limits) -> Vec<Term> {
    let store = system.store();
    let atoms = own_atoms(system, left, overflow, limits);
    let vars: Vec<Term> = changed(system, left)
        .into_iter()
        .chain(places(system, left, limits))
        .filter(|&var| matches!(store.sort(var), Sort::Bv(2..=64)))
        .take(limits.compared / 2)
        .collect();
    let mut plain: Vec<Term> = Vec::new();
    let mut around = Vec::new();
    atoms.iter().for_each(|&atom| compared(store, atom, &mut plain, &mut around));
    for &var in &vars {
        plain.extend([signed(store, var), negated(store, signed(store, var))]);
    }
    plain.truncate(limits.compared * 2);
    let mut signs: Vec<Term> = vars.iter().map(|&var| store.bv_slt(var, store.bv(0, store.sort(var).width()))).collect();
    signs.extend(atoms.iter().take(limits.compared));
    let mut all = Vec::new();
    for &atom in &signs {
        for (at, &one) in plain.iter().enumerate() {
            for &other in &plain[at + 1..] {
                let Some((one, other)) = same_width(store, one, other) else { continue };
                let double = |term: Term| plus(store, term, term);
                let after = plus(store, double(other), constant(store, store.sort(other), 1));
                for (then, otherwise) in [(double(one), after), (after, double(one))] {
                    all.push(cut_off(store, store.ite(atom, then, otherwise), 0));
                }
            }
        }
    }
    // What a variable will be behind a segment, where that is less than it is: progress that takes two rounds.
    for &number in left {
        for &term in &plain {
            let next = system.after(number, term);
            if system.state_vars(next).is_none() || next == term {
                continue;
            }
            all.push(cut_off(store, store.ite(store.bv_slt(next, term), next, term), 0));
        }
    }
    all
}

/// Variables that some of the segments change.
fn changed(system: &System<'_>, left: &[usize]) -> Vec<Term> {
    let mut seen: FxSet<Term> = FxSet::default();
    let mut all = Vec::new();
    for &number in left {
        let segment = &system.segments[number];
        let live = segment.to.block().map(|to| &system.live[&to]);
        for (var, _) in &segment.assigns {
            let term = system.store().var_term(*var);
            if live.is_some_and(|live| live.contains(var)) && seen.insert(term) {
                all.push(term);
            }
        }
    }
    all
}

/// What a comparison says is finite: the differences of its sides.
fn compared(store: &TermStore, atom: Term, plain: &mut Vec<Term>, around: &mut Vec<Term>) {
    let args = store.args(atom);
    let (one, other) = match store.op(atom) {
        Op::BvSlt => (signed(store, args[0]), signed(store, args[1])),
        Op::BvUlt => (unsigned(store, args[0]), unsigned(store, args[1])),
        Op::IntLt | Op::IntLe => (args[0], args[1]),
        Op::Eq => match store.sort(args[0]) {
            Sort::Bv(2..) => {
                let (up, down) = (store.bv_sub(args[0], args[1]), store.bv_sub(args[1], args[0]));
                around.extend([unsigned(store, up), unsigned(store, down)]);
                (signed(store, args[0]), signed(store, args[1]))
            }
            Sort::Int => (args[0], args[1]),
            _ => return,
        },
        _ => return,
    };
    plain.push(plus(store, other, negated(store, one)));
    plain.push(plus(store, one, negated(store, other)));
}

fn signed(store: &TermStore, term: Term) -> Term {
    match store.sort(term) {
        Sort::Bv(width) => store.resize_signed(term, width + SPARE),
        _ => term,
    }
}

fn unsigned(store: &TermStore, term: Term) -> Term {
    match store.sort(term) {
        Sort::Bv(width) => store.resize_unsigned(term, width + SPARE),
        _ => term,
    }
}

fn same_width(store: &TermStore, one: Term, other: Term) -> Option<(Term, Term)> {
    match (store.sort(one), store.sort(other)) {
        (Sort::Bv(a), Sort::Bv(b)) => Some((store.resize_signed(one, a.max(b)), store.resize_signed(other, a.max(b)))),
        (a, b) => (a == b).then_some((one, other)),
    }
}

fn plus(store: &TermStore, one: Term, other: Term) -> Term {
    match store.sort(one) {
        Sort::Bv(_) => store.bv_add(one, other),
        _ => store.build(Op::IntAdd, &[one, other]),
    }
}

fn negated(store: &TermStore, term: Term) -> Term {
    match store.sort(term) {
        Sort::Bv(_) => store.build(Op::BvNeg, &[term]),
        _ => store.build(Op::IntNeg, &[term]),
    }
}

fn constant(store: &TermStore, sort: Sort, number: i64) -> Term {
    match sort {
        Sort::Bv(width) => {
            let narrow = store.bv(number as u64 & fathom_term::mask(width.min(64)), width.min(64));
            store.resize_signed(narrow, width)
        }
        _ => store.int(number),
    }
}

/// The term, or the floor where it is lower.
fn cut_off(store: &TermStore, term: Term, floor: i64) -> Term {
    let is_unsigned = match store.op(term) {
        Op::BvZeroExtend(_) => true,
        Op::BvConcat => store.const_bits(store.arg(term, 0)) == Some(0),
        _ => false,
    };
    match store.sort(term) {
        Sort::Bv(_) if is_unsigned && floor <= 0 => term,
        Sort::Bv(width) => {
            let floor = constant(store, Sort::Bv(width), floor);
            store.ite(store.bv_slt(term, floor), floor, term)
        }
        // A measure that is an integer is cut off at zero in any case.
        _ => plus(store, term, constant(store, Sort::Int, -floor)),
    }
}
