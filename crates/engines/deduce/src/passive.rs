//! The passive form of a body without loops, in which variables have one value for all paths: an assignment only
//! renames, an arbitrary value is a new symbol, and where paths with different values meet, there is a new symbol,
//! which each edge equates with its own value. (Flanagan and Saxe, Avoiding exponential explosion, 2001.)
//!
//! What remains of a block are its assumptions and assertions, about symbols that never change.

use fathom_base::FxMap;
use fathom_flow::{BodyAccesses, Graph, Live};
use fathom_ir::{Block, Body, ControlEffect, Property, StatementKind, TerminatorKind};
use fathom_term::{Substitution, Term, TermStore, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};

/// A body about symbols that never change.
pub struct Passive {
    pub blocks: Vec<PassiveBlock>,
    pub entry: usize,
    /// Blocks that executions may come to, each before its successors.
    pub order: Vec<usize>,
}

/// A block whose variables never change.
#[derive(Default)]
pub struct PassiveBlock {
    pub label: String,
    pub facts: Vec<Fact>,
    pub edges: Vec<Edge>,
}

/// What a statement of a passive block says.
pub enum Fact {
    Assumed(Term),
    Asserted(Term),
}

/// A way on, what holds there, and the values that it gives to the symbols of its target.
pub struct Edge {
    pub target: usize,
    pub conditions: Vec<Term>,
}

type Values = FxMap<VarId, Term>;

/// An edge whose target has no symbols yet.
struct Incoming {
    block: usize,
    edge: usize,
    values: Values,
}

struct Runner<'a> {
    store: &'a TermStore,
    sets: VarSets,
    properties: &'a BTreeSet<Property>,
}

/// None if a statement touches memory or the graph has a cycle.
pub fn run(store: &TermStore, body: &Body, properties: &BTreeSet<Property>) -> Option<Passive> {
    let runner = Runner { store, sets: VarSets::default(), properties };
    let order: Vec<usize> = Graph::of(body).topological_order(body.entry.0)?.into_iter().map(|block| block as usize).collect();
    let variables = |term: Term, access: &mut dyn FnMut(VarId)| runner.sets.vars(store, term).into_iter().for_each(access);
    let live = Live::of(&BodyAccesses { body, results: &[], variables });
    let mut blocks: Vec<PassiveBlock> = body.blocks.iter().map(|_| PassiveBlock::default()).collect();
    let mut incoming: BTreeMap<usize, Vec<Incoming>> = BTreeMap::new();
    let entry = body.entry.0 as usize;
    let mut reached = Vec::new();
    for &number in &order {
        let mut values = match incoming.remove(&number) {
            Some(ways) => runner.join(ways, live.at_start(number as u32), &mut blocks),
            None if number == entry => Values::default(),
            None => continue,
        };
        reached.push(number);
        let block = &body.blocks[number];
        let (facts, dead) = runner.facts(block, &mut values)?;
        let ways = if dead { Vec::new() } else { runner.ways(block, &values)? };
        for (edge, (target, condition)) in ways.iter().enumerate() {
            let values = live.at_start(*target as u32).iter().filter_map(|var| Some((*var, *values.get(var)?))).collect();
            blocks[number].edges.push(Edge { target: *target, conditions: condition.iter().copied().collect() });
            incoming.entry(*target).or_default().push(Incoming { block: number, edge, values });
        }
        blocks[number].facts = facts;
        blocks[number].label = block.label.clone();
    }
    Some(Passive { blocks, entry, order: reached })
}

impl Runner<'_> {
    fn value(&self, term: Term, values: &Values) -> Term {
        let images: Vec<(VarId, Term)> =
            self.sets.vars(self.store, term).into_iter().filter_map(|var| Some((var, *values.get(&var)?))).collect();
        if images.is_empty() { term } else { Substitution::new(images).apply(self.store, term) }
    }

    /// What a block assumes and asserts, and whether no execution gets to its end.
    fn facts(&self, block: &Block, values: &mut Values) -> Option<(Vec<Fact>, bool)> {
        let mut facts = Vec::new();
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(pairs) => {
                    let new: Vec<(VarId, Term)> = pairs.iter().map(|&(var, value)| (var, self.value(value, values))).collect();
                    values.extend(new);
                }
                StatementKind::Assume(condition) => {
                    let condition = self.value(*condition, values);
                    match self.store.const_bool(condition) {
                        Some(true) => {}
                        Some(false) => return Some((facts, true)),
                        None => facts.push(Fact::Assumed(condition)),
                    }
                }
                StatementKind::Assert { condition, property, .. } if self.properties.contains(property) => {
                    let condition = self.value(*condition, values);
                    match self.store.const_bool(condition) {
                        Some(true) => {}
                        known => {
                            facts.push(Fact::Asserted(condition));
                            if known == Some(false) {
                                return Some((facts, true));
                            }
                        }
                    }
                }
                // What it does is unknown, so no run may come there.
                StatementKind::Unsupported(_) => {
                    facts.push(Fact::Asserted(self.store.bool(false)));
                    return Some((facts, true));
                }
                StatementKind::Watch(_) => {}
                // Its only effect is on its target variables: they get arbitrary values.
                other if other.control() == ControlEffect::Straight && !other.touches_memory() => {
                    let fresh = |var: VarId| (var, self.store.fresh(&self.store.var_name(var), self.store.var_sort(var)));
                    values.extend(other.targets().into_iter().map(fresh));
                }
                _ => return None,
            }
        }
        if let TerminatorKind::Unsupported(_) = block.terminator.kind {
            facts.push(Fact::Asserted(self.store.bool(false)));
        }
        Some((facts, false))
    }

    /// The ways out of a block that are not closed by constants.
    fn ways(&self, block: &Block, values: &Values) -> Option<Vec<(usize, Option<Term>)>> {
        Some(match &block.terminator.kind {
            TerminatorKind::Goto(targets) => targets.iter().map(|target| (target.0 as usize, None)).collect(),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.value(*condition, values);
                let sides = [(then, condition), (otherwise, self.store.not(condition))];
                let open = sides.into_iter().filter(|(_, side)| self.store.const_bool(*side) != Some(false));
                open.map(|(target, side)| (target.0 as usize, Some(side))).collect()
            }
            TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => Vec::new(),
            TerminatorKind::Switch(_) => return None,
        })
    }

    /// The values where ways meet. Variables that nothing reads any more are forgotten.
    fn join(&self, mut ways: Vec<Incoming>, live: &[VarId], blocks: &mut [PassiveBlock]) -> Values {
        if let [_] = ways.as_slice() {
            return ways.pop().map(|way| way.values).unwrap_or_default();
        }
        let mut joined = Values::default();
        for &var in live {
            let own = |way: &Incoming| way.values.get(&var).copied().unwrap_or_else(|| self.store.var_term(var));
            let first = own(&ways[0]);
            if ways.iter().all(|way| own(way) == first) {
                joined.insert(var, first);
                continue;
            }
            let symbol = self.store.fresh(&self.store.var_name(var), self.store.var_sort(var));
            for way in &ways {
                blocks[way.block].edges[way.edge].conditions.push(self.store.eq(symbol, own(way)));
            }
            joined.insert(var, symbol);
        }
        joined
    }
}
