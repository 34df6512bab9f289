//! The clauses of a flat program: one predicate per block over the variables that are live there, one clause per exit.

use crate::integers::Integers;
use fathom_flat::{Block, Edge, Flat, Target, Transition};
use fathom_term::{FnId, Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// A program as clauses.
pub struct Clauses {
    /// Closed formulas, each an implication.
    pub formulas: Vec<Term>,
    /// For each block its predicate.
    pub predicates: Vec<Predicate>,
}

/// What stands for the states at the start of a block.
pub struct Predicate {
    pub function: FnId,
    /// Its arguments: live variables of the program that have an image.
    pub arguments: Vec<VarId>,
}

/// The clauses of this program, in which sums wrap around or are taken not to.
pub fn clauses(flat: &Flat, wraps: bool) -> Clauses {
    let mut integers = Integers::new(&flat.terms, wraps);
    let live = live(flat);
    let predicates: Vec<Predicate> = live.iter().enumerate().map(|(block, live)| predicate(flat, &integers, block, live)).collect();
    let mut formulas = vec![start(flat, &mut integers, &predicates)];
    for (at, block) in flat.blocks.iter().enumerate() {
        let taken = block.edges.iter().filter(|edge| matches!(edge.target, Target::Block(_) | Target::Error(_)));
        formulas.extend(taken.map(|edge| clause(flat, &mut integers, &predicates, at, block, edge)));
    }
    Clauses { formulas, predicates }
}

fn predicate(flat: &Flat, integers: &Integers<'_>, block: usize, live: &BTreeSet<VarId>) -> Predicate {
    let store = &flat.terms;
    let with_image = |&var: &VarId| Some((var, integers.sort(store.var_sort(var))?));
    let (arguments, sorts): (Vec<VarId>, Vec<Sort>) = live.iter().filter_map(with_image).unzip();
    // Names that nothing else in the store has.
    let fresh = store.fresh(&format!("block{block}"), Sort::Bool);
    let name = store.as_var(fresh).map(|var| store.var_name(var)).unwrap_or_default();
    let name = format!("horn-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    Predicate { function: store.function(&name, &sorts, Sort::Bool), arguments }
}

/// Every state may be the first.
fn start(flat: &Flat, integers: &mut Integers<'_>, predicates: &[Predicate]) -> Term {
    integers.begin();
    let head = applied(&flat.terms, integers, &predicates[0]);
    closed(&flat.terms, integers, Vec::new(), head)
}

fn clause(flat: &Flat, integers: &mut Integers<'_>, predicates: &[Predicate], at: usize, block: &Block, edge: &Edge) -> Term {
    let store = &flat.terms;
    integers.begin();
    let mut body = vec![applied(store, integers, &predicates[at]), integers.term(edge.guard)];
    let head = match edge.target {
        Target::Block(to) => {
            let Predicate { function, arguments } = &predicates[to];
            let value =
                |var: &VarId| block.assigns.iter().find(|(assigned, _)| assigned == var).map_or(store.var_term(*var), |&(_, value)| value);
            let arguments: Vec<Term> = arguments.iter().map(|var| integers.term(value(var))).collect();
            store.apply(*function, &arguments)
        }
        _ => store.bool(false),
    };
    body.retain(|&part| store.const_bool(part) != Some(true));
    closed(store, integers, body, head)
}

fn applied(store: &TermStore, integers: &mut Integers<'_>, predicate: &Predicate) -> Term {
    let arguments: Vec<Term> = predicate.arguments.iter().filter_map(|&var| integers.variable(var)).collect();
    store.apply(predicate.function, &arguments)
}

/// For all values of the clause's variables within their ranges.
fn closed(store: &TermStore, integers: &mut Integers<'_>, body: Vec<Term>, head: Term) -> Term {
    let clause = integers.end();
    let body = store.and_all(body.into_iter().chain(clause.ranges));
    store.forall(clause.variables, Vec::new(), store.implies(body, head))
}

/// For each block the variables whose values at its start matter for where runs go.
fn live(flat: &Flat) -> Vec<BTreeSet<VarId>> {
    let exits = flat.blocks.iter().enumerate().flat_map(|(from, block)| block.edges.iter().map(move |edge| (from, block, edge)));
    let transitions: Vec<Transition<'_>> = exits
        .map(|(from, block, edge)| Transition {
            from,
            to: edge.target.block(),
            guard: std::slice::from_ref(&edge.guard),
            assigns: &block.assigns,
        })
        .collect();
    let mut live = flat.live(&transitions, &BTreeSet::new());
    (0..flat.blocks.len()).map(|block| live.remove(&block).unwrap_or_default()).collect()
}
