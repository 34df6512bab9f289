//! Caches of earlier answers. `Answers` is the exact cache: the same set of conjuncts with the same condition has
//! the same answer, in whatever order the conjuncts came. `Cores` are contradictions: a query that contains all terms
//! of one is unsatisfiable. `Recent` are the last models: one that satisfies the query's conjuncts and condition is an
//! answer. The first two are sound because a set of terms means the same in every state; the third is checked by
//! evaluation each time. All are bounded: the older half is forgotten when a table is full.

use crate::constraints::Constraints;
use crate::solver::Why;
use fathom_base::FxMap;
use fathom_term::{Evaluator, FnId, Model, Symbol, Term, TermStore, vars_of};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

#[derive(Clone)]
pub(crate) enum Remembered {
    Sat(CachedModel),
    Unsat,
    Unknown(Why),
}

/// A model of the relevant constraints. Evaluators remember a value per node, so the cache keeps one only as long as
/// a state does, and else the values.
#[derive(Clone)]
pub(crate) struct CachedModel {
    live: Weak<Evaluator>,
    model: Rc<Model>,
}

impl CachedModel {
    /// The values of these symbols under a model.
    pub fn new(evaluator: &Rc<Evaluator>, symbols: &[Symbol]) -> Self {
        let model = Rc::new(overlay(&Model::default(), evaluator.model(), symbols));
        Self { live: Rc::downgrade(evaluator), model }
    }

    /// An evaluator for the values.
    pub fn evaluator(&self) -> Rc<Evaluator> {
        self.live.upgrade().unwrap_or_else(|| Rc::new(Evaluator::new((*self.model).clone())))
    }
}

/// The values of `new` for these symbols (sorted), those of `old` for all others.
pub(crate) fn overlay(old: &Model, new: &Model, symbols: &[Symbol]) -> Model {
    let mut model = old.clone();
    for var in vars_of(symbols) {
        match new.values.get(&var) {
            Some(value) => model.values.insert(var, value.clone()),
            None => model.values.remove(&var),
        }
    }
    let is_new = |function: FnId| symbols.binary_search(&Symbol::Function(function)).is_ok();
    model.functions.retain(|(function, _), _| !is_new(*function));
    for ((function, arguments), value) in &new.functions {
        if is_new(*function) {
            model.functions.insert((*function, arguments.clone()), value.clone());
        }
    }
    model
}

struct Answered {
    conjuncts: Rc<[Term]>,
    condition: Term,
    answer: Remembered,
}

/// A cache of two generations: when the young one is full it becomes the old one, and the old one is dropped.
struct Generations<V> {
    young: FxMap<u64, V>,
    old: FxMap<u64, V>,
    limit: usize,
}

impl<V: Default> Generations<V> {
    fn new(limit: usize) -> Self {
        Self { young: FxMap::default(), old: FxMap::default(), limit: limit / 2 }
    }

    fn get(&self, key: u64) -> impl Iterator<Item = &V> {
        self.young.get(&key).into_iter().chain(self.old.get(&key))
    }

