//! The proof itself: a component of segments loses what can't go on for ever, until nothing is left of it that has a cycle.

use crate::limits::Limits;
use crate::measures::{Overflow, choices, measures};
use fathom_base::{FxMap, FxSet, Loc};
use fathom_engine::{Measure, Phase, Step};
use fathom_inductive::Samples;
use fathom_inductive::System;
use fathom_inductive::atoms;
use fathom_inductive::left_behind;
use fathom_inductive::with_neighbours;
use fathom_inductive::words;
use fathom_inductive::{Queries, Reply};
use fathom_term::{Evaluator, Term, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// What is known of the end of a run that stays in a component.
#[derive(Clone, Default)]
pub struct Known {
    /// Conditions at cut points.
    pub at: FxMap<usize, Vec<Term>>,
    /// Conditions of single segments, over their start.
    pub of: FxMap<usize, Vec<Term>>,
}

/// Looks for a proof.
pub struct Prover<'a, 'b> {
    pub system: &'a System<'a>,
    pub queries: &'a mut Queries<'b>,
    pub samples: &'a mut Samples,
    pub limits: &'a Limits,
    pub overflow: &'a Overflow,
    /// What decreases where, for people.
    pub told: Vec<(Loc, String)>,
}

/// The cut points of a component for which nothing was found.
pub struct Stuck(pub Vec<usize>);

impl Prover<'_, '_> {
    /// A phase for each component of these segments.
    pub fn phases(&mut self, left: &[usize], known: &Known) -> Result<Vec<Phase>, Stuck> {
        let mut phases = Vec::new();
        for heads in self.system.components(left) {
            let own = self.system.within(left, &heads);
            phases.push(self.phase(heads, own, known.clone())?);
        }
        Ok(phases)
    }

    fn phase(&mut self, mut heads: Vec<usize>, mut left: Vec<usize>, mut known: Known) -> Result<Phase, Stuck> {
        heads.sort_unstable();
        let mut steps = Vec::new();
        self.prune(&mut left, &known, &mut steps);
        let mut partial = 0;
        let mut narrowed = false;
        loop {
            let components = self.system.components(&left);
            let is_whole = matches!(&components[..], [only] if only.len() == heads.len());
            if !is_whole {
                let rest = self.phases(&left, &known)?;
                return Ok(Phase { heads, steps, rest });
            }
            left = self.system.within(&left, &heads);
            if self.queries.budget.exhausted().is_some() || partial > self.limits.partial_measures {
                return Err(Stuck(heads));
            }
            let found = match self.measure(&heads, &left, &known) {
                Some(found) => Some(found),
                None if !narrowed => {
                    narrowed = true;
                    self.narrow(&heads, &left, &mut known, &mut steps);
                    self.prune(&mut left, &known, &mut steps);
                    continue;
                }
                None => None,
            };
            let Some(measure) = found else { return Err(Stuck(heads)) };
            self.tell(&measure);
            self.keep_equal(&measure, &left, &mut known);
            steps.push(Step::Measure(measure));
            let count = left.len();
            self.prune(&mut left, &known, &mut steps);
            narrowed = left.len() < count && self.system.components(&left).len() == 1;
            partial = if left.len() < count { 0 } else { partial + 1 };
            if narrowed {
                self.narrow(&heads, &left, &mut known, &mut steps);
                self.prune(&mut left, &known, &mut steps);
            }
        }
    }

    fn context(&self, number: usize, known: &Known) -> Vec<Term> {
        let at = known.at.get(&self.system.segments[number].from).map_or(&[][..], Vec::as_slice);
        let mut context = self.system.context(number, at);
        context.extend(known.of.get(&number).into_iter().flatten());
        context
    }

    /// Takes away the segments that can't be taken any more.
    fn prune(&mut self, left: &mut Vec<usize>, known: &Known, steps: &mut Vec<Step>) {
        let mut ended = Vec::new();
        for &number in left.iter() {
            match self.queries.ask(self.system.flat, &self.context(number, known)) {
                Reply::Unsat => ended.push(number),
                Reply::Sat(model) => self.sample(number, model),
                Reply::Unknown => {}
            }
        }
        tracing::trace!(?left, ?ended, "pruned");
        if !ended.is_empty() {
            left.retain(|number| !ended.contains(number));
            steps.push(Step::Ends(ended));
        }
    }

    fn sample(&mut self, number: usize, model: Evaluator) {
        let known = self.samples.steps.entry(number).or_default();
        if known.len() < 3 * self.limits.guesses.kept {
            known.push(Rc::new(model));
        }
    }

    /// Transitions of the segments within what is known.
    fn transitions(&self, left: &[usize], known: &Known) -> Vec<(usize, Rc<Evaluator>)> {
        let store = self.system.store();
        let mut all = Vec::new();
        for &number in left {
            let context = self.context(number, known);
            let fits = |model: &&Rc<Evaluator>| context.iter().all(|&term| model.holds(store, term) == Some(true));
            let models = self.samples.steps.get(&number).into_iter().flatten().filter(fits);
            all.extend(models.map(|model| (number, model.clone())));
        }
        all
    }

    /// Adds facts that hold after every remaining segment.
    fn narrow(&mut self, heads: &[usize], left: &[usize], known: &mut Known, steps: &mut Vec<Step>) {
        let system = self.system;
        let store = system.store();
        let guards: Vec<Term> = left.iter().flat_map(|&number| system.segments[number].guard.iter().copied()).collect();
        let mut guesses: Vec<Term> = Vec::new();
        for atom in atoms(system, guards.iter(), &self.limits.guesses) {
            guesses.extend(with_neighbours(store, atom));
        }
        for &number in left {
            for &(var, value) in &system.segments[number].assigns {
                guesses.push(store.eq(store.var_term(var), value));
            }
        }
        let mut seen: FxSet<Term> = FxSet::default();
        guesses.retain(|&term| store.const_bool(term).is_none() && system.state_vars(term).is_some() && seen.insert(term));
        let seen = self.transitions(left, known);
        let mut all = Vec::new();
        for &head in heads {
            let old = known.at.get(&head).cloned().unwrap_or_default();
            let live = &system.live[&head];
            let about = |term: Term| system.flat.vars(term).iter().all(|var| live.contains(var));
            let mut new: Vec<Term> = guesses.iter().copied().filter(|&term| !old.contains(&term) && about(term)).collect();
            let into = |number: usize| system.segments[number].to.block() == Some(head);
            for (number, model) in seen.iter().filter(|(number, _)| into(*number)) {
                new.retain(|&term| model.holds(store, system.after(*number, term)) == Some(true));
            }
            new.truncate(self.limits.guesses.facts);
            for &number in left.iter().filter(|&&number| into(number)) {
                let context = self.context(number, known);
                new = left_behind(system, number, &context, &new, self.samples, self.queries, &self.limits.guesses);
            }
            if !new.is_empty() {
                all.push((head, new));
            }
        }
        // Each of them was shown without the others.
        for (head, new) in &all {
            known.at.entry(*head).or_default().extend(new);
        }
        if !all.is_empty() {
            steps.push(Step::Narrow(all));
        }
    }

    /// A measure that no segment increases, and that one of them decreases for certain or at least sometimes.
    fn measure(&mut self, heads: &[usize], left: &[usize], known: &Known) -> Option<Measure> {
        let overflow = Some(self.overflow).filter(|overflow| heads.iter().any(|head| overflow.from.contains(head)));
        let guesses = measures(self.system, left, overflow, &self.limits.guesses);
        self.among(guesses, heads, left, known).or_else(|| {
            let guesses = choices(self.system, left, overflow, &self.limits.guesses);
            self.among(guesses, heads, left, known)
        })
    }

    /// The term as a measure: the same at all cut points, or at each what it is behind a way to one of them. (A loop inside
    /// another may keep the same number in another variable.)
    fn forms(&self, term: Term, heads: &[usize], left: &[usize]) -> Vec<Measure> {
        let system = self.system;
        let mut all = vec![Measure { at: heads.iter().map(|&head| (head, term)).collect() }];
        for &base in heads.iter().take(self.limits.bases).filter(|_| heads.len() > 1) {
            let mut at: Vec<(usize, Term)> = vec![(base, term)];
            let mut next = 0;
            while let Some(&(to, value)) = at.get(next) {
                next += 1;
                for &number in left.iter().filter(|&&number| system.segments[number].to.block() == Some(to)) {
                    let from = system.segments[number].from;
                    let before = system.after(number, value);
                    if !at.iter().any(|(known, _)| *known == from) && system.state_vars(before).is_some() {
                        at.push((from, before));
                    }
                }
            }
            at.sort_unstable_by_key(|(head, _)| *head);
            let form = Measure { at };
            if form.at.len() == heads.len() && all.iter().all(|known| known.at != form.at) {
                all.push(form);
            }
        }
        all
    }

    fn among(&mut self, guesses: Vec<Term>, heads: &[usize], left: &[usize], known: &Known) -> Option<Measure> {
        let mut seen = self.transitions(left, known);
        let mut open: Vec<(Measure, u64)> = Vec::new();
        for term in guesses {
            for measure in self.forms(term, heads, left) {
                if let Some(worth) = self.worth(&measure, left, &seen) {
                    open.push((measure, worth));
                }
            }
        }
        let mut refuted = 0;
        while refuted < self.limits.refuted_measures && self.queries.budget.exhausted().is_none() {
            let best = open.iter().enumerate().max_by_key(|(at, (_, worth))| (*worth, std::cmp::Reverse(*at)))?.0;
            let (measure, _) = open.remove(best);
            match self.counterexample(&measure, left, known) {
                None => return Some(measure),
                Some(None) => {}
                Some(Some(step)) => {
                    open.retain(|(measure, _)| self.change(measure, &step).is_some_and(|change| change != Ordering::Greater));
                    seen.push(step);
                }
            }
            refuted += 1;
        }
        None
    }

    /// How many segments it decreases whenever they were seen, and then how often it was seen to decrease; None if it was seen to increase,
    /// or never to decrease.
    fn worth(&self, measure: &Measure, left: &[usize], seen: &[(usize, Rc<Evaluator>)]) -> Option<u64> {
        let mut strict = 0;
        let mut always: FxMap<usize, bool> = left.iter().map(|&number| (number, false)).collect();
        let mut last = None;
        for step in seen {
            let change = self.change(measure, step)?;
            if change == Ordering::Greater {
                return None;
            }
            let is_first = last.replace(step.0) != Some(step.0);
            let decreases = change == Ordering::Less;
            strict += decreases as u64;
            let entry = always.entry(step.0).or_default();
            *entry = decreases && (is_first || *entry);
        }
        let certain = always.values().filter(|&&always| always).count() as u64;
        (strict > 0).then_some((certain << 32) + strict)
    }

    fn change(&self, measure: &Measure, (number, model): &(usize, Rc<Evaluator>)) -> Option<Ordering> {
        let store = self.system.store();
        let segment = &self.system.segments[*number];
        let before = measure.value(store, segment.from)?;
        let after = self.system.after(*number, measure.value(store, segment.to.block()?)?);
        let (one, other) = (model.eval(store, after)?, model.eval(store, before)?);
        if one == other {
            return Some(Ordering::Equal);
        }
        if let (Value::Int(one), Value::Int(other)) = (&one, &other) {
            return Some(one.cmp(other));
        }
        let less = Measure::less(store, after, before)?;
        Some(if model.holds(store, less)? { Ordering::Less } else { Ordering::Greater })
    }

    /// A transition that increases it: Some(None) if that is open.
    fn counterexample(&mut self, measure: &Measure, left: &[usize], known: &Known) -> Option<Option<(usize, Rc<Evaluator>)>> {
        let store = self.system.store();
        for &number in left {
            let segment = &self.system.segments[number];
            let Some((before, after)) = self.values(measure, number) else { return Some(None) };
            let Some(increases) = Measure::less(store, before, after) else { return Some(None) };
            let mut question = self.context(number, known);
            question.push(increases);
            debug_assert!(segment.to.block().is_some());
            match self.queries.ask(self.system.flat, &question) {
                Reply::Unsat => {}
                Reply::Unknown => return Some(None),
                Reply::Sat(model) => {
                    let model = Rc::new(model);
                    self.samples.steps.entry(number).or_default().push(model.clone());
                    return Some(Some((number, model)));
                }
            }
        }
        None
    }

    fn values(&self, measure: &Measure, number: usize) -> Option<(Term, Term)> {
        let segment = &self.system.segments[number];
        let before = measure.value(self.system.store(), segment.from)?;
        let after = self.system.after(number, measure.value(self.system.store(), segment.to.block()?)?);
        Some((before, after))
    }

    fn keep_equal(&self, measure: &Measure, left: &[usize], known: &mut Known) {
        for &number in left {
            if let Some((before, after)) = self.values(measure, number) {
                known.of.entry(number).or_default().push(self.system.store().eq(before, after));
            }
        }
    }

    /// The value at the cut point whose place is known is the one to tell.
    fn tell(&mut self, measure: &Measure) {
        let flat = self.system.flat;
        let place = |&(head, _): &(usize, Term)| flat.blocks[head].loc;
        let told = measure.at.iter().find(|at| place(at).is_known()).or(measure.at.first());
        if let Some(at) = told {
            let text = format!("{} decreases", words(&flat.terms, at.1));
            tracing::trace!(heads = measure.at.len(), text, "measure");
            self.told.push((place(at), text));
        }
    }
}
