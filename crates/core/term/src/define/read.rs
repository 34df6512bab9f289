//! One formula that defines a function: its parameters, when it says anything, and what the function then is.

use super::mentions_any;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{FnId, Term, TermStore, VarId};
use crate::subst::Substitution;

/// `forall params :: unless_1 || ... || f(params) == body`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The defined function.
    pub function: FnId,
    /// The quantified variables, which are the function's arguments.
    pub params: Vec<VarId>,
    /// The disjuncts of the guard's negation.
    pub unless: Vec<Term>,
    /// The value of the function where no condition of `unless` holds.
    pub body: Term,
}

/// A formula with more disjuncts is not recognised as a definition.
const MOST_DISJUNCTS: usize = 32;

/// Reads a formula as a definition, by its shape alone.
pub(super) fn clause(store: &TermStore, formula: Term) -> Option<Clause> {
    let Op::Forall(quantifier) = store.op(formula) else { return None };
    let bound = &store.quantifier(quantifier).bound;
    let disjuncts = disjuncts(store, store.arg(formula, 0))?;
    let candidates = disjuncts
        .iter()
        .enumerate()
        .flat_map(|(at, &disjunct)| readings(store, disjunct).into_iter().map(move |(call, body)| (at, call, body)));
    candidates.into_iter().find_map(|(at, call, body)| {
        let rest = disjuncts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, &term)| term);
        with_head(store, bound, call, body, rest.collect())
    })
}

fn disjuncts(store: &TermStore, root: Term) -> Option<Vec<Term>> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        match store.op(term) {
            Op::Or => open.extend(store.args(term)),
            Op::Not if store.op(store.arg(term, 0)) == Op::And => {
                open.extend(store.args(store.arg(term, 0)).iter().map(|&part| store.not(part)));
            }
            _ => found.push(term),
        }
        if found.len() + open.len() > MOST_DISJUNCTS {
            return None;
        }
    }
    Some(found)
}

/// Forms in which a disjunct defines an application: `f(..) == body`, `f(..) + 1 == body`, `f(..) <==> body`,
/// `f(..)`, and the opposites of the last two.
fn readings(store: &TermStore, disjunct: Term) -> Vec<(Term, Term)> {
    let is_call = |term: Term| matches!(store.op(term), Op::Apply(_));
    let (inner, holds) = match store.op(disjunct) {
        Op::Not => (store.arg(disjunct, 0), false),
        _ => (disjunct, true),
    };
    match store.op(inner) {
        // Equality of truth values.
        Op::Xor => {
            let (left, right) = (store.arg(inner, 0), store.arg(inner, 1));
            let sides = [(left, right), (right, left)].into_iter().filter(|(call, _)| is_call(*call));
            return sides.map(|(call, body)| (call, if holds { store.not(body) } else { body })).collect();
        }
        Op::Apply(_) => return vec![(inner, store.bool(holds))],
        _ => {}
    }
    match store.op(disjunct) {
        Op::Eq => {
            let (left, right) = (store.arg(disjunct, 0), store.arg(disjunct, 1));
            let sides = [(left, right), (right, left)].into_iter().filter_map(|(call, body)| {
                if store.sort(call) != Sort::Int {
                    return Some((call, body));
                }
                let (base, offset) = store.split_integer(call);
                Some((base?, store.build(Op::IntAdd, &[body, store.int(offset.checked_neg()?)])))
            });
            sides.filter(|(call, _)| is_call(*call)).collect()
        }
        _ => Vec::new(),
    }
}

