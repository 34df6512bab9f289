//! Frontiers at calls of procedures that are not inlined (DASH's queries on callees, with the summaries of SMASH). If a
//! not-may summary says that no call from the test's state crosses the frontier, the summary's precondition splits the
//! region. Otherwise a test is made as everywhere else, with results that the call may or may not return. If the call
//! returns others, the engine asks about the procedure: first about all calls from the region, then about fewer and
//! fewer of them, finally about the call of the test alone. The answer is a summary, or a concrete call.

use crate::guesses::{Guess, guesses, table};
use crate::objectives::Subgoal;
use crate::regions::Position;
use crate::samples::note_call;
use crate::search::{Frontier, Goal};
use crate::session::Session;
use crate::summaries::{Formula, ObservedCall, Status, Summaries};
use crate::told::formula;
use crate::translate::{Translation, speaks_of_inputs, without_inputs};
use fathom_engine::{Cx, Task};
use fathom_flat::{Call, add_conjuncts};
use fathom_term::{Op, Sort, Term, TermStore, Value, VarId, sign_extend};

/// Where a subgoal comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Another run has proved it.
    Told,
    Guessed,
    Asked,
    Tabled,
}

impl Kind {
    /// Refinements for one subgoal about a procedure. A guess that proves itself does so soon.
    fn most_refinements(self, depth: u32) -> u64 {
        match self {
            Kind::Guessed | Kind::Tabled => 40,
            Kind::Told => 150,
            Kind::Asked => 150 / (1 + u64::from(depth)).min(5),
        }
    }

    /// The same with those of the subgoals that it leads to. What a frontier asks is worth the more, the more calls have been
    /// tabled one by one.
    fn most_work(self, tabled: u64) -> u64 {
        match self {
            Kind::Guessed | Kind::Tabled => 120,
            Kind::Told => 300,
            Kind::Asked => 40 << (1 + tabled / 8).ilog2().min(4),
        }
    }
}

struct Candidate {
    kind: Kind,
    subgoal: Subgoal,
    /// The result that a guess is about, and its value.
    formula: Option<(usize, Term)>,
    /// The inputs of the one test that is worth making first.
    seed: Option<Vec<(Sort, Value)>>,
}

