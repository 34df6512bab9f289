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

use crate::config::DashConfig;
use crate::guided::{follows, trace_of_run};
use crate::paths::{self, Path};
use crate::regions::Regions;
use crate::runs::{Run, RunEnd, run};
use crate::search::{Frontier, Goal, frontier, reachable};
use crate::solving::{Asked, Questions, Reply};
use crate::spread::{doomed, forward_order};
use crate::tree;
use fathom_base::FxSet;
use fathom_engine::{Cx, Engine, Ledger, Outcome, Progress, Proof, Reason, Reasons, Statistics, Task, Trace, Verdict, confirmed};
use fathom_flat::{Flat, PlaceKind, flatten};
use fathom_ir::Property;
use fathom_term::{Op, Term, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Blocks that a test runs beyond the frontier that it was made for.
const TEST_STEPS: usize = 1_000;

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
    pub counters: Counters,
    /// Why nothing is proved.
    pub reasons: Reasons,
    pub violated: BTreeMap<Property, Box<Trace>>,
    /// Violations of these were found but not confirmed.
    pub refused: BTreeMap<Property, Reason>,
}

/// Why the search is over.
enum Stop {
    NoTrace,
    Because(Reason),
}

impl Engine for Dash {
    fn name(&self) -> &'static str {
        "dash"
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        if !task.properties.iter().any(|property| decides(*property)) {
            return unknown(task, &beyond());
        }
        let flat = match flatten(&task.program, &task.properties) {
            Ok(flat) => flat,
            Err(not) => {
                let location = task.program.files.show(not.loc);
                return unknown(task, &Reason::Unsupported { what: not.what, location });
            }
        };
        if let Some(what) = beyond_evaluation(&flat) {
            return unknown(task, &Reason::Unsupported { what: what.to_string(), location: "the program".to_string() });
        }
        let mut session = Session {
            config: &self.config,
            regions: Regions::new(&flat),
            order: forward_order(&flat),
            doomed: doomed(&flat),
            active: vec![true; flat.places.len()],
            flat: &flat,
            runs: Vec::new(),
            paths: Vec::new(),
            questions: Questions { backend: (cx.backend)(), budget: &cx.budget, asked: Asked::default() },
            stuck: FxSet::default(),
            counters: Counters::default(),
            reasons: Reasons::default(),
            violated: BTreeMap::new(),
            refused: BTreeMap::new(),
        };
        let stop = session.search(task, cx);
        session.outcome(task, stop, cx)
    }
}

/// Properties that are assertions in the program.
fn decides(property: Property) -> bool {
    use Property as P;
    matches!(property, P::UnreachCall | P::Assertion | P::NoOverflow | P::DivByZero | P::Shift | P::BoogieAssert)
}

fn beyond() -> Reason {
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
            Op::Apply(_) => return Some("uninterpreted functions"),
            _ => open.extend(flat.terms.args(term)),
        }
    }
    None
}

