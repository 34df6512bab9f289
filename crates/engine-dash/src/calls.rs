//! Frontiers at calls of procedures that are not inlined (DASH's queries on callees, with the summaries of SMASH). If a
//! not-may summary says that no call from where the test is gets over the frontier, its precondition splits the region. If
//! not, a test is made as everywhere else, with results that the call may or may not give; where it gives others,
//! the procedure is asked: first for all calls from the region, then for more and more special ones, at last for the call
//! of the test alone. The answer is a summary, or a call that was seen.

use crate::aims::Question;
use crate::dash::Session;
use crate::guesses::{Guess, guesses, table};
use crate::project::project;
use crate::regions::Position;
use crate::search::{Frontier, Goal};
use crate::summaries::{Formula, Knowledge, Seen, Status};
use crate::runs::{Run, RunEnd};
use fathom_base::FxSet;
use fathom_engine::{Cx, Task};
use fathom_flat::{Call, Flat, add_conjuncts};
use fathom_term::{Op, Sort, Substitution, Term, TermStore, Value, VarId, mask};
use std::rc::Rc;

/// Arguments up to these are small; how many calls with such arguments are tried at one frontier, and at all of them.
const SMALL: [(u64, usize); 3] = [(6, 8), (60, 2), (300, 2)];
const MOST_SMALL_CALLS: u64 = 72;
/// What is added to arguments for calls near a test's, blocks that such a call runs through, and calls of one procedure that get this.
const NEAR: [i64; 6] = [1, -1, 2, -2, 3, -3];
const SAMPLE_STEPS: usize = 200;
const MOST_SAMPLED: usize = 24;
/// Calls of one test that are looked at.
const MOST_NOTED: usize = 400;
/// Questions inside each other.
const MOST_DEPTH: u32 = 24;

/// Where a question comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Guessed,
    Asked,
    Tabled,
}

impl Kind {
    /// Refinements for one question about a procedure. A guess that proves itself does so soon.
    fn most_refinements(self, depth: u32) -> u64 {
        match self {
            Kind::Guessed | Kind::Tabled => 40,
            Kind::Asked => 150 / (1 + u64::from(depth)).min(5),
        }
    }

    /// The same with those of the questions that it leads to. What a frontier asks is worth the more, the more calls have been
    /// tabled one by one.
    fn most_work(self, tabled: u64) -> u64 {
        match self {
            Kind::Guessed | Kind::Tabled => 120,
            Kind::Asked => 80 << (1 + tabled / 8).ilog2().min(3),
        }
    }
}

struct Candidate {
    kind: Kind,
    question: Question,
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
        let known = self.knowledge.borrow().usable(call.procedure, found.exit == call.fails);
        for (number, question) in known {
            let at_call = |terms: &[Term]| -> Vec<Term> { terms.iter().map(|&term| flat.at_call(call, term)).collect() };
            let before = at_call(&question.before);
            let run = &self.runs[test.0 as usize];
            if !before.iter().all(|&term| run.holds(flat, test.1, term) == Some(true)) {
                continue;
            }
            let excluded: Vec<Term> = before.into_iter().chain(at_call(question.after.as_deref().unwrap_or(&[]))).collect();
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
        let Ok(mut context) = self.questions.context(&[]) else { return false };
        self.questions.contradiction(&flat.terms, &mut context, all).is_some()
    }