impl Session<'_> {
    /// Splits the region by what a summary leaves of the precondition, if the test is not in it.
    pub fn by_summaries(&mut self, found: &Frontier, needed: &[Term], call: &Call, test: Position) -> bool {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let known = self.summaries.borrow().usable(call.procedure, found.exit == call.fails);
        for (number, subgoal) in known {
            let at_call = |terms: &[Term]| -> Vec<Term> { terms.iter().map(|&term| flat.at_call(call, term)).collect() };
            let before = at_call(&subgoal.before);
            let run = &self.runs[test.0 as usize];
            if !before.iter().all(|&term| run.holds(flat, test.1, term) == Some(true)) {
                continue;
            }
            let excluded: Vec<Term> = before.into_iter().chain(at_call(subgoal.after.as_deref().unwrap_or(&[]))).collect();
            let predicate = self.what_is_left(found, needed, &excluded);
            let run = &self.runs[test.0 as usize];
            match store.const_bool(predicate) {
                Some(false) => self.take_away(&[found.from], found.exit, found.to),
                _ if run.holds(flat, test.1, predicate) == Some(false) => self.split(found, predicate, test),
                _ => continue,
            }
            self.uses.insert(number);
            return true;
        }
        false
    }

    /// What must hold before a call that satisfies the precondition although these conditions exclude each other: one of
    /// them fails. Each way to fail that is possible at all is a case; in each, results are what an equation says, or
    /// what is said of them is left out, which is weaker.
    fn what_is_left(&mut self, found: &Frontier, needed: &[Term], excluded: &[Term]) -> Term {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let literals = self.regions.get(found.from).literals.clone();
        let mut cases = Vec::new();
        for &condition in excluded {
            let mut case = needed.to_vec();
            add_conjuncts(store, store.not(condition), &mut case);
            let all: Vec<Term> = case.iter().chain(&literals).copied().collect();
            if !self.contradictory(&all) {
                cases.push(store.and_all(without_inputs(flat, case)));
            }
        }
        store.or_all(cases)
    }

    fn contradictory(&mut self, all: &[Term]) -> bool {
        let flat = self.flat;
        let Ok(mut context) = self.queries.context(&[]) else { return false };
        self.queries.contradiction(&flat.terms, &mut context, all).is_some()
    }

    /// Whether the test got over the frontier. One that came to an error location inside a call said what there is to say, and the
    /// other error locations there are no reason to try again.
    pub fn got_over(&mut self, found: &Frontier, test: usize, step: u32) -> bool {
        let over = self.is_over(found, test, step);
        let calls = self.flat.blocks[self.regions.get(found.from).block].call.is_some();
        if over && calls && matches!(found.to, Goal::Objective(_)) {
            self.stuck.insert(*found);
        }
        over
    }

    /// Whether the test took the exit and lies in the target.
    fn is_over(&self, found: &Frontier, test: usize, step: u32) -> bool {
        let flat = self.flat;
        let run = &self.runs[test];
        let block = self.regions.get(found.from).block;
        let took = run.steps.get(step as usize).is_some_and(|at| at.block == block && at.exit == Some(found.exit));
        let is_there = match found.to {
            // A test that does what a subgoal asks about has answered it, if its conditions can be evaluated.
            Goal::Objective(_) => self.subgoal.is_none() || self.refuted,
            Goal::Region(to) if step as usize + 1 < run.steps.len() => {
                self.regions.get(to).literals.iter().all(|&literal| run.holds(flat, step + 1, literal) == Some(true))
            }
            Goal::Region(_) => false,
        };
        took && is_there
    }

    /// Asks the procedure until a summary applies; whether one does.
    pub fn ask_callee(&mut self, found: &Frontier, needed: &[Term], call: &Call, test: Position, task: &Task, cx: &Cx<'_>) -> bool {
        if self.by_small_calls(found, needed, call, test, task, cx) {
            return true;
        }
        self.sample(call, test);
        for candidate in self.candidates(found, needed, call, test) {
            if cx.budget.exhausted().is_some() {
                return false;
            }
            let (kind, asked) = (candidate.kind, candidate.subgoal.clone());
            let is_formula = candidate.formula.is_some();
            let done = match self.holds(candidate, task, cx) {
                // Where a call takes too long to be seen, its result can now be computed.
                true => self.by_summaries(found, needed, call, test) || is_formula && self.tested(found, needed, test, task, cx),
                false if kind == Kind::Asked => self.by_seen_call(found, needed, call, test, &asked, task, cx),
                false => false,
            };
            if done {
                self.summaries.borrow_mut().tabled += u64::from(kind == Kind::Tabled && self.depth == 0);
                return true;
            }
        }
        false
    }

    /// Whether a test gets over the frontier.
    fn tested(&mut self, found: &Frontier, needed: &[Term], test: Position, task: &Task, cx: &Cx<'_>) -> bool {
        let made = self.test_with(needed, test, &[], task, cx);
        made.is_some_and(|number| self.refuted || self.got_over(found, number, test.1))
    }

    /// Guesses, then what the frontier asks, from the most general subgoal to the call of the test alone; before the last one
    /// the table of what the test's call did.
    fn candidates(&self, found: &Frontier, needed: &[Term], call: &Call, test: Position) -> Vec<Candidate> {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let run = &self.runs[test.0 as usize];
        let as_asked = |subgoal: Subgoal| Candidate { kind: Kind::Asked, subgoal, formula: None, seed: None };
        let mut asked: Vec<Candidate> = self.subgoals_about(found, needed, call, test).into_iter().map(as_asked).collect();
        let fails = found.exit == call.fails;
        let told: Vec<Subgoal> = self.summaries.borrow().told.clone();
        let told = told.into_iter().filter(|told| told.procedure == call.procedure && told.after.is_none() == fails);
        let told = told.map(|subgoal| Candidate { kind: Kind::Told, formula: formula(flat, &subgoal), subgoal, seed: None });
        if found.exit != call.returns {
            return told.chain(asked).collect();
        }
        let last = asked.pop();
        let passed: Vec<Option<Value>> = call.entry.iter().map(|&term| run.term_value(flat, test.1, term)).collect();
        let matters = |input: &Term| store.as_var(*input).is_some_and(|var| needed.iter().any(|&part| flat.vars(part).contains(&var)));
        let mut exits: Vec<usize> = (0..call.exit.len()).filter(|&at| matters(&call.exit[at])).collect();
        // If no result matters, the call itself does not return in time: then all results are asked about.
        if exits.is_empty() {
            exits = (0..call.exit.len()).collect();
        }
        let summaries = self.summaries.borrow();
        let guessed = guesses(flat, call.procedure, &summaries.returned(call.procedure), &passed, &exits, self.config.limits.arguments);
        let tabled = run.steps[test.1 as usize]
            .inside
            .as_ref()
            .map(|inside| table(flat, &summaries, call.procedure, inside, self.config.limits.tabled));
        let guessed = guessed.into_iter().map(|Guess { subgoal, exit, value }| Candidate {
            kind: Kind::Guessed,
            subgoal,
            formula: Some((exit, value)),
            seed: None,
        });
        let tabled =
            tabled.into_iter().flatten().map(|(subgoal, seed)| Candidate { kind: Kind::Tabled, subgoal, formula: None, seed: Some(seed) });
        told.chain(guessed).chain(asked).chain(tabled).chain(last).collect()
    }

    /// Splits by what must hold before the call whatever it does, if the test is not in it: such a test says nothing about
    /// calls that matter.
    pub fn before_any_call(&mut self, found: &Frontier, needed: &[Term], test: Position) -> bool {
        let before = self.flat.terms.and_all(without_inputs(self.flat, needed.to_vec()));
        let excludes = self.runs[test.0 as usize].holds(self.flat, test.1, before) == Some(false);
        if excludes {
            self.split(found, before, test);
        }
        excludes
    }

    /// A call that was seen to do what is asked (a must summary): whether a test makes the same one and gets over the frontier.
    #[expect(clippy::too_many_arguments, reason = "one call site, and no group of these means something by itself")]
    fn by_seen_call(
        &mut self,
        found: &Frontier,
        needed: &[Term],
        call: &Call,
        test: Position,
        subgoal: &Subgoal,
        task: &Task,
        cx: &Cx<'_>,
    ) -> bool {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let Some(ObservedCall { entry, exit, inputs, .. }) = self.summaries.borrow().witness(flat, subgoal).cloned() else { return false };
        let same = |terms: &[Term], values: &[Value]| -> Vec<Term> {
            terms.iter().zip(values).map(|(&term, value)| store.eq(term, store.constant(value, store.sort(term)))).collect()
        };
        let plain = call.entry.iter().chain(&call.exit).all(|&term| matches!(store.sort(term), Sort::Bool | Sort::Bv(1..=64)));
        if !plain {
            return false;
        }
        let mut all = needed.to_vec();
        all.extend(same(&call.entry, &entry));
        all.extend(same(&call.exit, exit.as_deref().unwrap_or(&[])));
        let made = self.test_with(&all, test, &inputs, task, cx);
        made.is_some_and(|number| self.refuted || self.got_over(found, number, test.1))
    }

    /// Whether no call does what is asked: known, or by a session of its own.
    fn holds(&mut self, Candidate { kind, subgoal, formula, seed }: Candidate, task: &Task, cx: &Cx<'_>) -> bool {
        let flat = self.flat;
        let most_work = kind.most_work(self.summaries.borrow().tabled).min(self.work_left());
        if let Some(known) = self.summaries.borrow().status(&subgoal, most_work) {
            return known != Status::Dropped;
        }
        if self.depth >= self.config.limits.subgoal_depth || self.summaries.borrow().refutes(flat, &subgoal) {
            return false;
        }
        let number = self.summaries.borrow_mut().open(subgoal.clone());
        let mut inner = Session::new(self.config, flat, Some(subgoal), self.summaries, self.depth + 1, cx);
        inner.seed = seed;
        inner.most_refinements = Some(kind.most_refinements(self.depth));
        inner.most_work = most_work;
        let proof = inner.answer(task, cx);
        let mut summaries = self.summaries.borrow_mut();
        inner.hand_over(&mut summaries);
        match proof {
            Some(regions) => {
                summaries.close(number, regions, inner.uses.clone());
                summaries.formulas.extend(formula.map(|(exit, value)| Formula { exit, value, number }));
            }
            None => {
                summaries.drop_summary(number);
                summaries.not_may[number].tried = (!inner.refuted).then_some(most_work);
            }
        }
        summaries.not_may[number].status == Status::Holds
    }

    /// From the most general to the call of the test alone.
    fn subgoals_about(&self, found: &Frontier, needed: &[Term], call: &Call, test: Position) -> Vec<Subgoal> {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let procedure = &flat.procedures[call.procedure];
        let translation = Translation::of(flat, call);
        let fails = found.exit == call.fails;
        let is_flag = |part: &Term| flat.vars(*part).iter().all(|&var| matches!(flat.inputs.ahead(var), Some((0, Sort::Bool))));
        let (about_results, about_now): (Vec<Term>, Vec<Term>) =
            needed.iter().copied().filter(|part| !is_flag(part)).partition(|&part| speaks_of_inputs(flat, part));
        let run = &self.runs[test.0 as usize];
        let after: Vec<Term> = about_results.iter().filter_map(|&part| translation.term(flat, part)).collect();
        let here = |var: VarId| run.term_value(flat, test.1, store.var_term(var)).map(|value| store.constant(&value, store.var_sort(var)));
        let after_here: Vec<Term> = about_results.iter().filter_map(|&part| translation.term_here(flat, part, &here)).collect();
        let before: Vec<Term> = about_now.iter().filter_map(|&part| translation.term(flat, part)).collect();
        let [mut signs, mut strict, mut values] = [(); 3].map(|()| before.clone());
        for (&var, &passed) in procedure.entry.iter().zip(&call.entry) {
            let Sort::Bv(width @ 1..=64) = store.var_sort(var) else { continue };
            let (term, zero) = (store.var_term(var), store.bv(0, width));
            let (negative, positive) = (store.build(Op::BvSlt, &[term, zero]), store.build(Op::BvSlt, &[zero, term]));
            let Some(value) = run.term_value(flat, test.1, passed) else { continue };
            match &value {
                Value::Bits(0) => strict.push(store.eq(term, zero)),
                Value::Bits(bits) => strict.push(if sign_extend(*bits, width) < 0 { negative } else { positive }),
                _ => {}
            }
            if let Value::Bits(bits) = &value {
                signs.push(if sign_extend(*bits, width) < 0 { negative } else { store.not(negative) });
            }
            values.push(store.eq(term, store.constant(&value, store.var_sort(var))));
        }
        let mut subgoals: Vec<Subgoal> = Vec::new();
        let general = [Vec::new(), before, signs, strict].into_iter().map(|before| (before, &after));
        for (before, after) in general.chain([(values, &after_here)]) {
            let subgoal = Subgoal { procedure: call.procedure, before, after: (!fails).then(|| after.clone()) };
            if (fails || !after.is_empty()) && !subgoals.contains(&subgoal) {
                subgoals.push(subgoal);
            }
        }
        subgoals
    }

    /// What the session learned, for those that are still open.
    fn hand_over(&self, summaries: &mut Summaries) {
        for run in &self.runs {
            if let Some(subgoal) = &self.subgoal {
                note_call(self.flat, subgoal.procedure, run, summaries, &self.config.limits);
            }
        }
        let work = &mut summaries.work;
        work.tests += self.runs.len() as u64;
        work.solve_runs += self.counters.solve_runs;
        work.calls += self.queries.asked.calls;
        work.unsat_targets += self.counters.unsat_targets;
        work.refinements += self.counters.refinements;
        work.time += self.queries.asked.time;
        work.asked += 1;
    }
}
