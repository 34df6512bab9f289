//! The algorithm (LCTD, Fig. 2.5): find the frontier of an abstract error trace; ask for inputs that take a test over
//! it; run the test, or, if there are none, refine.
//!
//! Refinement beyond the paper: of the precondition only the parts are kept that the contradiction with the test's path
//! needs, which is still suitable (it contains the precondition, and no state that follows the path satisfies it). An exit that is
//! impossible from anywhere in its region is removed, from every region of the block that gives the same reason (section
//! 4.3 looks at the target alone). A predicate that split a region spreads backwards through blocks that leave its
//! variables alone, where it needs no solver.
//!
//! Every round either gets a test over the frontier or takes the exit away from the part of the region where the test is
//! (checked in `refine`), so the same question is never asked twice.

use crate::aims::{Aim, Question, aims};
use crate::answer::unknown;
use crate::config::DashConfig;
use crate::guided::trace_of_run;
use crate::paths::{self, Path};
use crate::regions::{Position, RegionId, Regions};
use crate::runs::{Run, RunEnd, run};
use crate::samples::note_calls;
use crate::search::{Frontier, Goal, reachable, trace};
use crate::solving::{Asked, Questions, Reply};
use crate::spread::{doomed, forward_order};
use crate::summaries::Knowledge;
use fathom_base::{FxMap, FxSet};
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Progress, Reason, Reasons, Task, Trace, confirmed};
use fathom_flat::{Flat, Form, PlaceKind, flatten, is_recursive};
use fathom_ir::Property;
use fathom_term::{Model, Op, Sort, Term, Value, VarId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks that a test runs beyond the frontier that it was made for.
const TEST_STEPS: usize = 1_000;

/// The largest number that all inputs of a first test are, where procedures are recursive.
const FIRST_TESTS: u64 = 9;

pub struct Dash {
    pub config: DashConfig,
}

#[derive(Default)]
pub struct Counters {
    pub solve_runs: u64,
    pub unsat_targets: u64,
    pub refinements: u64,
}

pub struct Session<'a> {
    pub config: &'a DashConfig,
    pub flat: &'a Flat,
    /// None: about the program.
    pub question: Option<Question>,
    pub aims: Vec<Aim>,
    pub start: usize,
    /// A test answered the question with yes.
    pub refuted: bool,
    pub knowledge: &'a RefCell<Knowledge>,
    /// Summaries that something was taken away for.
    pub uses: BTreeSet<usize>,
    /// Questions around this one.
    pub depth: u32,
    pub most_refinements: Option<u64>,
    /// Refinements for the question and those that it leads to, and what others had done before it.
    pub most_work: u64,
    pub work_before: u64,
    /// The inputs of the first test, in place of small numbers.
    pub seed: Option<Vec<(Sort, Value)>>,
    pub regions: Regions,
    /// See `spread`.
    pub order: Vec<usize>,
    pub doomed: Vec<bool>,
    pub runs: Vec<Run>,
    pub paths: Vec<Path>,
    pub questions: Questions<'a>,
    /// Places that are still of interest.
    pub active: Vec<bool>,
    pub stuck: FxSet<Frontier>,
    /// How regions behind the frontier lead on.
    pub hops: FxMap<RegionId, Frontier>,
    pub counters: Counters,
    /// Why nothing is proved.
    pub reasons: Reasons,
    pub violated: BTreeMap<Property, Box<Trace>>,
    /// Violations of these were found but not confirmed.
    pub refused: BTreeMap<Property, Reason>,
}

/// Why the search is over.
pub enum Stop {
    NoTrace,
    Because(Reason),
}

impl Engine for Dash {
    fn name(&self) -> &'static str {
        "dash"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "tests and abstraction refinement together; recursion by summaries";
        Capabilities { decides, answers_in_part: true, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        if !task.properties.iter().any(|property| decides(*property)) {
            return unknown(task, &beyond());
        }
        let form = if self.config.plain { Form::Basic } else { Form::Joined };
        let flat = match flatten(&task.program, &task.properties, form) {
            Ok(flat) => flat,
            Err(not) => {
                let location = task.program.files.show(not.loc);
                return unknown(task, &Reason::Unsupported { what: not.what, location });
            }
        };
        if let Some(what) = beyond_evaluation(&flat) {
            return unknown(task, &Reason::Unsupported { what: what.to_string(), location: "the program".to_string() });
        }
        // Others prove loops as well, and what it proves there it proves soon or never; nobody else proves recursion.
        let share = self.config.share_of_loops.filter(|_| !is_recursive(&task.program));
        let limited = share.and_then(|percent| Some(cx.budget.computing_at_most(cx.budget.remaining()? * percent / 100)));
        let cx = &Cx { budget: limited.unwrap_or(cx.budget.clone()), ..*cx };
        let knowledge = RefCell::default();
        let mut session = Session::new(&self.config, &flat, None, &knowledge, 0, cx);
        let stop = session.search(task, cx);
        session.outcome(task, stop, cx)
    }
}

