//! Keeps of guessed facts those that are inductive (Flanagan and Leino, FME 2001): a model of a segment behind which some of them
//! are false takes these away, until no segment has one. Facts at the start of a program are none, so the rest always holds.

use crate::facts::Guesses;
use crate::limits::Limits;
use crate::queries::{Queries, Reply};
use crate::samples::Samples;
use crate::system::System;
use fathom_base::{FxMap, FxSet};
use fathom_term::{Evaluator, Op, Term, TermStore};

/// What holds at each cut point whenever a run comes there; None if time ran out.
pub fn inductive(
    system: &System<'_>,
    guesses: &Guesses,
    samples: &mut Samples,
    queries: &mut Queries<'_>,
    limits: &Limits,
) -> Option<FxMap<usize, Vec<Term>>> {
    let store = system.store();
    let mut facts: FxMap<usize, Vec<Term>> = FxMap::default();
    for &cut in &system.cuts {
        let mut own = if cut == 0 { Vec::new() } else { guesses.at(system, cut, limits) };
        for state in samples.states.get(&cut).into_iter().flatten() {
            own.retain(|&fact| state.holds(store, fact) == Some(true));
        }
        own.truncate(limits.facts);
        facts.insert(cut, own);
    }
    let mut dirty: FxSet<usize> = system.cuts.iter().copied().collect();
    while let Some(&cut) = system.cuts.iter().find(|cut| dirty.contains(cut)) {
        dirty.remove(&cut);
        for (number, from, to) in system.inner().filter(|&(_, from, _)| from == cut) {
            if queries.budget.exhausted().is_some() {
                return None;
            }
            let context = system.context(number, &facts[&from]);
            let left = left_behind(system, number, &context, &facts[&to], samples, queries, limits);
            if left.len() < facts[&to].len() {
                dirty.insert(to);
                facts.insert(to, left);
            }
        }
    }
    for (cut, facts) in &facts {
        let told: Vec<String> = facts.iter().map(|&fact| crate::words::words(store, fact)).collect();
        tracing::trace!(cut, facts = told.join("; "), "holds");
    }
    Some(facts)
}

/// The facts that hold after the segment, whichever state of the context it starts in.
pub fn left_behind(
    system: &System<'_>,
    segment: usize,
    context: &[Term],
    facts: &[Term],
    samples: &mut Samples,
    queries: &mut Queries<'_>,
    limits: &Limits,
) -> Vec<Term> {
    let behind = facts.iter().map(|&fact| (fact, system.after(segment, fact))).collect();
    left_behind_by(system, context, behind, &mut |model| keep(samples, segment, model, limits), queries, limits)
}

/// Those of the facts for which the term beside them holds wherever the context does; models that refute some are told.
pub fn left_behind_by(
    system: &System<'_>,
    context: &[Term],
    facts: Vec<(Term, Term)>,
    refuted: &mut dyn FnMut(Evaluator),
    queries: &mut Queries<'_>,
    limits: &Limits,
) -> Vec<Term> {
    let store = system.store();
    let mut left = facts;
    loop {
        // What the context says already needs no solver.
        let open: Vec<Term> = left
            .iter()
            .map(|(_, after)| *after)
            .filter(|after| store.const_bool(*after) != Some(true) && !context.contains(after))
            .collect();
        if open.is_empty() {
            break;
        }
        let mut question = context.to_vec();
        question.push(store.not(store.and_all(open.iter().copied())));
        match queries.ask(system.flat, &question) {
            Reply::Unsat => break,
            Reply::Sat(model) => {
                let count = left.len();
                left.retain(|(_, after)| model.holds(store, *after) == Some(true));
                if left.len() == count {
                    left.retain(|(_, after)| !open.contains(after));
                }
                refuted(model);
            }
            Reply::Unknown => {
                left = one_by_one(system, context, left, queries, limits);
                break;
            }
        }
    }
    left.into_iter().map(|(fact, _)| fact).collect()
}

/// Those that are refuted by themselves in a short time: the plainest first, and only so many attempts fail.
fn one_by_one(
    system: &System<'_>,
    context: &[Term],
    facts: Vec<(Term, Term)>,
    queries: &mut Queries<'_>,
    limits: &Limits,
) -> Vec<(Term, Term)> {
    let store = system.store();
    let mut sorted: Vec<(usize, (Term, Term))> =
        facts.into_iter().map(|fact| (store.subterms([fact.1]).take(100).filter(|&part| is_hard(store, part)).count(), fact)).collect();
    sorted.sort_by_key(|(hard, _)| *hard);
    let mut failures = 0;
    let mut left = Vec::new();
    for (_, (fact, after)) in sorted {
        let is_plain = store.const_bool(after) == Some(true) || context.contains(&after);
        let mut question = context.to_vec();
        question.push(store.not(after));
        if is_plain || (failures < limits.hard_facts && queries.refutes_soon(system.flat, &question)) {
            left.push((fact, after));
        } else {
            failures += 1;
        }
    }
    left
}

/// Whether a term has operations that solvers find hard.
fn is_hard(store: &TermStore, term: Term) -> bool {
    matches!(store.op(term), Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvMul)
}

/// A model of a segment is a transition, though perhaps not of a state that a run comes to.
fn keep(samples: &mut Samples, segment: usize, model: Evaluator, limits: &Limits) {
    let known = samples.steps.entry(segment).or_default();
    if known.len() < limits.kept {
        known.push(std::rc::Rc::new(model));
    }
}