/// The clause for an application whose arguments are the bound variables, each once, integers with an offset at most.
fn with_head(store: &TermStore, bound: &[VarId], call: Term, body: Term, unless: Vec<Term>) -> Option<Clause> {
    let Op::Apply(function) = store.op(call) else { return None };
    if store.lambda(function).is_some() || store.theory_head(function).is_some() {
        return None;
    }
    let (mut params, mut shifts) = (Vec::new(), Vec::new());
    for &arg in &*store.args(call) {
        let (base, offset) = if store.sort(arg) == Sort::Int { store.split_integer(arg) } else { (Some(arg), 0) };
        let var = store.as_var(base?).filter(|var| bound.contains(var) && !params.contains(var))?;
        params.push(var);
        if offset != 0 {
            shifts.push((var, store.build(Op::IntAdd, &[base?, store.int(offset.checked_neg()?)])));
        }
    }
    if params.len() != bound.len() {
        return None;
    }
    let mut shift = Substitution::new(shifts);
    let (body, unless): (Term, Vec<Term>) = (shift.apply(store, body), unless.into_iter().map(|term| shift.apply(store, term)).collect());
    let mut plain = true;
    super::visit(store, unless.iter().copied().chain([body]), |op| {
        plain &= match op {
            Op::Forall(_) | Op::Exists(_) => false,
            Op::Apply(inner) => store.lambda(inner).is_none(),
            _ => true,
        }
    });
    plain.then_some(Clause { function, params, unless, body })
}

/// A comparison `variable < constant` or its negation, as an inclusive bound.
enum Bound {
    AtLeast(i64),
    AtMost(i64),
}

/// The bound that a part of `unless` puts on a parameter where it is false.
fn bound(store: &TermStore, unless: Term) -> Option<Vec<(VarId, Bound)>> {
    let less = |term: Term| {
        let pair = (store.op(term) == Op::IntLt).then(|| (store.arg(term, 0), store.arg(term, 1)))?;
        Some((store.as_var(pair.0)?, store.const_int(pair.1)?))
    };
    match store.op(unless) {
        Op::IntLt => less(unless).map(|(var, limit)| vec![(var, Bound::AtLeast(limit))]),
        Op::Not => {
            let inner = store.arg(unless, 0);
            if store.op(inner) == Op::Eq {
                let (var, value) = (store.as_var(store.arg(inner, 0))?, store.const_int(store.arg(inner, 1))?);
                return Some(vec![(var, Bound::AtLeast(value)), (var, Bound::AtMost(value))]);
            }
            less(inner).and_then(|(var, limit)| Some(vec![(var, Bound::AtMost(limit.checked_sub(1)?))]))
        }
        _ => None,
    }
}

impl Clause {
    /// The least and the greatest value that the guard leaves to a parameter.
    fn range(&self, store: &TermStore, param: usize) -> (i64, i64) {
        let bounds = self.unless.iter().filter_map(|&unless| bound(store, unless)).flatten();
        bounds.filter(|(var, _)| *var == self.params[param]).fold((i64::MIN, i64::MAX), |(least, most), (_, bound)| match bound {
            Bound::AtLeast(value) => (least.max(value), most),
            Bound::AtMost(value) => (least, most.min(value)),
        })
    }

    /// Whether the guards of two clauses of a function never hold together: different ranges of a parameter, or one
    /// asks for what the other excludes.
    pub(super) fn is_apart_from(&self, store: &TermStore, other: &Clause) -> bool {
        let apart = |param: usize| {
            let (one, two) = (self.range(store, param), other.range(store, param));
            one.0 > two.1 || two.0 > one.1
        };
        if (0..self.params.len()).any(apart) {
            return true;
        }
        let pairs = other.params.iter().copied().zip(self.params.iter().map(|&var| store.var_term(var)));
        let mut rename = Substitution::new(pairs.collect::<Vec<_>>());
        let theirs: Vec<Term> = other.unless.iter().map(|&term| rename.apply(store, term)).collect();
        self.unless.iter().any(|&unless| theirs.contains(&store.not(unless)))
    }

    /// The parameter that a term is, apart from an added constant, or `Some(None)` if no parameter occurs in it.
    pub(super) fn parameter_in(&self, store: &TermStore, term: Term) -> Option<Option<usize>> {
        let base = store.split_integer(term).0;
        let param = base.and_then(|base| store.as_var(base)).and_then(|var| self.params.iter().position(|&own| own == var));
        match param {
            Some(param) => Some(Some(param)),
            None if mentions_any(store, term, &self.params) => None,
            None => Some(None),
        }
    }
}
