//! Random runs: the program is executed on inputs that are chosen without a solver, and violations are reported.
//! Symbolic execution is far better if a branch needs one value out of many; random runs are far better if almost any
//! input leads to a violation but the path is long: arrays of thousands of inputs, state machines with hundreds of
//! steps. This engine finds violations and proves nothing.
//!
//! Runs with new coverage are kept; as in fuzzing, later runs begin like one of them and then diverge.

mod limits;
mod taste;

use fathom_base::{FxMap, processor_time};
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Progress, Reason, Statistics, Task, Verdict, confirmed, is_usual};
use fathom_ir::{Program, Property};
use fathom_machine::{Chooser, Coverage, ReplayEnd, Trace, sample};
use fathom_term::{Op, Sort, TermStore, Value};
pub use limits::Limits;
use std::cell::RefCell;
use std::rc::Rc;
pub use taste::Dictionary;
use taste::Taste;

/// Random runs.
pub struct Random {
    /// How long it computes, in percent of the time there is: beside other engines the first runs find most.
    pub percent_of_time: u32,
    /// How far it goes.
    pub limits: Limits,
}

impl Engine for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn capabilities(&self) -> Capabilities {
        let decides = |property| is_usual(property) || property == Property::StackOverflow;
        Capabilities { decides, proves: false, ..Capabilities::usual("runs of the interpreter on random inputs") }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let mut search = Search::new(task, cx, &self.limits);
        let found = match unsuitable(&task.program) {
            Some(what) => Err(Reason::Undecided(format!("random runs can't choose {what}"))),
            None => search.run(self.percent_of_time),
        };
        let ledger = task.program.assumptions.iter().cloned().collect();
        let verdict = |property| match &found {
            Ok(trace) if trace.violation.property == property => Verdict::Violated(trace.clone()),
            Ok(_) => Verdict::Unknown(Reason::NotReached),
            Err(reason) => Verdict::Unknown(reason.clone()),
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
        Outcome { verdicts, ledger, statistics: search.statistics() }
    }
}

/// What axioms and functions without a definition say can't be chosen at random, and a quantifier can't be run.
fn unsuitable(program: &Program) -> Option<&'static str> {
    if !program.axioms.is_empty() {
        return Some("values that satisfy axioms");
    }
    let store = &program.terms;
    let mut roots = Vec::new();
    program.for_each_term(&mut |term| roots.push(term));
    store.subterms(roots).find_map(|term| match store.op(term) {
        Op::Apply(function) if !store.is_computed(function) => Some("the values of functions"),
        Op::Forall(_) | Op::Exists(_) => Some("the truth of quantified formulas"),
        _ => None,
    })
}

