//! What earlier queries taught. `Answers` is the exact cache: the same set of conjuncts with the same condition has
//! the same answer, in whatever order the conjuncts came. `Cores` are contradictions: a query that contains all terms
//! of one is unsatisfiable. `Recent` are the last models: one that satisfies the query's conjuncts and condition is an
//! answer. The first two are sound because a set of terms means the same in every state; the third is checked by
//! evaluation each time. All are bounded: the older half is forgotten when a table is full.

use crate::constraints::Constraints;
use crate::solver::Why;
use fathom_base::FxMap;
use fathom_term::{Evaluator, Term, TermStore};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Clone)]
pub(crate) enum Remembered {
    Sat(Rc<Evaluator>),
    Unsat,
    Unknown(Why),
}

struct Answered {
    conjuncts: Rc<[Term]>,
    condition: Term,
    answer: Remembered,
}

/// A table of two generations: when the young one is full it becomes the old one, and the old one is dropped.
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

/// The same for every order of the conjuncts.
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
    pub fn new(limit: usize) -> Self {
        Self { table: Generations::new(limit) }
    }

    pub fn get(&self, conjuncts: &[Term], condition: Term) -> Option<&Remembered> {
        let found = self.table.get(digest(conjuncts, condition)).flatten();
        let mut matching = found.filter(|one| one.condition == condition && same_set(&one.conjuncts, conjuncts));
        matching.next().map(|one| &one.answer)
    }

    pub fn insert(&mut self, conjuncts: &[Term], condition: Term, answer: Remembered) {
        let entry = self.table.entry(digest(conjuncts, condition));
        entry.retain(|one| one.condition != condition || !same_set(&one.conjuncts, conjuncts));
        entry.push(Answered { conjuncts: conjuncts.into(), condition, answer });
    }
}

/// Sets of terms that contradict each other. Constraints are satisfiable by themselves, so a core within constraints
/// and a condition contains the condition: looking under that one term finds it.
pub(crate) struct Cores {
    table: Generations<SmallVec<[Rc<[Term]>; 1]>>,
}

/// Larger cores are found by the condition they were learned with only.
const EVERY_MEMBER: usize = 8;
/// Cores that are remembered for one term.
const PER_TERM: usize = 16;

impl Cores {
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
            core.len() <= constraints.len() + 1
                && core.iter().rev().all(|&term| term == condition || constraints.contains(term))
        })
    }
}

/// The last models, most recently useful first.
pub(crate) struct Recent {
    models: VecDeque<Rc<Evaluator>>,
    limit: usize,
}

impl Recent {
    pub fn new(limit: usize) -> Self {
        Self { models: VecDeque::new(), limit }
    }

    pub fn insert(&mut self, model: &Rc<Evaluator>) {
        self.models.truncate(self.limit.saturating_sub(1));
        self.models.push_front(model.clone());
    }

    /// A model of all these terms. The condition comes first: it is what most models fail.
    pub fn find(&mut self, store: &TermStore, conjuncts: &[Term], condition: Term) -> Option<Rc<Evaluator>> {
        let holds = |model: &Rc<Evaluator>, term: Term| model.holds(store, term) == Some(true);
        let found = self.models.iter().position(|model| {
            holds(model, condition) && conjuncts.iter().rev().all(|&conjunct| holds(model, conjunct))
        })?;
        let model = self.models.remove(found)?;
        self.models.push_front(model.clone());
        Some(model)
    }
}