/// Properties that are assertions in the program.
pub fn decides(property: Property) -> bool {
    property.is_asserted()
}

pub fn beyond() -> Reason {
    Reason::NotAsked("dash decides assertions, not memory safety or termination".to_string())
}

/// Expressions that a test can't compute.
fn beyond_evaluation(flat: &Flat) -> Option<&'static str> {
    let mut seen: FxSet<Term> = FxSet::default();
    let blocks = flat.blocks.iter();
    let mut open: Vec<Term> =
        blocks.flat_map(|block| block.assigns.iter().map(|(_, term)| *term).chain(block.edges.iter().map(|edge| edge.guard))).collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match flat.terms.op(term) {
            Op::Forall(_) | Op::Exists(_) => return Some("quantifiers"),
            Op::Apply(function) if !flat.terms.is_computed(function) => return Some("uninterpreted functions"),
            _ => open.extend(flat.terms.args(term)),
        }
    }
    None
}

impl<'a> Session<'a> {
    pub fn new(
        config: &'a DashConfig,
        flat: &'a Flat,
        question: Option<Question>,
        knowledge: &'a RefCell<Knowledge>,
        depth: u32,
        cx: &'a Cx<'_>,
    ) -> Session<'a> {
        let start = question.as_ref().map_or(0, |question| flat.procedures[question.procedure].start);
        Session {
            config,
            regions: Regions::new(flat),
            order: forward_order(flat, start),
            doomed: doomed(flat),
            active: vec![true; flat.places.len()],
            aims: aims(flat, question.as_ref()),
            start,
            question,
            refuted: false,
            knowledge,
            uses: BTreeSet::new(),
            depth,
            most_refinements: config.max_refinements,
            most_work: u64::MAX,
            work_before: knowledge.borrow().work.refinements,
            seed: None,
            flat,
            runs: Vec::new(),
            paths: Vec::new(),
            questions: Questions { backend: (cx.backend)(), budget: &cx.budget, asked: Asked::default() },
            stuck: FxSet::default(),
            hops: FxMap::default(),
            counters: Counters::default(),
            reasons: Reasons::default(),
            violated: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// What a question says about the start of a call stays true or false through all of it: calls that it does not ask
    /// about get regions of their own from the beginning, from which nothing leads to an aim.
    fn set_others_apart(&mut self) {
        let flat = self.flat;
        let Some(question) = self.question.as_ref().filter(|question| !question.before.is_empty()) else { return };
        let asked = flat.terms.and_all(question.before.iter().copied());
        let reached = |block: usize| block != self.start && self.order[block] > 0;
        let blocks: Vec<usize> = (0..flat.blocks.len()).filter(|&block| reached(block) && flat.keeps(block, asked)).collect();
        let mut sides: FxMap<usize, (RegionId, RegionId)> = FxMap::default();
        for &block in &blocks {
            let root = self.regions.root(block);
            sides.insert(block, self.regions.split(flat, root, flat.terms.not(asked), &mut |_| false));
        }
        for &block in &blocks {
            let (other, own) = sides[&block];
            for (exit, edge) in flat.blocks[block].edges.iter().enumerate() {
                if let Some(&(other_target, own_target)) = edge.target.block().and_then(|to| sides.get(&to)) {
                    self.regions.remove(other, exit, own_target);
                    self.regions.remove(own, exit, other_target);
                }
            }
        }
        for aim in &self.aims {
            sides.get(&aim.block).into_iter().for_each(|&(other, _)| self.regions.close(other, aim.exit));
        }
    }

    /// Answers a question about a procedure: the partition, if the answer is no.
    pub fn answer(&mut self, task: &Task, cx: &Cx<'_>) -> Option<Vec<Vec<Vec<Term>>>> {
        let stop = self.search(task, cx);
        let no = matches!(stop, Stop::NoTrace) && !self.refuted && self.reasons.is_empty() && self.stuck.is_empty();
        no.then(|| self.partition())
    }

    pub fn partition(&self) -> Vec<Vec<Vec<Term>>> {
        let reached = reachable(self.flat, &self.regions, self.start);
        reached.iter().map(|leaves| leaves.iter().map(|&leaf| self.regions.get(leaf).literals.clone()).collect()).collect()
    }

    fn search(&mut self, task: &Task, cx: &Cx<'_>) -> Stop {
        self.set_others_apart();
        // Recursive procedures are known by their calls: a few more of them cost little.
        let most = match self.question {
            _ if self.flat.procedures.is_empty() => 1,
            None => FIRST_TESTS,
            Some(_) => FIRST_TESTS / 3,
        };
        match self.seed.take() {
            Some(inputs) => _ = self.test(&inputs, 0, TEST_STEPS, task, cx),
            None => (0..=most).for_each(|fallback| _ = self.test(&[], fallback, TEST_STEPS, task, cx)),
        }
        loop {
            if let Some(stopped) = cx.budget.exhausted() {
                return Stop::Because(Reason::Stopped(stopped));
            }
            if self.refuted {
                return Stop::NoTrace;
            }
            if self.question.is_none()
                && task
                    .properties
                    .iter()
                    .filter(|property| decides(**property))
                    .all(|property| self.violated.contains_key(property) || self.refused.contains_key(property))
            {
                return Stop::NoTrace;
            }
            let (found, hops) = trace(&self.regions, &self.aims, &self.active, &self.stuck);
            let Some(found) = found else { return Stop::NoTrace };
            self.hops = hops;
            if self.work_left() == 0 || self.most_refinements.is_some_and(|most| self.counters.refinements >= most) {
                return Stop::Because(Reason::BoundReached("refinement limit".to_string()));
            }
            self.counters.solve_runs += 1;
            let before = self.mark();
            self.extend(&found, task, cx);
            assert!(self.moved(&found, &before), "a round neither moved the frontier nor split a region on the trace");
            if self.counters.solve_runs.is_multiple_of(64) {
                let progress =
                    Progress { paths: self.runs.len() as u64, states: self.regions.count() as u64, queries: self.questions.asked.calls };
                cx.progress.report(&progress);
            }
        }
    }

    /// Refinements that are left for this question and those that it leads to.
    pub fn work_left(&self) -> u64 {
        let done = self.knowledge.borrow().work.refinements - self.work_before + self.counters.refinements;
        self.most_work.saturating_sub(done)
    }

    /// What grows when regions are split or lose exits, or when a failure is told.
    fn mark(&self) -> [u64; 3] {
        [self.regions.splits, self.regions.removed, (self.violated.len() + self.refused.len()) as u64]
    }

    /// Whether the frontier is another one now: a test is beyond it, the abstraction is finer, or nobody will try it again.
    fn moved(&self, found: &Frontier, before: &[u64; 3]) -> bool {
        let beyond = match found.to {
            Goal::Region(to) => self.regions.is_visited(to),
            Goal::Aim(aim) => self.aims[aim].place.is_some_and(|place| !self.active[place]),
        };
        beyond || self.refuted || self.mark() != *before || self.stuck.contains(found) || self.questions.budget.exhausted().is_some()
    }

    /// Runs a test and puts it into the abstraction.
    fn test(&mut self, inputs: &[(Sort, Value)], fallback: u64, most_steps: usize, task: &Task, cx: &Cx<'_>) -> usize {
        let flat = self.flat;
        let number = self.runs.len();
        let knowledge = self.knowledge;
        let run =
            run(flat, self.start, inputs, fallback, most_steps, &|procedure, entry| knowledge.borrow().computed(flat, procedure, entry));
        for (at, step) in run.steps.iter().enumerate() {
            let position = (number as u32, at as u32);
            self.regions.place(step.block, position, &mut |predicate| run.holds(flat, at as u32, predicate).unwrap_or(false));
        }
        match run.end {
            _ if let Some(question) = &self.question => {
                let entry: Vec<Value> =
                    run.inputs.iter().take(flat.procedures[question.procedure].entry.len()).map(|(_, value)| value.clone()).collect();
                self.refuted |= match &run.end {
                    RunEnd::Returned(values) => question.is_refuted_by(flat, &entry, Some(values)),
                    RunEnd::AtPlace(_) => question.is_refuted_by(flat, &entry, None),
                    RunEnd::Unclear => true,
                    RunEnd::Ended | RunEnd::Bounded => false,
                };
            }
            RunEnd::AtPlace(place) if self.active[place] => {
                // Now it counts what the calls do themselves.
                let seen = match run.is_computed {
                    true => &crate::runs::run(flat, self.start, inputs, fallback, most_steps, &|_, _| None),
                    false => &run,
                };
                match seen.end == run.end {
                    true => self.arrived(seen, place, task, cx),
                    false => {
                        self.reasons.note(Reason::BoundReached("calls that a test runs through".to_string()));
                        self.active[place] = false;
                    }
                }
            }
            RunEnd::Unclear => {
                let what = "an expression that has no value in a test".to_string();
                let last = run.steps.last().map_or(fathom_base::Loc::UNKNOWN, |step| flat.blocks[step.block].loc);
                self.give_up(Reason::Unsupported { what, location: task.program.files.show(last) });
            }
            _ => {}
        }
        note_calls(flat, &run, &mut self.knowledge.borrow_mut());
        self.runs.push(run);
        self.paths.push(Path::default());
        number
    }

    /// A test came to a place where none should.
    fn arrived(&mut self, run: &Run, place: usize, task: &Task, cx: &Cx<'_>) {
        let flat = self.flat;
        let location = task.program.files.show(flat.places[place].loc);
        match flat.places[place].kind.clone() {
            PlaceKind::Violation { property, .. } => {
                let trace = trace_of_run(flat, run, property, task, cx).and_then(|trace| confirmed(task, &trace).map(|()| trace));
                match trace {
                    Ok(trace) => {
                        self.violated.insert(trace.violation.property, Box::new(trace));
                        self.drop_places(|kind| matches!(kind, PlaceKind::Violation { property: p, .. } if *p == property));
                    }
                    Err(reason) => {
                        self.refused.insert(property, reason);
                        self.active[place] = false;
                    }
                }
            }
            PlaceKind::Unsupported(what) => self.give_up(Reason::Unsupported { what, location }),
            PlaceKind::Undefined(what) => self.give_up(Reason::Undefined { what, location }),
            PlaceKind::Within(name) => unreachable!("a test of {name} ends at its own place"),
        }
    }

    /// Nothing can be proved any more; violations are still of interest.
    fn give_up(&mut self, reason: Reason) {
        self.reasons.note(reason);
        self.drop_places(|kind| !matches!(kind, PlaceKind::Violation { .. } | PlaceKind::Within(_)));
    }

    fn drop_places(&mut self, dropped: impl Fn(&PlaceKind) -> bool) {
        for (active, place) in self.active.iter_mut().zip(&self.flat.places) {
            *active &= !dropped(&place.kind);
        }
    }

    /// Tries to get a test over the frontier, and refines the abstraction where none gets there.
    fn extend(&mut self, found: &Frontier, task: &Task, cx: &Cx<'_>) {
        let flat = self.flat;
        let Frontier { from, exit, to } = *found;
        let block = self.regions.get(from).block;
        let literals = match to {
            Goal::Region(region) => self.regions.get(region).literals.clone(),
            Goal::Aim(aim) => self.aims[aim].conditions.clone(),
        };
        let needed = flat.before(block, exit, &literals);
        if !self.config.plain && needed.iter().any(|&part| flat.terms.const_bool(part) == Some(false)) {
            let everywhere = self.regions.leaves(block).to_vec();
            return self.take_away(&everywhere, exit, to);
        }
        let Some(&(test, step)) = self.regions.get(from).members.first() else { return };
        let call = flat.blocks[block].call.as_ref();
        if call
            .is_some_and(|call| self.before_any_call(found, &needed, (test, step)) || self.by_summaries(found, &needed, call, (test, step)))
        {
            self.counters.refinements += 1;
            return;
        }
        let (run, path) = (&self.runs[test as usize], &mut self.paths[test as usize]);
        let here = path.at(flat, run, step, &needed);
        let constraints = paths::related(flat, path.constraints(flat, run, step), &here);
        let wanted = variables(flat, constraints.iter().chain(&here).copied());
        let mut context = match self.questions.context(&constraints) {
            Ok(context) => context,
            Err(error) => return self.undecided(found, &error.to_string()),
        };
        match self.questions.ask(&flat.terms, &mut context, &here, &wanted) {
            Reply::Unknown(why) => self.undecided(found, &why.to_string()),
            Reply::Sat(model) => {
                let inputs = self.inputs_of_model(test, &model, &wanted);
                let number = self.test(&inputs, 0, step as usize + TEST_STEPS, task, cx);
                if self.refuted || self.got_over(found, number, step) {
                    return;
                }
                match call {
                    None => self.undecided(found, "its model did not lead where it should"),
                    Some(_) if self.learns_nothing(&needed, number, step) && self.refine_behind(found) => self.counters.refinements += 1,
                    Some(call) => {
                        let asked = self.ask_callee(found, &needed, call, (test, step), task, cx);
                        self.counters.refinements += 1;
                        if !asked {
                            self.undecided(found, "no summary of a recursive procedure was found");
                        }
                    }
                }
            }
            Reply::Unsat(core) => self.refine(found, &needed, &here, core, &mut context, (test, step)),
        }
    }

    /// Whether a test made a call that did not return, where it would not matter what it returns.
    fn learns_nothing(&self, needed: &[Term], test: usize, step: u32) -> bool {
        let flat = self.flat;
        let is_about_results = |part: &Term| flat.vars(*part).iter().any(|&var| matches!(flat.inputs.ahead(var), Some((1.., _))));
        let returned = self.runs[test].steps.get(step as usize).is_some_and(|step| step.exit.is_some());
        !returned && !needed.iter().any(is_about_results)
    }

    /// A test that goes the way of another up to its position, satisfies these conditions there and has these inputs next.
    pub fn test_with(
        &mut self,
        conditions: &[Term],
        (test, step): Position,
        next: &[(Sort, Value)],
        task: &Task,
        cx: &Cx<'_>,
    ) -> Option<usize> {
        let flat = self.flat;
        let (run, path) = (&self.runs[test as usize], &mut self.paths[test as usize]);
        let here = path.at(flat, run, step, conditions);
        let constraints = paths::related(flat, path.constraints(flat, run, step), &here);
        let wanted = variables(flat, constraints.iter().chain(&here).copied());
        let mut context = self.questions.context(&constraints).ok()?;
        match self.questions.ask_briefly(&flat.terms, &mut context, &here, &wanted) {
            Reply::Sat(model) => {
                let mut inputs = self.inputs_of_model(test, &model, &wanted);
                inputs.truncate(self.runs[test as usize].steps[step as usize].real as usize);
                inputs.extend_from_slice(next);
                Some(self.test(&inputs, 0, step as usize + TEST_STEPS, task, cx))
            }
            _ => None,
        }
    }

    /// The inputs of a test, but for those that the model knows.
    fn inputs_of_model(&self, test: u32, model: &Model, wanted: &[VarId]) -> Vec<(Sort, Value)> {
        let flat = self.flat;
        let mut inputs = self.runs[test as usize].real.clone();
        for (number, (sort, value)) in inputs.iter_mut().enumerate() {
            if let Some(var) = flat.terms.as_var(paths::input(&flat.terms, number as u32, *sort))
                && let Some(new) = model.values.get(&var)
            {
                *value = new.clone();
            }
        }
        // Inputs that the test had not asked for yet.
        let upto = wanted.iter().filter_map(|&var| input_number(flat, var)).max().map_or(0, |last| last + 1);
        while (inputs.len() as u32) < upto {
            let number = inputs.len() as u32;
            let known = wanted.iter().find(|&&var| input_number(flat, var) == Some(number));
            let sort = known.map_or(Sort::Bool, |&var| flat.terms.var_sort(var));
            let value = known.map(|&var| model.get(&flat.terms, var));
            inputs.push((sort, value.unwrap_or(Value::FALSE)));
        }
        inputs
    }

    pub fn undecided(&mut self, found: &Frontier, why: &str) {
        self.stuck.insert(*found);
        self.reasons.note(Reason::Solver(why.to_string()));
    }
}

fn variables(flat: &Flat, terms: impl Iterator<Item = Term>) -> Vec<VarId> {
    let all: FxSet<VarId> = terms.flat_map(|term| flat.vars(term)).collect();
    let mut all: Vec<VarId> = all.into_iter().collect();
    all.sort();
    all
}

/// The number of a run's input, if the variable is one.
fn input_number(flat: &Flat, var: VarId) -> Option<u32> {
    flat.terms.var_name(var).strip_prefix("run!")?.split('.').next()?.parse().ok()
}
