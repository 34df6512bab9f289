//! One formula that asks whether any of many conjunctions is satisfiable. Along the paths of a program they share
//! prefixes, as links of the same chains. So they form a tree, and the formula follows it: a link's term, and the
//! disjunction of its subtrees. The size of the formula is that of the tree, while separate conjunctions would be
//! quadratic. The common prefix of all of them is asserted directly, the rest is one conjunct.
//!
//! Exact: a conjunction with its condition is a way from the root to a leaf, and a model of the formula satisfies all
//! terms on one such way.

use crate::constraints::{Constraints, Link};
use fathom_base::FxMap;
use fathom_term::{Term, TermStore};
use std::rc::Rc;

struct Node {
    term: Term,
    sequence: u32,
    parent: Option<usize>,
    children: u32,
    /// What may follow: conditions that were asked about here, and the formulas of the children.
    branches: Vec<Term>,
}

/// The conjunction that has a model if and only if one of these conjunctions with its condition has one.
pub fn either(store: &TermStore, cases: &[(&Constraints, Term)]) -> Constraints {
    let Some((first, _)) = cases.first() else {
        let mut nothing = Constraints::default();
        nothing.push(store, store.bool(false));
        return nothing;
    };
    let mut nodes: Vec<Node> = Vec::new();
    let mut indices: FxMap<*const Link, usize> = FxMap::default();
    let mut roots: Vec<Term> = Vec::new();
    for (constraints, condition) in cases {
        match enter(constraints, &mut nodes, &mut indices) {
            Some(leaf) => nodes[leaf].branches.push(*condition),
            None => roots.push(*condition),
        }
    }
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_unstable_by_key(|&node| nodes[node].sequence);
    let starts = nodes.iter().filter(|node| node.parent.is_none()).count();
    let mut common = Constraints::new(first.sets().clone());
    let mut shared = 0;
    if roots.is_empty() && starts == 1 {
        // Sequence numbers are distinct as long as the tree has one branch.
        for &node in &order {
            common.push(store, nodes[node].term);
            shared += 1;
            if nodes[node].children != 1 || !nodes[node].branches.is_empty() {
                break;
            }
        }
    }
    for &node in order[shared..].iter().rev() {
        let rest = store.or_all(nodes[node].branches.drain(..));
        let formula = store.and(nodes[node].term, rest);
        match nodes[node].parent {
            Some(parent) => nodes[parent].branches.push(formula),
            None => roots.push(formula),
        }
    }
    let rest = match shared {
        0 => roots,
        _ => std::mem::take(&mut nodes[order[shared - 1]].branches),
    };
    common.push(store, store.or_all(rest));
    common
}

/// Makes nodes for the links of a chain that have none; its end.
fn enter(constraints: &Constraints, nodes: &mut Vec<Node>, indices: &mut FxMap<*const Link, usize>) -> Option<usize> {
    let mut below: Option<usize> = None;
    let mut leaf = None;
    let mut at = constraints.newest();
    while let Some(link) = at {
        let known = indices.get(&Rc::as_ptr(link)).copied();
        let index = known.unwrap_or_else(|| {
            nodes.push(Node { term: link.term(), sequence: link.sequence(), parent: None, children: 0, branches: Vec::new() });
            indices.insert(Rc::as_ptr(link), nodes.len() - 1);
            nodes.len() - 1
        });
        if let Some(below) = below {
            nodes[below].parent = Some(index);
            nodes[index].children += 1;
        }
        leaf = leaf.or(Some(index));
        if known.is_some() {
            break;
        }
        below = Some(index);
        at = link.older();
    }
    leaf
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::{Evaluator, Model, Sort, Value};

    #[test]
    fn a_model_of_the_formula_is_one_of_a_case() {
        let store = TermStore::new();
        let vars: Vec<Term> = (0..5).map(|at| store.var(&format!("b{at}"), Sort::Bool)).collect();
        let mut start = Constraints::default();
        start.push(&store, vars[0]);
        let mut left = start.clone();
        left.push(&store, store.or(vars[1], vars[2]));
        let mut right = start.clone();
        right.push(&store, store.not(vars[1]));
        right.push(&store, vars[3]);
        let empty = Constraints::default();
        let (a, b, c) = (store.not(vars[2]), store.not(vars[4]), vars[4]);
        for cases in [
            vec![(&start, a), (&left, a), (&right, b)],
            vec![(&left, b), (&left, c)],
            vec![(&empty, a), (&right, c)],
            vec![(&right, c)],
            vec![],
        ] {
            let formula = either(&store, &cases);
            for bits in 0..32u32 {
                let values = vars.iter().enumerate().map(|(at, &var)| (store.as_var(var).unwrap(), Value::bool(bits >> at & 1 == 1)));
                let model = Evaluator::new(Model { values: values.collect(), ..Model::default() });
                let holds = |constraints: &Constraints| constraints.iter().all(|term| model.holds(&store, term) == Some(true));
                let wanted =
                    cases.iter().any(|(constraints, condition)| holds(constraints) && model.holds(&store, *condition) == Some(true));
                assert_eq!(holds(&formula), wanted, "{bits:b}");
            }
        }
    }

    #[test]
    fn the_formula_grows_with_the_chain() {
        let terms = |length: usize| {
            let store = TermStore::new();
            let mut chain = Constraints::default();
            let mut states = Vec::new();
            for at in 0..length {
                chain.push(&store, store.var(&format!("step{at}"), Sort::Bool));
                states.push((chain.clone(), store.var(&format!("fails{at}"), Sort::Bool)));
            }
            let before = store.len();
            either(&store, &states.iter().map(|(chain, fails)| (chain, *fails)).collect::<Vec<_>>());
            store.len() - before
        };
        assert!(terms(400) <= 2 * terms(200) + 8 && terms(400) <= 4 * 400, "{} {}", terms(200), terms(400));
    }
}
