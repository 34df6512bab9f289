//! The formula that some assertion fails. For every block there is a proposition "an execution from here fails", and
//! for every assertion one more, "an execution from behind it fails". Each implies what must then hold: the assumptions
//! of the block hold, and either the next assertion fails, or it holds and something after it fails; at the end some
//! successor leads to a failure. Implications suffice, because the query is only whether something fails. The
//! propositions let the solver consider one path at a time: the formulas of all other paths are irrelevant to it.
//!
//! Executions that the entry may choose between are different formulas.

use crate::passive::{Edge, Fact, Passive};
use fathom_term::{Sort, Term, TermStore};

/// The formula that some execution fails.
pub struct Formula {
    /// The label of the block where executions begin, and its number.
    pub place: String,
    pub from: usize,
    pub parts: Vec<Term>,
    /// Those of the parts that are true anyway.
    pub lemmas: Vec<Term>,
}

/// Builds the formula that some assertion of a passive body fails.
pub struct Condition<'a> {
    store: &'a TermStore,
    passive: &'a Passive,
    /// Per block: the proposition that an execution from there fails; None if that is impossible.
    fails: Vec<Option<Term>>,
    /// Per block: what follows from its propositions.
    implied: Vec<Vec<Term>>,
}

impl<'a> Condition<'a> {
    /// With the propositions of all blocks.
    pub fn new(store: &'a TermStore, passive: &'a Passive) -> Self {
        let count = passive.blocks.len();
        let mut condition = Condition { store, passive, fails: vec![None; count], implied: vec![Vec::new(); count] };
        for &block in passive.order.iter().rev() {
            condition.add(block);
        }
        condition
    }

    fn add(&mut self, number: usize) {
        let block = &self.passive.blocks[number];
        let ways: Vec<Term> = block.edges.iter().filter_map(|edge| self.way(edge)).collect();
        let mut fails = self.any(&ways);
        let mut implied = Vec::new();
        for fact in block.facts.iter().rev() {
            fails = match *fact {
                Fact::Assumed(condition) => fails.map(|fails| self.store.and(condition, fails)),
                Fact::Asserted(condition) => {
                    let violated = self.store.not(condition);
                    Some(match fails {
                        None => violated,
                        Some(later) => {
                            let behind = self.store.fresh("fails", Sort::Bool);
                            implied.push(self.store.implies(behind, self.store.and(condition, later)));
                            self.store.or(violated, behind)
                        }
                    })
                }
            };
        }
        self.fails[number] = fails.map(|fails| {
            let here = self.store.fresh("fails", Sort::Bool);
            implied.push(self.store.implies(here, fails));
            here
        });
        self.implied[number] = implied;
    }

    /// The condition that an execution takes this edge and fails behind it.
    fn way(&self, edge: &Edge) -> Option<Term> {
        let fails = self.fails[edge.target]?;
        Some(edge.conditions.iter().fold(fails, |all, &condition| self.store.and(condition, all)))
    }

    fn any(&self, ways: &[Term]) -> Option<Term> {
        let (first, rest) = ways.split_first()?;
        Some(rest.iter().fold(*first, |any, &way| self.store.or(any, way)))
    }

    /// A formula for each block where executions may begin.
    pub fn formulas(&self) -> Vec<Formula> {
        let entry = &self.passive.blocks[self.passive.entry];
        let Some(fails) = self.fails[self.passive.entry] else { return Vec::new() };
        if entry.edges.len() < 2 || entry.facts.iter().any(|fact| matches!(fact, Fact::Asserted(_))) {
            let parts = self.parts(self.passive.entry, fails);
            return vec![Formula { place: entry.label.clone(), from: self.passive.entry, parts, lemmas: Vec::new() }];
        }
        let begin = |edge: &Edge| {
            let way = self.way(edge)?;
            let assumed = entry.facts.iter().map(|fact| match *fact {
                Fact::Assumed(condition) | Fact::Asserted(condition) => condition,
            });
            let start = assumed.fold(way, |all, condition| self.store.and(condition, all));
            let (place, parts) = (self.passive.blocks[edge.target].label.clone(), self.parts(edge.target, start));
            Some(Formula { place, from: edge.target, parts, lemmas: Vec::new() })
        };
        entry.edges.iter().filter_map(begin).collect()
    }

    /// The condition that an execution from this block fails, in conjuncts.
    fn parts(&self, from: usize, start: Term) -> Vec<Term> {
        let mut seen = vec![false; self.passive.blocks.len()];
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                open.extend(self.passive.blocks[block].edges.iter().map(|edge| edge.target));
            }
        }
        let reached = self.passive.order.iter().filter(|&&block| seen[block]);
        std::iter::once(start).chain(reached.flat_map(|&block| self.implied[block].iter().copied())).collect()
    }
}