struct Search<'a> {
    task: &'a Task,
    cx: &'a Cx<'a>,
    limits: &'a Limits,
    random: fastrand::Rng,
    dictionary: Rc<Dictionary>,
    /// Inputs of runs that came somewhere new, and whether they could have gone on.
    kept: Vec<(Rc<Vec<Value>>, bool)>,
    coverage: Coverage,
    /// Tastes of the next runs.
    tastes: Vec<Taste>,
    /// The run on zeros came to an end.
    zeros_ended: bool,
    /// Some run was given something.
    asked: bool,
    runs: u64,
    statements: u64,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task, cx: &'a Cx<'a>, limits: &'a Limits) -> Self {
        Search {
            task,
            cx,
            limits,
            random: fastrand::Rng::with_seed(cx.seed),
            dictionary: Rc::new(Dictionary::of(&task.program, limits.constants)),
            kept: Vec::new(),
            coverage: Coverage::default(),
            tastes: Vec::new(),
            zeros_ended: false,
            asked: false,
            runs: 0,
            statements: 0,
        }
    }

    fn run(&mut self, percent_of_time: u32) -> Result<Box<Trace>, Reason> {
        let budget = self.cx.budget.clone();
        let share = budget.remaining().map_or(budget.clone(), |time| budget.computing_at_most(time * percent_of_time / 100));
        let is_over = move || match budget.exhausted() {
            Some(reason) => Some(Reason::Stopped(reason)),
            None => share.exhausted().map(|_| Reason::Undecided("random runs found nothing in their part of the time".into())),
        };
        let (first, last) = (self.limits.first, self.limits.last);
        let limits: Vec<u64> = std::iter::successors(Some(first), |limit| Some(limit * 10).filter(|limit| *limit <= last)).collect();
        loop {
            // How long the path is is unknown: short runs are tried again beside ever longer ones.
            let mut too_short = 0;
            for longest in 1..=limits.len() {
                let first = too_short;
                for (at, &limit) in limits.iter().enumerate().take(longest).skip(first) {
                    match self.round(limit, &is_over)? {
                        Round::Found(trace) => return Ok(trace),
                        Round::NothingEnded if at == too_short => too_short += 1,
                        Round::NothingEnded | Round::Done => {}
                    }
                }
            }
            if !self.asked {
                return Err(Reason::Undecided("the program asks for no input, and its run is too long".into()));
            }
        }
    }

    /// Runs of at most so many statements each.
    fn round(&mut self, limit: u64, is_over: &dyn Fn() -> Option<Reason>) -> Result<Round, Reason> {
        let (begin, end_of_round) = (processor_time(), self.statements + self.limits.round.max(limit + limit / 2));
        let mut ended = 0;
        tracing::debug!(statements = limit, "a round of random runs");
        for run in 0..self.limits.runs {
            if let Some(reason) = is_over() {
                return Err(reason);
            }
            let on_zeros = run == 0 && !self.zeros_ended;
            let went = if on_zeros { self.once(limit, Taste::Zeros, Vec::new()) } else { self.another(limit) };
            self.zeros_ended |= on_zeros && !matches!(went, Went::On | Went::OnWithoutInput);
            match went {
                Went::Wrong(trace) => return Ok(Round::Found(trace)),
                Went::TheOnlyWay => return Err(Reason::Undecided("the program asks for no input, and its run shows nothing".into())),
                Went::ToTheEnd => ended += 1,
                Went::On => {}
                // A run that asks for no input is the only one there is.
                Went::OnWithoutInput => break,
            }
            let is_long = self.statements > end_of_round && processor_time().saturating_sub(begin) > self.limits.time_of_round;
            if is_long || run >= self.limits.enough_cut && ended == 0 {
                break;
            }
        }
        Ok(if ended == 0 { Round::NothingEnded } else { Round::Done })
    }

    fn another(&mut self, limit: u64) -> Went {
        if self.tastes.is_empty() {
            self.tastes = Taste::all(&mut self.random);
        }
        let taste = self.tastes.pop().unwrap_or(Taste::Mixed);
        let beginning = self.beginning();
        self.once(limit, taste, beginning)
    }

    fn once(&mut self, limit: u64, taste: Taste, beginning: Vec<Value>) -> Went {
        let log = Rc::new(RefCell::new(Vec::new()));
        let (dictionary, most_inputs) = (self.dictionary.clone(), self.limits.inputs);
        let player = Player { random: self.random.fork(), taste, dictionary, beginning, log: log.clone(), most_inputs };
        let run = sample(&self.task.program, &self.task.properties, Box::new(player), limit, &self.cx.budget);
        self.runs += 1;
        self.asked |= run.asked;
        self.statements += run.statements.max(1_000);
        self.cx.progress.report(&Progress { paths: self.runs, ..Progress::default() });
        if run.coverage.adds_to(&self.coverage) {
            self.coverage.merge(&run.coverage);
            let goes_on = matches!(run.end, ReplayEnd::Stuck(_));
            self.kept.push((Rc::new(log.take()), goes_on));
        }
        match run.trace.filter(|trace| confirmed(self.task, trace).is_ok()) {
            Some(trace) => Went::Wrong(Box::new(trace)),
            None if matches!(run.end, ReplayEnd::Stuck(_)) && (run.statements >= limit || self.cx.budget.exhausted().is_some()) => {
                match run.asked {
                    true => Went::On,
                    false => Went::OnWithoutInput,
                }
            }
            None if run.asked => Went::ToTheEnd,
            None => Went::TheOnlyWay,
        }
    }

    /// How the next run begins: like one that is kept, up to some point.
    fn beginning(&mut self) -> Vec<Value> {
        if self.kept.is_empty() || self.random.u8(..3) == 0 {
            return Vec::new();
        }
        // Runs that were kept later came further: the smaller of two random numbers prefers them.
        let back = self.random.usize(..self.kept.len()).min(self.random.usize(..self.kept.len()));
        let (like, goes_on) = &self.kept[self.kept.len() - 1 - back];
        // The inputs of a run that ended must not be repeated to the end: that would be the same run.
        let length = if *goes_on && self.random.bool() { like.len() } else { self.random.usize(..like.len().max(1)) };
        like[..length].to_vec()
    }

    fn statistics(&self) -> Statistics {
        let counters = [("runs", self.runs), ("runs that came somewhere new", self.kept.len() as u64), ("statements", self.statements)];
        Statistics { counters: counters.map(|(name, value)| (name.to_string(), value)).to_vec(), ..Statistics::default() }
    }
}

/// How a round of runs with one limit ended.
enum Round {
    Found(Box<Trace>),
    /// Every run was cut.
    NothingEnded,
    Done,
}

/// How a run went.
enum Went {
    Wrong(Box<Trace>),
    /// It ended, or can't be followed any further.
    ToTheEnd,
    /// It reached the limit on statements.
    On,
    /// It reached the limit without asking for an input, as every other run would.
    OnWithoutInput,
    /// It ended without asking for an input: every other run is the same.
    TheOnlyWay,
}

/// Chooses the inputs of one run.
struct Player {
    random: fastrand::Rng,
    taste: Taste,
    dictionary: Rc<Dictionary>,
    beginning: Vec<Value>,
    log: Rc<RefCell<Vec<Value>>>,
    most_inputs: usize,
}

impl Chooser for Player {
    fn value(&mut self, store: &TermStore, sort: Sort) -> Value {
        let mut log = self.log.borrow_mut();
        let known = self.beginning.get(log.len()).filter(|value| fits(value, sort));
        let value = known.cloned().unwrap_or_else(|| self.taste.value(&mut self.random, &self.dictionary, store, sort));
        if log.len() < self.most_inputs {
            log.push(value.clone());
        }
        value
    }

    fn way(&mut self, among: usize) -> usize {
        self.random.usize(..among)
    }
}

/// Whether a value of an earlier run, which may have asked for other things, can stand for a value of this sort.
fn fits(value: &Value, sort: Sort) -> bool {
    match value {
        Value::Bits(bits) => sort.bits().is_some_and(|width| width >= 64 || width > 0 && *bits >> width == 0),
        Value::Int(_) => sort == Sort::Int,
        Value::Real(_) => sort == Sort::Real,
        _ => false,
    }
}

/// Constants by width.
type ByWidth = FxMap<u32, Vec<u64>>;
