//! Facts and pairs of places, corrected until no step breaks them. Facts start as all that is guessed and only become fewer; pairs start
//! as none and only become more, so this ends.

use fathom_base::FxMap;
use fathom_engine::Interference;
use fathom_flat::Target;
use fathom_inductive::{Guesses, Limits, Queries, Reply, Samples, System, left_behind, left_behind_by, words};
use fathom_term::Term;
use std::collections::BTreeSet;

pub struct Search<'a, 'b> {
    system: &'a System<'a>,
    limits: &'a Limits,
    queries: &'a mut Queries<'b>,
    samples: &'a mut Samples,
    /// What holds where a thread rests.
    facts: FxMap<usize, Vec<Term>>,
    /// How often the facts of a place were corrected.
    versions: FxMap<usize, u32>,
    /// Segments that a thread may take.
    alive: BTreeSet<usize>,
    /// Where two threads may be.
    pub together: BTreeSet<(usize, usize)>,
    /// Steps, alone or beside a thread at some place, and the versions under which they were found to break nothing.
    kept: FxMap<(usize, Option<usize>), (u32, u32)>,
    others: FxMap<Term, Term>,
}

impl<'a, 'b> Search<'a, 'b> {
    pub fn of(system: &'a System<'a>, limits: &'a Limits, queries: &'a mut Queries<'b>, samples: &'a mut Samples) -> Self {
        let store = system.store();
        let guesses = Guesses::of(system, limits);
        let unread = system.flat.concurrent.iter().flat_map(|concurrent| &concurrent.unread).copied().collect::<BTreeSet<_>>();
        let mut facts: FxMap<usize, Vec<Term>> = FxMap::default();
        for &cut in &system.cuts {
            let mut own = if cut == 0 { Vec::new() } else { guesses.at(system, cut, limits) };
            own.retain(|&fact| !system.flat.vars(fact).iter().any(|var| unread.contains(var)));
            for state in samples.states.get(&cut).into_iter().flatten() {
                own.retain(|&fact| state.holds(store, fact) == Some(true));
            }
            own.truncate(limits.facts);
            facts.insert(cut, own);
        }
        Search {
            system,
            limits,
            queries,
            samples,
            facts,
            versions: FxMap::default(),
            alive: BTreeSet::new(),
            together: BTreeSet::new(),
            kept: FxMap::default(),
            others: FxMap::default(),
        }
    }

    /// None if time ran out.
    pub fn run(&mut self) -> Option<()> {
        loop {
            let mut changed = false;
            let steps: Vec<(usize, usize, usize)> = self.system.inner().collect();
            for (number, from, to) in steps {
                if self.is_reached(from) {
                    changed |= self.alone(number, from, to);
                    changed |= self.alive.contains(&number) && self.beside_others(number, from, to);
                }
                if self.queries.budget.exhausted().is_some() {
                    return None;
                }
            }
            tracing::debug!(alive = self.alive.len(), together = self.together.len(), calls = self.queries.calls, "round");
            if !changed {
                self.log();
                return Some(());
            }
        }
    }

    fn log(&self) {
        for (cut, facts) in &self.facts {
            let told: Vec<String> = facts.iter().map(|&fact| words(self.system.store(), fact)).collect();
            tracing::trace!(cut, facts = told.join("; "), "holds");
        }
        tracing::trace!(pairs = ?self.together, "together");
    }

    /// Whether a thread may come to the cut point.
    pub fn is_reached(&self, cut: usize) -> bool {
        cut == 0 || self.alive.iter().any(|&number| self.system.segments[number].to == Target::Block(cut))
    }

    /// Whether no thread ever takes the segment.
    pub fn excludes(&mut self, number: usize) -> bool {
        let question = self.context(number);
        self.queries.refutes(self.system.flat, &question)
    }

    pub fn proof(&self) -> Interference {
        let facts = |&cut: &usize| match self.is_reached(cut) {
            true => (cut, self.facts[&cut].clone()),
            false => (cut, vec![self.system.store().bool(false)]),
        };
        let cuts: Vec<(usize, Vec<Term>)> = self.system.cuts.iter().map(facts).collect();
        let labels = self.system.flat.labels_of_cuts(&cuts);
        Interference { cuts, together: self.together.iter().copied().collect(), labels }
    }