    /// Whether the test got over the frontier. One that came to a place inside a call said what there is to say, and the
    /// other places there are no reason to try again.
    pub fn got_over(&mut self, found: &Frontier, test: usize, step: u32) -> bool {
        let over = self.is_over(found, test, step);
        let calls = self.flat.blocks[self.regions.get(found.from).block].call.is_some();
        if over && calls && matches!(found.to, Goal::Aim(_)) {
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
            Goal::Aim(_) => true,
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
            let (kind, asked) = (candidate.kind, candidate.question.clone());
            let is_formula = candidate.formula.is_some();
            let done = match self.holds(candidate, task, cx) {
                // Where a call takes too long to be seen, its result can now be computed.
                true => self.by_summaries(found, needed, call, test) || is_formula && self.tested(found, needed, test, task, cx),
                false if kind == Kind::Asked => self.by_seen_call(found, needed, call, test, &asked, task, cx),
                false => false,
            };
            if done {
                self.knowledge.borrow_mut().tabled += u64::from(kind == Kind::Tabled && self.depth == 0);
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

    /// Guesses, then what the frontier asks, from the most general question to the call of the test alone; before the last one
    /// the table of what the test's call did.
    fn candidates(&self, found: &Frontier, needed: &[Term], call: &Call, test: Position) -> Vec<Candidate> {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let run = &self.runs[test.0 as usize];
        let as_asked = |question: Question| Candidate { kind: Kind::Asked, question, formula: None, seed: None };
        let mut asked: Vec<Candidate> = self.questions_about(found, needed, call, test).into_iter().map(as_asked).collect();
        if found.exit != call.returns {
            return asked;
        }
        let last = asked.pop();
        let passed: Vec<Option<Value>> = call.entry.iter().map(|&term| run.term_value(flat, test.1, term)).collect();
        let matters = |input: &Term| store.as_var(*input).is_some_and(|var| needed.iter().any(|&part| flat.vars(part).contains(&var)));
        let mut exits: Vec<usize> = (0..call.exit.len()).filter(|&at| matters(&call.exit[at])).collect();
        // What did not return in time is hard to get over whatever it returns.
        if exits.is_empty() {
            exits = (0..call.exit.len()).collect();
        }
        let knowledge = self.knowledge.borrow();
        let guessed = guesses(flat, call.procedure, &knowledge.returned(call.procedure), &passed, &exits);
        let tabled = run.steps[test.1 as usize].inside.as_ref().map(|inside| table(flat, call.procedure, inside));
        let guessed = guessed.into_iter().map(|Guess { question, exit, value }| Candidate { kind: Kind::Guessed, question, formula: Some((exit, value)), seed: None });
        let tabled = tabled.into_iter().flatten().map(|(question, seed)| Candidate { kind: Kind::Tabled, question, formula: None, seed: Some(seed) });
        guessed.chain(asked).chain(tabled).chain(last).collect()
    }

    /// Calls with small numbers are the cheapest to know: whether one of them gets over the frontier.
    fn by_small_calls(&mut self, found: &Frontier, needed: &[Term], call: &Call, test: Position, task: &Task, cx: &Cx<'_>) -> bool {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let arguments: Vec<Term> = call.entry.iter().copied().filter(|&term| matches!(store.sort(term), Sort::Bv(2..=64)) && !store.op(term).is_const()).collect();
        if self.depth > 0 || arguments.is_empty() || self.knowledge.borrow().small_calls >= MOST_SMALL_CALLS {
            return false;
        }
        let mut other: Vec<Term> = Vec::new();
        for most in SMALL.into_iter().flat_map(|(most, calls)| std::iter::repeat_n(most, calls)) {
            self.knowledge.borrow_mut().small_calls += 1;
            let fits = |&&term: &&Term| most <= mask(store.sort(term).width());
            let small = arguments.iter().filter(fits).map(|&term| store.bv_ule(term, store.bv(most, store.sort(term).width())));
            let all: Vec<Term> = needed.iter().copied().chain(other.iter().copied()).chain(small).collect();
            let Some(number) = self.test_with(&all, test, &[], task, cx) else { continue };
            if self.refuted || self.got_over(found, number, test.1) {
                return true;
            }
            let run = &self.runs[number];
            if run.steps.len() <= test.1 as usize {
                return false;
            }
            let same: Option<Vec<Term>> = arguments.iter().map(|&term| Some(store.eq(term, store.constant(&run.term_value(flat, test.1, term)?, store.sort(term))))).collect();
            let Some(same) = same else { return false };
            other.push(store.not(store.and_all(same)));
        }
        false
    }

    /// Makes calls around the one of the test, for guesses to agree with.
    fn sample(&mut self, call: &Call, test: Position) {
        let flat = self.flat;
        let run = &self.runs[test.0 as usize];
        let passed: Option<Vec<Value>> = call.entry.iter().map(|&term| run.term_value(flat, test.1, term)).collect();
        let Some(passed) = passed else { return };
        let key = (call.procedure, passed);
        let mut knowledge = self.knowledge.borrow_mut();
        let enough = knowledge.sampled.iter().filter(|(procedure, _)| *procedure == call.procedure).count() >= MOST_SAMPLED;
        if enough || !knowledge.sampled.insert(key.clone()) {
            return;
        }
        let start = flat.procedures[call.procedure].start;
        let inputs: Vec<(Sort, Value)> = call.entry.iter().map(|&term| flat.terms.sort(term)).zip(key.1).collect();
        for at in 0..inputs.len() {
            let (Sort::Bv(width @ 2..=64), Value::Bits(bits)) = (inputs[at].0, inputs[at].1.clone()) else { continue };
            for change in NEAR {
                let mut near = inputs.clone();
                near[at].1 = Value::Bits(bits.wrapping_add(change as u64) & mask(width));
                let made = crate::runs::run(flat, start, &near, 0, SAMPLE_STEPS, &|_, _| None);
                note_call(flat, call.procedure, &made, &mut knowledge);
            }
        }
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
    #[allow(clippy::too_many_arguments)]
    fn by_seen_call(&mut self, found: &Frontier, needed: &[Term], call: &Call, test: Position, question: &Question, task: &Task, cx: &Cx<'_>) -> bool {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let Some(Seen { entry, exit, inputs, .. }) = self.knowledge.borrow().witness(flat, question).cloned() else { return false };
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
    fn holds(&mut self, Candidate { kind, question, formula, seed }: Candidate, task: &Task, cx: &Cx<'_>) -> bool {
        let flat = self.flat;
        let most_work = kind.most_work(self.knowledge.borrow().tabled);
        if let Some(known) = self.knowledge.borrow().status(&question, most_work) {
            return known != Status::Dropped;
        }
        if self.depth >= MOST_DEPTH || self.knowledge.borrow().refutes(flat, &question) {
            return false;
        }
        let number = self.knowledge.borrow_mut().open(question.clone());
        let mut inner = Session::new(self.config, flat, Some(question), self.knowledge, self.depth + 1, cx);
        inner.seed = seed;
        inner.most_refinements = Some(kind.most_refinements(self.depth));
        inner.most_work = self.work_left().min(most_work);
        let proof = inner.answer(task, cx);
        let mut knowledge = self.knowledge.borrow_mut();
        inner.hand_over(&mut knowledge);
        match proof {
            Some(regions) => {
                knowledge.close(number, regions, inner.uses.clone());
                knowledge.formulas.extend(formula.map(|(exit, value)| Formula { exit, value, number }));
            }
            None => {
                knowledge.drop_summary(number);
                knowledge.summaries[number].tried = (!inner.refuted).then_some(most_work);
            }
        }
        knowledge.summaries[number].status == Status::Holds
    }

    /// From the most general to the call of the test alone.
    fn questions_about(&self, found: &Frontier, needed: &[Term], call: &Call, test: Position) -> Vec<Question> {
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
        let (mut signs, mut values) = (before.clone(), before.clone());
        for (&var, &passed) in procedure.entry.iter().zip(&call.entry) {
            let Sort::Bv(width @ 1..=64) = store.var_sort(var) else { continue };
            let term = store.var_term(var);
            let negative = store.build(Op::BvSlt, &[passed, store.bv(0, width)]);
            match run.holds(flat, test.1, negative) {
                Some(true) => signs.push(store.build(Op::BvSlt, &[term, store.bv(0, width)])),
                Some(false) => signs.push(store.not(store.build(Op::BvSlt, &[term, store.bv(0, width)]))),
                None => {}
            }
            if let Some(value) = run.term_value(flat, test.1, passed) {
                values.push(store.eq(term, store.constant(&value, store.var_sort(var))));
            }
        }
        let mut questions: Vec<Question> = Vec::new();
        let general = [Vec::new(), before, signs].into_iter().map(|before| (before, &after));
        for (before, after) in general.chain([(values, &after_here)]) {
            let question = Question { procedure: call.procedure, before, after: (!fails).then(|| after.clone()) };
            if (fails || !after.is_empty()) && !questions.contains(&question) {
                questions.push(question);
            }
        }
        questions
    }

    /// What the session learned, for those that are still open.
    fn hand_over(&self, knowledge: &mut Knowledge) {
        for run in &self.runs {
            if let Some(question) = &self.question {
                note_call(self.flat, question.procedure, run, knowledge);
            }
        }
        let work = &mut knowledge.work;
        work.tests += self.runs.len() as u64;
        work.solve_runs += self.counters.solve_runs;
        work.calls += self.questions.asked.calls;
        work.unsat_targets += self.counters.unsat_targets;
        work.refinements += self.counters.refinements;
        work.time += self.questions.asked.time;
        work.asked += 1;
    }

}

/// Calls that a test made on its way, those inside others too.
pub fn note_calls(flat: &Flat, run: &Run, knowledge: &mut Knowledge) {
    let mut shared: FxSet<*const Run> = FxSet::default();
    let mut open: Vec<&Run> = vec![run];
    while let Some(run) = open.pop() {
        if shared.len() > MOST_NOTED {
            return;
        }
        for step in &run.steps {
            if let (Some(call), Some(inside)) = (&flat.blocks[step.block].call, &step.inside)
                && shared.insert(Rc::as_ptr(inside))
            {
                note_call(flat, call.procedure, inside, knowledge);
                open.push(inside);
            }
        }
    }
}

fn note_call(flat: &Flat, procedure: usize, run: &Run, knowledge: &mut Knowledge) {
    if run.is_computed {
        return;
    }
    let exit = match &run.end {
        RunEnd::Returned(values) => Some(values.clone()),
        RunEnd::AtPlace(_) => None,
        _ => return,
    };
    let count = flat.procedures[procedure].entry.len();
    let entry = run.inputs.iter().take(count).map(|(_, value)| value.clone()).collect();
    // A test of the procedure alone asks for what others pass.
    let passed = run.numbers.iter().take(count).flatten().count();
    knowledge.saw(Seen { procedure, entry, exit, inputs: run.real[passed..].to_vec() });
}

fn speaks_of_inputs(flat: &Flat, part: Term) -> bool {
    flat.vars(part).iter().any(|&var| flat.inputs.ahead(var).is_some())
}

/// The conjunction for some values of the inputs, or something weaker.
pub fn without_inputs(flat: &Flat, mut parts: Vec<Term>) -> Vec<Term> {
    let store: &TermStore = &flat.terms;
    let input_of = |parts: &[Term], skip: &[VarId]| {
        parts.iter().flat_map(|&part| flat.vars(part)).find(|&var| flat.inputs.ahead(var).is_some() && !skip.contains(&var))
    };
    let mut left: Vec<VarId> = Vec::new();
    while let Some(input) = input_of(&parts, &left) {
        match parts.iter().find_map(|&part| solved(flat, part, input)) {
            Some(value) => {
                let mut image = Substitution::new([(input, value)]);
                let mut rest = Vec::new();
                parts.iter().for_each(|&part| add_conjuncts(store, image.apply(store, part), &mut rest));
                parts = rest;
            }
            None => left.push(input),
        }
    }
    parts.into_iter().filter_map(|part| if speaks_of_inputs(flat, part) { project(flat, part) } else { Some(part) }).collect()
}

/// The value that an equation gives to an input.
fn solved(flat: &Flat, part: Term, input: VarId) -> Option<Term> {
    let store: &TermStore = &flat.terms;
    match store.op(part) {
        Op::Var(var) if var == input => return Some(store.bool(true)),
        Op::Not if store.as_var(store.arg(part, 0)) == Some(input) => return Some(store.bool(false)),
        Op::Eq => {}
        _ => return None,
    }
    let free = |term: Term| !flat.vars(term).contains(&input);
    for (side, other) in [(0, 1), (1, 0)].map(|(one, two)| (store.arg(part, one), store.arg(part, two))) {
        if !free(other) {
            continue;
        }
        match store.op(side) {
            Op::Var(var) if var == input => return Some(other),
            Op::BvAdd => {
                let (one, two) = (store.arg(side, 0), store.arg(side, 1));
                let (inner, added) = if store.as_var(one) == Some(input) { (one, two) } else { (two, one) };
                if store.as_var(inner) == Some(input) && free(added) {
                    return Some(store.bv_sub(other, added));
                }
            }
            _ => {}
        }
    }
    None
}

/// From conditions of a caller to those of the procedure: results by their names inside, variables that were passed (with
/// a constant added, perhaps) by what the procedure got.
struct Translation {
    images: Vec<(VarId, Term)>,
}

impl Translation {
    fn of(flat: &Flat, call: &Call) -> Translation {
        let store: &TermStore = &flat.terms;
        let procedure = &flat.procedures[call.procedure];
        let mut images: Vec<(VarId, Term)> = Vec::new();
        for (&inside, &passed) in procedure.entry.iter().zip(&call.entry) {
            let inside = store.var_term(inside);
            let inverse = match store.op(passed) {
                Op::Var(var) => Some((var, inside)),
                Op::BvAdd => {
                    let (one, two) = (store.arg(passed, 0), store.arg(passed, 1));
                    let (var, added) = if store.as_var(one).is_some() { (one, two) } else { (two, one) };
                    store.as_var(var).filter(|_| store.const_bits(added).is_some()).map(|var| (var, store.bv_sub(inside, added)))
                }
                _ => None,
            };
            images.extend(inverse.filter(|(var, _)| !images.iter().any(|(known, _)| known == var)));
        }
        let results = call.exit.iter().zip(&procedure.exit).filter_map(|(&input, &var)| Some((store.as_var(input)?, store.var_term(var))));
        images.extend(results);
        Translation { images }
    }

    /// With the values of the test for what means nothing to the procedure.
    fn term_here(&self, flat: &Flat, term: Term, here: &dyn Fn(VarId) -> Option<Term>) -> Option<Term> {
        let known = |var: &VarId| self.images.iter().any(|(image, _)| image == var);
        let others: Option<Vec<(VarId, Term)>> = flat.vars(term).into_iter().filter(|var| !known(var)).map(|var| Some((var, here(var)?))).collect();
        Some(Substitution::new(self.images.iter().copied().chain(others?)).apply(&flat.terms, term))
    }

    /// None if something in it means nothing to the procedure.
    fn term(&self, flat: &Flat, term: Term) -> Option<Term> {
        let known = |var: &VarId| self.images.iter().any(|(image, _)| image == var);
        let all = flat.vars(term).iter().all(known);
        all.then(|| Substitution::new(self.images.iter().copied()).apply(&flat.terms, term))
    }
}
