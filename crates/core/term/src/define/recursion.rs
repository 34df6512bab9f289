//! Decides whether the computation of functions by their definitions terminates. A call within a group of mutually
//! recursive functions must decrease a measure (`x`, `-x` or `x - y` of integer parameters) that is bounded from below
//! by the context of the call: the guard, the conditions of surrounding if-then-elses, and other operands of
//! conjunctions and disjunctions. Values that do not depend on the parameters count as constants: each has one value in
//! a model.
//!
//! Sound: along a chain of calls the measure falls by at least one each time, and is never below the least of finitely
//! many bounds, so the chain ends.

use super::{Clause, functions_in};
use crate::op::Op;
use crate::store::{FnId, Term, TermStore};
use fathom_base::{FxMap, FxSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most subterms of bodies that are visited, counted once per path to them.
const MOST_VISITS: usize = 4_000;

/// A measure: the difference of two parameters; None stands for a constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    plus: Option<usize>,
    minus: Option<usize>,
}

/// The conditions under which a subterm of a body is evaluated.
type PathCondition = Option<Rc<Condition>>;

struct Condition {
    term: Term,
    holds: bool,
    around: PathCondition,
}

/// The functions whose recursion provably ends.
pub(super) struct Groups(FxSet<FnId>);

impl Groups {
    /// Whether computing this function ends.
    pub fn ends(&self, function: FnId) -> bool {
        self.0.contains(&function)
    }
}

pub(super) fn groups(store: &TermStore, found: &BTreeMap<FnId, Vec<(Term, Rc<Clause>)>>) -> Groups {
    let parts = |clause: &Rc<Clause>| functions_in(store, clause.unless.iter().copied().chain([clause.body]));
    let uses: FxMap<FnId, FxSet<FnId>> =
        found.iter().map(|(&function, clauses)| (function, clauses.iter().flat_map(|(_, clause)| parts(clause)).collect())).collect();
    let leads_to: FxMap<FnId, FxSet<FnId>> = found.keys().map(|&function| (function, reachable(&uses, function))).collect();
    let mut fine = FxSet::default();
    for (&function, ahead) in &leads_to {
        let group: FxSet<FnId> =
            ahead.iter().copied().filter(|other| leads_to.get(other).is_some_and(|back| back.contains(&function))).collect();
        if group.is_empty() || group_ends(store, found, &group) {
            fine.insert(function);
        }
    }
    Groups(fine)
}

/// The functions reachable from one by calls; itself only if it is recursive.
fn reachable(uses: &FxMap<FnId, FxSet<FnId>>, from: FnId) -> FxSet<FnId> {
    let mut found = FxSet::default();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for &next in uses.get(&function).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

fn group_ends(store: &TermStore, found: &BTreeMap<FnId, Vec<(Term, Rc<Clause>)>>, group: &FxSet<FnId>) -> bool {
    let mut common: Option<BTreeSet<Measure>> = None;
    for (_, clause) in group.iter().filter_map(|function| found.get(function)).flatten() {
        let Some(calls) = calls(store, clause, group) else { return false };
        for measures in calls {
            common = Some(match common {
                None => measures,
                Some(before) => before.intersection(&measures).copied().collect(),
            });
        }
    }
    common.is_none_or(|common| !common.is_empty())
}

/// For each recursive call in a clause, the measures that decrease there and are bounded from below; None if none is found.
fn calls(store: &TermStore, clause: &Clause, group: &FxSet<FnId>) -> Option<Vec<BTreeSet<Measure>>> {
    if !functions_in(store, clause.unless.iter().copied()).is_disjoint(group) {
        return None;
    }
    let guard = clause.unless.iter().fold(None, |around, &term| Some(Rc::new(Condition { term, holds: false, around })));
    let mut found = Vec::new();
    let mut open: Vec<(Term, PathCondition)> = vec![(clause.body, guard)];
    let mut visits = 0;
    while let Some((term, known)) = open.pop() {
        visits += 1;
        if visits > MOST_VISITS {
            return None;
        }
        let args = store.args(term);
        let with = |term: Term, holds: bool, around: &PathCondition| Some(Rc::new(Condition { term, holds, around: around.clone() }));
        match store.op(term) {
            Op::Apply(function) if group.contains(&function) => {
                if !functions_in(store, args.iter().copied()).is_disjoint(group) {
                    return None;
                }
                found.push(falling(store, clause, &args, &known, group));
            }
            op @ (Op::And | Op::Or) => {
                for (at, &arg) in args.iter().enumerate() {
                    let beside = args.iter().enumerate().filter(|(other, _)| *other != at);
                    let known = beside.fold(known.clone(), |around, (_, &other)| with(other, op == Op::And, &around));
                    open.push((arg, known));
                }
            }
            Op::Ite => {
                open.push((args[0], known.clone()));
                open.push((args[1], with(args[0], true, &known)));
                open.push((args[2], with(args[0], false, &known)));
            }
            _ => open.extend(args.iter().map(|&arg| (arg, known.clone()))),
        }
    }
    Some(found)
}

/// The measures that are bounded where a call stands and that its arguments make smaller.
fn falling(store: &TermStore, clause: &Clause, args: &[Term], known: &PathCondition, group: &FxSet<FnId>) -> BTreeSet<Measure> {
    let mut measures = BTreeSet::new();
    let mut next = known.as_ref();
    while let Some(condition) = next {
        bounded(store, clause, condition.term, condition.holds, group, &mut measures);
        next = condition.around.as_ref();
    }
    let step = |param: Option<usize>| match param {
        None => Some(0),
        Some(param) => {
            let arg = *args.get(param)?;
            let (base, offset) = store.split_integer(arg);
            (store.as_var(base?) == Some(clause.params[param])).then_some(offset)
        }
    };
    let falls = |measure: &Measure| {
        step(measure.plus).zip(step(measure.minus)).and_then(|(plus, minus)| plus.checked_sub(minus)).is_some_and(|change| change < 0)
    };
    measures.retain(falls);
    measures
}

/// Adds the measures that a condition bounds from below.
fn bounded(store: &TermStore, clause: &Clause, term: Term, holds: bool, group: &FxSet<FnId>, into: &mut BTreeSet<Measure>) {
    let mut open = vec![(term, holds)];
    while let Some((term, holds)) = open.pop() {
        let args = store.args(term);
        match store.op(term) {
            Op::Not => open.push((args[0], !holds)),
            Op::And if holds => open.extend(args.iter().map(|&arg| (arg, true))),
            Op::Or if !holds => open.extend(args.iter().map(|&arg| (arg, false))),
            Op::IntLt if functions_in(store, args.iter().copied()).is_disjoint(group) => {
                let (less, more) = if holds { (args[0], args[1]) } else { (args[1], args[0]) };
                if let (Some(plus), Some(minus)) = (clause.parameter_in(store, more), clause.parameter_in(store, less)) {
                    into.insert(Measure { plus, minus });
                }
            }
            _ => {}
        }
    }
}