    fn context(&self, number: usize) -> Vec<Term> {
        let segment = &self.system.segments[number];
        self.facts[&segment.from].iter().chain(&segment.guard).copied().collect()
    }

    fn version(&self, cut: usize) -> u32 {
        self.versions.get(&cut).copied().unwrap_or(0)
    }

    fn is_together(&self, one: usize, other: usize) -> bool {
        self.together.contains(&Interference::pair(one, other))
    }

    fn correct(&mut self, cut: usize, facts: Vec<Term>) -> bool {
        if facts.len() == self.facts[&cut].len() {
            return false;
        }
        self.facts.insert(cut, facts);
        *self.versions.entry(cut).or_default() += 1;
        true
    }

    /// A step of one thread, and what it says of that one; whether anything changed.
    fn alone(&mut self, number: usize, from: usize, to: usize) -> bool {
        let key = (self.version(from), self.version(to));
        if self.kept.get(&(number, None)) == Some(&key) {
            return false;
        }
        let context = self.context(number);
        let mut changed = false;
        if !self.alive.contains(&number) {
            if let Reply::Unsat = self.queries.ask(self.system.flat, &context) {
                self.kept.insert((number, None), key);
                return false;
            }
            changed = self.alive.insert(number);
        }
        let left = left_behind(self.system, number, &context, &self.facts[&to], self.samples, self.queries, self.limits);
        changed |= self.correct(to, left);
        // Facts that were corrected are weaker where they are assumed, too.
        self.kept.insert((number, None), key);
        changed | self.together_with_maker(number, from, to)
    }

    /// A new thread is beside the one that started it.
    fn together_with_maker(&mut self, number: usize, from: usize, to: usize) -> bool {
        let forks = self.system.flat.concurrent.iter().flat_map(|concurrent| &concurrent.forks);
        let Some(&(_, child)) = forks.into_iter().find(|(block, _)| *block == from) else { return false };
        let alive = |&(other, start, _): &(usize, usize, usize)| start == from && other != number && self.alive.contains(&other);
        let partners = self.system.inner().filter(alive).filter(|&(.., end)| (end == child) != (to == child));
        let pairs: Vec<(usize, usize)> = partners.map(|(.., end)| Interference::pair(end, to)).collect();
        let before = self.together.len();
        self.together.extend(pairs);
        self.together.len() > before
    }

    /// The same step while another thread is elsewhere.
    fn beside_others(&mut self, number: usize, from: usize, to: usize) -> bool {
        let places: Vec<usize> = self.system.cuts.iter().copied().filter(|&place| self.is_together(place, from)).collect();
        let mut changed = false;
        for place in places {
            let key = (self.version(place), self.version(from));
            if self.kept.get(&(number, Some(place))) == Some(&key) {
                continue;
            }
            if self.queries.budget.exhausted().is_some() {
                return true;
            }
            changed |= self.beside(number, (from, to), place);
            self.kept.insert((number, Some(place)), key);
        }
        changed
    }

    fn beside(&mut self, number: usize, (from, to): (usize, usize), place: usize) -> bool {
        let (flat, store) = (self.system.flat, self.system.store());
        let segment = &self.system.segments[number];
        let own = self.facts[&place].clone();
        let behind: Vec<(Term, Term)> =
            own.iter().map(|&fact| (fact, flat.before_another(segment, fact))).filter(|(fact, after)| fact != after).collect();
        let is_new = !self.is_together(place, to);
        if !is_new && behind.is_empty() {
            return false;
        }
        let mut context = own.clone();
        for term in self.facts[&from].iter().chain(&segment.guard).copied().collect::<Vec<_>>() {
            context.push(*self.others.entry(term).or_insert_with(|| flat.of_another(term)));
        }
        context.push(flat.are_two());
        if is_new {
            if let Reply::Unsat = self.queries.ask(flat, &context) {
                return false;
            }
            self.together.insert(Interference::pair(place, to));
        }
        let touched: BTreeSet<Term> = behind.iter().map(|(fact, _)| *fact).collect();
        let left = left_behind_by(self.system, &context, behind, &mut |_| {}, self.queries, self.limits);
        let left: BTreeSet<Term> = left.into_iter().collect();
        debug_assert!(store.const_bool(flat.are_two()) != Some(false));
        let kept = own.into_iter().filter(|fact| !touched.contains(fact) || left.contains(fact)).collect();
        self.correct(place, kept) | is_new
    }
}
