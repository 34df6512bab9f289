//! Refinement: chooses the predicate that splits a region when no test crosses the frontier (LCTD, sections 2.3.1 and
//! 4.3). A suitable predicate contains the precondition of the exit and no state that follows the test's path. Among
//! those, predicates are preferred that hold in few states of tests, mention no future inputs and have few conjuncts:
//! they are the most likely to be unchanged after another step.

use crate::atoms::is_hard;
use crate::project::{low_bits, project};
use crate::regions::{Position, RegionId};
use crate::runs::RunEnd;
use crate::search::{Frontier, Goal};
use crate::session::Session;
use crate::solving::Context;
use crate::spread::Spread;
use fathom_flat::Flat;
use fathom_term::{Op, Sort, Term, TermStore, Value, VarId};

/// Numbers of low bits that an equation may hold in to be weaker.
const LOW_BITS: [u32; 3] = [1, 2, 3];

impl Session<'_> {
    /// No test that follows this one gets over the frontier.
    pub fn refine(&mut self, found: &Frontier, needed: &[Term], here: &[Term], core: Vec<usize>, context: &mut Context, test: Position) {
        let flat = self.flat;
        let Frontier { from, exit, to } = *found;
        let block = self.regions.get(from).block;
        self.counters.refinements += 1;
        let everywhere = match (block == self.start, self.config.plain) {
            // Nothing comes before the start: what no inputs make true there is impossible.
            (true, _) => Some(self.regions.leaves(block).to_vec()),
            (false, true) => None,
            (false, false) => self.impossible(from, needed),
        };
        if let Some(everywhere) = everywhere {
            self.counters.unsat_targets += 1;
            return self.take_away(&everywhere, exit, to);
        }
        let predicate = match self.config.plain {
            true => flat.terms.and_all(needed.iter().copied()),
            false => self.predicate(from, test, needed, here, core, context),
        };
        self.split(found, predicate, test);
    }

    /// Splits the region of the frontier; the part where the predicate does not hold loses the exit.
    pub fn split(&mut self, found: &Frontier, predicate: Term, test: Position) {
        let flat = self.flat;
        let Frontier { from, exit, to } = *found;
        let runs = &self.runs;
        let mut holds = |(test, step): Position| runs[test as usize].holds(flat, step, predicate).unwrap_or(false);
        // Progress: the test that can't get over the frontier lies on the side that loses the exit.
        if holds(test) {
            return self.undecided(found, "its contradiction does not hold in the test");
        }
        let block = self.regions.get(from).block;
        let (yes, no) = self.regions.split(flat, from, predicate, &mut holds);
        // The target has no tests, so it is another region than this one, and still a leaf.
        self.take_away(&[no], exit, to);
        if !self.config.plain {
            let Session { regions, runs, order, dead_ends, start, config, .. } = self;
            Spread { flat, regions, runs, start: *start, order, dead_ends, limits: &config.limits }.run(block, predicate, yes);
        }
    }

    /// The leaves of the block from which the exit is impossible for the same reason, if it is from this one.
    fn impossible(&mut self, from: RegionId, needed: &[Term]) -> Option<Vec<RegionId>> {
        let flat = self.flat;
        let literals = self.regions.get(from).literals.clone();
        let mut context = self.queries.context(&[]).ok()?;
        let all: Vec<Term> = needed.iter().chain(&literals).copied().collect();
        let core = self.queries.contradiction(&flat.terms, &mut context, &all)?;
        let reasons: Vec<Term> = core.into_iter().filter(|&part| part >= needed.len()).map(|part| all[part]).collect();
        let block = self.regions.get(from).block;
        let same = |leaf: &RegionId| reasons.iter().all(|reason| self.regions.get(*leaf).literals.contains(reason));
        Some(self.regions.leaves(block).iter().copied().filter(same).collect())
    }

    /// Notes that none of these regions leads to a goal through an exit.
    pub fn take_away(&mut self, from: &[RegionId], exit: usize, to: Goal) {
        for &leaf in from {
            match to {
                Goal::Region(region) => self.regions.remove(leaf, exit, region),
                Goal::Objective(_) => self.regions.close(leaf, exit),
            }
        }
    }

    /// What splits the region: weaker than the precondition, and not satisfied by any test there.
    fn predicate(
        &mut self,
        from: RegionId,
        test: Position,
        needed: &[Term],
        here: &[Term],
        core: Vec<usize>,
        context: &mut Context,
    ) -> Term {
        let flat = self.flat;
        let run = &self.runs[test.0 as usize];
        // What memory has before it is written is an input that few programs look at.
        let is_memory = |(sort, _): &(Sort, Value)| matches!(sort, Sort::Array(_));
        let fixed = run.real.iter().all(is_memory) && run.end != RunEnd::Bounded;
        let before = &run.inputs[..(run.steps[test.1 as usize].inputs as usize).min(run.inputs.len())];
        let impatient = self.regions.leaves(self.regions.get(from).block).len() > self.config.limits.patience;
        if before.iter().all(is_memory)
            && (fixed || impatient && before.is_empty())
            && let Some(predicate) = self.elsewhere(test, needed, &core)
        {
            return predicate;
        }
        let about_now: Vec<Term> = needed.iter().map(|&part| project(flat, part).unwrap_or(flat.terms.bool(true))).collect();
        if about_now != needed {
            let (run, path) = (&self.runs[test.0 as usize], &mut self.paths[test.0 as usize]);
            let there = path.at(flat, run, test.1, &about_now);
            let satisfies =
                |&(test, step): &Position| about_now.iter().all(|&part| self.runs[test as usize].holds(flat, step, part).unwrap_or(false));
            if !self.regions.get(from).members.iter().any(satisfies)
                && let Some(core) = self.queries.contradiction(&flat.terms, context, &there)
            {
                let parts = self.smaller(context, from, &about_now, &there, core);
                return self.fewer_bits(context, from, test, parts.iter().map(|&part| about_now[part]).collect());
            }
        }
        if let Some(predicate) = self.with_atoms(from, test, needed, context) {
            return predicate;
        }
        let parts = self.smaller(context, from, needed, here, core);
        self.fewer_bits(context, from, test, parts.iter().map(|&part| needed[part]).collect())
    }

    /// The conjunction, with equations of low bits in place of those that allow it.
    fn fewer_bits(&mut self, context: &mut Context, from: RegionId, test: Position, mut parts: Vec<Term>) -> Term {
        let flat = self.flat;
        // An equation beside a hard condition says in which states that condition matters, so it is not weakened.
        let looked_at =
            if parts.len() > 1 && parts.iter().any(|&part| is_hard(flat, part, self.config.limits.plain_nodes)) { 0 } else { parts.len() };
        for at in 0..looked_at {
            for weaker in LOW_BITS.into_iter().filter_map(|bits| low_bits(flat, parts[at], bits)) {
                let mut candidate = parts.clone();
                candidate[at] = weaker;
                let satisfies = |&(test, step): &Position| {
                    candidate.iter().all(|&part| self.runs[test as usize].holds(flat, step, part).unwrap_or(false))
                };
                if self.regions.get(from).members.iter().any(satisfies) {
                    continue;
                }
                let (run, path) = (&self.runs[test.0 as usize], &mut self.paths[test.0 as usize]);
                let there = path.at(flat, run, test.1, &candidate);
                if self.queries.contradiction(&flat.terms, context, &there).is_some() {
                    parts = candidate;
                    break;
                }
            }
        }
        let parts = self.with_fixed_values(from, parts);
        flat.terms.and_all(parts)
    }

    /// Where no input has been asked for there is one state only: everything else is elsewhere. That follows what a
    /// program does without inputs step by step, where preconditions may never come to an end. Of memory that is an array
    /// only the elements count that the contradiction reads; that these are enough is checked.
    fn elsewhere(&mut self, test: Position, needed: &[Term], core: &[usize]) -> Option<Term> {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let (terms, has_arrays) = reads_of(flat, core.iter().map(|&part| needed[part]));
        let (run, path) = (&self.runs[test.0 as usize], &mut self.paths[test.0 as usize]);
        let values = path.at(flat, run, test.1, &terms);
        if terms.is_empty() || !values.iter().all(|&value| store.op(value).is_const()) {
            return None;
        }
        let same: Vec<Term> = terms.iter().zip(&values).map(|(&term, &value)| store.eq(term, value)).collect();
        if has_arrays {
            let mut context = self.queries.context(&[]).ok()?;
            let all: Vec<Term> = needed.iter().chain(&same).copied().collect();
            self.queries.contradiction(store, &mut context, &all)?;
        }
        Some(store.not(store.and_all(same)))
    }

    /// Parts of the precondition that contradict the path and that no test in the region satisfies together, as few as
    /// a few attempts find. So the side of the split where they hold is one that no test has reached: the frontier
    /// moves back. Parts about inputs to come are left out first, then those with many variables.
    fn smaller(&mut self, context: &mut Context, from: RegionId, needed: &[Term], here: &[Term], mut core: Vec<usize>) -> Vec<usize> {
        let flat = self.flat;
        let runs = &self.runs;
        let holds = |part: usize, (test, step): Position| runs[test as usize].holds(flat, step, needed[part]).unwrap_or(false);
        let members = &self.regions.get(from).members;
        let cost = |part: &usize| {
            let vars = flat.vars(needed[*part]);
            (vars.iter().any(|&var| flat.inputs.ahead(var).is_some()), vars.len())
        };
        for &member in members {
            if core.iter().all(|&part| holds(part, member)) {
                let others = (0..needed.len()).filter(|&part| !core.contains(&part) && !holds(part, member));
                core.extend(others.min_by_key(cost));
            }
        }
        let mut candidates = core.clone();
        candidates.sort_by_key(|part| std::cmp::Reverse(cost(part)));
        for part in candidates.into_iter().take(self.config.limits.core_attempts) {
            if core.len() <= 1 || !core.contains(&part) {
                continue;
            }
            let rest: Vec<usize> = core.iter().copied().filter(|&other| other != part).collect();
            if members.iter().any(|&member| rest.iter().all(|&part| holds(part, member))) {
                continue;
            }
            let assumptions: Vec<Term> = rest.iter().map(|&other| here[other]).collect();
            if self.queries.contradiction(&flat.terms, context, &assumptions).is_some() {
                core = rest;
            }
        }
        self.with_relatives(needed, core)
    }

    /// The parts that speak of the same variables belong together: without them a predicate soon holds in states that
    /// are harmless.
    fn with_relatives(&self, needed: &[Term], mut core: Vec<usize>) -> Vec<usize> {
        let flat = self.flat;
        let named: Vec<VarId> = core.iter().flat_map(|&part| flat.vars(needed[part])).collect();
        for (part, &term) in needed.iter().enumerate() {
            let vars = flat.vars(term);
            let related = !vars.is_empty() && vars.iter().all(|var| named.contains(var) && flat.inputs.ahead(*var).is_none());
            if related && !core.contains(&part) {
                core.push(part);
            }
        }
        core
    }
}

/// Variables of these conditions, and what they read from arrays; whether there are such.
fn reads_of(flat: &Flat, parts: impl Iterator<Item = Term>) -> (Vec<Term>, bool) {
    let store: &TermStore = &flat.terms;
    let (mut reads, mut has_arrays) = (Vec::new(), false);
    for term in store.subterms(parts) {
        let is_array = matches!(store.sort(term), Sort::Array(_));
        match store.op(term) {
            Op::Var(_) if is_array => has_arrays = true,
            Op::Var(_) => reads.push(term),
            Op::Select if store.as_var(store.arg(term, 0)).is_some() => reads.push(term),
            _ => {}
        }
    }
    reads.sort();
    (reads, has_arrays)
}