    fn entry(&mut self, key: u64) -> &mut V {
        if self.young.len() > self.limit {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.entry(key).or_default()
    }
}

/// The exact cache.
pub(crate) struct Answers {
    table: Generations<SmallVec<[Answered; 1]>>,
}

/// A digest that does not depend on the order of the conjuncts.
fn digest(conjuncts: &[Term], condition: Term) -> u64 {
    let mix = |term: Term, salt: u64| {
        let mut x = (term.index() as u64 ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 32;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ x >> 29
    };
    conjuncts.iter().fold(mix(condition, 1 << 40), |sum, &term| sum.wrapping_add(mix(term, 0)))
}

fn same_set(a: &[Term], b: &[Term]) -> bool {
    let sorted = |terms: &[Term]| {
        let mut terms: SmallVec<[Term; 32]> = terms.into();
        terms.sort_unstable();
        terms
    };
    a == b || (a.len() == b.len() && sorted(a) == sorted(b))
}

impl Answers {
    /// A cache of at most so many entries.
    pub fn new(limit: usize) -> Self {
        Self { table: Generations::new(limit) }
    }

    /// The answer to the same query.
    pub fn get(&self, conjuncts: &[Term], condition: Term) -> Option<&Remembered> {
        let found = self.table.get(digest(conjuncts, condition)).flatten();
        let mut matching = found.filter(|one| one.condition == condition && same_set(&one.conjuncts, conjuncts));
        matching.next().map(|one| &one.answer)
    }

    /// Keeps an answer.
    pub fn insert(&mut self, conjuncts: &[Term], condition: Term, answer: Remembered) {
        let entry = self.table.entry(digest(conjuncts, condition));
        entry.retain(|one| one.condition != condition || !same_set(&one.conjuncts, conjuncts));
        entry.push(Answered { conjuncts: conjuncts.into(), condition, answer });
    }
}

/// Unsatisfiable cores. The constraints alone are satisfiable, so a core within constraints and condition contains the
/// condition: it is found by looking up that one term.
pub(crate) struct Cores {
    table: Generations<SmallVec<[Rc<[Term]>; 1]>>,
}

/// Cores that are larger than this are indexed only by the condition that they were learned with.
const EVERY_MEMBER: usize = 8;
/// The most cores that are kept per term.
const PER_TERM: usize = 16;

impl Cores {
    /// A table of at most so many cores.
    pub fn new(limit: usize) -> Self {
        Self { table: Generations::new(limit) }
    }

    /// Learns that the conjuncts contradict the condition.
    pub fn insert(&mut self, conjuncts: &[Term], condition: Term) {
        let core: Rc<[Term]> = conjuncts.iter().copied().filter(|&term| term != condition).chain([condition]).collect();
        let others = if core.len() <= EVERY_MEMBER { core.len() } else { 1 };
        for &member in core.iter().rev().take(others) {
            let cores = self.table.entry(member.index() as u64);
            // The weakest demand is the most useful: small cores stay.
            if cores.len() >= PER_TERM
                && let Some(largest) = (0..cores.len()).max_by_key(|&i| cores[i].len())
            {
                cores.remove(largest);
            }
            cores.push(core.clone());
        }
    }

    /// Whether a known core lies within the constraints and the condition.
    pub fn contradicts(&self, constraints: &Constraints, condition: Term) -> bool {
        let mut cores = self.table.get(condition.index() as u64).flatten();
        cores.any(|core| {
            core.len() <= constraints.len() + 1 && core.iter().rev().all(|&term| term == condition || constraints.contains(term))
        })
    }
}

/// The last models, most recently useful first, each with a symbol of the condition it was made for: models that
/// were made for the same variables are the likely ones.
pub(crate) struct Recent {
    models: VecDeque<(Option<Symbol>, Rc<Evaluator>)>,
    /// How many models are tried for one query.
    tries: usize,
}

/// How many models are kept per model that is tried.
const KEPT_PER_TRY: usize = 8;

impl Recent {
    /// A table from which so many models are tried per query.
    pub fn new(tries: usize) -> Self {
        Self { models: VecDeque::new(), tries }
    }

    /// Adds a model.
    pub fn insert(&mut self, symbol: Option<Symbol>, model: &Rc<Evaluator>) {
        if self.tries > 0 {
            self.models.truncate(self.tries * KEPT_PER_TRY - 1);
            self.models.push_front((symbol, model.clone()));
        }
    }

    /// A recent model that satisfies all these terms. The condition is evaluated first, because most models fail there.
    pub fn find(&mut self, store: &TermStore, symbol: Option<Symbol>, conjuncts: &[Term], condition: Term) -> Option<Rc<Evaluator>> {
        let holds = |model: &Evaluator, term: Term| model.holds(store, term) == Some(true);
        let satisfies = |model: &Evaluator| holds(model, condition) && conjuncts.iter().rev().all(|&conjunct| holds(model, conjunct));
        let indices = |same: bool| {
            let all = self.models.iter().enumerate();
            all.filter(move |(_, (other, _))| (*other == symbol) == same).map(|(index, _)| index)
        };
        let mut candidates = indices(true).chain(indices(false)).take(self.tries);
        let found = candidates.find(|&index| satisfies(&self.models[index].1))?;
        let (_, model) = self.models.remove(found)?;
        self.models.push_front((symbol, model.clone()));
        Some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::Sort;

    #[test]
    fn a_core_contradicts_only_where_all_of_it_is_there() {
        let store = TermStore::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, Sort::Bool));
        let mut cores = Cores::new(16);
        cores.insert(&[a, b], c);
        let mut constraints = Constraints::default();
        constraints.push(&store, a);
        assert!(!cores.contradicts(&constraints, c), "b is missing");
        assert!(!cores.contradicts(&constraints, b), "c is missing");
        constraints.push(&store, b);
        assert!(cores.contradicts(&constraints, c));
        assert!(!cores.contradicts(&constraints, store.not(c)), "another condition");
    }
}