impl Session<'_> {
    fn search(&mut self, task: &Task, cx: &Cx<'_>) -> Stop {
        for fallback in [0, 1] {
            self.test(&[], fallback, TEST_STEPS, task, cx);
        }
        loop {
            if let Some(stopped) = cx.budget.exhausted() {
                return Stop::Because(Reason::Stopped(stopped));
            }
            if task.properties.iter().filter(|property| decides(**property)).all(|property| self.violated.contains_key(property) || self.refused.contains_key(property)) {
                return Stop::NoTrace;
            }
            let Some(found) = frontier(self.flat, &self.regions, &self.active, &self.stuck) else { return Stop::NoTrace };
            if self.config.max_refinements.is_some_and(|most| self.counters.refinements >= most) {
                return Stop::Because(Reason::BoundReached("refinement limit".to_string()));
            }
            self.counters.solve_runs += 1;
            self.extend(&found, task, cx);
            if self.counters.solve_runs.is_multiple_of(64) {
                let progress = Progress { paths: self.runs.len() as u64, states: self.regions.count() as u64, queries: self.questions.asked.calls };
                cx.progress.report(&progress);
            }
        }
    }

    /// Runs a test and puts it into the abstraction.
    fn test(&mut self, inputs: &[(fathom_term::Sort, fathom_term::Value)], fallback: u64, most_steps: usize, task: &Task, cx: &Cx<'_>) -> usize {
        let flat = self.flat;
        let number = self.runs.len();
        let run = run(flat, inputs, fallback, most_steps);
        for (at, step) in run.steps.iter().enumerate() {
            let position = (number as u32, at as u32);
            self.regions.place(step.block, position, &mut |predicate| run.holds(flat, at as u32, predicate).unwrap_or(false));
        }
        match run.end {
            RunEnd::AtPlace(place) if self.active[place] => self.arrived(&run, place, task, cx),
            RunEnd::Unclear => {
                let what = "an expression that has no value in a test".to_string();
                let last = run.steps.last().map_or(fathom_base::Loc::UNKNOWN, |step| flat.blocks[step.block].loc);
                self.give_up(Reason::Unsupported { what, location: task.program.files.show(last) });
            }
            _ => {}
        }
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
        }
    }

    /// Nothing can be proved any more; violations are still of interest.
    fn give_up(&mut self, reason: Reason) {
        self.reasons.note(reason);
        self.drop_places(|kind| !matches!(kind, PlaceKind::Violation { .. }));
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
            Goal::Place(_) => Vec::new(),
        };
        let needed = flat.before(block, exit, &literals);
        if !self.config.plain && needed.iter().any(|&part| flat.terms.const_bool(part) == Some(false)) {
            let everywhere = self.regions.leaves(block).to_vec();
            return self.take_away(&everywhere, exit, to);
        }
        let Some(&(test, step)) = self.regions.get(from).members.first() else { return };
        let (run, path) = (&self.runs[test as usize], &mut self.paths[test as usize]);
        let here = path.at(flat, run, step, &needed);
        let constraints = path.constraints(flat, run, step).to_vec();
        let wanted: Vec<VarId> = {
            let all: FxSet<VarId> = constraints.iter().chain(&here).flat_map(|&term| flat.vars(term)).collect();
            let mut all: Vec<VarId> = all.into_iter().collect();
            all.sort();
            all
        };
        let mut context = match self.questions.context(&constraints) {
            Ok(context) => context,
            Err(error) => return self.undecided(found, &error.to_string()),
        };
        match self.questions.ask(&flat.terms, &mut context, &here, &wanted) {
            Reply::Unknown(why) => self.undecided(found, &why.to_string()),
            Reply::Sat(model) => {
                let mut inputs = self.runs[test as usize].inputs.clone();
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
                    let sort = known.map_or(fathom_term::Sort::Bool, |&var| flat.terms.var_sort(var));
                    let value = known.map(|&var| model.get(&flat.terms, var));
                    inputs.push((sort, value.unwrap_or(fathom_term::Value::FALSE)));
                }
                let number = self.test(&inputs, 0, step as usize + TEST_STEPS, task, cx);
                let over = self.runs[number].steps.get(step as usize).is_some_and(|at| at.block == block && at.exit == Some(exit));
                if !over {
                    self.undecided(found, "its model did not lead where it should");
                }
            }
            Reply::Unsat(core) => self.refine(found, &needed, &here, core, &mut context, (test, step)),
        }
    }

    pub fn undecided(&mut self, found: &Frontier, why: &str) {
        self.stuck.insert(*found);
        self.reasons.note(Reason::Solver(why.to_string()));
    }

    // ---- the answer

    fn outcome(mut self, task: &Task, stop: Stop, cx: &Cx<'_>) -> Outcome {
        let mut ledger = Ledger::default();
        self.flat.assumptions.iter().for_each(|assumption| ledger.note(assumption.as_str()));
        if matches!(stop, Stop::NoTrace) && self.reasons.is_empty() {
            let (first, last) = (self.runs.iter().take(2), self.runs.iter().skip(2).rev().take(2));
            if let Err(reason) = follows(self.flat, first.chain(last), task, cx) {
                self.reasons.note(reason);
            }
        }
        let proved = matches!(stop, Stop::NoTrace) && self.reasons.is_empty() && self.stuck.is_empty();
        let reached = reachable(self.flat, &self.regions);
        let regions: Rc<Vec<Vec<Vec<Term>>>> = Rc::new(
            reached.iter().map(|leaves| leaves.iter().map(|&leaf| self.regions.get(leaf).literals.clone()).collect()).collect(),
        );
        let mut statistics = Statistics::default();
        let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
        count("tests", self.runs.len() as u64);
        count("solve runs", self.counters.solve_runs);
        count("smt calls", self.questions.asked.calls);
        count("unsat targets", self.counters.unsat_targets);
        count("refinements", self.counters.refinements);
        count("blocks", self.flat.blocks.len() as u64);
        count("regions", self.regions.count() as u64);
        count("splits", self.regions.splits);
        count("edges removed", self.regions.removed);
        count("microseconds in the solver", self.questions.asked.time.as_micros() as u64);
        statistics.solver_time = self.questions.asked.time;
        if self.config.tree {
            statistics.tree = tree::draw(self.flat, &self.regions);
        }
        let Session { mut violated, mut refused, reasons, .. } = self;
        let mut verdict = |property: Property| {
            if let Some(trace) = violated.remove(&property) {
                return Verdict::Violated(trace);
            }
            if !decides(property) {
                return Verdict::Unknown(beyond());
            }
            if let Some(reason) = refused.remove(&property) {
                return Verdict::Unknown(reason);
            }
            match &stop {
                Stop::NoTrace if proved => Verdict::Holds(Proof::Partition { regions: regions.clone() }),
                Stop::Because(reason) if reasons.is_empty() => Verdict::Unknown(reason.clone()),
                _ => Verdict::Unknown(reasons.main()),
            }
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
        Outcome { verdicts, ledger, statistics }
    }
}

/// The number of a run's input, if the variable is one.
fn input_number(flat: &Flat, var: VarId) -> Option<u32> {
    flat.terms.var_name(var).strip_prefix("run!")?.split('.').next()?.parse().ok()
}

fn unknown(task: &Task, reason: &Reason) -> Outcome {
    let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
    Outcome { verdicts, ..Outcome::default() }
}
