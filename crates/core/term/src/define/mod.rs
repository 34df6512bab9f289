//! Functions that quantified formulas define: `forall n :: 1 <= n ==> f(n) == n * f(n - 1)`. Where the guard holds, the
//! function is the body; elsewhere it may be anything. If calls within the body go down a measure that their guards
//! bound from below, then for every choice of values elsewhere there is exactly one function that satisfies the
//! formula: it can be computed, by terminating recursion. So such a formula never causes a contradiction, and a model
//! of everything else, extended by the computed function, is a model of all formulas.
//!
//! That needs more than the shape of one formula (`Definitions::among`): a function may have several such formulas only
//! if at most one of their guards holds at any point, and no other quantified formula may mention the function, or
//! anything that the definition is made of, since a model knows such things at some points only.

mod evaluate;
mod read;
mod recursion;

pub use evaluate::Points;
pub use read::Clause;

use crate::op::Op;
use crate::store::{FnId, Term, TermStore, VarId};
use crate::subst::Substitution;
use fathom_base::{FxMap, FxSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Functions with the formulas that define them.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    clauses: BTreeMap<FnId, Vec<Rc<Clause>>>,
}

/// Clauses of formulas that were looked at before.
pub type ClauseMemo = FxMap<Term, Option<Rc<Clause>>>;

impl Definitions {
    /// The definitions among quantified formulas, and the formulas that are none.
    pub fn among(store: &TermStore, formulas: &[Term], memo: &mut ClauseMemo) -> (Definitions, Vec<Term>) {
        let mut found: BTreeMap<FnId, Vec<(Term, Rc<Clause>)>> = BTreeMap::new();
        let mut others = Vec::new();
        for &formula in formulas {
            match memo.entry(formula).or_insert_with(|| read::clause(store, formula).map(Rc::new)) {
                Some(clause) => found.entry(clause.function).or_default().push((formula, clause.clone())),
                None => others.push(formula),
            }
        }
        // A clause that turns out to be no definition may keep others from being one, so this is repeated.
        loop {
            let spoken_of = symbols(store, others.iter().copied());
            let groups = recursion::groups(store, &found);
            let bad = |function: &FnId| {
                let clauses = &found[function];
                spoken_of.contains(&Op::Apply(*function))
                    || clauses.iter().any(|(_, clause)| !clause.symbols(store).is_disjoint(&spoken_of))
                    || overlap(store, clauses)
                    || !groups.ends(*function)
            };
            let gone: Vec<FnId> = found.keys().copied().filter(|function| bad(function)).collect();
            if gone.is_empty() {
                break;
            }
            for function in gone {
                others.extend(found.remove(&function).into_iter().flatten().map(|(formula, _)| formula));
            }
        }
        let plain = |clauses: Vec<(Term, Rc<Clause>)>| clauses.into_iter().map(|(_, clause)| clause).collect();
        (Definitions { clauses: found.into_iter().map(|(function, clauses)| (function, plain(clauses))).collect() }, others)
    }

    /// Whether nothing is defined.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether a function has a definition.
    pub fn defines(&self, function: FnId) -> bool {
        self.clauses.contains_key(&function)
    }

    /// The functions with a definition.
    pub fn functions(&self) -> impl Iterator<Item = FnId> {
        self.clauses.keys().copied()
    }

    /// Instances of the definitions for the applications in these terms, then for those in the instances, and so on for so many
    /// rounds. None if that gets too large; the flag says that a further round would add nothing.
    pub fn instances(&self, store: &TermStore, terms: &[Term], times: usize, most: usize) -> Option<(Vec<Term>, bool)> {
        let mut instances = Vec::new();
        let (mut seen, mut known) = (FxSet::default(), FxSet::default());
        let mut from: Vec<Term> = terms.to_vec();
        for _ in 0..times {
            let mut next = Vec::new();
            for application in applications(store, &from, &mut seen) {
                let Op::Apply(function) = store.op(application) else { continue };
                for clause in self.clauses.get(&function).into_iter().flatten() {
                    let instance = clause.instance(store, application);
                    if store.const_bool(instance) != Some(true) && known.insert(instance) {
                        next.push(instance);
                    }
                }
            }
            instances.extend(next.iter().copied());
            if next.is_empty() {
                return Some((instances, true));
            }
            if instances.len() > most {
                return None;
            }
            from = next;
        }
        Some((instances, false))
    }
}

impl Clause {
    /// The variables and functions that it is made of, its parameters left out.
    fn symbols(&self, store: &TermStore) -> FxSet<Op> {
        let mut found = symbols(store, self.unless.iter().copied().chain([self.body]));
        found.retain(|op| !matches!(op, Op::Var(var) if self.params.contains(var)));
        found
    }

    /// The formula at the arguments of an application of the function.
    fn instance(&self, store: &TermStore, application: Term) -> Term {
        let args = store.args(application);
        let mut at = Substitution::new(self.params.iter().copied().zip(args.iter().copied()));
        let same = store.eq(application, at.apply(store, self.body));
        self.unless.iter().fold(same, |all, &unless| store.or(all, at.apply(store, unless)))
    }
}

/// Applications of functions, as far as no quantifier binds anything in them.
fn applications(store: &TermStore, roots: &[Term], seen: &mut FxSet<Term>) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = roots.to_vec();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Forall(_) | Op::Exists(_) => continue,
            Op::Apply(_) => found.push(term),
            _ => {}
        }
        open.extend(store.args(term));
    }
    found
}

fn symbols(store: &TermStore, roots: impl Iterator<Item = Term>) -> FxSet<Op> {
    let mut found = FxSet::default();
    visit(store, roots, |op| {
        if let Op::Apply(_) | Op::Var(_) = op {
            found.insert(op);
        }
    });
    found
}

fn functions_in(store: &TermStore, roots: impl Iterator<Item = Term>) -> FxSet<FnId> {
    let mut found = FxSet::default();
    visit(store, roots, |op| {
        if let Op::Apply(function) = op {
            found.insert(function);
        }
    });
    found
}

pub(crate) fn mentions_any(store: &TermStore, root: Term, vars: &[VarId]) -> bool {
    let mut found = false;
    visit(store, [root].into_iter(), |op| found |= matches!(op, Op::Var(var) if vars.contains(&var)));
    found
}

/// Visits every operation in some terms, except in triggers.
fn visit(store: &TermStore, roots: impl Iterator<Item = Term>, mut show: impl FnMut(Op)) {
    let mut seen = FxSet::default();
    let mut open: Vec<Term> = roots.collect();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            show(store.op(term));
            open.extend(store.args(term));
        }
    }
}

/// Whether two guards of a function may hold at the same point, judged by their comparisons of parameters with constants.
fn overlap(store: &TermStore, clauses: &[(Term, Rc<Clause>)]) -> bool {
    let pairs = clauses.iter().enumerate().flat_map(|(at, (_, one))| clauses[..at].iter().map(move |(_, other)| (one, other)));
    pairs.into_iter().any(|(one, other)| !one.is_apart_from(store, other))
}

#[cfg(test)]
mod tests;
